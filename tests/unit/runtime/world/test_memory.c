// SPDX-License-Identifier: MIT
// Who has the memory of a world, and whether docs/memory.md says so: its tables are read and held against
// real worlds and bodies.
#include "test_support.h"

#include "asset/asset.h"
#include "contact_scene.h"
#include "stage.h"
#include "state/body_contact.h"
#include "state/coarse_tree.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 40

// ---- the document ---------------------------------------------------------------------------------------

// A row of a table: so many bytes of each unit, and when they are needed.
typedef struct Row
{
	double bytes;
	char unit[24], when[24];
} Row;

typedef struct Document
{
	Row rows[MAX_ROWS];
	int count;
} Document;

// Cells of a line "| a | b | c |", without the blanks around them. @return how many there are
static int SplitCells( char* line, char* out[6] )
{
	int count = 0;
	if ( line[0] != '|' ) return 0;
	for ( char* cell = strtok( line + 1, "|\n" ); cell != NULL && count < 6; cell = strtok( NULL, "|\n" ) )
	{
		while ( *cell == ' ' )
			++cell;
		for ( size_t n = strlen( cell ); n > 0 && cell[n - 1] == ' '; --n )
			cell[n - 1] = 0;
		out[count++] = cell;
	}
	return count;
}

// Rows whose second cell is a plain number and whose third one is a unit.
static Document ReadDocument( void )
{
	char line[4096];
	FILE* file = fopen( GEL_TEST_DATA "/../../docs/memory.md", "r" );
	assert_non_null( file );
	Document document = { .count = 0 };
	while ( fgets( line, sizeof( line ), file ) != NULL )
	{
		char *cells[6], *end;
		int count = SplitCells( line, cells );
		double bytes = count >= 3 ? strtod( cells[1], &end ) : 0.0;
		if ( count < 3 || end == cells[1] || *end != 0 ) continue;
		assert_true( document.count < MAX_ROWS );
		Row* row = document.rows + document.count++;
		row->bytes = bytes;
		snprintf( row->unit, sizeof( row->unit ), "%s", cells[2] );
		snprintf( row->when, sizeof( row->when ), "%s", count > 3 ? cells[3] : "" );
	}
	fclose( file );
	return document;
}

// How many there are of a unit.
typedef struct Unit
{
	const char* name;
	double count;
} Unit;

static double Sum( const Document* document, const char* when, const Unit* units, int unitCount )
{
	double sum = 0.0;
	int used = 0;
	for ( int i = 0; i < document->count; ++i )
	{
		const Row* row = document->rows + i;
		if ( strcmp( row->when, when ) != 0 ) continue;
		++used;
		int k = 0;
		while ( k < unitCount && strcmp( units[k].name, row->unit ) != 0 )
			++k;
		assert_true( k < unitCount ); // a unit that the test does not know
		sum += row->bytes * units[k].count;
	}
	assert_true( used > 0 );
	return sum;
}

// ---- bodies ---------------------------------------------------------------------------------------------

static double PredictBody( const Document* document, const gelAsset* asset, const gelBodyDef* def )
{
	const Unit units[6] = { { "node", asset->nodeCount }, { "tet", GEL_BLOCK_LANES * asset->blockCount },
		{ "body", 1.0 }, { "constraint", def->constraintCapacity }, { "frame", def->frameCapacity },
		{ "box node", asset->coarseCount } };
	double step = Sum( document, "in the step", units, 6 ), between = Sum( document, "between", units, 6 );
	return Sum( document, "kept", units, 6 ) + fmax( step, between );
}

// Arrays begin on cache lines, and the fixed part is rounded in the document.
#define TOLERANCE 1500.0

static void TestBodiesAreAsDocumented( void** state )
{
	(void)state;
	Document document = ReadDocument();
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	static const struct
	{
		int cells, constraints, frames;
	} cases[5] = { { 2, 16, 4 }, { 4, 16, 4 }, { 8, 16, 4 }, { 11, 0, 0 }, { 4, 64, 64 } };
	for ( int i = 0; i < 5; ++i )
	{
		gelShapeDef shape = gelDefaultShapeDef();
		shape.cells[0] = shape.cells[1] = shape.cells[2] = cases[i].cells;
		int index = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = scene.assets[index];
		def.constraintCapacity = cases[i].constraints;
		def.frameCapacity = cases[i].frames;
		gelBodyId body;
		assert_int_equal( gelCreateBody( scene.world, &def, &body ), gel_success );
		double expected = PredictBody( &document, def.asset, &def ), real = (double)gelBody_GetBytes( body );
		if ( fabs( real - expected ) > TOLERANCE )
			print_error( "%d cells, %d nodes: %.0f bytes instead of %.0f\n", cases[i].cells,
				def.asset->nodeCount, real, expected );
		assert_true( fabs( real - expected ) <= TOLERANCE );
		gelDestroyBody( body );
	}
	gelFreeContactScene( &scene );
}

// ---- worlds ---------------------------------------------------------------------------------------------

// What is out.
typedef struct Heap
{
	size_t liveBytes;
} Heap;

static void* HeapAlloc( void* context, size_t bytes, size_t alignment )
{
	( (Heap*)context )->liveBytes += bytes;
	return aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
}

static void HeapFree( void* context, void* memory, size_t bytes )
{
	( (Heap*)context )->liveBytes -= bytes;
	free( memory );
}

static void TestWorldsAreAsDocumented( void** state )
{
	(void)state;
	Document document = ReadDocument();
	for ( int i = 0; i < 6; ++i )
	{
		gelWorldDef def = gelDefaultWorldDef();
		def.enableContact = def.hasGround = true;
		def.bodyCapacity = i % 2 == 0 ? 7 : 3000;
		def.colliderCapacity = i / 2 == 1 ? 2000 : 5;
		def.contactPairCapacity = i / 2 == 2 ? 5000 : 9;
		gelWorldId world;
		assert_int_equal( gelCreateWorld( &def, &world ), gel_success );
		const Unit units[6] = { { "place", def.bodyCapacity }, { "collider", def.colliderCapacity },
			{ "pair", def.contactPairCapacity }, { "world", 1.0 }, { "thread", 1.0 }, { "search", 1.0 } };
		double expected = Sum( &document, "", units, 6 ), real = (double)gelWorld_GetMemory( world ).slots;
		if ( fabs( real - expected ) > TOLERANCE )
			print_error( "world %d: %.0f bytes instead of %.0f\n", i, real, expected );
		assert_true( fabs( real - expected ) <= TOLERANCE );
		gelDestroyWorld( world );
	}
}

static bool AreApart( const void* a, size_t aBytes, const void* b, size_t bBytes )
{
	const uint8_t *x = a, *y = b;
	return x + aBytes <= y || y + bBytes <= x;
}

// Particles look for the surface of a body while they press on it: its boxes are not where contact is solved,
// and loads, which come before the step, are where nothing else is.
static void TestContactLeavesBoxesAlone( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef def = gelDefaultBodyDef();
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	const gelBody* body = gelGetBody( scene.bodies[0] );
	const gelBodyContact* touch = body->contact;
	size_t n = (size_t)body->asset->nodeCount, vectors = n * sizeof( gelVec3 );
	size_t boxes = (size_t)body->asset->coarseCount * sizeof( gelCoarseBoxes );
	const gelVec3* arrays[8] = { touch->at, touch->bulge, touch->nodal, touch->rows, touch->rho, touch->seen,
		body->loads, body->xOld };
	for ( int i = 0; i < 8; ++i )
	{
		assert_true( AreApart( body->coarse, boxes, arrays[i], vectors ) );
		assert_true( AreApart( body->y, ( n + 1 ) * sizeof( gelVec4 ), arrays[i], vectors ) );
	}
	assert_true( AreApart( body->coarse, boxes, touch->compliance, n * sizeof( float ) ) );
	assert_true( AreApart( body->coarse, boxes, body->cofactors, ( n + 1 ) * sizeof( gelVec4 ) ) );
	assert_true( AreApart( body->skinNodes, ( n + 1 ) * sizeof( gelVec4 ), body->loads, vectors ) );
	assert_false(
		AreApart( body->coarse, boxes, body->xTilde, vectors ) ); // what is shared is the memory of both
	gelFreeContactScene( &scene );
}

static void AddBody( gelContactScene* scene, int shape, gelSolverType type, float height )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( type );
	gelContactScene_AddBody( scene, shape, &def, ( gelVec3 ){ 0.0f, height, 0.0f } );
}

// Every block of a world has an owner: the sum is what the allocator has given, to the byte.
static void TestEveryByteHasAnOwner( void** state )
{
	(void)state;
	Heap heap = { 0 };
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = true;
	def.allocator = ( gelAllocator ){ HeapAlloc, HeapFree, &heap };
	gelContactScene scene = gelMakeContactScene( &def, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	int box = gelContactScene_AddShape( &scene, &shape );
	assert_true( gelWorld_GetMemory( scene.world ).total == heap.liveBytes );
	for ( int i = 0; i < 6; ++i ) // enough to go side by side
	{
		AddBody( &scene, box, i < 5 ? gel_solverFastCorotated : gel_solverImplicit, 1.2f * (float)i );
		assert_true( gelWorld_GetMemory( scene.world ).total == heap.liveBytes );
	}
	gelColliderDef collider = gelDefaultColliderDef();
	collider.shape = gel_shapeSurface;
	collider.asset = scene.assets[box];
	gelColliderId surface;
	assert_int_equal( gelCreateCollider( scene.world, &collider, &surface ), gel_success );
	gelConstraintDef hold = gelDefaultConstraintDef();
	hold.point = gelAsset_GetNodePoint( scene.assets[box], 0 );
	gelConstraintId constraint;
	assert_int_equal( gelCreateConstraint( scene.bodies[0], &hold, &constraint ), gel_success );
	gelWorldMemory memory = gelWorld_GetMemory( scene.world );
	assert_true( memory.total == heap.liveBytes );
	assert_true(
		memory.constraints > 0 && memory.colliders > 0 && memory.workers > 0 && memory.contacts > 0 );
	assert_true( memory.detection > 0 && memory.slots > 0 );
	size_t bodies = 0;
	for ( int i = 0; i < scene.bodyCount; ++i )
		bodies += gelBody_GetBytes( scene.bodies[i] );
	assert_true( memory.bodies == bodies );
	for ( int i = 0; i < 10; ++i )
		assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	assert_true(
		gelWorld_GetMemory( scene.world ).total == heap.liveBytes && memory.total == heap.liveBytes );
	gelDestroyBody( scene.bodies[0] );
	assert_true( gelWorld_GetMemory( scene.world ).total == heap.liveBytes );
	assert_true( gelBody_GetBytes( scene.bodies[0] ) == 0 );
	gelFreeContactScene( &scene );
	assert_true( heap.liveBytes == 0 );
}

// Particles, which have contact of their own.
static void TestParticlesHaveOwners( void** state )
{
	(void)state;
	Heap heap = { 0 };
	gelStageDef def = gelDefaultStageDef();
	def.hasParticles = true;
	def.world.enableContact = true;
	def.world.allocator = ( gelAllocator ){ HeapAlloc, HeapFree, &heap };
	def.body.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	gelStage stage = gelMakeStage( &def );
	gelWorldMemory memory = gelWorld_GetMemory( stage.world );
	assert_true( memory.total == heap.liveBytes && memory.particles > 0 );
	gelFreeStage( &stage );
	assert_true( heap.liveBytes == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBodiesAreAsDocumented ),
		cmocka_unit_test( TestWorldsAreAsDocumented ),
		cmocka_unit_test( TestContactLeavesBoxesAlone ),
		cmocka_unit_test( TestEveryByteHasAnOwner ),
		cmocka_unit_test( TestParticlesHaveOwners ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
