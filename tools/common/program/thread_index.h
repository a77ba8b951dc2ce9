// SPDX-License-Identifier: MIT
// Which of the threads of a parallel loop runs, for arrays of which each has one.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

/// From 0 to threads - 1; 0 outside of parallel loops and without OpenMP.
static inline int gelThreadIndex( void )
{
#ifdef _OPENMP
	return omp_get_thread_num();
#else
	return 0;
#endif
}
