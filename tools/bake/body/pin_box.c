// SPDX-License-Identifier: MIT
#include "bake/body/pin_box.h"

#include "common/program/tool_assert.h"

#include <stdlib.h>

static bool IsInside( const gelPinBox* box, const double* p )
{
	return box->low[0] <= p[0] && p[0] <= box->high[0] && box->low[1] <= p[1] && p[1] <= box->high[1] &&
		box->low[2] <= p[2] && p[2] <= box->high[2];
}

gelBakePinSet gelPinNodesInBoxes( const gelCage* cage, const gelPinBox* boxes, int boxCount )
{
	GEL_TOOL_ASSERT( boxCount == 0 || boxes != NULL );
	gelBakePinSet pins = { calloc( cage->nodeCount > 0 ? cage->nodeCount : 1, sizeof( uint32_t ) ), 0 };
	for ( uint32_t i = 0; i < cage->nodeCount && pins.nodes != NULL; ++i )
	{
		bool inside = false;
		for ( int b = 0; b < boxCount; ++b )
		{
			inside = inside || IsInside( boxes + b, cage->positions + 3 * (size_t)i );
		}
		if ( inside ) pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}
