// SPDX-License-Identifier: MIT
#include "crew.h"

#include <pthread.h>

typedef struct gelCrewMember
{
	gelCrew* crew;
	int worker;
} gelCrewMember;

static void* Work( void* argument )
{
	gelCrewMember* member = argument;
	gelCrew* crew = member->crew;
	for ( int i = atomic_fetch_add( &crew->next, 1 ); i < crew->itemCount;
		  i = atomic_fetch_add( &crew->next, 1 ) )
		crew->task( i, i + 1, member->worker, crew->taskContext );
	return NULL;
}

void gelCrew_ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	gelCrew* crew = context;
	crew->task = task;
	crew->taskContext = taskContext;
	crew->itemCount = itemCount;
	atomic_store( &crew->next, 0 );
	pthread_t threads[GEL_MAX_CREW];
	gelCrewMember members[GEL_MAX_CREW];
	int started = 1;
	for ( int w = 0; w < crew->workerCount; ++w )
		members[w] = ( gelCrewMember ){ crew, w };
	while ( started < crew->workerCount &&
		pthread_create( threads + started, NULL, Work, members + started ) == 0 )
		++started;
	Work( members );
	for ( int w = 1; w < started; ++w )
		pthread_join( threads[w], NULL );
}
