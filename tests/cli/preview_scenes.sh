#!/usr/bin/env bash
# Every scene of gel-preview, drawn off screen and looked at: the body is there in its color, moves, and does what the
# scene is about. Scene files, side by side, GIF and GLB files, overlays, and files that are wrong.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
preview=$GEL_BIN/gel-preview
probe=$GEL_BUILD/tests/picture_probe

die() { echo "FAILED: $*" >&2; exit 1; }
# expect CODE TEXT ARGUMENTS...: gel-preview ends with that code and says that text
expect() {
	local code=$1 text=$2 status=0
	shift 2
	"$preview" "$@" >stdout 2>stderr || status=$?
	[ "$status" = "$code" ] || { cat stderr; die "exit $status instead of $code: gel-preview $*"; }
	grep -qF -- "$text" stderr || { cat stderr; die "no \"$text\" on stderr: gel-preview $*"; }
}
# column N of the last line of a table
last() { awk -F, -v n="$2" 'END { print $n }' "$1"; }
first() { awk -F, -v n="$2" 'NR == 2 { print $n }' "$1"; }
holds() { awk "BEGIN { exit !( $1 ) }" || die "$2 ($1)"; }

"$GEL_BIN/gel-sample" bear -o bear.glb --triangles 3000 --quiet
"$GEL_BIN/gel-bake" bear.glb -o bear.gel --tets 200 --young 3e4 --quality --quiet
mv bear.glb art.glb # or its colors would be shown
"$GEL_BIN/gel-bake" art.glb -o stiff.gel --tets 200 --young 5e5 --quiet

# ---- what happens, as figures (columns: 7 total, 9 height of the centre, 11 volume, 13 lowest, 14 highest) ---------
for scene in drop hang squash stretch twist spin bowl ramp funnel; do
	"$preview" bear.gel --scene $scene --frames 60 --out $scene.csv --quiet
done
holds "$(last drop.csv 13) < 0.02 && $(first drop.csv 13) > 0.1" "drop: it does not land"
holds "$(last hang.csv 14) > $(first hang.csv 14) - 0.1" "hang: it falls"
"$preview" bear.gel --scene squash --frames 54 --out low.csv --quiet
holds "$(last low.csv 14) < 0.7 * $(first low.csv 14)" "squash: the piston does not press"
holds "$(last spin.csv 9) > $(first spin.csv 9) - 0.01" "spin: it falls"
holds "$(last ramp.csv 8) > $(first ramp.csv 8) + 0.15" "ramp: it does not slide"
[ "$(tail -n 9 bowl.csv | cut -d, -f1 | sort -u | wc -l)" = 1 ] || die "bowl: not 9 bodies"
tail -n 9 bowl.csv | awk -F, '{ r = sqrt( $8 * $8 + $10 * $10 ); if ( r > 2 || $9 < 0 || $9 != $9 ) exit 1 }' || die "bowl: a body is not in it"
holds "$(last bowl.csv 16) > 10" "bowl: bodies do not touch"
"$preview" bear.gel --scene ramp --solver implicit --frames 30 --out implicit.csv --quiet
! cmp -s implicit.csv <(head -n 32 ramp.csv) || die "--solver changes nothing"

# ---- files that are wrong -----------------------------------------------------------------------------------------
echo '{ "bodies": [ {} ], "gravety": 3 }' >wrong.json
expect 3 'wrong.json: error: T0711: line 1, column 21' bear.gel --scene wrong.json --out a.csv
echo '{ "bodies": [ { "pack": 4 } ] }' >wrong.json
expect 3 'T0711' bear.gel --scene wrong.json --out a.csv
echo '{ "packs": [ "nothing.gel" ], "bodies": [ {} ] }' >wrong.json
expect 2 'nothing.gel: error: T0001' --scene wrong.json --out a.csv
expect 2 'missing.json: error: T0001' bear.gel --scene missing.json --out a.csv
expect 1 'there is no scene "fly"' bear.gel --scene fly --out a.csv
expect 1 'two packs' bear.gel --compare --out a.png
expect 1 '--max-difference' bear.gel --versus fast --max-difference 2 --out a.png
expect 1 'draw pictures' bear.gel --versus fast --out a.csv
expect 2 'replay.txt: error: T0001' bear.gel --replay replay.txt --out a.csv
echo 'gel-inputs 1' >replay.txt
expect 3 'T0712' bear.gel --replay replay.txt --out a.csv
"$GEL_BIN/gel-bake" art.glb -o bare.gel --tets 200 --no-collision --quiet
expect 3 'T0709' bare.gel --scene bowl --out a.csv
expect 3 '--quality' stiff.gel --solver quality --out a.csv
[ ! -e a.csv ] && [ ! -e a.png ] || die "something was left behind"

# ---- animated meshes need no OpenGL -------------------------------------------------------------------------------
__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent "$preview" bear.gel --frames 30 --moments 7 --out bear-moves.glb --quiet
[ "$(head -c 4 bear-moves.glb)" = glTF ] || die "no GLB file"
"$GEL_BIN/gel-bake" bear-moves.glb -o again.gel --tets 100 --quiet 2>stderr || { cat stderr; die "the GLB file cannot be read"; }
expect 1 'fewer --moments' bear.gel --frames 36000 --frame-rate 10000 --moments 100 --copies 256 --scene hang --out huge.glb

# ---- pictures -----------------------------------------------------------------------------------------------------
status=0
"$preview" bear.gel --frames 2 --size 64x48 --out probe.png >stdout 2>stderr || status=$?
if [ "$status" = 2 ] && grep -q T0701 stderr; then
	cat stderr
	echo "SKIPPED: no OpenGL here, so no picture was drawn; the other checks passed"
	exit 77
fi
[ "$status" = 0 ] || { cat stderr; die "exit $status"; }

# The first body is red: it covers a part of every picture, and moments differ.
for scene in drop hang squash stretch twist spin ramp; do
	"$preview" bear.gel --scene $scene --frames 24 --frame-rate 20 --size 160x120 --out "$scene-%02d.png" --quiet
	for frame in 00 12; do
		pixels=$("$probe" hue $scene-$frame.png r 40)
		[ "$pixels" -gt 150 ] && [ "$pixels" -lt 12000 ] || die "$scene, frame $frame: $pixels red pixels"
	done
	[ "$("$probe" diff $scene-00.png $scene-12.png 12)" -gt 200 ] || die "$scene: nothing moves"
	# The sky is above, the ground below, both grey and bright.
	[ "$("$probe" count $scene-00.png D0D8E0 24)" -gt 3000 ] || die "$scene: no background"
done
for scene in bowl funnel; do
	"$preview" bear.gel --scene $scene --frames 24 --frame-rate 20 --size 160x120 --sequence --out $scene.png --quiet
	for hue in r g; do [ "$("$probe" hue $scene-0000.png $hue 5)" -gt 20 ] || die "$scene: not all bodies are seen"; done
	[ "$("$probe" diff $scene-0000.png $scene-0016.png 12)" -gt 300 ] || die "$scene: nothing moves"
done

# A scene file: two bodies, one lies on the other; a grey collider moves.
cat >two.json <<'JSON'
{
  "name": "two", "packs": ["bear.gel"], "frames": 40, "step": 0.016666667,
  "bodies": [ { "at": [0, 0, 0] }, { "at": [0.05, 0.7, 0], "turn": [0, 90, 0] } ],
  "colliders": [ { "kind": "sphere", "at": [-0.8, 0.2, 0], "radius": 0.2,
    "motion": { "keys": [ { "time": 0 }, { "time": 0.5, "move": [0.3, 0, 0] } ] } } ],
  "camera": { "yaw": 20, "pitch": 15 }
}
JSON
"$preview" --scene two.json --size 160x120 --out two-%02d.png --json two-report.json --quiet
grep -q '"name": "two"' two-report.json && grep -q '"bodies": 2' two-report.json || die "the report does not know the scene"
[ "$("$probe" hue two-40.png r 40)" -gt 100 ] || die "the red body is not seen"
[ "$("$probe" hue two-40.png g 4)" -gt 50 ] || die "the green body is not seen"
[ "$("$probe" diff two-00.png two-40.png 12)" -gt 300 ] || die "the scene file: nothing moves"

# Overlays: heat turns the body blue at rest, contacts and cages add lines.
"$preview" bear.gel --scene hang --frames 20 --size 160x120 --moments 2 --overlay strain --out strain.png --quiet
[ "$("$probe" hue strain.png b 20)" -gt 300 ] || die "strain: not blue where nothing is strained"
"$preview" --scene two.json --size 200x150 --out plain-%02d.png --quiet
"$preview" --scene two.json --size 200x150 --overlay contacts --out contacts-%02d.png --quiet
[ "$("$probe" diff plain-40.png contacts-40.png 12)" -gt 10 ] || die "contacts: nothing is marked"
cmp plain-00.png contacts-00.png || die "contacts are marked where there are none"
for overlay in stress inverted; do
	"$preview" bear.gel --scene squash --frames 50 --moments 2 --size 120x90 --overlay $overlay --out $overlay.png --quiet
done

# Colors of the art: brown instead of red; art of another shape is not used, and said so.
"$preview" bear.gel --frames 2 --moments 1 --size 120x90 --out red.png --quiet
"$preview" bear.gel --art art.glb --frames 2 --moments 1 --size 120x90 --out brown.png --quiet
[ "$("$probe" hue red.png r 100)" -gt 200 ] && [ "$("$probe" hue brown.png r 100)" -lt 60 ] || die "the colors of the art are not shown"
[ "$("$probe" hue brown.png r 15)" -gt 200 ] || die "the art is not brown"
"$GEL_BIN/gel-sample" bear -o other.glb --triangles 2000 --quiet
expect 0 'T0715' bear.gel --art other.glb --frames 2 --moments 1 --size 120x90 --out other.png
cmp other.png red.png || die "art of another shape changes the picture"
cp art.glb bear.glb
"$preview" bear.gel --frames 2 --moments 1 --size 120x90 --out beside.png --quiet
cmp beside.png brown.png || die "art beside the pack is not found"
"$preview" bear.gel --plain --frames 2 --moments 1 --size 120x90 --out plain.png --quiet
cmp plain.png red.png || die "--plain is not plain"
rm bear.glb

# Side by side: twice, or three times as wide; the same pack does not differ from itself.
"$preview" bear.gel stiff.gel --side-by-side --frames 30 --moments 1 --size 120x90 --out side.png --quiet
[ "$("$probe" size side.png)" = "240 90" ] || die "size side by side"
"$preview" bear.gel --versus implicit --frames 30 --moments 1 --size 120x90 --out versus.png --quiet
[ "$("$probe" size versus.png)" = "240 90" ] || die "size of two solvers"
"$preview" bear.gel bear.gel --compare --max-difference 0 --frames 30 --moments 2 --size 120x90 --out same.png --json same.json --quiet
grep -q '"changed_pixels": 0' same.json || die "a pack differs from itself"
expect 5 'T0718' bear.gel stiff.gel --compare --max-difference 1 --frames 30 --moments 2 --size 120x90 --out differ.png
[ "$("$probe" hue differ.png r 100)" -gt 200 ] || die "the difference is not red"

# GIF
"$preview" bear.gel --frames 20 --size 100x80 --out bear.gif --quiet
[ "$(head -c 6 bear.gif)" = GIF89a ] || die "no GIF file"
expect 2 'T0002' bear.gel --frames 4 --size 64x48 --out nowhere/bear.gif
echo "gel-preview: all scenes are right"
