// SPDX-License-Identifier: MIT
#include "contact/response/contact_solve.h"

#include "contact/response/contact_response.h"
#include "solvers/node_body.h"
#include "state/cell_bounds.h"
#include "constraints/constraint_schur.h"
#include "constraints/constraint_set.h"
#include "contact/response/ground.h"

#include <string.h>

// Answers per body and step at most, and sweeps per answer.
#define GEL_CONTACT_ITERATIONS 12
#define GEL_CONTACT_SWEEPS     12

// What softness usually turns out to be.
#define GEL_FIRST_SOFTNESS 2.0f

// What is not worth a solve: motion of the smallest body, in its sizes, and this part of the energy that the
// first iteration wanted, 3e-4 of its displacements. (Slip that is left is always downhill: with 1e-5 a box
// that friction holds on a slope creeps by millimetres per second, with this by hundredths of them.)
#define GEL_CONTACT_TOLERANCE 1.0e-7
#define GEL_CONTACT_GAIN      1.0e-7

// ---- bodies ----------------------------------------------------------------------------------------------

static bool IsHeld( const gelBody* body )
{
	return body->pinCount > 0 || gelConstraintSet_IsActive( body->constraints );
}

void gelPrepareBodyContact( gelBody* body, float h )
{
	GEL_ASSERT( body->contact != NULL && h > 0.0f );
	gelBodyContact* touch = body->contact;
	const gelPackMass* masses = body->asset->pack.masses;
	touch->response = gelMakeContactResponse( body, body->x );
	const double *c = touch->response.center, *inv = touch->response.invInertia;
	bool isFree = !IsHeld( body ), canTurn = isFree && touch->response.canTurn;
	touch->center = gelMakeVec3( (float)c[0], (float)c[1], (float)c[2] );
	touch->invMass = isFree ? 1.0f / body->asset->mass : 0.0f;
	for ( int k = 0; k < 3; ++k )
		touch->invInertia[k] = canTurn
			? gelMakeVec3( (float)inv[3 * k], (float)inv[3 * k + 1], (float)inv[3 * k + 2] )
			: gelMakeVec3( 0.0f, 0.0f, 0.0f );
	touch->bulge = (gelVec3*)body->xTilde;
	touch->nodal = (gelVec3*)body->uTilde;
	touch->compliance = (float*)( touch->bulge + body->asset->nodeCount );
	touch->at = (gelVec3*)body->p;
	memcpy( touch->at, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float weight = masses[i].mass + h * h * touch->stiffness[i];
		touch->compliance[i] = body->invMasses[i] > 0.0f ? 1.0f / weight : 0.0f;
	}
}

void gelAnswerBodyContact( gelBody* body )
{
	GEL_ASSERT( body->contact != NULL );
	gelBodyContact* touch = body->contact;
	gelVec3* rows = (gelVec3*)body->b;
	double lack[3] = { 0.0, 0.0, 0.0 }, mass = 0.0;
	for ( uint32_t row = 0; row < body->rowCount; ++row )
	{
		rows[row] = touch->nodal[body->rowNodes[row]];
		lack[0] += rows[row].x;
		lack[1] += rows[row].y;
		lack[2] += rows[row].z;
	}
	gelContactResponse_Apply( &touch->response, body, touch->at, rows );
	// An iterative solve gives momentum only as well as it has converged: the rest is given by the body as a
	// whole, which is the exact answer to it.
	for ( uint32_t row = 0; row < body->rowCount; ++row )
	{
		uint32_t node = body->rowNodes[row];
		double m = body->solver->getNodeMass( body, node );
		lack[0] -= m * rows[row].x;
		lack[1] -= m * rows[row].y;
		lack[2] -= m * rows[row].z;
		mass += m;
	}
	double scale = touch->invMass > 0.0f ? 1.0 / mass : 0.0;
	gelVec3 shift = { (float)( scale * lack[0] ), (float)( scale * lack[1] ), (float)( scale * lack[2] ) };
	memset( touch->nodal, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	for ( uint32_t row = 0; row < body->rowCount; ++row )
		touch->nodal[body->rowNodes[row]] = gelAdd( rows[row], shift );
}

// ---- points ----------------------------------------------------------------------------------------------

static gelVec3 Interpolate( const gelContactPoint* point, const gelVec3* values )
{
	gelVec3 sum = gelScale( point->w[0], values[point->node[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->w[k], values[point->node[k]] );
	return sum;
}

// What this iteration's impulses have moved a point so far, as W~ sees it.
static gelVec3 GetChange( const gelContactPoint* point )
{
	if ( point->body == NULL ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	return gelAdd( gelContactPoint_GetRigid( point ), Interpolate( point, point->body->contact->bulge ) );
}

static void Spread( const gelContactPoint* point, gelVec3 impulse )
{
	if ( point->body == NULL ) return;
	gelBodyContact* touch = point->body->contact;
	gelBodyContact_PushRigid( touch, point->arm, impulse );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = point->node[k];
		float move = touch->softness * touch->compliance[node] * point->w[k];
		touch->bulge[node] = gelMulAdd( touch->bulge[node], move, impulse );
	}
}

static void AddImpulse( const gelContactPoint* point, float sign, gelVec3 impulse )
{
	GEL_ASSERT( sign == 1.0f || sign == -1.0f );
	for ( int k = 0; k < 4 && point->body != NULL; ++k )
	{
		gelVec3* nodal = point->body->contact->nodal + point->node[k];
		*nodal = gelMulAdd( *nodal, sign * point->w[k], impulse );
	}
}

static gelVec3 GetAnswer( const gelContactPoint* point )
{
	if ( point->body == NULL ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	return Interpolate( point, point->body->contact->nodal );
}

// ---- contacts --------------------------------------------------------------------------------------------

// Inverse mass of the rigid body at a point along a direction.
static float GetRigidInvMass( const gelContactPoint* point, gelVec3 direction )
{
	return point->body ? gelBodyContact_GetRigidInvMass( point->body->contact, point->arm, direction ) : 0.0f;
}

static void PreparePoint( gelContactPoint* point )
{
	point->bulge = 0.0f;
	if ( point->body == NULL ) return;
	const gelBodyContact* touch = point->body->contact;
	point->arm = gelSub( Interpolate( point, point->body->x ), touch->center );
	for ( int k = 0; k < 4; ++k )
		point->bulge += point->w[k] * point->w[k] * touch->compliance[point->node[k]];
}

// Any unit vector across the normal.
static gelVec3 GetTangent( gelVec3 n )
{
	GEL_ASSERT( fabsf( gelLengthSquared( n ) - 1.0f ) < 1.0e-2f );
	gelVec3 axis = fabsf( n.x ) < 0.6f ? gelMakeVec3( 1.0f, 0.0f, 0.0f ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
	gelVec3 t = gelCross( n, axis );
	return gelScale( 1.0f / gelLength( t ), t );
}

static bool TakesPart( const gelContactPoint* point )
{
	return point->body == NULL || point->body->contact->isSolved;
}

static void PrepareItem( gelContactItem* item )
{
	PreparePoint( &item->a );
	PreparePoint( &item->b );
	gelVec3 t = GetTangent( item->normal ), s = gelCross( item->normal, t );
	item->rigidNormal = GetRigidInvMass( &item->a, item->normal ) + GetRigidInvMass( &item->b, item->normal );
	// the sum of both directions less what they count twice: never below the larger one
	item->rigidTangent = GetRigidInvMass( &item->a, t ) + GetRigidInvMass( &item->b, t ) +
		GetRigidInvMass( &item->a, s ) + GetRigidInvMass( &item->b, s );
	// a body does not move against itself as a whole
	if ( item->a.body == item->b.body ) item->rigidNormal = item->rigidTangent = 0.0f;
	item->isActive = TakesPart( &item->a ) && TakesPart( &item->b ) &&
		item->rigidNormal + item->a.bulge + item->b.bulge > 1.0e-12f;
}

static gelVec3 GetPointMove( const gelContactPoint* point )
{
	if ( point->body == NULL ) return point->move;
	const gelVec3 *x = point->body->x, *xOld = point->body->xOld;
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		move = gelMulAdd( move, point->w[k], gelSub( x[point->node[k]], xOld[point->node[k]] ) );
	return move;
}

static float GetBulge( const gelContactPoint* point )
{
	return point->body ? point->body->contact->softness * point->bulge : 0.0f;
}

static void SweepItem( gelContactItem* item )
{
	if ( !item->isActive ) return;
	float bulge = GetBulge( &item->a ) + GetBulge( &item->b );
	gelVec3 move = gelAdd( item->move, gelSub( GetChange( &item->a ), GetChange( &item->b ) ) );
	float invMass = item->rigidNormal + bulge;
	float height = gelDot( item->normal, move ) - item->floor;
	if ( height >= 0.0f && item->force.lambda + item->force.lambdaChange <= 0.0f ) return;
	float push = gelContactForce_Push( &item->force, height, invMass, 1.0f );
	gelVec3 slip = gelTangential( move, item->normal );
	gelVec3 rub = gelContactForce_Rub( &item->force, slip, item->rigidTangent + bulge, 1.0f );
	gelVec3 impulse = gelMulAdd( rub, push, item->normal );
	Spread( &item->a, impulse );
	Spread( &item->b, gelNeg( impulse ) );
}

// ---- an iteration ----------------------------------------------------------------------------------------

static void Sweep( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBodyContact* touch = work->bodies[i]->contact;
		touch->shift = touch->turn = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		memset( touch->bulge, 0, (size_t)work->bodies[i]->asset->nodeCount * sizeof( gelVec3 ) );
	}
	// Always in the same direction: to and fro would visit the two ends of a stack twice in a row for
	// nothing.
	for ( int sweep = 0; sweep < GEL_CONTACT_SWEEPS; ++sweep )
	{
		for ( int i = 0; i < work->itemCount; ++i )
			SweepItem( work->items + i );
	}
}

static gelVec3 GetDirection( const gelContactItem* item )
{
	return gelMulAdd( item->force.frictionChange, item->force.lambdaChange, item->normal );
}

static void FindAnswers( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
		memset( work->bodies[i]->contact->nodal, 0,
			(size_t)work->bodies[i]->asset->nodeCount * sizeof( gelVec3 ) );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		AddImpulse( &work->items[i].a, 1.0f, GetDirection( work->items + i ) );
		AddImpulse( &work->items[i].b, -1.0f, GetDirection( work->items + i ) );
	}
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		if ( work->bodies[i]->contact->isSolved ) gelAnswerBodyContact( work->bodies[i] );
	}
}

// What the energy 1/2 s . W s + g . s of changes s of the impulses gains to first order, g being what is
// wanted of each contact [kg m^2].
static double GetWanted( const gelIslandWork* work )
{
	double wanted = 0.0;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		const gelContactItem* item = work->items + i;
		if ( !item->isActive ) continue;
		wanted -= (double)gelDot( GetDirection( item ), gelMulAdd( item->move, -item->floor, item->normal ) );
	}
	return wanted;
}

// How far to go along the answers, 0 .. 1; 0: there is nothing to gain. The energy is least at
// -( g . s ) / ( s . W s ).
static float SearchLine( const gelIslandWork* work, double wanted )
{
	double given = 0.0;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		const gelContactItem* item = work->items + i;
		if ( !item->isActive ) continue;
		gelVec3 answer = gelSub( GetAnswer( &item->a ), GetAnswer( &item->b ) );
		given += (double)gelDot( GetDirection( item ), answer );
	}
	if ( !( given > 0.0 && given < (double)INFINITY ) ) return 0.0f;
	return wanted < given ? (float)( wanted / given ) : 1.0f;
}

static void Advance( const gelIslandWork* work, float scale )
{
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBody* body = work->bodies[i];
		if ( !body->contact->isSolved ) continue;
		for ( int k = 0; k < body->asset->nodeCount; ++k )
			body->x[k] = gelMulAdd( body->x[k], scale, body->contact->nodal[k] );
		gelSchur_Accept( body, scale );
	}
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		gelVec3 answer = gelSub( GetAnswer( &item->a ), GetAnswer( &item->b ) );
		item->move = gelMulAdd( item->move, scale, answer );
		gelContactForce_Accept( &item->force, scale );
	}
}

// Sums of how much a body's points have bulged: as W~ has it, and truly.
static void AddBulge( const gelContactPoint* point )
{
	if ( point->body == NULL ) return;
	gelBodyContact* touch = point->body->contact;
	gelVec3 guess = Interpolate( point, touch->bulge );
	gelVec3 truth = gelSub( Interpolate( point, touch->nodal ), gelContactPoint_GetRigid( point ) );
	float inv = 1.0f / touch->softness;
	touch->guessed += (double)( inv * inv * gelDot( guess, guess ) );
	touch->measured += (double)( inv * gelDot( guess, truth ) );
}

static void LearnSoftness( const gelIslandWork* work )
{
	for ( int i = 0; i < work->itemCount; ++i )
	{
		AddBulge( &work->items[i].a );
		AddBulge( &work->items[i].b );
	}
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBodyContact* touch = work->bodies[i]->contact;
		if ( !( touch->guessed > 0.0 ) ) continue;
		float softness = (float)( touch->measured / touch->guessed );
		touch->softness = fminf( fmaxf( softness, 1.0e-2f ), 1.0e2f ); // 0.01 for NaN
	}
}

static double GetLeastGain( const gelIslandWork* work )
{
	double least = HUGE_VAL;
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		double tolerance = GEL_CONTACT_TOLERANCE * work->bodies[i]->asset->restSize;
		least = fmin( least, tolerance * tolerance * work->bodies[i]->asset->mass );
	}
	return least;
}

void gelIterateIsland( gelIslandWork* work, int iterationCount )
{
	GEL_ASSERT( iterationCount >= 0 );
	work->leastGain = GetLeastGain( work );
	for ( int iteration = 0; iteration < iterationCount; ++iteration )
	{
		Sweep( work );
		double wanted = GetWanted( work );
		work->leastGain = fmax( work->leastGain, GEL_CONTACT_GAIN * wanted );
		if ( !( wanted > work->leastGain ) ) break; // before it costs a solve per body
		FindAnswers( work );
		float scale = SearchLine( work, wanted );
		if ( scale == 0.0f ) break;
		LearnSoftness( work );
		Advance( work, scale );
	}
}

// ---- stages of an island ---------------------------------------------------------------------------------

void gelPrepareIsland( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
		gelPrepareBodyContact( work->bodies[i], work->h );
	for ( int i = 0; i < work->itemCount; ++i )
		PrepareItem( work->items + i );
}

static void SolveImpulses( gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBodyContact* touch = work->bodies[i]->contact;
		touch->isSolved = gelNodeBody_IsUsable( work->bodies[i] );
		touch->softness = GEL_FIRST_SOFTNESS;
		touch->guessed = touch->measured = 0.0;
	}
	gelPrepareIsland( work );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		item->move = gelSub( GetPointMove( &item->a ), GetPointMove( &item->b ) );
	}
	gelIterateIsland( work, GEL_CONTACT_ITERATIONS );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		item->impulse = gelMulAdd( item->force.friction, item->force.lambda, item->normal );
	}
}

void gelSolveIsland( gelContactStep* step, const gelIsland* island, const gelStepContext* ctx )
{
	GEL_ASSERT( island->bodyCount > 0 && island->pairItemCount <= island->itemCount );
	gelIslandWork work = { step->order + island->bodyFirst, island->bodyCount,
		step->items + island->itemFirst, island->itemCount, island->pairItemCount, ctx->h, 0.0 };
	SolveImpulses( &work );
	for ( int i = 0; i < work.bodyCount && ctx->hasGround; ++i )
		gelGround_Lift( work.bodies[i], ctx, work.bodies[i]->x );
	gelAimPush( &work );
	for ( int i = 0; i < work.bodyCount; ++i )
		gelBody_EndStep( work.bodies[i], ctx );
	gelPushIsland( &work );
	gelRestIsland( &work );
	for ( int i = 0; i < work.bodyCount; ++i )
		gelBody_RefitCoarse( work.bodies[i] );
}
