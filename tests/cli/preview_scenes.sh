#!/usr/bin/env bash
# Every scene of gel-preview, drawn off screen and looked at: the body is there in its color, moves, and does what the
# scene is about. Scene files, side by side, GIF and GLB files, overlays, and files that are wrong.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
preview=$GEL_BIN/gel-preview
probe=$GEL_BUILD/tests/picture_probe

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

# ---- what happens, as figures (columns: 7 total, 9 height of the center, 11 volume, 13 lowest, 14 highest) ---------
scenes=$({ "$preview" bear.gel --scene none --out none.csv 2>&1 || true; } | sed -n 's/.*the scenes are: \(.*\), or a file.*/\1/p' | tr -d ,)
[ "$(wc -w <<<"$scenes")" -ge 9 ] || die "these scenes are named: $scenes"
for scene in $scenes; do
	"$preview" bear.gel --scene $scene --frames 60 --out $scene.csv --quiet
done
holds "$(last drop.csv 13) < 0.02 && $(first drop.csv 13) > 0.1" "drop: it does not land"
holds "$(last hang.csv 14) > $(first hang.csv 14) - 0.1" "hang: it falls"
"$preview" bear.gel --scene squash --frames 54 --out low.csv --quiet
holds "$(last low.csv 14) < 0.7 * $(first low.csv 14)" "squash: the piston does not press"
holds "$(last spin.csv 9) > $(first spin.csv 9) - 0.01" "spin: it falls"
holds "$(last ramp.csv 8) > $(first ramp.csv 8) + 0.15" "ramp: it does not slide"
for scene in ramp funnel; do "$preview" stiff.gel --scene $scene --frames 240 --out long.csv --quiet; mv long.csv long-$scene.csv; done
holds "$(last long-ramp.csv 8) > 1 && $(last long-ramp.csv 10) < 0.5 && $(last long-ramp.csv 10) > -0.5" "ramp: it does not come down"
tail -n 3 long-funnel.csv | awk -F, '{ if ( $13 > 0.05 ) exit 1 }' || die "funnel: a body is stuck"
[ "$(tail -n 9 bowl.csv | cut -d, -f1 | sort -u | wc -l)" = 1 ] || die "bowl: not 9 bodies"
tail -n 9 bowl.csv | awk -F, '{ r = sqrt( $8 * $8 + $10 * $10 ); if ( r > 2 || $9 < 0 || $9 != $9 ) exit 1 }' || die "bowl: a body is not in it"
holds "$(last bowl.csv 16) > 10" "bowl: bodies do not touch"
"$preview" bear.gel --scene ramp --solver implicit --frames 30 --out implicit.csv --quiet
! cmp -s implicit.csv <(head -n 32 ramp.csv) || die "--solver changes nothing"

# A pack with pins starts with the step that it was baked for, not with the one that the quality mode added.
"$GEL_BIN/gel-bake" art.glb -o pinned.gel --tets 200 --young 5e3 --poisson 0.46 --quality --pin-box=-1,0.4,-1,1,1,1 --quiet
"$preview" pinned.gel --scene hang --frames 6 --out pinned.csv --json pinned.json --quiet
grep -q '"step": 0.01666' pinned.json || die "another step than the first: $(grep '"step"' pinned.json)"

# ---- files that are wrong -----------------------------------------------------------------------------------------
echo '{ "bodies": [ {} ], "gravety": 3 }' >wrong.json
expect 3 'wrong.json: error: T0711: line 1, column 21' bear.gel --scene wrong.json --out a.csv
echo '{ "bodies": [ { "pack": 4 } ] }' >wrong.json
expect 3 'T0711' bear.gel --scene wrong.json --out a.csv
grep -q 'line 1, column 17' stderr || die "no place of a pack number: $(cat stderr)"
echo '{ "bodies": [] }' >wrong.json
expect 3 'line 1, column 3: "bodies" is empty' bear.gel --scene wrong.json --out a.csv
for region in '[2, 0, 0], "max": [3, 1, 1]' '[0.9, 0, 0], "max": [0.1, 1, 1]'; do
	printf '{ "bodies": [ {} ],\n"handles": [ { "region": { "min": %s } } ] }' "$region" >wrong.json
	expect 3 'wrong.json: error: T0711: line 2, column 16' bear.gel --scene wrong.json --out a.csv
done
echo '{ "bodies": [ {} ], "colliders": [ { "kind": "box", "halfSize": [1, 1, 1], "radius": 1 } ] }' >wrong.json
expect 3 'a box has no "radius"' bear.gel --scene wrong.json --out a.csv
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

# Three pictures of each scene, at 0, 1/3 and 2/3 s. The first body is red: it covers a part of every picture, and
# moments differ.
film() { "$preview" "$@" --frames 2 --frame-rate 3 --size 160x120 --quiet; }
for scene in drop hang squash stretch twist spin ramp; do
	film bear.gel --scene $scene --out "$scene-%02d.png"
	for frame in 00 02; do
		pixels=$("$probe" hue $scene-$frame.png r 40)
		[ "$pixels" -gt 150 ] && [ "$pixels" -lt 12000 ] || die "$scene, frame $frame: $pixels red pixels"
	done
	[ "$("$probe" diff $scene-00.png $scene-02.png 12)" -gt 200 ] || die "$scene: nothing moves"
	# The sky is above, the ground below, both grey and bright.
	[ "$("$probe" count $scene-00.png D0D8E0 24)" -gt 3000 ] || die "$scene: no background"
done
for scene in bowl funnel; do
	film bear.gel --scene $scene --out $scene-%02d.png
	for hue in r g; do [ "$("$probe" hue $scene-00.png $hue 5)" -gt 20 ] || die "$scene: not all bodies are seen"; done
	[ "$("$probe" diff $scene-00.png $scene-02.png 12)" -gt 300 ] || die "$scene: nothing moves"
done

# A scene file: two bodies, one lies on the other; a grey collider moves.
cat >two.json <<'JSON'
{
  "name": "two", "packs": ["bear.gel"], "frames": 40, "step": 0.016666667,
  "bodies": [ { "at": [0, 0, 0] }, { "at": [0.05, 0.6, 0], "turn": [0, 90, 0] } ],
  "colliders": [ { "kind": "sphere", "at": [-0.8, 0.2, 0], "radius": 0.2,
    "motion": { "keys": [ { "time": 0 }, { "time": 0.5, "move": [0.3, 0, 0] } ] } } ],
  "camera": { "yaw": 20, "pitch": 15 }
}
JSON
"$preview" --scene two.json --out two.csv --json two-report.json --quiet
[ "$(wc -l <two.csv)" = 83 ] || die "the scene file's frames are not heard" # 41 of two bodies
grep -q '"name": "two"' two-report.json && grep -q '"bodies": 2' two-report.json || die "the report does not know the scene"
film --scene two.json --out two-%02d.png
[ "$("$probe" hue two-02.png r 40)" -gt 100 ] || die "the red body is not seen"
[ "$("$probe" hue two-02.png g 4)" -gt 50 ] || die "the green body is not seen"
[ "$("$probe" diff two-00.png two-02.png 12)" -gt 300 ] || die "the scene file: nothing moves"

# Axes of attachment points are lines of their own.
"$GEL_BIN/gel-sample" sphere -n 1000 -o point.obj --quiet
"$GEL_BIN/gel-bake" point.obj -o point.gel --tets 60 --no-collision --attach top=0,0.5,0 --quiet
"$GEL_BIN/gel-preview" point.gel --frames 1 --overlay attachments --out axes.png --quiet
"$GEL_BIN/gel-preview" point.gel --frames 1 --out plain.png --quiet
! cmp -s axes.png plain.png || die "attachment points are not drawn"

# Overlays. Contacts and intersection curves are lines where bodies touch, and nothing where they do not.
for overlay in contacts curves; do
	film --scene two.json --overlay $overlay --out $overlay-%02d.png
	cmp two-00.png $overlay-00.png || die "$overlay are marked where there are none"
	[ "$("$probe" diff two-01.png $overlay-01.png 12)" -gt 4 ] || die "$overlay: nothing is marked"
done
! cmp -s contacts-01.png curves-01.png || die "contacts and curves look alike"
# Heat turns the body blue at rest; under the piston some of it is not.
film bear.gel --scene squash --overlay strain --out strain-%02d.png
[ "$("$probe" hue strain-00.png b 20)" -gt 300 ] || die "strain: not blue where nothing is strained"
[ "$("$probe" hue strain-02.png b 20)" -lt "$("$probe" hue strain-00.png b 20)" ] || die "strain: as blue under the piston"
film bear.gel --scene squash --overlay stress --out stress-%02d.png
[ "$("$probe" diff strain-02.png stress-02.png 12)" -gt 20 ] || die "stress looks like strain"
# Tets that are turned inside out: none when it falls, some when it is turned by far too much.
film bear.gel --overlay inverted --out inverted-%02d.png
cmp inverted-00.png drop-00.png || die "inverted tets at rest"
cat >wring.json <<'JSON'
{ "packs": ["bear.gel"], "bodies": [ { "at": [0, 0.1, 0] } ], "solver": "fast",
  "handles": [ { "body": 0, "region": { "min": [0, 0, 0], "max": [1, 0.3, 1] } },
    { "body": 0, "region": { "min": [0, 0.7, 0], "max": [1, 1, 1] }, "motion": { "keys": [ { "time": 0 }, { "time": 0.5, "move": [0, -0.6, 0] } ] } } ] }
JSON
for overlay in none inverted; do film --scene wring.json --overlay $overlay --out wring-$overlay-%02d.png; done
[ "$("$probe" diff wring-none-02.png wring-inverted-02.png 12)" -gt 20 ] || die "inverted tets are not shown"

# Oriented particles of a solid, a rod and a sheet: hung up they stay, and what lies swings down. Ellipsoids are in two
# shades of the body's color.
expect 3 'T0719' bear.gel --overlay particles --frames 2 --size 64x48 --out a.png
awk 'BEGIN { for ( i = 0; i <= 20; ++i ) for ( k = 0; k < 6; ++k )
		printf "v %g %g %g\n", i / 20, 0.02 * sin( k * 1.0471976 ), 0.02 * cos( k * 1.0471976 );
	print "v 0 0 0\nv 1 0 0";
	for ( i = 0; i < 20; ++i ) for ( k = 0; k < 6; ++k ) printf "f %d %d %d %d\n", 6 * i + k + 1, 6 * i + ( k + 1 ) % 6 + 1, 6 * i + 7 + ( k + 1 ) % 6, 6 * i + k + 7;
	for ( k = 0; k < 6; ++k ) printf "f 127 %d %d\nf 128 %d %d\n", ( k + 1 ) % 6 + 1, k + 1, 121 + k, 121 + ( k + 1 ) % 6 }' >rod.obj
awk 'BEGIN { for ( i = 0; i <= 16; ++i ) for ( k = 0; k <= 16; ++k ) printf "v %g 0 %g\n", i / 16, k / 16;
	for ( i = 0; i < 16; ++i ) for ( k = 0; k < 16; ++k ) printf "f %d %d %d %d\n", 17 * i + k + 1, 17 * i + k + 2, 17 * i + k + 19, 17 * i + k + 18 }' >sheet.obj
"$GEL_BIN/gel-bake" rod.obj -o rod.gel --particles rod:16 --quiet 2>/dev/null
"$GEL_BIN/gel-bake" sheet.obj -o sheet.gel --particles sheet:64 --quiet 2>/dev/null
"$GEL_BIN/gel-bake" art.glb -o solid.gel --tets 100 --particles solid:40 --quiet
for body in rod sheet solid; do
	solver=()
	[ $body != solid ] || solver=(--solver particles) # rods and sheets are simulated so without asking
	"$preview" $body.gel --scene hang --frames 60 --out $body.csv --quiet "${solver[@]}"
	holds "$(last $body.csv 14) > $(first $body.csv 14) - 0.15" "$body: it falls"
	film $body.gel --plain --scene hang --out "$body-%02d.png" "${solver[@]}"
	film $body.gel --plain --scene hang --overlay particles --out "$body-particles-%02d.png" "${solver[@]}"
	[ "$("$probe" hue $body-particles-02.png r 40)" -gt 30 ] || die "$body: no particles are seen"
	[ "$("$probe" diff $body-02.png $body-particles-02.png 12)" -gt 60 ] || die "$body: particles look like the art"
done
echo '{ "bodies": [ { "at": [0, 1, 0], "collapsed": true } ], "ground": false, "gravity": [0, 0, 0] }' >point.json
expect 3 'only bodies of particles can begin "collapsed"' solid.gel --scene point.json --solver fast --frames 2 --out a.csv
"$preview" solid.gel --scene point.json --solver particles --frames 40 --out point.csv --quiet
holds "$(first point.csv 14) - $(first point.csv 13) < 0.5 * ($(last solid.csv 14) - $(last solid.csv 13)) && $(last point.csv 14) - $(last point.csv 13) > 0.8 * ($(last solid.csv 14) - $(last solid.csv 13))" "a body does not come back from a point"
holds "$(first rod.csv 13) - $(last rod.csv 13) > 0.3 && $(first sheet.csv 13) - $(last sheet.csv 13) > 0.3" "rods and sheets do not swing down"

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

# Both packs were baked from the same art, so it serves both; where only one has it, that is said.
"$preview" bear.gel stiff.gel --side-by-side --art art.glb --frames 2 --moments 1 --size 120x90 --out both.png --quiet 2>stderr
[ ! -s stderr ] && [ "$("$probe" hue both.png r 100)" -lt 120 ] || die "--art does not serve both packs: $(cat stderr)"
cp art.glb bear.glb
expect 0 'stiff.gel: warning: T0722' bear.gel stiff.gel --compare --frames 2 --moments 1 --size 120x90 --out one.png
rm bear.glb
"$preview" solid.gel --scene ramp --solver particles --frames 2 --out through.csv --quiet 2>stderr
[ ! -s stderr ] || die "particles on a ramp: $(cat stderr)"

# A body that was not strained is blue, and the legend says what red means.
"$preview" bear.gel --overlay stress --frames 2 --frame-rate 3 --size 240x180 --out 'stress-%02d.png' --quiet
[ "$("$probe" hue stress-00.png b 40)" -gt 1000 ] && [ "$("$probe" hue stress-00.png r 60)" -lt 200 ] || die "stress at rest is not blue"
[ "$("$probe" hue stress-00.png r 60)" -gt 5 ] || die "no legend"

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
"$preview" bear.gel --frames 6 --frame-rate 20 --size 100x80 --out bear.gif --quiet
[ "$(head -c 6 bear.gif)" = GIF89a ] || die "no GIF file"
expect 2 'T0002' bear.gel --frames 4 --size 64x48 --out nowhere/bear.gif
echo "gel-preview: all scenes are right"
