#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Art that cannot be used, shown to every tool that reads art: exit code 2 or 3, one error that says why and where,
# nothing on stdout, no output left behind, and an older output untouched.
set -u
. "$GEL_ROOT/tests/support/shell.sh"

# expect CODE TEXT MESH
expect()
{
	local code=$1 text=$2 mesh=$3 tool output got
	for tool in "gel-tetrafy:out.msh" "gel-bake:out.gel"; do
		output=${tool#*:}
		tool=${tool%:*}
		echo "older" >"$output"
		"$GEL_BIN/$tool" "$mesh" -o "$output" >stdout 2>stderr </dev/null
		got=$?
		[ "$got" -eq "$code" ] || fail "$tool $mesh: exit code $got instead of $code: $(head -c 300 stderr)"
		grep -qF -e "$text" stderr || fail "$tool $mesh: stderr lacks '$text': $(head -c 300 stderr)"
		[ "$(grep -c 'error: T' stderr)" -eq 1 ] || fail "$tool $mesh: not one error: $(head -c 600 stderr)"
		[ ! -s stdout ] || fail "$tool $mesh: prints to stdout"
		[ "$(cat "$output")" = older ] || fail "$tool $mesh: touches its output"
		rm -f "$output"
		[ -z "$(find . -name 'out.*')" ] || fail "$tool $mesh: leaves $(find . -name 'out.*')"
	done
}

expect 2 'missing.obj: error: T0001' missing.obj
mkdir folder.obj
expect 2 'folder.obj: error: T0001' folder.obj
: >empty.obj
expect 3 'error: T0100: the file is empty' empty.obj
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >picture.obj
expect 3 'this is a PNG image' picture.obj
printf 'v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n' >nan.obj
expect 3 'nan.obj: error: T0105: line 2' nan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n' >index.obj
expect 3 'index.obj: error: T0107: line 5: vertex index 4' index.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' >points.obj
expect 3 'T0102: the file has no triangles' points.obj
printf '{"asset":{"version":"2.0"},"nodes":[{"mesh":0}]' >cut.gltf
expect 3 'T0202: the JSON cannot be read: line 1' cut.gltf

# a GLB with one triangle, whole and with its binary chunk cut off
json='{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}'
while [ $((${#json} % 4)) -ne 0 ]; do json="$json "; done
little() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\0\\0"; }
glb()
{
	printf 'glTF\2\0\0\0'
	little $((28 + ${#json} + $1))
	little ${#json}
	printf 'JSON%s' "$json"
	little "$1"
	printf 'BIN\0'
	head -c "$1" /dev/zero
}
glb 36 >whole.glb
head -c $(($(wc -c <whole.glb) - 8)) whole.glb >truncated.glb
expect 3 'truncated.glb: error: T0202' truncated.glb
glb 24 >short.glb
expect 3 'short.glb: error: T0205: buffer 0 holds 24 bytes of the 36' short.glb
printf '%s' "${json/\"buffers\":[\{/\"buffers\":[\{\"uri\":\"../../secret.bin\",}" >outside.gltf
expect 3 'T0206: buffer 0: "../../secret.bin"' outside.gltf

[ "$failures" -eq 0 ] && echo "refused meshes: all as they should be"
[ "$failures" -eq 0 ]
