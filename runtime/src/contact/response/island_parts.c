// SPDX-License-Identifier: MIT
#include "contact/response/island_parts.h"

#include "contact/response/contact_solve.h"
#include "state/world.h"

#include <math.h>

// Fewer bodies or items than these are solved faster than threads are told about them.
#define GEL_LARGE_BODIES 16
#define GEL_LARGE_ITEMS  128

// Bodies in a part: fewer parts have fewer contacts between them.
#define GEL_PART_BODIES 15

// Items that a thread takes at once.
#define GEL_ITEM_CHUNK 64

bool gelIsLargeIsland( const gelIsland* island )
{
	return island->bodyCount >= GEL_LARGE_BODIES && island->itemCount >= GEL_LARGE_ITEMS;
}

// ---- cutting ---------------------------------------------------------------------------------------------

static double GetPlace( const gelBody* body, int axis )
{
	const float *low = &body->box.min.x, *high = &body->box.max.x;
	return body->origin[axis] + 0.5 * ( (double)low[axis] + (double)high[axis] );
}

// The axis along which the bodies reach farthest, and how far.
static int FindAxis( const gelIslandWork* work, double* outLow, double* outHigh )
{
	int best = 0;
	*outLow = *outHigh = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double low = HUGE_VAL, high = -HUGE_VAL;
		for ( int i = 0; i < work->bodyCount; ++i )
		{
			low = fmin( low, GetPlace( work->bodies[i], axis ) );
			high = fmax( high, GetPlace( work->bodies[i], axis ) );
		}
		if ( !( high - low > *outHigh - *outLow ) ) continue;
		best = axis;
		*outLow = low;
		*outHigh = high;
	}
	return best;
}

// Halvings of the way between the outermost bodies.
#define GEL_CUT_STEPS 20

// Where so many bodies are below. Bodies count, not their contacts: these come and go, and bodies that change
// their part from step to step never lie still.
static double FindCut( const gelIslandWork* work, int axis, double low, double high, int wanted )
{
	for ( int i = 0; i < GEL_CUT_STEPS; ++i )
	{
		double middle = 0.5 * ( low + high );
		int count = 0;
		for ( int k = 0; k < work->bodyCount; ++k )
			count += GetPlace( work->bodies[k], axis ) < middle;
		low = count < wanted ? middle : low;
		high = count < wanted ? high : middle;
	}
	return high;
}

static void CutBodies( const gelIslandWork* work, int partCount )
{
	double low, high;
	int axis = FindAxis( work, &low, &high );
	for ( int i = 0; i < work->bodyCount; ++i )
		work->bodies[i]->contact->part = 0;
	for ( int part = 1; part < partCount; ++part )
	{
		double cut = FindCut( work, axis, low, high, work->bodyCount * part / partCount );
		for ( int i = 0; i < work->bodyCount; ++i )
			work->bodies[i]->contact->part += GetPlace( work->bodies[i], axis ) >= cut;
	}
}

// Its part; partCount: it is between two.
static int GetPart( const gelContactItem* item, int partCount )
{
	int part = item->a.body->contact->part;
	return item->b.body == NULL || item->b.body->contact->part == part ? part : partCount;
}

gelIslandParts gelCutIsland( struct gelWorld* world, const gelIslandWork* work, int* order )
{
	gelIslandParts parts = { .world = world, .order = order };
	int next[GEL_MAX_PARTS + 2] = { 0 };
	parts.count = gelMinInt(
		work->bodyCount / GEL_PART_BODIES + ( work->bodyCount < 2 * GEL_PART_BODIES ), GEL_MAX_PARTS );
	CutBodies( work, parts.count );
	for ( int i = 0; i < work->itemCount; ++i )
		++next[GetPart( work->items + i, parts.count ) + 1];
	for ( int part = 0; part <= parts.count; ++part )
		next[part + 1] += next[part];
	for ( int part = 0; part <= parts.count + 1; ++part )
		parts.first[part] = next[part];
	for ( int i = 0; i < work->itemCount; ++i )
		order[next[GetPart( work->items + i, parts.count )]++] = i;
	return parts;
}

// ---- threads ---------------------------------------------------------------------------------------------

typedef struct gelIslandTask
{
	const gelIslandWork* work;
	gelIslandFcn* fcn;
} gelIslandTask;

static void Bodies_Task( int begin, int end, int worker, void* context )
{
	const gelIslandTask* task = context;
	for ( int i = begin; i < end; ++i )
		task->fcn( task->work, i, worker );
}

static void Items_Task( int begin, int end, int worker, void* context )
{
	const gelIslandTask* task = context;
	int last = gelMinInt( end * GEL_ITEM_CHUNK, task->work->itemCount );
	for ( int i = begin * GEL_ITEM_CHUNK; i < last; ++i )
		task->fcn( task->work, i, worker );
}

void gelForIslandBodies( const gelIslandWork* work, gelIslandFcn* fcn )
{
	gelIslandTask task = { work, fcn };
	if ( work->parts != NULL )
		gelWorld_ParallelFor( work->parts->world, Bodies_Task, work->bodyCount, &task );
	else
		Bodies_Task( 0, work->bodyCount, 0, &task );
}

void gelForIslandItems( const gelIslandWork* work, gelIslandFcn* fcn )
{
	gelIslandTask task = { work, fcn };
	int chunkCount = ( work->itemCount + GEL_ITEM_CHUNK - 1 ) / GEL_ITEM_CHUNK;
	if ( work->parts != NULL )
		gelWorld_ParallelFor( work->parts->world, Items_Task, chunkCount, &task );
	else
		Items_Task( 0, chunkCount, 0, &task );
}
