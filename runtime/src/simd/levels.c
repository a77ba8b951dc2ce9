// SPDX-License-Identifier: MIT
// Which levels of SIMD a processor and this build have.
#include "simd/levels.h"

#include <stddef.h>

#if defined( GEL_LEVELS_X86 )

#include <cpuid.h>

// AVX2 or (isWide) AVX-512 VL and DQ in the processor, and the registers saved by the operating system.
static bool HasAvx( bool isWide )
{
	unsigned a, b, c, d, saved = isWide ? 0xE6u : 6u;
	if ( !__get_cpuid( 1, &a, &b, &c, &d ) || ( c & bit_OSXSAVE ) == 0 || ( c & bit_AVX ) == 0 ) return false;
	unsigned low, high;
	__asm__( "xgetbv" : "=a"( low ), "=d"( high ) : "c"( 0 ) );
	if ( ( low & saved ) != saved || !__get_cpuid_count( 7, 0, &a, &b, &c, &d ) ) return false;
	unsigned wanted = isWide ? bit_AVX2 | bit_AVX512F | bit_AVX512VL | bit_AVX512DQ : bit_AVX2;
	return ( b & wanted ) == wanted;
}

static bool CanRun( gelSimdLevel level )
{
	if ( level != gel_simdAvx2 && level != gel_simdAvx512 ) return true;
	return HasAvx( level == gel_simdAvx512 );
}

bool gelHasFma( void )
{
	unsigned a, b, c, d;
	return __get_cpuid( 1, &a, &b, &c, &d ) && ( c & bit_FMA ) != 0;
}

#else

// Every level of the build is one that the compiler makes code for anyway.
static bool CanRun( gelSimdLevel level )
{
	(void)level;
	return true;
}

bool gelHasFma( void )
{
	return true;
}

#endif

#define GEL_NAME( unused, level, suffix )                                                                    \
	case level:                                                                                              \
		return #suffix;

const char* gelGetSimdName( gelSimdLevel level )
{
	switch ( level )
	{
		GEL_FOR_LEVELS( GEL_NAME, , avx2, avx512 )
		default:
			return NULL;
	}
}

gelSimdLevel gelFindSimdLevel( gelSimdLevel level )
{
	if ( level != gel_simdAutomatic )
		return gelGetSimdName( level ) != NULL && CanRun( level ) ? level : gel_simdAutomatic;
	static const gelSimdLevel order[] = { gel_simdAvx512, gel_simdAvx2, gel_simdSse2, gel_simdNeon };
	for ( int i = 0; i < 4; ++i )
	{
		if ( gelFindSimdLevel( order[i] ) == order[i] ) return order[i];
	}
	return GEL_BASE_LEVEL;
}

gelSimdLevel gelGetBaseLevel( void )
{
	return GEL_BASE_LEVEL;
}
