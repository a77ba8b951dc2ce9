// SPDX-License-Identifier: MIT
// Which kernels a processor can run.
#include "kernels.h"

#if defined( __x86_64__ ) || defined( __i386__ )

#include <cpuid.h>

// AVX2 in the processor, and registers of 256 bits saved by the operating system.
static bool HasAvx2( void )
{
	unsigned a, b, c, d;
	if ( !__get_cpuid( 1, &a, &b, &c, &d ) || ( c & bit_OSXSAVE ) == 0 || ( c & bit_AVX ) == 0 ) return false;
	unsigned low, high;
	__asm__( "xgetbv" : "=a"( low ), "=d"( high ) : "c"( 0 ) );
	if ( ( low & 6u ) != 6u ) return false;
	return __get_cpuid_count( 7, 0, &a, &b, &c, &d ) && ( b & bit_AVX2 ) != 0;
}

#else

static bool HasAvx2( void )
{
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
			return HasAvx2() ? gelGetKernels_Avx2() : none;
		case gel_simdNeon:
			return gelGetKernels_Neon();
		case gel_simdAutomatic:
			break;
		default:
			return none;
	}
	static const gelSimdLevel order[] = { gel_simdAvx2, gel_simdSse2, gel_simdNeon };
	for ( int i = 0; i < 3; ++i )
	{
		gelKernels kernels = gelFindKernels( order[i] );
		if ( kernels.name ) return kernels;
	}
	return gelGetKernels_Plain();
}
