// SPDX-License-Identifier: MIT
// Settings and memory of the warp-cancelling solver.
#include "solvers/warp/warp_body.h"

#include "asset/blocks.h"
#include "solvers/warp/warp_model.h"
#include "state/world.h"

#include <string.h>

gelWarpDef gelDefaultWarpDef( void )
{
	return ( gelWarpDef ){ .tolerance = 2.0f,
		.maxTolerance = 6.0f,
		.budget = 0.33f,
		.refinements = 1,
		.maxFactorBytes = (size_t)256 << 20 };
}

static bool IsWithin( float a, float low, float high )
{
	return a >= low && a <= high; // false for NaN
}

bool gelWarpDef_IsValid( const gelWarpDef* def )
{
	return (unsigned)def->schedule <= gel_warpHybrid && IsWithin( def->tolerance, 0.0f, 1.0e6f ) &&
		IsWithin( def->maxTolerance, def->tolerance, 1.0e6f ) && IsWithin( def->budget, 0.0f, 1.0f ) &&
		def->refinements >= 0 && def->refinements <= 100 && IsWithin( def->dampAbove, 0.0f, 1.0e6f ) &&
		IsWithin( def->massDamping, 0.0f, 1.0e6f ) && IsWithin( def->stiffnessDamping, 0.0f, 1.0e6f ) &&
		gelImplicitVariant_IsValid( def->variant );
}

// One iteration of conjugate gradients is the solve itself, each further one a correction; more of them, if a
// part of the right-hand side larger than the tolerance is left. Who wants no corrections gets them for what
// would explode.
#define GEL_WARP_RESIDUAL      1.0e-2f
#define GEL_WARP_WILD_RESIDUAL 1.0e-1f

gelImplicitDef gelWarp_GetImplicitDef( const gelBodyDef* def )
{
	const gelWarpDef* warp = &def->solver.warp;
	gelImplicitDef implicit = gelDefaultImplicitDef();
	implicit.linearIterations = 1 + warp->refinements;
	implicit.tolerance = warp->refinements > 0 ? GEL_WARP_RESIDUAL : GEL_WARP_WILD_RESIDUAL;
	implicit.massDamping = warp->massDamping;
	implicit.stiffnessDamping = warp->stiffnessDamping;
	return implicit;
}

// The matrix is that of the rest shape, turned: differential 2, which is never indefinite.
gelImplicitVariant gelWarp_GetVariant( const gelBodyDef* def )
{
	gelImplicitVariant variant = gelGetVariant( def->solver.warp.variant );
	variant.linearSolver = gel_linearCg;
	variant.element = gel_elementPolar;
	variant.differential = gel_differentialTwo;
	return variant;
}

// Whether the updates would take too much memory.
static bool IsLean( const gelBodyDef* def, const gelWarpTree* tree )
{
	gelWarpSizes sizes = gelGetWarpSizes( tree );
	return ( sizes.panels + sizes.updates + sizes.tiles ) * sizeof( float ) > def->solver.warp.maxFactorBytes;
}

// | gelWarp | turns | nodeTurns | ages | panels | updates or left | tiles | tetSlots | inverseMasses |
// tetErrors | velocities | errors | isWanted | order | b | solveScratch |
gelWarp* gelWarp_LayOut( gelArena* arena, const gelBodyDef* def )
{
	GEL_ASSERT( def->solver.type == gel_solverWarpCancelling );
	const gelAsset* asset = def->asset;
	const gelWarpTree* tree = gelAsset_FindWarpTree( asset, def->pinSetId );
	size_t count = tree->superCount, blocks = (size_t)asset->blockCount;
	gelWarp part = { .tree = tree };
	gelWarp* warp = gelArena_Take( arena, 1, sizeof( gelWarp ) );
	part.turns = gelArena_Take( arena, blocks, sizeof( gelTurnBlock ) );
	part.nodeTurns = gelArena_Take( arena, (size_t)asset->nodeCount + 1, sizeof( gelVec4 ) );
	part.ages = gelArena_Take( arena, count + 1, sizeof( float ) );
	part.isLost = part.ages ? part.ages + count : NULL;
	part.factor.panels = gelArena_Take( arena, (size_t)tree->panelFirst[count], sizeof( float ) );
	part.isLean = IsLean( def, tree );
	part.factor.updates =
		gelArena_Take( arena, part.isLean ? 0 : (size_t)tree->updateFirst[count], sizeof( float ) );
	if ( part.isLean ) part.left = gelWarpLeft_LayOut( arena, tree, (uint32_t)asset->nodeCount );
	part.factor.tiles =
		gelArena_Take( arena, GEL_TILE_FLOATS * (size_t)tree->tileFirst[count], sizeof( float ) );
	part.tetSlots = gelArena_Take( arena, (size_t)asset->tetCount, sizeof( uint32_t ) );
	part.inverseMasses = gelArena_Take( arena, GEL_BLOCK_LANES * blocks, sizeof( float ) );
	part.tetErrors = gelArena_Take( arena, GEL_BLOCK_LANES * blocks, sizeof( float ) );
	part.velocities = gelArena_Take( arena, (size_t)asset->nodeCount + 1, sizeof( gelVec4 ) );
	part.errors = gelArena_Take( arena, count, sizeof( float ) );
	part.isWanted = gelArena_Take( arena, count, sizeof( uint8_t ) );
	part.order = gelArena_Take( arena, count, sizeof( uint32_t ) );
	part.b = gelArena_Take( arena, 3 * (size_t)tree->n, sizeof( float ) );
	part.solveScratch = gelArena_Take( arena, gelGetWarpScratch( tree ), sizeof( float ) );
	if ( warp ) *warp = part;
	return warp;
}

// Operations of a factorization from which on threads share the work on one body.
#define GEL_LARGE_COST 50000000u

void gelWarp_Init( gelBody* body, struct gelWorld* world )
{
	gelWarp* warp = gelGetWarp( body );
	const gelAsset* asset = body->asset;
	warp->def = body->def.solver.warp;
	warp->dense = gelFindDense( body->simd );
	warp->totalCost = 0;
	if ( warp->isLean ) gelWarpLeft_Fill( &warp->left, warp->tree, &asset->pack );
	for ( uint32_t s = 0; s < warp->tree->superCount; ++s )
		warp->totalCost += warp->tree->costs[s];
	bool isShared = world->def.tasks.parallelFor && world->def.tasks.workerCount > 1;
	if ( isShared && warp->totalCost > GEL_LARGE_COST ) warp->world = world;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t tet = asset->slotTets[slot];
		if ( tet == GEL_NO_TET ) continue;
		const gelPackTetRest* rest = asset->pack.tetRests + tet;
		warp->tetSlots[tet] = (uint32_t)slot;
		warp->inverseMasses[slot] = 1.0f / ( asset->pack.materials[rest->material].density * rest->volume );
	}
}

void gelWarp_Forget( gelBody* body )
{
	gelWarp* warp = gelGetWarp( body );
	const gelQuat none = gelIdentityQuat();
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		for ( int k = 0; k < 4; ++k )
			gelSetTetTurn( warp->turns + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES, k, none );
	}
	for ( int i = 0; i <= body->asset->nodeCount; ++i )
		warp->nodeTurns[i] = gelMakeVec4( none.v, none.s );
	memset( warp->ages, 0, ( (size_t)warp->tree->superCount + 1 ) * sizeof( float ) );
	warp->factorStep = 0.0f;
	warp->isAtRest = true;
}
