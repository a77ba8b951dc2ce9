// SPDX-License-Identifier: MIT
#include "solvers/solver.h"

#include <math.h>

void gelBody_EndStep( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( body->solver->movesNodes && ctx->h > 0.0f );
	body->solver->endStep( body, ctx );
	gelBody_Recenter( body );
	gelBody_UpdateSleep( body, ctx->h );
}

// How far to move the origin of a body that is away from it; false: it is near enough. The shift is a
// multiple of a power of two that is at least the body's size.
static bool FindShift( const gelAsset* asset, const double away[3], double shift[3] )
{
	double far = fmax( fabs( away[0] ), fmax( fabs( away[1] ), fabs( away[2] ) ) );
	if ( far <= 2.0 * asset->restSize || !( far <= 2.0 * GEL_MAX_COORDINATE ) ) return false;
	int exponent;
	(void)frexpf( asset->restSize, &exponent );
	double grid = ldexp( 1.0, exponent );
	for ( int k = 0; k < 3; ++k )
		shift[k] = grid * round( away[k] / grid );
	return true;
}

// How far a few nodes all over the body have come from where they are at rest, in the mean: as a float, so
// that the shift is one as well.
static gelVec3 FindDisplacement( const gelBody* body )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	size_t count = (size_t)body->asset->nodeCount;
	for ( size_t k = 0; k < 8; ++k )
	{
		size_t i = k * count / 8;
		sum = gelAdd( sum, gelSub( body->x[i], gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) ) );
	}
	return gelScale( 0.125f, sum );
}

// Every coordinate is a multiple of its own last bit, which is smaller than the shift's, and gets smaller in
// magnitude: the subtraction is exact. Pinned bodies stay where the game holds them.
void gelBody_Recenter( gelBody* body )
{
	const gelAsset* asset = body->asset;
	if ( body->pinCount > 0 ) return;
	gelVec3 displacement = FindDisplacement( body );
	double away[3] = { displacement.x, displacement.y, displacement.z }, shift[3];
	if ( !FindShift( asset, away, shift ) ) return;
	gelVec3 move = { (float)shift[0], (float)shift[1], (float)shift[2] };
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->x[i] = gelSub( body->x[i], move );
	if ( body->solver->shiftOrigin ) body->solver->shiftOrigin( body, move );
	for ( int k = 0; k < 3; ++k )
		body->origin[k] += shift[k];
}

void gelBody_MoveOrigin( gelBody* body, const gelVec3* positions )
{
	GEL_ASSERT( positions != NULL );
	const gelAsset* asset = body->asset;
	gelVec3 low = positions[0], high = positions[0];
	for ( int i = 1; i < asset->nodeCount; ++i )
	{
		low = gelMinVec3( low, positions[i] );
		high = gelMaxVec3( high, positions[i] );
	}
	double away[3] = { 0.5 * ( (double)low.x + high.x ) - asset->restCenter.x - body->origin[0],
		0.5 * ( (double)low.y + high.y ) - asset->restCenter.y - body->origin[1],
		0.5 * ( (double)low.z + high.z ) - asset->restCenter.z - body->origin[2] };
	double shift[3];
	if ( !FindShift( asset, away, shift ) ) return;
	for ( int k = 0; k < 3; ++k )
		body->origin[k] += shift[k];
}
