#!/usr/bin/env bash
# gel-inspect --diff: two packs compared.
set -euo pipefail
inspect=$GEL_BIN/gel-inspect
. "$GEL_ROOT/tests/support/shell.sh"

"$GEL_BIN/gel-sample" torus -n 1000 -o art.obj --quiet
bake() { "$GEL_BIN/gel-bake" art.obj --tets 150 "$@" --quiet; }
bake -o a.gel
cp a.gel same.gel
bake -o softer.gel --young 20000
bake -o bare.gel --no-collision

# differ EXIT ARGUMENTS...
differ() {
	local code=$1 found=0
	shift
	"$inspect" --diff "$@" >stdout 2>stderr || found=$?
	[ "$found" = "$code" ] || { cat stdout stderr; die "exit $found instead of $code: $*"; }
}

differ 0 a.gel same.gel
grep -q '^identical' stdout || die "no verdict on equal packs"
differ 5 a.gel softer.gel
grep -q 'T0618' stderr || die "no finding"
grep -q 'youngsModulus: 100000.0 -> 20000.0' stdout || { cat stdout; die "the change of a setting is not named"; }
grep -q 'nodes are up to 0 m apart' stdout || die "the shape did not change"
grep -q 'FACT' stdout || die "the factor did change"
if grep -qE '^  (NODE|TETS|VIDX) ' stdout; then die "a section that did not change is listed"; fi
differ 5 a.gel bare.gel
grep -q 'CTRI.*only in the first' stdout || die "a section that is gone"
differ 5 bare.gel a.gel
grep -q 'CTRI.*only in the second' stdout || die "a section that is new"
grep -q 'collision triangles *0 -> ' stdout || die "figures"

# for machines
"$inspect" --diff a.gel softer.gel --json - >report.json 2>/dev/null && die "exit 0 with a report"
grep -q '"identical": *false' report.json && grep -q '"path": *"settings.material.youngsModulus"' report.json ||
	{ cat report.json; die "report"; }

# command lines and files
differ 1 a.gel
differ 1 a.gel same.gel --verify
found=0
"$inspect" a.gel same.gel >stdout 2>&1 || found=$?
[ "$found" = 1 ] || die "two packs without --diff: exit $found"
differ 2 a.gel missing.gel
head -c 1000 a.gel >cut.gel
differ 3 a.gel cut.gel
grep -q 'cut.gel' stderr || die "the broken pack is not named"
