// SPDX-License-Identifier: MIT
// Patches and their trees: copies of a vertex deform to the same bits, bounds hold whatever the deformation,
// every triangle is in one patch and once in its tree, constants are those of the surface.
#include "test_support.h"

#include "cdg_stage.h"
#include "pack_read_cdg.h"
#include "small_pack.h"
#include "surface_query.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture
{
	gelCdgStage stage;
	gelCdgPatches patches;
	gelBakeCdg cdg;
	gelMesh mesh;
	gelCage cage;
} Fixture;

static gelMesh MoveMesh( gelMesh mesh, float offset )
{
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
	{
		mesh.positions[i] += offset;
	}
	gelFinishMesh( &mesh );
	return mesh;
}

static void Setup( Fixture* f, gelMesh mesh, gelCage cage )
{
	f->mesh = mesh;
	f->cage = cage;
	gelCdgStage_Begin( &f->stage, &f->mesh, &f->cage );
	assert_true( f->stage.ok );
	f->patches = gelFormPatches( &f->stage.surface, &f->stage.cells, &f->stage.pool );
	assert_true(
		gelPackPatches( &f->stage.surface, &f->stage.cells, &f->patches, true, 0, &f->stage.pool, &f->cdg ) );
}

static void Teardown( Fixture* f )
{
	gelCdgStage_End( &f->stage );
	gelFreeMesh( &f->mesh );
	gelFreeCage( &f->cage );
}

static void SetupBall( Fixture* f )
{
	Setup( f, MoveMesh( gelMakeTestSphere( 1.2, 24 ), 1.5f ),
		gelMakeBoxCage( 4, 4, 4, 3.0, 3.0, 3.0, gel_boxSplitFive ) );
}

// Nodes anywhere, in millimetres and kilometres, so that every rounding shows.
static void Scatter( gelVec3* nodes, uint32_t count, gelRandom* random )
{
	float size = (float)exp( gelRandom_Uniform( random, -7.0, 7.0 ) );
	float offset = (float)gelRandom_Uniform( random, -100.0, 100.0 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		nodes[i].x = offset + size * (float)gelRandom_Normal( random );
		nodes[i].y = offset + size * (float)gelRandom_Normal( random );
		nodes[i].z = size * (float)gelRandom_Normal( random );
	}
}

static gelVec3 Deform( const gelBakeCdg* cdg, uint32_t patch, uint32_t slot, const gelVec3* nodes )
{
	const uint32_t* n = cdg->cells[cdg->patches[patch].cell].node;
	const gelVec3 x[4] = { nodes[n[0]], nodes[n[1]], nodes[n[2]], nodes[n[3]] };
	const gelCdgView view = gelBakeCdg_View( cdg );
	return gelDeformVertex( &view, slot, x );
}

static uint32_t FindPatchOfSlot( const gelBakeCdg* cdg, uint32_t slot )
{
	uint32_t patch = 0;
	while ( patch + 1 < cdg->patchCount && cdg->patches[patch + 1].vertexFirst <= slot )
	{
		++patch;
	}
	return patch;
}

static void CopiesDeformToTheSameBits( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	gelRandom random = { 8 };
	gelVec3* nodes = calloc( f.cage.nodeCount, sizeof( gelVec3 ) );
	uint32_t* owners = calloc( f.cdg.weldCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < f.cdg.weldCount; ++i )
	{
		owners[i] = FindPatchOfSlot( &f.cdg, f.cdg.welds[i] );
	}
	uint64_t compared = 0;
	while ( compared < 3000000 )
	{
		Scatter( nodes, f.cage.nodeCount, &random );
		for ( uint32_t p = 0; p < f.cdg.patchCount; ++p )
		{
			const gelPackPatch* patch = f.cdg.patches + p;
			for ( uint32_t i = 0; i < patch->weldCount; ++i )
			{
				uint32_t weld = f.cdg.welds[patch->weldFirst + i];
				if ( weld == patch->vertexFirst + i ) continue;
				gelVec3 a = Deform( &f.cdg, p, patch->vertexFirst + i, nodes );
				gelVec3 b = Deform( &f.cdg, owners[patch->weldFirst + i], weld, nodes );
				assert_memory_equal( &a, &b, sizeof( a ) );
				compared += 3;
			}
		}
	}
	free( owners );
	free( nodes );
	Teardown( &f );
}

static void QuantizationIsConservative( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	for ( int i = 0; i < 1000000; ++i )
	{
		gelBdop b;
		for ( int k = 0; k < 4; ++k )
		{
			float x = (float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				  y = (float)gelRandom_Uniform( &random, 0.0, 1.0 );
			if ( i % 3 == 0 ) x = roundf( x * 256.0f ) / 256.0f;
			if ( i % 5 == 0 ) y = roundf( y * 16.0f ) / 16.0f;
			if ( i % 7 == 0 ) y = x;
			if ( i % 11 == 0 ) x = y = ( i % 2 == 0 ) ? 0.0f : 1.0f;
			b.low[k] = x < y ? x : y;
			b.high[k] = x < y ? y : x;
		}
		uint64_t bits = gelBdop_Quantize( &b );
		for ( int k = 0; k < 4; ++k )
		{
			assert_true( gelCdg_Low( bits, k ) <= b.low[k] && gelCdg_High( bits, k ) >= b.high[k] );
			assert_true( b.low[k] - gelCdg_Low( bits, k ) <= 1.0f / 256.0f );
			assert_true( gelCdg_High( bits, k ) - b.high[k] <= 1.0f / 256.0f );
		}
	}
}

static void AssertSameTriangle( gelCdgTriangle a, gelCdgTriangle b )
{
	assert_memory_equal( a.vertex, b.vertex, sizeof( a.vertex ) );
	assert_memory_equal( a.neighbor, b.neighbor, sizeof( a.neighbor ) );
	assert_true( a.flags == b.flags && a.bounds == b.bounds );
}

static void RecordsRoundTrip( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	for ( int i = 0; i < 100000; ++i )
	{
		bool wide = i % 2 == 0;
		uint32_t words[24], limit = wide ? 0x7FFFFFFFu : GEL_CDG_NARROW_NIL;
		memset( words, 0xA5, sizeof( words ) );
		gelCdgTriangle t = { .flags = (uint32_t)gelRandom_Next( &random ) % 4u,
			.bounds = gelRandom_Next( &random ) };
		for ( int k = 0; k < 3; ++k )
		{
			t.vertex[k] = (uint32_t)( gelRandom_Next( &random ) % limit );
			t.neighbor[k] = i % 5 == k ? GEL_CDG_NIL : (uint32_t)( gelRandom_Next( &random ) % limit );
		}
		uint32_t count = wide ? GEL_CDG_WIDE_WORDS : GEL_CDG_NARROW_WORDS;
		gelCdg_PutTriangle( words, count, 1, t );
		const gelCdgView view = { .triangles = words, .words = count };
		gelCdgTriangle u = gelCdg_GetTriangle( &view, NULL, 1 );
		AssertSameTriangle( t, u );
		assert_true( words[count - 1] == 0xA5A5A5A5u && words[2 * count] == 0xA5A5A5A5u );
	}
}

// (5.1) and (5.2) of the b-DOP: with the projections sorted, only low * (x - pivot) of larger and high *
// (x - pivot) of smaller ones enter. Rounding is covered by 8 ulp of the largest coordinate.
static void BoundAlong( uint64_t bits, const float x[4], float* low, float* high )
{
	int order[4] = { 0, 1, 2, 3 };
	for ( int i = 1; i < 4; ++i )
	{
		for ( int j = i; j > 0 && x[order[j]] < x[order[j - 1]]; --j )
		{
			int t = order[j];
			order[j] = order[j - 1];
			order[j - 1] = t;
		}
	}
	float p = x[order[1]], q = x[order[2]], largest = 0.0f;
	*low = p;
	*high = q;
	for ( int k = 0; k < 4; ++k )
	{
		*low += ( x[k] < p ? gelCdg_High( bits, k ) : gelCdg_Low( bits, k ) ) * ( x[k] - p );
		*high += ( x[k] < q ? gelCdg_Low( bits, k ) : gelCdg_High( bits, k ) ) * ( x[k] - q );
		largest = fmaxf( largest, fabsf( x[k] ) );
	}
	*low -= 8.0f * 0x1p-23f * largest;
	*high += 8.0f * 0x1p-23f * largest;
}

static void CheckTreeBounds( const Fixture* f, uint32_t p, const gelVec3* nodes )
{
	const gelBakeCdg* cdg = &f->cdg;
	const gelCdgView view = gelBakeCdg_View( cdg );
	const gelPackPatch* patch = cdg->patches + p;
	const uint32_t* n = cdg->cells[patch->cell].node;
	gelCdgRange stack[GEL_CDG_MAX_DEPTH];
	uint32_t top = 0, visited = 0;
	stack[top++] = ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	while ( top > 0 )
	{
		gelCdgRange range = stack[--top], child[2];
		float x[3][4], low[3], high[3];
		uint64_t bits = gelCdg_GetBounds( &view, range.first );
		++visited;
		for ( int k = 0; k < 4; ++k )
		{
			x[0][k] = nodes[n[k]].x, x[1][k] = nodes[n[k]].y, x[2][k] = nodes[n[k]].z;
		}
		for ( int axis = 0; axis < 3; ++axis )
		{
			BoundAlong( bits, x[axis], low + axis, high + axis );
		}
		for ( uint32_t i = range.first; i < range.end; ++i )
		{
			gelCdgTriangle t = gelCdg_GetTriangle( &view, patch, i );
			for ( int k = 0; k < 3; ++k )
			{
				gelVec3 v = Deform( cdg, p, t.vertex[k], nodes );
				assert_true( v.x >= low[0] && v.x <= high[0] && v.y >= low[1] && v.y <= high[1] &&
					v.z >= low[2] && v.z <= high[2] );
			}
		}
		gelCdgRange_Split( range, child, child + 1 );
		for ( int k = 0; k < 2; ++k )
		{
			if ( child[k].first < child[k].end ) stack[top++] = child[k];
		}
	}
	assert_int_equal( visited, patch->triangleCount ); // each triangle is one node
}

static void BoundsHoldForEveryDeformation( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	gelRandom random = { 99 };
	gelVec3* nodes = calloc( f.cage.nodeCount, sizeof( gelVec3 ) );
	for ( int round = 0; round < 12; ++round )
	{
		Scatter( nodes, f.cage.nodeCount, &random ); // half of the tets are inverted
		for ( uint32_t i = 0; i < f.cage.nodeCount; ++i )
		{
			if ( round % 3 == 1 ) nodes[i].y = 0.25f;                   // flat
			if ( round % 3 == 2 ) nodes[i].x = nodes[i].z = nodes[0].x; // a line
		}
		for ( uint32_t p = 0; p < f.cdg.patchCount; ++p )
		{
			CheckTreeBounds( &f, p, nodes );
		}
	}
	free( nodes );
	Teardown( &f );
}

// A ring around a limb is no disk; it is cut. A closed surface inside of one tet is left whole.
static void PatchesAreDisksOrClosed( void** state )
{
	(void)state;
	Fixture f;
	Setup( &f, MoveMesh( gelMakeTestTorus( 1.0, 0.2, 30 ), 1.5f ),
		gelMakeBoxCage( 1, 1, 1, 3.0, 3.0, 3.0, gel_boxSplitFive ) );
	assert_true( f.patches.cutCount > 0 );
	uint8_t* seen = calloc( f.cdg.triangleCount, 1 );
	uint32_t* stamps = calloc( f.stage.surface.vertexCount, sizeof( uint32_t ) );
	uint32_t* patchOf = calloc( f.cdg.triangleCount, sizeof( uint32_t ) );
	for ( uint32_t p = 0; p < f.patches.patchCount; ++p )
	{
		for ( uint32_t i = f.patches.patchFirst[p]; i < f.patches.patchFirst[p + 1]; ++i )
		{
			patchOf[f.patches.triangles[i]] = p;
			seen[f.patches.triangles[i]] += 1;
		}
	}
	for ( uint32_t p = 0; p < f.patches.patchCount; ++p )
	{
		int64_t vertices = 0, borders = 0, count = f.patches.patchFirst[p + 1] - f.patches.patchFirst[p];
		for ( uint32_t i = f.patches.patchFirst[p]; i < f.patches.patchFirst[p + 1]; ++i )
		{
			const gelCdgTri* t = f.stage.surface.triangles + f.patches.triangles[i];
			assert_int_equal(
				t->tet, f.stage.surface.triangles[f.patches.triangles[f.patches.patchFirst[p]]].tet );
			for ( int k = 0; k < 3; ++k )
			{
				vertices += stamps[t->vertex[k]] != p + 1;
				stamps[t->vertex[k]] = p + 1;
				borders += patchOf[t->neighbor[k]] != p;
			}
		}
		assert_int_equal( vertices - ( 3 * count + borders ) / 2 + count, 1 );
	}
	for ( uint32_t i = 0; i < f.cdg.triangleCount; ++i )
	{
		assert_int_equal( seen[i], 1 );
	}
	free( seen );
	free( stamps );
	free( patchOf );
	Teardown( &f );

	Setup( &f, MoveMesh( gelMakeTestSphere( 0.4, 8 ), 1.0f ), gelMakeTetCage( 10.0 ) );
	assert_int_equal( f.cdg.patchCount, 1 );
	assert_int_equal( f.cdg.linkCount, 0 );
	assert_int_equal( f.cdg.weldCount, 0 );
	Teardown( &f );
}

// Vector areas sum to zero over a closed surface; the centroid is inside of its cell; |N| <= S = tr T.
static void ConstantsAreThoseOfTheSurface( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	double sum[3] = { 0.0, 0.0, 0.0 }, area = 0.0;
	for ( uint32_t p = 0; p < f.cdg.patchCount; ++p )
	{
		const gelPackPatch* patch = f.cdg.patches + p;
		double S = (double)patch->area, trace = 0.0, N = 0.0;
		for ( int c = 0; c < 3; ++c )
		{
			sum[c] += (double)patch->vectorArea[c];
			trace += (double)patch->areaTensor[c];
			N += (double)patch->vectorArea[c] * (double)patch->vectorArea[c];
		}
		area += S;
		assert_true( fabs( trace - S ) <= 1e-5 * S );
		assert_true( sqrt( N ) <= S * ( 1.0 + 1e-5 ) );
	}
	gelCdgFigures art = gelMeasureArt( &f.stage.art );
	assert_true( fabs( area - art.area ) <= 1e-6 * area );
	assert_true( fabs( sum[0] ) + fabs( sum[1] ) + fabs( sum[2] ) <= 1e-6 * area );
	Teardown( &f );
}

static void CheckBvh( const gelPackBvhNode* nodes, uint32_t count )
{
	uint8_t *leaves = calloc( count, 1 ), *parents = calloc( 2 * (size_t)count, 1 ),
			*level = calloc( 2 * (size_t)count, 1 );
	for ( uint32_t i = 0; i < 2 * count - 1; ++i )
	{
		if ( nodes[i].left == GEL_CDG_NIL )
		{
			assert_true( nodes[i].right < count );
			leaves[nodes[i].right] += 1;
			continue;
		}
		assert_true( nodes[i].left > i && nodes[i].right > i && nodes[i].left < 2 * count - 1 &&
			nodes[i].right < 2 * count - 1 );
		parents[nodes[i].left] += 1;
		parents[nodes[i].right] += 1;
		level[nodes[i].left] = level[nodes[i].right] = (uint8_t)( level[i] + 1 );
		assert_true( level[i] + 2 <= (int)GEL_CDG_MAX_DEPTH );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_int_equal( leaves[i], 1 );
	}
	for ( uint32_t i = 1; i < 2 * count - 1; ++i )
	{
		assert_int_equal( parents[i], 1 );
	}
	free( leaves );
	free( parents );
	free( level );
}

static void CoarseTreesHaveEveryCellOnce( void** state )
{
	(void)state;
	static const uint32_t counts[] = { 1, 2, 3, 17, 400, 2000, 2001, 5000 };
	gelRandom random = { 2 };
	for ( size_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ); ++c )
	{
		gelBakePool pool = { NULL };
		gelDbox* boxes = gelBakePool_Alloc( &pool, counts[c], sizeof( gelDbox ) );
		for ( uint32_t i = 0; i < counts[c]; ++i )
		{
			gelDvec p = { gelRandom_Normal( &random ), gelRandom_Normal( &random ),
				gelRandom_Normal( &random ) };
			boxes[i] = ( gelDbox ){ .min = p, .max = { p.x + 0.1, p.y + 0.2, p.z + 0.1 } };
		}
		CheckBvh( gelBuildCoarseBvh( boxes, counts[c], &pool ), counts[c] );
		// each box contains the one before: merging by size makes a chain that is deeper than allowed
		for ( uint32_t i = 0; i < counts[c]; ++i )
		{
			double size = pow( 1.01, (double)( i % 2000 ) );
			boxes[i] = ( gelDbox ){ .min = { -size, -size, -size }, .max = { size, size, size } };
		}
		CheckBvh( gelBuildCoarseBvh( boxes, counts[c], &pool ), counts[c] );
		gelFreeBakePool( &pool );
	}
}

// The same geometry in records of all widths.
static void RecordsOfAllWidthsSayTheSame( void** state )
{
	(void)state;
	static const uint32_t words[3] = { GEL_CDG_SHORT_WORDS, GEL_CDG_NARROW_WORDS, GEL_CDG_WIDE_WORDS };
	Fixture f;
	SetupBall( &f );
	gelBakeCdg cdg[3];
	gelCdgView views[3];
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( gelPackPatches(
			&f.stage.surface, &f.stage.cells, &f.patches, true, words[k], &f.stage.pool, cdg + k ) );
		assert_int_equal( cdg[k].words, words[k] );
		assert_true( ( cdg[k].borderCount > 0 ) == ( k == 0 ) );
		views[k] = gelBakeCdg_View( cdg + k );
	}
	uint32_t borders = 0;
	for ( uint32_t p = 0; p < f.cdg.patchCount; ++p )
	{
		const gelPackPatch* patch = cdg[0].patches + p;
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
		{
			gelCdgTriangle a = gelCdg_GetTriangle( views, patch, patch->triangleFirst + i );
			AssertSameTriangle( a, gelCdg_GetTriangle( views + 1, patch, patch->triangleFirst + i ) );
			AssertSameTriangle( a, gelCdg_GetTriangle( views + 2, patch, patch->triangleFirst + i ) );
			for ( int k = 0; k < 3; ++k )
			{
				borders += a.neighbor[k] - patch->triangleFirst >= patch->triangleCount;
			}
		}
	}
	assert_int_equal( borders, cdg[0].borderCount );
	Teardown( &f );
}

// Integers of every width come back, and leave their neighbours alone.
static void BitArraysRoundTrip( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( uint32_t bits = 1; bits <= 32; ++bits )
	{
		enum
		{
			count = 97
		};
		uint32_t values[count], words[count + 2] = { 0 };
		assert_true( gelBitArray_Words( bits, count ) <= count + 2 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			values[i] = (uint32_t)( gelRandom_Next( &random ) >> ( 64 - bits ) );
			if ( i % 7 == 0 ) values[i] = UINT32_MAX >> ( 32 - bits );
			gelBitArray_Put( words, bits, i, values[i] );
		}
		const gelBitArray array = { words, bits };
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( gelBitArray_Get( array, i ), values[i] );
		}
		if ( bits < 32 ) assert_int_equal( gelBitArray_Width( 1u << bits ), bits );
		if ( bits < 32 ) assert_int_equal( gelBitArray_Width( ( 1u << bits ) + 1 ), bits + 1 );
	}
	assert_int_equal( gelBitArray_Width( 0 ), 1 );
	assert_int_equal( gelBitArray_Width( UINT32_MAX ), 32 );
}

// Rounding of weights: the sum is exact, none is 1, none moves by a unit, and what is zero stays zero but
// for one unit that a vertex on a node gives away.
static void WeightsAreRoundedOnce( void** state )
{
	(void)state;
	gelRandom random = { 41 };
	for ( int round = 0; round < 200000; ++round )
	{
		int count = 2 + round % 3;
		double w[4], sum = 0.0;
		for ( int k = 0; k < count; ++k )
		{
			w[k] = exp( gelRandom_Uniform( &random, -40.0, 0.0 ) );
			if ( gelRandom_Next( &random ) % 4 == 0 ) w[k] = 0.0;
			sum += w[k];
		}
		if ( sum == 0.0 ) w[count - 1] = sum = 1.0;
		gelCdgVertex vertex = { .node = { 3, 5, 7, 9 } };
		gelCdgVertex_SetWeights( &vertex, w, count );
		double total = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			double x = (double)vertex.weight[k], units = x * 0x1p21;
			assert_true( units == floor( units ) && units >= 0.0 && units < 0x1p21 );
			if ( k < count )
				assert_true( fabs( x - w[k] / sum ) <= 0x1p-21 );
			else
				assert_true( x == 0.0 && vertex.node[k] == GEL_NO_INDEX );
			total += x;
		}
		assert_true( total == 1.0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( CopiesDeformToTheSameBits ),
		cmocka_unit_test( QuantizationIsConservative ),
		cmocka_unit_test( RecordsRoundTrip ),
		cmocka_unit_test( BoundsHoldForEveryDeformation ),
		cmocka_unit_test( PatchesAreDisksOrClosed ),
		cmocka_unit_test( ConstantsAreThoseOfTheSurface ),
		cmocka_unit_test( CoarseTreesHaveEveryCellOnce ),
		cmocka_unit_test( RecordsOfAllWidthsSayTheSame ),
		cmocka_unit_test( BitArraysRoundTrip ),
		cmocka_unit_test( WeightsAreRoundedOnce ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
