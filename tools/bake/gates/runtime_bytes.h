// SPDX-License-Identifier: MIT
// Memory that a baked body takes in a game: the runtime is asked, with a world and a body of it.
#pragma once

#include "bake/body/bake.h"

#include <gelpack/gelpack.h>

/// In a world with ground, contact and one thread, with the defaults of gelWorldDef and gelBodyDef [bytes].
typedef struct gelRuntimeBytes
{
	size_t body;  // each body
	size_t asset; // what the runtime derives from the pack, for all bodies
	size_t world; // a world that such a body has come to, without the body
} gelRuntimeBytes;

/// @param asset with physics @return false: no memory
bool gelMeasureRuntimeBytes( const gelAsset* asset, gelRuntimeBytes* out );
