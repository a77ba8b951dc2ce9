#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The installed tree: others find it with CMake and pkg-config, link the archive or the shared library, in C and C++,
# wherever it is moved to; the shared library gives away what the public headers declare and nothing else.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
quietly() { "$@" >log 2>&1 || { cat log >&2; die "$*"; }; }

quietly cmake --install "$GEL_BUILD" --prefix "$folder/first"
mv first moved
usr=$folder/moved
lib=$(dirname "$(find "$usr" -name libgelpack.a)")
version=$(sed -nE 's/^#define GEL_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$GEL_ROOT/runtime/include/gelpack/base.h" | paste -sd.)
if grep -rnF -e "$GEL_ROOT" -e "$GEL_BUILD" -e "$folder/first" --include='*.cmake' --include='*.pc' --include='*.h' "$usr"; then
	die "the lines above name a folder of this machine"
fi

[ -n "$(find "$usr" -name recipe.schema.json)" ] || die "the schemas are not there"

# ---- the shared library -------------------------------------------------------------------------------------------
grep -ohE '\bgel[A-Za-z0-9]+(_[A-Za-z0-9]+)?\(' <(cat "$usr"/include/gelpack/*.h | tr '\n' ' ' | grep -oE 'GEL_API [^;]*\(' ) | tr -d '(' | sort -u >declared
nm -D --defined-only "$lib/libgelpack.so" | awk '{ print $3 }' | sort -u >exported
diff declared exported >differs || die "declared (<) and exported (>) are not the same: $(cat differs)"
[ "$(wc -l <exported)" -gt 100 ] || die "so few functions: $(wc -l <exported)"
grep -q "SONAME.*\[libgelpack\.so\.${version%.*}\]" <(readelf -d "$lib/libgelpack.so") || die "soname of $version: $(readelf -d "$lib/libgelpack.so")"
needed=$(readelf -d "$lib/libgelpack.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux.*)\.so' || true)
[ -z "$needed" ] || die "the shared library needs $needed"

# ---- CMake, C and C++ ---------------------------------------------------------------------------------------------
{
	for header in "$usr"/include/gelpack/*.h; do echo "#include <gelpack/$(basename "$header")>"; done
	cat <<-'END'
	#include <cstdio>
	#include <cstring>
	static_assert( GEL_VERSION_NUMBER == GEL_VERSION_MAJOR * 10000 + GEL_VERSION_MINOR * 100 + GEL_VERSION_PATCH, "" );
	int main()
	{
		gelVersion v = gelGetVersion();
		gelWorldDef def = gelDefaultWorldDef();
		gelWorldId world;
		if ( gelCreateWorld( &def, &world ) != gel_success ) return 1;
		gelDestroyWorld( world );
		std::printf( "%s %d.%d.%d\n", GEL_VERSION_STRING, v.major, v.minor, v.patch );
	}
	END
} >plus.cpp
cp "$GEL_ROOT/examples/game_loop.c" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required( VERSION 3.20 )
project( user C CXX )
find_package( gelpack ${WANTED} REQUIRED COMPONENTS ${KIND} tools )
set( CMAKE_CXX_STANDARD 17 )
add_compile_options( -Wall -Wextra -Wpedantic -Werror )
add_executable( game game_loop.c )
add_executable( plus plus.cpp )
target_link_libraries( game PRIVATE gelpack::runtime )
target_link_libraries( plus PRIVATE gelpack::runtime )
file( GENERATE OUTPUT tool CONTENT "$<TARGET_FILE:gelpack::bake>" )
END
for kind in static shared; do
	quietly cmake -S . -B $kind -G Ninja -DKIND=$kind -DWANTED="${version%.*}" -DCMAKE_PREFIX_PATH="$usr"
	quietly ninja -C $kind
	[ "$($kind/plus)" = "$version $version" ] || die "$kind: version $version, but $($kind/plus)"
	$kind/game "$GEL_ROOT/tests/golden/ball-0.1.gel" >$kind.out
	grep -q 'NEEDED.*libgelpack' <(readelf -d $kind/game) && found=shared || found=static
	[ $found = $kind ] || die "asked for the $kind library, linked the $found one"
	[ "$("$(cat $kind/tool)" --version)" = "$("$GEL_BIN/gel-bake" --version)" ] || die "gelpack::bake is another one"
done
cmp static.out shared.out || die "archive and shared library differ"
[ -s static.out ] || die "no output"
if cmake -S . -B wrong -G Ninja -DKIND=static -DWANTED=99.0 -DCMAKE_PREFIX_PATH="$usr" >log 2>&1; then die "version 99 was found"; fi
if cmake -S . -B wrong -G Ninja -DKIND=turbo -DCMAKE_PREFIX_PATH="$usr" >log 2>&1; then die "a component that is none was found"; fi

# ---- pkg-config ---------------------------------------------------------------------------------------------------
export PKG_CONFIG_PATH=$lib/pkgconfig
[ "$(pkg-config --modversion gelpack)" = "$version" ] || die "pkg-config: $(pkg-config --modversion gelpack)"
# shellcheck disable=SC2046 # words on purpose
cc -std=c17 game_loop.c $(pkg-config --cflags --libs gelpack) -o game.shared
# shellcheck disable=SC2046
cc -std=c17 -static game_loop.c $(pkg-config --cflags --libs --static gelpack) -o game.static
LD_LIBRARY_PATH=$lib ./game.shared "$GEL_ROOT/tests/golden/ball-0.1.gel" | cmp - static.out || die "pkg-config"
./game.static "$GEL_ROOT/tests/golden/ball-0.1.gel" | cmp - static.out || die "pkg-config --static"
echo "installed, moved and used: $(wc -l <exported) functions"
