// SPDX-License-Identifier: MIT
// The elimination trees of an asset, one per pin set that was baked for the warp-cancelling solver.
#pragma once

#include "core/arena.h"
#include "simd/kernels.h"
#include "pack/pack_read_warp.h"

typedef struct gelWarpModel
{
	uint64_t pinSetId;
	gelWarpTree tree;
} gelWarpModel;

/// Takes memory for all of them, NULL while sizes are added up or when there are none.
gelWarpModel* gelWarpModels_LayOut( gelArena* arena, const gelPackView* view );
void gelWarpModels_Fill( gelWarpModel* models, const gelPackView* view );
