// SPDX-License-Identifier: MIT
#include "rigid_start.h"

#include "constraint_rows.h"
#include "dense_factor.h"
#include "double_math.h"
#include "implicit.h"

#include <float.h>
#include <string.h>

#define N GEL_RIGID_MODES

// A turn per step that is worth it [rad]: the square of a smaller one is lost in float.
#define GEL_LEAST_TURN 1.0e-3

// Iterations on the pose: each leaves about the square of the turn, times what the one before left.
#define GEL_POSE_STEPS     12
#define GEL_POSE_TOLERANCE 1.0e-9 // [rad]

// Weight of what is held against the mass of the body: a hair's breadth of error, which the step corrects.
#define GEL_HOLD_WEIGHT 1.0e6

// What the nodes contribute to the pose: sums over all of them with the masses M' = ( 1 + a h ) M of the
// step.
typedef struct gelRigidSums
{
	double mass;
	gelVec3d center; // of M', at x^n [m]
	gelVec3d mean;   // wanted displacement [m]
	gelMat3d spread; // sum of m r r^T [kg m^2], r from the centre
	gelMat3d wanted; // sum of m r ( r + wanted displacement )^T
} gelRigidSums;

// x = center + move + turn ( x^n - center )
typedef struct gelRigidPose
{
	gelVec3d move;
	double q[4]; // vector part first
	gelMat3d turn, inverse;
} gelRigidPose;

// Normal equations of one iteration; translations first.
typedef struct gelPoseSystem
{
	double matrix[N * N];
	double rhs[N];
} gelPoseSystem;

// m' times the displacement that node i would make without its neighbours [kg m].
static gelVec3d GetPush( const gelBody* body, const gelStepContext* ctx, int i )
{
	double h = ctx->h, m = body->asset->pack.masses[i].mass;
	gelVec3d push = gelScaleD( h * m, gelToDouble( body->v[i] ) );
	push = gelMulAddD( push, h * h * m, gelToDouble( ctx->gravity ) );
	return gelMulAddD( push, h * h, gelToDouble( body->forces[i] ) );
}

static gelRigidSums SumNodes( const gelBody* body, const gelStepContext* ctx )
{
	const float* masses = body->implicit->masses;
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
	return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// M' ( mean - move ), and the torque of what nodes want; the inertia of the turned body.
static void AddInertia( const gelRigidSums* sums, const gelRigidPose* pose, gelPoseSystem* system )
{
	gelVec3d push = gelScaleD( sums->mass, gelSubD( sums->mean, pose->move ) );
	gelVec3d torque = gelScaleD( -1.0, gelAxialD( gelMulMMD( pose->turn, sums->wanted ) ) );
	gelMat3d spread = gelMulMMD( gelMulMMD( pose->turn, sums->spread ), pose->inverse );
	const gelVec3d* columns = &spread.cx;
	for ( int k = 0; k < 3; ++k )
	{
		system->rhs[k] += GetEntry( push, k );
		system->rhs[3 + k] += GetEntry( torque, k );
		system->matrix[N * k + k] += sums->mass;
		for ( int j = 0; j < 3; ++j )
			system->matrix[N * ( 3 + k ) + 3 + j] -= GetEntry( columns[j], k );
		system->matrix[N * ( 3 + k ) + 3 + k] += gelTraceD( spread );
	}
}

// A row that is held: as if by a spring that is far stiffer than the step needs.
static void AddHeldRow( const double row[N], double weight, double error, gelPoseSystem* system )
{
	for ( int i = 0; i < N; ++i )
	{
		system->rhs[i] += weight * row[i] * error;
		for ( int j = 0; j < N; ++j )
			system->matrix[N * i + j] += weight * row[i] * row[j];
	}
}

// What a pose does along an axis at a point with this arm and weight: the row of its derivatives.
// @return how far the point moves along the axis
static double MakeRow( const gelRigidPose* pose, gelVec3d arm, double weight, gelVec3 axis, double out[N] )
{
	gelVec3d a = gelToDouble( axis ), turned = gelMulMVD( pose->turn, arm ), side = gelCrossD( turned, a );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = weight * GetEntry( a, k );
		out[3 + k] = GetEntry( side, k );
	}
	return gelDotD( a, gelMulAddD( gelSubD( turned, arm ), weight, pose->move ) );
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
			double row[N];
			gelVec3 axis = ( &axes.cx )[k];
			double error = gelDotDouble( axis, wanted ) - MakeRow( pose, arm, 1.0, axis, row );
			AddHeldRow( row, weight, error, system );
		}
	}
}

// Derivatives of a row of a constraint, and what it still wants.
static double MakeConstraintRow(
	const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose, int index, double out[N] )
{
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
	gelVec3 axis = gelGetRowAxis( set, index );
	return gelDotDouble( axis, point->wanted ) - MakeRow( pose, arm, weight, axis, out );
}

// matrix += J^T C^-1 J, rhs += J^T C^-1 e: the rows of a cluster pull at each other's frame. Column by
// column; the last one is e.
static void AddSoftCluster( const gelBody* body, const gelRigidSums* sums, const gelRigidPose* pose,
	const gelConstraintCluster* cluster, gelPoseSystem* system )
{
	const gelConstraintSet* set = body->constraints;
	double row[N + 1];
	for ( int j = 0; j <= N; ++j )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			row[N] = MakeConstraintRow( body, sums, pose, cluster->rowFirst + k, row );
			set->work[k] = row[j];
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			MakeConstraintRow( body, sums, pose, cluster->rowFirst + k, row );
			for ( int i = 0; i < N; ++i )
				*( j < N ? system->matrix + N * i + j : system->rhs + i ) += row[i] * set->work[k];
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
			double row[N], scale = set->rowScales[index];
			double error = MakeConstraintRow( body, sums, pose, index, row );
			AddHeldRow( row, GEL_HOLD_WEIGHT * sums->mass * scale * scale, error, system );
		}
	}
}

// @return whether the iterations have come to an end
static bool FindPose( const gelBody* body, const gelRigidSums* sums, gelRigidPose* pose )
{
	*pose = ( gelRigidPose ){ .move = sums->mean, .q = { 0.0, 0.0, 0.0, 1.0 } };
	TurnPose( pose, ( gelVec3d ){ 0.0, 0.0, 0.0 } );
	for ( int i = 0; i < GEL_POSE_STEPS; ++i )
	{
		gelPoseSystem system = { 0 };
		AddInertia( sums, pose, &system );
		AddPins( body, sums, pose, &system );
		if ( body->implicit->hasConstraints ) AddConstraints( body, sums, pose, &system );
		gelFactorDense( system.matrix, N, DBL_MIN );
		gelSolveDense( system.matrix, N, system.rhs );
		const double* d = system.rhs;
		gelVec3d turn = { d[3], d[4], d[5] };
		pose->move = gelAddD( pose->move, ( gelVec3d ){ d[0], d[1], d[2] } );
		TurnPose( pose, turn );
		if ( gelDotD( turn, turn ) < GEL_POSE_TOLERANCE * GEL_POSE_TOLERANCE ) return true;
	}
	return false;
}

bool gelStartRigid( gelBody* body, const gelStepContext* ctx )
{
	gelImplicit* implicit = body->implicit;
	gelRigidSums sums = SumNodes( body, ctx );
	gelRigidPose pose;
	if ( !FindPose( body, &sums, &pose ) ) return false; // NaN too
	const double* q = pose.q;
	double sine2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
	if ( sine2 < 0.25 * GEL_LEAST_TURN * GEL_LEAST_TURN ) return false;
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
	gelQuat turn = { { (float)q[0], (float)q[1], (float)q[2] }, (float)q[3] };
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
		body->q[slot] = gelMulQuat( turn, body->q[slot] );
	return true;
}

void gelKeepMomentum( gelBody* body, const gelStepContext* ctx )
{
	gelImplicit* implicit = body->implicit;
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
