#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example of docs/interaction.md: lifts a body with a ray, feels its weight, and takes a kick back to the bit.
set -u
. "$GEL_ROOT/tests/support/shell.sh"
for pack in ball-0.1 torus-0.4; do
	"$GEL_BIN/gel-grab-body" "$GEL_ROOT/tests/golden/$pack.gel" >"$folder/out" 2>"$folder/err" || fail "$pack: $(cat "$folder/err")"
	grep -q '^taken back, to the bit$' "$folder/out" || fail "$pack: $(cat "$folder/out")"
	[ "$(grep -cE '^(placed|lifted|kicked|in the end) ' "$folder/out")" -eq 4 ] || fail "$pack: $(cat "$folder/out")"
	[ "$pack" = ball-0.1 ] || grep -qE '^the hand holds [1-9]' "$folder/out" || fail "$pack: $(cat "$folder/out")"
	[ ! -s "$folder/err" ] || fail "$pack: $(cat "$folder/err")"
done
# an attachment point that a bone leads aside: half a metre per second, for half a second
"$GEL_BIN/gel-sample" sphere -n 1000 -o "$folder/s.obj" --quiet
"$GEL_BIN/gel-bake" "$folder/s.obj" -o "$folder/s.gel" --tets 60 --attach head=0,0.4,0:0.1 --quiet || fail "bake"
"$GEL_BIN/gel-grab-body" "$folder/s.gel" >"$folder/out" 2>"$folder/err" || fail "head: $(cat "$folder/err")"
awk '/^hat / { if ( $2 > 0.1 && $2 < 1 ) good = 1 } END { exit !good }' "$folder/out" || fail "head: $(cat "$folder/out")"
"$GEL_BIN/gel-grab-body" >"$folder/out" 2>"$folder/err"
[ $? -eq 1 ] && grep -q '^usage: gel-grab-body PACK.gel' "$folder/err" || fail "no words"
"$GEL_BIN/gel-grab-body" --help >"$folder/out" 2>"$folder/err" || fail "--help"
grep -q '^usage: gel-grab-body PACK.gel' "$folder/out" || fail "--help: $(cat "$folder/out")"
"$GEL_BIN/gel-grab-body" "$folder/missing.gel" >"$folder/out" 2>"$folder/err"
[ $? -eq 2 ] || fail "a missing file"

[ "$failures" -eq 0 ] && echo "gel-grab-body: all as it should be"
[ "$failures" -eq 0 ]
