#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parts that a game may leave out: the library links without each of them, as one file and by CMake with none of them it
# steps a scene of the fast solver, contact and rays to the same bits, and a body of a solver that is not there is refused.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
die() { echo "FAILED: $*" >&2; exit 1; }
# With sections of all parts; those of parts that are not there are skipped.
pack=$work/body.gel
"$GEL_BIN/gel-sample" star --triangles 1000 -o art.obj -q
"$GEL_BIN/gel-bake" art.obj -o "$pack" --tets 200 --lod 60 --warp --particles 12 -q
include=(-std=c17 -I"$GEL_ROOT/runtime/include/gelpack" -I"$GEL_ROOT/runtime/include" -I"$GEL_ROOT/runtime/src" -I"$GEL_ROOT/formats")
flags=() # of the library, if it is sanitized
grep -q '^GELPACK_SANITIZE:BOOL=ON' "$GEL_BUILD/CMakeCache.txt" && flags=(-fsanitize=address,undefined)

cc "${include[@]}" -O0 -c "$GEL_ROOT/tests/package/parts_scene.c" -o scene.o
find "$GEL_BUILD/runtime/CMakeFiles" -name '*.c.o' | while read -r object; do
	source=${object#*.dir/}
	source=$GEL_ROOT/runtime/${source/#__/..}
	[ ! -f "${source%.o}" ] || echo "$object" # else it was moved since the build was made
done >objects
cc "${flags[@]}" scene.o $(cat objects) -lm -o all
./all "$pack" >all.txt
grep '^[0-9]' all.txt >scene.txt
[ "$(wc -l <scene.txt)" -ge 2 ] && ! grep -qE ' 0 [-0-9.]+$| -1$' scene.txt || die "nothing touches, or nothing is hit: $(cat scene.txt)"

# Each part alone and all together, from the objects of the library: only the table of solvers knows that they are gone.
sed -n 's/^gel_part( \([A-Z]*\) "[^"]*" \(.*\) )$/\1 \2/p' "$GEL_ROOT/runtime/CMakeLists.txt" >parts
[ "$(wc -l <parts)" -ge 6 ] || die "parts are missing: $(cat parts)"
link_without() { # NAME PATTERN DEFINITIONS
	local name=$1 pattern=$2
	shift 2
	grep -vE "/src/($pattern)/[^/]*$|/solver_table\.c\.o$" objects >left
	cc "${include[@]}" "$@" -O0 -c "$GEL_ROOT/runtime/src/world/solver_table.c" -o table.o
	cc "${flags[@]}" scene.o table.o $(cat left) -lm -o "$name" || die "does not link without $name"
	"./$name" "$pack" >"$name.txt"
	diff scene.txt <(grep '^[0-9]' "$name.txt") || die "without $name the fast solver steps differently"
}
while read -r part folders; do
	# what needs a part goes with it (runtime/src/core/parts.h)
	[ "$part" != CONSTRAINTS ] || folders="$folders draw solvers/implicit solvers/warp solvers/experiments"
	[ "$part" != IMPLICIT ] || folders="$folders solvers/warp solvers/experiments"
	link_without "$part" "${folders// /|}" "-DGELPACK_NO_$part"
done <parts
grep -q '^solver 1: success' all.txt && grep -q '^solver 1: .*lacks the solver' IMPLICIT.txt || die "the implicit solver is left out: $(cat IMPLICIT.txt)"
link_without none "$(cut -d' ' -f2- parts | tr ' \n' '||' | sed 's/|$//')" $(sed 's/\([A-Z]*\) .*/-DGELPACK_NO_\1/' parts)

# One file, without plain kernels and AVX-512.
without=$(sed 's/\([A-Z]*\) .*/-DGELPACK_NO_\1/' parts)
"$GEL_ROOT/scripts/amalgamate" one
cc -std=c17 -O0 -Wall -Wextra -Werror -Ione $without -DGELPACK_NO_PLAIN -DGELPACK_NO_AVX512 one/gelpack.c scene.o -lm -o one.out
./one.out "$pack" >one.txt
[ "$(grep -c '^[0-9]' one.txt)" -ge 2 ] || die "levels are missing: $(cat one.txt)"
! grep '^[0-9]' one.txt | cut -d' ' -f2- | grep -vxFf <(cut -d' ' -f2- scene.txt) || die "one file steps differently"
diff <(grep solver none.txt) <(grep solver one.txt) || die "one file has other solvers"

# By CMake, one level of SIMD.
cmake -S "$GEL_ROOT/runtime" -B cmake -G Ninja -DCMAKE_C_FLAGS=-O0 -DGELPACK_ALL_LEVELS=OFF \
	$(sed 's/\([A-Z]*\) .*/-DGELPACK_\1=OFF/' parts) >log 2>&1 && ninja -C cmake gelpack >>log 2>&1 || { cat log; exit 1; }
cc scene.o cmake/libgelpack.a -lm -o cmake.out
./cmake.out "$pack" >cmake.txt
! grep '^[0-9]' cmake.txt | cut -d' ' -f2- | grep -vxFf <(cut -d' ' -f2- scene.txt) || die "by CMake it steps differently"
echo "$(wc -l <parts) parts can be left out"
