#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From art to a verified pack, the same bytes every time, and bad input refused without leaving a file.
set -u
. "$GEL_ROOT/tests/support/shell.sh"

# A closed sphere-like mesh of n x 2n quads around the y axis, with a seam of split texture coordinates.
make_obj()
{
	awk -v n="$1" 'BEGIN {
		pi = 3.14159265358979
		for ( i = 0; i <= n; ++i ) for ( j = 0; j < 2 * n; ++j ) {
			if ( ( i == 0 || i == n ) && j > 0 ) continue
			r = 0.5 + 0.05 * sin( 5 * pi * j / n ) * sin( pi * i / n )
			printf "v %.7g %.7g %.7g\n", r * sin( pi * i / n ) * cos( pi * j / n ), r * cos( pi * i / n ),
				-r * sin( pi * i / n ) * sin( pi * j / n )
		}
		for ( j = 0; j <= 2 * n; ++j ) printf "vt %.7g 0\n", j / ( 2 * n )
		bottom = 2 + ( n - 1 ) * 2 * n
		for ( i = 0; i < n; ++i ) for ( j = 0; j < 2 * n; ++j ) {
			k = ( j + 1 ) % ( 2 * n )
			a = i == 0 ? 1 : 2 + ( i - 1 ) * 2 * n + j;  b = i == 0 ? 1 : 2 + ( i - 1 ) * 2 * n + k
			c = i == n - 1 ? bottom : 2 + i * 2 * n + k; d = i == n - 1 ? bottom : 2 + i * 2 * n + j
			if ( i == 0 ) printf "f %d/%d %d/%d %d/%d\n", a, j + 1, d, j + 1, c, j + 2
			else if ( i == n - 1 ) printf "f %d/%d %d/%d %d/%d\n", a, j + 1, d, j + 1, b, j + 2
			else printf "f %d/%d %d/%d %d/%d %d/%d\n", a, j + 1, d, j + 1, c, j + 2, b, j + 2
		}
	}'
}
bake() { "$GEL_BIN/gel-bake" "$@" >out 2>err </dev/null; }
# expect CODE TEXT WORDS...: the command ends with the code, one error line that holds the text, and no out.gel
expect()
{
	local code=$1 text=$2
	shift 2
	rm -f out.gel
	bake "$@"
	local got=$?
	[ "$got" -eq "$code" ] || fail "gel-bake $*: exit code $got instead of $code: $(head -c 300 err)"
	grep -qF -e "$text" err || fail "gel-bake $*: stderr lacks '$text': $(head -c 300 err)"
	[ "$(grep -c 'error: T' err)" -eq 1 ] || fail "gel-bake $*: not one error: $(head -c 600 err)"
	[ ! -s out ] || fail "gel-bake $*: prints to stdout"
	[ ! -e out.gel ] || fail "gel-bake $*: leaves an output"
	[ -z "$(find . -name 'out.gel*' -o -name '*.tmp*')" ] || fail "gel-bake $*: leaves a temporary file"
}

make_obj 16 >ball.obj

# the whole path, with a cage of its own and with one made on the way
"$GEL_BIN/gel-tetrafy" ball.obj -o cage.msh --tets 300 >out 2>err || fail "gel-tetrafy: $(cat err)"
bake ball.obj -o ball.gel --cage cage.msh --depfile ball.d --json ball.json || fail "gel-bake --cage: $(cat err)"
grep -qE '^ball\.gel: [0-9.]+ [KM]B, [0-9,]+ tets, [0-9,]+ nodes, [0-9]+ colors, 960 triangles, body 1(\.0[0-9])? x 1 x [0-9.]+ m, [0-9]+\.[0-9][0-9] s$' out ||
	fail "summary: $(cat out)"
[ "$(wc -l <out)" -eq 1 ] || fail "the summary is more than a line"
grep -qE '^ball.gel: +ball.obj +cage.msh$' <(tr -d '\\\n' <ball.d) || fail "depfile: $(cat ball.d)"
"$GEL_BIN/gel-inspect" ball.gel --verify >out 2>err || fail "gel-inspect --verify: $(cat err)"
for key in '"input": "ball.obj"' '"input_cage": "cage.msh"' '"output": "ball.gel"' '"tets"' '"phases"' '"residual"' '"section_bytes"' '"colors"' '"min_diagonal"'; do
	grep -qF "$key" ball.json || fail "the report lacks $key"
done
bake ball.obj -o direct.gel --tets 300 || fail "gel-bake without cage: $(cat err)"
"$GEL_BIN/gel-inspect" direct.gel --verify >out 2>err || fail "gel-inspect --verify direct.gel: $(cat err)"
cmp -s ball.gel direct.gel || fail "a cage that went through a file gives another pack"

# same bytes: again, in another folder, with other threads, with all that is not about the contents
mkdir sub
cp ball.obj sub/ball.obj
bake sub/ball.obj -o sub/again.gel --tets 300 --threads 1 --quiet || fail "again: $(cat err)"
[ ! -s out ] && [ ! -s err ] || fail "--quiet prints"
cmp -s ball.gel sub/again.gel || fail "one thread gives another pack"
bake ball.obj -o two.gel --tets 300 --threads 2 --json two.json || fail "two threads: $(cat err)"
cmp -s ball.gel two.gel || fail "two threads give another pack"
bake sub/ball.obj -o sub/jobs.gel --tets 300 --jobs 2 || fail "--jobs: $(cat err)"
cmp -s ball.gel sub/jobs.gel || fail "--jobs gives another pack"
grep -q '^sub/jobs\.gel: ' out || fail "the summary does not name the file as given: $(cat out)"
bake ball.obj -o other.gel --tets 300 --density 900 || fail "density: $(cat err)"
cmp -s ball.gel other.gel && fail "the density makes no difference"

# several steps and pins
bake ball.obj -o pins.gel --tets 300 --step 1/60 --step 0.01 --pin-box=-1,0.3,-1,1,1,1 || fail "pins: $(cat err)"
grep -qE '^pins\.gel: .* tets, [1-9][0-9]* of [0-9]+ nodes pinned, ' out || fail "the summary does not count pins: $(cat out)"
"$GEL_BIN/gel-inspect" pins.gel --verify --json >out 2>err || fail "gel-inspect pins.gel: $(cat err)"
[ "$(grep -o '"FACT"' out | wc -l)" -ge 1 ] || fail "no factor in the list"

# the quality mode wants one more step length, h sqrt((1 - nu) / (1 - 2 nu)), and none without volume term
bake ball.obj -o quality.gel --tets 300 --step 0.01 --poisson 0.4 --quality || fail "quality: $(cat err)"
"$GEL_BIN/gel-inspect" quality.gel --verify >out 2>err || fail "gel-inspect quality.gel: $(cat err)"
grep -q '0\.0173205' out || fail "no longer step: $(cat out)"
bake ball.obj -o stretch.gel --tets 300 --step 0.01 --poisson 0 --quality || fail "quality, nu 0: $(cat err)"
bake ball.obj -o alone.gel --tets 300 --step 0.01 --poisson 0 || fail "nu 0: $(cat err)"
cmp -s stretch.gel alone.gel || fail "--quality adds something without volume term"

# a stiff half: listed with its tets, consistent, of interest to make, and refused where it is wrong
printf '{ "materials": { "bone": { "young": 3e7, "poisson": 0.45 } },\n  "regions": [ { "material": "bone", "box": [-1, 0, -1, 1, 1, 1] } ] }' >bone.json
bake ball.obj -o bone.gel --tets 300 --step 0.01 --poisson 0.4 --quality --warp --materials bone.json --depfile bone.d || fail "materials: $(cat err)"
"$GEL_BIN/gel-inspect" bone.gel --verify >out 2>err || fail "gel-inspect bone.gel: $(cat err)"
grep -qE '^  rubber +1000 +1e\+05 +0\.4 +0 +[1-9][0-9]+ ' out || fail "no rubber: $(cat out)"
grep -qE '^  bone +1000 +3e\+07 +0\.45 +0 +[1-9][0-9]+ ' out || fail "no bone: $(cat out)"
grep -q '0\.0234521' out || fail "the quality mode has no step of its largest Poisson's ratio: $(cat out)"
grep -q 'bone.json' bone.d || fail "depfile: $(cat bone.d)"
sed 's/3e7/3e6/' bone.json >sinew.json
bake ball.obj -o sinew.gel --tets 300 --step 0.01 --poisson 0.4 --quality --warp --materials sinew.json || fail "materials: $(cat err)"
cmp -s bone.gel sinew.gel && fail "the file of materials makes no difference"
sed 's/0\.45/0.5/' bone.json >bad.json
expect 3 "bad.json: error: T0517: line 1, column 42" ball.obj -o out.gel --materials bad.json
expect 2 "missing.json" ball.obj -o out.gel --materials missing.json
expect 1 "overwrite" ball.obj -o bone.json --materials bone.json

# a surface to touch has no factors, so it is smaller, and has nothing to step or to pin
bake ball.obj -o static.gel --tets 300 --static || fail "static: $(cat err)"
bake ball.obj -o soft.gel --tets 300 || fail "soft: $(cat err)"
"$GEL_BIN/gel-inspect" static.gel --verify >out 2>err || fail "gel-inspect static.gel: $(cat err)"
grep -q 'factors *none' out || fail "static: $(cat out)"
grep -q 'patches in' out || fail "static, without collision geometry: $(cat out)"
[ "$(wc -c <static.gel)" -lt "$(wc -c <soft.gel)" ] || fail "a static pack is not smaller"
expect 1 "--step" ball.obj -o out.gel --static --step 0.01
expect 1 "--quality" ball.obj -o out.gel --static --quality
expect 1 "--pin-box" ball.obj -o out.gel --static --pin-box 0,0,0,1,1,1
expect 1 "--no-collision" ball.obj -o out.gel --static --no-collision

# usage
expect 1 "no output" ball.obj
expect 1 "--tets" ball.obj -o out.gel --cage cage.msh --tets 5
expect 1 "is not a number" ball.obj -o out.gel --step abc
expect 1 "step of 0 s" ball.obj -o out.gel --step 0
expect 1 "between 5 and 5000000" ball.obj -o out.gel --tets 4
# before any work: the art is not even looked for
expect 1 "[1e-06, 1]" missing.obj -o out.gel --step 2
expect 1 "damping" missing.obj -o out.gel --damping=-1
expect 1 "static friction" missing.obj -o out.gel --static-friction 1001
expect 1 "0.4999" missing.obj -o out.gel --poisson 0.49995
expect 1 "longer than 23 bytes" missing.obj -o out.gel --material 123456789012345678901234
expect 1 "given twice" ball.obj -o out.gel --step 1/60 --step 1/60
expect 1 "X0,Y0,Z0" ball.obj -o out.gel --pin-box 1,2,3
expect 1 "Poisson" ball.obj -o out.gel --poisson 0.5
expect 1 "Young" ball.obj -o out.gel --young=-1
expect 1 "density" ball.obj -o out.gel --density 0
expect 1 "overwrite" ball.obj -o ball.obj
make_obj 16 | cmp -s - ball.obj || fail "the input was overwritten"
expect 3 "no cage node" ball.obj -o out.gel --pin-box 5,5,5,6,6,6
expect 3 "every cage node" ball.obj -o out.gel --pin-box=-9,-9,-9,9,9,9

# files that are not there, not readable as what they claim to be, or damaged
expect 2 "missing.obj" missing.obj -o out.gel
expect 2 "missing.msh" ball.obj -o out.gel --cage missing.msh
expect 2 "nowhere" ball.obj -o nowhere/out.gel
: >empty.obj
expect 3 "empty.obj" empty.obj -o out.gel
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0' >picture.obj
expect 3 "picture.obj" picture.obj -o out.gel
printf 'v 0 0 0\nv 1 0 0\nv nan 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n' >nan.obj
expect 3 "nan.obj" nan.obj -o out.gel
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >range.obj
expect 3 "range.obj" range.obj -o out.gel
printf 'glTF\2\0\0\0\377\0\0\0\20\0\0\0JSON{"asset":' >cut.glb
expect 3 "cut.glb" cut.glb -o out.gel
printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0\n' >cut.msh
expect 3 "cut.msh" ball.obj -o out.gel --cage cut.msh
printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n' >small.msh
expect 3 "outside of the cage" ball.obj -o out.gel --cage small.msh

# a cage as Gmsh writes it, with a point of the geometry that no tet uses: dropped with a warning
printf 'v .1 .1 .1\nv .2 .1 .1\nv .1 .2 .1\nv .1 .1 .2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >tet.obj
sed -e 's/^4$/5/; s/^\$EndNodes$/7 9 9 9\n$EndNodes/' small.msh >extra.msh
bake tet.obj -o extra.gel --cage extra.msh || fail "a cage with an unused node was refused"
grep -q T0502 err || fail "an unused node was dropped in silence"
bake tet.obj -o plain.gel --cage small.msh || fail "a cage of one tet was refused"
# the warning is in META, so these packs differ, and equal provenance would mean equal packs
for pack in extra plain; do
	"$GEL_BIN/gel-inspect" $pack.gel >$pack.said
	grep 'provenance' $pack.said >$pack.provenance || fail "no provenance of $pack.gel"
done
cmp -s extra.gel plain.gel && fail "a warning is not in the pack"
cmp -s extra.provenance plain.provenance && fail "packs differ and have the same provenance"

# art in centimetres: told, and scaled on demand; the scaled pack is that of art in metres
sed -E 's/^v ([-0-9.e]+) ([-0-9.e]+) ([-0-9.e]+)/echo "v $(echo | awk "{ printf \\"%.9g %.9g %.9g\\", 128 * \1, 128 * \2, 128 * \3 }")"/e' tet.obj >large.obj
bake large.obj -o large.gel --no-collision || fail "large art was refused"
grep -q 'T0515.*--scale' err || fail "nobody says that the art is large"
bake large.obj -o scaled.gel --scale 0.0078125 --no-collision || fail "--scale was refused"
grep -q T0515 err && fail "scaled art is still called large"
"$GEL_BIN/gel-inspect" scaled.gel >said
grep -q '0\.1 \.\. 0\.2' <(grep -A2 art said) || fail "--scale does not give metres"
expect 1 "scale" tet.obj -o out.gel --scale 0

# smaller than what gravity moves it in a step
bake tet.obj -o out.gel --scale 0.01
grep -q 'T0516.*--step' err || fail "nothing is said of a body that is smaller than g h^2"
bake tet.obj -o out.gel --scale 0.01 --step 0.002
! grep -q T0516 err || fail "a short step is enough for a small body"

# an older pack stays when a bake fails
cp ball.gel keep.gel
bake nan.obj -o keep.gel && fail "a NaN was accepted"
cmp -s ball.gel keep.gel || fail "a failed bake touched the older pack"

if [ "$failures" -gt 0 ]; then
	echo "$failures failures" >&2
	exit 1
fi
echo "gel-bake: all good"
