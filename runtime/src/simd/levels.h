// SPDX-License-Identifier: MIT
// Levels of SIMD: instruction sets that kernels are compiled for. All of them give the same bits; a world
// picks one when it is made and keeps it.
//
// A file of kernels (..._kernels.c) holds the inner loops of its module, written once over wide floats
// (simd.h), and fills one const table of them (simd_target.h). The build compiles it once per level, so that
// there is a table for each, by suffix (_plain, _avx2 ...); gelGetNodeKernels( level ) finds the one
// that is asked for. Compiled by hand, with no GEL_ALL_LEVELS, there is one level: the one that the compiler
// makes code for anyway.
#pragma once

#include "gelpack/types.h"

#include <stdbool.h>

/// Bodies side by side at most: lanes of the widest registers.
#define GEL_MAX_LANES 16

/// Fewer bodies than this are faster one by one than side by side in eight lanes: all lanes cost the same
/// whether a body is in them or not.
#define GEL_MIN_LANES 7

// GEL_FOR_LEVELS( DO, type, fast, fastest ): DO( type, level, suffix ) for the levels of this build. The
// suffixes of two levels are named by the caller, because some kernels are compiled for more than the level
// promises.
#if defined( GEL_ALL_LEVELS )
#if defined( __GNUC__ ) && defined( __SSE2__ )
#define GEL_LEVELS_X86
#define GEL_FOR_LEVELS( DO, type, fast, fastest )                                                            \
	GEL_FOR_PLAIN( DO, type )                                                                                \
	DO( type, gel_simdSse2, sse2 )                                                                           \
	DO( type, gel_simdAvx2, fast )                                                                           \
	GEL_FOR_AVX512( DO, type, fastest )
#elif defined( __aarch64__ )
#define GEL_LEVELS_ARM
#define GEL_FOR_LEVELS( DO, type, fast, fastest )                                                            \
	GEL_FOR_PLAIN( DO, type )                                                                                \
	DO( type, gel_simdNeon, neon )
#else
#define GEL_BASE_LEVEL                            gel_simdScalar
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdScalar, plain )
#endif
// Levels that a build may leave out.
#if defined( GEL_LEVELS_X86 ) || defined( GEL_LEVELS_ARM )
#if !defined( GELPACK_NO_PLAIN )
#define GEL_BASE_LEVEL            gel_simdScalar
#define GEL_FOR_PLAIN( DO, type ) DO( type, gel_simdScalar, plain )
#else
#define GEL_FOR_PLAIN( DO, type )
#if defined( GEL_LEVELS_X86 )
#define GEL_BASE_LEVEL gel_simdSse2
#else
#define GEL_BASE_LEVEL gel_simdNeon
#endif
#endif
#if !defined( GELPACK_NO_AVX512 )
#define GEL_FOR_AVX512( DO, type, suffix ) DO( type, gel_simdAvx512, suffix )
#else
#define GEL_FOR_AVX512( DO, type, suffix )
#endif
#endif
#elif defined( __AVX2__ )
#define GEL_BASE_LEVEL                            gel_simdAvx2
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdAvx2, avx2 )
#elif defined( __SSE2__ )
#define GEL_BASE_LEVEL                            gel_simdSse2
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdSse2, sse2 )
#elif defined( __aarch64__ )
#define GEL_BASE_LEVEL                            gel_simdNeon
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdNeon, neon )
#elif defined( __wasm_simd128__ )
#define GEL_BASE_LEVEL                            gel_simdWasm
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdWasm, simd128 )
#else
#define GEL_BASE_LEVEL                            gel_simdScalar
#define GEL_FOR_LEVELS( DO, type, fast, fastest ) DO( type, gel_simdScalar, plain )
#endif

/// The level itself if this processor and this build have it, else gel_simdAutomatic, which is never a level
/// to run. gel_simdAutomatic: the fastest that they have.
gelSimdLevel gelFindSimdLevel( gelSimdLevel level );

/// "avx2" and so on; NULL for what gelFindSimdLevel would not return.
const char* gelGetSimdName( gelSimdLevel level );

/// The level that every processor has that this build is for.
gelSimdLevel gelGetBaseLevel( void );

/// Whether the processor has fused multiply-add, which AVX2 does not promise.
bool gelHasFma( void );
