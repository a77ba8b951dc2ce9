// SPDX-License-Identifier: MIT
// The complete state of a body as one list of memory: what is hashed, saved and restored. Everything that a
// step reads and that is neither def, asset nor scratch has to be in it.
#pragma once

#include "state/body.h"

/// Judges bytes of a saved state before they are restored: a buffer may come from anywhere.
typedef bool gelStateCheckFcn( const gelBody* body, const uint8_t* data, size_t bytes );

typedef struct gelStateSpan
{
	void* data;
	size_t bytes;
	gelStateCheckFcn* isValid;
} gelStateSpan;

/// Spans that a solver may list, and those of a whole body.
#define GEL_MAX_SOLVER_SPANS 6
#define GEL_MAX_STATE_SPANS  16

// ---- checks ----------------------------------------------------------------------------------------------

bool gelState_ArePositions( const gelBody* body, const uint8_t* data, size_t bytes ); // floats within +-1e9
bool gelState_AreVectors( const gelBody* body, const uint8_t* data, size_t bytes );   // floats within +-1e30
bool gelState_AreStrains( const gelBody* body, const uint8_t* data, size_t bytes );   // floats within +-1
bool gelState_AreTurns( const gelBody* body, const uint8_t* data, size_t bytes ); // +-1 as rounding leaves it
bool gelState_AreQuats( const gelBody* body, const uint8_t* data, size_t bytes ); // near unit length
