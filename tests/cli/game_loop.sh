#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The smallest game: plays a pack, explains itself, and says which rule a bad pack breaks.
set -u
. "$GEL_ROOT/tests/support/shell.sh"
# run CODE WORDS...
run()
{
	local code=$1 got
	shift
	"$GEL_BIN/gel-game-loop" "$@" >out 2>err </dev/null
	got=$?
	[ "$got" -eq "$code" ] || fail "gel-game-loop $*: exit code $got instead of $code: $(cat err)"
}

cp "$GEL_ROOT/tests/golden/ball-0.1.gel" ball.gel
run 0 ball.gel
[ "$(grep -c ' s ' out)" -eq 7 ] && [ ! -s err ] || fail "not seven lines: $(cat out err)"
run 0 --help
grep -q '^usage: gel-game-loop PACK.gel' out && [ ! -s err ] || fail "--help: $(cat out err)"
run 1
grep -q '^usage:' err && [ ! -s out ] || fail "no words: $(cat out err)"
run 2 missing.gel
grep -q '^missing.gel: ' err || fail "a missing file: $(cat err)"
head -c 1000 ball.gel >cut.gel
run 3 cut.gel
grep -qE '^cut\.gel: [^:]+: .+' err || fail "no rule: $(cat err)"

[ "$failures" -eq 0 ] && echo "gel-game-loop: all as it should be"
[ "$failures" -eq 0 ]
