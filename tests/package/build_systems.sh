#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/build_systems.md: its CMake (with Ninja and Make), Make and Meson files bake every pack once, nothing when nothing
# changed, and after a touch of one file exactly the packs that it went into.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
die() { echo "FAILED: $*" >&2; exit 1; }
cmake --install "$GEL_BUILD" --prefix "$work/usr" >log || die "$(cat log)"
mkdir project project/art
awk -v folder=project -f "$GEL_ROOT/tests/package/guide_blocks.awk" "$GEL_ROOT/docs/build_systems.md"
cd project
# One with a file beside it that the depfile alone knows of.
"$GEL_BIN/gel-sample" knot -o art/ball.obj --triangles 1000 --quiet
"$GEL_BIN/gel-sample" star -o art/star.glb --triangles 1000 --quiet
printf 'newmtl skin\nKd 1 0 0\n' >art/skin.mtl
sed -i '1i mtllib skin.mtl\nusemtl skin' art/ball.obj
. "$GEL_ROOT/tests/support/told_bakes.bash"
tell_bakes "$work/usr/bin"
export PATH=$work/usr/bin:$PATH CMAKE_PREFIX_PATH=$work/usr

# The packs that a build bakes, by name.
baked() { # command...
	forget_bakes
	"$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; die "$*"; }
	told_bakes
}
# Files have the time of the kernel's last tick: a touch counts when the file is newer than what was made of it.
touch_after() { # file, folder of the packs
	local pack
	for pack in "$2"/*.gel; do until [ "$1" -nt "$pack" ]; do touch "$1"; done; done
}
expect() { [ "$2" = "$3" ] || { cat "$work/log" >&2; die "$1: baked '$2' instead of '$3'"; }; }
# follow NAME FOLDER COMMAND...
follow() {
	local name=$1 folder=$2
	shift 2
	expect "$name, first" "$(baked "$@")" 'ball.gel star.gel'
	expect "$name, again" "$(baked "$@")" ''
	touch_after art/star.glb "$folder"
	expect "$name, star.glb touched" "$(baked "$@")" 'star.gel'
	touch_after art/skin.mtl "$folder"
	expect "$name, skin.mtl touched" "$(baked "$@")" 'ball.gel'
	expect "$name, at last" "$(baked "$@")" ''
	for pack in "$folder"/*.gel; do cmp "$pack" "$work/$(basename "$pack")" || die "$name: $pack has other bytes"; done
}
for art in art/*.obj art/*.glb; do
	gel-bake "$art" -o "$work/$(basename "${art%.*}").gel" --young 5e4 --quiet
done
for generator in Ninja 'Unix Makefiles'; do
	cmake -S . -B "build-$generator" -G "$generator" >"$work/log" 2>&1 || die "$(cat "$work/log")"
	follow "CMake with $generator" "build-$generator/packs" cmake --build "build-$generator"
	sed -i 's/--young 5e4/--young 6e4/' CMakeLists.txt
	touch_after CMakeLists.txt "build-$generator/packs"
	expect "CMake with $generator, another option" "$(baked cmake --build "build-$generator")" 'ball.gel star.gel'
	sed -i 's/--young 6e4/--young 5e4/' CMakeLists.txt
done
follow Make packs make

rm -rf packs
gel-bake --manifest bodies.json --quiet
cmp packs/ball.gel "$work/ball.gel" || die "the manifest: other bytes"
gel-inspect packs/special/star.gel >"$work/log"
grep -q '"poissonsRatio": 0.4' "$work/log" || die "the manifest: options of an asset"

command -v meson >/dev/null || { echo "SKIPPED: meson is not installed (scripts/setup does that)"; exit 77; }
meson setup build-meson >"$work/log" 2>&1 || die "$(cat "$work/log")"
follow Meson build-meson ninja -C build-meson
echo "CMake, Make and Meson bake what changed"
