#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gel-bake on 1, 2, 3 and 8 threads: the same pack, report, messages and exit code, also where it fails.
set -u -o pipefail
. "$GEL_ROOT/tests/support/shell.sh"

# Bakes with each number of threads; the first says what the others have to give. Times are no part of it.
same() { # name exit threads... -- arguments...
	local name=$1 expected=$2 first= code
	shift 2
	local counts=()
	while [ "$1" != -- ]; do
		counts+=("$1")
		shift
	done
	shift
	for threads in "${counts[@]}"; do
		rm -rf "$name.gel" report.json
		"$GEL_BIN/gel-bake" "$@" -o "$name.gel" --threads "$threads" --json report.json >out 2>err
		code=$?
		[ $code -eq "$expected" ] || fail "$name, $threads threads: exit code $code: $(cat err)"
		sed -i 's/, [0-9.]* s$//' out
		grep -v '"seconds"' report.json >report.txt
		mkdir -p "$threads"
		mv out err report.txt "$threads"
		[ ! -f "$name.gel" ] || mv "$name.gel" "$threads/pack.gel"
		if [ -z "$first" ]; then
			first=$threads
			continue
		fi
		diff -r "$first" "$threads" >difference || fail "$name differs with $threads threads: $(head -5 difference)"
	done
	rm -rf "${counts[@]}"
}

sample="$GEL_BIN/gel-sample"
"$sample" three-torus -o rings.obj --triangles 5000 --quiet || fail "gel-sample three-torus"
"$sample" knot -o knot.glb --triangles 4000 --quiet || fail "gel-sample knot"
"$sample" torus -o torus.obj --triangles 40000 --quiet || fail "gel-sample torus"
"$sample" three-torus -o small.obj --triangles 1000 --quiet || fail "gel-sample three-torus"
same rings 0 1 2 3 8 -- rings.obj
same knot 0 1 2 3 8 -- knot.glb --tets 600 --step 1/60 --step 1/120 --pin-box=-9,-9,-9,0,9,9
same coarse 0 1 3 -- small.obj --collision-cells coarse --tets 60
same torus 0 1 3 -- torus.obj # so large that its surface is cut in several rounds

# Findings come in their order, whoever met them: an open surface, and a polygon that is too large for
# the library that reads faces.
{
	awk '$1 != "f" || ++n > 40' rings.obj
	awk 'BEGIN { for (i = 0; i < 20; ++i) print "v", 2 + cos(i * 0.314159), sin(i * 0.314159), 0 }'
	echo f $(seq -20 -1)
	echo "v 2 0 1"
	for i in $(seq 20); do echo "f -1 $((-22 + i)) $((-21 + i % 20))"; done
} >open.obj
same open 0 1 2 8 -- open.obj

# Errors: in the middle of a file, at its end, of an art that leaves the cage, of one that cannot collide.
awk 'NR == 3000 { print "v 1 2 oops" } { print }' rings.obj >wrong.obj
{
	cat rings.obj
	echo "f 1 2 999999"
} >missing.obj
head -c 60000 knot.glb >short.glb
same wrong 3 1 2 8 -- wrong.obj
same missing 3 1 2 8 -- missing.obj
same short 3 1 2 8 -- short.glb
"$GEL_BIN/gel-tetrafy" rings.obj -o rings.msh --tets 300 --quiet || fail "gel-tetrafy"
same outside 3 1 2 8 -- knot.glb --cage rings.msh
printf 'v 0 0 0\nv 1 0 0\nv 0.5 1 0\nv 0.5 0 1\nv 0.5 -1 0.2\nf 1 2 3\nf 1 2 4\nf 1 2 5\n' >book.obj
same odd 3 1 2 8 -- book.obj --collision-cells fine

# A disk that does not take the pack, which several threads begin to write before it is validated. The limit of the
# file size stands for a full one; the report fits.
same nowhere/small 2 1 2 -- small.obj --tets 60
ulimit -S -f 32
same full 2 1 2 8 -- small.obj --tets 60
ulimit -S -f unlimited
# a limit that the body misses, and a device
same refused 5 1 2 -- small.obj --tets 60 --max-bytes 1000
"$GEL_BIN/gel-bake" small.obj --tets 60 -o /dev/full --threads 2 2>err && fail "/dev/full takes a pack"
grep -q '^/dev/full: error: T0002: cannot be written: No space left on device' err || fail "/dev/full: $(cat err)"
[ -z "$(find . -name '.gelpack*')" ] || fail "left behind: $(find . -name '.gelpack*')"
[ $failures -eq 0 ]
