// SPDX-License-Identifier: MIT
// Settings and memory of the implicit solver.
#include "solvers/implicit/implicit.h"

#include "solvers/plastic/plastic_elements.h"
#include "solvers/implicit/qr_element.h"

#include <string.h>

gelImplicitDef gelDefaultImplicitDef( void )
{
	return ( gelImplicitDef ){
		.newtonIterations = 1,
		.linearIterations = 20,
		.tolerance = 1.0e-3f,
		.degenerateBelow = 0.1f,
		.degeneratePush = 3.0f,
		.hasRigidModes = true,
	};
}

static bool IsWithin( float a, float low, float high )
{
	return a >= low && a <= high; // false for NaN
}

bool gelImplicitDef_IsValid( const gelImplicitDef* def )
{
	if ( def->newtonIterations < 1 || def->newtonIterations > 100 ) return false;
	if ( def->linearIterations < 1 || def->linearIterations > 10000 ) return false;
	if ( (unsigned)def->linearSolver > gel_linearMinres ) return false;
	if ( (unsigned)def->preconditioner > gel_preconditionFactor ) return false;
	if ( (unsigned)def->differential > gel_differentialExact ) return false;
	if ( (unsigned)def->element > gel_elementQr || (unsigned)def->rotation > gel_rotationReflect )
		return false;
	return IsWithin( def->tolerance, 0.0f, 1.0f ) && IsWithin( def->degenerateBelow, 0.0f, 1.0f ) &&
		IsWithin( def->degeneratePush, 1.0f, 100.0f ) && IsWithin( def->massDamping, 0.0f, 1.0e6f ) &&
		IsWithin( def->stiffnessDamping, 0.0f, 1.0e6f );
}

// | gelImplicit | blocks | inverses | sums | softBlocks | masses | freeNodes | u | moved | rhs | change |
// work | modes | qr | leftLanes | witnesses | strains | trialQ | trialMoved |
gelImplicit* gelImplicit_LayOut( gelArena* arena, const gelBodyDef* def, const gelImplicitDef* settings )
{
	const gelAsset* asset = def->asset;
	size_t n = (size_t)asset->nodeCount, count = ( n + 1 + 7 ) / 8 * 8, blocks = (size_t)asset->blockCount;
	gelImplicit* implicit = gelArena_Take( arena, 1, sizeof( gelImplicit ) );
	gelImplicit part = { .vectorCount = (int)count };
	part.blocks = gelArena_Take( arena, blocks, sizeof( gelStiffnessBlock ) );
	part.inverses = gelArena_Take( arena, count / 8, sizeof( gelNodeBlock ) );
	part.sums = gelArena_Take( arena, 2 * ( n + 1 ), sizeof( gelVec4 ) );
	part.softBlocks = gelArena_Take( arena, n, sizeof( gelSym3 ) );
	part.masses = gelArena_Take( arena, count, sizeof( float ) );
	part.freeNodes = gelArena_Take( arena, n, sizeof( uint32_t ) );
	part.u = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	part.moved = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	part.rhs = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	part.change = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	int workCount = settings->linearSolver == gel_linearMinres ? 8 : 3;
	for ( int i = 0; i < workCount; ++i )
		part.work[i] = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	if ( settings->hasRigidModes ) part.modes = gelRigidModes_LayOut( arena, (int)count );
	bool isQr = settings->element == gel_elementQr;
	part.qr = gelArena_Take( arena, isQr ? blocks : 0, sizeof( gelQrBlock ) );
	part.leftLanes = gelArena_Take( arena, blocks, sizeof( uint8_t ) );
	part.witnesses = gelArena_Take( arena, GEL_BLOCK_LANES * blocks, sizeof( uint8_t ) );
	bool isExact = !isQr && !settings->isQuasiStatic && settings->differential == gel_differentialExact;
	part.strains = gelArena_Take(
		arena, ( gelIsPlastic( def ) && !isQr ) || isExact ? blocks : 0, sizeof( gelStrainBlock ) );
	part.trialQ = gelArena_Take( arena, isExact ? GEL_BLOCK_LANES * blocks : 0, sizeof( gelQuat ) );
	part.trialMoved = gelArena_Take( arena, isExact ? count : 0, sizeof( gelVec4 ) );
	if ( implicit ) *implicit = part;
	return implicit;
}

// By Newton's method: the bits of cbrt differ between libraries. From above, in thirds at first.
static double GetCubeRoot( double a )
{
	double x = a > 1.0 ? a : 1.0;
	for ( int i = 0; i < 64; ++i )
		x = ( 2.0 * x + a / ( x * x ) ) / 3.0;
	return x;
}

// How stiff the body is against its mass: a wave passes a cell in 1 / sqrt of this.
static float GetStiffness( const gelAsset* asset )
{
	double modulus = 0.0, volume = 0.0;
	for ( int i = 0; i < asset->tetCount; ++i )
	{
		const gelPackTetRest* rest = asset->pack.tetRests + i;
		const gelPackMaterial* material = asset->pack.materials + rest->material;
		modulus += (double)rest->volume * ( material->lambda + 2.0 * material->mu );
		volume += rest->volume;
	}
	double cell = GetCubeRoot( volume / asset->tetCount );
	return (float)( modulus / ( (double)asset->mass * cell * cell ) );
}

void gelImplicit_Init( gelBody* body, const gelImplicitDef* settings )
{
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	implicit->def = *settings;
	implicit->stiffness = GetStiffness( asset );
	for ( int i = 0; i < asset->blockCount; ++i )
		memcpy( implicit->blocks[i].node, asset->elements[i].node, sizeof( implicit->blocks[i].node ) );
	if ( implicit->qr ) gelFillQrBlocks( asset, implicit->qr, implicit->blocks );
	body->rowNodes = implicit->freeNodes;
	body->rowCount = 0;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] > 0.0f ) implicit->freeNodes[body->rowCount++] = (uint32_t)i;
	}
}

void gelImplicit_ForgetWitnesses( gelBody* body )
{
	memset( gelGetImplicit( body )->witnesses, 0, GEL_BLOCK_LANES * (size_t)body->asset->blockCount );
}

uint64_t gelHashImplicitDef( const gelImplicitDef* def )
{
	// field by field: a struct of the caller may have anything between them
	const float numbers[5] = { def->tolerance, def->degenerateBelow, def->degeneratePush, def->massDamping,
		def->stiffnessDamping };
	const int choices[10] = { def->newtonIterations, def->linearIterations, (int)def->linearSolver,
		(int)def->preconditioner, (int)def->differential, (int)def->element, (int)def->rotation,
		def->hasExactForces, def->hasRigidModes, def->isQuasiStatic };
	const uint64_t parts[2] = { gelPack_Hash( numbers, sizeof( numbers ) ),
		gelPack_Hash( choices, sizeof( choices ) ) };
	return gelPack_Hash( parts, sizeof( parts ) );
}
