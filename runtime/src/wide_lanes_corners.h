// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): corners of tets.
//
// A register has as many lanes as there are bodies, or twice as many: then it holds two slots of a block
// (GEL_SLOTS), which have no common node.
#pragma once

#include "lanes.h"
#include "wide_math.h"

// Floats of one node of all bodies.
#define GEL_NODE_B ( 3 * GEL_BODIES )

// Where one corner of GEL_SLOTS slots is.
typedef struct gelCornerW
{
	float* node[GEL_SLOTS];
} gelCornerW;

// Nodes are offsets into arrays of gelVec4.
GEL_FORCE_INLINE gelCornerW gelFindCornerW( const uint32_t* node, float* nodes )
{
	gelCornerW c;
	for ( int i = 0; i < GEL_SLOTS; ++i )
		c.node[i] = nodes + (size_t)node[i] / sizeof( gelVec4 ) * GEL_NODE_B;
	return c;
}

GEL_FORCE_INLINE gelVec3W gelLoadCornerW( gelCornerW c )
{
	return ( gelVec3W ){ gelLoadSlotsW( c.node, 0 ), gelLoadSlotsW( c.node, GEL_BODIES ),
		gelLoadSlotsW( c.node, 2 * GEL_BODIES ) };
}

GEL_FORCE_INLINE void gelStoreCornerW( gelCornerW c, gelVec3W a )
{
	gelStoreSlotsW( c.node, 0, a.x );
	gelStoreSlotsW( c.node, GEL_BODIES, a.y );
	gelStoreSlotsW( c.node, 2 * GEL_BODIES, a.z );
}
