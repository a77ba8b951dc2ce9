// SPDX-License-Identifier: MIT
#include "world/solver_table.h"

#include "asset/asset_model.h"
#include "contact/particles/particle_contact.h"
#include "core/parts.h"
#include "solvers/fast/fast_solver.h"
#include "solvers/implicit/implicit_solver.h"
#include "solvers/particles/particle_model.h"
#include "solvers/particles/particle_solver.h"
#include "solvers/warp/warp_model.h"
#include "solvers/warp/warp_solver.h"

#include <math.h>

typedef struct Row
{
	const gelSolver* solver;
	const gelAssetModel* model;        // NULL: none
	const gelParticleContact* contact; // NULL: by the surface, or none
} Row;

// Rows of solvers that the build has left out (core/parts.h) are empty.
static const Row rows[GEL_SOLVER_COUNT] = {
	[gel_solverFastCorotated] = { .solver = &gel_fastSolver },
#if !defined( GELPACK_NO_IMPLICIT )
	[gel_solverImplicit] = { .solver = &gel_implicitSolver },
#endif
#if !defined( GELPACK_NO_WARP )
	[gel_solverWarpCancelling] = { .solver = &gel_warpSolver, .model = &gel_warpAssetModel },
#endif
#if !defined( GELPACK_NO_PARTICLES )
	[gel_solverOrientedParticles] = { &gel_particleSolver, &gel_particleAssetModel, &gel_particleContact },
#endif
};

const gelSolver* gelFindSolver( gelSolverType type )
{
	return (unsigned)type < GEL_SOLVER_COUNT ? rows[type].solver : NULL;
}

const gelAssetModel* gelFindAssetModel( gelSolverType type )
{
	return (unsigned)type < GEL_SOLVER_COUNT ? rows[type].model : NULL;
}

const gelParticleContact* gelFindParticleContact( void )
{
	return rows[gel_solverOrientedParticles].contact;
}

const gelConstraintCalls* gelFindConstraintCalls( void )
{
#if defined( GELPACK_NO_CONSTRAINTS )
	return NULL;
#else
	return &gel_constraintCalls;
#endif
}

gelSolverDef gelDefaultSolverDef( gelSolverType type )
{
	gelSolverDef def = { 0 };
	const gelSolver* solver = gelFindSolver( type );
	if ( (unsigned)type < GEL_SOLVER_COUNT ) def.type = type;
	if ( solver ) solver->setDefaults( &def );
	return def;
}

bool gelAsset_CanStep( const gelAsset* asset, const gelBodyDef* def, float dt )
{
	if ( asset == NULL || def == NULL || !( dt > 0.0f ) || isinf( dt ) ) return false;
	int pinCount;
	if ( def->pinSetId != 0 && gelAsset_FindPinSet( asset, def->pinSetId, &pinCount ) == NULL ) return false;
	const gelSolver* solver = gelFindSolver( def->solver.type );
	return solver != NULL && solver->isDefValid( def ) && solver->canStep( asset, def, dt );
}
