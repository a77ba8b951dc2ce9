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
	# -g1: lines of a backtrace are all that a report needs, and they compile and link faster
	add_compile_options( -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 )
	add_link_options( -fsanitize=address,undefined )
endif()
if ( GELPACK_TSAN )
	add_compile_options( -fsanitize=thread -fno-omit-frame-pointer )
	add_link_options( -fsanitize=thread )
endif()
