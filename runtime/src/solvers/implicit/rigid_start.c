// SPDX-License-Identifier: MIT
#include "solvers/implicit/rigid_start.h"

#include "constraints/constraint_rows.h"
#include "math/dense_factor.h"
#include "gelpack/math_double.h"
#include "solvers/implicit/implicit.h"

#include <float.h>
#include <string.h>

#define N GEL_RIGID_MODES

// A turn per step that is worth it [rad]: the square of a smaller one is lost in float.
#define GEL_LEAST_TURN 1.0e-3

// Iterations on the pose, which mostly takes three.
#define GEL_POSE_STEPS     12
#define GEL_POSE_TOLERANCE 1.0e-7 // [rad]
#define GEL_LEAST_SCALE    1.0e-3

// Pins that want something else than a rigid motion leave none to start from: where the nearest pose misses
// what they want by more than this part of the way that the turn takes the nodes.
#define GEL_MOST_MISS 0.1

// Weight of what is held against the mass of the body: a hair's breadth of error, which the step corrects.
#define GEL_HOLD_WEIGHT 1.0e6

// What the nodes contribute to the pose: sums over all of them with the masses M' = ( 1 + a h ) M of the
// step.
typedef struct gelRigidSums
{
	double mass;
	gelVec3d center; // center of M' at x^n [m]
	gelVec3d mean;   // wanted displacement [m]
	gelMat3d spread; // sum of m r r^T [kg m^2], r from the center
	gelMat3d wanted; // sum of m r ( r + wanted displacement )^T
} gelRigidSums;

// x = center + move + turn ( x^n - center )
typedef struct gelRigidPose
{
	gelVec3d move;
	double q[4]; // vector part first
	gelMat3d turn, inverse;
} gelRigidPose;

// What a pose is worth, and its first and second derivatives; translations come first.
typedef struct gelPoseSystem
{
	bool isHeld;          // by rows that are not soft
	double miss;          // largest error of these [m]
	double value;         // without these
	double rhs[N];        // minus the gradient
	double matrix[N * N]; // Hessian of Gauss and Newton, without negative eigenvalues
	gelMat3d bend;        // what Newton's has in addition, for turns
} gelPoseSystem;

// A direction that is held.
typedef struct gelPoseRow
{
	double d[N];        // derivatives of how far the point moves along the axis
	double error;       // what it still wants [m]
	gelVec3d axis, arm; // the latter as it is turned
} gelPoseRow;

// m' times the displacement that node i would make without its neighbors [kg m].
static gelVec3d GetPush( const gelBody* body, const gelStepContext* ctx, int i )
{
	GEL_ASSERT( i >= 0 && i < body->asset->nodeCount );
	double h = ctx->h, m = body->asset->pack.masses[i].mass;
	gelVec3d push = gelScaleD( h * m, gelToDouble( body->v[i] ) );
	push = gelMulAddD( push, h * h * m, gelToDouble( ctx->gravity ) );
	return gelMulAddD( push, h * h, gelToDouble( body->forces[i] ) );
}

static gelRigidSums SumNodes( const gelBody* body, const gelStepContext* ctx )
{
	const float* masses = gelGetImplicit( body )->masses;
	gelRigidSums sums = { 0 };
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n; ++i )
	{
		sums.mass += (double)masses[i];
		sums.center = gelMulAddD( sums.center, masses[i], gelToDouble( body->xOld[i] ) );
		sums.mean = gelAddD( sums.mean, GetPush( body, ctx, i ) );
	}
	sums.center = gelScaleD( 1.0 / sums.mass, sums.center );
	sums.mean = gelScaleD( 1.0 / sums.mass, sums.mean );
	for ( int i = 0; i < n; ++i )
	{
		gelVec3d r = gelSubD( gelToDouble( body->xOld[i] ), sums.center );
		gelVec3d weighted = gelScaleD( masses[i], r );
		sums.spread = gelAddOuterD( sums.spread, weighted, r );
		sums.wanted = gelAddOuterD( sums.wanted, r, gelAddD( weighted, GetPush( body, ctx, i ) ) );
	}
	return sums;
}

static gelMat3d MakeTurn( double x, double y, double z, double s )
{
	return ( gelMat3d ){
		{ 1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + s * z ), 2.0 * ( x * z - s * y ) },
		{ 2.0 * ( x * y - s * z ), 1.0 - 2.0 * ( x * x + z * z ), 2.0 * ( y * z + s * x ) },
		{ 2.0 * ( x * z + s * y ), 2.0 * ( y * z - s * x ), 1.0 - 2.0 * ( x * x + y * y ) },
	};
}

// q <- w q, for a turn by 2 atan( |w| / 2 ): no functions that differ between libraries.
static void TurnPose( gelRigidPose* pose, gelVec3d w )
{
	double* q = pose->q;
	gelVec3d a = gelScaleD( 0.5, w ), b = { q[0], q[1], q[2] };
	gelVec3d v = gelMulAddD( gelAddD( gelCrossD( a, b ), b ), q[3], a );
	double s = q[3] - gelDotD( a, b );
	double scale = 1.0 / sqrt( gelDotD( v, v ) + s * s );
	q[0] = scale * v.x;
	q[1] = scale * v.y;
	q[2] = scale * v.z;
	q[3] = scale * s;
	pose->turn = MakeTurn( q[0], q[1], q[2], q[3] );
	pose->inverse = MakeTurn( -q[0], -q[1], -q[2], q[3] );
}

static double GetEntry( gelVec3d a, int k )
{
	GEL_ASSERT( k >= 0 && k < 3 );
	return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// bend += ( a . b ) 1 - sym( a b^T )
static void AddBend( gelPoseSystem* system, double scale, gelVec3d a, gelVec3d b )
{
	double dot = scale * gelDotD( a, b );
	system->bend.cx.x += dot;
	system->bend.cy.y += dot;
	system->bend.cz.z += dot;
	system->bend = gelAddOuterD( system->bend, gelScaleD( -0.5 * scale, a ), b );
	system->bend = gelAddOuterD( system->bend, gelScaleD( -0.5 * scale, b ), a );
}

// sum of m |x - x~|^2 / 2 without what no pose changes: M' |mean - move|^2 / 2 - turn : wanted
static void AddInertia( const gelRigidSums* sums, const gelRigidPose* pose, gelPoseSystem* system )
{
	gelVec3d off = gelSubD( sums->mean, pose->move );
	gelMat3d pull = gelMulMMD( pose->turn, sums->wanted ); // sum of m a b^T, a where nodes are, b wanted
	gelMat3d spread = gelMulMMD( gelMulMMD( pose->turn, sums->spread ), pose->inverse );
	gelVec3d torque = gelScaleD( -1.0, gelAxialD( pull ) );
	system->value += 0.5 * sums->mass * gelDotD( off, off ) - gelTraceD( pull );
	const gelVec3d *columns = &spread.cx,
				   axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	for ( int k = 0; k < 3; ++k )
	{
		system->rhs[k] += sums->mass * GetEntry( off, k );
		system->rhs[3 + k] += GetEntry( torque, k );
		system->matrix[N * k + k] += sums->mass;
		for ( int j = 0; j < 3; ++j )
			system->matrix[N * ( 3 + k ) + 3 + j] -= GetEntry( columns[j], k );
		system->matrix[N * ( 3 + k ) + 3 + k] += gelTraceD( spread );
		AddBend( system, 1.0, ( &pull.cx )[k], axes[k] );
		AddBend( system, -1.0, columns[k], axes[k] );
	}
}

// As if by a spring that is far stiffer than the step needs. It bends nothing: on the way, errors are what
// tangents leave, and would bend more than the reaction of the held point does in the end.
static void AddHeldRow( const gelPoseRow* row, double weight, gelPoseSystem* system )
{
	GEL_ASSERT( weight >= 0.0 );
	system->isHeld = true;
	system->miss = fmax( system->miss, fabs( row->error ) );
	for ( int i = 0; i < N; ++i )
	{
		system->rhs[i] += weight * row->error * row->d[i];
		for ( int j = 0; j < N; ++j )
			system->matrix[N * i + j] += weight * row->d[i] * row->d[j];
	}
}

// Row for a point with this arm and weight, which is to move this far.
static gelPoseRow MakeRow(
	const gelRigidPose* pose, gelVec3d arm, double weight, gelVec3 axis, gelVec3 wanted )
{
	gelPoseRow row = { .axis = gelToDouble( axis ), .arm = gelMulMVD( pose->turn, arm ) };
	gelVec3d side = gelCrossD( row.arm, row.axis );
	for ( int k = 0; k < 3; ++k )
	{
		row.d[k] = weight * GetEntry( row.axis, k );
		row.d[3 + k] = GetEntry( side, k );
	}
	gelVec3d moved = gelMulAddD( gelSubD( row.arm, arm ), weight, pose->move );
	row.error = gelDotD( row.axis, gelSubD( gelToDouble( wanted ), moved ) );
	return row;
}

static void AddPins(
	const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose, gelPoseSystem* system )
{
	const gelMat3 axes = gelIdentity();
	double weight = GEL_HOLD_WEIGHT * sums->mass;
	for ( int i = 0; i < body->pinCount; ++i )
	{
		gelVec3 start = body->xOld[body->pins[i]];
		gelVec3 wanted = gelSub( body->pinTargets[i], start );
		gelVec3d arm = gelSubD( gelToDouble( start ), sums->center );
		for ( int k = 0; k < 3; ++k )
		{
			gelPoseRow row = MakeRow( pose, arm, 1.0, ( &axes.cx )[k], wanted );
			AddHeldRow( &row, weight, system );
		}
	}
}

static gelPoseRow MakeConstraintRow(
	const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose, int index )
{
	GEL_ASSERT( index >= 0 && index < body->constraints->rowCount );
	const gelConstraintSet* set = body->constraints;
	const gelConstraintPoint* point = set->points + set->rowPoints[index];
	gelVec3d arm = { 0.0, 0.0, 0.0 };
	double weight = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3d r = gelSubD( gelToDouble( body->xOld[point->node[k]] ), sums->center );
		arm = gelMulAddD( arm, point->freeWeight[k], r );
		weight += (double)point->freeWeight[k];
	}
	return MakeRow( pose, arm, weight, gelGetRowAxis( set, index ), point->wanted );
}

// e^T C^-1 e / 2 of a cluster: its rows pull at each other's frame. Column by column of the derivatives; the
// last one is e.
static void AddSoftCluster( const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose,
	const gelConstraintCluster* cluster, gelPoseSystem* system )
{
	const gelConstraintSet* set = body->constraints;
	for ( int j = 0; j <= N; ++j )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			gelPoseRow row = MakeConstraintRow( body, sums, pose, cluster->rowFirst + k );
			set->work[k] = j < N ? row.d[j] : row.error;
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			gelPoseRow row = MakeConstraintRow( body, sums, pose, cluster->rowFirst + k );
			for ( int i = 0; i < N; ++i )
				*( j < N ? system->matrix + N * i + j : system->rhs + i ) += row.d[i] * set->work[k];
			if ( j < N ) continue;
			system->value += 0.5 * row.error * set->work[k];
			AddBend( system, set->work[k], row.axis, row.arm );
		}
	}
}

static void AddConstraints(
	const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose, gelPoseSystem* system )
{
	const gelConstraintSet* set = body->constraints;
	for ( int i = 0; i < set->clusterCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + i;
		if ( cluster->isSoft ) AddSoftCluster( body, sums, pose, cluster, system );
		for ( int k = 0; k < cluster->rowCount && !cluster->isSoft; ++k )
		{
			int index = cluster->rowFirst + k;
			double scale = set->rowScales[index];
			gelPoseRow row = MakeConstraintRow( body, sums, pose, index );
			AddHeldRow( &row, GEL_HOLD_WEIGHT * sums->mass * scale * scale, system );
		}
	}
}

static gelPoseSystem MakePoseSystem( const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose )
{
	gelPoseSystem system = { 0 };
	AddInertia( sums, pose, &system );
	AddPins( body, sums, pose, &system );
	if ( gelGetImplicit( body )->hasConstraints ) AddConstraints( body, sums, pose, &system );
	return system;
}

// The step to take, in place of rhs: Newton's, or that of Gauss and Newton where his leads nowhere.
static void SolvePose( gelPoseSystem* system )
{
	double matrix[N * N];
	memcpy( matrix, system->matrix, sizeof( matrix ) );
	for ( int k = 0; k < 3; ++k )
	{
		for ( int j = 0; j < 3; ++j )
			matrix[N * ( 3 + k ) + 3 + j] += GetEntry( ( &system->bend.cx )[j], k );
	}
	gelFactorDense( matrix, N, DBL_MIN );
	for ( int k = 0; k < N; ++k )
	{
		if ( matrix[N * k + k] > 0.0 ) continue;
		gelFactorDense( system->matrix, N, DBL_MIN );
		gelSolveDense( system->matrix, N, system->rhs );
		return;
	}
	gelSolveDense( matrix, N, system->rhs );
}

static gelRigidPose MovePose( const gelRigidPose* pose, const double* d, double scale )
{
	gelRigidPose next = *pose;
	next.move = gelMulAddD( pose->move, scale, ( gelVec3d ){ d[0], d[1], d[2] } );
	TurnPose( &next, gelScaleD( scale, ( gelVec3d ){ d[3], d[4], d[5] } ) );
	return next;
}

// Steps that make the pose worse are halved until they do not. Not of held bodies, which have to go along
// curves: there, tangents are worse in any case, and the next step takes back what they leave.
// @return whether the iterations have come to an end, and the body turns enough for what its pins want
static bool FindPose( const gelBody* body, const gelRigidSums* sums, gelRigidPose* pose )
{
	*pose = ( gelRigidPose ){ .move = sums->mean, .q = { 0.0, 0.0, 0.0, 1.0 } };
	TurnPose( pose, ( gelVec3d ){ 0.0, 0.0, 0.0 } );
	gelPoseSystem system = MakePoseSystem( body, sums, pose );
	double turn = 0.0;
	for ( int i = 0; i < GEL_POSE_STEPS; ++i )
	{
		double value = system.value, d[N];
		SolvePose( &system );
		memcpy( d, system.rhs, sizeof( d ) );
		gelRigidPose next = MovePose( pose, d, 1.0 );
		system = MakePoseSystem( body, sums, &next );
		double scale = 0.5;
		for ( ; !system.isHeld && !( system.value <= value ) && scale > GEL_LEAST_SCALE; scale *= 0.5 )
		{
			next = MovePose( pose, d, scale );
			system = MakePoseSystem( body, sums, &next );
		}
		turn = sqrt( d[3] * d[3] + d[4] * d[4] + d[5] * d[5] );
		if ( scale <= GEL_LEAST_SCALE ) break;
		*pose = next;
		if ( turn < GEL_POSE_TOLERANCE ) break;
	}
	const double* q = pose->q;
	double sine2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
	double way = 2.0 * sqrt( sine2 * gelTraceD( sums->spread ) / sums->mass );
	return turn < GEL_LEAST_TURN && sine2 > 0.25 * GEL_LEAST_TURN * GEL_LEAST_TURN &&
		system.miss < GEL_MOST_MISS * way; // false for NaN
}

bool gelStartRigid( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	gelRigidSums sums = SumNodes( body, ctx );
	gelRigidPose pose;
	if ( !FindPose( body, &sums, &pose ) ) return false;
	gelMat3d change = pose.turn;
	change.cx.x -= 1.0;
	change.cy.y -= 1.0;
	change.cz.z -= 1.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3d r = gelSubD( gelToDouble( body->xOld[i] ), sums.center );
		gelVec3 moved = gelToFloat( gelAddD( pose.move, gelMulMVD( change, r ) ) );
		implicit->moved[i] = gelMakeVec4( moved, 0.0f );
		body->x[i] = gelAdd( body->xOld[i], moved );
	}
	const double* q = pose.q;
	gelQuat turn = { { (float)q[0], (float)q[1], (float)q[2] }, (float)q[3] };
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
		body->q[slot] = gelMulQuat( turn, body->q[slot] );
	return true;
}

void gelKeepMomentum( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelPackMass* masses = body->asset->pack.masses;
	double h = ctx->h, sum[3] = { 0.0, 0.0, 0.0 }, mass = 0.0;
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n; ++i )
	{
		double m = masses[i].mass, damped = implicit->masses[i];
		const gelVec3 *v = body->v + i, *f = body->forces + i;
		sum[0] += h * ( m * ( v->x + h * ctx->gravity.x ) + h * f->x ) - damped * implicit->moved[i].x;
		sum[1] += h * ( m * ( v->y + h * ctx->gravity.y ) + h * f->y ) - damped * implicit->moved[i].y;
		sum[2] += h * ( m * ( v->z + h * ctx->gravity.z ) + h * f->z ) - damped * implicit->moved[i].z;
		mass += damped;
	}
	gelVec3 t = { (float)( sum[0] / mass ), (float)( sum[1] / mass ), (float)( sum[2] / mass ) };
	for ( int i = 0; i < n; ++i )
		implicit->moved[i] = gelMakeVec4( gelAdd( gelXyz( implicit->moved[i] ), t ), 0.0f );
}
