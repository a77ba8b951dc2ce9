// SPDX-License-Identifier: MIT
#include "tetrafy/verify/cage_quality.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tet_shape.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

#define GEL_SOLID_SAMPLES 4096u  // samples in a small cage
#define GEL_SAMPLED_TETS  16384u // tets of a cage that is sampled at all

gelCageQuality gelMeasureCage( const gelTetMesh* mesh )
{
	gelCageQuality quality = { .minDihedral = 180.0, .minRadiusRatio = 1.0 };
	for ( uint32_t tet = 0; tet < mesh->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( mesh, tet, p );
		double cosSmallest, cosLargest;
		gelTetDihedrals( p, &cosSmallest, &cosLargest );
		double smallest = GEL_DEGREES * acos( cosSmallest ), largest = GEL_DEGREES * acos( cosLargest );
		double ratio = gelTetRadiusRatio( p );
		quality.volume += gelTetVolume( p );
		quality.meanRadiusRatio += ratio;
		quality.minRadiusRatio = gelMinDouble( quality.minRadiusRatio, ratio );
		quality.maxDihedral = gelMaxDouble( quality.maxDihedral, largest );
		quality.below15 += smallest < 15.0;
		// The smallest of six angles is at most 70.5 degrees, that of a regular tet, so upper bins stay
		// empty; they are there because the report has 180 degrees.
		int bin = (int)( smallest / 10.0 );
		quality.histogram[bin < GEL_DIHEDRAL_BINS ? bin : GEL_DIHEDRAL_BINS - 1] += 1;
		if ( smallest < quality.minDihedral ) quality.minDihedral = smallest, quality.worstTet = tet;
	}
	if ( mesh->tetCount > 0 ) quality.meanRadiusRatio /= mesh->tetCount;
	return quality;
}

// Centers of the four triangles that halving every edge gives.
static double FaceGap( const gelVec3d p[3], const gelSurfaceTree* tree )
{
	static const double weights[4][3] = { { 4, 1, 1 }, { 1, 4, 1 }, { 1, 1, 4 }, { 2, 2, 2 } };
	double sum = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		gelVec3d x = gelScaleD( weights[i][0] / 6.0, p[0] );
		x = gelMulAddD( x, weights[i][1] / 6.0, p[1] );
		sum += gelSurfaceTree_Distance( tree, gelMulAddD( x, weights[i][2] / 6.0, p[2] ) );
	}
	return sum / 4.0;
}

double gelMeasureGap( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	// Distances side by side, sums one after another: the mean has the same bits for any number of threads.
	double* gaps = gelTetAlloc( 4 * (size_t)mesh->tetCount, sizeof( double ) );
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( threads )
	for ( uint32_t i = 0; i < 4 * mesh->tetCount; ++i )
	{
		gelVec3d p[3];
		gelTetMesh_FacePoints( mesh, i / 4, (int)( i % 4 ), p );
		if ( faces.neighbors[i] == GEL_NO_TET ) gaps[i] = FaceGap( p, tree );
	}
	double sum = 0.0, area = 0.0;
	for ( uint32_t i = 0; i < 4 * mesh->tetCount; ++i )
	{
		if ( faces.neighbors[i] != GEL_NO_TET ) continue;
		gelVec3d p[3];
		gelTetMesh_FacePoints( mesh, i / 4, (int)( i % 4 ), p );
		gelVec3d n = gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) );
		double size = 0.5 * gelLengthD( n );
		sum += size * gaps[i];
		area += size;
	}
	free( gaps );
	gelFreeTetFaces( &faces );
	return area > 0.0 ? sum / area : 0.0;
}

// Point number i of an even sequence over a tet: fractions of i times powers of the root of x^4 = x + 1 (M.
// Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"), sorted, cut the unit interval
// into barycentric coordinates.
static gelVec3d PointInTet( const gelVec3d p[4], uint64_t i )
{
	static const double steps[3] = { 0.81917251339616440, 0.67104360670378920, 0.54970047790197030 };
	double u[3];
	for ( int k = 0; k < 3; ++k )
		u[k] = fmod( 0.5 + (double)i * steps[k], 1.0 );
	double low = gelMinDouble( u[0], gelMinDouble( u[1], u[2] ) ),
		   high = gelMaxDouble( u[0], gelMaxDouble( u[1], u[2] ) );
	double middle = u[0] + u[1] + u[2] - low - high;
	gelVec3d x = gelScaleD( low, p[0] );
	x = gelMulAddD( x, middle - low, p[1] );
	x = gelMulAddD( x, high - middle, p[2] );
	return gelMulAddD( x, 1.0 - high, p[3] );
}

double gelSampleSolid( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	if ( mesh->tetCount == 0 || mesh->tetCount > GEL_SAMPLED_TETS ) return 0.0;
	// As many points in each tet, however large it is: the volume of a tet weighs its share.
	uint32_t perTet = mesh->tetCount < GEL_SOLID_SAMPLES ? GEL_SOLID_SAMPLES / mesh->tetCount : 1;
	uint32_t* inside = gelTetAlloc( mesh->tetCount, sizeof( uint32_t ) );
#pragma omp parallel for schedule( dynamic, 16 ) num_threads( threads )
	for ( int64_t tet = 0; tet < (int64_t)mesh->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( mesh, (uint32_t)tet, p );
		for ( uint32_t i = 0; i < perTet; ++i )
			inside[tet] += gelSurfaceTree_IsInside( tree, PointInTet( p, (uint64_t)tet * perTet + i ) );
	}
	double volume = 0.0;
	for ( uint32_t tet = 0; tet < mesh->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( mesh, tet, p );
		volume += gelTetVolume( p ) * inside[tet] / perTet;
	}
	free( inside );
	return volume;
}
