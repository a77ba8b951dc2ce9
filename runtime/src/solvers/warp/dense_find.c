// SPDX-License-Identifier: MIT
// The dense kernels that go with the others of a world.
#include "solvers/warp/dense_kernels.h"

#include "simd/kernels.h"

#include <string.h>

// Every processor of the last ten years that has AVX2 also has fused multiply-add, but nobody promises it.
static bool HasFma( void )
{
#if defined( __GNUC__ ) && ( defined( __x86_64__ ) || defined( __i386__ ) )
	unsigned a, b, c, d;
	__asm__( "cpuid" : "=a"( a ), "=b"( b ), "=c"( c ), "=d"( d ) : "a"( 1 ), "c"( 0 ) );
	return ( c >> 12 & 1 ) != 0;
#else
	return false;
#endif
}

gelDenseKernels gelFindDense( const gelKernels* kernels )
{
	gelDenseKernels dense = { NULL };
	if ( strcmp( kernels->name, "avx512" ) == 0 && HasFma() ) dense = gelGetDense_Avx512();
	if ( strcmp( kernels->name, "avx2" ) == 0 && HasFma() ) dense = gelGetDense_Avx2();
	return dense.subtractProduct ? dense : gelGetDense_Plain();
}
