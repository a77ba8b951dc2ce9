// SPDX-License-Identifier: MIT
// Intersection curves for debug drawing: found as contacts find them, between steps.
#include "contact/detect/contact_curves.h"
#include "contact/step/contact_step.h"
#include "gelpack/contact.h"
#include "solvers/solver.h"
#include "state/world.h"

// From the grid of the pair to the world.
static gelVec3 ToWorld( const gelBody* body, const gelGrid* grid, const double q[3] )
{
	float p[3];
	for ( int k = 0; k < 3; ++k )
		p[k] = (float)( q[k] / grid->scale - grid->offset[k] + body->origin[k] );
	return ( gelVec3 ){ p[0], p[1], p[2] };
}

static void VisitSegments( const gelContactScratch* s, const gelBody* body, const gelGrid* grid,
	gelCurveVisitor* visit, void* context )
{
	for ( uint32_t i = 0; i < s->curveCount; ++i )
	{
		uint32_t pair = s->curves[i].first;
		for ( uint32_t k = 0; k < s->curves[i].count; ++k, pair = s->next[pair] )
		{
			const gelSegment* piece = s->segments + pair;
			gelCurveSegment segment = { ToWorld( body, grid, piece->q[0] ),
				ToWorld( body, grid, piece->q[1] ), (int)i, s->curves[i].isOpen };
			visit( &segment, context );
		}
	}
}

int gelVisitCurves( struct gelWorld* world, gelBody* a, gelBody* b, gelCurveVisitor* visit, void* context )
{
	if ( !gelBody_HasContactSurface( a ) || !gelBody_HasContactSurface( b ) ) return 0;
	if ( !gelBody_NeedCoarse( a ) || !gelBody_NeedCoarse( b ) ) return 0;
	gelContactSurface surfaceA = gelBody_GetContactSurface( a ), surfaceB = gelBody_GetContactSurface( b );
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = world->simd;
	gelContactScratch* scratch = world->contact->finds[0].scratch;
	if ( gelFindIntersectionCurves( &surfaceA, &surfaceB, scratch, &options ) == 0 ) return 0;
	VisitSegments( scratch, a, &surfaceA.grid, visit, context );
	return (int)scratch->pairs.count;
}

typedef struct SegmentList
{
	gelCurveSegment* out;
	int count, capacity;
} SegmentList;

static void TakeSegment( const gelCurveSegment* segment, void* context )
{
	SegmentList* list = context;
	if ( list->out != NULL && list->count < list->capacity ) list->out[list->count++] = *segment;
}

int gelBody_GetIntersectionCurves(
	gelBodyId bodyIdA, gelBodyId bodyIdB, gelCurveSegment* out, int outCapacity )
{
	gelBody *a = gelGetBody( bodyIdA ), *b = gelGetBody( bodyIdB );
	if ( a == NULL || b == NULL || bodyIdA.world != bodyIdB.world || a == b ) return 0;
	if ( bodyIdA.world->isLocked ) return 0;
	SegmentList list = { out, 0, outCapacity };
	return gelVisitCurves( bodyIdA.world, a, b, TakeSegment, &list );
}
