// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_body.h"

#include "solvers/particles/particle_handles.h"

#include <string.h>

bool gelParticleDef_IsValid( const gelParticleDef* def )
{
	return def->subSteps >= 0 && def->subSteps <= GEL_MAX_SUBSTEPS && def->iterations >= 0 &&
		def->iterations <= GEL_MAX_PARTICLE_ITERATIONS;
}

// Contacts are found once per sub-step (Choi and Lee 2017, table 1: 1, 3 and 6).
int gelGetParticleSubSteps( bool hasGround, bool hasContact )
{
	return hasContact ? 6 : hasGround ? 3 : 1;
}

// About ten iterations per step make stiffness what it should be.
static gelParticleDef Resolve( const gelParticleDef* def, int subSteps )
{
	GEL_ASSERT( subSteps >= 1 );
	gelParticleDef out = *def;
	if ( out.subSteps == 0 ) out.subSteps = subSteps;
	int share = ( 10 + out.subSteps - 1 ) / out.subSteps;
	if ( out.iterations == 0 ) out.iterations = share > 2 ? share : 2;
	return out;
}

// | gelParticles | states | forces | torques | rowSlots | slotRows | saved | starts | targets | poses | rhs |
// | y | palette | solveScratch | holds | handles |
gelParticles* gelParticles_LayOut( gelArena* arena, const gelBodyDef* def )
{
	const gelParticleModel* model = gelGetParticleModel( def->asset );
	size_t n = (size_t)model->count, blocks = (size_t)model->blockCount, slots = GEL_BLOCK_LANES * blocks;
	gelParticles part = { .model = model };
	gelParticles* particles = gelArena_Take( arena, 1, sizeof( gelParticles ) );
	part.states = gelArena_Take( arena, blocks, sizeof( gelParticleState ) );
	part.forces = gelArena_Take( arena, slots, sizeof( gelVec3 ) );
	part.torques = gelArena_Take( arena, slots, sizeof( gelVec3 ) );
	part.rowSlots = gelArena_Take( arena, n, sizeof( uint32_t ) );
	part.slotRows = gelArena_Take( arena, slots, sizeof( uint32_t ) );
	part.saved = gelArena_Take( arena, blocks, sizeof( gelParticleState ) );
	part.starts = gelArena_Take( arena, blocks, sizeof( gelParticleStart ) );
	part.targets = gelArena_Take( arena, blocks, sizeof( gelParticleTarget ) );
	part.poses = gelArena_Take( arena, 3 * slots, sizeof( gelVec4 ) );
	part.rhs = gelArena_Take( arena, slots, sizeof( gelVec4 ) );
	part.y = gelArena_Take( arena, n, sizeof( gelVec4 ) );
	part.palette = gelArena_Take( arena, 4 * n, sizeof( gelVec4 ) );
	part.solveScratch = gelArena_Take( arena, def->asset->solveScratch, sizeof( float ) );
	part.holds = gelArena_Take( arena, blocks, sizeof( uint8_t ) );
	part.handles = gelHandleSet_LayOut( arena, def );
	if ( particles != NULL ) *particles = part;
	return particles;
}

void gelParticles_Init( gelBody* body, bool hasGround )
{
	GEL_ASSERT( gelGetParticleModel( body->asset ) != NULL );
	int subSteps = gelGetParticleSubSteps( hasGround, body->contact != NULL );
	gelGetParticles( body )->def = Resolve( &body->def.solver.particles, subSteps );
}

gelResult gelParticles_CheckDef( const gelBodyDef* def )
{
	bool isPlain = !def->plasticity.enableYield && def->pinSetId == 0;
	return gelGetParticleModel( def->asset ) != NULL && isPlain ? gel_success : gel_errorUnsupported;
}

int gelParticles_Compare( const gelBody* bodyA, const gelBody* bodyB )
{
	const gelParticles *a = gelGetParticles( bodyA ), *b = gelGetParticles( bodyB );
	if ( a->def.subSteps != b->def.subSteps ) return a->def.subSteps < b->def.subSteps ? -1 : 1;
	if ( a->def.iterations != b->def.iterations ) return a->def.iterations < b->def.iterations ? -1 : 1;
	return 0;
}

// ---- factors ---------------------------------------------------------------------------------------------

static bool FindFactor( const gelAsset* asset, float step, gelPackFactorView* outFactor )
{
	GEL_ASSERT( step > 0.0f );
	uint64_t key = gelPack_FactorKey( GEL_FACTOR_PARTICLES, (double)step, 0 );
	const gelPackSection* section = gelPack_FindSection( &asset->pack, GEL_SECTION_OPFA, key );
	if ( section == NULL ) return false;
	*outFactor = gelPack_GetFactor( &asset->pack, section );
	double wanted = (double)step, baked; // the key is a hash
	memcpy( &baked, &outFactor->header->stepBits, sizeof( baked ) );
	return baked == wanted;
}

bool gelParticles_HasFactor( const gelAsset* asset, const gelParticleDef* def, int subSteps, float dt )
{
	GEL_ASSERT( dt > 0.0f && subSteps >= 1 );
	gelParticleDef resolved = Resolve( def, subSteps );
	gelPackFactorView factor;
	return gelGetParticleModel( asset ) != NULL &&
		FindFactor( asset, dt / (float)resolved.subSteps, &factor );
}

bool gelParticles_ChooseFactor( gelBody* body, float dt )
{
	GEL_ASSERT( dt > 0.0f );
	gelParticles* p = gelGetParticles( body );
	if ( p->factorStep == dt ) return true;
	p->factorStep = 0.0f;
	if ( !FindFactor( body->asset, dt / (float)p->def.subSteps, &p->factor ) ) return false;
	p->factorStep = dt;
	for ( int row = 0; row < p->model->count; ++row )
	{
		uint32_t slot = p->model->particleSlots[p->factor.perm[row]];
		p->rowSlots[row] = slot;
		p->slotRows[slot] = (uint32_t)row;
	}
	return true;
}

// ---- state -----------------------------------------------------------------------------------------------

static int CountSlots( const gelParticles* p )
{
	return GEL_BLOCK_LANES * p->model->blockCount;
}

static bool IsEmpty( const gelParticles* p, int slot )
{
	GEL_ASSERT( slot >= 0 && slot < CountSlots( p ) );
	return p->model->slotParticles[slot] == GEL_PACK_NO_PARTICLE;
}

void gelParticles_Place( gelBody* body, gelQuat q )
{
	GEL_ASSERT( gelIsUnitQuat( q ) );
	gelParticles* p = gelGetParticles( body );
	gelMat3 R = gelMakeMat3FromQuat( q );
	memset( p->states, 0, (size_t)p->model->blockCount * sizeof( gelParticleState ) );
	memset( p->forces, 0, (size_t)CountSlots( p ) * sizeof( gelVec3 ) );
	memset( p->torques, 0, (size_t)CountSlots( p ) * sizeof( gelVec3 ) );
	p->hasForces = false;
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = slot % GEL_BLOCK_LANES;
		bool isEmpty = IsEmpty( p, slot );
		gelSetLaneQuat( state->q[0], lane, isEmpty ? gelIdentityQuat() : q );
		if ( !isEmpty ) gelSetLane3( state->x[0], lane, gelMulMV( R, p->model->restPositions[slot] ) );
	}
	gelParticles_MoveNodes( body );
}

void gelParticles_SetVelocity( gelBody* body, gelVec3 linear, gelVec3 angular )
{
	GEL_ASSERT( gelIsUsable( linear ) && gelIsUsable( angular ) );
	gelParticles* p = gelGetParticles( body );
	gelVec3 center = { 0.0f, 0.0f, 0.0f };
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		float mass = p->model->blocks[slot / GEL_BLOCK_LANES].mass[slot % GEL_BLOCK_LANES];
		gelVec3 x = gelGetLane3( state->x[0], slot % GEL_BLOCK_LANES );
		center = gelMulAdd( center, mass / p->model->mass, x );
	}
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = slot % GEL_BLOCK_LANES;
		if ( IsEmpty( p, slot ) ) continue;
		gelVec3 arm = gelSub( gelGetLane3( state->x[0], lane ), center );
		gelSetLane3( state->v[0], lane, gelAdd( linear, gelCross( angular, arm ) ) );
		gelSetLane3( state->w[0], lane, angular );
	}
}

void gelParticles_Turn( gelBody* body, gelQuat q )
{
	GEL_ASSERT( gelIsUnitQuat( q ) );
	gelParticles* p = gelGetParticles( body );
	gelMat3 R = gelMakeMat3FromQuat( q );
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = slot % GEL_BLOCK_LANES;
		if ( IsEmpty( p, slot ) ) continue;
		gelSetLane3( state->x[0], lane, gelMulMV( R, gelGetLane3( state->x[0], lane ) ) );
		gelSetLane3( state->v[0], lane, gelMulMV( R, gelGetLane3( state->v[0], lane ) ) );
		gelSetLane3( state->w[0], lane, gelMulMV( R, gelGetLane3( state->w[0], lane ) ) );
		gelSetLaneQuat( state->q[0], lane, gelMulQuat( q, gelGetLaneQuat( state->q[0], lane ) ) );
	}
	gelParticles_MoveNodes( body );
}

void gelParticles_Shift( gelBody* body, gelVec3 shift )
{
	gelParticles* p = gelGetParticles( body );
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		float* x = p->states[slot / GEL_BLOCK_LANES].x[0];
		int lane = slot % GEL_BLOCK_LANES;
		if ( !IsEmpty( p, slot ) ) gelSetLane3( x, lane, gelSub( gelGetLane3( x, lane ), shift ) );
	}
}

bool gelParticles_AreStill( const gelBody* body, bool isTouched, bool isHit )
{
	(void)isTouched;
	const gelParticles* p = gelGetParticles( body );
	float tremble = isHit ? GEL_SLEEP_TREMBLE : 1.0f, rest = GEL_SLEEP_REST;
	float fastest2 = 0.0f, sum2 = 0.0f;
	for ( int slot = 0; slot < CountSlots( p ); ++slot )
	{
		if ( IsEmpty( p, slot ) ) continue; // whatever rounding has made of it
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = slot % GEL_BLOCK_LANES;
		float spin = p->model->radii[slot] * gelLength( gelGetLane3( state->w[0], lane ) );
		float speed2 = gelLengthSquared( gelGetLane3( state->v[0], lane ) );
		fastest2 = gelMaxFloat( gelMaxFloat( speed2, spin * spin ), fastest2 );
		sum2 += p->model->blocks[slot / GEL_BLOCK_LANES].mass[lane] * speed2;
	}
	float limit2 = GEL_SLEEP_SPEED * GEL_SLEEP_SPEED;
	if ( fastest2 < limit2 ) return true;
	return fastest2 < tremble * tremble * limit2 && sum2 < rest * rest * limit2 * p->model->mass;
}

void gelParticles_Stop( gelBody* body )
{
	gelParticles* p = gelGetParticles( body );
	for ( int b = 0; b < p->model->blockCount; ++b )
	{
		memset( p->states[b].v, 0, sizeof( p->states[b].v ) );
		memset( p->states[b].w, 0, sizeof( p->states[b].w ) );
	}
}

static bool AreWithin( const float* values, size_t count, float limit )
{
	int wrong = 0;
	for ( size_t i = 0; i < count; ++i )
		wrong |= !( fabsf( values[i] ) <= limit ); // also for NaN
	return wrong == 0;
}

static bool IsState( const gelParticleState* state )
{
	bool isValid = AreWithin( state->x[0], 24, GEL_MAX_COORDINATE ) &&
		AreWithin( state->v[0], 24, 1.0e30f ) && AreWithin( state->w[0], 24, 1.0e30f );
	for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
	{
		float length2 = gelLengthSquaredQuat( gelGetLaneQuat( state->q[0], lane ) );
		isValid = isValid && fabsf( length2 - 1.0f ) < 0.5f;
	}
	return isValid;
}

bool gelParticles_AreUsable( const gelParticles* p )
{
	bool isUsable = p->isUsable;
	for ( int b = 0; b < p->model->blockCount; ++b )
		isUsable = isUsable && IsState( p->states + b );
	return isUsable;
}

bool gelParticles_AreStates( const gelBody* body, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( bytes % sizeof( gelParticleState ) == 0 );
	(void)body;
	for ( size_t i = 0; i < bytes; i += sizeof( gelParticleState ) )
	{
		gelParticleState state;
		memcpy( &state, data + i, sizeof( state ) );
		if ( !IsState( &state ) ) return false;
	}
	return true;
}
