#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gel-bake --particles: kinds and counts, lines of an OBJ file, what is refused; the same bytes for any threads.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
# to a file first: grep -q would cut the pipe
shows() { "$GEL_BIN/gel-inspect" "$1" > "$folder/text" && grep -q "$2" "$folder/text"; }

"$GEL_BIN/gel-sample" figure -o "$folder/figure.obj" -n 4000 -q
for kind in auto 60 solid:60 sheet:50 rod:12; do
	"$GEL_BIN/gel-bake" "$folder/figure.obj" -o "$folder/figure.gel" --particles $kind -q
	"$GEL_BIN/gel-inspect" "$folder/figure.gel" --verify -q || die "$kind does not verify"
	shows "$folder/figure.gel" '^particles ' || die "$kind has no particles"
done
shows "$folder/figure.gel" '^particles  *12 along a curve, 11 edges' || die "a rod is no chain"

"$GEL_BIN/gel-bake" "$folder/figure.obj" -o "$folder/one.gel" --particles 60 -q --threads 1
"$GEL_BIN/gel-bake" "$folder/figure.obj" -o "$folder/two.gel" --particles 60 -q --threads 3
cmp "$folder/one.gel" "$folder/two.gel" || die "threads change the bytes"

"$GEL_BIN/gel-inspect" "$folder/one.gel" --skin-glb "$folder/skin.glb" >"$folder/said"
grep -q 'skin.glb: 60 joints' "$folder/said" || die "no skinned mesh"
"$GEL_BIN/gel-bake" "$folder/skin.glb" -o "$folder/again.gel" --particles 60 -q 2> /dev/null || die "the skinned mesh is no art"

# a strip with a line along its middle
cat > "$folder/strip.obj" <<'OBJ'
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
"$GEL_BIN/gel-bake" "$folder/strip.obj" -o "$folder/strip.gel" --particles 10 -q
shows "$folder/strip.gel" '^particles  *10 along a curve, 9 edges' || die "lines make no rod"
sed -i '/^l/d' "$folder/strip.obj"
"$GEL_BIN/gel-bake" "$folder/strip.obj" -o "$folder/strip.gel" --particles 10 -q
shows "$folder/strip.gel" '^particles  *10 on a surface' || die "an open surface is no sheet"

# lines and nothing else: an OBJ file, and a glTF file with a strip of four points
printf 'v 0 0 0\nv 1 0 0\nv 2 0.5 0\nv 3 0.5 1\nl 1 2 3 4\n' > "$folder/lines.obj"
points=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAQAAAAD8AAAAAAABAQAAAAD8AAIA/
cat > "$folder/lines.gltf" <<GLTF
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":3}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[3,0.5,1]}],
"bufferViews":[{"buffer":0,"byteLength":48}],
"buffers":[{"byteLength":48,"uri":"data:application/octet-stream;base64,$points"}]}
GLTF
for kind in obj gltf; do
	"$GEL_BIN/gel-bake" "$folder/lines.$kind" -o "$folder/lines-$kind.gel" --particles rod -q
	"$GEL_BIN/gel-inspect" "$folder/lines-$kind.gel" --verify -q || die "lines of $kind do not verify"
	shows "$folder/lines-$kind.gel" '^particles  *20 along a curve, 19 edges' || die "lines of $kind make no rod"
done
printf 'v 1 2 3\nv 1 2 3\nl 1 2\n' > "$folder/short.obj"
code=0
"$GEL_BIN/gel-bake" "$folder/short.obj" -o "$folder/wrong.gel" --particles rod -q 2> "$folder/error" || code=$?
[ $code -eq 3 ] && grep -q T0102 "$folder/error" || die "lines without a length give exit code $code"

for wrong in 0 5000 2.5 rope rod: rod:x -3; do
	code=0
	"$GEL_BIN/gel-bake" "$folder/figure.obj" -o "$folder/wrong.gel" "--particles=$wrong" -q 2> "$folder/error" || code=$?
	[ $code -eq 1 ] || die "--particles=$wrong gives exit code $code"
	[ ! -e "$folder/wrong.gel" ] || die "--particles=$wrong left an output"
done
code=0
"$GEL_BIN/gel-bake" "$folder/strip.obj" -o "$folder/wrong.gel" --particles solid -q 2> "$folder/error" || code=$?
[ $code -eq 3 ] && grep -q T0531 "$folder/error" || die "a flat solid gives exit code $code"
