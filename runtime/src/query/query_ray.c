// SPDX-License-Identifier: MIT
// Casting rays: checks what the caller gave, and makes a hit from what was found.
#include "query/surface_query.h"
#include "state/world.h"

#include <float.h>

gelRay gelDefaultRay( void )
{
	return ( gelRay ){ .translation = { 0.0f, -1.0f, 0.0f }, .maxFraction = 1.0f };
}

static bool IsFinite( gelVec3 a )
{
	return fabsf( a.x ) <= FLT_MAX && fabsf( a.y ) <= FLT_MAX && fabsf( a.z ) <= FLT_MAX;
}

static bool RayIsValid( const gelRay* ray )
{
	if ( ray == NULL || !IsFinite( ray->origin ) || !IsFinite( ray->translation ) ) return false;
	gelVec3 d = ray->translation;
	if ( d.x == 0.0f && d.y == 0.0f && d.z == 0.0f ) return false;
	if ( !( ray->maxFraction > 0.0f && ray->maxFraction <= FLT_MAX ) ) return false;
	return ray->faces == gel_facesBoth || ray->faces == gel_facesFront || ray->faces == gel_facesBack;
}

// ---- one body ----------------------------------------------------------------------------------------

static gelResult CheckBody( gelBodyId bodyId, gelBody** outBody )
{
	gelResult result = gelUseBody( bodyId, outBody );
	if ( result != gel_success ) return result;
	return ( *outBody )->coarse == NULL ? gel_errorUnsupported : gel_success;
}

static void CastAtBody( gelBody* body, gelBodyId id, const gelRay* ray, gelRayHit* outHit )
{
	GEL_ASSERT( outHit != NULL && RayIsValid( ray ) );
	gelBodyRay bodyRay;
	if ( !gelMakeBodyRay( body, ray, (double)ray->maxFraction, &bodyRay ) ) return;
	gelSurfaceHit found = gelCastRay( body, &bodyRay, ray->faces, gelBody_NeedSearch( body ) );
	if ( found.triangle == GEL_CDG_NIL ) return;
	gelFillHit( body, &bodyRay, found, outHit );
	outHit->body = id;
}

gelResult gelBody_CastRay( gelBodyId bodyId, const gelRay* ray, gelRayHit* outHit )
{
	if ( outHit == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outHit = ( gelRayHit ){ .isHit = false };
	if ( !RayIsValid( ray ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelBody* body;
	gelResult result = CheckBody( bodyId, &body );
	if ( result == gel_success ) CastAtBody( body, bodyId, ray, outHit );
	return result;
}

// ---- all bodies --------------------------------------------------------------------------------------

// Bodies are taken in the order in which the ray enters their boxes, so many at a time: most rays need no
// second round, and none needs memory for all.
#define GEL_RAY_BODIES 16

typedef struct Candidate
{
	double entry; // fraction
	int index;    // position in world->live
} Candidate;

static bool IsBefore( Candidate a, Candidate b )
{
	return a.entry < b.entry || ( a.entry == b.entry && a.index < b.index );
}

// The first ones behind `last`, in order.
static int FindCandidates( const struct gelWorld* world, const gelRay* ray, double maxFraction,
	Candidate last, Candidate out[GEL_RAY_BODIES] )
{
	GEL_ASSERT( maxFraction >= 0.0 );
	int count = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		Candidate next = { 0.0, i };
		if ( world->live[i]->coarse == NULL ) continue;
		if ( !gelEnterBody( world->live[i], ray, maxFraction, &next.entry ) ) continue;
		if ( !IsBefore( last, next ) ) continue;
		if ( count == GEL_RAY_BODIES && !IsBefore( next, out[count - 1] ) ) continue;
		int k = count < GEL_RAY_BODIES ? count++ : count - 1;
		for ( ; k > 0 && IsBefore( next, out[k - 1] ); --k )
			out[k] = out[k - 1];
		out[k] = next;
	}
	return count;
}

// The nearest hit so far.
typedef struct Nearest
{
	const gelBody* body;
	gelBodyRay ray;
	gelSurfaceHit hit;
	double fraction;
	gelBodyId id;
} Nearest;

// Fractions of hits do not depend on where the ray is cut off, so a little more than what is needed makes
// equal fractions comparable.
static void TryBody( struct gelWorld* world, gelBody* body, const gelRay* ray, Nearest* nearest )
{
	GEL_ASSERT( !world->isLocked );
	gelBodyId id = { world, body->slot + 1, world->slots[body->slot].generation };
	double limit = nearest->fraction * ( 1.0 + 0x1p-20 ), most = (double)ray->maxFraction;
	gelBodyRay bodyRay;
	if ( !gelMakeBodyRay( body, ray, limit < most ? limit : most, &bodyRay ) ) return;
	if ( ray->filter != NULL && !ray->filter( id, ray->filterContext ) ) return;
	gelSurfaceHit found = gelCastRay( body, &bodyRay, ray->faces, gelBody_NeedSearch( body ) );
	if ( found.triangle == GEL_CDG_NIL ) return;
	double f = ( bodyRay.start + found.at.distance ) / bodyRay.unit;
	bool isNearer = nearest->body == NULL || f < nearest->fraction ||
		( f == nearest->fraction && body->slot < nearest->body->slot );
	if ( isNearer ) *nearest = ( Nearest ){ body, bodyRay, found, f, id };
}

static void CastAtAll( struct gelWorld* world, const gelRay* ray, gelRayHit* outHit )
{
	Nearest nearest = { .body = NULL, .fraction = (double)ray->maxFraction };
	Candidate candidates[GEL_RAY_BODIES], last = { -1.0, 0 };
	int count = GEL_RAY_BODIES;
	while ( count == GEL_RAY_BODIES )
	{
		count = FindCandidates( world, ray, nearest.fraction, last, candidates );
		for ( int i = 0; i < count; ++i )
		{
			last = candidates[i];
			if ( nearest.body != NULL && last.entry > nearest.fraction ) break;
			TryBody( world, world->live[last.index], ray, &nearest );
		}
	}
	if ( nearest.body == NULL ) return;
	gelFillHit( nearest.body, &nearest.ray, nearest.hit, outHit );
	outHit->body = nearest.id;
}

gelResult gelWorld_CastRay( gelWorldId worldId, const gelRay* ray, gelRayHit* outHit )
{
	if ( outHit == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outHit = ( gelRayHit ){ .isHit = false };
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !RayIsValid( ray ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	CastAtAll( world, ray, outHit );
	return gel_success;
}

// ---- many rays ---------------------------------------------------------------------------------------

// Fewer than this are not worth a task.
#define GEL_RAYS_PER_TASK 64

typedef struct CastTask
{
	struct gelWorld* world;
	gelBody* body; // NULL: all
	gelBodyId id;
	const gelRay* rays;
	gelRayHit* hits;
} CastTask;

static void CastRays_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const CastTask* task = taskContext;
	for ( int i = begin; i < end; ++i )
	{
		if ( task->body != NULL )
			CastAtBody( task->body, task->id, task->rays + i, task->hits + i );
		else
			CastAtAll( task->world, task->rays + i, task->hits + i );
	}
}

// Clears all hits. False: some ray is not one.
static bool PrepareHits( const gelRay* rays, int count, gelRayHit* outHits )
{
	GEL_ASSERT( count >= 0 );
	bool ok = true;
	for ( int i = 0; i < count; ++i )
	{
		outHits[i] = ( gelRayHit ){ .isHit = false };
		ok = ok && RayIsValid( rays + i );
	}
	return ok;
}

static void RunCasts( CastTask* task, int count )
{
	GEL_ASSERT( count >= 0 );
	const gelTaskSystem* tasks = &task->world->def.tasks;
	if ( tasks->parallelFor != NULL && tasks->workerCount > 1 && count > GEL_RAYS_PER_TASK )
		tasks->parallelFor( tasks->context, CastRays_Task, count, GEL_RAYS_PER_TASK, task );
	else
		CastRays_Task( 0, count, 0, task );
}

gelResult gelBody_CastRays( gelBodyId bodyId, const gelRay* rays, int count, gelRayHit* outHits )
{
	if ( count < 0 || ( count > 0 && ( rays == NULL || outHits == NULL ) ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	bool ok = PrepareHits( rays, count, outHits );
	gelBody* body;
	gelResult result = CheckBody( bodyId, &body );
	if ( !ok ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( result != gel_success ) return result;
	CastTask task = { bodyId.world, body, bodyId, rays, outHits };
	RunCasts( &task, count );
	return gel_success;
}

gelResult gelWorld_CastRays( gelWorldId worldId, const gelRay* rays, int count, gelRayHit* outHits )
{
	if ( count < 0 || ( count > 0 && ( rays == NULL || outHits == NULL ) ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	bool ok = PrepareHits( rays, count, outHits );
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !ok ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	CastTask task = { .world = world, .rays = rays, .hits = outHits };
	RunCasts( &task, count );
	return gel_success;
}
