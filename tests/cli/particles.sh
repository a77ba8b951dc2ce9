#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gel-bake --particles: kinds and counts, lines of an OBJ file, what is refused; the same bytes for any threads.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
# to a file first: grep -q would cut the pipe
shows() { "$GEL_BIN/gel-inspect" "$1" > "$work/text" && grep -q "$2" "$work/text"; }

"$GEL_BIN/gel-sample" figure -o "$work/figure.obj" -n 4000 -q
for kind in auto 60 solid:60 sheet:50 rod:12; do
	"$GEL_BIN/gel-bake" "$work/figure.obj" -o "$work/figure.gel" --particles $kind -q
	"$GEL_BIN/gel-inspect" "$work/figure.gel" --verify -q || fail "$kind does not verify"
	shows "$work/figure.gel" '^particles ' || fail "$kind has no particles"
done
shows "$work/figure.gel" '^particles  *12 along a curve, 11 edges' || fail "a rod is no chain"

"$GEL_BIN/gel-bake" "$work/figure.obj" -o "$work/one.gel" --particles 60 -q --threads 1
"$GEL_BIN/gel-bake" "$work/figure.obj" -o "$work/two.gel" --particles 60 -q --threads 3
cmp "$work/one.gel" "$work/two.gel" || fail "threads change the bytes"

# a strip with a line along its middle
cat > "$work/strip.obj" <<'OBJ'
v 0 0 0
v 2 0 0
v 2 0 0.2
v 0 0 0.2
v 0 0 0.1
v 1 0 0.1
v 2 0 0.1
f 1 4 3 2
l 5 6 7
OBJ
"$GEL_BIN/gel-bake" "$work/strip.obj" -o "$work/strip.gel" --particles 10 -q
shows "$work/strip.gel" '^particles  *10 along a curve, 9 edges' || fail "lines make no rod"
sed -i '/^l/d' "$work/strip.obj"
"$GEL_BIN/gel-bake" "$work/strip.obj" -o "$work/strip.gel" --particles 10 -q
shows "$work/strip.gel" '^particles  *10 on a surface' || fail "an open surface is no sheet"

for wrong in 0 5000 2.5 rope rod: rod:x -3; do
	code=0
	"$GEL_BIN/gel-bake" "$work/figure.obj" -o "$work/wrong.gel" "--particles=$wrong" -q 2> "$work/error" || code=$?
	[ $code -eq 1 ] || fail "--particles=$wrong gives exit code $code"
	[ ! -e "$work/wrong.gel" ] || fail "--particles=$wrong left an output"
done
code=0
"$GEL_BIN/gel-bake" "$work/strip.obj" -o "$work/wrong.gel" --particles solid -q 2> "$work/error" || code=$?
[ $code -eq 3 ] && grep -q T0531 "$work/error" || fail "a flat solid gives exit code $code"
