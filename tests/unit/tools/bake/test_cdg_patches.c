// SPDX-License-Identifier: MIT
// Patches and their trees: copies of a vertex deform to the same bits, bounds hold whatever the deformation,
// every triangle is in one patch and once in its tree, constants are those of the surface.
#include "test_support.h"

#include "cdg_stage.h"
#include "pack/pack_read_cdg.h"
#include "small_pack.h"
#include "query/surface_query.h"
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
		mesh.positions[i] += offset;
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
	assert_true( gelPackPatches(
		&f->stage.surface, &f->stage.cells, &f->patches, true, 0, 2, &f->stage.pool, &f->cdg ) );
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
		++patch;
	return patch;
}

// A surface whose vertices, edges and facets lie on nodes, edges and faces of the cage.
static void SetupLattice( Fixture* f )
{
	gelMesh ball = MoveMesh( gelMakeTestSphere( 1.0, 16 ), 2.0f );
	for ( size_t i = 0; i < 3 * (size_t)ball.vertexCount; ++i )
		ball.positions[i] = roundf( 4.0f * ball.positions[i] ) * 0.25f;
	gelFinishMesh( &ball );
	Setup( f, ball, gelMakeBoxCage( 8, 8, 8, 4.0, 4.0, 4.0, gel_boxSplitSix ) );
}

// Release flags matter here: a multiply-add that a compiler makes of two roundings shows in one of eight.
static void CompareCopies( const Fixture* f, uint64_t wanted )
{
	gelRandom random = { 8 };
	const gelBakeCdg* cdg = &f->cdg;
	gelVec3* nodes = calloc( f->cage.nodeCount, sizeof( gelVec3 ) );
	uint32_t* owners = calloc( cdg->weldCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cdg->weldCount; ++i )
		owners[i] = FindPatchOfSlot( cdg, cdg->welds[i] );
	uint64_t compared = 0;
	while ( compared < wanted )
	{
		Scatter( nodes, f->cage.nodeCount, &random );
		for ( uint32_t p = 0; p < cdg->patchCount; ++p )
		{
			const gelPackPatch* patch = cdg->patches + p;
			for ( uint32_t i = 0; i < patch->weldCount; ++i )
			{
				uint32_t weld = cdg->welds[patch->weldFirst + i];
				if ( weld == patch->vertexFirst + i ) continue;
				gelVec3 a = Deform( cdg, p, patch->vertexFirst + i, nodes );
				gelVec3 b = Deform( cdg, owners[patch->weldFirst + i], weld, nodes );
				assert_memory_equal( &a, &b, sizeof( a ) );
				compared += 3;
			}
		}
	}
	free( owners );
	free( nodes );
}

static void CopiesDeformToTheSameBits( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	CompareCopies( &f, 3000000 );
	Teardown( &f );
	SetupLattice( &f );
	CompareCopies( &f, 1000000 );
	Teardown( &f );
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
			x[0][k] = nodes[n[k]].x, x[1][k] = nodes[n[k]].y, x[2][k] = nodes[n[k]].z;
		for ( int axis = 0; axis < 3; ++axis )
			BoundAlong( bits, x[axis], low + axis, high + axis );
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
			CheckTreeBounds( &f, p, nodes );
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
		assert_int_equal( seen[i], 1 );
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

// The mean of the corners of the triangles, weighted with their areas at rest, as weights of the cell: inside
// of it, with sum 1.
static void CheckCentroid( const Fixture* f, const gelCdgView* view, const gelPackPatch* patch )
{
	const uint32_t* node = f->cdg.cells[patch->cell].node;
	double mean[4] = { 0.0, 0.0, 0.0, 0.0 }, area = 0.0, sum = 0.0;
	for ( uint32_t i = patch->triangleFirst; i < patch->triangleFirst + patch->triangleCount; ++i )
	{
		uint32_t slots[3];
		float w[3][4];
		gelVec3d at[3];
		gelCdg_GetCorners( view, patch, i, slots );
		for ( int c = 0; c < 3; ++c )
		{
			gelCdg_GetWeights( view, slots[c], w[c] );
			at[c] = ( gelVec3d ){ 0.0, 0.0, 0.0 };
			for ( int k = 0; k < 4; ++k )
				at[c] = gelMulAddD( at[c], (double)w[c][k], f->stage.cells.nodes[node[k]] );
		}
		gelVec3d n = gelCrossD( gelSubD( at[1], at[0] ), gelSubD( at[2], at[0] ) );
		double twice = sqrt( gelDotD( n, n ) );
		area += 3.0 * twice;
		for ( int c = 0; c < 3; ++c )
		{
			for ( int k = 0; k < 4; ++k )
				mean[k] += twice * (double)w[c][k];
		}
	}
	for ( int k = 0; k < 4; ++k )
	{
		double w = (double)patch->centroid[k];
		assert_true( w >= 0.0 && w <= 1.0 );
		assert_true( area == 0.0 || fabs( w - mean[k] / area ) <= 1e-6 );
		sum += w;
	}
	assert_true( fabs( sum - 1.0 ) <= 1e-6 );
}

// Vector areas sum to zero over a closed surface; the centroid is inside of its cell; |N| <= S = tr T.
static void ConstantsAreThoseOfTheSurface( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	const gelCdgView view = gelBakeCdg_View( &f.cdg );
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
		CheckCentroid( &f, &view, patch );
		assert_true( fabs( trace - S ) <= 1e-5 * S );
		assert_true( sqrt( N ) <= S * ( 1.0 + 1e-5 ) );
	}
	gelCdgFigures art = gelMeasureArt( &f.stage.art );
	assert_true( fabs( area - art.area ) <= 1e-6 * area );
	assert_true( fabs( sum[0] ) + fabs( sum[1] ) + fabs( sum[2] ) <= 1e-6 * area );
	Teardown( &f );
}

// Columns of the cofactor of a deformation with columns f: f1 x f2, f2 x f0, f0 x f1. It exists for every
// deformation, and takes vector areas to deformed ones.
static gelVec3d ApplyCofactor( const gelVec3d f[3], const double v[3] )
{
	gelVec3d r = gelScaleD( v[0], gelCrossD( f[1], f[2] ) );
	r = gelMulAddD( r, v[1], gelCrossD( f[2], f[0] ) );
	return gelMulAddD( r, v[2], gelCrossD( f[0], f[1] ) );
}

static double Length( gelVec3d a )
{
	return sqrt( gelDotD( a, a ) );
}

// sqrt( S tr( C T C^T ) )
static double BoundArea( const gelVec3d f[3], const gelPackPatch* patch )
{
	static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
	double trace = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		double unit[3] = { 0.0, 0.0, 0.0 }, row[3];
		unit[i] = 1.0;
		for ( int j = 0; j < 3; ++j )
			row[j] = (double)patch->areaTensor[index[i][j]];
		trace += gelDotD( ApplyCofactor( f, unit ), ApplyCofactor( f, row ) );
	}
	return sqrt( (double)patch->area * gelMaxDouble( trace, 0.0 ) );
}

// A deformed patch by its triangles, against what its constants say: the vector area is exact, the area a
// bound that the vector area does not exceed. Also where the deformation is singular or turns inside out.
static void ConstantsHoldForDeformedPatches( void** state )
{
	(void)state;
	Fixture f;
	SetupBall( &f );
	const gelCdgView view = gelBakeCdg_View( &f.cdg );
	gelRandom random = { 12 };
	double worst = 0.0;
	for ( int round = 0; round < 60; ++round )
	{
		gelVec3d F[3]; // columns
		for ( int c = 0; c < 3; ++c )
		{
			double x[3];
			for ( int i = 0; i < 3; ++i )
				x[i] = ( i == c ? 1.0 : 0.0 ) + 0.3 * gelRandom_Normal( &random );
			if ( round % 4 == 1 ) x[0] = -x[0]; // inside out
			if ( round % 4 == 2 ) x[1] = 0.0;   // flat
			F[c] = ( gelVec3d ){ x[0], x[1], x[2] };
		}
		for ( uint32_t p = 0; p < f.cdg.patchCount; ++p )
		{
			const gelPackPatch* patch = f.cdg.patches + p;
			const uint32_t* n = f.cdg.cells[patch->cell].node;
			gelVec3d N = { 0.0, 0.0, 0.0 };
			double S = 0.0;
			for ( uint32_t i = 0; i < patch->triangleCount; ++i )
			{
				uint32_t slots[3];
				gelVec3d at[3];
				gelCdg_GetCorners( &view, patch, patch->triangleFirst + i, slots );
				for ( int k = 0; k < 3; ++k )
				{
					float w[4];
					gelVec3d rest = { 0.0, 0.0, 0.0 };
					gelCdg_GetWeights( &view, slots[k], w );
					for ( int j = 0; j < 4; ++j )
						rest = gelMulAddD( rest, (double)w[j], f.stage.cells.nodes[n[j]] );
					at[k] = gelScaleD( rest.x, F[0] );
					at[k] = gelMulAddD( gelMulAddD( at[k], rest.y, F[1] ), rest.z, F[2] );
				}
				gelVec3d area =
					gelScaleD( 0.5, gelCrossD( gelSubD( at[1], at[0] ), gelSubD( at[2], at[0] ) ) );
				N = gelAddD( N, area );
				S += Length( area );
			}
			const double rest[3] = { (double)patch->vectorArea[0], (double)patch->vectorArea[1],
				(double)patch->vectorArea[2] };
			double bound = BoundArea( F, patch ), slack = 1e-5 * ( (double)patch->area + bound );
			assert_true( Length( gelSubD( ApplyCofactor( F, rest ), N ) ) <= slack );
			assert_true( S <= bound + slack && Length( N ) <= bound + slack );
			if ( round % 4 != 2 ) worst = gelMaxDouble( worst, bound / S );
		}
	}
	assert_true( worst > 1.0 && worst < 1.5 ); // not only a bound, but near
	Teardown( &f );
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
		assert_true( gelPackPatches( &f.stage.surface, &f.stage.cells, &f.patches, true, words[k], 1 + (int)k,
			&f.stage.pool, cdg + k ) );
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
				borders += a.neighbor[k] - patch->triangleFirst >= patch->triangleCount;
		}
	}
	assert_int_equal( borders, cdg[0].borderCount );
	Teardown( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( CopiesDeformToTheSameBits ),
		cmocka_unit_test( RecordsRoundTrip ),
		cmocka_unit_test( BoundsHoldForEveryDeformation ),
		cmocka_unit_test( PatchesAreDisksOrClosed ),
		cmocka_unit_test( ConstantsAreThoseOfTheSurface ),
		cmocka_unit_test( ConstantsHoldForDeformedPatches ),
		cmocka_unit_test( RecordsOfAllWidthsSayTheSame ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
