#!/usr/bin/env bash
# gel-bake --max-bytes, --max-runtime-bytes, --max-step-us and --soak: limits that a build sets to a body.
set -euo pipefail
bake=$GEL_BIN/gel-bake
. "$GEL_ROOT/tests/support/shell.sh"

"$GEL_BIN/gel-sample" torus -n 1000 -o art.obj --quiet

# gate EXIT ARGUMENTS...: bakes into out.gel
gate() {
	local code=$1 found=0
	shift
	"$bake" art.obj --tets 80 -o out.gel --no-collision "$@" >stdout 2>stderr || found=$?
	[ "$found" = "$code" ] || { cat stdout stderr; die "exit $found instead of $code: $*"; }
}

# limits that are kept change nothing about the pack
gate 0 --lod 30
mv out.gel plain.gel
gate 0 --lod 30 --soak --max-bytes 1e6 --max-runtime-bytes 1e6 --max-step-us 1e6 --max-strain 100 --json report.json
cmp out.gel plain.gel || die "gates change the pack"
for scene in drop squash stretch twist spin; do
	grep -q "soak $scene" stdout || die "no line about $scene"
	grep -q "soak level 1 $scene" stdout || die "no line about $scene of level 1"
done
for name in step_flops step_us worst_strain left_inversions energy_growth penetration soak_levels cost_levels body_bytes asset_bytes world_bytes runtime_levels; do
	grep -q "\"$name\"" report.json || die "no $name in the report"
done
! ls ./*.png >/dev/null 2>&1 || die "a picture of a body that passed"

# what has to be done for a step is counted, not measured
steps() { tr -d ' \n' <report.json | sed "s/.*\"cost$1\":[[]*{[^}]*\"step_us\":\([0-9.e+-]*\).*/\1/"; }
awk -v a="$(steps '')" -v b="$(steps _levels)" 'BEGIN { exit !( b > 0 && b < a ) }' || die "level 1 is not cheaper"
flops() { sed -n 's/.*"step_flops": *\([0-9.e+]*\).*/\1/p' report.json; }
first=$(flops)
gate 0 --lod 30 --json report.json
[ -n "$first" ] && [ "$first" = "$(flops)" ] || die "the count of operations changed"

# a body of the coarser level is smaller
bodies() { tr -d ' \n' <report.json | sed "s/.*\"runtime$1\":[[]*{\"body_bytes\":\([0-9]*\).*/\1/"; }
fine=$(bodies '')
[ "$(bodies _levels)" -lt "$fine" ] || die "level 1 is not smaller"

# limits that are missed: exit 5, and what was there before stays
echo old >out.gel
gate 5 --lod 30 --max-bytes 1000
grep -q 'T0541.*for coarser levels' stderr || die "no T0541"
gate 5 --lod 30 --max-runtime-bytes $((fine - 1))
[ "$(grep -c "T0546: a body of level 0 takes $fine bytes" stderr)" = 1 ] || die "no T0546: $(cat stderr)"
gate 5 --lod 30 --max-runtime-bytes 1
[ "$(grep -c T0546 stderr)" = 2 ] || die "no T0546 of both levels"
gate 5 --lod 30 --max-step-us 0.01
[ "$(grep -c T0542 stderr)" = 2 ] || die "no T0542 of both levels"
gate 5 --lod 30 --soak --max-strain 0.01
grep -q 'T0543: twist' stderr || die "no T0543"
grep -q 'T0543: level 1 twist' stderr || die "level 1 passes"
[ "$(cat out.gel)" = old ] || die "a body that failed was written"
grep -q PNG <(head -c 4 out.gel.soak-twist.png) || die "no picture of the failure"
grep -q PNG <(head -c 4 out.gel.soak-level-1-twist.png) || die "no picture of level 1"
# a body that collapses under its weight fails without a limit of strain
gate 5 --soak --young 20 --json report.json
grep -q '"passed": *false' report.json || die "no failure in the report"

# the fall of a large body takes longer, a long step leaves time for the scenes
gate 5 --soak --scale 1000 --young 1e5
grep -q 'T0543: drop' stderr || die "a body of 180 m does not land"
gate 0 --soak --step 1
grep -q 'soak stretch *strain up to 0,' stdout && die "nothing is stretched"
gate 0 --step 1e-6 # the shortest

# --verify: the pack is what its sources bake to, and is left alone; levels that differ are named
gate 0 --lod 30
cp -p out.gel before.gel
gate 0 --lod 30 --verify --json report.json
grep -q verified stdout || die "no verdict"
[ "$(tr -d ' \n' <report.json | grep -c '"levels":\[true,true\]')" = 1 ] || die "levels are not verified"
gate 5 --lod 30 --verify --young 2e5
grep -q 'T0544.*in level 0, 1' stderr || die "no T0544: $(cat stderr)"
gate 5 --verify
grep -q 'in level 0, 1' stderr || die "a level too many is not named: $(cat stderr)"
cmp out.gel before.gel && [ ! out.gel -nt before.gel ] || die "--verify writes"
head -c -64 before.gel >out.gel
gate 5 --verify
rm out.gel
gate 2 --verify
[ ! -e out.gel ] || die "--verify makes a pack"

# what cannot be asked for
gate 1 --max-strain 1
gate 1 --static --soak
gate 1 --max-bytes 0
gate 1 --max-runtime-bytes 0
gate 1 --static --max-runtime-bytes 1e6
gate 1 --max-step-us nan
echo "gates hold"
