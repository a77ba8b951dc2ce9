// SPDX-License-Identifier: MIT
#include "query/surface_query.h"

// ---- rays --------------------------------------------------------------------------------------------

// fmax is a call into libm.
static inline double Max( double a, double b )
{
	return a > b ? a : b;
}

// The part of the ray inside of a box, in distances. False: none.
static bool ClipToBox(
	const double o[3], const double d[3], const gelAabb* box, double slack, double* near, double* far )
{
	GEL_ASSERT( slack >= 0.0 );
	const float *min = &box->min.x, *max = &box->max.x;
	for ( int k = 0; k < 3; ++k )
	{
		double low = (double)min[k] - slack, high = (double)max[k] + slack;
		if ( d[k] == 0.0 )
		{
			if ( o[k] < low || o[k] > high ) return false;
			continue;
		}
		double inv = 1.0 / d[k], a = ( low - o[k] ) * inv, b = ( high - o[k] ) * inv;
		double in = a < b ? a : b, out = a < b ? b : a;
		*near = in > *near ? in : *near;
		*far = out < *far ? out : *far;
	}
	return *near <= *far;
}

static gelTrace MakeTrace( const double o[3], const double d[3], double length )
{
	GEL_ASSERT( length > 0.0 );
	int kz = fabs( d[0] ) == 1.0 ? 0 : fabs( d[1] ) == 1.0 ? 1 : 2;
	int kx = ( kz + 1 ) % 3, ky = ( kz + 2 ) % 3;
	gelTrace trace = {
		.origin = { (float)o[0], (float)o[1], (float)o[2] },
		.direction = { (float)d[0], (float)d[1], (float)d[2] },
		.maxDistance = (float)length,
		.kz = kz,
	};
	trace.signZ = d[kz] < 0.0 ? -1.0f : 1.0f;
	trace.kx = d[kz] < 0.0 ? ky : kx;
	trace.ky = d[kz] < 0.0 ? kx : ky;
	trace.shearX = gelComponent( trace.direction, trace.kx ) * trace.signZ; // the direction's z is signZ
	trace.shearY = gelComponent( trace.direction, trace.ky ) * trace.signZ;
	return trace;
}

static void MakeSlabs( gelBodyRay* ray )
{
	const gelTrace* trace = &ray->trace;
	float o[8], d[8];
	gelProjectOnDop( trace->origin, o );
	gelProjectOnDop( trace->direction, d );
	for ( uint32_t k = 0; k < GEL_DOP_AXES; ++k )
	{
		uint32_t low = GEL_COARSE_LANES * k, high = GEL_COARSE_LANES * ( GEL_DOP_AXES + k );
		float inverse = gelInverseDirection( d[k] ), slack = inverse < 0.0f ? -ray->slack : ray->slack;
		ray->slabs[k] = ( gelSlab ){
			.nearOrigin = o[k] + slack,
			.farOrigin = o[k] - slack,
			.inverse = inverse,
			.nearRow = inverse < 0.0f ? high : low,
			.farRow = inverse < 0.0f ? low : high,
		};
	}
	ray->origin[0] = gelComponent( trace->origin, trace->kx );
	ray->origin[1] = gelComponent( trace->origin, trace->ky );
	ray->origin[2] = gelComponent( trace->origin, trace->kz );
}

bool gelMakeBoxRay(
	const gelAabb* box, const double origin[3], const double t[3], double maxFraction, gelBodyRay* out )
{
	GEL_ASSERT( maxFraction >= 0.0 );
	const float *low = &box->min.x, *high = &box->max.x;
	double o[3], d[3], magnitude = 0.0;
	out->unit = Max( fabs( t[0] ), Max( fabs( t[1] ), fabs( t[2] ) ) );
	for ( int k = 0; k < 3; ++k )
	{
		d[k] = t[k] / out->unit; // the largest one is exactly 1 or -1
		magnitude = Max( magnitude, Max( fabs( (double)low[k] ), fabs( (double)high[k] ) ) );
	}
	double slack = GEL_RAY_SLACK * magnitude;
	double near = 0.0, far = maxFraction * out->unit;
	if ( !ClipToBox( origin, d, box, 2.0 * slack, &near, &far ) ) return false;
	for ( int k = 0; k < 3; ++k )
		o[k] = origin[k] + near * d[k];
	out->start = near;
	out->slack = (float)slack;
	out->trace = MakeTrace( o, d, far - near );
	MakeSlabs( out );
	return true;
}

bool gelMakeBodyRay( const gelBody* body, const gelRay* ray, double maxFraction, gelBodyRay* out )
{
	const double t[3] = { (double)ray->translation.x, (double)ray->translation.y,
		(double)ray->translation.z };
	const double o[3] = { (double)ray->origin.x - body->origin[0], (double)ray->origin.y - body->origin[1],
		(double)ray->origin.z - body->origin[2] };
	return gelMakeBoxRay( &body->box, o, t, maxFraction, out );
}

bool gelEnterBody( const gelBody* body, const gelRay* ray, double maxFraction, double* outFraction )
{
	GEL_ASSERT( maxFraction >= 0.0 );
	const double d[3] = { (double)ray->translation.x, (double)ray->translation.y,
		(double)ray->translation.z };
	const double o[3] = { (double)ray->origin.x - body->origin[0], (double)ray->origin.y - body->origin[1],
		(double)ray->origin.z - body->origin[2] };
	const float *low = &body->box.min.x, *high = &body->box.max.x;
	double magnitude = 0.0, far = maxFraction * ( 1.0 + 0x1p-20 );
	for ( int k = 0; k < 3; ++k )
		magnitude = Max( magnitude, Max( fabs( (double)low[k] ), fabs( (double)high[k] ) ) );
	*outFraction = 0.0;
	// twice the slack of gelMakeBodyRay, whose divisions round differently
	return ClipToBox( o, d, &body->box, 4.0 * GEL_RAY_SLACK * magnitude, outFraction, &far );
}

// ---- searches ----------------------------------------------------------------------------------------

static gelSurfaceSearch MakeSearch( const gelBody* body, const gelBodyRay* ray )
{
	return ( gelSurfaceSearch ){
		.pack = &body->asset->pack,
		.nodes = body->x,
		.tree = body->asset->coarse,
		.root = (uint32_t)body->asset->coarseCount - 1,
		.boxes = body->coarse,
		.ray = ray,
		.limit = ray->trace.maxDistance * ( 1.0f + 0x1p-20f ) + ray->slack,
		.best = { .triangle = GEL_CDG_NIL },
	};
}

gelSearchFcn* gelBody_NeedSearch( gelBody* body )
{
	return gelBody_NeedCoarse( body ) ? gelGetQueryKernels( body->simd )->searchSurface
									  : gelSearchSurface_Ref;
}

gelSurfaceHit gelCastRay(
	const gelBody* body, const gelBodyRay* ray, gelRayFaces faces, gelSearchFcn* search )
{
	GEL_ASSERT( search != NULL && body->coarse != NULL );
	gelSurfaceSearch s = MakeSearch( body, ray );
	s.faces = faces;
	search( &s );
	return s.best;
}

int gelCountWinding( const gelBody* body, const gelBodyRay* ray, gelSearchFcn* search )
{
	GEL_ASSERT( search != NULL && body->coarse != NULL );
	gelSurfaceSearch s = MakeSearch( body, ray );
	s.counts = true;
	s.limit = INFINITY; // crossings are counted to the end of the world
	search( &s );
	return s.winding;
}

void gelSearchSurface_Ref( gelSurfaceSearch* s )
{
	const gelPackView* pack = s->pack;
	for ( uint32_t p = 0; p < pack->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = pack->patches + p;
		gelVec3 x[4];
		gelGetCellNodes( s->nodes, pack->cells + patch->cell, x );
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
		{
			uint32_t index = patch->triangleFirst + i;
			uint32_t slots[3];
			gelCdg_GetCorners( &pack->cdg, patch, index, slots );
			gelShearedPoint v[3];
			for ( int k = 0; k < 3; ++k )
				v[k] = gelShear( &s->ray->trace, gelDeformVertex( &pack->cdg, slots[k], x ) );
			gelSurfaceSearch_Test( s, index, p, v[0], v[1], v[2] );
		}
	}
}
