// SPDX-License-Identifier: MIT
// What the warp-cancelling solver needs of a bake.
#pragma once

#include "bake/factor/factor_passes.h"
#include "pack/pack_read_warp.h"

typedef struct gelBakeWarp
{
	uint64_t pinSetId;
	const gelWarpTree* tree;
	float **panels, **updates, **tiles; // per step length: the factor at rest; NULL until it is made
} gelBakeWarp;

/// If the settings ask for it, after the factors. @return false: there is an error
bool gelBuildWarp( gelBakeData* data, gelFindings* findings );

/// The factors at rest, by the runtime, out of a pack that has everything else. @return false: there is an
/// error
bool gelFactorWarpAtRest( gelBakeData* data, const uint8_t* bytes, size_t byteCount, gelFindings* findings );

void gelAddWarpSections( gelPackWriter* writer, const gelBakeData* data );
void gelReportWarp( const gelBakeData* data, gelReport* report );

/// The tree for the pin set of a factor of the fast solver. Arrays belong to the pool; perm is the factor's.
/// @return false: a front has more nodes than 16-bit numbers can tell
bool gelBuildWarpTree( const gelBakeFactor* panels, const gelPackTet* tets, uint32_t tetCount,
	uint32_t nodeCount, gelBakePool* pool, gelWarpTree* outTree );
