#!/usr/bin/env bash
# gel-inspect --diff: two packs compared.
set -euo pipefail
inspect=$GEL_BIN/gel-inspect
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAILED: $1"; exit 1; }

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
	[ "$found" = "$code" ] || { cat stdout stderr; fail "exit $found instead of $code: $*"; }
}

differ 0 a.gel same.gel
grep -q '^identical' stdout || fail "no verdict on equal packs"
differ 5 a.gel softer.gel
grep -q 'T0618' stderr || fail "no finding"
grep -q 'youngsModulus: 100000.0 -> 20000.0' stdout || { cat stdout; fail "the change of a setting is not named"; }
grep -q 'nodes are up to 0 m apart' stdout || fail "the shape did not change"
grep -q 'FACT' stdout || fail "the factor did change"
if grep -qE '^  (NODE|TETS|VIDX) ' stdout; then fail "a section that did not change is listed"; fi
differ 5 a.gel bare.gel
grep -q 'CTRI.*only in the first' stdout || fail "a section that is gone"
differ 5 bare.gel a.gel
grep -q 'CTRI.*only in the second' stdout || fail "a section that is new"
grep -q 'collision triangles *0 -> ' stdout || fail "figures"

# for machines
"$inspect" --diff a.gel softer.gel --json - >report.json 2>/dev/null && fail "exit 0 with a report"
grep -q '"identical": *false' report.json && grep -q '"path": *"settings.material.youngsModulus"' report.json ||
	{ cat report.json; fail "report"; }

# command lines and files
differ 1 a.gel
differ 1 a.gel same.gel --verify
found=0
"$inspect" a.gel same.gel >stdout 2>&1 || found=$?
[ "$found" = 1 ] || fail "two packs without --diff: exit $found"
differ 2 a.gel missing.gel
head -c 1000 a.gel >cut.gel
differ 3 a.gel cut.gel
grep -q 'cut.gel' stderr || fail "the broken pack is not named"
