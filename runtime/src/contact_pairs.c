// SPDX-License-Identifier: MIT
#include "contact_pairs.h"

#include <string.h>

// Contacts that approach slower than this [m/s] do not bounce.
#define GEL_BOUNCE_SPEED 0.5f

// Of the impulses of the last step.
#define GEL_WARM_START 0.9f

// Corners with less weight than this do not count as touched.
#define GEL_TOUCHED 1.0e-3f

// ---- points --------------------------------------------------------------------------------------------

static float GetInvMass( const gelContactSide* side, const gelContactBody* bodies )
{
	if ( side->body < 0 ) return 0.0f;
	float sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
		sum += side->w[k] * side->w[k] * bodies[side->body].invMasses[side->node[k]];
	return sum;
}

static gelVec3 GetSideMove( const gelContactSide* side, const gelContactBody* bodies )
{
	if ( side->body < 0 ) return side->move;
	const gelContactBody* body = bodies + side->body;
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		move = gelMulAdd( move, side->w[k], gelSub( body->x[side->node[k]], body->xOld[side->node[k]] ) );
	return move;
}

gelVec3 gelContactPair_GetMove( const gelContactPair* pair, const gelContactBody* bodies )
{
	return gelSub( GetSideMove( &pair->a, bodies ), GetSideMove( &pair->b, bodies ) );
}

// target[i] += sign * w_i / m_i * impulse
static void Spread(
	const gelContactSide* side, const gelContactBody* bodies, float sign, gelVec3 impulse, bool toSums )
{
	if ( side->body < 0 ) return;
	const gelContactBody* body = bodies + side->body;
	gelVec3* target = toSums ? body->sums : body->x;
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = side->node[k];
		target[node] = gelMulAdd( target[node], sign * side->w[k] * body->invMasses[node], impulse );
	}
}

static void SpreadPair(
	const gelContactPair* pair, const gelContactBody* bodies, gelVec3 impulse, bool toSums )
{
	Spread( &pair->a, bodies, 1.0f, impulse, toSums );
	Spread( &pair->b, bodies, -1.0f, impulse, toSums );
}

// ---- preparing -----------------------------------------------------------------------------------------

// A point far outside of its tet would be a lever.
static void ClampWeights( gelContactSide* side )
{
	for ( int k = 0; k < 4; ++k )
		side->w[k] = fminf( fmaxf( side->w[k], -0.1f ), 1.1f ); // NaN becomes -0.1
}

static gelVec3 GetVelocity( const gelContactSide* side, const gelContactBody* bodies, float h )
{
	if ( side->body < 0 ) return gelScale( 1.0f / h, side->move );
	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		v = gelMulAdd( v, side->w[k], bodies[side->body].v[side->node[k]] );
	return v;
}

static bool Complete( gelContactPair* pair, const gelContactBody* bodies, float h )
{
	float length = gelLength( pair->normal );
	if ( !( length > 1.0e-6f && length < 1.0e6f ) || !( fabsf( pair->gap ) <= GEL_MAX_COORDINATE ) )
		return false;
	pair->normal = gelScale( 1.0f / length, pair->normal );
	ClampWeights( &pair->a );
	ClampWeights( &pair->b );
	pair->invMassA = GetInvMass( &pair->a, bodies );
	pair->invMassB = GetInvMass( &pair->b, bodies );
	if ( !( pair->invMassA + pair->invMassB > 1.0e-12f ) ) return false;
	pair->force = ( gelContactForce ){ .mu = pair->mu };
	pair->floor = -fmaxf( pair->gap, 0.0f );
	gelVec3 v = gelSub( GetVelocity( &pair->a, bodies, h ), GetVelocity( &pair->b, bodies, h ) );
	float approach = -gelDot( pair->normal, v );
	bool reaches = h * approach > pair->gap; // within this step
	if ( approach > GEL_BOUNCE_SPEED && reaches ) pair->floor += pair->restitution * approach * h;
	return true;
}

static int CompareInts( int a, int b )
{
	return a < b ? -1 : a > b;
}

static int Compare( const gelContactPair* p, const gelContactPair* q )
{
	int order = CompareInts( p->a.body, q->a.body );
	if ( order == 0 ) order = CompareInts( p->b.body, q->b.body );
	if ( order == 0 ) order = CompareInts( p->a.tet, q->a.tet );
	if ( order == 0 ) order = CompareInts( p->b.tet, q->b.tet );
	if ( order == 0 && p->feature != q->feature ) order = p->feature < q->feature ? -1 : 1;
	return order;
}

// Heap sort: no memory, no worst case. Features are unique within a pair of tets, so equals do not exist.
static void SiftDown( gelContactPair* heap, int root, int count )
{
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && Compare( heap + child, heap + child + 1 ) < 0 ) ++child;
		if ( Compare( heap + root, heap + child ) >= 0 ) return;
		gelContactPair pair = heap[root];
		heap[root] = heap[child];
		heap[child] = pair;
		root = child;
	}
}

int gelContactPairs_Prepare( gelContactPair* pairs, int count, const gelContactBody* bodies, float h )
{
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		gelContactPair pair = pairs[i];
		if ( Complete( &pair, bodies, h ) ) pairs[kept++] = pair;
	}
	for ( int i = kept / 2; i-- > 0; )
		SiftDown( pairs, i, kept );
	for ( int last = kept - 1; last > 0; --last )
	{
		gelContactPair pair = pairs[0];
		pairs[0] = pairs[last];
		pairs[last] = pair;
		SiftDown( pairs, 0, last );
	}
	return kept;
}

// ---- memory --------------------------------------------------------------------------------------------

static void SiftMemory( gelContactMemory* heap, int root, int count )
{
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && heap[child].feature < heap[child + 1].feature ) ++child;
		if ( heap[root].feature >= heap[child].feature ) return;
		gelContactMemory memory = heap[root];
		heap[root] = heap[child];
		heap[child] = memory;
		root = child;
	}
}

void gelContactPairs_Remember( const gelContactPair* pairs, int count, gelContactMemory* out )
{
	for ( int i = 0; i < count; ++i )
		out[i] = ( gelContactMemory ){ pairs[i].feature, pairs[i].force.lambda, pairs[i].force.friction };
	for ( int i = count / 2; i-- > 0; )
		SiftMemory( out, i, count );
	for ( int last = count - 1; last > 0; --last )
	{
		gelContactMemory memory = out[0];
		out[0] = out[last];
		out[last] = memory;
		SiftMemory( out, 0, last );
	}
}

void gelContactPairs_WarmStart( gelContactPair* pairs, int count, const gelContactBody* bodies,
	const gelContactMemory* memory, int memoryCount )
{
	for ( int i = 0; i < count; ++i )
	{
		int low = 0, high = memoryCount;
		while ( low < high )
		{
			int middle = low + ( high - low ) / 2;
			if ( memory[middle].feature < pairs[i].feature )
				low = middle + 1;
			else
				high = middle;
		}
		if ( low == memoryCount || memory[low].feature != pairs[i].feature ) continue;
		gelContactForce* force = &pairs[i].force;
		force->lambda = GEL_WARM_START * memory[low].lambda;
		force->friction = gelScale( GEL_WARM_START, gelTangential( memory[low].friction, pairs[i].normal ) );
		SpreadPair( pairs + i, bodies, gelMulAdd( force->friction, force->lambda, pairs[i].normal ), false );
	}
}

// ---- sweeps --------------------------------------------------------------------------------------------

// What one contact gives: normal, then friction on what is left of the motion.
static gelVec3 Solve( gelContactPair* pair, gelVec3 move, float invMass )
{
	float height = gelDot( pair->normal, move ) - pair->floor;
	float push = gelContactForce_Push( &pair->force, height, invMass, 1.0f );
	gelVec3 after = gelMulAdd( move, push * invMass, pair->normal );
	gelVec3 rub = gelContactForce_Rub( &pair->force, gelTangential( after, pair->normal ), invMass, 1.0f );
	gelContactForce_Accept( &pair->force, 1.0f );
	return gelMulAdd( rub, push, pair->normal );
}

void gelContactPairs_Sweep( gelContactPair* pairs, int count, const gelContactBody* bodies )
{
	for ( int i = 0; i < count; ++i )
	{
		gelVec3 move = gelContactPair_GetMove( pairs + i, bodies );
		float invMass = pairs[i].invMassA + pairs[i].invMassB;
		SpreadPair( pairs + i, bodies, Solve( pairs + i, move, invMass ), false );
	}
}

static void ClearScratch( const gelContactBody* bodies, const int* nodeCounts, int bodyCount )
{
	for ( int i = 0; i < bodyCount; ++i )
	{
		memset( bodies[i].sums, 0, (size_t)nodeCounts[i] * sizeof( gelVec3 ) );
		memset( bodies[i].counts, 0, (size_t)nodeCounts[i] * sizeof( float ) );
	}
}

static void CountTouched( const gelContactSide* side, const gelContactBody* bodies, float least )
{
	for ( int k = 0; k < 4 && side->body >= 0; ++k )
		bodies[side->body].counts[side->node[k]] += fabsf( side->w[k] ) > least ? 1.0f : 0.0f;
}

// 1/m of a point when the masses of its nodes are split.
static float GetSplitInvMass( const gelContactSide* side, const gelContactBody* bodies )
{
	float sum = 0.0f;
	for ( int k = 0; k < 4 && side->body >= 0; ++k )
	{
		const gelContactBody* body = bodies + side->body;
		uint32_t node = side->node[k];
		sum += side->w[k] * side->w[k] * body->invMasses[node] * fmaxf( 1.0f, body->counts[node] );
	}
	return sum;
}

// Contacts that give nothing and want nothing take no part of the mass.
static bool Acts( const gelContactPair* pair, const gelContactBody* bodies )
{
	if ( pair->force.lambda > 0.0f ) return true;
	return gelDot( pair->normal, gelContactPair_GetMove( pair, bodies ) ) < pair->floor;
}

void gelContactPairs_SweepShared(
	gelContactPair* pairs, int count, const gelContactBody* bodies, const int* nodeCounts, int bodyCount )
{
	ClearScratch( bodies, nodeCounts, bodyCount );
	for ( int i = 0; i < count; ++i )
	{
		if ( !Acts( pairs + i, bodies ) ) continue;
		CountTouched( &pairs[i].a, bodies, 0.0f );
		CountTouched( &pairs[i].b, bodies, 0.0f );
	}
	for ( int i = 0; i < count; ++i )
	{
		if ( !Acts( pairs + i, bodies ) ) continue;
		float invMass = GetSplitInvMass( &pairs[i].a, bodies ) + GetSplitInvMass( &pairs[i].b, bodies );
		gelVec3 move = gelContactPair_GetMove( pairs + i, bodies );
		// displacements of a node's parts, n_i w_i / m_i s each, averaged over its n_i parts
		SpreadPair( pairs + i, bodies, Solve( pairs + i, move, invMass ), true );
	}
	for ( int i = 0; i < bodyCount; ++i )
	{
		for ( int k = 0; k < nodeCounts[i]; ++k )
			bodies[i].x[k] = gelAdd( bodies[i].x[k], bodies[i].sums[k] );
	}
}

// ---- stabilisation -------------------------------------------------------------------------------------

void gelContactPairs_Stabilise( const gelContactPair* pairs, int count, const gelContactBody* bodies,
	const int* nodeCounts, int bodyCount, float rate, float slop )
{
	ClearScratch( bodies, nodeCounts, bodyCount );
	for ( int i = 0; i < count; ++i )
	{
		const gelContactPair* pair = pairs + i;
		float gap = pair->gap + gelDot( pair->normal, gelContactPair_GetMove( pair, bodies ) );
		if ( !( gap < -slop ) ) continue;
		// m_p dp, shared by the inverse masses of both sides
		float impulse = -rate * ( gap + slop ) / ( pair->invMassA + pair->invMassB );
		SpreadPair( pair, bodies, gelScale( impulse, pair->normal ), true );
		CountTouched( &pair->a, bodies, GEL_TOUCHED );
		CountTouched( &pair->b, bodies, GEL_TOUCHED );
	}
	for ( int i = 0; i < bodyCount; ++i )
	{
		for ( int k = 0; k < nodeCounts[i]; ++k )
		{
			float inv = 1.0f / fmaxf( 1.0f, bodies[i].counts[k] );
			bodies[i].x[k] = gelMulAdd( bodies[i].x[k], inv, bodies[i].sums[k] );
		}
	}
}
