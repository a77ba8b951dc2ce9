// SPDX-License-Identifier: MIT
#include "contact/response/point_answers.h"

#include "constraints/constraint_set.h"
#include "contact/response/answer_kernels.h"
#include "simd/supernodal_solve.h"

#include <string.h>

static int GetStride( int pointCount )
{
	return ( pointCount + 15 ) & ~15;
}

size_t gelCountAnswerFloats( int pointCount )
{
	return ( (size_t)pointCount + 3 ) * (size_t)GetStride( pointCount );
}

// ---- the matrix ------------------------------------------------------------------------------------------

// a_ij by the inverse of the factor, for the points j up to i.
static void FillExactRow( const gelBody* body, const gelContactPoint* point, float* blend, float* row )
{
	const gelCompliance* compliance = body->compliance;
	const float* rows[4];
	for ( int k = 0; k < 4; ++k )
		rows[k] = compliance->rows + (size_t)point->node[k] * compliance->stride;
	gelGetAnswerKernels( body->simd )->blend( rows, point->w, (int)compliance->stride, blend );
	for ( const gelContactPoint* other = body->contact->answers.first; other->index <= point->index;
		  other = other->next )
	{
		const uint32_t* node = other->node;
		const float* w = other->w;
		row[other->index] = ( w[0] * blend[node[0]] + w[1] * blend[node[1]] ) +
			( w[2] * blend[node[2]] + w[3] * blend[node[3]] );
		if ( other->next == NULL ) break;
	}
}

// a_ij by rigid motion and the nodes that both points hang on.
static float GetStandIn( const gelBody* body, const gelContactPoint* a, const gelContactPoint* b )
{
	const gelBodyContact* touch = body->contact;
	float sum = 0.0f;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			if ( a->node[i] == b->node[k] ) sum += a->w[i] * b->w[k] * touch->compliance[a->node[i]];
		}
	}
	return touch->invMass + touch->answers.softness * sum;
}

static void FillStandInRow( const gelBody* body, const gelContactPoint* point, float* row )
{
	for ( const gelContactPoint* other = body->contact->answers.first; other != NULL; other = other->next )
	{
		if ( other->index <= point->index ) row[other->index] = GetStandIn( body, point, other );
	}
}

static void FillMatrix( gelBody* body, gelAnswerMemory* memory )
{
	gelPointAnswers* answers = &body->contact->answers;
	for ( gelContactPoint* point = answers->first; point != NULL; point = point->next )
	{
		if ( answers->matrix == NULL )
		{
			point->own = GetStandIn( body, point, point );
			continue;
		}
		float* row = answers->matrix + (size_t)point->index * (size_t)answers->stride;
		if ( answers->isExact )
			FillExactRow( body, point, memory->blend, row );
		else
			FillStandInRow( body, point, row );
		point->own = row[point->index];
	}
	for ( int i = 0; i < answers->count && answers->matrix != NULL; ++i )
	{
		for ( int k = 0; k < i; ++k )
			answers->matrix[(size_t)k * (size_t)answers->stride + (size_t)i] =
				answers->matrix[(size_t)i * (size_t)answers->stride + (size_t)k];
	}
}

// ---- the turn --------------------------------------------------------------------------------------------

static gelVec3 MulRows( const gelVec3 m[3], gelVec3 a )
{
	return gelMakeVec3( gelDot( m[0], a ), gelDot( m[1], a ), gelDot( m[2], a ) );
}

// A^-1 of vectors by node, in body->y by row.
static void SolveByFactor( gelBody* body, const gelVec3* nodal )
{
	const gelPackFactorView* factor = &body->factor;
	for ( uint32_t row = 0; row < factor->header->n; ++row )
		body->y[row] = gelMakeVec4( nodal[factor->perm[row]], 0.0f );
	gelSolveFactor( body->simd, factor, &body->y, 1, body->solveScratch );
}

// rho by node, and I^-1 Q with Q = sum of m ( ( r . rho ) 1 - rho r^T ).
static void FindRho( gelBody* body )
{
	gelBodyContact* touch = body->contact;
	const gelPackMass* masses = body->asset->pack.masses;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		touch->nodal[i] = gelScale( masses[i].mass, gelSub( touch->at[i], touch->center ) );
	SolveByFactor( body, touch->nodal );
	double q[9] = { 0.0 }, trace = 0.0;
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
	{
		uint32_t node = body->factor.perm[row];
		gelVec3 rho = touch->rho[node] = gelXyz( body->y[row] ), r = gelSub( touch->at[node], touch->center );
		double m = masses[node].mass;
		const double a[3] = { rho.x, rho.y, rho.z }, b[3] = { r.x, r.y, r.z };
		trace += m * ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] );
		for ( int k = 0; k < 9; ++k )
			q[k] -= m * a[k / 3] * b[k % 3];
	}
	const double* inv = touch->response.invInertia;
	q[0] += trace;
	q[4] += trace;
	q[8] += trace;
	for ( int i = 0; i < 3; ++i )
	{
		double row[3] = { 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 9; ++k )
			row[k % 3] += inv[3 * i + k / 3] * q[k];
		touch->answers.lever[i] = gelMakeVec3( (float)row[0], (float)row[1], (float)row[2] );
	}
}

static void FillPoints( gelBody* body )
{
	const gelBodyContact* touch = body->contact;
	bool hasRho = touch->answers.isExact && touch->answers.canTurn;
	for ( gelContactPoint* point = touch->answers.first; point != NULL; point = point->next )
	{
		gelVec3 at = { 0.0f, 0.0f, 0.0f }, rho = at;
		for ( int k = 0; k < 4; ++k )
		{
			at = gelMulAdd( at, point->w[k], touch->at[point->node[k]] );
			if ( hasRho ) rho = gelMulAdd( rho, point->w[k], touch->rho[point->node[k]] );
		}
		point->arm = gelSub( at, touch->center );
		point->rho = rho;
		point->change = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
}

// t and t - l of an impulse on a point.
static void FindTurns( const gelContactPoint* point, gelVec3 impulse, gelVec3* outTurn, gelVec3* outFree )
{
	const gelPointAnswers* answers = &point->body->contact->answers;
	*outTurn = MulRows( answers->invInertia, gelCross( point->arm, impulse ) );
	gelVec3 l = gelSub( MulRows( answers->invInertia, gelCross( point->rho, impulse ) ),
		MulRows( answers->lever, *outTurn ) );
	*outFree = gelSub( *outTurn, l );
}

static void FillTurns( gelBody* body )
{
	for ( gelContactPoint* point = body->contact->answers.first; point != NULL; point = point->next )
	{
		FindTurns( point, gelMakeVec3( 1.0f, 0.0f, 0.0f ), &point->turns.cx, &point->frees.cx );
		FindTurns( point, gelMakeVec3( 0.0f, 1.0f, 0.0f ), &point->turns.cy, &point->frees.cy );
		FindTurns( point, gelMakeVec3( 0.0f, 0.0f, 1.0f ), &point->turns.cz, &point->frees.cz );
	}
}

// ---- a body ----------------------------------------------------------------------------------------------

static float* Take( gelAnswerMemory* memory, size_t count )
{
	if ( count > memory->count ) return NULL;
	float* floats = memory->floats;
	memory->floats += count;
	memory->count -= count;
	return floats;
}

void gelPreparePointAnswers( gelBody* body, gelAnswerMemory* memory )
{
	gelBodyContact* touch = body->contact;
	gelPointAnswers* answers = &touch->answers;
	answers->stride = GetStride( answers->count );
	answers->matrix = Take( memory, gelCountAnswerFloats( answers->count ) );
	answers->moves =
		answers->matrix ? answers->matrix + (size_t)answers->count * (size_t)answers->stride : NULL;
	answers->isExact = answers->matrix != NULL && body->compliance != NULL && !gelBody_IsConstrained( body );
	answers->softness = touch->softness;
	answers->canTurn = touch->invMass > 0.0f && touch->response.canTurn;
	for ( int k = 0; k < 3; ++k )
	{
		answers->invInertia[k] = touch->invInertia[k];
		answers->lever[k] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	if ( answers->matrix != NULL )
		memset( answers->matrix, 0, gelCountAnswerFloats( answers->count ) * sizeof( float ) );
	if ( answers->isExact && answers->canTurn ) FindRho( body );
	FillPoints( body );
	if ( answers->canTurn ) FillTurns( body );
	FillMatrix( body, memory );
	gelClearPointAnswers( body );
}

void gelClearPointAnswers( gelBody* body )
{
	gelPointAnswers* answers = &body->contact->answers;
	answers->turn = answers->free = answers->shift = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	if ( answers->moves != NULL ) memset( answers->moves, 0, 3 * (size_t)answers->stride * sizeof( float ) );
	for ( gelContactPoint* point = answers->first; point != NULL && answers->moves == NULL;
		  point = point->next )
		point->change = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

gelVec3 gelGetPointChange( const gelContactPoint* point )
{
	if ( point->body == NULL ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	const gelPointAnswers* answers = &point->body->contact->answers;
	gelVec3 change = point->change;
	if ( answers->moves != NULL )
	{
		const float* moves = answers->moves + point->index;
		change = gelMakeVec3( moves[0], moves[answers->stride], moves[2 * answers->stride] );
	}
	if ( !answers->canTurn ) return change;
	change = gelSub( change, gelCross( answers->turn, point->rho ) );
	return gelAdd( change, gelCross( answers->free, point->arm ) );
}

void gelPushPoint( gelContactPoint* point, gelVec3 impulse )
{
	if ( point->body == NULL ) return;
	gelPointAnswers* answers = &point->body->contact->answers;
	const float s[3] = { impulse.x, impulse.y, impulse.z };
	if ( answers->moves != NULL )
		gelGetAnswerKernels( point->body->simd )
			->push( answers->matrix + (size_t)point->index * (size_t)answers->stride, answers->stride, s,
				answers->moves );
	else
		point->change = gelMulAdd( point->change, point->own, impulse );
	answers->shift = gelMulAdd( answers->shift, point->body->contact->invMass, impulse );
	if ( !answers->canTurn ) return;
	answers->turn = gelAdd( answers->turn, gelMulMV( point->turns, impulse ) );
	answers->free = gelAdd( answers->free, gelMulMV( point->frees, impulse ) );
}

gelVec3 gelGetOwnMove( const gelContactPoint* point, gelVec3 direction )
{
	if ( point->body == NULL ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	gelVec3 move = gelScale( point->own, direction );
	if ( !point->body->contact->answers.canTurn ) return move;
	move = gelSub( move, gelCross( gelMulMV( point->turns, direction ), point->rho ) );
	return gelAdd( move, gelCross( gelMulMV( point->frees, direction ), point->arm ) );
}

void gelMoveExactly( gelBody* body, const gelVec3* nodal )
{
	gelBodyContact* touch = body->contact;
	const gelPointAnswers* answers = &touch->answers;
	GEL_ASSERT( answers->isExact );
	SolveByFactor( body, nodal );
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
	{
		uint32_t node = body->factor.perm[row];
		gelVec3 move = gelXyz( body->y[row] );
		if ( answers->canTurn )
		{
			move = gelSub( move, gelCross( answers->turn, touch->rho[node] ) );
			move = gelAdd( move, gelCross( answers->free, gelSub( touch->at[node], touch->center ) ) );
		}
		body->x[node] = gelAdd( body->x[node], move );
	}
}
