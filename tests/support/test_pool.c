// SPDX-License-Identifier: MIT
#include "test_pool.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Job
{
	gelTaskFcn* task;
	void* taskContext;
	int itemCount, worker, workerCount;
} Job;

static void* RunJob( void* argument )
{
	const Job* job = argument;
	for ( int i = job->itemCount - 1 - job->worker; i >= 0; i -= job->workerCount )
		job->task( i, i + 1, job->worker, job->taskContext );
	return NULL;
}

void gelTestPool_ParallelFor(
	void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	int workerCount = *(int*)context;
	pthread_t threads[GEL_MAX_TEST_WORKERS];
	Job jobs[GEL_MAX_TEST_WORKERS];
	for ( int w = 0; w < workerCount; ++w )
	{
		jobs[w] = ( Job ){ task, taskContext, itemCount, w, workerCount };
		if ( pthread_create( threads + w, NULL, RunJob, jobs + w ) != 0 ) abort();
	}
	for ( int w = 0; w < workerCount; ++w )
		pthread_join( threads[w], NULL );
}
