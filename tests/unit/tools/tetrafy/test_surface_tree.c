// SPDX-License-Identifier: MIT
// The box tree over a surface: every triangle once, every box as tight as it can be, and the same tree for
// any number of threads.
#include "test_support.h"

#include "test_bodies.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Art whose tree takes several tasks: a ball, and a cube beside it that is inside out and has to be turned.
static gelMesh MakeArt( void )
{
	gelMesh ball = gelMakeTestSphere( 1.0, 40 );
	gelMesh cube = gelMakeTestBoxSurface( ( double[] ){ 1.5, 0, 0 }, ( double[] ){ 2, 0.5, 0.5 } );
	for ( uint32_t i = 0; i < cube.triangleCount; ++i )
		gelFlipTriangle( &cube, i );
	gelMesh both = gelJoinMeshes( &ball, &cube );
	gelFreeMesh( &ball );
	gelFreeMesh( &cube );
	return both;
}

static gelTetrafyArt* Prepare( const gelMesh* mesh, int threads )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelTetrafyArt* art = gelPrepareArtOnThreads( mesh, NULL, threads, &program );
	assert_non_null( art );
	gelFreeTestProgram( &program );
	return art;
}

// @return the first slot after those of the subtree
static uint32_t CheckSubtree( const gelSurfaceTree* tree, uint32_t at, uint32_t slot )
{
	const gelTreeNode* node = tree->nodes + at;
	gelBox3d box = gelBox3d_Empty();
	assert_in_range( node->skip, at + 1, tree->nodeCount );
	if ( node->count > 0 )
	{
		assert_int_equal( node->first, slot );
		assert_in_range( node->count, 1, GEL_LEAF_TRIANGLES );
		assert_int_equal( node->skip, at + 1 );
		slot += node->count;
		for ( size_t i = 3 * (size_t)node->first; i < 3 * (size_t)slot; ++i )
			gelBox3d_AddPoint( &box, tree->corners[i] );
	}
	else
	{
		uint32_t right = tree->nodes[at + 1].skip;
		slot = CheckSubtree( tree, at + 1, slot );
		slot = CheckSubtree( tree, right, slot );
		assert_int_equal( node->skip, tree->nodes[right].skip );
		gelBox3d_AddBox( &box, &tree->nodes[at + 1].box );
		gelBox3d_AddBox( &box, &tree->nodes[right].box );
	}
	assert_memory_equal( &node->box, &box, sizeof( box ) );
	return slot;
}

static void CheckSlots( const gelSurfaceTree* tree )
{
	const gelSurface* surface = tree->surface;
	uint8_t* seen = calloc( surface->triCount, 1 );
	uint8_t* met = calloc( surface->pointCount, 1 );
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
	{
		uint32_t tri = tree->slotToTri[i];
		assert_in_range( tri, 0, surface->triCount - 1 );
		assert_int_equal( seen[tri]++, 0 );
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t point = surface->tris[3 * (size_t)tri + k];
			assert_memory_equal(
				tree->corners + 3 * (size_t)i + k, surface->points + point, sizeof( gelVec3d ) );
			assert_int_equal( tree->firstUses[i] >> k & 1, met[point] == 0 );
			met[point] = 1;
		}
	}
	free( seen );
	free( met );
}

static void TreeHoldsEveryTriangle( void** state )
{
	(void)state;
	gelMesh mesh = MakeArt();
	gelTetrafyArt* art = Prepare( &mesh, 2 );
	const gelSurfaceTree* tree = &art->tree;
	assert_int_equal( tree->slotCount, mesh.triangleCount );
	assert_true( tree->nodeCount > 3 * 4096 ); // more than one task would take
	assert_int_equal( CheckSubtree( tree, 0, 0 ), tree->slotCount );
	assert_int_equal( tree->nodes[0].skip, tree->nodeCount );
	assert_memory_equal( &tree->nodes[0].box, &art->surface.box, sizeof( gelBox3d ) );
	CheckSlots( tree );
	// both parts are solid, and a closed surface has no area vector
	assert_int_equal( art->surface.partCount, 2 );
	assert_true( fabs( gelSurfaceTree_Winding( tree, ( gelVec3d ){ 0.1, 0.2, 0.3 } ) - 1.0 ) < 0.1 );
	assert_true( fabs( gelSurfaceTree_Winding( tree, ( gelVec3d ){ 1.7, 0.2, 0.3 } ) - 1.0 ) < 0.1 );
	assert_true( gelLengthD( tree->dipoles[0].areaVector ) < 1e-9 * art->surface.area );
	gelFreeArt( art );
	gelFreeMesh( &mesh );
}

static bool SameNode( const gelTreeNode* a, const gelTreeNode* b )
{
	return memcmp( &a->box, &b->box, sizeof( gelBox3d ) ) == 0 && a->skip == b->skip &&
		a->first == b->first && a->count == b->count;
}

static void ThreadsChangeNothing( void** state )
{
	(void)state;
	gelMesh mesh = MakeArt();
	gelTetrafyArt* one = Prepare( &mesh, 1 );
	const gelSurfaceTree* a = &one->tree;
	for ( int threads = 2; threads <= 5; ++threads )
	{
		gelTetrafyArt* many = Prepare( &mesh, threads );
		const gelSurfaceTree* b = &many->tree;
		assert_int_equal( a->nodeCount, b->nodeCount );
		assert_int_equal( a->slotCount, b->slotCount );
		assert_int_equal( one->surface.partCount, many->surface.partCount );
		for ( uint32_t i = 0; i < a->nodeCount; ++i )
			assert_true( SameNode( a->nodes + i, b->nodes + i ) );
		assert_int_equal( memcmp( a->dipoles, b->dipoles, a->nodeCount * sizeof( gelTreeDipole ) ), 0 );
		assert_int_equal( memcmp( a->corners, b->corners, 3 * a->slotCount * sizeof( gelVec3d ) ), 0 );
		assert_int_equal( memcmp( a->slotToTri, b->slotToTri, a->slotCount * sizeof( uint32_t ) ), 0 );
		assert_int_equal( memcmp( a->firstUses, b->firstUses, a->slotCount ), 0 );
		gelFreeArt( many );
	}
	gelFreeArt( one );
	gelFreeMesh( &mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TreeHoldsEveryTriangle ),
		cmocka_unit_test( ThreadsChangeNothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
