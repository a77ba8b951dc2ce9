#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Forty assets through a CMake project that uses the installed package: touch one, one is baked; a second clean build takes
# all of them from the cache; one and two jobs of a batch, and the shards that GNU parallel runs, give the same bytes.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
. "$GEL_ROOT/tests/support/forty_assets.bash"
quietly() { "$@" >log 2>&1 || { cat log >&2; die "$*"; }; }
quietly cmake --install "$GEL_BUILD" --prefix "$folder/usr"
export PATH=$folder/usr/bin:$PATH CMAKE_PREFIX_PATH=$folder/usr
make_forty_assets
echo '{ "cage": { "file": "cage.msh" } }' >recipe.json
cat >CMakeLists.txt <<'END'
cmake_minimum_required( VERSION 3.20 )
project( bodies NONE )
find_package( gelpack REQUIRED COMPONENTS tools )
file( GLOB art art/*.obj )
gelpack_bake( bodies SOURCES ${art} RECIPE recipe.json CACHE ${CMAKE_SOURCE_DIR}/cache OUTPUT_DIRECTORY packs PACKS packs )
list( LENGTH packs count )
if ( NOT count EQUAL 40 )
	message( FATAL_ERROR "${count} packs" )
endif()
END
. "$GEL_ROOT/tests/support/told_bakes.bash"
tell_bakes "$folder/usr/bin"

quietly cmake -S . -B build -G Ninja
quietly ninja -C build -j 2
[ "$(told_bakes | wc -w)" -eq 40 ] || die "not forty bakes: $(told_bakes)"
[ "$(find build/packs -name '*.gel' | wc -l)" -eq 40 ] || die "not forty packs: $(find build/packs -name '*.gel' | wc -l)"
[ "$(find cache -name '*.gel' | wc -l)" -eq 40 ] || die "not forty entries: $(find cache -name '*.gel' | wc -l)"
forget_bakes
sed -i '$a # touched' art/jelly3.obj
quietly ninja -C build
changed=$(told_bakes)
[ "$changed" = jelly3.gel ] || die "after a touch of jelly3.obj these were baked: $changed"

# A second clean build: every pack is a hit, so no entry is added, and all have been used.
find cache -name '*.gel' -exec touch -d '1 hour ago' {} +
touch -d '1 minute ago' now
quietly cmake -S . -B clean -G Ninja
quietly ninja -C clean -j 2
[ "$(find cache -name '*.gel' -newer now | wc -l)" -eq 40 ] || die "hits: $(find cache -name '*.gel' -newer now | wc -l) of 40"
[ "$(find cache -name '*.gel' | wc -l)" -eq 41 ] || die "entries: $(find cache -name '*.gel' | wc -l)"
diff -r --exclude='*.d' build/packs clean/packs || die "packs from the cache have other bytes"

for jobs in 1 2; do
	quietly gel-bake --manifest bodies.json --jobs $jobs
	diff -r --exclude='*.d' packs build/packs || die "$jobs jobs: other bytes"
	rm -rf packs
done
if command -v parallel >/dev/null; then
	awk -v folder=. -f "$GEL_ROOT/tests/package/guide_blocks.awk" <(sed -n '/^```sh parallel.sh$/,/^```$/p' "$GEL_ROOT/docs/build_systems.md")
	quietly bash -e parallel.sh
	diff -r --exclude='*.d' packs build/packs || die "GNU parallel: other bytes"
	also=', GNU parallel'
fi
echo "forty assets: a touch bakes one, a clean build hits 40 of 40; the same bytes from 1 and 2 jobs${also-}"
