// SPDX-License-Identifier: MIT
// The (tet, corner) pairs around each node. The runtime gathers forces through them instead of scattering,
// which needs no atomics and adds in one fixed order.
#include "bake/body/bake_passes.h"

gelBakeGather gelBuildGather( const gelBakeCage* cage, gelBakePool* pool )
{
	gelBakeGather gather;
	gather.nodeFirst = gelBakePool_Alloc( pool, (size_t)cage->nodeCount + 1, sizeof( uint32_t ) );
	gather.corners = gelBakePool_Alloc( pool, 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	const uint32_t cornerCount = 4 * cage->tetCount;
	for ( uint32_t i = 0; i < cornerCount; ++i )
	{
		gather.nodeFirst[cage->tets[i / 4].node[i % 4] + 1] += 1;
	}
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gather.nodeFirst[i + 1] += gather.nodeFirst[i];
	}
	// ascending corners are dealt out in order, so they ascend inside each node as well
	uint32_t* cursor = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cornerCount; ++i )
	{
		uint32_t node = cage->tets[i / 4].node[i % 4];
		gather.corners[gather.nodeFirst[node] + cursor[node]++] = i;
	}
	return gather;
}
