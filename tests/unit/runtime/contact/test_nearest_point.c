// SPDX-License-Identifier: MIT
// The point of a deformed surface that is nearest to a center when an ellipsoid around it is scaled to a
// sphere: against many points of all triangles.
#include "test_support.h"

#include "contact/detect/nearest_point.h"
#include "contact_stage.h"
#include "query/surface_query.h"
#include "test_surfaces.h"

#include <math.h>

#define RADII 2.0f

// Bent and sheared.
static gelVec3 Bend( gelVec3 rest, void* context )
{
	(void)context;
	return (
		gelVec3 ){ rest.x + 0.2f * rest.y * rest.y, 0.9f * rest.y + 0.1f * rest.z, rest.z - 0.15f * rest.x };
}

static gelVec3 MakeDirection( gelRandom* random )
{
	gelVec3 n = { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
		(float)gelRandom_Normal( random ) };
	return gelScale( 1.0f / gelLength( n ), n );
}

// R diag( r^2 ) R^T, radii over a decade.
static gelSym3 MakeShape( gelRandom* random, double R[3][3], double radius[3] )
{
	gelVec3 a = MakeDirection( random ), b = gelGetTangent( a ), c = gelCross( a, b );
	const gelVec3 axes[3] = { a, b, c };
	gelSym3 S = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 n = axes[k];
		radius[k] = 0.3 * pow( 10.0, gelRandom_Uniform( random, -1.0, 0.0 ) );
		R[k][0] = n.x;
		R[k][1] = n.y;
		R[k][2] = n.z;
		float r2 = (float)( radius[k] * radius[k] );
		S.xx += r2 * n.x * n.x;
		S.yy += r2 * n.y * n.y;
		S.zz += r2 * n.z * n.z;
		S.xy += r2 * n.x * n.y;
		S.xz += r2 * n.x * n.z;
		S.yz += r2 * n.y * n.z;
	}
	return S;
}

// In radii, squared.
static double GetDistance2( gelVec3 p, gelVec3 center, double R[3][3], const double radius[3] )
{
	double d[3] = { (double)p.x - (double)center.x, (double)p.y - (double)center.y,
		(double)p.z - (double)center.z };
	double sum = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double t = ( R[k][0] * d[0] + R[k][1] * d[1] + R[k][2] * d[2] ) / radius[k];
		sum += t * t;
	}
	return sum;
}

// The nearest of 28 points of each triangle.
static double FindNearestSample(
	const gelContactSurface* s, gelVec3 center, double R[3][3], const double radius[3] )
{
	double least = INFINITY;
	const gelPackView* pack = s->pack;
	for ( uint32_t i = 0; i < pack->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = pack->patches + i;
		gelVec3 x[4], p[3];
		gelGetCellNodes( s->nodes, pack->cells + patch->cell, x );
		for ( uint32_t t = 0; t < patch->triangleCount; ++t )
		{
			uint32_t slots[3];
			gelCdg_GetCorners( &pack->cdg, patch, patch->triangleFirst + t, slots );
			for ( int k = 0; k < 3; ++k )
				p[k] = gelDeformVertex( &pack->cdg, slots[k], x );
			for ( int a = 0; a <= 6; ++a )
			{
				for ( int b = 0; a + b <= 6; ++b )
				{
					gelVec3 at = gelScale( ( 1.0f / 6.0f ) * (float)a, p[0] );
					at = gelMulAdd( at, ( 1.0f / 6.0f ) * (float)b, p[1] );
					at = gelMulAdd( at, ( 1.0f / 6.0f ) * (float)( 6 - a - b ), p[2] );
					least = fmin( least, GetDistance2( at, center, R, radius ) );
				}
			}
		}
	}
	return least;
}

static void TestNearest( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	gelMesh torus = gelMakeTestTorus( 0.55, 0.25, 14 );
	gelContactStage stage = gelMakeContactStageFromMesh( &torus, 5, 1.0 );
	gelFreeMesh( &torus );
	gelContactStage_Map( &stage, Bend, NULL );
	gelContactStage_Look( &stage );
	int found = 0, behind = 0;
	for ( int i = 0; i < 120; ++i )
	{
		double R[3][3], radius[3];
		gelSym3 S = MakeShape( &random, R, radius );
		gelVec3 center = gelScale( (float)gelRandom_Uniform( &random, 0.0, 1.4 ), MakeDirection( &random ) );
		gelSurfacePieces pieces;
		gelVec3 reach = { RADII * sqrtf( S.xx ), RADII * sqrtf( S.yy ), RADII * sqrtf( S.zz ) };
		gelFindSurfacePieces( &stage.surface, gelSub( center, reach ), gelAdd( center, reach ), &pieces );
		gelNearestPoint nearest;
		bool isFound = gelFindNearestPoint( &stage.surface, &pieces, center, S, RADII, &nearest );
		double least = FindNearestSample( &stage.surface, center, R, radius );
		if ( !isFound )
		{
			assert_true( least > (double)( RADII * RADII ) * 0.999 );
			continue;
		}
		++found;
		behind += nearest.facing < 0.0f;
		// nothing is nearer, and the point is as near as it says
		assert_true( (double)nearest.distance2 <= 1.002 * least );
		double own = GetDistance2( nearest.point, center, R, radius );
		assert_true( fabs( own - (double)nearest.distance2 ) < 1e-3 * own + 1e-5 );
		assert_true( fabsf( gelLength( nearest.normal ) - 1.0f ) < 1e-4f );
		// the center is on the side of the normal when it is in front, else behind
		float along = gelDot( nearest.normal, gelSub( center, nearest.point ) );
		assert_true( nearest.facing < 0.0f ? along <= 1e-5f : along >= -1e-5f );
	}
	assert_true( found > 40 && behind > 8 && found < 120 );
	gelFreeContactStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( TestNearest ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
