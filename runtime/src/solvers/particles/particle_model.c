// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_model.h"

#include <string.h>

// A symmetric matrix in double while it is put together.
typedef struct Sym
{
	double m[6]; // xx yy zz xy xz yz
} Sym;

static int CountBlocks( const gelPackView* pack )
{
	return (int)( pack->particles.slotCount / GEL_BLOCK_LANES );
}

// Links of a block: as many as the particle with the most neighbors has.
static uint32_t CountLinks( const gelParticleView* view, int block )
{
	uint32_t most = 0;
	for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
	{
		uint32_t i = view->batches[GEL_BLOCK_LANES * block + lane];
		if ( i == GEL_PACK_NO_PARTICLE ) continue;
		uint32_t degree = view->neighborFirst[i + 1] - view->neighborFirst[i];
		most = degree > most ? degree : most;
	}
	return most;
}

// | gelParticleModel | blocks | links | particleSlots | slotParticles | restPositions | shapes | moments |
// | radii | stiffness | turnStiffness | skin |
static void* LayOut( gelArena* arena, const gelPackView* pack )
{
	if ( pack->particles.header == NULL ) return NULL;
	gelParticleModel part = { .count = (int)pack->particles.header->particleCount };
	part.blockCount = CountBlocks( pack );
	for ( int block = 0; block < part.blockCount; ++block )
		part.linkCount += (int)CountLinks( &pack->particles, block );
	size_t blocks = (size_t)part.blockCount, slots = GEL_BLOCK_LANES * blocks;
	gelParticleModel* model = gelArena_Take( arena, 1, sizeof( gelParticleModel ) );
	part.blocks = gelArena_Take( arena, blocks, sizeof( gelParticleBlock ) );
	part.links = gelArena_Take( arena, (size_t)part.linkCount, sizeof( gelParticleLink ) );
	part.particleSlots = gelArena_Take( arena, (size_t)part.count, sizeof( uint32_t ) );
	part.slotParticles = gelArena_Take( arena, slots, sizeof( uint32_t ) );
	part.restPositions = gelArena_Take( arena, slots, sizeof( gelVec3 ) );
	part.shapes = gelArena_Take( arena, slots, sizeof( gelSym3 ) );
	part.moments = gelArena_Take( arena, slots, sizeof( gelSym3 ) );
	part.radii = gelArena_Take( arena, slots, sizeof( float ) );
	part.stiffness = gelArena_Take( arena, slots, sizeof( float ) );
	part.turnStiffness = gelArena_Take( arena, slots, sizeof( float ) );
	part.skin = gelSkinModel_LayOut( arena, pack );
	if ( model != NULL ) *model = part;
	return model;
}

// Eb diag(a^2, b^2, c^2) Eb^T; the quaternion may be off unit length by rounding.
static Sym MakeShape( const gelPackParticle* p )
{
	double x = p->rotation[0], y = p->rotation[1], z = p->rotation[2], w = p->rotation[3];
	double s = 2.0 / ( x * x + y * y + z * z + w * w );
	const double e[3][3] = {
		{ 1.0 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		{ s * ( x * y + w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		{ s * ( x * z - w * y ), s * ( y * z + w * x ), 1.0 - s * ( x * x + y * y ) },
	};
	static const int rows[6] = { 0, 1, 2, 0, 0, 1 }, columns[6] = { 0, 1, 2, 1, 2, 2 };
	Sym shape = { { 0.0 } };
	for ( int k = 0; k < 6; ++k )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double r = p->radius[axis];
			shape.m[k] += r * r * e[rows[k]][axis] * e[columns[k]][axis];
		}
	}
	return shape;
}

static double GetTrace( const Sym* a )
{
	return a->m[0] + a->m[1] + a->m[2];
}

static gelSym3 MakeSym3( const Sym* a, double scale )
{
	return ( gelSym3 ){ (float)( scale * a->m[0] ), (float)( scale * a->m[1] ), (float)( scale * a->m[2] ),
		(float)( scale * a->m[3] ), (float)( scale * a->m[4] ), (float)( scale * a->m[5] ) };
}

// Constants of particle i in its slot that need no neighbor.
static void FillSlot( gelParticleModel* model, const gelPackParticle* p, uint32_t slot )
{
	GEL_ASSERT( slot < (uint32_t)( GEL_BLOCK_LANES * model->blockCount ) );
	gelParticleBlock* block = model->blocks + slot / GEL_BLOCK_LANES;
	uint32_t lane = slot % GEL_BLOCK_LANES;
	Sym shape = MakeShape( p );
	double trace = GetTrace( &shape );
	for ( int k = 0; k < 6; ++k )
		block->inertia[k][lane] = (float)( shape.m[k] / trace );
	block->mass[lane] = p->mass;
	model->restPositions[slot] = gelMakeVec3( p->position[0], p->position[1], p->position[2] );
	model->shapes[slot] = MakeSym3( &shape, 1.0 );
	model->moments[slot] = MakeSym3( &shape, 0.2 * p->mass );
	model->radii[slot] = gelMaxFloat( p->radius[0], gelMaxFloat( p->radius[1], p->radius[2] ) );
}

static void ClearBlock( gelParticleModel* model, int index )
{
	GEL_ASSERT( index >= 0 && index < model->blockCount );
	gelParticleBlock* block = model->blocks + index;
	for ( uint32_t lane = 0; lane < GEL_BLOCK_LANES; ++lane )
	{
		uint32_t slot = GEL_BLOCK_LANES * (uint32_t)index + lane;
		block->pose[lane] = GEL_POSE_BYTES * slot;
		for ( int k = 0; k < 3; ++k )
			block->inertia[k][lane] = 1.0f / 3.0f;
		model->slotParticles[slot] = GEL_PACK_NO_PARTICLE;
	}
	for ( uint32_t r = 0; r < block->linkCount; ++r )
		memcpy( model->links[block->linkFirst + r].pose, block->pose, sizeof( block->pose ) );
}

// The neighbors of a particle, in the order of the pack.
static void FillLinks( gelParticleModel* model, const gelParticleView* view, uint32_t i )
{
	GEL_ASSERT( i < (uint32_t)model->count );
	uint32_t slot = model->particleSlots[i], lane = slot % GEL_BLOCK_LANES;
	gelParticleBlock* block = model->blocks + slot / GEL_BLOCK_LANES;
	const gelPackParticle* p = view->particles + i;
	Sym shape = MakeShape( p );
	double k = view->header->stiffness, Vi = p->volume;
	double c = 0.2 * p->mass * GetTrace( &shape ); // rho tr Ab, with Ab = V/5 shape
	double armSum[3] = { 0.0, 0.0, 0.0 }, stiffness = 0.0, turnStiffness = 0.0;
	for ( uint32_t n = view->neighborFirst[i]; n < view->neighborFirst[i + 1]; ++n )
	{
		uint32_t j = view->neighbors[n];
		const gelPackParticle* other = view->particles + j;
		gelParticleLink* link = model->links + block->linkFirst + ( n - view->neighborFirst[i] );
		Sym otherShape = MakeShape( other );
		double Vj = other->volume;
		link->pose[lane] = GEL_POSE_BYTES * model->particleSlots[j];
		for ( int e = 0; e < 6; ++e )
			link->moment[e][lane] = (float)( 0.2 * k * ( Vi * shape.m[e] + Vj * otherShape.m[e] ) / c );
		link->stiffness[lane] = (float)( k * ( Vi + Vj ) );
		stiffness += k * ( Vi + Vj );
		for ( int e = 0; e < 3; ++e )
		{
			double d = (double)other->position[e] - (double)p->position[e];
			link->lever[e][lane] = (float)( k * Vj * d / c );
			link->arm[e][lane] = (float)( k * Vi * d );
			armSum[e] += k * Vj * d;
			turnStiffness += k * Vj * d * d;
		}
		turnStiffness += 0.2 * k * ( Vi * GetTrace( &shape ) + Vj * GetTrace( &otherShape ) );
	}
	model->stiffness[slot] = (float)stiffness;
	model->turnStiffness[slot] = (float)( 2.0 / 3.0 * turnStiffness );
	for ( int e = 0; e < 3; ++e )
		block->armSum[e][lane] = (float)armSum[e];
	model->maxStiffness = gelMaxFloat( model->maxStiffness, (float)stiffness );
}

static void Fill( void* block, const gelPackView* pack )
{
	gelParticleModel* model = block;
	const gelParticleView* view = &pack->particles;
	uint32_t linkFirst = 0;
	for ( int b = 0; b < model->blockCount; ++b )
	{
		model->blocks[b].linkFirst = linkFirst;
		model->blocks[b].linkCount = CountLinks( view, b );
		linkFirst += model->blocks[b].linkCount;
		ClearBlock( model, b );
	}
	double mass = 0.0, center[3] = { 0.0, 0.0, 0.0 };
	for ( uint32_t slot = 0; slot < view->slotCount; ++slot )
	{
		uint32_t i = view->batches[slot];
		if ( i == GEL_PACK_NO_PARTICLE ) continue;
		const gelPackParticle* p = view->particles + i;
		model->slotParticles[slot] = i;
		model->particleSlots[i] = slot;
		FillSlot( model, p, slot );
		mass += p->mass;
		model->maxMass = gelMaxFloat( model->maxMass, p->mass );
		for ( int k = 0; k < 3; ++k )
			center[k] += (double)p->mass * p->position[k];
	}
	for ( uint32_t i = 0; i < view->header->particleCount; ++i )
		FillLinks( model, view, i );
	gelSkinModel_Fill( &model->skin, pack );
	model->mass = (float)mass;
	model->restCenter =
		gelMakeVec3( (float)( center[0] / mass ), (float)( center[1] / mass ), (float)( center[2] / mass ) );
	model->damping = pack->materials[0].damping;
}

const gelAssetModel gel_particleAssetModel = { LayOut, Fill };
