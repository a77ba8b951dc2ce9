// SPDX-License-Identifier: MIT
#include "contact/response/lone_contacts.h"

#include <string.h>

// Sweeps at most, and sweeps before every solve.
#define GEL_LONE_SWEEPS  60
#define GEL_SWEEPS_FIRST 3

// Solves in a row that do not halve what is wrong: sweeps alone go on.
#define GEL_IDLE_SOLVES 2

// Solves one after another in which contacts cease to push or begin to slide.
#define GEL_BLOCKS 6

// Forces below this part of their last change are none.
#define GEL_NO_FORCE 1.0e-5f

// Part of the diagonal that is added to the matrix. Where two contacts say nearly the same, their bodies may
// give way to the difference far more than the matrix says: loads that are found without this swing and grow
// (a ball pressed to half of its height jumped by 0.1 to 0.5 m/s every few seconds). What it leaves undone is
// a part of the change against the load that the step began with, so at rest it is nothing.
#define GEL_STEADY_PART 0.01f

// Sweeps without it afterwards: they leave a blow no time to press a body in.
#define GEL_LAST_SWEEPS 4

static int GetStride( int count )
{
	return ( count + 7 ) & ~7;
}

size_t gelCountLoneFloats( int pointCount )
{
	size_t count = (size_t)gelMinInt( pointCount, GEL_MAX_LONE_CONTACTS ),
		   stride = (size_t)GetStride( (int)count );
	return ( 9 * count + 42 ) * stride + GEL_MAX_LONE_UNKNOWNS * ( GEL_MAX_LONE_UNKNOWNS + 1 );
}

bool gelIsLone( const gelIslandWork* work )
{
	if ( work->bodyCount > 1 || work->itemCount > GEL_MAX_LONE_CONTACTS ) return false;
	if ( !work->bodies[0]->contact->answers.isExact || work->desk->lone == NULL ) return false;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		if ( work->items[i].b.body != NULL ) return false;
	}
	return true;
}

// ---- the contacts ----------------------------------------------------------------------------------------

gelLoneContacts gelLayOutLone( float* floats, int count )
{
	gelLoneContacts c = { .count = count, .stride = GetStride( count ) };
	size_t stride = (size_t)c.stride;
	c.axes = floats;
	c.turns = c.axes + 9 * stride;
	c.arms = c.turns + 9 * stride;
	c.moves = c.arms + 9 * stride;
	c.forces = c.moves + 3 * stride;
	c.kept = c.forces + 3 * stride;
	c.mu = c.kept + 6 * stride;
	c.invs = c.mu + stride;
	c.matrix = c.invs + 2 * stride;
	c.factor = c.matrix + 9 * (size_t)count * stride;
	c.unknowns = c.factor + (size_t)GEL_MAX_LONE_UNKNOWNS * GEL_MAX_LONE_UNKNOWNS;
	memset( floats, 0, (size_t)( c.matrix - floats ) * sizeof( float ) );
	return c;
}

// Axes of a contact.
static void GetAxes( const gelContactItem* item, gelVec3 out[3] )
{
	out[0] = item->normal;
	out[1] = gelGetTangent( item->normal );
	out[2] = gelCross( out[0], out[1] );
}

static void PutVector( float* to, size_t stride, gelVec3 a )
{
	to[0] = a.x;
	to[stride] = a.y;
	to[2 * stride] = a.z;
}

static void PutContact( const gelLoneContacts* c, int index, const gelContactItem* item )
{
	size_t i = (size_t)index, stride = (size_t)c->stride;
	gelVec3 axes[3];
	GetAxes( item, axes );
	for ( size_t k = 0; k < 3; ++k )
	{
		PutVector( c->axes + 3 * k * stride + i, stride, axes[k] );
		PutVector( c->turns + 3 * k * stride + i, stride, gelCross( axes[k], item->a.rho ) );
		PutVector( c->arms + 3 * k * stride + i, stride, gelCross( axes[k], item->a.arm ) );
		c->moves[k * stride + i] = gelDot( axes[k], item->move );
		c->forces[k * stride + i] = gelDot( axes[k], item->force.friction );
	}
	c->moves[i] -= item->floor;
	c->forces[i] = item->force.lambda;
	c->mu[i] = item->force.mu;
}

static void FillMatrix( const gelLoneContacts* c, const gelIslandWork* work, const gelLoneKernels* kernels )
{
	const gelPointAnswers* answers = &work->bodies[0]->contact->answers;
	size_t length = 3 * (size_t)c->stride;
	for ( int i = 0; i < c->count; ++i )
	{
		const gelContactItem* item = work->items + i;
		const float* row = answers->matrix + (size_t)item->a.index * (size_t)answers->stride;
		float* columns = c->matrix + 3 * length * (size_t)i;
		gelVec3 axes[3], none = { 0.0f, 0.0f, 0.0f };
		GetAxes( item, axes );
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 turn = answers->canTurn ? gelMulMV( item->a.turns, axes[k] ) : none;
			gelVec3 free = answers->canTurn ? gelMulMV( item->a.frees, axes[k] ) : none;
			float* column = columns + length * (size_t)k;
			kernels->fillColumn( c, row, axes[k], turn, free, column );
			column[k * c->stride + i] *= 1.0f + GEL_STEADY_PART;
		}
		const float* own = columns + i;
		float tt = own[length + (size_t)c->stride], ss = own[2 * length + 2 * (size_t)c->stride];
		float ts = own[length + 2 * (size_t)c->stride], half = 0.5f * ( tt - ss );
		float side = 0.5f * ( tt + ss ) + sqrtf( half * half + ts * ts );
		if ( !item->isActive ) continue;
		c->invs[i] = 1.0f / own[0];
		c->invs[c->stride + i] = 1.0f / side;
	}
}

// ---- solves ----------------------------------------------------------------------------------------------

// Lists the equations of all contacts that push: places in the arrays by axis, then contact.
// @return how many; 0: there are none, or too many
static int ListEquations( const gelLoneContacts* c, int rows[GEL_MAX_LONE_UNKNOWNS] )
{
	int count = 0;
	for ( int i = 0; i < c->count; ++i )
	{
		if ( c->invs[i] == 0.0f || !( c->forces[i] > 0.0f ) ) continue;
		float t = c->forces[c->stride + i], s = c->forces[2 * c->stride + i], bound = c->mu[i] * c->forces[i];
		int axes = t * t + s * s < 0.999f * bound * bound ? 3 : 1;
		if ( count + axes > GEL_MAX_LONE_UNKNOWNS ) return 0;
		for ( int k = 0; k < axes; ++k )
			rows[count++] = k * c->stride + i;
	}
	return count;
}

static int GetColumn( const gelLoneContacts* c, int row )
{
	return 3 * ( row % c->stride ) + row / c->stride;
}

// How far forces may go along the unknowns until one of them pulls, or leaves its cone.
static float FindBlock( const gelLoneContacts* c, const int* rows, int count )
{
	float most = 1.0f;
	for ( int k = 0; k < count; ++k )
	{
		if ( rows[k] >= c->stride ) continue; // they follow their normal
		int i = rows[k], t = c->stride + i, s = 2 * c->stride + i;
		float n = c->forces[i], dn = c->unknowns[k];
		if ( n + most * dn < 0.0f ) most = -n / dn;
		if ( k + 1 == count || rows[k + 1] != t ) continue;
		float mu2 = c->mu[i] * c->mu[i], ft = c->forces[t], fs = c->forces[s];
		float dt = c->unknowns[k + 1], ds = c->unknowns[k + 2];
		// | f + m d |^2 - mu^2 ( n + m dn )^2 = quad m^2 + 2 half m + now
		float quad = dt * dt + ds * ds - mu2 * dn * dn, half = ft * dt + fs * ds - mu2 * n * dn;
		float now = ft * ft + fs * fs - mu2 * n * n;
		if ( ( quad * most + 2.0f * half ) * most + now <= 0.0f ) continue;
		float root = half + sqrtf( gelMaxFloat( half * half - quad * now, 0.0f ) );
		if ( root > 0.0f ) most = gelMinFloat( gelMaxFloat( -now / root, 0.0f ), most );
	}
	return most;
}

static void Change( const gelLoneContacts* c, const gelLoneKernels* kernels, int row, float change )
{
	if ( change == 0.0f ) return;
	c->forces[row] += change;
	kernels->addColumn( c, GetColumn( c, row ), change );
}

// Takes away what is left of a normal force by rounding, and friction that the rest cannot hold.
static void KeepInCone( const gelLoneContacts* c, const gelLoneKernels* kernels, int i, float change )
{
	int t = c->stride + i, s = 2 * c->stride + i;
	if ( c->forces[i] < GEL_NO_FORCE * change ) Change( c, kernels, i, -c->forces[i] );
	float bound = c->mu[i] * c->forces[i],
		  length2 = c->forces[t] * c->forces[t] + c->forces[s] * c->forces[s];
	if ( length2 <= bound * bound ) return;
	float less = bound / sqrtf( length2 ) - 1.0f;
	Change( c, kernels, t, less * c->forces[t] );
	Change( c, kernels, s, less * c->forces[s] );
}

// @return how far it went; 0: there is nothing to solve
static float SolveOnce( const gelLoneContacts* c, const gelLoneKernels* kernels )
{
	int rows[GEL_MAX_LONE_UNKNOWNS], count = ListEquations( c, rows ), stride = GetStride( count );
	if ( count == 0 ) return 0.0f;
	memset( c->factor, 0, (size_t)count * (size_t)stride * sizeof( float ) );
	memset( c->unknowns, 0, (size_t)stride * sizeof( float ) );
	for ( int k = 0; k < count; ++k )
	{
		const float* column = c->matrix + (size_t)GetColumn( c, rows[k] ) * 3 * (size_t)c->stride;
		float* to = c->factor + (size_t)k * (size_t)stride;
		for ( int i = 0; i < count; ++i )
			to[i] = column[rows[i]];
		c->unknowns[k] = -c->moves[rows[k]];
	}
	kernels->solve( c, count, stride );
	float part = FindBlock( c, rows, count );
	for ( int k = 0; k < count; ++k )
		Change( c, kernels, rows[k], part * c->unknowns[k] );
	for ( int k = 0; k < count; ++k )
	{
		if ( rows[k] < c->stride ) KeepInCone( c, kernels, rows[k], part * fabsf( c->unknowns[k] ) );
	}
	return part;
}

// A solve, and a sweep that takes back what it took too far. @return what that sweep changed; when it is more
// than before, nothing has been done
static float TrySolve( const gelLoneContacts* c, const gelLoneKernels* kernels, float before )
{
	size_t bytes = 6 * (size_t)c->stride * sizeof( float ); // moves, and forces behind them
	memcpy( c->kept, c->moves, bytes );
	for ( int i = 0; i < GEL_BLOCKS; ++i )
	{
		float part = SolveOnce( c, kernels );
		if ( part == 0.0f && i == 0 ) return INFINITY;
		if ( part == 1.0f ) break;
	}
	float change = sqrtf( kernels->sweep( c ) );
	if ( !( change < before ) ) memcpy( c->moves, c->kept, bytes );
	return change;
}

void gelIterateLone( const gelLoneContacts* c, const gelLoneKernels* kernels, float residual )
{
	float change = sqrtf( kernels->sweep( c ) ), enough = gelMaxFloat( residual, GEL_CONTACT_PART * change );
	int idleCount = 0;
	for ( int sweep = 1; change >= enough && sweep < GEL_LONE_SWEEPS; ++sweep )
	{
		if ( sweep % GEL_SWEEPS_FIRST != 0 || idleCount == GEL_IDLE_SOLVES )
		{
			change = sqrtf( kernels->sweep( c ) );
			continue;
		}
		float solved = TrySolve( c, kernels, change );
		idleCount = solved < 0.5f * change ? 0 : idleCount + 1;
		change = gelMinFloat( solved, change );
	}
}

// ---- an island -------------------------------------------------------------------------------------------

static void GivePoint( const gelContactPoint* point, gelVec3 impulse )
{
	gelBodyContact* touch = point->body->contact;
	gelPointAnswers* answers = &touch->answers;
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3* nodal = touch->nodal + point->node[k];
		*nodal = gelMulAdd( *nodal, point->w[k], impulse );
	}
	if ( !answers->canTurn ) return;
	answers->turn = gelAdd( answers->turn, gelMulMV( point->turns, impulse ) );
	answers->free = gelAdd( answers->free, gelMulMV( point->frees, impulse ) );
}

// What the impulses have done to the items, and what the body needs to know of them.
static void TakeContact( const gelLoneContacts* c, int index, gelContactItem* item )
{
	size_t i = (size_t)index, stride = (size_t)c->stride;
	gelVec3 axes[3];
	GetAxes( item, axes );
	const float *move = c->moves + i, *force = c->forces + i;
	gelVec3 before = gelMulAdd( item->force.friction, item->force.lambda, item->normal );
	item->move = gelMulAdd( gelScale( move[0] + item->floor, axes[0] ), move[stride], axes[1] );
	item->move = gelMulAdd( item->move, move[2 * stride], axes[2] );
	item->force.lambda = gelMaxFloat( 0.0f, force[0] );
	item->force.friction = gelMulAdd( gelScale( force[stride], axes[1] ), force[2 * stride], axes[2] );
	gelVec3 after = gelMulAdd( item->force.friction, item->force.lambda, item->normal );
	GivePoint( &item->a, gelSub( after, before ) );
}

// Goes on with the matrix as it is: without the steady part, and with the moves that the forces truly make.
static void TakeBackSteadyPart( const gelLoneContacts* c, const float* before )
{
	for ( int i = 0; i < 3 * c->stride; ++i )
	{
		if ( i % c->stride >= c->count ) continue;
		float* own = c->matrix + 3 * (size_t)c->stride * (size_t)GetColumn( c, i ) + i;
		float truth = *own / ( 1.0f + GEL_STEADY_PART );
		c->moves[i] -= ( *own - truth ) * ( c->forces[i] - before[i] );
		*own = truth;
	}
}

void gelSolveLone( const gelIslandWork* work )
{
	gelBody* body = work->bodies[0];
	const gelLoneKernels* kernels = gelGetLoneKernels( body->simd );
	gelLoneContacts contacts = gelLayOutLone( work->desk->lone, work->itemCount );
	for ( int i = 0; i < work->itemCount; ++i )
		PutContact( &contacts, i, work->items + i );
	FillMatrix( &contacts, work, kernels );
	float before[3 * GEL_MAX_LONE_CONTACTS];
	memcpy( before, contacts.forces, 3 * (size_t)contacts.stride * sizeof( float ) );
	gelIterateLone( &contacts, kernels, GEL_CONTACT_RESIDUAL * body->asset->restSize );
	TakeBackSteadyPart( &contacts, before );
	for ( int i = 0; i < GEL_LAST_SWEEPS; ++i )
		kernels->sweep( &contacts );
	memset( body->contact->nodal, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		if ( work->items[i].isActive ) TakeContact( &contacts, i, work->items + i );
	}
}
