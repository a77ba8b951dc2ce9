// SPDX-License-Identifier: MIT
#include "preview/stage/marks.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

bool gelCreateMarks( gelMarks* marks, gelRenderer* renderer, int capacity, uint32_t color )
{
	GEL_ASSERT( capacity >= 0 );
	*marks = ( gelMarks ){ .capacity = capacity, .lines = -1 };
	uint32_t* pairs = malloc( 2 * (size_t)capacity * sizeof( uint32_t ) );
	marks->ends = calloc( 2 * (size_t)capacity, sizeof( gelVec3 ) );
	if ( pairs != NULL && marks->ends != NULL )
	{
		for ( int i = 0; i < 2 * capacity; ++i )
			pairs[i] = (uint32_t)i;
		marks->lines =
			gelRenderer_AddLines( renderer, pairs, capacity, 2 * capacity, gelColorFromHex( color ) );
	}
	free( pairs );
	if ( marks->lines >= 0 ) gelRenderer_SetLinesThrough( renderer, marks->lines, 0.8f );
	if ( marks->lines < 0 ) gelDestroyMarks( marks );
	return marks->lines >= 0;
}

void gelDestroyMarks( gelMarks* marks )
{
	free( marks->ends );
	*marks = ( gelMarks ){ .lines = -1 };
}

void gelMarks_Clear( gelMarks* marks )
{
	marks->count = 0;
}

void gelMarks_AddLine( gelMarks* marks, gelVec3 from, gelVec3 to )
{
	GEL_ASSERT( marks->count <= marks->capacity );
	if ( marks->count == marks->capacity ) return;
	marks->ends[2 * marks->count] = from;
	marks->ends[2 * marks->count + 1] = to;
	marks->count += 1;
}

void gelMarks_AddCross( gelMarks* marks, gelVec3 place, float length )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		gelVec3 d = { axis == 0 ? length : 0.0f, axis == 1 ? length : 0.0f, axis == 2 ? length : 0.0f };
		gelMarks_AddLine( marks, gelSub( place, gelScale( 0.5f, d ) ), gelAdd( place, gelScale( 0.5f, d ) ) );
	}
}

void gelMarks_Show( gelMarks* marks, gelRenderer* renderer )
{
	// Lines without a length draw nothing.
	size_t left = 2 * (size_t)( marks->capacity - marks->count );
	memset( marks->ends + 2 * (size_t)marks->count, 0, left * sizeof( gelVec3 ) );
	gelRenderer_SetLines( renderer, marks->lines, marks->ends );
}
