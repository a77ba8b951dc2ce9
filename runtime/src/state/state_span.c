// SPDX-License-Identifier: MIT
#include "state/state_span.h"

#include <string.h>

static bool FloatsAreWithin( const uint8_t* data, size_t bytes, float limit )
{
	GEL_ASSERT( bytes % sizeof( float ) == 0 );
	for ( size_t i = 0; i < bytes; i += sizeof( float ) )
	{
		float a;
		memcpy( &a, data + i, sizeof( a ) );
		if ( !( fabsf( a ) <= limit ) ) return false; // also for NaN
	}
	return true;
}

bool gelState_ArePositions( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	return FloatsAreWithin( data, bytes, GEL_MAX_COORDINATE );
}

bool gelState_AreVectors( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	return FloatsAreWithin( data, bytes, 1.0e30f );
}

bool gelState_AreStrains( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	return FloatsAreWithin( data, bytes, 1.0f );
}

bool gelState_AreTurns( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	return FloatsAreWithin( data, bytes, 1.001f );
}

bool gelState_AreQuats( const gelBody* body, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( bytes % sizeof( gelQuat ) == 0 );
	(void)body;
	for ( size_t i = 0; i < bytes; i += sizeof( gelQuat ) )
	{
		gelQuat q;
		memcpy( &q, data + i, sizeof( q ) );
		if ( !( fabsf( gelLengthSquaredQuat( q ) - 1.0f ) < 0.5f ) ) return false;
	}
	return true;
}
