// SPDX-License-Identifier: MIT
// Which kernels a processor can run.
#include "simd/kernels.h"

#if defined( __x86_64__ ) || defined( __i386__ )

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

#else

static bool HasAvx( bool isWide )
{
	(void)isWide;
	return false;
}

#endif

gelKernels gelFindKernels( gelSimdLevel level )
{
	const gelKernels none = { NULL };
	switch ( level )
	{
		case gel_simdScalar:
			return gelGetKernels_Plain();
		case gel_simdSse2:
			return gelGetKernels_Sse2();
		case gel_simdAvx2:
			return HasAvx( false ) ? gelGetKernels_Avx2() : none;
		case gel_simdAvx512:
			return HasAvx( true ) ? gelGetKernels_Avx512() : none;
		case gel_simdNeon:
			return gelGetKernels_Neon();
		case gel_simdAutomatic:
			break;
		default:
			return none;
	}
	static const gelSimdLevel order[] = { gel_simdAvx512, gel_simdAvx2, gel_simdSse2, gel_simdNeon };
	for ( int i = 0; i < 4; ++i )
	{
		gelKernels kernels = gelFindKernels( order[i] );
		if ( kernels.name ) return kernels;
	}
	return gelGetKernels_Plain();
}
