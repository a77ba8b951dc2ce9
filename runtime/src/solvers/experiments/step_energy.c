// SPDX-License-Identifier: MIT
#include "solvers/experiments/step_energy.h"

#include "constraints/constraint_rows.h"
#include "math/dense_factor.h"
#include "gelpack/math_double.h"
#include "solvers/experiments/experiments.h"

#include <string.h>

// Energies of a step are known to this part.
#define GEL_ENERGY_GROWTH 1.001

// W of the elements [J]; empty slots have no modulus.
static double SumElastic( const gelBody* body )
{
	const gelAsset* asset = body->asset;
	double sum = 0.0;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
		double e[6], trace = 0.0, square = 0.0;
		for ( int k = 0; k < 6; ++k )
		{
			float plastic = body->plastic ? body->plastic[block].e[k][lane] : 0.0f;
			e[k] = (double)gelGetImplicit( body )->strains[block].e[k][lane] - plastic;
			square += ( k < 3 ? 1.0 : 2.0 ) * e[k] * e[k];
			if ( k < 3 ) trace += e[k];
		}
		sum +=
			asset->elements[block].muVolume[lane] * square + 0.5 * asset->lambdaVolumes[slot] * trace * trace;
	}
	return sum;
}

// M' D - h M v^n - h^2 f of a node, over M' [m]: how far it is from x~.
static gelVec3d GetLag( const gelBody* body, const gelStepContext* ctx, int i )
{
	GEL_ASSERT( i >= 0 && i < body->asset->nodeCount );
	double h = ctx->h, m = body->asset->pack.masses[i].mass;
	gelVec3d push = gelScaleD( h * m, gelToDouble( body->v[i] ) );
	push = gelMulAddD( push, h * h * m, gelToDouble( ctx->gravity ) );
	push = gelMulAddD( push, h * h, gelToDouble( body->forces[i] ) );
	gelVec3d moved = gelToDouble( gelXyz( gelGetImplicit( body )->moved[i] ) );
	return gelMulAddD( moved, -1.0 / gelGetImplicit( body )->masses[i], push );
}

static double SumInertia( const gelBody* body, const gelStepContext* ctx, bool isRelative )
{
	const float* masses = gelGetImplicit( body )->masses;
	gelVec3d mean = { 0.0, 0.0, 0.0 };
	double sum = 0.0, mass = 0.0;
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n && isRelative; ++i )
	{
		mean = gelMulAddD( mean, masses[i], GetLag( body, ctx, i ) );
		mass += (double)masses[i];
	}
	if ( mass > 0.0 ) mean = gelScaleD( 1.0 / mass, mean );
	for ( int i = 0; i < n; ++i )
	{
		gelVec3d lag = gelSubD( GetLag( body, ctx, i ), mean );
		sum += 0.5 * masses[i] * gelDotD( lag, lag );
	}
	return sum;
}

// e^T C^-1 e / 2 of springs and of frames that give way.
static double SumSoft( const gelBody* body )
{
	const gelConstraintSet* set = body->constraints;
	double sum = 0.0;
	for ( int i = 0; i < set->clusterCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + i;
		double* errors = set->work + set->rowCount;
		if ( !cluster->isSoft ) continue;
		for ( int k = 0; k < cluster->rowCount; ++k )
			errors[k] = set->work[k] =
				gelConstraintRows_GetError( body, cluster->rowFirst + k, body->x, true );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		for ( int k = 0; k < cluster->rowCount; ++k )
			sum += 0.5 * errors[k] * set->work[k];
	}
	return sum;
}

double gelGetStepEnergy( const gelBody* body, const gelStepContext* ctx, bool isRelative )
{
	GEL_ASSERT( ctx->h > 0.0f );
	double h = ctx->h, sum = h * h * SumElastic( body ) + SumInertia( body, ctx, isRelative );
	return gelGetImplicit( body )->hasConstraints ? sum + SumSoft( body ) : sum;
}

// The matrix of C at x, and the strains there. Contacts answer with it (contact_response.h): what answers a
// push by coming closer, as the exact one may, explodes.
static void UpdateTrial( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	gelQuat* trialQ = gelGetVariantMemory( body )->trialQ;
	gelVec4* u = implicit->work[1]; // implicit->u has the reactions
	memset( u, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	gelImplicit_UpdateDisplacements( body, u );
	memcpy( trialQ, body->q, GEL_BLOCK_LANES * (size_t)body->asset->blockCount * sizeof( gelQuat ) );
	gelImplicit_UpdateElements( body, h, gel_differentialC, u, trialQ );
}

void gelIterateExact( gelBody* body, const gelStepContext* ctx, bool isFirst )
{
	GEL_ASSERT( ctx->h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	gelVec4* trialMoved = gelGetVariantMemory( body )->trialMoved;
	size_t bytes = (size_t)implicit->vectorCount * sizeof( gelVec4 );
	memcpy( trialMoved, implicit->moved, bytes );
	gelImplicit_UpdateDisplacements( body, implicit->u );
	gelImplicit_UpdateElements( body, ctx->h, gel_differentialExact, implicit->u, body->q );
	double before = gelGetStepEnergy( body, ctx, isFirst && gelImplicit_IsFree( body ) );
	gelImplicit_SolveNewton( body, ctx, isFirst, false );
	UpdateTrial( body, ctx->h );
	if ( gelGetStepEnergy( body, ctx, false ) <= GEL_ENERGY_GROWTH * before ) return;
	memcpy( implicit->moved, trialMoved, bytes );
	gelImplicit_UpdatePositions( body );
	gelImplicit_UpdateDisplacements( body, implicit->u );
	gelImplicit_UpdateElements( body, ctx->h, gel_differentialC, implicit->u, body->q );
	gelImplicit_SolveNewton( body, ctx, isFirst, true );
}
