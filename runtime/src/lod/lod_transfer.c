// SPDX-License-Identifier: MIT
#include "lod/lod_transfer.h"

#include "asset/blocks.h"
#include "math/polar.h"

#include <math.h>
#include <string.h>

gelMat3d gelMakeMat3dFromQuat( gelQuat q )
{
	double x = q.v.x, y = q.v.y, z = q.v.z, s = q.s;
	double t = 2.0 / ( x * x + y * y + z * z + s * s );
	return ( gelMat3d ){
		{ 1.0 - t * ( y * y + z * z ), t * ( x * y + z * s ), t * ( x * z - y * s ) },
		{ t * ( x * y - z * s ), 1.0 - t * ( x * x + z * z ), t * ( y * z + x * s ) },
		{ t * ( x * z + y * s ), t * ( y * z - x * s ), 1.0 - t * ( x * x + y * y ) },
	};
}

static gelVec3d GetRest( const gelBody* body, int i )
{
	return gelToDouble( gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) );
}

static double GetMass( const gelBody* body, int i )
{
	return body->asset->pack.masses[i].mass;
}

static gelVec3d GetRestCenter( const gelBody* body )
{
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	double total = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		sum = gelMulAddD( sum, GetMass( body, i ), GetRest( body, i ) );
		total += GetMass( body, i );
	}
	return gelScaleD( 1.0 / total, sum );
}

// w = I^-1 L of velocities about a center; zero where there is no inertia.
static gelVec3d GetSpin( const gelBody* body, const gelVec3d* v, const gelVec3d* r )
{
	gelMat3d inertia = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	gelVec3d spin = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = GetMass( body, i ), r2 = m * gelDotD( r[i], r[i] );
		spin = gelMulAddD( spin, m, gelCrossD( r[i], v[i] ) );
		inertia = gelAddOuterD( inertia, gelScaleD( -m, r[i] ), r[i] );
		inertia.cx.x += r2;
		inertia.cy.y += r2;
		inertia.cz.z += r2;
	}
	// the inverse of a symmetric matrix is its cofactors over the determinant
	double det = gelDeterminantD( inertia ), size = gelTraceD( inertia );
	if ( !( det > 1.0e-18 * size * size * size ) ) return ( gelVec3d ){ 0.0, 0.0, 0.0 };
	return gelScaleD( 1.0 / det, gelMulMVD( gelCofactorD( inertia ), spin ) );
}

// ---- a body as a whole, and the rest ---------------------------------------------------------------------

// Per node of one level: how it is displaced and moves beyond the whole, and forces [N].
typedef struct Field
{
	gelVec3d *u, *d, *f;
	gelSym3* plastic; // per tet
} Field;

static gelQuat GetFirstTurn( const gelBody* body )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		if ( body->asset->slotTets[slot] != GEL_PACK_NO_TET ) return body->q[slot];
	}
	return gelIdentityQuat();
}

// Splits positions and velocities. out->u serves as the arms of the spin before it gets its values.
static gelWholeMotion Split( const gelBody* body, Field* out )
{
	int count = body->asset->nodeCount;
	gelWholeMotion whole = { .restCenter = GetRestCenter( body ) };
	double total = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		whole.center = gelMulAddD( whole.center, GetMass( body, i ), gelToDouble( body->x[i] ) );
		whole.velocity = gelMulAddD( whole.velocity, GetMass( body, i ), gelToDouble( body->v[i] ) );
		total += GetMass( body, i );
	}
	whole.center = gelScaleD( 1.0 / total, whole.center );
	whole.velocity = gelScaleD( 1.0 / total, whole.velocity );
	gelMat3d A = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	for ( int i = 0; i < count; ++i )
	{
		out->u[i] = gelSubD( gelToDouble( body->x[i] ), whole.center );
		out->d[i] = gelSubD( gelToDouble( body->v[i] ), whole.velocity );
		gelVec3d rest = gelSubD( GetRest( body, i ), whole.restCenter );
		A = gelAddOuterD( A, gelScaleD( GetMass( body, i ), out->u[i] ), rest );
	}
	whole.turn = gelFindTurn( A, GetFirstTurn( body ) );
	whole.R = gelMakeMat3dFromQuat( whole.turn );
	whole.spin = GetSpin( body, out->d, out->u );
	for ( int i = 0; i < count; ++i )
	{
		gelVec3d rest = gelMulMVD( whole.R, gelSubD( GetRest( body, i ), whole.restCenter ) );
		out->d[i] = gelSubD( out->d[i], gelCrossD( whole.spin, out->u[i] ) );
		out->u[i] = gelSubD( out->u[i], rest );
		out->f[i] = gelToDouble( body->forces[i] );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount && body->plastic; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_PACK_NO_TET ) continue;
		out->plastic[t] = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES );
	}
	return whole;
}

// Twice the kinetic energy per mass of the motion inside [m^2/s^2].
static double GetInnerMotion( const gelBody* body, const gelVec3d* d )
{
	double sum = 0.0, total = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		sum += GetMass( body, i ) * gelDotD( d[i], d[i] );
		total += GetMass( body, i );
	}
	return sum / total;
}

static void SubtractMean( const gelBody* body, gelVec3d* values )
{
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	double total = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		sum = gelMulAddD( sum, GetMass( body, i ), values[i] );
		total += GetMass( body, i );
	}
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		values[i] = gelMulAddD( values[i], -1.0 / total, sum );
}

// What went through the maps may have got momentum and energy of its own; it must not.
static void Join(
	gelBody* body, const gelWholeMotion* whole, double innerMotion, Field* field, gelVec3d* arms )
{
	int count = body->asset->nodeCount;
	bool isFree = body->pinCount == 0;
	gelVec3d restCenter = GetRestCenter( body );
	gelVec3d center =
		gelAddD( whole->center, gelMulMVD( whole->R, gelSubD( restCenter, whole->restCenter ) ) );
	if ( isFree ) SubtractMean( body, field->u );
	if ( isFree ) SubtractMean( body, field->d );
	for ( int i = 0; i < count; ++i )
		arms[i] = gelAddD( gelMulMVD( whole->R, gelSubD( GetRest( body, i ), restCenter ) ), field->u[i] );
	gelVec3d spin = GetSpin( body, field->d, arms );
	for ( int i = 0; i < count && isFree; ++i )
		field->d[i] = gelSubD( field->d[i], gelCrossD( spin, arms[i] ) );
	double now = GetInnerMotion( body, field->d );
	double scale = now > innerMotion ? sqrt( innerMotion / now ) : 1.0;
	for ( int i = 0; i < count; ++i )
	{
		gelVec3d x = gelAddD( center, arms[i] );
		gelVec3d v = gelAddD( whole->velocity, gelCrossD( whole->spin, gelSubD( x, whole->center ) ) );
		body->x[i] = gelToFloat( x );
		body->v[i] = gelToFloat( gelMulAddD( v, scale, field->d[i] ) );
		body->forces[i] = gelToFloat( field->f[i] );
	}
}

static void FindRotations( gelBody* body, gelQuat turn )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		body->q[slot] = turn;
		if ( t == GEL_PACK_NO_TET ) continue;
		gelMat3 F = gelDeformationGradient( &body->asset->pack, t, body->x );
		body->q[slot] = gelPolarSolve_Ref( F, turn, GEL_COLD_ITERATIONS );
	}
}

// ---- maps ------------------------------------------------------------------------------------------------

// From one level to its neighbor.
typedef struct Step
{
	const gelAsset *from, *to;
	const uint32_t* places; // per node of `to`: tet of `from`
	const float* weights;
	const uint32_t* backPlaces; // per node of `from`: tet of `to`
	const float* backWeights;
} Step;

static Step GetStep( const gelAsset* root, int from, int to )
{
	GEL_ASSERT( from >= 0 && to >= 0 && ( from - to == 1 || to - from == 1 ) );
	const gelPackMapView* map = root->maps + ( from > to ? from : to );
	Step step = { root->levels[from], root->levels[to], map->coarseTets, map->coarseWeights, map->fineTets,
		map->fineWeights };
	if ( from < to ) return step;
	return (
		Step ){ step.from, step.to, map->fineTets, map->fineWeights, map->coarseTets, map->coarseWeights };
}

static gelVec3d Interpolate( const uint32_t node[4], const float w[4], const gelVec3d* values )
{
	gelVec3d sum = gelScaleD( w[0], values[node[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAddD( sum, w[k], values[node[k]] );
	return sum;
}

// Strains of a tet: the mean over those that its corners are in.
static gelSym3 GetMeanStrain( const Step* step, uint32_t tet, const gelSym3* plastic )
{
	gelSym3 mean = { 0 };
	for ( int k = 0; k < 4; ++k )
	{
		const gelSym3* e = plastic + step->places[step->to->pack.tets[tet].node[k]];
		mean.xx += 0.25f * e->xx;
		mean.yy += 0.25f * e->yy;
		mean.zz += 0.25f * e->zz;
		mean.xy += 0.25f * e->xy;
		mean.xz += 0.25f * e->xz;
		mean.yz += 0.25f * e->yz;
	}
	return mean;
}

// The rotation of a tet: x = R X + u + const over it, so F = R + sum of u_k g_k^T.
static gelMat3d GetTetTurn(
	const gelAsset* asset, uint32_t tet, const gelWholeMotion* whole, const gelVec3d* u )
{
	GEL_ASSERT( tet < (uint32_t)asset->tetCount );
	const uint32_t* node = asset->pack.tets[tet].node;
	gelMat3d F = whole->R;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3d g = gelToDouble( gelGetGradient( asset->pack.tetRests + tet, k ) );
		F = gelAddOuterD( F, gelSubD( u[node[k + 1]], u[node[0]] ), g );
	}
	return gelMakeMat3dFromQuat( gelFindTurn( F, whole->turn ) );
}

// A node outside of the cage is carried by the tet next to it as by a rigid arm. Extrapolation would let
// errors of that tet grow from change to change.
static gelVec3d GetArmTurn(
	const Step* step, int i, const gelVec3d* u, const gelWholeMotion* whole, double smallest )
{
	const gelAsset* from = step->from;
	uint32_t tet = step->places[i];
	gelVec3d arm = gelToDouble( gelGetRestNode( step->to->pack.nodes, (uint32_t)i ) );
	for ( int k = 0; k < 4; ++k )
		arm = gelMulAddD( arm, -(double)step->weights[4 * (size_t)i + k],
			gelToDouble( gelGetRestNode( from->pack.nodes, from->pack.tets[tet].node[k] ) ) );
	if ( gelDotD( arm, arm ) <= smallest * smallest ) return ( gelVec3d ){ 0.0, 0.0, 0.0 };
	gelMat3d R = GetTetTurn( from, tet, whole, u );
	return gelSubD( gelMulMVD( R, arm ), gelMulMVD( whole->R, arm ) );
}

// Forces go the other way, by the weights of the nodes that they act on, so that their sum stays.
static void Carry(
	const Step* step, const Field* from, Field* to, const gelWholeMotion* whole, bool isPlastic )
{
	const gelPackTet *fromTets = step->from->pack.tets, *toTets = step->to->pack.tets;
	double smallest = 1.0e-5 * (double)step->from->restSize;
	for ( int i = 0; i < step->to->nodeCount; ++i )
	{
		const uint32_t* node = fromTets[step->places[i]].node;
		to->u[i] = gelAddD( Interpolate( node, step->weights + 4 * (size_t)i, from->u ),
			GetArmTurn( step, i, from->u, whole, smallest ) );
		to->d[i] = Interpolate( node, step->weights + 4 * (size_t)i, from->d );
		to->f[i] = ( gelVec3d ){ 0.0, 0.0, 0.0 };
	}
	for ( int i = 0; i < step->from->nodeCount; ++i )
	{
		const uint32_t* node = toTets[step->backPlaces[i]].node;
		for ( int k = 0; k < 4; ++k )
			to->f[node[k]] = gelMulAddD( to->f[node[k]], step->backWeights[4 * (size_t)i + k], from->f[i] );
	}
	for ( int t = 0; t < step->to->tetCount && isPlastic; ++t )
		to->plastic[t] = GetMeanStrain( step, (uint32_t)t, from->plastic );
}

static void SetPlastic( gelBody* body, const gelSym3* plastic )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount && body->plastic; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_PACK_NO_TET ) continue;
		gelSetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES, plastic[t] );
	}
}

// ---- all of it -------------------------------------------------------------------------------------------

// | u | d | f | plastic | twice, by turns from and to | arms |
static void LayOut( gelArena* arena, size_t nodeCount, size_t tetCount, Field fields[2], gelVec3d** outArms )
{
	for ( int i = 0; i < 2; ++i )
	{
		fields[i].u = gelArena_Take( arena, nodeCount, sizeof( gelVec3d ) );
		fields[i].d = gelArena_Take( arena, nodeCount, sizeof( gelVec3d ) );
		fields[i].f = gelArena_Take( arena, nodeCount, sizeof( gelVec3d ) );
		fields[i].plastic = gelArena_Take( arena, tetCount, sizeof( gelSym3 ) );
	}
	*outArms = gelArena_Take( arena, nodeCount, sizeof( gelVec3d ) );
}

bool gelTransferState( const gelAllocator* allocator, const gelBody* from, gelBody* to )
{
	GEL_ASSERT( from->asset->root == to->asset->root && from->asset != to->asset );
	const gelAsset* root = from->asset->root;
	size_t nodeCount = 0, tetCount = 0;
	for ( int i = 0; i < root->levelCount; ++i )
	{
		size_t nodes = (size_t)root->levels[i]->nodeCount, tets = (size_t)root->levels[i]->tetCount;
		nodeCount = nodes > nodeCount ? nodes : nodeCount;
		tetCount = tets > tetCount ? tets : tetCount;
	}
	Field fields[2];
	gelVec3d* arms;
	gelArena arena = { 0 };
	LayOut( &arena, nodeCount, tetCount, fields, &arms );
	size_t bytes = arena.bytes;
	void* memory = arena.overflow ? NULL : gelAllocate( allocator, bytes );
	if ( memory == NULL ) return false;
	arena = ( gelArena ){ .base = memory };
	LayOut( &arena, nodeCount, tetCount, fields, &arms );

	gelWholeMotion whole = Split( from, fields );
	double innerMotion = GetInnerMotion( from, fields[0].d );
	int current = 0, last = to->asset->level;
	for ( int level = from->asset->level; level != last; current ^= 1 )
	{
		int next = level < last ? level + 1 : level - 1;
		Step step = GetStep( root, level, next );
		Carry( &step, fields + current, fields + ( current ^ 1 ), &whole, from->plastic != NULL );
		level = next;
	}
	memcpy( to->origin, from->origin, sizeof( to->origin ) );
	Join( to, &whole, innerMotion, fields + current, arms );
	SetPlastic( to, fields[current].plastic );
	FindRotations( to, whole.turn );
	to->hasForces = from->hasForces;
	gelFree( allocator, memory, bytes );
	return true;
}
