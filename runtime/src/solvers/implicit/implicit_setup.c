// SPDX-License-Identifier: MIT
// Settings and memory of the implicit solver.
#include "solvers/implicit/implicit.h"

#include "solvers/plastic/plastic_elements.h"

#include <string.h>

gelImplicitDef gelDefaultImplicitDef( void )
{
	return ( gelImplicitDef ){
		.newtonIterations = 1,
		.linearIterations = 20,
		.tolerance = 1.0e-3f,
		.enableRigidModes = true,
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
	if ( (unsigned)def->preconditioner > gel_preconditionFactor ) return false;
	return IsWithin( def->tolerance, 0.0f, 1.0f ) && IsWithin( def->massDamping, 0.0f, 1.0e6f ) &&
		IsWithin( def->stiffnessDamping, 0.0f, 1.0e6f ) && gelImplicitVariant_IsValid( def->variant );
}

gelImplicitVariant gelGetVariant( const gelImplicitVariant* variant )
{
	gelRotationParams normal = gelDefaultRotationParams();
	return variant ? *variant
				   : ( gelImplicitVariant ){ .degenerateBelow = normal.alpha, .degeneratePush = normal.beta };
}

bool gelImplicitVariant_IsValid( const gelImplicitVariant* variant )
{
	return variant == NULL || ( variant->code != NULL && variant->code->isValid( variant ) );
}

// | gelImplicit | blocks | inverses | sums | softBlocks | masses | freeNodes | u | moved | rhs | change |
// work | modes | leftLanes | witnesses | strains | what a variant needs |
gelImplicit* gelImplicit_LayOut( gelArena* arena, const gelBodyDef* def, const gelImplicitDef* settings,
	const gelImplicitVariant* variant )
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
	for ( int i = 0; i < 3; ++i )
		part.work[i] = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	if ( settings->enableRigidModes ) part.modes = gelRigidModes_LayOut( arena, (int)count );
	part.leftLanes = gelArena_Take( arena, blocks, sizeof( uint8_t ) );
	part.witnesses = gelArena_Take( arena, GEL_BLOCK_LANES * blocks, sizeof( uint8_t ) );
	part.strains = gelArena_Take( arena, gelIsPlastic( def ) ? blocks : 0, sizeof( gelStrainBlock ) );
	if ( variant->code ) variant->code->layOut( arena, def, settings, variant, &part );
	if ( implicit ) *implicit = part;
	return implicit;
}

// By Newton's method: the bits of cbrt differ between libraries. From above, in thirds at first.
static double GetCubeRoot( double a )
{
	GEL_ASSERT( a >= 0.0 );
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

void gelImplicit_Init( gelBody* body, const gelImplicitDef* settings, const gelImplicitVariant* variant )
{
	GEL_ASSERT( gelImplicitDef_IsValid( settings ) );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	implicit->def = *settings;
	implicit->def.variant = NULL;
	implicit->variant = *variant;
	gelImplicit_ResetMethods( implicit );
	implicit->stiffness = GetStiffness( asset );
	for ( int i = 0; i < asset->blockCount; ++i )
		memcpy( implicit->blocks[i].node, asset->elements[i].node, sizeof( implicit->blocks[i].node ) );
	body->rowNodes = implicit->freeNodes;
	body->rowCount = 0;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] > 0.0f ) implicit->freeNodes[body->rowCount++] = (uint32_t)i;
	}
	if ( variant->code ) variant->code->init( body );
}

void gelImplicit_ForgetWitnesses( gelBody* body )
{
	memset( gelGetImplicit( body )->witnesses, 0, GEL_BLOCK_LANES * (size_t)body->asset->blockCount );
}

uint64_t gelImplicit_HashSettings( const gelImplicit* implicit )
{
	// field by field: a struct of the caller may have anything between them
	const gelImplicitDef* def = &implicit->def;
	const gelImplicitVariant* variant = &implicit->variant;
	const float numbers[5] = { def->tolerance, variant->degenerateBelow, variant->degeneratePush,
		def->massDamping, def->stiffnessDamping };
	const int choices[10] = { def->newtonIterations, def->linearIterations, (int)variant->linearSolver,
		(int)def->preconditioner, (int)variant->differential, (int)variant->element, (int)variant->rotation,
		variant->hasExactForces, def->enableRigidModes, def->isQuasiStatic };
	const uint64_t parts[2] = { gelPack_Hash( numbers, sizeof( numbers ) ),
		gelPack_Hash( choices, sizeof( choices ) ) };
	return gelPack_Hash( parts, sizeof( parts ) );
}
