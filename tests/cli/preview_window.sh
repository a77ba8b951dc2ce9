#!/usr/bin/env bash
# A real window of gel-preview on a virtual screen, driven by mouse and keys: load, turn the camera, grab, throw, pin,
# switch the solver, drop files, bake art, close. The screen is looked at, the report says what arrived, a recording is
# replayed.
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
# Only so that what is left there is seen.
mkdir tmp
export TMPDIR=$work/tmp

die() { echo "FAILED: $*" >&2; [ ! -s stderr ] || cat stderr >&2; exit 1; }
for program in Xvfb xdotool; do
	command -v $program >/dev/null || { echo "SKIPPED: $program is not installed (scripts/setup does that)"; exit 77; }
done

# ---- a screen -----------------------------------------------------------------------------------------------------
mkdir screen
exec 9<>display
Xvfb -displayfd 9 -screen 0 640x480x24 -fbdir screen -noreset -nolisten tcp >xvfb.log 2>&1 9>display &
server=$!
for _ in $(seq 200); do [ ! -s display ] || break; sleep 0.05; done
[ -s display ] || { cat xvfb.log; echo "SKIPPED: Xvfb does not start"; exit 77; }
DISPLAY=:$(head -n 1 display)
export DISPLAY
screen=screen/Xvfb_screen0

# open ARGUMENTS...: starts the window and waits until something is drawn
open() {
	"$preview" "$@" --size 640x480 >stdout 2>stderr &
	window=$!
	for _ in $(seq 1200); do
		kill -0 $window 2>/dev/null || break
		[ "$("$probe" count $screen 000000 4)" -gt 60000 ] || return 0
		sleep 0.05
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
shot() { cp $screen "$1"; }
# wait_for COMMAND: until a command of the shell is true
wait_for() { for _ in $(seq 400); do ! eval "$1" || return 0; sleep 0.05; done; die "never: $1"; }
# differs FROM PIXELS: whether the screen differs from an earlier one
differs() { [ "$("$probe" diff "$1" $screen 20)" -gt "$2" ]; }
# settle: until the picture stands still, for as long as it has to
settle() {
	for _ in $(seq 200); do
		shot before.xwd
		sleep 0.15
		differs before.xwd 60 || return 0
	done
	die "the picture never stands still"
}
red() { "$probe" hue $screen r 60; }
number() { sed -nE "s/.*\"$1\": ([0-9.]+).*/\1/p" report.json | sed -n 1p; }

"$GEL_BIN/gel-sample" bear -o bear.glb --triangles 2000 --quiet
"$GEL_BIN/gel-bake" bear.glb -o bear.gel --tets 150 --young 1e5 --damping 2 --quality --particles solid:40 --quiet

# ---- no display, no pack ----------------------------------------------------------------------------------------------
status=0
DISPLAY=:9876 "$preview" bear.gel 2>stderr || status=$?
[ $status = 2 ] && grep -q T0710 stderr || die "no display: exit $status"
status=0
"$preview" missing.gel 2>stderr || status=$?
[ $status = 2 ] && grep -q T0001 stderr || die "missing pack: exit $status"
status=0
"$preview" missing.obj 2>stderr || status=$?
[ $status = 2 ] && grep -q 'missing.obj: error: T0001' stderr || die "missing art: exit $status"
printf 'v 0 0 0\nf 1 2 3\n' >broken.obj
status=0
"$preview" broken.obj 2>stderr || status=$?
[ $status = 3 ] && grep -q 'broken.obj: error: T' stderr || die "broken art: exit $status"
status=0
"$preview" bear.glb --record inputs.txt 2>stderr || status=$?
[ $status = 1 ] && grep -q 'gel-bake first' stderr || die "a recording of art: exit $status"

# ---- play with it -------------------------------------------------------------------------------------------------
open bear.gel --plain --record inputs.txt --json report.json
xdotool mousemove 600 20 # keys go to the window under the pointer
wait_for '[ "$(red)" -gt 500 ]'
sleep 0.3
shot panel.xwd
xdotool key Tab # the graphs would never stand still
wait_for 'differs panel.xwd 20000'
settle
[ "$(red)" -gt 500 ] || die "no body is seen"
shot start.xwd
xdotool mousemove 600 60 mousedown 1 mousemove 520 90
sleep 0.1
xdotool mousemove 400 140
sleep 0.1
xdotool mouseup 1
wait_for 'differs start.xwd 500'
settle
shot turned.xwd
# Find a place that is on the body, and not at its edge.
is_red() { local color; color=$("$probe" at turned.xwd "$1" "$2"); [ $((16#${color:0:2})) -gt $((16#${color:2:2} + 60)) ]; }
found=''
for y in 260 280 300 320 340 360 380 240 220; do
	for x in 320 340 360 300 280 380; do
		is_red $x $y && is_red $((x - 8)) $y && is_red $((x + 8)) $y && is_red $x $((y - 8)) && is_red $x $((y + 8)) || continue
		found="$x $y"
		break 2
	done
done
[ -n "$found" ] || die "no body is seen"
read -r x y <<<"$found"
xdotool mousemove $x $y mousedown 1
sleep 0.1
for lift in 20 40 60 80 100; do xdotool mousemove $x $((y - lift)); sleep 0.04; done
wait_for 'differs turned.xwd 1000'
shot grabbed.xwd
xdotool mousemove $((x + 90)) $((y - 130))
sleep 0.1
xdotool mouseup 1
wait_for 'differs grabbed.xwd 500'
xdotool key r
settle
xdotool keydown ctrl mousemove $x $y click 1
sleep 0.1
xdotool keyup ctrl keydown shift click 1
sleep 0.1
xdotool keyup shift key u
# 4: particles; 3: implicit; 2: quality
for solver in 4 3 2; do xdotool key $solver; sleep 0.1; done
xdotool click 4 click 4 click 5
# Pause and single steps: the picture stands still between them.
xdotool key space
sleep 0.3
shot paused.xwd
sleep 0.3
! differs paused.xwd 50 || die "it moves while it is paused"
xdotool key period key period
xdotool key o
wait_for 'differs paused.xwd 200'
# A window without pixels is none the worse for it.
id=$(xdotool search --name gel-preview | sed -n 1p)
xdotool windowsize "$id" 1 1
sleep 0.2
xdotool windowsize "$id" 500 400
wait_for '[ "$(xdotool getwindowgeometry --shell "$id" | grep -c -e WIDTH=500 -e HEIGHT=400)" = 2 ]'
sleep 0.3
xdotool key F12
wait_for '[ -s gel-preview-000.png ]'
sleep 0.1
close
for what in grabs releases resets pins pushes unpins orbits; do
	[ "$(number $what)" -ge 1 ] || die "no $what arrived: $(cat report.json)"
done
[ "$(number drags)" -ge 3 ] && [ "$(number zooms)" -ge 2 ] && [ "$(number solver_changes)" = 3 ] || die "drags, zooms or solvers are missing"
grep -q '"solver": "quality"' report.json && grep -q '"playing": false' report.json || die "the last state is not reported"
[ "$("$probe" size gel-preview-000.png)" = "500 400" ] || die "size of the screenshot: $("$probe" size gel-preview-000.png)"
[ "$("$probe" hue gel-preview-000.png r 40)" -gt 200 ] || die "the screenshot shows no body"

# ---- the same again, bit for bit, without a window ---------------------------------------------------------------------
steps=$(sed -nE 's/^([0-9]+) end .*/\1/p' inputs.txt)
"$preview" bear.gel --replay inputs.txt --frames "$steps" --frame-rate 60 --out replayed.csv --json report.json --quiet
grep -q '"exact": true' report.json || die "the replay is not exact: $(cat report.json)"
sed -E 's/( end ..............)../\1zz/; s/zz/00/' inputs.txt >other.txt
cmp -s inputs.txt other.txt && sed -i -E 's/00$/01/' other.txt
status=0
"$preview" bear.gel --replay other.txt --frames "$steps" --frame-rate 60 --out other.csv 2>stderr || status=$?
[ $status = 5 ] && grep -q T0714 stderr || die "another end is not noticed: exit $status"

# ---- files are dropped on an empty window ----------------------------------------------------------------------------
"$GEL_BIN/gel-sample" star -o star.obj --triangles 30000 --quiet
drop() { "$GEL_BUILD/tests/drop_files" "$id" 500 300 "$@" || die "nothing can be dropped"; }
open --plain --json report.json --record dropped.txt
id=$(xdotool search --name gel-preview | sed -n 1p)
[ "$(red)" -lt 200 ] || die "a body in an empty window"
drop "$work/bear.gel"
wait_for '[ "$(red)" -gt 500 ]'
# Art is baked in the background: a bar grows, while the window goes on; then a second body, which is teal, appears.
drop "$work/star.obj"
wait_for '[ "$("$probe" count $screen FF8C00 6)" -gt 60 ]'
wait_for '[ "$("$probe" hue $screen g 3)" -gt 300 ]'
# The recording ends with the pack that can be had again.
grep -q 'dropped.txt: warning: T0720: the recording ends after' stderr || die "the recording goes on with a pack that will be gone"
drop "$work/broken.obj" "$work/missing.gel"
wait_for 'grep -q "broken.obj: warning: T0717" stderr'
# Over the panel keys are heard, and a click is, however short and however soon after the mouse came: on the button that
# pauses.
xdotool mousemove 180 50
sleep 0.2
xdotool key 3
xdotool mousemove 500 300
sleep 0.2
xdotool mousemove 60 16 click 1
sleep 0.3
close
[ "$(number solver_changes)" = 1 ] || die "keys are lost over the panel"
grep -q '"playing": false' report.json || die "a short click on the panel is lost"
[ "$(number baked)" = 1 ] && [ "$(number packs)" = 2 ] || die "dropped files are not shown: $(cat report.json)"
[ -z "$(ls -A tmp)" ] || die "temporary files are left"
steps=$(sed -nE 's/^([0-9]+) end .*/\1/p' dropped.txt)
[ "$steps" -gt 2 ] || die "nothing was recorded before the art came"
"$preview" bear.gel --replay dropped.txt --frames "$steps" --frame-rate 60 --out dropped.csv --json report.json --quiet
grep -q '"exact": true' report.json || die "a recording that ended early cannot be replayed"
"$preview" bear.gel --replay dropped.txt --frames 1 --out dropped.csv 2>stderr
grep -q T0723 stderr || die "a replay that ends early does not say so"
echo "gel-preview: the window is right"
