// SPDX-License-Identifier: MIT
#include "state/coarse_kernels.h"
#include "simd/node_kernels.h"
#include "state/body_contact.h"

#include <string.h>

// ---- following the nodes ---------------------------------------------------------------------------------

static gelDop EmptyDop( void )
{
	gelDop dop = { { 0.0f }, { 0.0f } };
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		dop.low[k] = INFINITY;
		dop.high[k] = -INFINITY;
	}
	return dop;
}

gelDop gelCoarseNode_BoundCell_Ref( const gelCoarseNode* node, int lane, const gelVec3* nodes )
{
	gelVec3 x[4];
	float a[4], b[4];
	for ( int k = 0; k < 4; ++k )
	{
		x[k] = nodes[node->node[k][lane]];
		a[k] = (float)( node->low[k] >> 8 * lane & 0xFFu ) * 0x1p-8f;
		b[k] = (float)( ( node->high[k] >> 8 * lane & 0xFFu ) + 1u ) * 0x1p-8f;
	}
	return gelBoundCell_Ref( x, a, b );
}

// Bounds of one child; empty bounds for a lane without a child.
static gelDop BoundChild(
	const gelCoarseNode* node, int lane, const gelVec3* nodes, const gelCoarseBoxes* boxes )
{
	uint32_t child = node->child[lane];
	if ( child == GEL_CDG_NIL ) return EmptyDop();
	if ( !gelIsCell( child ) ) return boxes[child].all;
	return gelCoarseNode_BoundCell_Ref( node, lane, nodes );
}

void gelRefitCoarse_Ref(
	const gelCoarseNode* tree, int treeCount, const gelVec3* nodes, gelCoarseBoxes* boxes )
{
	for ( int i = 0; i < treeCount; ++i )
	{
		gelDop all = EmptyDop();
		for ( int lane = 0; lane < GEL_COARSE_LANES; ++lane )
		{
			gelDop box = BoundChild( tree + i, lane, nodes, boxes );
			for ( int k = 0; k < GEL_DOP_AXES; ++k )
			{
				boxes[i].low[k][lane] = box.low[k];
				boxes[i].high[k][lane] = box.high[k];
				all.low[k] = gelMinFloat( all.low[k], box.low[k] );
				all.high[k] = gelMaxFloat( all.high[k], box.high[k] );
			}
		}
		boxes[i].all = all;
	}
}

// ---- of a body -------------------------------------------------------------------------------------------

void gelBody_RefitCoarse( gelBody* body )
{
	gelGetNodeKernels( body->simd )->bound( body->x, body->asset->nodeCount, &body->box.min, &body->box.max );
	atomic_store_explicit( &body->coarseState, gel_coarseStale, memory_order_relaxed );
}

void gelBody_LendFollowers( gelBody* body )
{
	GEL_ASSERT( body->xOld != NULL );
	atomic_store_explicit( &body->coarseState, gel_coarseLent, memory_order_relaxed );
	if ( body->contact != NULL ) body->contact->hasSeenTree = false;
#if defined( __SANITIZE_ADDRESS__ )
	memset( body->shared, 0xFF, body->sharedBytes ); // NaN: whoever reads before it writes is found
#endif
}

void gelBody_RefitCoarseNow( gelBody* body )
{
	GEL_ASSERT( body->coarse != NULL );
	gelGetCoarseKernels( body->simd )
		->refit( body->asset->coarse, body->asset->coarseCount, body->x, body->coarse );
	if ( body->contact != NULL ) body->contact->hasSeenTree = false;
}

void gelBody_NeedSeenCoarse( gelBody* body )
{
	GEL_ASSERT( body->coarse != NULL && body->contact != NULL && body->contact->seenCount > 0 );
	gelBodyContact* touch = body->contact;
	if ( touch->hasSeenTree ) return;
	gelGetCoarseKernels( body->simd )
		->refit( body->asset->coarse, body->asset->coarseCount, touch->seen, body->coarse );
	touch->hasSeenTree = true;
	atomic_store_explicit( &body->coarseState, gel_coarseStale, memory_order_relaxed );
}

// In turns of an empty loop: about ten milliseconds at some cycles each. A refit takes some 20 ns per cell,
// so this is enough for half a million of them, unless the system takes the refitting thread off its core.
#define GEL_MAX_WAIT 4000000

// Between two looks at the state, at most: looking all the time would take the cache line away from the
// thread that is going to write it.
#define GEL_MAX_PAUSE 256

static void Pause( int turns )
{
	for ( volatile int i = 0; i < turns; ++i )
	{
	}
}

bool gelBody_NeedCoarse( gelBody* body )
{
	int pause = 1;
	for ( int waited = 0; waited < GEL_MAX_WAIT; waited += pause )
	{
		uint32_t state = atomic_load_explicit( &body->coarseState, memory_order_acquire );
		GEL_ASSERT( state != gel_coarseLent );
		if ( state == gel_coarseFresh ) return true;
		if ( state == gel_coarseStale &&
			atomic_compare_exchange_strong_explicit(
				&body->coarseState, &state, gel_coarseBusy, memory_order_acquire, memory_order_relaxed ) )
		{
			gelBody_RefitCoarseNow( body );
			atomic_store_explicit( &body->coarseState, gel_coarseFresh, memory_order_release );
			return true;
		}
		pause = pause < GEL_MAX_PAUSE ? 2 * pause : pause;
		Pause( pause );
	}
	return false;
}
