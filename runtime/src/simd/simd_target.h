// SPDX-License-Identifier: MIT
// What a file of kernels is compiled for. The build names the level (GEL_SIMD_LEVEL, the suffix of its
// tables) and what it may use (GEL_SIMD_AVX2 and others, see simd.h). Compiled by hand, it is what the
// compiler makes code for anyway.
#pragma once

#include "simd/levels.h"

#if !defined( GEL_SIMD_LEVEL )
#define GEL_SIMD_NATIVE
#if defined( __AVX2__ )
#define GEL_SIMD_AVX2
#define GEL_SIMD_LEVEL avx2
#if defined( __FMA__ )
#define GEL_SIMD_FMA
#endif
#elif defined( __SSE2__ )
#define GEL_SIMD_SSE2
#define GEL_SIMD_LEVEL sse2
#elif defined( __aarch64__ )
#define GEL_SIMD_NEON
#define GEL_SIMD_LEVEL neon
#elif defined( __wasm_simd128__ )
#define GEL_SIMD_WASM
#define GEL_SIMD_LEVEL simd128
#else
#define GEL_SIMD_NONE
#define GEL_SIMD_LEVEL plain
#endif
#endif

#define GEL_PASTE( a, b )                  a##_##b
#define GEL_PASTE_LEVEL( a, b )            GEL_PASTE( a, b )
#define GEL_DECLARE( type, level, suffix ) extern const type type##_##suffix;
#define GEL_CASE( type, level, suffix )                                                                      \
	case level:                                                                                              \
		return &type##_##suffix;

// GEL_KERNELS( gelNodeKernels, gelGetNodeKernels ) = { ... }; is the table of this level. The lowest level
// also has the function that finds the table of any level: NULL when the build has none.
#define GEL_KERNELS( type, get ) GEL_KERNELS_OF( type, get, avx2, avx512 )
#if defined( GEL_SIMD_NATIVE ) || defined( GEL_SIMD_NONE ) ||                                                \
	( defined( GELPACK_NO_PLAIN ) && ( defined( GEL_SIMD_SSE2 ) || defined( GEL_SIMD_NEON ) ) )
#define GEL_KERNELS_OF( type, get, avx2, avx512 )                                                            \
	GEL_FOR_LEVELS( GEL_DECLARE, type, avx2, avx512 )                                                        \
	const type* get( gelSimdLevel level )                                                                    \
	{                                                                                                        \
		switch ( level )                                                                                     \
		{                                                                                                    \
			GEL_FOR_LEVELS( GEL_CASE, type, avx2, avx512 )                                                   \
			default:                                                                                         \
				return NULL;                                                                                 \
		}                                                                                                    \
	}                                                                                                        \
	const type GEL_PASTE_LEVEL( type, GEL_SIMD_LEVEL )
#else
#define GEL_KERNELS_OF( type, get, avx2, avx512 ) const type GEL_PASTE_LEVEL( type, GEL_SIMD_LEVEL )
#endif
