// SPDX-License-Identifier: MIT
// Points and bodies: embedded points, insides, bounds.
#include "query/surface_query.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <float.h>

// A position this far outside of a tet (in weights) still belongs to it: faces leave no gaps.
#define GEL_INSIDE_TOLERANCE 1.0e-5

static bool IsPoint( const gelAsset* asset, const gelEmbeddedPoint* point )
{
	if ( point == NULL || point->tet < 0 || point->tet >= asset->tetCount ) return false;
	float sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		if ( !( fabsf( point->weight[k] ) <= 1.0e6f ) ) return false;
		sum += point->weight[k];
	}
	return fabsf( sum - 1.0f ) <= 1.0e-3f;
}

static gelResult Interpolate( gelBodyId bodyId, const gelEmbeddedPoint* point, bool isVelocity, gelVec3* out )
{
	if ( out == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*out = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !IsPoint( body->asset, point ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( isVelocity )
	{
		*out = body->solver->getPointVelocity( body, point );
		return gel_success;
	}
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 sum = gelScale( point->weight[0], body->x[node[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->weight[k], body->x[node[k]] );
	*out = gelToWorld( body, sum );
	return gel_success;
}

gelResult gelBody_GetPointPosition( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3* outPosition )
{
	return Interpolate( bodyId, point, false, outPosition );
}

gelResult gelBody_GetPointVelocity( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3* outVelocity )
{
	return Interpolate( bodyId, point, true, outVelocity );
}

gelEmbeddedPoint gelAsset_GetVertexPoint( const gelAsset* asset, int vertex )
{
	gelEmbeddedPoint point = { .tet = -1 };
	if ( asset == NULL || vertex < 0 || vertex >= asset->vertexCount ) return point;
	point.tet = (int)asset->pack.embedTets[vertex];
	gelGetWeights( asset->pack.embedWeights, (uint32_t)vertex, point.weight );
	return point;
}

// ---- the tet at a position ---------------------------------------------------------------------------

static bool IsInBox( const gelVec3 x[4], gelVec3 p, float slack )
{
	gelVec3 low = gelMinVec3( gelMinVec3( x[0], x[1] ), gelMinVec3( x[2], x[3] ) );
	gelVec3 high = gelMaxVec3( gelMaxVec3( x[0], x[1] ), gelMaxVec3( x[2], x[3] ) );
	return p.x >= low.x - slack && p.x <= high.x + slack && p.y >= low.y - slack && p.y <= high.y + slack &&
		p.z >= low.z - slack && p.z <= high.z + slack;
}

static double Determinant( gelVec3 a, gelVec3 b, gelVec3 c, gelVec3 d )
{
	GEL_ASSERT( isfinite( a.x + b.x + c.x + d.x ) );
	double e[3][3];
	const gelVec3 ends[3] = { b, c, d };
	for ( int k = 0; k < 3; ++k )
	{
		e[k][0] = (double)ends[k].x - (double)a.x;
		e[k][1] = (double)ends[k].y - (double)a.y;
		e[k][2] = (double)ends[k].z - (double)a.z;
	}
	return e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) +
		e[0][1] * ( e[1][2] * e[2][0] - e[1][0] * e[2][2] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
}

// A tet that is so flat that its weights do not sum to 1 within this: its determinants are rounding noise.
#define GEL_FLAT_TOLERANCE 1.0e-6

// Weights of p in a tet, as ratios of volumes. False: the tet is flat.
static bool FindWeights( const gelVec3 x[4], gelVec3 p, double w[4] )
{
	double det = Determinant( x[0], x[1], x[2], x[3] );
	w[0] = Determinant( p, x[1], x[2], x[3] ) / det;
	w[1] = Determinant( x[0], p, x[2], x[3] ) / det;
	w[2] = Determinant( x[0], x[1], p, x[3] ) / det;
	w[3] = Determinant( x[0], x[1], x[2], p ) / det;
	double size = 0.0, sum = w[0] + w[1] + w[2] + w[3];
	for ( int k = 0; k < 4; ++k )
		size += fabs( w[k] );
	return size < 1.0e6 && fabs( sum - 1.0 ) < GEL_FLAT_TOLERANCE; // false for NaN
}

gelResult gelBody_FindPoint( gelBodyId bodyId, gelVec3 position, gelEmbeddedPoint* outPoint )
{
	if ( outPoint == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outPoint = ( gelEmbeddedPoint ){ .tet = -1 };
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !gelIsUsable( position ) ) return GEL_CALLER_ERROR( gel_errorArgument );

	const gelAsset* asset = body->asset;
	gelVec3 p = gelToBody( body, position );
	double deepest = -GEL_INSIDE_TOLERANCE;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		gelVec3 x[4];
		double w[4], depth = 1.0;
		for ( int k = 0; k < 4; ++k )
			x[k] = body->x[asset->pack.tets[t].node[k]];
		if ( !IsInBox( x, p, 1.0e-5f * asset->restSize ) || !FindWeights( x, p, w ) ) continue;
		for ( int k = 0; k < 4; ++k )
			depth = fmin( depth, w[k] );
		if ( !( depth > deepest ) ) continue;
		deepest = depth;
		outPoint->tet = t;
		for ( int k = 0; k < 4; ++k )
			outPoint->weight[k] = (float)w[k];
	}
	return gel_success;
}

// ---- inside, bounds ----------------------------------------------------------------------------------

// Winding number along one axis of space, on which the sheared coordinates of a trace are exact differences.
static bool IsInside( gelBody* body, gelVec3 position, gelVec3 direction )
{
	gelRay ray = { .origin = position, .translation = direction, .maxFraction = FLT_MAX };
	gelBodyRay bodyRay;
	if ( !gelMakeBodyRay( body, &ray, (double)ray.maxFraction, &bodyRay ) ) return false;
	return bodyRay.start == 0.0 && gelCountWinding( body, &bodyRay, gelBody_NeedSearch( body ) ) != 0;
}

gelResult gelBody_ContainsPoint( gelBodyId bodyId, gelVec3 position, bool* outInside )
{
	static const gelVec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	if ( outInside == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outInside = false;
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( body->coarse == NULL ) return gel_errorUnsupported;
	if ( !gelIsUsable( position ) ) return GEL_CALLER_ERROR( gel_errorArgument );

	int count = 0, directions = body->asset->isSurfaceClosed ? 1 : 3;
	for ( int k = 0; k < directions; ++k )
		count += IsInside( body, position, axes[k] );
	*outInside = 2 * count > directions;
	return gel_success;
}

// Rounded outwards.
static float RoundDown( double x )
{
	return (float)x - 0x1p-23f * fabsf( (float)x );
}

gelAabb gelToWorldBox( const gelBody* body, gelAabb box )
{
	const double* o = body->origin;
	return ( gelAabb ){
		{ RoundDown( o[0] + (double)box.min.x ), RoundDown( o[1] + (double)box.min.y ),
			RoundDown( o[2] + (double)box.min.z ) },
		{ -RoundDown( -o[0] - (double)box.max.x ), -RoundDown( -o[1] - (double)box.max.y ),
			-RoundDown( -o[2] - (double)box.max.z ) },
	};
}

gelAabb gelBody_GetBounds( gelBodyId bodyId )
{
	gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return ( gelAabb ){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	bool hasSurface = body->coarse != NULL && !bodyId.world->isLocked;
	return gelToWorldBox( body, hasSurface ? gelBoundSurface( body ) : body->box );
}
