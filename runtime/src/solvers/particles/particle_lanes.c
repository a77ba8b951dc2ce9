// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_lanes.h"

static size_t CountSlots( const gelParticleModel* model )
{
	return GEL_BLOCK_LANES * (size_t)model->blockCount;
}

size_t gelGetParticleLaneScratch( int laneCount, const gelParticleModel* model, size_t solveScratch )
{
	GEL_ASSERT( laneCount > 0 );
	size_t rows = solveScratch / GEL_SOLVE_SCRATCH_PER_BLOCK * 8;
	size_t perSlot = 4 + GEL_LANE_POSE + GEL_LANE_TARGET;
	return (size_t)laneCount * ( perSlot * CountSlots( model ) + 3 * (size_t)model->count + 3 * rows );
}

// | q | pose | target | y | solveScratch |
void gelParticleLanes_UseScratch( gelParticleLanes* lanes, int laneCount, float* scratch )
{
	GEL_ASSERT( laneCount > 0 && scratch != NULL );
	size_t slots = (size_t)laneCount * CountSlots( lanes->model );
	lanes->q = scratch;
	lanes->pose = lanes->q + 4 * slots;
	lanes->target = lanes->pose + GEL_LANE_POSE * slots;
	lanes->y = lanes->target + GEL_LANE_TARGET * slots;
	lanes->solveScratch = lanes->y + 3 * (size_t)laneCount * (size_t)lanes->model->count;
}
