// SPDX-License-Identifier: MIT
// What a body with gel_solverWarpCancelling has in addition to that of the implicit solver, whose step it
// shares: the linear systems are solved by the factor of warp_factor.h, corrected by a few iterations with
// the exact matrix. Forces are always exact, only the factor may be stale (Hecht et al. 2012, section 3).
//
//     1  rotations of elements and nodes                                          implicit.h, here
//     2  error of every tet, and with it of every supernode                       warp_refresh.c
//     3  supernodes to refresh, with their ancestors                              warp_schedule.c
//     4  turns of their tets are those of now, their factor anew                  warp_factor.h
//     5  solve                                                                    linear_solve.h
#pragma once

#include "solvers/implicit/implicit.h"
#include "solvers/warp/warp_factor.h"
#include "solvers/warp/warp_left.h"

typedef struct gelWarp
{
	gelWarpDef def;
	const gelWarpTree* tree;
	const gelDenseKernels* dense;
	uint64_t totalCost;     // sum of the costs of all supernodes
	struct gelWorld* world; // the world of a large body, which is stepped by all threads together; else NULL

	// ---- state, as that of gelBody. The factor follows from the turns. ----
	gelTurnBlock* turns; // per block, when their supernodes were refreshed
	gelVec4* nodeTurns;  // quaternions per node and for the padding node, now
	float* ages;         // per supernode: since its last refresh [s]; behind them *isLost

	// ---- the factor ----
	gelWarpFactor factor;
	bool isLean;      // without updates
	gelWarpLeft left; // scratch for the factor of a lean body
	float factorStep; // it was made for [s]; 0: it has to be made
	bool isAtRest;    // no turn has changed yet
	float* isLost;    // 1: the last solve was of no use, and everything is refreshed; else 0

	// ---- scratch of a step ----
	uint32_t* tetSlots;   // per tet: constant
	float* inverseMasses; // 8 per block: of tets [1/kg], 0 for empty slots; constant
	float* tetErrors;     // 8 per block [m/s]
	gelVec4* velocities;  // velocities of nodes, as nodeTurns [m/s]
	float* errors;        // per supernode [m/s]
	uint8_t* isWanted;    // per supernode
	uint32_t* order;      // order in which supernodes are refreshed
	float* b;             // three per column
	float* solveScratch;

	gelWarpStats stats;
} gelWarp;

static inline gelWarp* gelGetWarp( const gelBody* body )
{
	return gelGetImplicit( body )->factorData;
}

gelWarpDef gelDefaultWarpDef( void );
bool gelWarpDef_IsValid( const gelWarpDef* def );

/// The tree of an asset for a pin set; NULL: not baked.
const gelWarpTree* gelAsset_FindWarpTree( const gelAsset* asset, uint64_t pinSetId );

/// Takes the memory from the arena of a body; NULL while sizes are added up.
gelWarp* gelWarp_LayOut( gelArena* arena, const gelBodyDef* def );
void gelWarp_Init( gelBody* body, struct gelWorld* world );

/// The settings of the implicit solver whose step it shares.
gelImplicitDef gelWarp_GetImplicitDef( const gelBodyDef* def );
gelImplicitVariant gelWarp_GetVariant( const gelBodyDef* def );

/// As a new body: the factor is that of the rest shape.
void gelWarp_Forget( gelBody* body );

/// After the state has come from elsewhere: the factor has to be made from it.
static inline void gelWarp_Restore( gelWarp* warp )
{
	warp->factorStep = 0.0f;
	warp->isAtRest = false; // perhaps
}

/// After rotations were found: brings the factor up to date as far as the schedule asks.
/// @param scale of the stiffness [s^2]
void gelWarp_Refresh( gelBody* body, float h, float scale );

/// Looks at what a solve has left of its right-hand side.
void gelWarp_Judge( gelBody* body, float residual );

/// Slows supernodes down that are stale and were not refreshed, if the settings ask for it.
void gelWarp_Damp( gelBody* body );

/// z = W At^-1 W^T r for the free nodes, else zero. Vectors have `count` nodes.
void gelWarp_Solve( gelBody* body, const gelVec4* r, int count, gelVec4* z );

// ---- warp_schedule.c -------------------------------------------------------------------------------------

/// Flags the supernodes to refresh, with their ancestors. @return operations
uint64_t gelChooseSupernodes( const gelWarpTree* tree, const gelWarpDef* def, uint64_t totalCost,
	const float* errors, const float* ages, uint32_t* order, uint8_t* isWanted );
