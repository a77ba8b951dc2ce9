// SPDX-License-Identifier: MIT
// What a solver derives from a pack once, at load: a part of the asset's block.
#pragma once

#include "core/arena.h"
#include "pack/pack_read.h"

#include "gelpack/types.h"

typedef struct gelAssetModel
{
	/// Takes memory from the arena of an asset. NULL while sizes are added up, or if the pack has nothing for
	/// the solver.
	void* ( *layOut )( gelArena* arena, const gelPackView* pack );
	void ( *fill )( void* model, const gelPackView* pack );
} gelAssetModel;

/// NULL: the solver has none. The rows are in world/solver_table.c.
const gelAssetModel* gelFindAssetModel( gelSolverType type );
