#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gel-tetrafy: all output formats, the same bytes for any thread count, and bad input refused without leaving a file.
set -u
. "$GEL_ROOT/tests/support/shell.sh"
tetrafy() { "$GEL_BIN/gel-tetrafy" "$@" >out 2>err </dev/null; }
# expect CODE TEXT WORDS...: ends with the code, says the text once, prints no result and leaves no file
expect()
{
	local code=$1 text=$2
	shift 2
	tetrafy "$@"
	local got=$?
	[ "$got" -eq "$code" ] || fail "gel-tetrafy $*: exit code $got instead of $code: $(head -c 300 err)"
	grep -qF -e "$text" err || fail "gel-tetrafy $*: stderr lacks '$text': $(head -c 300 err)"
	[ ! -s out ] || fail "gel-tetrafy $*: prints to stdout"
	[ -z "$(find . -name 'bad*.msh*' -o -name '*.tmp*' -o -name 'bad*.ele')" ] ||
		fail "gel-tetrafy $*: leaves $(ls)"
}

# An octahedron, subdivided onto a ball with bumps: n rings.
awk -v n=14 'BEGIN {
	pi = 3.14159265358979
	print "v 0 1 0"
	for ( i = 1; i < n; ++i ) for ( j = 0; j < 2 * n; ++j ) {
		r = 1 + 0.2 * sin( 3 * pi * j / n ) * sin( pi * i / n )
		printf "v %.7g %.7g %.7g\n", r * sin( pi * i / n ) * cos( pi * j / n ), r * cos( pi * i / n ), -r * sin( pi * i / n ) * sin( pi * j / n )
	}
	print "v 0 -1 0"
	last = 2 + ( n - 1 ) * 2 * n
	for ( j = 0; j < 2 * n; ++j ) { k = ( j + 1 ) % ( 2 * n )
		print "f", 1, 2 + j, 2 + k
		for ( i = 0; i < n - 2; ++i ) print "f", 2 + i * 2 * n + j, 2 + ( i + 1 ) * 2 * n + j, 2 + ( i + 1 ) * 2 * n + k, 2 + i * 2 * n + k
		print "f", last, 2 + ( n - 2 ) * 2 * n + k, 2 + ( n - 2 ) * 2 * n + j
	}
}' >ball.obj

# refused, first while the folder is clean
expect 1 "T0416" ball.obj
expect 1 "T0416" ball.obj -o bad.xyz
expect 1 "tets" ball.obj -o bad.msh --tets 2
expect 1 "--cell" ball.obj -o bad.msh --tets 100 --cell 0.1
expect 1 "" -o bad.msh
expect 1 "fit" ball.obj -o bad.msh --fitt 3
expect 2 "T0001" missing.obj -o bad.msh
: >empty.obj
expect 3 "T0100" empty.obj -o bad.msh
printf 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n' >nan.obj
expect 3 "nan.obj" nan.obj -o bad.msh
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >range.obj
expect 3 "range.obj" range.obj -o bad.msh
printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' >picture.obj
expect 3 "picture.obj" picture.obj -o bad.msh
expect 3 "T0408" ball.obj -o bad.msh --cell 1e-4
expect 2 "T0002" ball.obj -o nowhere/bad.msh

# every format; the summary is one line
for extension in msh msh4 vtk vtu usda node; do
	tetrafy ball.obj -o "cage.$extension" --tets 200 || fail "$extension: $(cat err)"
	[ -s "cage.$extension" ] || fail "$extension: nothing written"
	[ "$(wc -l <out)" -eq 1 ] || fail "$extension: the summary is not one line: $(cat out)"
done
[ -s cage.ele ] || fail "no .ele beside .node"
grep -qE '^cage\.node: [0-9]+ tets, [0-9]+ nodes, cell [0-9.e-]+ m, body 2.19 x 2.04 x 2.06 m, volume x1\.[0-9]+, dihedral' out || fail "summary: $(cat out)"
"$GEL_BUILD/tests/test_exact_bounds" ball.obj cage.msh >judged || fail "the cage does not bound: $(cat judged)"
"$GEL_BUILD/tests/test_exact_bounds" ball.obj cage.node >judged || fail "the TetGen cage does not bound: $(cat judged)"

# the same bytes: twice, and with other thread counts
for threads in 1 2 5; do
	tetrafy ball.obj -o "same$threads.msh" --threads "$threads" || fail "threads $threads: $(cat err)"
	cmp -s same1.msh "same$threads.msh" || fail "the cage depends on --threads $threads"
done
tetrafy ball.obj -o again.msh --threads 2 && cmp -s same1.msh again.msh || fail "two runs differ"

# report and picture
tetrafy ball.obj -o r.msh --json report.json --picture r.png --quiet || fail "report: $(cat err)"
[ ! -s out ] || fail "--quiet prints"
for key in '"input": "ball.obj"' '"output": "r.msh"' '"surface"' '"volume_ratio"' '"min_dihedral"' '"dihedral_histogram"' '"phases"' '"split"' '"fit"'; do
	grep -qF "$key" report.json || fail "the report lacks $key"
done
[ "$(head -c 4 r.png | tail -c 3)" = PNG ] || fail "no picture"

# a picture also when there is no cage: of the art alone, or with what is not bounded in red
rm -f none.png
expect 3 "the smallest for this art is --cell" ball.obj -o bad.msh --cell 1e-4 --picture none.png
[ "$(head -c 4 none.png | tail -c 3)" = PNG ] || fail "no picture of art without a cage"
printf 'v 1 2 3\nv 1 2 3\nv 1 2 3\nf 1 2 3\n' >point.obj
expect 3 "T0408" point.obj -o bad.msh

# the smaller options do what they say
tetrafy ball.obj -o c1.msh --cell 0.3 && tetrafy ball.obj -o c2.msh --cell 0.3 --fit 0 || fail "--cell: $(cat err)"
grep -q 'cell 0.3 m' out || fail "--cell 0.3 is not taken: $(cat out)"
cmp -s c1.msh c2.msh && fail "--fit 0 changes nothing"
tetrafy ball.obj -o c3.msh --cell 0.3 --relax 4 || fail "--relax: $(cat err)"
cmp -s c1.msh c3.msh && fail "--relax changes nothing"
"$GEL_BUILD/tests/test_exact_bounds" ball.obj c3.msh >judged || fail "a relaxed cage does not bound: $(cat judged)"
tetrafy ball.obj -o c4.msh --scale 0.1 --cell 0.03 || fail "--scale: $(cat err)"
grep -q 'body 0.219 x 0.204 x 0.206 m' out || fail "--scale 0.1 is not taken: $(cat out)"

# a chain of cages; a cage that is checked and refitted; one that does not bound
tetrafy ball.obj -o chain.msh --lods 3 --tets 600 --json chain.json || fail "--lods: $(cat err)"
[ "$(wc -l <out)" -eq 3 ] || fail "--lods: not three lines: $(cat out)"
for level in chain.msh chain.lod1.msh chain.lod2.msh; do
	"$GEL_BUILD/tests/test_exact_bounds" ball.obj "$level" >judged || fail "$level does not bound: $(cat judged)"
done
[ "$(grep -c '"level"' chain.json)" -eq 3 ] || fail "the report lacks the levels"
tetrafy ball.obj -o again.msh --from chain.msh --fit 0 || fail "--from: $(cat err)"
cmp -s chain.msh again.msh || fail "--from with --fit 0 changes the cage"
tetrafy ball.obj -o refit.msh --from chain.lod1.msh || fail "--from: $(cat err)"
sed 's/^v \([^ ]*\)/v 9\1/' ball.obj >far.obj
expect 3 "T0423" far.obj -o bad.msh --from chain.msh --picture far.png
[ "$(head -c 4 far.png | tail -c 3)" = PNG ] || fail "no picture of a cage that does not bound"
grep -qE "T0422: .*triangle [0-9]+ at |T0423: .*first at " err || fail "the place is missing: $(cat err)"
expect 1 "--from" ball.obj -o bad.msh --from chain.msh --lods 2
expect 1 "--from" ball.obj -o bad.msh --from chain.msh --manifold
expect 1 "--from" ball.obj -o bad.msh --from chain.msh --no-split
expect 2 "T0001" ball.obj -o bad.msh --from missing.msh
# a node that no tet uses, as Gmsh writes them for its geometry: dropped, and no piece of its own
awk '$1 == "$Nodes" { print; getline; n = $1 + 1; print n; next } $1 == "$EndNodes" { print n, 9, 9, 9 } { print }' chain.msh >loose.msh
tetrafy ball.obj -o tight.msh --from loose.msh || fail "--from with a loose node: $(cat err)"
grep -q 'T0425: 1 of ' err || fail "no word about a loose node: $(cat err)"
grep -q T0419 err && fail "a loose node is a piece: $(cat err)"
tetrafy ball.obj -o tight2.msh --from chain.msh && cmp -s tight.msh tight2.msh || fail "a loose node changes the cage"

# a chain that cannot be written leaves the old files as they were
mkdir -p old/k.lod1.msh
echo old >old/k.msh
expect 2 "T0002" ball.obj -o old/k.msh --lods 2
[ "$(cat old/k.msh)" = old ] || fail "a failed run with --lods takes the old cage away"
[ "$(find old -type f | wc -l)" -eq 1 ] || fail "a failed run with --lods leaves $(ls -A old)"
# two plates with a slit: parted unless --no-split says otherwise
awk 'function box( x, y, z, a, b, c,   i ) {
	for ( i = 0; i < 8; ++i ) print "v", ( i % 2 ? a : x ), ( int( i / 2 ) % 2 ? b : y ), ( i < 4 ? z : c )
	for ( i = 0; i < 6; ++i ) { split( faces[i], f, " " ); print "f", f[1] + n, f[2] + n, f[3] + n, f[4] + n }
	n += 8
} BEGIN { faces[0] = "1 3 4 2"; faces[1] = "5 6 8 7"; faces[2] = "1 2 6 5"; faces[3] = "3 7 8 4"
	faces[4] = "1 5 7 3"; faces[5] = "2 4 8 6"; box( 0, 0, 0, 1, 1, 0.3 ); box( 0, 0, 0.5, 1, 1, 0.8 ) }' >slit.obj
tetrafy slit.obj -o slit.msh --cell 0.29 || fail "slit: $(cat err)"
nodes=$(sed 's/.*tets, \([0-9]*\) nodes.*/\1/' out)
tetrafy slit.obj -o glued.msh --cell 0.29 --no-split || fail "--no-split: $(cat err)"
[ "$(sed 's/.*tets, \([0-9]*\) nodes.*/\1/' out)" -lt "$nodes" ] || fail "--no-split changes nothing: $(cat out)"
# slabs that touch at an edge only: so does the outside of their cage, until --manifold fills it
awk 'function box( x, y, z, a, b, c,   i ) {
	for ( i = 0; i < 8; ++i ) print "v", ( i % 2 ? a : x ), ( int( i / 2 ) % 2 ? b : y ), ( i < 4 ? z : c )
	for ( i = 0; i < 6; ++i ) { split( faces[i], f, " " ); print "f", f[1] + n, f[2] + n, f[3] + n, f[4] + n }
	n += 8
} function random() { seed = ( seed * 1103515245 + 12345 ) % 2147483648; return seed / 2147483648 }
BEGIN { faces[0] = "1 3 4 2"; faces[1] = "5 6 8 7"; faces[2] = "1 2 6 5"; faces[3] = "3 7 8 4"
	faces[4] = "1 5 7 3"; faces[5] = "2 4 8 6"; seed = 7
	for ( k = 0; k < 40; ++k ) { x = 2 * random(); y = 2 * random(); z = 2 * random()
		box( x, y, z, x + 0.05 + 0.3 * random(), y + 0.05 + 0.3 * random(), z + 0.05 + 0.3 * random() ) } }' >debris.obj
defects() { tr -d ' ,' <"$1" | awk -F: '/"nonmanifold_(edges|vertices)"/ && cage { n += $2 } /"cage":/ { cage = 1 } /"surface":/ { cage = 0 } END { print n + 0 }'; }
tetrafy debris.obj -o touching.msh --cell 0.2 --no-split --json touching.json || fail "debris: $(cat err)"
tetrafy debris.obj -o filled.msh --cell 0.2 --no-split --manifold --json filled.json || fail "--manifold: $(cat err)"
[ "$(defects touching.json)" -gt 0 ] || fail "the cage of debris has no place to fill"
[ "$(defects filled.json)" -eq 0 ] || fail "--manifold leaves $(defects filled.json) places"
grep -q 'debris.obj: info: T0426: [0-9]* pairs of triangles' err || fail "no word about crossing triangles: $(cat err)"

# a part that is inside out is told with its place, and counts like the others
awk '/^v / && FNR > 8 { $2 += 5 } /^f / && n++ >= 6 { print $1, $5, $4, $3, $2; next } { print }' slit.obj >reversed.obj
tetrafy reversed.obj -o reversed.msh || fail "reversed part: $(cat err)"
grep -q 'reversed.obj: warning: T0407: 1 of 2 parts are inside out (first: triangle 12 at ' err || fail "no word about a reversed part: $(cat err)"
grep -qE 'volume x[1-3]\.' out || fail "reversed part: $(cat out)"

# cells beyond all measure
tetrafy ball.obj -o large.msh --cell 50 || fail "--cell 50: $(cat err)"
grep -q 'T0429: the cage has [1-4] tets only' err || fail "no word about a cell larger than the art: $(cat err)"
expect 3 "T0427" ball.obj -o bad.msh --cell 1e13
expect 3 "T0427" ball.obj -o bad.msh --scale 1e12

# few open edges are no reason to worry, separate pieces are told
sed '0,/^f /{/^f /d}' ball.obj >pinhole.obj
tetrafy pinhole.obj -o pinhole.msh || fail "pinhole: $(cat err)"
grep -q 'pinhole.obj: info: T0418: 3 open edges' err || fail "no word about a small hole: $(cat err)"
grep -q warning err && fail "a small hole is a warning: $(cat err)"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 90 0 0\nv 91 0 0\nv 90 1 0\nv 90 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n' >two.obj
tetrafy two.obj -o two.msh --cell 0.5 || fail "two pieces: $(cat err)"
grep -q 'two.obj: info: T0419: the cage has 2 separate pieces' err || fail "no word about pieces: $(cat err)"
awk '/^v / { printf "v %.9g %.9g %.9g\n", $2 + 5e6, $3 + 5e6, $4; next } { print }' ball.obj >away.obj
tetrafy away.obj -o away.msh
for number in T0120 T0402 T0412; do
	grep -qE "away.obj: (info|warning): $number" err || fail "far from the origin: no $number: $(cat err)"
done
grep -q 'coordinates are 0.5 apart' err || fail "floats at 5e6 are half a metre apart: $(cat err)"

# warnings name the art, and can be made errors
head -n -20 ball.obj >open.obj
tetrafy open.obj -o open.msh --lods 3 || fail "open surface: $(cat err)"
[ "$(grep -c T0404 err)" -eq 1 ] || fail "a hole is told for every level: $(cat err)"
grep -q 'open.obj: info: T0404' err || fail "no word about the hole: $(cat err)"
rm -f open.msh
tetrafy away.obj -o open.msh --warnings-as-errors
[ $? -eq 3 ] && [ ! -e open.msh ] || fail "--warnings-as-errors: written, or another code"

[ "$failures" -eq 0 ] && echo "gel-tetrafy: all as it should be"
exit $((failures > 0))
