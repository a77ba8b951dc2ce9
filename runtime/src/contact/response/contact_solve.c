// SPDX-License-Identifier: MIT
#include "contact/response/contact_solve.h"

#include "constraints/constraint_set.h"
#include "contact/response/contact_calm.h"
#include "contact/response/contact_loads.h"
#include "contact/response/contact_response.h"
#include "contact/response/lone_contacts.h"
#include "solvers/node_body.h"
#include "state/cell_bounds.h"
#include "state/world.h"

#include <string.h>

// Answers per body and step at most where they are stand-ins, and sweeps per answer.
#define GEL_CONTACT_ITERATIONS 12
#define GEL_CONTACT_SWEEPS     12

// Sweeps at most where all answers are exact.
#define GEL_EXACT_SWEEPS 60

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
	return body->pinCount > 0 || gelBody_IsConstrained( body );
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
	memcpy( touch->at, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float weight = masses[i].mass + h * h * ( body->stiffnessScale * body->asset->nodeStiffness[i] );
		touch->compliance[i] = body->invMasses[i] > 0.0f ? 1.0f / weight : 0.0f;
	}
}

void gelAnswerBodyContact( gelBody* body )
{
	GEL_ASSERT( body->contact != NULL );
	gelBodyContact* touch = body->contact;
	gelVec3* rows = touch->rows;
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

static gelVec3 GetPointMove( const gelContactPoint* point )
{
	if ( point->body == NULL ) return point->move;
	const gelVec3 *x = point->body->x, *xOld = point->body->xOld;
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		move = gelMulAdd( move, point->w[k], gelSub( x[point->node[k]], xOld[point->node[k]] ) );
	return move;
}

static bool TakesPart( const gelContactPoint* point )
{
	return point->body == NULL || point->body->contact->isSolved;
}

// ---- answers of an island --------------------------------------------------------------------------------

static void ListPoint( gelContactPoint* point )
{
	if ( point->body == NULL ) return;
	gelPointAnswers* answers = &point->body->contact->answers;
	point->index = answers->count++;
	point->next = NULL;
	if ( answers->first == NULL )
		answers->first = answers->last = point;
	else
	{
		answers->last->next = point;
		answers->last = point;
	}
}

// Inverse mass of the rigid body at a point along a direction.
static float GetRigidInvMass( const gelContactPoint* point, gelVec3 direction )
{
	return point->body ? gelBodyContact_GetRigidInvMass( point->body->contact, point->arm, direction ) : 0.0f;
}

static gelVec3 GetOwnMove( const gelContactItem* item, gelVec3 direction )
{
	return gelAdd( gelGetOwnMove( &item->a, direction ), gelGetOwnMove( &item->b, direction ) );
}

static void PrepareItem( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelContactItem* item = work->items + index;
	gelVec3 n = item->normal, t = gelGetTangent( n ), s = gelCross( n, t );
	// a body does not move against itself as a whole
	bool isSelf = item->a.body == item->b.body;
	item->rigidNormal = isSelf ? 0.0f : GetRigidInvMass( &item->a, n ) + GetRigidInvMass( &item->b, n );
	gelVec3 alongT = GetOwnMove( item, t ), alongS = GetOwnMove( item, s );
	float tt = gelDot( t, alongT ), ss = gelDot( s, alongS ), ts = gelDot( s, alongT );
	item->invMass[0] = gelDot( n, GetOwnMove( item, n ) );
	item->invMass[1] = 0.5f * ( tt + ss ) + sqrtf( 0.25f * ( tt - ss ) * ( tt - ss ) + ts * ts );
	item->invSize = 1.0f / gelContactItem_GetSize( item );
	item->isActive = TakesPart( &item->a ) && TakesPart( &item->b ) && item->invMass[0] > 1.0e-12f &&
		item->invMass[1] > 1.0e-12f;
}

// In the part of the memory that starts at answers.moves.
static void PrepareAnswers( const gelIslandWork* work, int index, int worker )
{
	gelPointAnswers* answers = &work->bodies[index]->contact->answers;
	const gelContactDesk* desk = work->parts ? work->parts->world->contact->desks + worker : work->desk;
	gelAnswerMemory memory = { answers->moves, 0, desk->blend };
	if ( answers->moves != NULL ) memory.count = gelCountAnswerFloats( answers->count );
	gelPreparePointAnswers( work->bodies[index], &memory );
}

// Finds the answers of all bodies, whose points are listed, and what items take from them.
static void FindAllAnswers( const gelIslandWork* work )
{
	size_t next = 0;
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelPointAnswers* answers = &work->bodies[i]->contact->answers;
		size_t count = gelCountAnswerFloats( answers->count );
		bool hasRoom = count <= work->desk->floatCount - next;
		answers->moves = hasRoom ? work->desk->floats + next : NULL;
		next += hasRoom ? count : 0;
	}
	gelForIslandBodies( work, PrepareAnswers );
	gelForIslandItems( work, PrepareItem );
}

static void PrepareBody( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelPrepareBodyContact( work->bodies[index], work->h );
	work->bodies[index]->contact->answers.first = NULL;
	work->bodies[index]->contact->answers.count = 0;
}

void gelPrepareIsland( const gelIslandWork* work )
{
	gelForIslandBodies( work, PrepareBody );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		ListPoint( &work->items[i].a );
		ListPoint( &work->items[i].b );
	}
	FindAllAnswers( work );
}

static bool AreExact( const gelIslandWork* work )
{
	bool areExact = true;
	for ( int i = 0; i < work->bodyCount; ++i )
		areExact = areExact && work->bodies[i]->contact->answers.isExact;
	return areExact;
}

// ---- sweeps ----------------------------------------------------------------------------------------------

// @return how far the change moves the contact [m]
static float SweepItem( gelContactItem* item )
{
	if ( !item->isActive ) return 0.0f;
	gelVec3 move =
		gelAdd( item->move, gelSub( gelGetPointChange( &item->a ), gelGetPointChange( &item->b ) ) );
	float height = gelDot( item->normal, move ) - item->floor;
	if ( height >= 0.0f && item->force.lambda + item->force.lambdaChange == 0.0f ) return 0.0f;
	float push = gelContactForce_Push( &item->force, height, item->invMass[0], 1.0f );
	gelVec3 slip = gelTangential( move, item->normal );
	gelVec3 rub = gelContactForce_Rub( &item->force, slip, item->invMass[1], 1.0f );
	gelVec3 impulse = gelMulAdd( rub, push, item->normal );
	gelPushPoint( &item->a, impulse );
	gelPushPoint( &item->b, gelNeg( impulse ) );
	return gelMaxFloat( fabsf( push ) * item->invMass[0], gelLength( rub ) * item->invMass[1] );
}

typedef struct gelSweepTask
{
	const gelIslandWork* work;
	float largest[GEL_MAX_PARTS];
} gelSweepTask;

// One part of a large island, or what is between parts. @return the largest change, in sizes of its bodies
static float SweepPart( const gelIslandWork* work, int part )
{
	float largest = 0.0f;
	for ( int i = work->parts->first[part]; i < work->parts->first[part + 1]; ++i )
	{
		gelContactItem* item = work->items + work->parts->order[i];
		largest = gelMaxFloat( SweepItem( item ) * item->invSize, largest );
	}
	return largest;
}

static void SweepParts_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	gelSweepTask* task = context;
	for ( int part = begin; part < end; ++part )
		task->largest[part] = SweepPart( task->work, part );
}

static float SweepOnce( const gelIslandWork* work )
{
	float largest = 0.0f;
	for ( int i = 0; i < work->itemCount && work->parts == NULL; ++i )
	{
		gelContactItem* item = work->items + i;
		largest = gelMaxFloat( SweepItem( item ) * item->invSize, largest );
	}
	if ( work->parts == NULL ) return largest;
	gelSweepTask task = { .work = work };
	gelWorld_ParallelFor( work->parts->world, SweepParts_Task, work->parts->count, &task );
	largest = SweepPart( work, work->parts->count );
	for ( int part = 0; part < work->parts->count; ++part )
		largest = gelMaxFloat( largest, task.largest[part] );
	return largest;
}

// Always in the same direction: to and fro would visit the two ends of a stack twice in a row for nothing.
// @return the largest change of the last sweep, in sizes of its bodies
static float Sweep( const gelIslandWork* work, int sweepCount )
{
	float largest = 0.0f, enough = GEL_CONTACT_RESIDUAL;
	for ( int sweep = 0; sweep < sweepCount; ++sweep )
	{
		largest = SweepOnce( work );
		if ( sweep == 0 ) enough = gelMaxFloat( enough, GEL_CONTACT_PART * largest );
		if ( largest < enough ) break;
	}
	return largest;
}

static gelVec3 GetDirection( const gelContactItem* item )
{
	return gelMulAdd( item->force.frictionChange, item->force.lambdaChange, item->normal );
}

static void ClearNodal( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
		memset( work->bodies[i]->contact->nodal, 0,
			(size_t)work->bodies[i]->asset->nodeCount * sizeof( gelVec3 ) );
}

static void SumImpulses( const gelIslandWork* work )
{
	ClearNodal( work );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		AddImpulse( &work->items[i].a, 1.0f, GetDirection( work->items + i ) );
		AddImpulse( &work->items[i].b, -1.0f, GetDirection( work->items + i ) );
	}
}

static void AcceptItem( gelContactItem* item, gelVec3 change, float scale )
{
	item->move = gelMulAdd( item->move, scale, change );
	gelContactForce_Accept( &item->force, scale );
}

static void MoveBody( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelBody* body = work->bodies[index];
	if ( body->contact->isSolved ) gelMoveExactly( body, body->contact->nodal );
}

static void SweepExactly( const gelIslandWork* work )
{
	Sweep( work, GEL_EXACT_SWEEPS );
	SumImpulses( work );
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		AcceptItem( item, gelSub( gelGetPointChange( &item->a ), gelGetPointChange( &item->b ) ), 1.0f );
	}
}

static void SolveExactly( const gelIslandWork* work )
{
	if ( gelIsLone( work ) )
		gelSolveLone( work );
	else
		SweepExactly( work );
	gelForIslandBodies( work, MoveBody );
}

// ---- with stand-ins --------------------------------------------------------------------------------------

static void FindAnswers( const gelIslandWork* work )
{
	SumImpulses( work );
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
// -( g . s ) / ( s . W s ). Where it would rise, the laws take back what loads gave too much of: friction
// beyond its cone, pulling. That is done as it is.
static float SearchLine( const gelIslandWork* work, double wanted )
{
	if ( wanted <= 0.0 ) return 1.0f;
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
		if ( body->constraints ) body->constraints->calls->accept( body, scale );
	}
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		AcceptItem( item, gelSub( GetAnswer( &item->a ), GetAnswer( &item->b ) ), scale );
	}
}

// Sums of how much a body's points have bulged beyond its rigid motion: as the stand-in has it, and truly.
static void AddBulge( const gelContactPoint* point )
{
	if ( point->body == NULL || point->body->contact->answers.isExact ) return;
	gelBodyContact* touch = point->body->contact;
	const gelPointAnswers* answers = &touch->answers;
	gelVec3 rigid = gelAdd( answers->shift, gelCross( answers->turn, point->arm ) );
	gelVec3 guess = gelSub( gelGetPointChange( point ), rigid );
	gelVec3 truth = gelSub( Interpolate( point, touch->nodal ), rigid );
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
	if ( AreExact( work ) )
	{
		SolveExactly( work );
		return;
	}
	work->leastGain = GetLeastGain( work );
	for ( int iteration = 0; iteration < iterationCount; ++iteration )
	{
		if ( iteration > 0 ) FindAllAnswers( work ); // with the softness that was learned
		float change = Sweep( work, GEL_CONTACT_SWEEPS );
		double wanted = GetWanted( work );
		work->leastGain = fmax( work->leastGain, GEL_CONTACT_GAIN * fabs( wanted ) );
		// before it costs a solve per body
		if ( change < GEL_CONTACT_RESIDUAL && !( fabs( wanted ) > work->leastGain ) ) break;
		FindAnswers( work );
		float scale = SearchLine( work, wanted );
		if ( scale == 0.0f ) break;
		LearnSoftness( work );
		Advance( work, scale );
	}
}

// ---- stages of an island ---------------------------------------------------------------------------------

// Whether the laws hold for a contact as it is.
static bool IsSolved( const gelContactItem* item )
{
	float tolerance = GEL_CONTACT_RESIDUAL * gelContactItem_GetSize( item );
	float height = gelDot( item->normal, item->move ) - item->floor, lambda = item->force.lambda;
	if ( height < -tolerance || lambda < 0.0f ) return false;
	if ( lambda == 0.0f ) return gelLengthSquared( item->force.friction ) == 0.0f;
	if ( height > tolerance ) return false;
	float bound = item->force.mu * lambda, friction = gelLength( item->force.friction );
	if ( friction > 1.0001f * bound ) return false;
	return gelLength( gelTangential( item->move, item->normal ) ) <= tolerance;
}

bool gelSolveImpulses( gelIslandWork* work )
{
	GEL_ASSERT( work->bodyCount > 0 && work->pairItemCount <= work->itemCount );
	bool isSolved = true;
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBodyContact* touch = work->bodies[i]->contact;
		touch->isSolved = gelNodeBody_IsUsable( work->bodies[i] );
		touch->softness = GEL_FIRST_SOFTNESS;
		touch->guessed = touch->measured = 0.0;
		isSolved = isSolved && touch->isSolved;
	}
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		item->move = gelSub( GetPointMove( &item->a ), GetPointMove( &item->b ) );
		isSolved = isSolved && IsSolved( item );
	}
	if ( !isSolved )
	{
		gelPrepareIsland( work );
		gelIterateIsland( work, GEL_CONTACT_ITERATIONS );
	}
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		item->impulse = gelMulAdd( item->force.friction, item->force.lambda, item->normal );
		if ( item->point ) item->point->impulse = item->impulse;
	}
	return !isSolved;
}

static void EndBody( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelBody_EndStep( work->bodies[index], work->ctx );
}

static void EndPush( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelBody* body = work->bodies[index];
	if ( body->solver->endPush ) body->solver->endPush( body );
}

static void RefitBody( const gelIslandWork* work, int index, int worker )
{
	(void)worker;
	gelBody_RefitCoarse( work->bodies[index] );
}

void gelEndIsland( gelIslandWork* work )
{
	gelKeepLoads( work );
	gelSupport support = gelFindSupport( work );
	bool isPushed = gelAimPush( work );
	gelForIslandBodies( work, EndBody );
	gelCalmIsland( work, &support );
	if ( isPushed ) gelPushIsland( work );
	gelRestIsland( work );
	if ( isPushed ) gelForIslandBodies( work, EndPush );
	gelForIslandBodies( work, RefitBody );
}
