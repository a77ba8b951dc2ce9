#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Collision geometry from the command line: on by default, off, coarse, and art or cages that do not allow it.
set -u
. "$GEL_ROOT/tests/support/shell.sh"

"$GEL_BIN/gel-sample" torus -n 1000 -o ring.obj -q || exit 1

"$GEL_BIN/gel-bake" ring.obj -o fine.gel --tets 120 -q 2>/dev/null || fail "default bake"
"$GEL_BIN/gel-inspect" fine.gel --verify >fine.txt || fail "verify of the default bake"
grep -q "collision .* patches in .* tets of the cage" fine.txt || fail "no collision geometry by default"

"$GEL_BIN/gel-bake" ring.obj -o none.gel --tets 120 --no-collision -q 2>/dev/null || fail "--no-collision"
"$GEL_BIN/gel-inspect" none.gel --verify >none.txt || fail "verify without collision"
grep -q "collision *none" none.txt || fail "--no-collision leaves it in"

"$GEL_BIN/gel-bake" ring.obj -o coarse.gel --tets 900 --collision-cells coarse -q 2>/dev/null || fail "coarse cells"
"$GEL_BIN/gel-inspect" coarse.gel --verify >coarse.txt || fail "verify of coarse cells"
grep -q "collision .* patches" coarse.txt || fail "no coarse cells"
"$GEL_BIN/gel-bake" ring.obj -o same.gel --tets 900 --collision-cells fine -q 2>/dev/null || fail "fine cells"
"$GEL_BIN/gel-inspect" same.gel >same.txt || fail "inspection of fine cells"
triangles() {
	sed -n 's/.*collision .* \([0-9]*\) triangles, .*/\1/p' "$1"
}
grep -q "tets of the cage" same.txt || fail "fine cells are not those of the cage"
grep -q "tets of the cage" coarse.txt && fail "coarse cells are those of the cage"
[ "$(triangles coarse.txt)" -lt "$(triangles same.txt)" ] || fail "coarse cells make no fewer triangles than fine ones"

# Parts that are inside out are turned for collision, and pass the comparison with the art.
sed 's/^f \([^ ]*\) \([^ ]*\) \([^ ]*\)/f \1 \3 \2/' ring.obj >turned.obj
"$GEL_BIN/gel-bake" turned.obj -o turned.gel --tets 120 2>turned.txt >/dev/null || fail "inside-out art"
grep -q T0525 turned.txt || fail "no warning about art that is inside out"
"$GEL_BIN/gel-inspect" turned.gel --verify >/dev/null || fail "verify of inside-out art"

"$GEL_BIN/gel-bake" ring.obj -o bad.gel --no-collision --collision-cells fine 2>bad.txt
[ $? -eq 1 ] && grep -q -e "--no-collision" bad.txt || fail "contradicting options are accepted"

# Three triangles at one edge: a warning by default, an error when collision geometry was asked for.
cat >book.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0.5 1 0
v 0.5 0 1
v 0.5 -1 0.2
f 1 2 3
f 1 2 4
f 1 2 5
OBJ
"$GEL_BIN/gel-bake" book.obj -o book.gel 2>book.txt || fail "art that cannot collide is refused"
grep -q T0520 book.txt || fail "no warning about art that cannot collide"
rm -f book.gel
"$GEL_BIN/gel-bake" book.obj -o book.gel --collision-cells fine 2>book.txt
[ $? -eq 3 ] && grep -q T0524 book.txt && [ ! -e book.gel ] || fail "asked for collision geometry and got none"

[ $failures -eq 0 ] || echo "$failures failures"
[ $failures -eq 0 ]
