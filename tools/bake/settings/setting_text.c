// SPDX-License-Identifier: MIT
#include "bake/settings/setting_text.h"

#include "common/program/options.h"

#include <math.h>
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
