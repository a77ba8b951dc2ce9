#!/usr/bin/env bash
# A real window of gel-preview on a virtual screen, driven by mouse and keys: load, turn the camera, grab, throw, pin,
# switch the solver, bake art, close. The screen is looked at, the report says what arrived, a recording is replayed.
set -euo pipefail
work=$(mktemp -d)
server='' window=''
cleanup() {
	[ -z "$window" ] || kill "$window" 2>/dev/null || true
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work"
preview=$GEL_BIN/gel-preview
probe=$GEL_BUILD/tests/picture_probe
# The driver under the window keeps memory at its exit that is not ours.
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$GEL_ROOT/tests/lsan.supp:print_suppressions=0}

die() { echo "FAILED: $*" >&2; [ ! -s stderr ] || cat stderr >&2; exit 1; }
for program in Xvfb xdotool; do
	command -v $program >/dev/null || { echo "SKIPPED: $program is not installed (scripts/setup does that)"; exit 77; }
done

# ---- a screen -----------------------------------------------------------------------------------------------------
mkdir screen
exec 9<>display
Xvfb -displayfd 9 -screen 0 800x600x24 -fbdir screen -noreset -nolisten tcp >xvfb.log 2>&1 9>display &
server=$!
for _ in $(seq 100); do [ ! -s display ] || break; sleep 0.1; done
[ -s display ] || { cat xvfb.log; echo "SKIPPED: Xvfb does not start"; exit 77; }
DISPLAY=:$(head -n 1 display)
export DISPLAY

# open ARGUMENTS...: starts the window and waits until something is drawn
open() {
	"$preview" "$@" --size 800x600 >stdout 2>stderr &
	window=$!
	for _ in $(seq 600); do
		kill -0 $window 2>/dev/null || break
		[ "$("$probe" count screen/Xvfb_screen0 000000 4)" -gt 100000 ] || return 0
		sleep 0.1
	done
	if grep -qE 'T0707|T0710' stderr; then
		cat stderr
		window=''
		echo "SKIPPED: no OpenGL 3.3 window here"
		exit 77
	fi
	die "no window appears"
}
# close: by the key; the exit code has to be 0
close() {
	xdotool key --clearmodifiers q
	local status=0
	wait $window || status=$?
	window=''
	[ $status = 0 ] || die "exit $status"
}
shot() { cp screen/Xvfb_screen0 "$1"; }
# wait_for TEXT...: until a command of the shell is true
wait_for() { for _ in $(seq 300); do ! eval "$1" || return 0; sleep 0.1; done; die "never: $1"; }
# settle: until the picture stands still
settle() {
	for _ in $(seq 60); do
		shot before.xwd
		sleep 0.4
		[ "$("$probe" diff before.xwd screen/Xvfb_screen0 40)" -gt 400 ] || return 0
	done
}
number() { sed -nE "s/.*\"$1\": ([0-9.]+).*/\1/p" report.json | head -n 1; }

"$GEL_BIN/gel-sample" bear -o bear.glb --triangles 2000 --quiet
"$GEL_BIN/gel-bake" bear.glb -o bear.gel --tets 150 --young 3e4 --quality --quiet

# ---- no display, no pixels --------------------------------------------------------------------------------------------
status=0
DISPLAY=:9876 "$preview" bear.gel 2>stderr || status=$?
[ $status = 2 ] && grep -q T0710 stderr || die "no display: exit $status"
status=0
"$preview" missing.gel 2>stderr || status=$?
[ $status = 2 ] && grep -q T0001 stderr || die "missing pack: exit $status"

# ---- play with it -------------------------------------------------------------------------------------------------
open bear.gel --plain --record inputs.txt --json report.json
xdotool mousemove 700 500
wait_for '[ "$("$probe" hue screen/Xvfb_screen0 r 60)" -gt 1000 ]'
sleep 1
shot start.xwd
xdotool mousemove 700 60 mousedown 1 mousemove 640 90 mousemove 560 110
sleep 0.3
xdotool mouseup 1
sleep 0.5
shot turned.xwd
[ "$("$probe" diff start.xwd turned.xwd 20)" -gt 1000 ] || die "the camera does not turn"
# Find a place that is on the body, and not at its edge.
is_red() { local color; color=$("$probe" at screen/Xvfb_screen0 "$1" "$2"); [ $((16#${color:0:2})) -gt $((16#${color:2:2} + 60)) ]; }
settle
found=''
for y in 300 330 360 390 420 450 480 270 240; do
	for x in 400 430 460 490 520 370; do
		is_red $x $y && is_red $((x - 12)) $y && is_red $((x + 12)) $y && is_red $x $((y - 12)) && is_red $x $((y + 12)) || continue
		found="$x $y"
		break 2
	done
done
[ -n "$found" ] || die "no body is seen"
read -r x y <<<"$found"
xdotool mousemove $x $y mousedown 1
sleep 0.3
for lift in 20 40 60 80 100 120 140; do xdotool mousemove $x $((y - lift)); sleep 0.05; done
sleep 0.5
shot grabbed.xwd
xdotool mousemove $((x + 90)) $((y - 160)) mouseup 1
sleep 0.3
shot thrown.xwd
[ "$("$probe" diff turned.xwd grabbed.xwd 20)" -gt 1000 ] || die "the body is not lifted"
[ "$("$probe" diff grabbed.xwd thrown.xwd 20)" -gt 500 ] || die "the body is not thrown"
xdotool key r
sleep 0.3
settle
xdotool keydown ctrl mousemove $x $y click 1
sleep 0.3
xdotool keyup ctrl
sleep 0.3
xdotool key 3
sleep 0.5
xdotool key 2
sleep 0.5
xdotool click 4 click 4 click 5
# Pause and single steps: the picture stands still between them.
xdotool key space
sleep 0.5
shot paused.xwd
sleep 0.5
shot still.xwd
[ "$("$probe" diff paused.xwd still.xwd 20)" -lt 50 ] || die "it moves while it is paused"
xdotool key period key period
xdotool key o
sleep 0.5
shot cage.xwd
[ "$("$probe" diff still.xwd cage.xwd 20)" -gt 200 ] || die "no overlay appears"
# A window without pixels is none the worse for it.
id=$(xdotool search --name gel-preview | head -n 1)
xdotool windowsize "$id" 1 1
sleep 0.3
xdotool windowsize "$id" 700 500
sleep 0.5
xdotool key F12
wait_for '[ -e gel-preview-000.png ]'
sleep 0.3
close
for what in grabs releases resets pins orbits solver_changes; do
	[ "$(number $what)" -ge 1 ] || die "no $what arrived: $(cat report.json)"
done
[ "$(number drags)" -ge 3 ] && [ "$(number zooms)" -ge 2 ] || die "drags or zooms are missing"
grep -q '"solver": "quality"' report.json && grep -q '"playing": false' report.json || die "the last state is not reported"
[ "$("$probe" size gel-preview-000.png)" = "700 500" ] || die "size of the screenshot: $("$probe" size gel-preview-000.png)"
[ "$("$probe" hue gel-preview-000.png r 40)" -gt 300 ] || die "the screenshot shows no body"

# ---- the same again, bit for bit, without a window ---------------------------------------------------------------------
steps=$(sed -nE 's/^([0-9]+) end .*/\1/p' inputs.txt)
"$preview" bear.gel --replay inputs.txt --frames "$steps" --frame-rate 60 --out replayed.csv --json report.json --quiet
grep -q '"exact": true' report.json || die "the replay is not exact: $(cat report.json)"
sed -E 's/( end ..............)../\1zz/; s/zz/00/' inputs.txt >other.txt
cmp -s inputs.txt other.txt && sed -i -E 's/00$/01/' other.txt
status=0
"$preview" bear.gel --replay other.txt --frames "$steps" --frame-rate 60 --out other.csv 2>stderr || status=$?
[ $status = 5 ] && grep -q T0714 stderr || die "another end is not noticed: exit $status"

# ---- art is baked in the window ------------------------------------------------------------------------------------------
open bear.glb --plain --json report.json
wait_for '[ "$("$probe" hue screen/Xvfb_screen0 r 60)" -gt 1000 ]'
close
[ "$(number baked)" = 1 ] && [ "$(number packs)" = 1 ] || die "the art was not baked"
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'gel-preview-*' -newer bear.gel 2>/dev/null)" ] || die "temporary files are left"
printf 'v 0 0 0\nf 1 2 3\n' >broken.obj
open broken.obj --json report.json
sleep 2
close
[ "$(number packs)" = 0 ] || die "broken art became a pack"
echo "gel-preview: the window is right"
