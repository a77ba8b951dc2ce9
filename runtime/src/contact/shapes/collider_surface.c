// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_surface.h"

#include "contact/shapes/collider_contacts.h"
#include "state/coarse_kernels.h"

// | gelColliderSurface | nodes | boxes |
static gelColliderSurface* LayOut( gelArena* arena, const gelAsset* asset )
{
	gelColliderSurface* surface = gelArena_Take( arena, 1, sizeof( gelColliderSurface ) );
	gelVec3* nodes = gelArena_Take( arena, (size_t)asset->nodeCount + 1, sizeof( gelVec3 ) );
	gelCoarseBoxes* boxes = gelArena_Take( arena, (size_t)asset->coarseCount, sizeof( gelCoarseBoxes ) );
	if ( surface )
	{
		surface->nodes = nodes;
		surface->boxes = boxes;
	}
	return surface;
}

gelColliderSurface* gelCreateColliderSurface( const gelAllocator* allocator, const gelAsset* asset )
{
	gelArena arena = { 0 };
	LayOut( &arena, asset );
	void* memory = arena.overflow ? NULL : gelAllocate( allocator, arena.bytes );
	if ( memory == NULL ) return NULL;
	size_t bytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	gelColliderSurface* surface = LayOut( &arena, asset );
	GEL_ASSERT( arena.bytes == bytes );
	surface->bytes = bytes;
	surface->asset = asset;
	surface->isStale = true;
	return surface;
}

void gelFreeColliderSurface( const gelAllocator* allocator, gelColliderSurface* surface )
{
	if ( surface ) gelFree( allocator, surface, surface->bytes );
}

void gelColliderSurface_Place( gelColliderSurface* surface, gelSimdLevel simd, const gelColliderPose* pose )
{
	if ( !surface->isStale ) return;
	surface->isStale = false;
	++surface->placeCount;
	const gelAsset* asset = surface->asset;
	for ( int k = 0; k < 3; ++k )
		surface->origin[k] = pose->position[k];
	for ( int i = 0; i < asset->nodeCount; ++i )
		surface->nodes[i] = gelMulMV( pose->rotation, gelGetRestNode( asset->pack.nodes, (uint32_t)i ) );
	gelGetCoarseKernels( simd )->refit( asset->coarse, asset->coarseCount, surface->nodes, surface->boxes );
}

gelContactSurface gelColliderSurface_Get( const gelColliderSurface* surface )
{
	const gelAsset* asset = surface->asset;
	return gelMakeContactSurface(
		&asset->pack, asset->coarse, asset->coarseCount, surface->nodes, surface->boxes, surface->origin );
}

gelAabb gelColliderSurface_GetBox( const gelColliderSurface* surface )
{
	const gelDop* all = &surface->boxes[surface->asset->coarseCount - 1].all;
	return (
		gelAabb ){ { all->low[0], all->low[1], all->low[2] }, { all->high[0], all->high[1], all->high[2] } };
}
