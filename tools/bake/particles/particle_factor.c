// SPDX-License-Identifier: MIT
// The linear system of the positions (Choi and Lee 2017, Eq. 7 and 12), times h^2 so that it is a mass matrix
// with springs, the same for x, y and z:
//   A_ii = m_i + h^2 k sum over neighbors of (V_i + V_j),   A_ij = -h^2 k (V_i + V_j)        [kg]
//
// (Choi and Lee 2017, global step.) Handles change the matrix by ranks of one and are added at run time by
// Woodbury's formula, so the factor of the free body is all that is baked.
#include "bake/particles/particle_bake.h"

#include "pack/pack_read.h"

#include <gelpack/asserts.h>

// A game steps by h as a whole or in so many sub-steps; each has a factor, which for a hundred particles is
// 20 kB.
static const int s_subSteps[] = { 1, 2, 3, 4, 6 };
#define GEL_SUBSTEP_COUNT ( (int)( sizeof( s_subSteps ) / sizeof( s_subSteps[0] ) ) )

// No particle is ever pinned: free numbers are the numbers of particles.
static gelBakeGraph MakeGraph( const gelBakeParticles* p, gelBakePool* pool )
{
	gelBakeGraph graph = { .n = p->count, .neighborFirst = p->neighborFirst, .neighbors = p->neighbors };
	graph.freeToNode = gelBakePool_Alloc( pool, p->count, sizeof( uint32_t ) );
	graph.nodeToFree = gelBakePool_Alloc( pool, p->count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < p->count; ++i )
		graph.freeToNode[i] = graph.nodeToFree[i] = i;
	graph.patternHash = gelHashPattern( &graph );
	return graph;
}

static gelBakeMatrix Assemble( const gelBakeParticles* p, double step, gelBakePool* pool )
{
	GEL_ASSERT( step > 0.0 && p->count > 0 );
	gelBakeMatrix A = { .n = p->count };
	A.columnFirst = gelBakePool_Alloc( pool, (size_t)p->count + 1, sizeof( int ) );
	A.rows = gelBakePool_Alloc( pool, (size_t)p->count + p->edgeCount, sizeof( int ) );
	A.values = gelBakePool_Alloc( pool, (size_t)p->count + p->edgeCount, sizeof( double ) );
	const double scale = step * step * (double)p->stiffness;
	int count = 0;
	for ( uint32_t j = 0; j < p->count; ++j )
	{
		const gelPackParticle* own = p->particles + j;
		int diagonal = count;
		A.rows[count] = (int)j;
		A.values[count++] = (double)own->mass;
		for ( uint32_t k = p->neighborFirst[j]; k < p->neighborFirst[j + 1]; ++k )
		{
			uint32_t i = p->neighbors[k];
			// Both directions of an edge, with V_j and V_i, in one number.
			double spring = scale * ( (double)own->volume + (double)p->particles[i].volume );
			A.values[diagonal] += spring;
			if ( i < j ) continue;
			A.rows[count] = (int)i;
			A.values[count++] = -spring;
		}
		A.columnFirst[j + 1] = count;
	}
	return A;
}

// Whether a step length is new: 1/60 s in two halves is that of 1/120 s as a whole.
static bool IsNew( const gelBakeParticles* p, double step )
{
	for ( int i = 0; i < p->factorCount; ++i )
	{
		if ( p->factors[i].step == step ) return false;
	}
	return true;
}

bool gelFactorParticles( gelBakeData* data, gelFindings* findings )
{
	gelBakeParticles* p = &data->particles;
	gelBakeGraph graph = MakeGraph( p, &data->pool );
	const uint32_t* order = gelOrderNodes( &graph, &data->pool );
	if ( order == NULL )
	{
		gelFindings_Add(
			findings, gel_findingInternal, NULL, "METIS could not order %u particles", p->count );
		return false;
	}
	int most = data->settings->stepCount * GEL_SUBSTEP_COUNT;
	p->factors = gelBakePool_Alloc( &data->pool, (size_t)most, sizeof( gelBakeFactor ) );
	for ( int i = 0; i < most; ++i )
	{
		// as the runtime divides: a float by a float
		float whole = (float)data->settings->steps[i / GEL_SUBSTEP_COUNT];
		double step = (double)( whole / (float)s_subSteps[i % GEL_SUBSTEP_COUNT] );
		if ( step < GEL_PACK_MIN_STEP || !IsNew( p, step ) ) continue;
		gelBakePool scratch = { NULL };
		gelBakeMatrix A = Assemble( p, step, &scratch );
		gelBakeFactor* factor = p->factors + p->factorCount;
		factor->step = step;
		gelFactorStatus status = gelFactorMatrix( &A, &graph, order, &data->pool, factor );
		gelFreeBakePool( &scratch );
		if ( status != gel_factorOk )
		{
			gelFindings_Add( findings, gel_findingBadlyConditioned, data->settings->artFile,
				"the system matrix of %u particles for a step of %g s cannot be factored in 32-bit floats; "
				"lower Young's modulus or the step, or take other particles",
				p->count, step );
			return false;
		}
		p->factorCount += 1;
	}
	return true;
}

// ---- batches ---------------------------------------------------------------------------------------------

static bool IsNeighborOf( const gelBakeParticles* p, uint32_t i, const uint32_t* batch, uint32_t count )
{
	for ( uint32_t k = p->neighborFirst[i]; k < p->neighborFirst[i + 1]; ++k )
	{
		for ( uint32_t n = 0; n < count; ++n )
		{
			if ( batch[n] == p->neighbors[k] ) return true;
		}
	}
	return false;
}

// Neighbors that are not in a batch yet: the particle with the most is the most urgent one.
static uint32_t CountLeft( const gelBakeParticles* p, uint32_t i, const bool* isDone )
{
	uint32_t count = 0;
	for ( uint32_t k = p->neighborFirst[i]; k < p->neighborFirst[i + 1]; ++k )
		count += !isDone[p->neighbors[k]];
	return count;
}

// Quadratic in the number of particles, which is some hundred.
void gelBatchParticles( gelBakeParticles* p, gelBakePool* pool )
{
	GEL_ASSERT( p->count > 0 );
	gelBakePool scratch = { NULL };
	bool* isDone = gelBakePool_Alloc( &scratch, p->count, sizeof( bool ) );
	p->batches = gelBakePool_Alloc( pool, GEL_PACK_LANES * (size_t)p->count, sizeof( uint32_t ) );
	for ( uint32_t done = 0; done < p->count; )
	{
		uint32_t* batch = p->batches + p->slotCount;
		uint32_t count = 0;
		for ( uint32_t lane = 0; lane < GEL_PACK_LANES; ++lane )
		{
			uint32_t best = GEL_NO_INDEX, bestLeft = 0;
			for ( uint32_t i = 0; i < p->count; ++i )
			{
				if ( isDone[i] || IsNeighborOf( p, i, batch, count ) ) continue;
				uint32_t left = CountLeft( p, i, isDone );
				if ( best != GEL_NO_INDEX && left <= bestLeft ) continue;
				best = i;
				bestLeft = left;
			}
			if ( best == GEL_NO_INDEX ) break;
			isDone[best] = true;
			batch[count++] = best;
		}
		done += count;
		for ( ; count < GEL_PACK_LANES; ++count )
			batch[count] = GEL_PACK_NO_PARTICLE;
		p->slotCount += GEL_PACK_LANES;
	}
	gelFreeBakePool( &scratch );
}
