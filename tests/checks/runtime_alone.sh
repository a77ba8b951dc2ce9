#!/usr/bin/env bash
# The runtime builds from its own folder and the read side of the formats, links with libm only, and asks the
# system for nothing but a short list of C library functions.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A tree that holds nothing but what the runtime may use: an include of anything else breaks the build.
mkdir "$work/tree"
cp -r "$GEL_ROOT/CMakeLists.txt" "$GEL_ROOT/CMakePresets.json" "$GEL_ROOT/cmake" "$GEL_ROOT/runtime" "$work/tree"
mkdir -p "$work/tree/formats/pack"
cp "$GEL_ROOT"/formats/pack/pack_{layout.h,read*.[ch],hash*.c,validate*.[ch]} "$work/tree/formats/pack"
cmake -S "$work/tree" -B "$work/build" -G Ninja -DGELPACK_RUNTIME_ONLY=ON >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# A game adds the folder to its own CMake project. Without optimization, and with two of the levels of SIMD: what it proves is
# that the tree is enough. package_amalgamation reads the headers of all levels, and dies of one that is not of the runtime.
mkdir "$work/game-project"
cat >"$work/game-project/CMakeLists.txt" <<END
cmake_minimum_required( VERSION 3.16 )
project( game C )
add_subdirectory( $work/tree/runtime gelpack )
add_executable( game $GEL_ROOT/examples/game_loop.c )
target_link_libraries( game PRIVATE gelpack )
END
cmake -S "$work/game-project" -B "$work/game-build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
	-DGELPACK_PLAIN=OFF -DGELPACK_AVX512=OFF >"$work/log" 2>&1 \
	&& ninja -C "$work/game-build" game >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# Or it compiles the sources with its own, as README.md says: kernels for the one level that needs no options.
cc -std=c17 -O0 -I"$work/tree/runtime/include" -I"$work/tree/runtime/src" -I"$work/tree/formats" "$GEL_ROOT/examples/game_loop.c" \
	$(find "$work/tree/runtime/src" "$work/tree/formats" -name '*.c') -lm -o "$work/plain-game"
"$work/plain-game" "$GEL_ROOT/tests/golden/ball-0.1.gel" | cmp - <("$work/game-build/game" "$GEL_ROOT/tests/golden/ball-0.1.gel")

# What it needs is looked at in the optimized library of this build.
library=$GEL_BUILD/runtime/libgelpack.a
[ -f "$library" ] || { echo "there is no $library"; exit 1; }

# The example game links with the library and libm, and with the C library that is always there.
cc -std=c17 -Wall -Wextra -Werror -I"$GEL_ROOT/runtime/include" "$GEL_ROOT/examples/game_loop.c" "$library" -lm -o "$work/game"
needed=$(readelf -d "$work/game" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux.*)\.so' || true)
[ -z "$needed" ] || { echo "the runtime pulls in: $needed"; exit 1; }

allowed='aligned_alloc|malloc|free|memcpy|memmove|memset|memcmp|strlen|strcmp|strncmp|fopen|fclose|fread|fseek|ftell|ferror|feof|snprintf|vsnprintf|abort|madvise'
# sincosf is what gcc makes of sinf and cosf of one angle.
allowed="$allowed|sqrtf?|fabsf?|fminf?|fmaxf?|floorf?|ceilf?|acosf?|asinf?|atan2f?|cosf?|sinf?|sincosf?|roundf?|frexpf?|ldexpf?|fmaf|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__assert_fail|__fprintf_chk|fprintf|stderr"
defined=$(nm --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
foreign=$(nm --undefined-only "$library" 2>/dev/null | awk 'NF == 2 { print $2 }' | sort -u | grep -vxF "$defined" | grep -vxE "$allowed" || true)
[ -z "$foreign" ] || { echo "the runtime uses functions that it may not:"; echo "$foreign"; exit 1; }

# No writable data: no globals. Const tables of functions (.data.rel.ro) are written by the loader alone.
writable=$(objdump -t "$library" 2>/dev/null | awk '/ \.t?(data|bss)| \*COM\*/ && !/ \.data\.rel\.ro/ && !/ df? / { print $NF }' || true)
[ -z "$writable" ] || { echo "the runtime has global variables: $writable"; exit 1; }
# Experiments (gelpack/experimental.h) are in no game that does not ask for one, and in one that does.
experiments=$(ls "$GEL_ROOT"/runtime/src/solvers/experiments | sed -n 's/\.c$/.c.o:/p')
nm --defined-only "$library" 2>/dev/null | awk -v wanted="$experiments" 'BEGIN { n = split( wanted, list ); while ( n > 0 ) members[list[n--]] = 1 }
	NF == 1 { isOurs = $1 in members } NF == 3 && isOurs && $2 ~ /[A-Z]/ { print $3 }' | sort -u >"$work/experiments"
[ "$(wc -l <"$work/experiments")" -gt 10 ] || { echo "there are no experiments in $library"; exit 1; }
met=$(nm "$work/game" | awk '{ print $NF }' | grep -xFf "$work/experiments" || true)
[ -z "$met" ] || { echo "a game has code of experiments:" $met; exit 1; }
printf '#include "gelpack/experimental.h"\nint main( void ) { return gelDefaultImplicitVariant().code == NULL; }\n' >"$work/variant.c"
cc -std=c17 -I"$GEL_ROOT/runtime/include" "$work/variant.c" "$library" -lm -o "$work/variant"
"$work/variant" && grep -qw gelSolveMinres <(nm "$work/variant") || { echo "experiments are not to be had"; exit 1; }
echo "the runtime stands alone"
