// SPDX-License-Identifier: MIT
// Pins by place: the nodes inside of boxes. All boxes of a command line make one pin set, so that for
// instance both ends of a beam are held together.
#include "bake/command/bake_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gelParsePinBox( const char* text, gelPinBox* out )
{
	double numbers[6];
	for ( int i = 0; i < 6; ++i )
	{
		char number[64];
		size_t length = strcspn( text, "," );
		if ( length >= sizeof( number ) || ( text[length] == ',' ) != ( i < 5 ) ) return false;
		memcpy( number, text, length );
		number[length] = 0;
		if ( !gelParseNumber( number, numbers + i ) ) return false;
		text += length + ( i < 5 );
	}
	for ( int c = 0; c < 3; ++c )
	{
		out->low[c] = fmin( numbers[c], numbers[3 + c] );
		out->high[c] = fmax( numbers[c], numbers[3 + c] );
	}
	return true;
}

static bool IsInside( const gelPinBox* box, const double* p )
{
	return box->low[0] <= p[0] && p[0] <= box->high[0] && box->low[1] <= p[1] && p[1] <= box->high[1] &&
		box->low[2] <= p[2] && p[2] <= box->high[2];
}

gelBakePinSet gelPinNodesInBoxes( const gelCage* cage, const gelPinBox* boxes, int boxCount )
{
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
