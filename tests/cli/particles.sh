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

"$GEL_BIN/gel-inspect" "$work/one.gel" --skin-glb "$work/skin.glb" >"$work/said"
grep -q 'skin.glb: 60 joints' "$work/said" || fail "no skinned mesh"
"$GEL_BIN/gel-bake" "$work/skin.glb" -o "$work/again.gel" --particles 60 -q 2> /dev/null || fail "the skinned mesh is no art"

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

# lines and nothing else: an OBJ file, and a glTF file with a strip of four points
printf 'v 0 0 0\nv 1 0 0\nv 2 0.5 0\nv 3 0.5 1\nl 1 2 3 4\n' > "$work/lines.obj"
points=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAQAAAAD8AAAAAAABAQAAAAD8AAIA/
cat > "$work/lines.gltf" <<GLTF
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":3}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[3,0.5,1]}],
"bufferViews":[{"buffer":0,"byteLength":48}],
"buffers":[{"byteLength":48,"uri":"data:application/octet-stream;base64,$points"}]}
GLTF
for kind in obj gltf; do
	"$GEL_BIN/gel-bake" "$work/lines.$kind" -o "$work/lines-$kind.gel" --particles rod -q
	"$GEL_BIN/gel-inspect" "$work/lines-$kind.gel" --verify -q || fail "lines of $kind do not verify"
	shows "$work/lines-$kind.gel" '^particles  *20 along a curve, 19 edges' || fail "lines of $kind make no rod"
done
printf 'v 1 2 3\nv 1 2 3\nl 1 2\n' > "$work/short.obj"
code=0
"$GEL_BIN/gel-bake" "$work/short.obj" -o "$work/wrong.gel" --particles rod -q 2> "$work/error" || code=$?
[ $code -eq 3 ] && grep -q T0102 "$work/error" || fail "lines without a length give exit code $code"

for wrong in 0 5000 2.5 rope rod: rod:x -3; do
	code=0
	"$GEL_BIN/gel-bake" "$work/figure.obj" -o "$work/wrong.gel" "--particles=$wrong" -q 2> "$work/error" || code=$?
	[ $code -eq 1 ] || fail "--particles=$wrong gives exit code $code"
	[ ! -e "$work/wrong.gel" ] || fail "--particles=$wrong left an output"
done
code=0
"$GEL_BIN/gel-bake" "$work/strip.obj" -o "$work/wrong.gel" --particles solid -q 2> "$work/error" || code=$?
[ $code -eq 3 ] && grep -q T0531 "$work/error" || fail "a flat solid gives exit code $code"
