// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_shape.h"

#include "core/core.h"

// Halvings of an interval on a segment: 2^-14 of its length is left.
#define GEL_ENTRY_HALVINGS 14

// Golden sections of an interval: 0.618^n of it is left, 0.1 % and 0.5 %.
#define GEL_SEGMENT_SECTIONS  14
#define GEL_TRIANGLE_SECTIONS 11

static gelVec3 ClampToCore( const gelShape* shape, gelVec3 p )
{
	gelVec3 core = shape->core;
	return gelMaxVec3( gelNeg( core ), gelMinVec3( core, p ) );
}

// Signed distance from a core without radius, for a point that is not outside of it.
static float GetDepthInCore( const gelShape* shape, gelVec3 p, gelVec3* outNormal )
{
	GEL_ASSERT( !shape->isHalfSpace );
	float x = fabsf( p.x ) - shape->core.x, y = fabsf( p.y ) - shape->core.y,
		  z = fabsf( p.z ) - shape->core.z;
	// ties go to y first: out of the middle of things the way is up
	if ( y >= x && y >= z )
	{
		*outNormal = gelMakeVec3( 0.0f, p.y < 0.0f ? -1.0f : 1.0f, 0.0f );
		return y;
	}
	bool isX = x >= z;
	*outNormal = isX ? gelMakeVec3( p.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f )
					 : gelMakeVec3( 0.0f, 0.0f, p.z < 0.0f ? -1.0f : 1.0f );
	return isX ? x : z;
}

// A capsule's axis has no inside: the way out is sideways there, unless it is a sphere.
static gelVec3 FixNormalOnAxis( const gelShape* shape, gelVec3 normal )
{
	GEL_ASSERT( !shape->isHalfSpace );
	bool isSegment = shape->core.x == 0.0f && shape->core.z == 0.0f && shape->core.y > 0.0f;
	return isSegment ? gelMakeVec3( 1.0f, 0.0f, 0.0f ) : normal;
}

float gelShape_GetDistance( const gelShape* shape, gelVec3 p, gelVec3* outNormal )
{
	if ( shape->isHalfSpace )
	{
		*outNormal = gelMakeVec3( 0.0f, 1.0f, 0.0f );
		return p.y;
	}
	gelVec3 away = gelSub( p, ClampToCore( shape, p ) );
	float length = gelLength( away );
	if ( length > 0.0f )
	{
		*outNormal = gelScale( 1.0f / length, away );
		return length - shape->radius;
	}
	float depth = GetDepthInCore( shape, p, outNormal );
	*outNormal = FixNormalOnAxis( shape, *outNormal );
	return gelMinFloat( depth, 0.0f ) - shape->radius;
}

gelVec3 gelShape_GetExtents( const gelShape* shape )
{
	float r = shape->radius;
	if ( shape->isHalfSpace ) return gelMakeVec3( INFINITY, INFINITY, INFINITY );
	return gelAdd( shape->core, gelMakeVec3( r, r, r ) );
}

// ---- minima of convex functions --------------------------------------------------------------------------

typedef float gelLineFcn( const void* context, float t );

// Where a convex function on 0 .. 1 is least, by golden sections; the ends count, too.
static float FindMinimum( gelLineFcn* f, const void* context, int sections, float* outValue )
{
	GEL_ASSERT( sections > 0 );
	const float golden = 0.618034f;
	float low = 0.0f, high = 1.0f, a = 1.0f - golden, b = golden, fa = f( context, a ), fb = f( context, b );
	for ( int i = 0; i < sections; ++i )
	{
		if ( fa <= fb )
		{
			high = b;
			b = a;
			fb = fa;
			a = high - golden * ( high - low );
			fa = f( context, a );
		}
		else
		{
			low = a;
			a = b;
			fa = fb;
			b = low + golden * ( high - low );
			fb = f( context, b );
		}
	}
	float best = fa <= fb ? a : b, value = gelMinFloat( fa, fb );
	for ( int end = 0; end < 2; ++end )
	{
		float atEnd = f( context, (float)end );
		if ( atEnd <= value ) best = (float)end;
		value = gelMinFloat( atEnd, value );
	}
	*outValue = value;
	return best;
}

// ---- segments ------------------------------------------------------------------------------------------

typedef struct gelShapeLine
{
	const gelShape* shape;
	gelVec3 p, d; // p + t d
} gelShapeLine;

static float GetDistanceAlong( const void* context, float t )
{
	const gelShapeLine* line = context;
	gelVec3 normal;
	return gelShape_GetDistance( line->shape, gelMulAdd( line->p, t, line->d ), &normal );
}

bool gelShape_FindEntry( const gelShape* shape, gelVec3 p, gelVec3 q, float* outFraction )
{
	gelShapeLine line = { shape, p, gelSub( q, p ) };
	float high = 1.0f, low = 0.0f;
	if ( GetDistanceAlong( &line, 1.0f ) >= 0.0f )
	{
		float deepest;
		if ( shape->isHalfSpace ) return false;
		high = FindMinimum( GetDistanceAlong, &line, GEL_SEGMENT_SECTIONS, &deepest );
		if ( deepest >= 0.0f ) return false;
	}
	for ( int i = 0; i < GEL_ENTRY_HALVINGS; ++i )
	{
		float middle = 0.5f * ( low + high );
		if ( GetDistanceAlong( &line, middle ) >= 0.0f )
			low = middle;
		else
			high = middle;
	}
	*outFraction = low; // still outside, or on the surface
	return true;
}

// ---- triangles -----------------------------------------------------------------------------------------

typedef struct gelShapeTriangle
{
	const gelShape* shape;
	gelVec3 corner, u, v; // corner + a u + b v, a + b <= 1
} gelShapeTriangle;

static gelShapeLine GetLine( const gelShapeTriangle* triangle, float a )
{
	return ( gelShapeLine ){ triangle->shape, gelMulAdd( triangle->corner, a, triangle->u ),
		gelScale( 1.0f - a, triangle->v ) };
}

// The least of a convex function along parallel lines is convex in the choice of the line.
static float GetDistanceAcross( const void* context, float a )
{
	gelShapeLine line = GetLine( context, a );
	float value;
	FindMinimum( GetDistanceAlong, &line, GEL_TRIANGLE_SECTIONS, &value );
	return value;
}

bool gelShape_FindDeepest( const gelShape* shape, const gelVec3 corners[3], float outWeights[3] )
{
	// nothing of the triangle is farther from its middle than its corners
	gelVec3 middle = gelScale( 1.0f / 3.0f, gelAdd( gelAdd( corners[0], corners[1] ), corners[2] ) ), normal;
	float reach2 = 0.0f, distance = gelShape_GetDistance( shape, middle, &normal );
	for ( int k = 0; k < 3; ++k )
		reach2 = gelMaxFloat( gelLengthSquared( gelSub( corners[k], middle ) ), reach2 );
	if ( !( distance * fabsf( distance ) < reach2 ) ) return false;

	gelShapeTriangle triangle = { shape, corners[0], gelSub( corners[1], corners[0] ),
		gelSub( corners[2], corners[0] ) };
	float value, a = FindMinimum( GetDistanceAcross, &triangle, GEL_TRIANGLE_SECTIONS, &value );
	gelShapeLine line = GetLine( &triangle, a );
	float b = FindMinimum( GetDistanceAlong, &line, GEL_TRIANGLE_SECTIONS, &value );
	outWeights[1] = a;
	outWeights[2] = ( 1.0f - a ) * b;
	outWeights[0] = 1.0f - outWeights[1] - outWeights[2];
	return value < 0.0f;
}
