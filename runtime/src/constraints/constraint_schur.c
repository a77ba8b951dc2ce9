// SPDX-License-Identifier: MIT
#include "constraints/constraint_schur.h"

#include "solvers/rigid_response.h"
#include "math/dense_factor.h"
#include "simd/supernodal_solve.h"

#include <string.h>

// Part of the mean diagonal that is added to the complement, so that constraints that repeat or contradict
// each other share what cannot be had. Above the rounding of the columns, which come from float solves; what
// it leaves of an error is this part of it.
#define GEL_SCHUR_REGULARIZATION 1.0e-5

// Drift below this part of the body's size is rounding.
#define GEL_DRIFT_TOLERANCE 1.0e-7f

/// What a cached column belongs to.
typedef struct gelSchurKey
{
	const void* factor; // NULL: nothing
	uint32_t node[4];
	float freeWeight[4];
} gelSchurKey;

struct gelSchur
{
	int pointCapacity;
	size_t columnLength;   // floats
	float* columns;        // per slot of the set: A^-1 w, in the order of rows
	gelSchurKey* keys;     // per slot of the set
	uint32_t ( *rows )[4]; // per slot of the set: rows of its nodes; 0 where the weight is 0
	gelVec3* rho;          // A^-1 M r, in the order of rows
	gelVec3* arms;         // r of nodes about the center of mass, in the order of rows
	double* pending;       // per row: impulses of the last filter
	double* drift;         // per row: impulses against the drift
	bool isActive;         // in this step
	bool hasDrift;
	bool canTurn;
	double invInertia[9];
	double Q[9];
	// per point
	gelVec3 *pointArms, *pointRhos;
};

gelSchur* gelSchur_LayOut( gelArena* arena, const gelAsset* asset, int pointCapacity )
{
	GEL_ASSERT( pointCapacity > 0 );
	size_t n = (size_t)asset->nodeCount, count = (size_t)pointCapacity;
	gelSchur part = { .pointCapacity = pointCapacity, .columnLength = ( n + 15 ) & ~(size_t)15 };
	gelSchur* schur = gelArena_Take( arena, 1, sizeof( gelSchur ) );
	part.columns = gelArena_Take( arena, count * part.columnLength, sizeof( float ) );
	part.keys = gelArena_Take( arena, count, sizeof( gelSchurKey ) );
	part.rows = gelArena_Take( arena, count, sizeof( *part.rows ) );
	part.rho = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.arms = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.pending = gelArena_Take( arena, 3 * count, sizeof( double ) );
	part.drift = gelArena_Take( arena, 3 * count, sizeof( double ) );
	part.pointArms = gelArena_Take( arena, count, sizeof( gelVec3 ) );
	part.pointRhos = gelArena_Take( arena, count, sizeof( gelVec3 ) );
	if ( schur != NULL ) *schur = part;
	return schur;
}

// ---- columns -------------------------------------------------------------------------------------------

static gelSchurKey MakeKey( const gelBody* body, const gelConstraintPoint* point )
{
	gelSchurKey key;
	memset( &key, 0, sizeof( key ) );
	key.factor = body->factor.header;
	memcpy( key.node, point->node, sizeof( key.node ) );
	memcpy( key.freeWeight, point->freeWeight, sizeof( key.freeWeight ) );
	return key;
}

// Solves for the columns of up to three points at once, as x, y and z.
static void SolveColumns( gelBody* body, const int* points, int count )
{
	GEL_ASSERT( count >= 1 );
	gelConstraintSet* set = body->constraints;
	gelSchur* schur = set->schur;
	uint32_t n = body->factor.header->n;
	for ( int c = 0; c < count; ++c )
		memset( schur->rows[set->points[points[c]].slot], 0, sizeof( *schur->rows ) );
	memset( body->y, 0, ( (size_t)n + 1 ) * sizeof( gelVec4 ) );
	float* y = &body->y->x;
	for ( uint32_t row = 0; row < n; ++row )
	{
		uint32_t node = body->factor.perm[row];
		for ( int c = 0; c < count; ++c )
		{
			const gelConstraintPoint* point = set->points + points[c];
			for ( int k = 0; k < 4; ++k )
			{
				if ( point->node[k] != node || point->freeWeight[k] == 0.0f ) continue;
				y[4 * (size_t)row + (size_t)c] += point->freeWeight[k];
				schur->rows[point->slot][k] = row;
			}
		}
	}
	gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
	for ( int c = 0; c < count; ++c )
	{
		const gelConstraintPoint* point = set->points + points[c];
		float* column = schur->columns + (size_t)point->slot * schur->columnLength;
		for ( uint32_t row = 0; row < n; ++row )
			column[row] = y[4 * (size_t)row + (size_t)c];
		schur->keys[point->slot] = MakeKey( body, point );
	}
}

static void UpdateColumns( gelBody* body )
{
	gelConstraintSet* set = body->constraints;
	int missing[3], count = 0;
	for ( int i = 0; i < set->pointCount; ++i )
	{
		gelSchurKey key = MakeKey( body, set->points + i );
		if ( memcmp( &key, set->schur->keys + set->points[i].slot, sizeof( key ) ) != 0 )
			missing[count++] = i;
		if ( count == 3 || ( count > 0 && i == set->pointCount - 1 ) )
		{
			SolveColumns( body, missing, count );
			count = 0;
		}
	}
}

// ---- the free turn ---------------------------------------------------------------------------------------

static gelVec3 MulDouble( const double m[9], gelVec3 a )
{
	return ( gelVec3 ){ (float)( m[0] * a.x + m[1] * a.y + m[2] * a.z ),
		(float)( m[3] * a.x + m[4] * a.y + m[5] * a.z ), (float)( m[6] * a.x + m[7] * a.y + m[8] * a.z ) };
}

// Arms of nodes and points, rho, Q.
static void UpdateTurn( gelBody* body, const gelVec3* x )
{
	gelSchur* schur = body->constraints->schur;
	gelContactResponse response = gelMakeContactResponse( body, x );
	schur->canTurn = response.canTurn;
	if ( !schur->canTurn ) return;
	memcpy( schur->invInertia, response.invInertia, sizeof( schur->invInertia ) );
	const gelPackMass* masses = body->asset->pack.masses;
	gelVec3 center = { (float)response.center[0], (float)response.center[1], (float)response.center[2] };
	uint32_t n = body->factor.header->n;
	for ( uint32_t row = 0; row < n; ++row )
	{
		uint32_t node = body->factor.perm[row];
		schur->arms[row] = gelSub( x[node], center );
		body->y[row] = gelMakeVec4( gelScale( masses[node].mass, schur->arms[row] ), 0.0f );
	}
	gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
	double q[9] = { 0.0 }, trace = 0.0;
	for ( uint32_t row = 0; row < n; ++row )
	{
		gelVec3 rho = schur->rho[row] = gelXyz( body->y[row] ), r = schur->arms[row];
		double m = masses[body->factor.perm[row]].mass;
		const double a[3] = { rho.x, rho.y, rho.z }, b[3] = { r.x, r.y, r.z };
		trace += m * ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] );
		for ( int k = 0; k < 9; ++k )
			q[k] -= m * a[k / 3] * b[k % 3];
	}
	q[0] += trace;
	q[4] += trace;
	q[8] += trace;
	memcpy( schur->Q, q, sizeof( q ) );
}

// Values at a point from values by row.
static gelVec3 GetAtPoint( const gelConstraintSet* set, int index, const gelVec3* values )
{
	GEL_ASSERT( index >= 0 && index < set->pointCount );
	const gelConstraintPoint* point = set->points + index;
	const uint32_t* rows = set->schur->rows[point->slot];
	gelVec3 sum = gelScale( point->freeWeight[0], values[rows[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->freeWeight[k], values[rows[k]] );
	return sum;
}

// ---- the complement --------------------------------------------------------------------------------------

// a_ij: the column of point j at point i.
static double GetColumnAt( const gelConstraintSet* set, int i, int j )
{
	GEL_ASSERT( i >= 0 && i < set->pointCount && j >= 0 && j < set->pointCount );
	const gelConstraintPoint* point = set->points + i;
	const uint32_t* rows = set->schur->rows[point->slot];
	const float* column = set->schur->columns + (size_t)set->points[j].slot * set->schur->columnLength;
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)point->freeWeight[k] * column[rows[k]];
	return sum;
}

// Turn of an impulse f at point j: t, and t - l.
static void GetTurns(
	const gelSchur* schur, gelVec3 torque, gelVec3 rhoTorque, gelVec3* outT, gelVec3* outFree )
{
	*outT = MulDouble( schur->invInertia, torque );
	gelVec3 l = MulDouble( schur->invInertia, gelSub( rhoTorque, MulDouble( schur->Q, *outT ) ) );
	*outFree = gelSub( *outT, l );
}

// Rows of points i >= j in the columns of point j.
static void FillColumns( const gelConstraintSet* set, int j, double* matrix )
{
	GEL_ASSERT( j >= 0 && j < set->pointCount );
	const gelSchur* schur = set->schur;
	const gelConstraintPoint* from = set->points + j;
	for ( int b = 0; b < from->rowCount; ++b )
	{
		gelVec3 f = from->axis[b], t = { 0.0f, 0.0f, 0.0f }, free = t;
		if ( schur->canTurn )
			GetTurns(
				schur, gelCross( schur->pointArms[j], f ), gelCross( schur->pointRhos[j], f ), &t, &free );
		for ( int i = j; i < set->pointCount; ++i )
		{
			const gelConstraintPoint* to = set->points + i;
			float a = (float)GetColumnAt( set, i, j );
			gelVec3 move = gelScale( a, f );
			if ( schur->canTurn )
			{
				move = gelSub( move, gelCross( t, schur->pointRhos[i] ) );
				move = gelAdd( move, gelCross( free, schur->pointArms[i] ) );
			}
			for ( int k = 0; k < to->rowCount; ++k )
			{
				int row = to->rowFirst + k, column = from->rowFirst + b;
				if ( row < column ) continue;
				matrix[row * set->rowCount + column] =
					(double)gelDot( to->axis[k], move ) + gelConstraintRows_GetCompliance( set, row, column );
			}
		}
	}
}

static void FactorComplement( gelConstraintSet* set )
{
	int count = set->rowCount;
	for ( int j = 0; j < set->pointCount; ++j )
		FillColumns( set, j, set->matrix );
	double trace = 0.0;
	for ( int i = 0; i < count; ++i )
		trace += set->matrix[i * count + i];
	double least = GEL_SCHUR_REGULARIZATION * trace / count;
	for ( int i = 0; i < count; ++i )
		set->matrix[i * count + i] += least;
	gelFactorDense( set->matrix, count, 0.1 * least );
}

// ---- answers ---------------------------------------------------------------------------------------------

// values += B H^T s, in the order of rows.
static void AddAnswer( const gelBody* body, const double* s, gelVec3* values, const uint32_t* nodes )
{
	const gelConstraintSet* set = body->constraints;
	const gelSchur* schur = set->schur;
	gelVec3 torque = { 0.0f, 0.0f, 0.0f }, rhoTorque = torque, t = torque, free = torque;
	const float* columns[GEL_MAX_CONSTRAINTS];
	double f[GEL_MAX_CONSTRAINTS][3];
	for ( int i = 0; i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		columns[i] = schur->columns + (size_t)point->slot * schur->columnLength;
		f[i][0] = f[i][1] = f[i][2] = 0.0;
		for ( int k = 0; k < point->rowCount; ++k )
		{
			f[i][0] += s[point->rowFirst + k] * point->axis[k].x;
			f[i][1] += s[point->rowFirst + k] * point->axis[k].y;
			f[i][2] += s[point->rowFirst + k] * point->axis[k].z;
		}
		gelVec3 force = { (float)f[i][0], (float)f[i][1], (float)f[i][2] };
		torque = gelAdd( torque, gelCross( schur->pointArms[i], force ) );
		rhoTorque = gelAdd( rhoTorque, gelCross( schur->pointRhos[i], force ) );
	}
	if ( schur->canTurn ) GetTurns( schur, torque, rhoTorque, &t, &free );
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
	{
		double sum[3] = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < set->pointCount; ++i )
		{
			double a = columns[i][row];
			sum[0] += a * f[i][0];
			sum[1] += a * f[i][1];
			sum[2] += a * f[i][2];
		}
		gelVec3 move = { (float)sum[0], (float)sum[1], (float)sum[2] };
		if ( schur->canTurn )
		{
			move = gelSub( move, gelCross( t, schur->rho[row] ) );
			move = gelAdd( move, gelCross( free, schur->arms[row] ) );
		}
		gelVec3* to = values + ( nodes ? nodes[row] : row );
		*to = gelAdd( *to, move );
	}
}

static void SolveDrift( gelConstraintSet* set, float tolerance )
{
	gelSchur* schur = set->schur;
	schur->hasDrift = false;
	for ( int i = 0; i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		schur->hasDrift = schur->hasDrift || gelLength( point->drift ) > tolerance;
		for ( int k = 0; k < point->rowCount; ++k )
			schur->drift[point->rowFirst + k] = (double)gelDot( point->axis[k], point->drift );
	}
	if ( schur->hasDrift ) gelSolveDense( set->matrix, set->rowCount, schur->drift );
}

static bool IsActive( const gelConstraintSet* set )
{
	return set != NULL && set->schur != NULL && set->schur->isActive;
}

void gelSchur_Solve( gelBody* body, float h, gelVec3* x )
{
	GEL_ASSERT( h > 0.0f );
	gelConstraintSet* set = body->constraints;
	if ( set == NULL || set->schur == NULL ) return;
	gelSchur* schur = set->schur;
	schur->isActive = gelConstraintRows_Prepare( body, h );
	if ( !schur->isActive ) return;
	UpdateColumns( body );
	UpdateTurn( body, x );
	for ( int i = 0; i < set->pointCount; ++i )
	{
		schur->pointArms[i] = GetAtPoint( set, i, schur->arms );
		schur->pointRhos[i] = GetAtPoint( set, i, schur->rho );
	}
	FactorComplement( set );
	for ( int row = 0; row < set->rowCount; ++row )
		set->impulses[row] = gelConstraintRows_GetError( body, row, x, false );
	gelSolveDense( set->matrix, set->rowCount, set->impulses );
	AddAnswer( body, set->impulses, x, body->factor.perm );
	SolveDrift( set, GEL_DRIFT_TOLERANCE * body->asset->restSize );
}

void gelSchur_Filter( gelBody* body, gelVec3* displacements )
{
	gelConstraintSet* set = body->constraints;
	if ( !IsActive( set ) ) return;
	gelSchur* schur = set->schur;
	for ( int i = 0; i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		gelVec3 move = GetAtPoint( set, i, displacements );
		for ( int k = 0; k < point->rowCount; ++k )
			schur->pending[point->rowFirst + k] = -(double)gelDot( point->axis[k], move );
	}
	gelSolveDense( set->matrix, set->rowCount, schur->pending );
	AddAnswer( body, schur->pending, displacements, NULL );
}

void gelSchur_Accept( gelBody* body, float scale )
{
	GEL_ASSERT( scale >= 0.0f );
	gelConstraintSet* set = body->constraints;
	if ( !IsActive( set ) ) return;
	for ( int row = 0; row < set->rowCount; ++row )
		set->impulses[row] += (double)scale * set->schur->pending[row];
}

void gelSchur_Finish( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelConstraintSet* set = body->constraints;
	if ( !IsActive( set ) ) return;
	if ( set->schur->hasDrift && !body->wasPutBack )
		AddAnswer( body, set->schur->drift, body->x, body->factor.perm );
	gelConstraintRows_FinishImpulses( body, h );
	set->schur->isActive = false;
}
