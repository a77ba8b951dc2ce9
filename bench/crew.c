// SPDX-License-Identifier: MIT
#include "crew.h"

#include <sched.h>

static void TakeItems( gelCrew* crew, int worker )
{
	for ( int i = atomic_fetch_add( &crew->next, 1 ); i < crew->itemCount;
		  i = atomic_fetch_add( &crew->next, 1 ) )
		crew->task( i, i + 1, worker, crew->taskContext );
}

// Waits without sleeping, but lets others run after a while.
static void Pause( int* turns )
{
	if ( ++*turns > 2000 ) sched_yield();
}

static void* Work( void* argument )
{
	gelCrewMember* member = argument;
	gelCrew* crew = member->crew;
	for ( unsigned seen = 0;; )
	{
		int turns = 0;
		while ( atomic_load( &crew->round ) == seen )
			Pause( &turns );
		++seen;
		if ( atomic_load( &crew->isOver ) ) return NULL;
		TakeItems( crew, member->worker );
		atomic_fetch_sub( &crew->busy, 1 );
	}
}

static void Start( gelCrew* crew )
{
	while ( crew->startedCount < crew->workerCount - 1 )
	{
		gelCrewMember* member = crew->members + crew->startedCount;
		*member = ( gelCrewMember ){ .crew = crew, .worker = crew->startedCount + 1 };
		if ( pthread_create( &member->thread, NULL, Work, member ) != 0 ) break;
		++crew->startedCount;
	}
}

void gelCrew_ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	gelCrew* crew = context;
	if ( crew->startedCount == 0 ) Start( crew );
	crew->task = task;
	crew->taskContext = taskContext;
	crew->itemCount = itemCount;
	atomic_store( &crew->next, 0 );
	atomic_store( &crew->busy, crew->startedCount );
	atomic_fetch_add( &crew->round, 1 );
	TakeItems( crew, 0 );
	int turns = 0;
	while ( atomic_load( &crew->busy ) > 0 )
		Pause( &turns );
}

void gelFreeCrew( gelCrew* crew )
{
	atomic_store( &crew->isOver, true );
	atomic_fetch_add( &crew->round, 1 );
	for ( int i = 0; i < crew->startedCount; ++i )
		pthread_join( crew->members[i].thread, NULL );
	crew->startedCount = 0;
}
