// SPDX-License-Identifier: MIT
#include "contact/detect/contact_detect.h"

#include "contact/detect/contact_contain.h"
#include "contact/detect/contact_curves.h"
#include "contact/detect/contact_flood.h"
#include "contact/detect/contact_rays.h"
#include "contact/detect/contact_regions.h"
#include "contact/detect/contact_states.h"
#include "query/surface_query.h"

// Parts of patches smaller than this share of the patch are rounding.
#define GEL_MIN_PART 1.0e-12

gelDetectOptions gelDefaultDetectOptions( void )
{
	return ( gelDetectOptions ){ .isContainmentChecked = true };
}

typedef struct Detection
{
	gelContactScratch* scratch;
	gelContactSurface* surface[gel_sideCount];
	const gelDetectOptions* options;
	gelDetectStats* stats;
	gelSimdLevel simd;
	gelContactList list;
	gelRayCaster caster;
	double time;
} Detection;

static void EndPhase( Detection* d, gelDetectPhase phase )
{
	if ( d->options->clock == NULL ) return;
	double now = d->options->clock( d->options->clockContext );
	if ( phase < gel_detectPhaseCount ) d->stats->seconds[phase] += now - d->time;
	d->time = now;
}

// ---- the list --------------------------------------------------------------------------------------------

// What is thrown away first: shallow ones, and of equal ones the later.
static bool IsLesser( const gelFoundContact* a, const gelFoundContact* b )
{
	return a->depth != b->depth ? a->depth < b->depth : a->feature > b->feature;
}

static bool IsAfter( const gelFoundContact* a, const gelFoundContact* b )
{
	return a->feature > b->feature;
}

// A heap whose first element comes before all others.
static void SiftDown( gelFoundContact* items, int root, int count,
	bool ( *isBefore )( const gelFoundContact* a, const gelFoundContact* b ) )
{
	GEL_ASSERT( root >= 0 && count >= 0 );
	gelFoundContact item = items[root];
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && isBefore( items + child + 1, items + child ) ) ++child;
		if ( !isBefore( items + child, &item ) ) break;
		items[root] = items[child];
		root = child;
	}
	items[root] = item;
}

static void MakeHeap( gelFoundContact* items, int count,
	bool ( *isBefore )( const gelFoundContact* a, const gelFoundContact* b ) )
{
	for ( int i = count / 2; i-- > 0; )
		SiftDown( items, i, count, isBefore );
}

void gelContactList_Add( gelContactList* list, const gelFoundContact* contact )
{
	GEL_ASSERT( list->count >= 0 && list->count <= list->capacity );
	if ( list->count < list->capacity )
	{
		list->items[list->count++] = *contact;
		return;
	}
	if ( list->droppedCount++ == 0 ) MakeHeap( list->items, list->count, IsLesser );
	if ( list->count == 0 || !IsLesser( list->items, contact ) ) return;
	list->items[0] = *contact;
	SiftDown( list->items, 0, list->count, IsLesser );
}

// Contacts come by feature, until a full list becomes a heap.
static void SortList( gelContactList* list )
{
	if ( list->droppedCount == 0 ) return;
	MakeHeap( list->items, list->count, IsAfter );
	for ( int end = list->count; end-- > 1; )
	{
		gelFoundContact last = list->items[end];
		list->items[end] = list->items[0];
		list->items[0] = last;
		SiftDown( list->items, 0, end, IsAfter );
	}
}

// ---- phases ----------------------------------------------------------------------------------------------

static void CountSide( Detection* d, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelContactSideScratch* own = d->scratch->side + side;
	d->stats->cutTriangleCount += own->cutCount;
	for ( uint32_t i = 0; i < own->queueCount; ++i )
	{
		if ( own->queue[i] & GEL_MARK_PATCH )
			++d->stats->innerPatchCount;
		else
			++d->stats->innerTriangleCount;
	}
	uint32_t last = GEL_NONE;
	for ( uint32_t i = 0; i < own->cutCount; ++i ) // by triangle, so by patch
	{
		if ( own->cuts[i].patch != last ) ++d->stats->cutPatchCount;
		last = own->cuts[i].patch;
	}
}

static void CountRegions( Detection* d )
{
	const gelContactScratch* s = d->scratch;
	d->stats->curveCount = s->curveCount;
	d->stats->regionCount = s->regionCount;
	for ( uint32_t i = 0; i < s->curveCount; ++i )
		d->stats->openCurveCount += s->curves[i].isOpen;
	for ( uint32_t i = 0; i < s->regionCount; ++i )
	{
		d->stats->complexRegionCount += ( s->regions[i].flags & gel_foundComplex ) != 0;
		d->stats->droppedRegionCount += s->regions[i].isDropped;
	}
	for ( int side = 0; side < gel_sideCount; ++side )
		CountSide( d, side );
}

// Contacts of the parts of one patch, oldest first.
static void EmitPatch( Detection* d, int side, uint32_t patch )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	gelContactScratch* s = d->scratch;
	const gelContactSideScratch* own = s->side + side;
	double unit = d->surface[side]->grid.scale;
	double least = GEL_MIN_PART * unit * unit * (double)d->surface[side]->pack->patches[patch].area;
	uint32_t count = 0;
	for ( uint32_t i = own->partHeads[patch]; i != 0; i = own->parts[i - 1].next )
	{
		const gelPart* part = own->parts + i - 1;
		gelFoundContact contact;
		if ( !( part->area > least ) || s->regions[gelGetRegion( s, part )].isDropped ) continue;
		uint64_t feature = (uint64_t)side << 63 | (uint64_t)patch << 32 | count++;
		++d->stats->pointCount;
		if ( !gelFindPartner( &d->caster, side, part, &contact ) )
		{
			++d->stats->missedCount;
			continue;
		}
		contact.feature = feature;
		gelContactList_Add( &d->list, &contact );
	}
}

// By patch: the lists of all patches that have parts.
static void EmitContacts( Detection* d )
{
	for ( int side = 0; side < gel_sideCount; ++side )
	{
		uint32_t patchCount = d->surface[side]->pack->header->cdgPatchCount;
		for ( uint32_t patch = 0; patch < patchCount; ++patch )
		{
			if ( d->scratch->side[side].partHeads[patch] != 0 ) EmitPatch( d, side, patch );
		}
	}
}

static void CountPairs( Detection* d )
{
	const gelTrianglePairs* pairs = &d->scratch->pairs;
	d->stats->testCount = pairs->testCount;
	d->stats->pairCount = pairs->count;
	d->stats->lostPairCount = pairs->lostCount;
	EndPhase( d, gel_phasePairs );
}

static void FindPairs( Detection* d )
{
	gelTrianglePairs* pairs = &d->scratch->pairs;
	gelFindSettings settings = { gelGetContactKernels( d->simd ), d->options->fewPairs };
	if ( d->surface[0] == d->surface[1] )
		gelFindOwnPairs( d->surface[0], &settings, pairs );
	else
		gelFindTrianglePairs( d->surface[0], d->surface[1], &settings, pairs );
	CountPairs( d );
}

// From pairs to contacts.
static void Determine( Detection* d )
{
	gelContactScratch* s = d->scratch;
	d->stats->conflictCount = gelJoinIntersectionCurves( s, d->surface[0], d->surface[1] );
	EndPhase( d, gel_phaseCurves );
	uint32_t triangleCounts[gel_sideCount];
	for ( int side = 0; side < gel_sideCount; ++side )
	{
		gelMakeCutTriangles( s, d->surface[side], side );
		gelFloodSurface( s, d->surface[side], side, !d->options->noPatchFlood, false );
		triangleCounts[side] = d->surface[side]->pack->header->cdgTriangleCount;
	}
	EndPhase( d, gel_phaseFlood );
	gelMakeRegions( s, triangleCounts );
	CountRegions( d );
	EndPhase( d, gel_phaseRegions );
	EmitContacts( d );
	SortList( &d->list );
	for ( int side = 0; side < gel_sideCount; ++side )
		gelCleanFlood( s, side );
	EndPhase( d, gel_phaseRays );
}

static Detection Begin( gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelDetectStats* stats )
{
	gelSimdLevel simd = options->simd != gel_simdAutomatic ? options->simd : gelGetBaseLevel();
	*stats = ( gelDetectStats ){ 0 };
	Detection d = { scratch, { a, b }, options, stats, simd, { 0 }, { 0 }, 0.0 };
	d.caster = ( gelRayCaster ){ scratch, { a, b }, gelGetQueryKernels( simd )->searchSurface, 0, a == b };
	gelContactScratch_Bind( scratch, a, a == b ? NULL : b );
	EndPhase( &d, gel_detectPhaseCount );
	return d;
}

// A flood that covers more than this of a body is on the wrong side of its curves.
#define GEL_MAX_OWN_FLOOD 0.5

// Curves of a body with itself come in pairs, one for each of the two sheets of surface that cross. Both are
// flooded as parts of A; what would be B is the mirror image. Its forest joins the two to one region.
static void DetermineOwn( Detection* d )
{
	gelContactScratch* s = d->scratch;
	gelContactSurface* surface = d->surface[gel_sideA];
	uint32_t triangleCounts[gel_sideCount] = { surface->pack->header->cdgTriangleCount, 1 };
	d->stats->conflictCount = gelJoinIntersectionCurves( s, surface, surface );
	gelOrderPairs( &s->pairs, gel_sideB, s->keys, s->side[gel_sideB].order );
	for ( uint32_t i = 0; i < s->curveCount; ++i )
	{
		// pairs are sorted by A, then B: the same place by B, then A, has the mirror image
		uint32_t mirror = s->side[gel_sideB].order[s->curves[i].first];
		gelJoinCurves( s->curves, gel_sideB, i, s->pairCurves[mirror] );
	}
	// without all pairs no curve can be trusted to be around all that it encloses
	for ( uint32_t i = 0; i < s->curveCount && s->pairs.lostCount > 0; ++i )
		s->curves[i].isOpen = true;
	EndPhase( d, gel_phaseCurves );
	gelMakeCutTriangles( s, surface, gel_sideA );
	gelFloodSurface( s, surface, gel_sideA, !d->options->noPatchFlood, true );
	EndPhase( d, gel_phaseFlood );
	gelMakeRegions( s, triangleCounts );
	bool isWrong = s->side[gel_sideA].innerTriangles > GEL_MAX_OWN_FLOOD * triangleCounts[0];
	for ( uint32_t i = 0; i < s->regionCount; ++i )
	{
		s->regions[i].isDropped |= isWrong;
		if ( s->regions[i].curveCount == 2 ) s->regions[i].flags &= ~(uint32_t)gel_foundComplex;
	}
	CountRegions( d );
	EndPhase( d, gel_phaseRegions );
	EmitContacts( d );
	SortList( &d->list );
	gelCleanFlood( s, gel_sideA );
	EndPhase( d, gel_phaseRays );
}

int gelDetectSelfContacts( gelContactSurface* surface, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats )
{
	GEL_ASSERT( capacity >= 0 && ( capacity == 0 || out != NULL ) );
	gelDetectStats unused;
	Detection d = Begin( surface, surface, scratch, options, stats != NULL ? stats : &unused );
	d.list = ( gelContactList ){ out, 0, capacity, 0 };
	if ( !gelContactSurface_Pair( surface, surface ) ) return 0;
	FindPairs( &d );
	if ( scratch->pairs.count > 0 ) DetermineOwn( &d );
	d.stats->rayCount = d.caster.rayCount;
	d.stats->droppedCount = d.list.droppedCount;
	return d.list.count;
}

int gelDetectContacts( gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats )
{
	GEL_ASSERT( capacity >= 0 && ( capacity == 0 || out != NULL ) && a != b );
	gelDetectStats unused;
	Detection d = Begin( a, b, scratch, options, stats != NULL ? stats : &unused );
	d.list = ( gelContactList ){ out, 0, capacity, 0 };
	if ( !gelContactSurface_Pair( a, b ) ) return 0;
	FindPairs( &d );
	bool isComplete = scratch->pairs.lostCount == 0;
	if ( isComplete && scratch->pairs.count > 0 ) Determine( &d );
	bool isLost = !isComplete || ( d.list.count == 0 && d.list.droppedCount == 0 );
	if ( isLost && ( options->isContainmentChecked || !isComplete ) )
	{
		gelPushOut( &d.caster, &d.list, !isComplete );
		EndPhase( &d, gel_phaseRays );
	}
	d.stats->rayCount = d.caster.rayCount;
	d.stats->droppedCount = d.list.droppedCount;
	return d.list.count;
}

bool gelDoSurfacesOverlap(
	gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch, const gelDetectOptions* options )
{
	gelDetectStats stats;
	Detection d = Begin( a, b, scratch, options, &stats );
	if ( !gelContactSurface_Pair( a, b ) ) return false;
	FindPairs( &d );
	return scratch->pairs.count > 0 || gelFindContained( &d.caster ) >= 0;
}

uint32_t gelFindIntersectionCurves(
	gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch, const gelDetectOptions* options )
{
	gelDetectStats stats;
	Detection d = Begin( a, b, scratch, options, &stats );
	if ( !gelContactSurface_Pair( a, b ) ) return 0;
	FindPairs( &d );
	if ( scratch->pairs.lostCount != 0 ) return 0;
	gelJoinIntersectionCurves( scratch, a, b );
	return scratch->curveCount;
}
