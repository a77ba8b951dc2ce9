#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example with a window: the hand of its skeleton carries a body, with a display and without; both play the same.
set -euo pipefail
work=$(mktemp -d)
server=''
cleanup() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work"
game=$GEL_BIN/gel-game-window
pack=$GEL_ROOT/tests/golden/torus-0.4.gel
die() { echo "FAILED: $*" >&2; exit 1; }

[ "$(wc -l <"$GEL_ROOT/examples/game_window.c")" -lt 150 ] || die "the example has 150 lines or more"
status=0
"$game" >out 2>err || status=$?
[ $status -eq 1 ] && grep -q '^usage: gel-game-window' err || die "no words: $status $(cat err)"
status=0
"$game" missing.gel >out 2>err || status=$?
[ $status -eq 3 ] || die "a missing file: $status"

# Held by its top the body is below the hand, and within its own size of it, wherever the hand went.
for frames in 1 90; do
	env -u DISPLAY -u WAYLAND_DISPLAY "$game" "$pack" $frames >out.$frames
	awk '/^no display: success; hand at / { hx = $6; hy = $7 + 0; x = $11; y = $12 + 0; ok = y < hy && ( x - hx ) ^ 2 + ( y - hy ) ^ 2 < 1 }
		END { exit !ok }' out.$frames || die "the body does not hang on the hand: $(cat out.$frames)"
done
cmp -s out.1 out.90 && die "the hand stands still"

for program in Xvfb xdotool; do
	command -v $program >/dev/null || { echo "SKIPPED: $program is not installed (scripts/setup does that)"; exit 77; }
done
mkdir screen
exec 9<>display
Xvfb -displayfd 9 -screen 0 640x480x24 -fbdir screen -noreset -nolisten tcp >xvfb.log 2>&1 9>display &
server=$!
for _ in $(seq 200); do [ ! -s display ] || break; sleep 0.05; done
[ -s display ] || { cat xvfb.log; echo "SKIPPED: Xvfb does not start"; exit 77; }
export DISPLAY=:$(head -n 1 display)
# The driver under the window keeps memory that is not ours, and is gone when leaks are counted, so that its name tells
# nothing. The game without a window has had its leaks counted above.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$game" "$pack" 90 >out 2>err &
player=$!
# Lit bodies are grey; the sky of the window is blue, the screen without it black.
grey=0 blue=0
while kill -0 $player 2>/dev/null; do
	seen=$("$GEL_BUILD/tests/picture_probe" hue screen/Xvfb_screen0 b 40)
	[ "$seen" -le $blue ] || blue=$seen
	[ "$seen" -lt 100000 ] || grey=$((640 * 480 - seen))
	sleep 0.02
done
wait $player || die "with a window: $(cat err)"
grep -q '^window: ' out || { echo "SKIPPED: no OpenGL window here"; exit 77; }
[ "$(sed 's/^[^:]*//' out)" = "$(sed 's/^[^:]*//' out.90)" ] || die "the window changes the game: $(cat out out.90)"
[ $blue -gt 100000 ] && [ $grey -gt 2000 ] || die "nothing is drawn: $blue of the sky, $grey of bodies"
echo "gel-game-window: all as it should be, $grey pixels of bodies"
