// SPDX-License-Identifier: MIT
// What a hit tells: from a triangle of the collision geometry to the art, the cage and the world.
#include "query/surface_query.h"

typedef struct Double3
{
	double x, y, z;
} Double3;

static Double3 MulAdd( Double3 a, double s, Double3 b )
{
	return ( Double3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static Double3 Sub( Double3 a, Double3 b )
{
	return ( Double3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Double3 Cross( Double3 a, Double3 b )
{
	return ( Double3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static double Dot( Double3 a, Double3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Double3 Widen( gelVec3 a )
{
	return ( Double3 ){ a.x, a.y, a.z };
}

static Double3 RestNode( const gelPackView* pack, uint32_t node )
{
	GEL_ASSERT( node < pack->header->nodeCount );
	return Widen( gelGetRestNode( pack->nodes, node ) );
}

// Normal of the deformed triangle. One without area has none of its own: it faces the ray.
static gelVec3 FindNormal( const gelVec3 v[3], const gelBodyRay* ray, bool isBackFace )
{
	Double3 n = Cross( Sub( Widen( v[1] ), Widen( v[0] ) ), Sub( Widen( v[2] ), Widen( v[0] ) ) );
	double length = sqrt( Dot( n, n ) );
	if ( !( length > 0.0 ) )
	{
		n = MulAdd( ( Double3 ){ 0.0, 0.0, 0.0 }, isBackFace ? 1.0 : -1.0, Widen( ray->trace.direction ) );
		length = sqrt( Dot( n, n ) );
	}
	double inv = 1.0 / length;
	return ( gelVec3 ){ (float)( n.x * inv ), (float)( n.y * inv ), (float)( n.z * inv ) };
}

static double Clamp( double a )
{
	return a > 0.0 ? a : 0.0;
}

// Weights of the corners of an art triangle at a rest position on it.
static void FindArtWeights( const gelPackView* pack, const int vertex[3], Double3 p, float out[3] )
{
	GEL_ASSERT( vertex[0] >= 0 && (uint32_t)vertex[0] < pack->header->artVertexCount );
	Double3 corner[3];
	for ( int i = 0; i < 3; ++i )
	{
		float w[4];
		uint32_t v = (uint32_t)vertex[i];
		gelGetWeights( pack->embedWeights, v, w );
		corner[i] = ( Double3 ){ 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 4; ++k )
			corner[i] = MulAdd( corner[i], w[k], RestNode( pack, pack->tets[pack->embedTets[v]].node[k] ) );
	}
	Double3 b = Sub( corner[1], corner[0] ), c = Sub( corner[2], corner[0] ), q = Sub( p, corner[0] );
	Double3 n = Cross( b, c );
	double area2 = Dot( n, n ), w[3] = { 1.0, 0.0, 0.0 };
	if ( area2 > 0.0 )
	{
		// in units of area2, so that one division is enough
		w[1] = Clamp( Dot( Cross( q, c ), n ) );
		w[2] = Clamp( Dot( Cross( b, q ), n ) );
		w[0] = Clamp( area2 - w[1] - w[2] );
	}
	double inv = 1.0 / ( w[0] + w[1] + w[2] );
	for ( int i = 0; i < 3; ++i )
		out[i] = (float)( w[i] * inv );
}

// The tet of the undeformed cage that a position is in, or nearly, for cells that are not tets of the cage. A
// pass over all tets.
static gelEmbeddedPoint FindRestPoint( const gelAsset* asset, Double3 p )
{
	const gelPackView* pack = &asset->pack;
	gelEmbeddedPoint best = { .tet = -1 };
	double bestDepth = -INFINITY;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		const gelPackTetRest* rest = pack->tetRests + t;
		Double3 q = Sub( p, RestNode( pack, pack->tets[t].node[0] ) );
		double w[4], sum = 0.0, depth = INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			w[k + 1] = Dot( Widen( gelGetGradient( rest, k ) ), q );
			sum += w[k + 1];
		}
		w[0] = 1.0 - sum;
		for ( int k = 0; k < 4; ++k )
			depth = fmin( depth, w[k] );
		if ( !( depth > bestDepth ) ) continue;
		bestDepth = depth;
		best.tet = t;
		for ( int k = 0; k < 4; ++k )
			best.weight[k] = (float)w[k];
	}
	return best;
}

// From weights of a cell's ascending nodes to those of the tet's corners.
static gelEmbeddedPoint MakePoint(
	const gelAsset* asset, const gelPackCell* cell, const double w[4], Double3 restPosition )
{
	if ( cell->tet == GEL_CDG_NIL ) return FindRestPoint( asset, restPosition );
	gelEmbeddedPoint point = { .tet = (int)cell->tet };
	const uint32_t* node = asset->pack.tets[cell->tet].node;
	for ( int k = 0; k < 4; ++k )
	{
		for ( int i = 0; i < 4; ++i )
		{
			if ( node[k] == cell->node[i] ) point.weight[k] = (float)w[i];
		}
	}
	return point;
}

void gelFillHit( const gelBody* body, const gelBodyRay* ray, gelSurfaceHit found, gelRayHit* out )
{
	GEL_ASSERT( found.triangle < body->asset->pack.header->cdgTriangleCount );
	const gelPackView* pack = &body->asset->pack;
	uint32_t patch = found.patch;
	const gelPackCell* cell = pack->cells + pack->patches[patch].cell;
	uint32_t slots[3];
	gelVec3 x[4], v[3];
	double w[4] = { 0.0, 0.0, 0.0, 0.0 };
	Double3 position = { 0.0, 0.0, 0.0 }, rest = { 0.0, 0.0, 0.0 };
	gelGetCellNodes( body->x, cell, x );
	gelCdg_GetCorners( &pack->cdg, pack->patches + patch, found.triangle, slots );
	for ( int i = 0; i < 3; ++i )
	{
		float vertex[4];
		gelCdg_GetWeights( &pack->cdg, slots[i], vertex );
		v[i] = gelDeformVertex( &pack->cdg, slots[i], x );
		position = MulAdd( position, found.at.weight[i], Widen( v[i] ) );
		for ( int k = 0; k < 4; ++k )
			w[k] += found.at.weight[i] * (double)vertex[k];
	}
	for ( int k = 0; k < 4; ++k )
		rest = MulAdd( rest, w[k], RestNode( pack, cell->node[k] ) );

	out->isHit = true;
	out->isBackFace = found.at.isBackFace;
	out->fraction = (float)( ( ray->start + found.at.distance ) / ray->unit );
	out->position = ( gelVec3 ){ (float)( body->origin[0] + position.x ),
		(float)( body->origin[1] + position.y ), (float)( body->origin[2] + position.z ) };
	out->normal = FindNormal( v, ray, found.at.isBackFace );
	out->cellTriangle = (int)found.triangle;
	out->patch = (int)patch;
	out->cell = (int)pack->patches[patch].cell;
	out->triangle = (int)gelCdg_GetSource( &pack->cdg, found.triangle );
	for ( int i = 0; i < 3; ++i )
		out->vertex[i] = (int)pack->triangles[out->triangle].vertex[i];
	FindArtWeights( pack, out->vertex, rest, out->weight );
	out->point = MakePoint( body->asset, cell, w, rest );
}
