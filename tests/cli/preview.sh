#!/usr/bin/env bash
# gel-preview off screen: pictures have the right size and show motion; wrong input ends with the right exit code,
# one clear message, and nothing left behind.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
preview=$GEL_BIN/gel-preview
mkdir out

# expect CODE FINDING ARGUMENTS...: gel-preview ends with that code and says that finding (or text) once
expect() {
	local code=$1 text=$2 status=0
	shift 2
	"$preview" "$@" >stdout 2>stderr || status=$?
	[ "$status" = "$code" ] || { cat stderr; die "exit $status instead of $code: gel-preview $*"; }
	grep -qF -- "$text" stderr || { cat stderr; die "no \"$text\" on stderr: gel-preview $*"; }
	[ -z "$(ls -A out)" ] || { ls -A out; die "something was left behind: gel-preview $*"; }
}
# png_size FILE: "WIDTH HEIGHT" from the header
png_size() {
	[ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || die "$1 is not a PNG file"
	od -An -tu1 -j16 -N8 "$1" | awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4, $5 * 16777216 + $6 * 65536 + $7 * 256 + $8 }'
}

# ---- a small body: a soft cube with its upper side pinned in a pin set -------------------------------------
cat >cube.obj <<'OBJ'
v 0 0 0
v 0.3 0 0
v 0.3 0.3 0
v 0 0.3 0
v 0 0 0.3
v 0.3 0 0.3
v 0.3 0.3 0.3
v 0 0.3 0.3
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ
"$GEL_BIN/gel-bake" cube.obj --tets 200 --young 2e4 --pin-box=-1,0.25,-1,1,1,1 -o cube.gel --quiet
"$GEL_BIN/gel-bake" cube.obj --tets 200 --step 1/100 -o loose.gel --quiet

# ---- the table needs no OpenGL ------------------------------------------------------------------------
"$preview" cube.gel --frames 30 --out out/a.csv >stdout
[ "$(cat stdout)" = out/a.csv ] || die "the path is not on stdout"
[ "$(wc -l <out/a.csv)" = 32 ] || die "the table has not 1 + 31 lines"
awk -F, 'NR == 2 { first = $9 } NR == 32 { last = $9 } END { exit !( last < first - 0.05 ) }' out/a.csv || die "the body does not fall"
EGL_PLATFORM=nonsense "$preview" cube.gel --frames 30 --out out/b.csv --quiet
cmp out/a.csv out/b.csv || die "two runs differ"
rm out/*

# ---- wrong command lines --------------------------------------------------------------------------------
expect 1 '--sequence' cube.gel --sequence
expect 1 '--record' cube.gel --record out/a.txt --out out/a.png
env -u DISPLAY -u WAYLAND_DISPLAY "$preview" cube.gel 2>stderr && die "a window without a display"
grep -q T0710 stderr && grep -q -- '--out PATH.csv' stderr || { cat stderr; die "no advice without a display"; }
expect 1 '.png, .gif, .glb or .csv' cube.gel --out out/a.jpg
expect 1 'there is no scene "fly"' cube.gel --scene fly --out out/a.png
expect 1 '--size' cube.gel --size 640 --out out/a.png
expect 1 '--size' cube.gel --size 0x480 --out out/a.png
expect 1 '--size' cube.gel --size 640x480x --out out/a.png
expect 1 '--size' cube.gel --size 99999x99999 --out out/a.png
expect 1 'too large' cube.gel --size 8000x8000 --moments 20 --out out/a.png
expect 1 '--camera' cube.gel --camera 20 --out out/a.png
expect 1 '--camera' cube.gel --camera 20,95 --out out/a.png
expect 1 'frames' cube.gel --frames 0 --out out/a.png
for overlay in nothing tree tree: tree:x tree:-1 tree:31 tree:1234567890 patches:1 cagey boxes: 'boxes:1 ' ''; do
	expect 1 'overlay' cube.gel --overlay "$overlay" --out out/a.png
done
expect 1 '--frames' cube.gel --frame 10 --out out/a.png
expect 1 'sequence' cube.gel --sequence --out out/a.csv
expect 1 '' --out out/a.png

# ---- wrong input ------------------------------------------------------------------------------------------
expect 2 'missing.gel: error: T0001' missing.gel --out out/a.csv
expect 2 'T0001' . --out out/a.csv
expect 3 'cube.obj: error: T0702' cube.obj --out out/a.csv
: >empty.gel
expect 3 'empty.gel: error: T0702' empty.gel --out out/a.csv
head -c 4000 cube.gel >short.gel
expect 3 'short.gel: error: T0702' short.gel --out out/a.csv
cp cube.gel damaged.gel
printf '\377' | dd of=damaged.gel bs=1 seek=3000 conv=notrunc status=none
expect 3 'damaged.gel: error: T0702' damaged.gel --out out/a.csv
expect 3 'T0702' cube.gel short.gel --out out/a.csv
expect 3 'T0703' cube.gel --step 1/50 --out out/a.csv
expect 3 'T0703' cube.gel loose.gel --out out/a.csv
expect 2 'T0002' cube.gel --frames 2 --out nowhere/a.csv

# ---- pictures -----------------------------------------------------------------------------------------------
status=0
"$preview" cube.gel --frames 2 --size 64x48 --out probe.png >stdout 2>stderr || status=$?
if [ "$status" = 2 ] && grep -q T0701 stderr; then
	cat stderr
	echo "SKIPPED: no OpenGL here, so no picture was drawn; the other checks passed"
	exit 77
fi
[ "$status" = 0 ] || { cat stderr; die "exit $status"; }

"$preview" cube.gel --frames 60 --size 160x120 --json report.json --out out/sheet.png >stdout
[ "$(cat stdout)" = out/sheet.png ] || die "the path is not on stdout"
gap=$(( (160 + 120) / 280 ))
[ "$(png_size out/sheet.png)" = "$((3 * 160 + 2 * gap)) $((2 * 120 + gap))" ] || die "size of the contact sheet: $(png_size out/sheet.png)"
for key in '"frames": 60' '"steps": 60' '"bodies": 1' '"pictures": 6' '"microseconds_per_step"' '"out/sheet.png"' '"simulate"' '"render"'; do
	grep -qF "$key" report.json || die "the report has no $key"
done
"$preview" cube.gel --frames 60 --size 160x120 --out out/again.png --quiet
cmp out/sheet.png out/again.png || die "two runs give two pictures"
"$preview" cube.gel --frames 60 --size 160x120 --overlay cage --out out/cage.png --quiet
! cmp -s out/sheet.png out/cage.png || die "--overlay cage changes nothing"
for overlay in patches tree:2 boxes boxes:3; do
	"$preview" cube.gel --frames 60 --size 160x120 --overlay "$overlay" --out "out/$overlay.png" --quiet
	[ "$(png_size "out/$overlay.png")" = "$(png_size out/sheet.png)" ] || die "size with --overlay $overlay"
done
[ "$(sha256sum out/sheet.png out/cage.png out/patches.png out/tree:2.png out/boxes.png out/boxes:3.png | cut -d' ' -f1 | sort -u | wc -l)" = 6 ] \
	|| die "two overlays look alike"
"$preview" cube.gel --frames 60 --size 160x120 --camera 200,40 --out out/behind.png --quiet
! cmp -s out/sheet.png out/behind.png || die "--camera changes nothing"
"$preview" cube.gel cube.gel --copies 2 --frames 5 --moments 2 --size 100x80 --scene hang --out out/many.png --quiet
[ "$(png_size out/many.png)" = "200 80" ] || die "size with two moments: $(png_size out/many.png)"
rm out/*

# One picture per frame: all of the same size, and what moves looks different.
"$preview" cube.gel --frames 4 --frame-rate 10 --size 120x90 --out out/f-%04d.png >stdout
[ "$(ls out | tr '\n' ' ')" = "f-0000.png f-0001.png f-0002.png f-0003.png f-0004.png " ] || die "names of a sequence: $(ls out)"
[ "$(wc -l <stdout)" = 5 ] || die "the paths of a sequence are not on stdout"
for file in out/*; do [ "$(png_size "$file")" = "120 90" ] || die "size of $file"; done
[ "$(sha256sum out/* | cut -d' ' -f1 | sort -u | wc -l)" = 5 ] || die "pictures of a moving body are alike"
rm out/*
"$preview" cube.gel --frames 1 --size 32x24 --sequence --out out/g.png --quiet
[ "$(ls out | tr '\n' ' ')" = "g-0000.png g-0001.png " ] || die "names with --sequence: $(ls out)"
rm out/*

# A pack without collision geometry has no patches to show, but it has a cage.
"$GEL_BIN/gel-bake" cube.obj --tets 200 --no-collision -o bare.gel --quiet
for overlay in patches tree:1 boxes; do
	expect 3 'T0709' bare.gel --frames 2 --size 64x48 --overlay "$overlay" --out out/a.png
done
"$preview" bare.gel --frames 2 --size 64x48 --overlay cage --out out/a.png --quiet
rm out/*

# An output that cannot be written leaves nothing behind, not even a temporary file.
expect 2 'T0002' cube.gel --frames 2 --size 64x48 --out nowhere/a.png
mkdir out/taken.png
"$preview" cube.gel --frames 2 --size 64x48 --out out/taken.png 2>stderr && die "a folder was overwritten"
[ "$(ls -A out)" = taken.png ] && [ -z "$(ls -A out/taken.png)" ] || die "left behind beside a folder: $(ls -A out)"
rmdir out/taken.png

# Without a driver the message says what to install.
EGL_PLATFORM=surfaceless __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent expect 2 'T0701' cube.gel --out out/a.png
grep -q libgl1-mesa-dri stderr || die "no advice about the driver"
echo "gel-preview: all checks passed"
