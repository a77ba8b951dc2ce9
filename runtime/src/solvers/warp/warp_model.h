// SPDX-License-Identifier: MIT
// The elimination trees of an asset, one per pin set that was baked for the warp-cancelling solver.
#pragma once

#include "asset/asset_model.h"
#include "pack/pack_read_warp.h"

typedef struct gelWarpModel
{
	uint64_t pinSetId;
	gelWarpTree tree;
} gelWarpModel;

/// An array of gelWarpModel, one per section of the pack.
extern const gelAssetModel gel_warpAssetModel;
