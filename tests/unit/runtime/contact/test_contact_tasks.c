// SPDX-License-Identifier: MIT
// Determinations are tasks: whatever order they are done in, by however many workers, and whatever a worker's
// memory was used for before, each has the same bits.
#include "contact_stage.h"
#include "test_surfaces.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BODIES      5
#define TASKS       ( BODIES * ( BODIES + 1 ) / 2 )
#define CAPACITY    512
#define MAX_WORKERS 5

typedef struct Outcome
{
	gelFoundContact contacts[CAPACITY];
	int count;
	gelDetectStats stats;
} Outcome;

typedef struct Stage
{
	gelContactStage bodies[BODIES];
	int first[TASKS], second[TASKS]; // bodies; the same: with itself
	gelSimdLevel simd;
	Outcome* outcomes; // TASKS
} Stage;

static gelContactStage MakeBody( int i )
{
	gelMesh mesh = i % 2 == 0 ? gelMakeTestTorus( 0.5, 0.25, 6 + i ) : gelMakeTestSphere( 0.7, 5 + i );
	gelContactStage stage = gelMakeContactStageFromMesh( &mesh, 2 + i % 2, 1.0 );
	gelFreeMesh( &mesh );
	return stage;
}

static Stage* MakeStage( void )
{
	Stage* s = calloc( 1, sizeof( Stage ) );
	assert_non_null( s );
	s->outcomes = calloc( TASKS, sizeof( Outcome ) );
	assert_non_null( s->outcomes );
	s->simd = gelFindSimdLevel( gel_simdAutomatic );
	gelRandom random = { 71 };
	for ( int i = 0, task = 0; i < BODIES; ++i )
	{
		s->bodies[i] = MakeBody( i );
		gelQueryStage_Deform( &s->bodies[i].stage, i == 3 ? gel_shapeCrumpled : gel_shapeBent, &random );
		gelContactStage_Move( s->bodies + i, gelRandomVec3( &random, 0.4 ) );
		gelContactStage_Look( s->bodies + i );
		for ( int k = 0; k <= i; ++k, ++task )
		{
			s->first[task] = k;
			s->second[task] = i;
		}
	}
	return s;
}

static void FreeStage( Stage* s )
{
	for ( int i = 0; i < BODIES; ++i )
		gelFreeContactStage( s->bodies + i );
	free( s->outcomes );
	free( s );
}

static gelContactScratch* MakeScratch( const Stage* s, void** memory )
{
	gelContactLimits limits = { .maxPairs = 20000 };
	for ( int i = 0; i < BODIES; ++i )
		gelContactLimits_Include( &limits, s->bodies[i].surface.pack );
	size_t bytes = gelContactScratch_GetBytes( &limits );
	*memory = aligned_alloc( 64, bytes );
	if ( *memory == NULL ) abort();
	memset( *memory, 0xA5, bytes ); // need not be zeroed
	return gelContactScratch_Init( &limits, *memory );
}

// Surfaces are of a determination: the bodies are read only.
static void DoTask( const Stage* s, int task, gelContactScratch* scratch, Outcome* out )
{
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = s->simd;
	gelContactSurface a = s->bodies[s->first[task]].surface, b = s->bodies[s->second[task]].surface;
	out->count = s->first[task] == s->second[task]
		? gelDetectSelfContacts( &a, scratch, &options, out->contacts, CAPACITY, &out->stats )
		: gelDetectContacts( &a, &b, scratch, &options, out->contacts, CAPACITY, &out->stats );
}

static bool AreSame( const Outcome* a, const Outcome* b )
{
	if ( a->count != b->count || memcmp( &a->stats, &b->stats, sizeof( a->stats ) ) != 0 ) return false;
	for ( int i = 0; i < a->count; ++i )
	{
		const gelFoundContact *p = a->contacts + i, *q = b->contacts + i;
		size_t bytes = offsetof( gelFoundContact, flags ) + sizeof( p->flags ); // padding follows
		if ( memcmp( p, q, bytes ) != 0 || p->feature != q->feature ) return false;
	}
	return true;
}

// One after another, the first time.
static void DoAll( Stage* s )
{
	void* memory;
	gelContactScratch* scratch = MakeScratch( s, &memory );
	int contacts = 0, crossing = 0;
	for ( int i = 0; i < TASKS; ++i )
	{
		DoTask( s, i, scratch, s->outcomes + i );
		contacts += s->outcomes[i].count;
		crossing += s->outcomes[i].stats.pairCount > 0;
	}
	assert_true( contacts > 100 && crossing > TASKS / 2 );
	free( memory );
}

static void TestAnyOrder( void** state )
{
	(void)state;
	Stage* s = MakeStage();
	void* memory;
	DoAll( s );
	gelContactScratch* scratch = MakeScratch( s, &memory );
	Outcome* outcome = calloc( 1, sizeof( Outcome ) );
	assert_non_null( outcome );
	gelRandom random = { 72 };
	for ( int i = 0; i < 10 * TASKS; ++i )
	{
		int task = i < TASKS ? TASKS - 1 - i : (int)( gelRandom_Next( &random ) % TASKS );
		DoTask( s, task, scratch, outcome );
		assert_true( AreSame( outcome, s->outcomes + task ) );
	}
	free( outcome );
	free( memory );
	FreeStage( s );
}

// ---- workers ---------------------------------------------------------------------------------------------

typedef struct Worker
{
	const Stage* stage;
	int first, step; // takes every step-th task
	Outcome* outcomes;
} Worker;

static void* Work( void* context )
{
	Worker* w = context;
	void* memory;
	gelContactScratch* scratch = MakeScratch( w->stage, &memory );
	for ( int i = w->first; i < TASKS; i += w->step )
		DoTask( w->stage, i, scratch, w->outcomes + i );
	free( memory );
	return NULL;
}

static void TestAnyNumberOfWorkers( void** state )
{
	(void)state;
	Stage* s = MakeStage();
	Outcome* outcomes = calloc( TASKS, sizeof( Outcome ) );
	assert_non_null( outcomes );
	DoAll( s );
	for ( int count = 1; count <= MAX_WORKERS; ++count )
	{
		pthread_t threads[MAX_WORKERS];
		Worker workers[MAX_WORKERS];
		memset( outcomes, 0xFF, TASKS * sizeof( Outcome ) );
		for ( int w = 0; w < count; ++w )
		{
			workers[w] = ( Worker ){ s, w, count, outcomes };
			if ( pthread_create( threads + w, NULL, Work, workers + w ) != 0 ) abort();
		}
		for ( int w = 0; w < count; ++w )
			pthread_join( threads[w], NULL );
		for ( int i = 0; i < TASKS; ++i )
			assert_true( AreSame( outcomes + i, s->outcomes + i ) );
	}
	free( outcomes );
	FreeStage( s );
}

// ---- limits ----------------------------------------------------------------------------------------------

// Two bodies, each with all nodes at one place: every triangle is near every other. The step gives up on them
// and says so. Bodies that overlap as bodies do are no such pair.
static void TestCrowdedPairsAreCounted( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryHollow );
	int count = stage.info.nodeCount;
	for ( int isPoint = 0; isPoint < 2; ++isPoint )
	{
		gelWorldDef def = gelDefaultWorldDef();
		gelBodyDef bodyDef = gelDefaultBodyDef();
		gelWorldId world;
		def.enableContact = true;
		bodyDef.asset = stage.asset;
		assert_int_equal( gelCreateWorld( &def, &world ), gel_success );
		for ( int i = 0; i < 2; ++i )
		{
			gelBodyId body;
			assert_int_equal( gelCreateBody( world, &bodyDef, &body ), gel_success );
			for ( int k = 0; k < count; ++k )
				stage.nodes[k] = isPoint
					? gelMakeVec3( 0.1f, 0.2f, 0.3f )
					: gelAdd( stage.rest[k], gelMakeVec3( 0.3f * (float)i, 0.0f, 0.0f ) );
			assert_int_equal( gelBody_SetNodeState( body, stage.nodes, stage.zeros, count ), gel_success );
		}
		gelWorld_Step( world, 1.0f / 60.0f );
		gelContactCounters counters = gelWorld_GetContactCounters( world );
		assert_int_equal( counters.pairCount, 1 );
		assert_int_equal( counters.crowdedPairCount, isPoint );
		gelDestroyWorld( world );
	}
	gelFreeQueryStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAnyOrder ),
		cmocka_unit_test( TestAnyNumberOfWorkers ),
		cmocka_unit_test( TestCrowdedPairsAreCounted ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
