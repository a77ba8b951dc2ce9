#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cache of packs: the same bytes as a bake, a miss for whatever changes them, no damaged entry is ever used, several
# writers at once, and a folder that cannot be written costs nothing but time.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
# expect yes|no NAME OPTIONS...: bakes with the cache; was it a hit, and are the bytes those of a bake without?
expect() {
	local hit=$1 name=$2
	shift 2
	"$GEL_BIN/gel-bake" "$@" -o "$name.gel" --cache cache --json "$name.report" --quiet || die "$name: exit code $?"
	grep -q '"cached": '"$([ "$hit" = yes ] && echo true || echo false)" "$name.report" || die "$name: not $hit"
	"$GEL_BIN/gel-bake" "$@" -o plain.gel --quiet
	cmp -s "$name.gel" plain.gel || die "$name: other bytes than without a cache"
}
"$GEL_BIN/gel-sample" box -o box.obj --triangles 1000 --quiet
# cages that hold it, so that no time goes into making them again and again
"$GEL_BIN/gel-tetrafy" box.obj -o base.msh --tets 60 --quiet
"$GEL_BIN/gel-tetrafy" box.obj -o cage.msh --tets 200 --quiet
printf 'newmtl skin\nKd 1 0 0\n' >skin.mtl
sed -i '1i mtllib skin.mtl\nusemtl skin' box.obj
echo '{ "materials": { "a": { "young": 1e6 } }, "regions": [ { "material": "a", "box": [-1, -1, -1, 1, 0, 1] } ] }' >regions.json

expect no first box.obj --cage base.msh
expect yes again box.obj --cage base.msh
expect yes threads box.obj --threads 2 --cage base.msh # what does not change the pack is no part of the key
expect yes order --cage=base.msh box.obj
expect no tets box.obj --tets 200
expect no young box.obj --cage base.msh --young 2e5
expect no name box.obj --cage base.msh --name other
expect no cage box.obj --cage cage.msh
expect yes cage2 box.obj --cage cage.msh
expect no regions box.obj --cage cage.msh --materials regions.json
expect yes regions2 box.obj --cage cage.msh --materials regions.json
sed -i 's/1e6/2e6/' regions.json
expect no regions3 box.obj --cage cage.msh --materials regions.json
cp cage.msh other.msh
expect yes cage3 box.obj --cage other.msh # files count by their bytes, not by their names
cp base.msh cage.msh
echo >>cage.msh
expect no cage4 box.obj --cage cage.msh
sed -i 's/Kd 1 0 0/Kd 0 1 0/' skin.mtl
expect no material box.obj --cage base.msh
cp box.obj copy.obj
expect no copy copy.obj --cage base.msh # its name is in the pack
echo '# a comment' >>box.obj
expect no comment box.obj --cage base.msh
"$GEL_BIN/gel-bake" box.obj --cage base.msh -o forced.gel --cache cache --force --json forced.report --quiet
grep -q '"cached": false' forced.report || die "--force"
cmp -s forced.gel comment.gel || die "--force: other bytes"
"$GEL_BIN/gel-bake" box.obj --cage base.msh -o said.gel --cache cache --depfile said.d >said
grep -q 'tets.*from the cache$' said || die "the summary does not say it"
grep -q skin.mtl said.d || die "no depfile from the cache"

# ---- damage: every entry is cut, changed or emptied; each is a miss and is whole again afterwards ------------------
entries=$(find cache -name '*.gel' | wc -l)
for damage in 'truncate -s -1' 'truncate -s 0' 'flip'; do
	flip() { printf '\xA5' | dd of="$1" bs=1 seek=5000 conv=notrunc status=none; }
	find cache -name '*.gel' >list
	while read -r entry; do $damage "$entry"; done <list
	expect no "damaged" box.obj --cage base.msh
	expect yes "mended" box.obj --cage base.msh
done
# a whole pack of other art in its place
find cache -name '*.gel' >list
while read -r entry; do cp copy.gel "$entry"; done <list
expect no "foreign" box.obj --cage base.msh
expect yes "mended" box.obj --cage base.msh
! find cache -name '.gelpack-*' | grep . || die "temporary files are left"
[ "$entries" -ge 8 ] || die "so few entries: $entries"

# ---- warnings count as if the pack were baked now -----------------------------------------------------------------
"$GEL_BIN/gel-sample" bowl -o bowl.obj --triangles 1000 --quiet
grep -v '^f' bowl.obj >open.obj
grep '^f' bowl.obj | awk '{ print "f", $2, $4, $3 }' >>open.obj
"$GEL_BIN/gel-bake" open.obj -o open.gel --cache cache 2>warned >/dev/null || true
if grep -q ': warning: T0' warned; then
	status=0
	"$GEL_BIN/gel-bake" open.obj -o open2.gel --cache cache --json open.report 2>again >/dev/null || status=$?
	grep -q '"cached": true' open.report || die "a pack with warnings is not in the cache"
	for number in $(grep -oE 'warning: T0[0-9]+' warned | sort -u | cut -d' ' -f2); do
		grep -q "warning: $number" again || die "warning $number is gone when the pack is from the cache: $(cat again)"
	done
	status=0
	"$GEL_BIN/gel-bake" open.obj -o open3.gel --cache cache --warnings-as-errors 2>again || status=$?
	[ $status -eq 3 ] && [ ! -e open3.gel ] || die "--warnings-as-errors with the cache: $status"
else
	die "this mesh was to cause a warning: $(cat warned)"
fi

# ---- several writers at once --------------------------------------------------------------------------------------
rm -rf cache
for i in 1 2 3 4; do "$GEL_BIN/gel-bake" box.obj --cage base.msh -o "at$i.gel" --cache cache --quiet & done
wait
for i in 1 2 3 4; do cmp -s "at$i.gel" comment.gel || die "writer $i: other bytes"; done
[ "$(find cache -type f | wc -l)" -eq 1 ] || die "not one entry: $(find cache -type f)"

# ---- a cache that cannot be written, a disk that is full ----------------------------------------------------------
echo file >blocked
"$GEL_BIN/gel-bake" box.obj --cage base.msh -o ok.gel --cache blocked/cache 2>err >/dev/null || die "a cache that cannot be made: $?"
grep -q '^blocked/cache: info: T0550: .*not put into the cache' err || die "nothing is said: $(cat err)"
cmp -s ok.gel comment.gel || die "a cache that cannot be made"
cat >full.sh <<-'END'
	mount -t tmpfs -o size=100k none disk || exit 77
	status=0
	"$GEL_BIN/gel-bake" box.obj --cage base.msh -o ok.gel --cache disk 2>err || status=$?
	[ $status -eq 0 ] && grep -q 'T0550: .*No space left on device' err || { echo "a full cache: $status, $(cat err)"; exit 1; }
	status=0
	"$GEL_BIN/gel-bake" box.obj --cage base.msh -o disk/full.gel --cache cache 2>err || status=$?
	[ $status -eq 2 ] && grep -q '^disk/full.gel: error: T0002: cannot be written: No space left on device' err || { echo "a full disk: $status, $(cat err)"; exit 1; }
	[ -z "$(find disk -type f)" ] || { echo "left on the full disk: $(find disk -type f)"; exit 1; }
END
mkdir disk
status=0
unshare -m bash full.sh >said 2>&1 || status=$?
if [ $status -eq 1 ] && ! grep -qE 'unshare|mount' said; then die "$(cat said)"; fi
[ $status -eq 0 ] && full=', a full disk' || full=''
echo "the cache: all as it should be$full"
