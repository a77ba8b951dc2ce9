#!/usr/bin/env bash
# gel-bake --lod: a pack with coarser levels of the same art.
set -euo pipefail
bake=$GEL_BIN/gel-bake
inspect=$GEL_BIN/gel-inspect
. "$GEL_ROOT/tests/support/shell.sh"

"$GEL_BIN/gel-sample" torus -n 1000 -o art.obj --quiet
levels=(--tets 700 --lod 250 --lod 60 --pin-box=-9,-9,-9,-0.2,9,9)

"$bake" art.obj -o one.gel "${levels[@]}" --threads 1 --json report.json --quiet
"$bake" art.obj -o two.gel "${levels[@]}" --threads 2 --quiet
cmp one.gel two.gel || die "bytes depend on the number of threads"
grep -q '"levels"' report.json || die "no levels in the report"

"$inspect" one.gel --verify >stdout || die "not verified"
grep -q 'verified: every rule holds' stdout || die "not verified"
grep -A2 '^levels' stdout | awk 'NR > 1 { print $1, $3 }' >found
[ "$(wc -l <found)" = 2 ] || die "no two levels are listed"
awk '{ if ( before && $2 >= before ) exit 1; before = $2 }' found || die "levels do not get coarser"

# the quality mode goes by the largest Poisson's ratio: a level without the region has another one
"$GEL_BIN/gel-sample" box -n 1000 -o box.obj --quiet
echo '{ "materials": { "a": { "poisson": 0.45 } }, "regions": [ { "material": "a", "sphere": [0, 0.48, 0, 0.05] } ] }' >small.json
"$bake" box.obj -o quality.gel --tets 400 --lod 40 --quality --no-collision --materials small.json --quiet 2>/dev/null
"$inspect" quality.gel >stdout
grep -q '^  a .* 0.45 ' stdout || die "no tet of level 0 is in the region"
for level in 0 1; do
	"$GEL_BIN/gel-preview" quality.gel --solver quality --level $level --frames 1 --out x.csv --quiet || die "no quality in level $level"
done

# what the levels are made of belongs to the provenance
"$bake" art.obj -o other.gel --tets 700 --lod 200 --lod 60 --pin-box=-9,-9,-9,-0.2,9,9 --quiet
[ "$("$inspect" one.gel | grep provenance)" != "$("$inspect" other.gel | grep provenance)" ] ||
	die "the provenance does not know of levels"

# a level can be looked at; of fewer levels, the coarsest
for level in 0 2 7; do
	"$GEL_BIN/gel-preview" one.gel --level $level --frames 3 --out $level.csv --quiet
done
! cmp -s 0.csv 2.csv || die "level 2 moves as level 0 does"
cmp 2.csv 7.csv || die "there is no level 7, so the coarsest one is shown"

# a box that holds nodes of the fine cage and none of a coarser one: which level it is, and what to do
box=--pin-box=0.14,-0.03,-0.03,0.2,0.03,0.03
"$bake" art.obj -o pins.gel --tets 700 --no-collision $box --quiet || die "no node of the fine cage is in the box"
code=0
"$bake" art.obj -o pins-lod.gel --tets 700 --lod 30 --no-collision $box >stdout 2>stderr || code=$?
[ "$code" = 3 ] && grep -q 'T0510: no cage node of level 1 (.* nodes) is in the pin set; .*--lod' stderr || die "exit $code: $(cat stderr)"
[ ! -e pins-lod.gel ] || die "a pack without pins in a level"

# refused before any work, with the exit code of misuse
for wrong in "--lod 800" "--lod 100 --lod 100" "--lod x" "--lod 2" "--static --lod 100" \
	"--lod 90 --lod 80 --lod 70 --lod 60 --lod 50 --lod 40 --lod 30 --lod 20"; do
	found=0
	# shellcheck disable=SC2086
	"$bake" art.obj -o none.gel --tets 700 $wrong >stdout 2>stderr || found=$?
	[ "$found" = 1 ] || die "exit $found instead of 1: $wrong"
	grep -q lod stderr || die "no word about --lod: $wrong"
	[ ! -e none.gel ] || die "a pack was written: $wrong"
done
