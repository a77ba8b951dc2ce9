#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A selection of real meshes, baked end to end: art -> cage -> pack -> verify. Wild ones may be refused, with an
# error that is about the input; closed ones get closed collision geometry.
set -u
corpus=${GELPACK_CORPUS:-$GEL_ROOT/../shared/meshes}
if [ ! -d "$corpus" ]; then
	echo "SKIPPED: no meshes in $corpus; set GELPACK_CORPUS" >&2
	exit 77
fi
. "$GEL_ROOT/tests/support/shell.sh"

baked=0
refused=0
# bake_one MUST_PASS FILE
bake_one()
{
	[ -e "$2" ] || return 0
	rm -f "$folder/body.gel"
	timeout 120 "$GEL_BIN/gel-bake" "$2" -o "$folder/body.gel" --tets 400 --quiet >"$folder/out" 2>"$folder/err"
	local code=$?
	if [ "$code" -eq 0 ]; then
		"$GEL_BIN/gel-inspect" "$folder/body.gel" --verify >"$folder/out" 2>"$folder/err" ||
			fail "$2: gel-inspect --verify: $(head -c 300 "$folder/err")"
		if [ "$1" = yes ]; then
			grep -q "collision .* patches in .*, 0 open edges" "$folder/out" || fail "$2: no closed collision geometry"
		fi
		baked=$((baked + 1))
	elif [ "$code" -eq 3 ] && [ "$1" = no ] && grep -q 'error: T' "$folder/err" && [ ! -e "$folder/body.gel" ]; then
		refused=$((refused + 1))
	else
		fail "$2: exit code $code: $(head -c 300 "$folder/err")"
	fi
}

for name in bunny_1k bunny_75k dragon_10k armadillo_5k horse_10k buddha_1k; do
	bake_one yes "$corpus/scans/$name.obj"
done
for name in camel elephant fertility knight_1k penguin pipe screwdriver spool; do
	bake_one yes "$corpus/closed/$name.obj"
done
for path in "$corpus"/wild/*.obj; do
	bake_one no "$path"
done
if [ "$baked" -eq 0 ]; then
	fail "nothing was baked"
fi
echo "baked $baked meshes, refused $refused wild ones"
[ "$failures" -eq 0 ]
