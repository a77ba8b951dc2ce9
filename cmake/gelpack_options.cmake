# How our own code is compiled. Third-party headers come in as SYSTEM and are left alone.

set( GELPACK_WARNINGS
	-Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wpointer-arith -Wcast-qual -Wwrite-strings
	-Wstrict-prototypes -Wmissing-prototypes )
# Warnings are errors for us, but not inside somebody else's project with a compiler that we have not seen.
if ( CMAKE_PROJECT_NAME STREQUAL "gelpack" )
	list( APPEND GELPACK_WARNINGS -Werror )
endif()

# -ffp-contract=off: a fused multiply-add rounds once instead of twice. Whether the compiler makes one
# would change baked bytes and step bits from machine to machine, so it never may.
# -fno-tree-slp-vectorize: GCC 12 forgets to round in { (float)p.x, (float)p.y, (float)p.z } of doubles when it
# joins the members to a vector (test_codegen), so that bytes would depend on the level of optimization. Our
# wide kernels are written by hand and lose nothing.
set( GELPACK_CODEGEN -ffp-contract=off -fno-math-errno -fno-strict-aliasing -fno-tree-slp-vectorize )

function( gel_own_code target )
	target_compile_options( ${target} PRIVATE ${GELPACK_WARNINGS} ${GELPACK_CODEGEN} )
	if ( GELPACK_ASSERTS )
		target_compile_definitions( ${target} PRIVATE GEL_ENABLE_ASSERTS )
	endif()
	# Mistakes of callers abort where nobody ships the build (runtime/src/core/caller_error.h).
	if ( GELPACK_SANITIZE OR GELPACK_TSAN )
		target_compile_definitions( ${target} PRIVATE GEL_ENABLE_CALLER_ASSERTS )
	else()
		target_compile_definitions( ${target} PRIVATE $<$<CONFIG:Debug>:GEL_ENABLE_CALLER_ASSERTS> )
	endif()
endfunction()

# Tools, tests and examples may use POSIX; the runtime may not.
function( gel_tool_code target )
	gel_own_code( ${target} )
	target_compile_definitions( ${target} PRIVATE _POSIX_C_SOURCE=200809L )
	if ( NOT GELPACK_OPENMP )
		target_compile_options( ${target} PRIVATE -Wno-unknown-pragmas )
	endif()
endfunction()

if ( GELPACK_SANITIZE )
	# -O1: half of the time to compile of -O2, for a tenth more to run; the checks are the same, and optimized code is what the
	# release build tests. -g1: lines of a backtrace are all that a report needs.
	# -no-pie: undefined-behavior checks bring a record of pointers each, some 300,000 in a test program, which the linker
	# would list and the loader relocate one by one.
	add_compile_options( -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1 )
	add_link_options( -fsanitize=address,undefined $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie> )
endif()
if ( GELPACK_FUZZ )
	add_compile_options( -fsanitize=fuzzer-no-link )
endif()
if ( GELPACK_TSAN )
	add_compile_options( -fsanitize=thread -fno-omit-frame-pointer )
	add_link_options( -fsanitize=thread )
endif()
