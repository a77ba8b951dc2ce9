// SPDX-License-Identifier: MIT
// The wide kernels, compiled for NEON.
#include "kernels.h"

#if defined( __aarch64__ )
#define GEL_SIMD_NEON
#include "wide_coarse.h"
#include "wide_elements.h"
#include "wide_implicit.h"
#include "wide_qr.h"
#include "wide_quality.h"
#include "wide_query.h"
#include "wide_skin.h"
#include "wide_solve.h"
#include "wide_vectors.h"
#include "wide_volume.h"

gelKernels gelGetKernels_Neon( void )
{
	return ( gelKernels ){ "neon", UpdateElements_W, SweepVolume_W, SolvePanels_W, SkinPositions_W,
		PolarSteps_W, RefitCoarse_W, SearchSurface_W, GEL_IMPLICIT_KERNELS, GEL_QUALITY_KERNELS };
}

#else

gelKernels gelGetKernels_Neon( void )
{
	return ( gelKernels ){ NULL };
}

#endif
