// SPDX-License-Identifier: MIT
// Linear momentum of stiff bodies. Summed over all particles, the gradient of E (particle_model.h) has no
// elastic part, so that its minimum keeps momentum whatever the stiffness:
//     sum m_i ( x_i - xs_i ) = 0
// In floats the elastic parts cancel up to rounding only, and so do those of the factor. Of a force of about
// E d^2 between particles at a distance d, rounding leaves 6e-8, which moves the body as a whole: 4 m/s in a
// step of 1/30 s for 1e11 Pa and 0.5 kg. So the condition above is made to hold, in doubles. (What rounding
// does to the shape is another matter: stiffness takes it back in the next step.)
#include "solvers/particles/particle_body.h"

bool gelParticles_LoseMomentum( const gelParticles* p, float h )
{
	GEL_ASSERT( h > 0.0f );
	return h * h * p->model->maxStiffness > p->model->maxMass;
}

void gelParticles_KeepMomentum( const gelParticles* p )
{
	double sum[3] = { 0.0, 0.0, 0.0 };
	int slotCount = GEL_BLOCK_LANES * p->model->blockCount;
	for ( int slot = 0; slot < slotCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		double mass = p->model->blocks[slot / GEL_BLOCK_LANES].mass[lane];
		const gelParticleTarget* target = p->targets + slot / GEL_BLOCK_LANES;
		const gelVec4* pose = p->poses + 3 * (size_t)slot;
		for ( int k = 0; k < 3; ++k )
			sum[k] += mass * ( (double)pose[k].w - (double)target->x[k][lane] );
	}
	double scale = 1.0 / (double)p->model->mass;
	for ( int slot = 0; slot < slotCount; ++slot )
	{
		gelVec4* pose = p->poses + 3 * (size_t)slot;
		for ( int k = 0; k < 3; ++k )
			pose[k].w -= (float)( scale * sum[k] );
	}
}
