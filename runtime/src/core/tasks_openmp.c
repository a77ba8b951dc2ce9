// SPDX-License-Identifier: MIT
// The threads of OpenMP as a task system, in builds with GELPACK_RUNTIME_OPENMP. Otherwise this file has no
// dependency and offers no threads.
#include "core/core.h"
#include "gelpack/gelpack.h"

#if defined( GELPACK_RUNTIME_OPENMP ) && defined( _OPENMP )
#include <omp.h>

// context: the number of workers itself, so that a task system needs no memory.
static void ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	int workerCount = (int)(intptr_t)context, slice = minRange > 1 ? minRange : 1;
	int sliceCount = itemCount / slice + ( itemCount % slice != 0 );
	// one slice at a time: they differ in size, the largest come first
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( workerCount )
	for ( int i = 0; i < sliceCount; ++i )
	{
		int begin = i * slice;
		task( begin, gelMinInt( begin + slice, itemCount ), omp_get_thread_num(), taskContext );
	}
}

gelTaskSystem gelGetOpenMpTasks( int workerCount )
{
	if ( workerCount <= 0 ) workerCount = omp_get_max_threads();
	return ( gelTaskSystem ){ ParallelFor, (void*)(intptr_t)workerCount, workerCount };
}

#else

gelTaskSystem gelGetOpenMpTasks( int workerCount )
{
	(void)workerCount;
	return ( gelTaskSystem ){ NULL, NULL, 0 };
}

#endif
