// SPDX-License-Identifier: MIT
// Is the collision geometry that of the art? The reader knows that it can be used without harm; here it is
// held against VIDX and VEMB: the pieces of an art triangle add up to it, the constants of a patch are those
// of its triangles, and the surface has the topology of the art.
#include "inspect/verify.h"

#include <gelpack/asserts.h>
#include <gelpack/math_double.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// Half the cross product of two sides: length is the area [m^2].
static gelVec3d VectorArea( gelVec3d a, gelVec3d b, gelVec3d c )
{
	return gelScaleD( 0.5, gelCrossD( gelSubD( b, a ), gelSubD( c, a ) ) );
}

// A point of a tet at rest from its weights [m].
static gelVec3d Place( const gelPackView* view, const float weights[4], const uint32_t* nodes )
{
	GEL_ASSERT( weights != NULL && nodes != NULL );
	gelVec3d p = { 0.0, 0.0, 0.0 };
	for ( size_t k = 0; k < 4; ++k )
	{
		const gelPackNode* n = view->nodes + nodes[k];
		double w = (double)weights[k];
		p.x += w * (double)n->x;
		p.y += w * (double)n->y;
		p.z += w * (double)n->z;
	}
	return p;
}

static gelVec3d PlaceArtVertex( const gelPackView* view, uint32_t v )
{
	GEL_ASSERT( v < view->header->artVertexCount );
	const float* block = view->embedWeights + (size_t)( v / 8 ) * 32 + v % 8;
	const float w[4] = { block[0], block[8], block[16], block[24] };
	return Place( view, w, view->tets[view->embedTets[v]].node );
}

static gelVec3d PlaceSlot( const gelPackView* view, const gelPackPatch* patch, uint32_t slot )
{
	float w[4];
	gelCdg_GetWeights( &view->cdg, slot, w );
	return Place( view, w, view->cells[patch->cell].node );
}

// What a position may be off by: each weight of a collision vertex by up to 2^-21 [m].
static double GetRounding( const gelPackView* view )
{
	// Four weights, each off by half of 2^-21, times the largest coordinate; twice that.
	return 0x1p-20 * gelGetLargestCoordinate( view );
}

// Sums of a patch, and the pieces of art triangles that lie in it.
typedef struct PatchSums
{
	double N[3], S, T[6], centroid[4];
} PatchSums;

static PatchSums SumPatch( const gelPackView* view, const gelPackPatch* patch, gelVec3d* pieces )
{
	GEL_ASSERT( patch->triangleCount > 0 );
	PatchSums sums = { 0 };
	for ( uint32_t i = 0; i < patch->triangleCount; ++i )
	{
		uint32_t index = patch->triangleFirst + i;
		uint32_t slots[3];
		gelCdg_GetCorners( &view->cdg, patch, index, slots );
		gelVec3d n = VectorArea( PlaceSlot( view, patch, slots[0] ), PlaceSlot( view, patch, slots[1] ),
			PlaceSlot( view, patch, slots[2] ) );
		double s = gelLengthD( n ), inverse = s > 0.0 ? 1.0 / s : 0.0;
		// Constants of a patch (formats/pack.md, CPAT): vector area N = sum n, area S = sum |n| and tensor
		// T = sum n n^T / |n|. The runtime bounds by them what a deformation does to the area.
		const double tensor[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
		gelVec3d* piece = pieces + gelCdg_GetSource( &view->cdg, index );
		piece->x += n.x;
		piece->y += n.y;
		piece->z += n.z;
		sums.N[0] += n.x;
		sums.N[1] += n.y;
		sums.N[2] += n.z;
		sums.S += s;
		for ( int k = 0; k < 6; ++k )
			sums.T[k] += tensor[k] * inverse;
		for ( int c = 0; c < 3; ++c )
		{
			float w[4];
			gelCdg_GetWeights( &view->cdg, slots[c], w );
			for ( int k = 0; k < 4; ++k )
				sums.centroid[k] += s / 3.0 * (double)w[k];
		}
	}
	return sums;
}

// Floats of the pack against sums in double; 1e-5 is far above rounding and far below a missing triangle.
static bool AgreesWith( const gelPackPatch* patch, const PatchSums* sums )
{
	// Everything is relative to the area of the patch: N and T are sums of terms no larger than it.
	double tolerance = 1e-5 * sums->S + 1e-30;
	bool same = fabs( (double)patch->area - sums->S ) <= tolerance;
	for ( int k = 0; k < 6; ++k )
	{
		same = same && fabs( (double)patch->areaTensor[k] - sums->T[k] ) <= tolerance;
		same = same && ( k >= 3 || fabs( (double)patch->vectorArea[k] - sums->N[k] ) <= tolerance );
		same = same &&
			( k >= 4 || fabs( (double)patch->centroid[k] * sums->S - sums->centroid[k] ) <= tolerance );
	}
	return same;
}

// Sums up the pieces of every art triangle on the way, for VerifyPieces.
static void VerifyPatches( const gelInspectedPack* pack, gelFindings* findings, gelVec3d* pieces )
{
	const gelPackView* view = &pack->view;
	for ( uint32_t i = 0; i < view->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = view->patches + i;
		PatchSums sums = SumPatch( view, patch, pieces );
		if ( AgreesWith( patch, &sums ) ) continue;
		gelFindings_Add( findings, gel_findingPatchWrong, pack->path,
			"section CPAT, element %u, at byte %" PRIu64 ": area %.9g m^2, its triangles have %.9g m^2", i,
			(uint64_t)( (const uint8_t*)patch - pack->bytes ), (double)patch->area, sums.S );
	}
}

// Cutting moves no point of the surface: vector areas of the pieces add up to that of the triangle, exactly
// but for the rounding of weights.
static void VerifyPieces( const gelInspectedPack* pack, gelFindings* findings, const gelVec3d* pieces )
{
	const gelPackView* view = &pack->view;
	const double rounding = GetRounding( view );
	for ( uint32_t i = 0; i < view->header->artTriangleCount; ++i )
	{
		const uint32_t* c = view->triangles[i].vertex;
		gelVec3d p[3] = { PlaceArtVertex( view, c[0] ), PlaceArtVertex( view, c[1] ),
			PlaceArtVertex( view, c[2] ) };
		gelVec3d n = VectorArea( p[0], p[1], p[2] );
		double perimeter = gelLengthD( gelSubD( p[1], p[0] ) ) + gelLengthD( gelSubD( p[2], p[1] ) ) +
			gelLengthD( gelSubD( p[0], p[2] ) );
		// parts that are inside out have been turned for collision
		gelVec3d opposite = { -n.x, -n.y, -n.z };
		double error =
			fmin( gelLengthD( gelSubD( pieces[i], n ) ), gelLengthD( gelSubD( pieces[i], opposite ) ) );
		// moving the outline of a triangle by r changes its area by up to r times its length
		if ( error <= rounding * ( perimeter + rounding ) ) continue;
		gelFindings_Add( findings, gel_findingSurfaceForeign, pack->path,
			"section CTRI: the pieces of art triangle %u (vertices %u %u %u) add up to %.6g m^2, it has %.6g "
			"m^2",
			i, c[0], c[1], c[2], gelLengthD( pieces[i] ), gelLengthD( n ) );
	}
}

// V - E + F of the collision surface, its copies of vertices counted once.
static int64_t CountEuler( const gelPackView* view, const gelSurfaceFacts* facts )
{
	int64_t vertices = facts->vertexCount, triangles = view->header->cdgTriangleCount;
	for ( uint32_t i = 0; i < view->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = view->patches + i;
		for ( uint32_t k = 0; k < patch->weldCount; ++k )
		{
			uint32_t slot = patch->vertexFirst + k;
			vertices -= gelCdg_GetWeld( &view->cdg, patch, slot ) != slot;
		}
	}
	// Every triangle has three sides; inner edges are two of them, open edges one: 2 E = 3 F + open.
	return vertices - ( 3 * triangles + facts->openEdges ) / 2 + triangles;
}

void gelVerifySurface( const gelInspectedPack* pack, gelProgram* program )
{
	const gelPackView* view = &pack->view;
	if ( view->cells == NULL ) return;
	gelVec3d* pieces = calloc( view->header->artTriangleCount, sizeof( gelVec3d ) );
	if ( pieces == NULL )
	{
		gelFindings_Add( &program->findings, gel_findingNoMemory, pack->path,
			"there is no memory for %u triangles", view->header->artTriangleCount );
		return;
	}
	VerifyPatches( pack, &program->findings, pieces );
	VerifyPieces( pack, &program->findings, pieces );
	gelSurfaceFacts facts = gelMeasureSurface( view );
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	for ( uint32_t i = 0; i < view->header->artTriangleCount; ++i )
	{
		sum.x += pieces[i].x;
		sum.y += pieces[i].y;
		sum.z += pieces[i].z;
	}
	gelReport_SetInt( &program->report, "verify.collision_euler", CountEuler( view, &facts ) );
	gelReport_SetReal( &program->report, "verify.collision_vector_area", gelLengthD( sum ) );
	// a closed surface has no vector area; float positions leave a rest that grows like the root of the count
	if ( facts.openEdges == 0 &&
		gelLengthD( sum ) > 1e-6 * facts.area + GetRounding( view ) * sqrt( facts.area ) )
	{
		gelFindings_Add( &program->findings, gel_findingSurfaceForeign, pack->path,
			"section CTRI: the surface is closed, but its vector area is %.3g of %.6g m^2", gelLengthD( sum ),
			facts.area );
	}
	free( pieces );
}
