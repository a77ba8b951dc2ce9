// SPDX-License-Identifier: MIT
#include "constraints/constraint_rows.h"

#include "core/forest.h"

#include <string.h>

// A target that jumps further than this many body sizes in one step was put elsewhere, not moved.
#define GEL_JUMP_SIZES 10.0f

// Part of the drift that is taken back per step.
#define GEL_DRIFT_RATE 0.3f

// Part of the last force of an attachment that the next step expects. Below 1, so that attachments that
// contradict each other do not pull harder and harder.
#define GEL_EXPECTED_FORCE 0.95f

// Springs of iterative solvers are at most this many times as stiff as what moves the whole body to its
// target within one step. One that carries the body gives way by this part of h^2 g, 3 um at 1/60 s; what is
// stiffer only spoils the linear system, whose entries are floats.
#define GEL_MAX_SPRING 1000.0f

static gelVec3 LimitLength( gelVec3 a, float limit )
{
	GEL_ASSERT( limit >= 0.0f );
	float length = gelLength( a );
	return length > limit ? gelScale( limit / length, a ) : a;
}

// Two unit vectors that make an orthogonal frame with a unit vector.
static void FindNormals( gelVec3 a, gelVec3 out[2] )
{
	GEL_ASSERT( fabsf( gelLengthSquared( a ) - 1.0f ) < 1.0e-2f );
	gelVec3 other = { 0.0f, 0.0f, 0.0f };
	if ( fabsf( a.x ) <= fabsf( a.y ) && fabsf( a.x ) <= fabsf( a.z ) )
		other.x = 1.0f;
	else if ( fabsf( a.y ) <= fabsf( a.z ) )
		other.y = 1.0f;
	else
		other.z = 1.0f;
	gelVec3 side = gelCross( a, other );
	out[0] = gelScale( 1.0f / gelLength( side ), side );
	out[1] = gelCross( a, out[0] );
}

static void SetAxes( gelConstraintPoint* point, gelConstraintKind kind, gelVec3 axis )
{
	point->rowCount = kind == gel_constraintLine ? 2 : kind == gel_constraintPlane ? 1 : 3;
	gelMat3 identity = gelIdentity();
	point->axis[0] = kind == gel_constraintPlane ? axis : identity.cx;
	point->axis[1] = identity.cy;
	point->axis[2] = identity.cz;
	if ( kind == gel_constraintLine ) FindNormals( axis, point->axis );
}

// What the pinned corners move, as their targets say.
static gelVec3 GetPinnedMove( const gelBody* body, const gelConstraintPoint* point )
{
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		if ( body->invMasses[point->node[k]] > 0.0f ) continue;
		for ( int i = 0; i < body->pinCount; ++i )
		{
			if ( body->pins[i] != point->node[k] ) continue;
			gelVec3 step = gelSub( body->pinTargets[i], body->xOld[point->node[k]] );
			move = gelMulAdd( move, point->weight[k], step );
		}
	}
	return move;
}

// Motion of the target over the step, and how far the point is off at its start. Differences are taken in
// double: both are small against places in the world.
static void SetWanted(
	const gelBody* body, const gelConstraintSlot* slot, float h, gelConstraintPoint* point )
{
	GEL_ASSERT( h > 0.0f && slot->kind != 0 );
	const gelConstraintSet* set = body->constraints;
	double target[3];
	gelConstraintSet_GetTarget( set, slot, target );
	gelVec3 start = gelInterpolate( point->node, point->weight, body->xOld );
	const double* o = body->origin;
	gelVec3 motion = { (float)( target[0] - slot->previous[0] ), (float)( target[1] - slot->previous[1] ),
		(float)( target[2] - slot->previous[2] ) };
	gelVec3 whole = { (float)( target[0] - o[0] - (double)start.x ),
		(float)( target[1] - o[1] - (double)start.y ), (float)( target[2] - o[2] - (double)start.z ) };
	if ( gelLength( motion ) > GEL_JUMP_SIZES * body->asset->restSize )
		motion = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	gelVec3 pinned = GetPinnedMove( body, point );

	if ( slot->kind == gel_constraintSpring + 1 )
	{
		// s = h^2 k ( target - p ) + h c ( motion - ( p - start ) ) = ( wanted - ( p - start ) ) / softness
		float k = h * h * slot->stiffness, c = h * slot->damping;
		point->softness = 1.0f / ( k + c );
		if ( body->solver->constraintForm == gel_constraintsByProjection )
			point->softness = fmaxf( point->softness, 1.0f / ( GEL_MAX_SPRING * body->asset->mass ) );
		gelVec3 wanted = gelAdd( gelScale( k / ( k + c ), whole ), gelScale( c / ( k + c ), motion ) );
		point->wanted = gelSub( wanted, pinned );
		return;
	}
	float limit = body->asset->maxVolumeMoves[slot->tet]; // half the shortest rest edge
	point->wanted = gelSub( motion, pinned );
	point->drift = LimitLength( gelScale( GEL_DRIFT_RATE, gelSub( whole, motion ) ), limit );
}

// Softness gives way by itself times the impulse, in every step anew, and under a load that stays the anchor
// would leave its frame until the drift takes back as much. What the last force says that it will give is
// asked for in addition.
static void ExpectForce(
	const gelBody* body, const gelConstraintSlot* slot, float h, gelConstraintPoint* point )
{
	double softness = gelGetFrameSoftness( body, point );
	gelVec3 given = gelScale( (float)( softness * h * h ) * GEL_EXPECTED_FORCE, slot->force );
	point->wanted = gelAdd( point->wanted, LimitLength( given, body->asset->restSize ) );
}

static bool MakePoint( const gelBody* body, int index, float h, gelConstraintPoint* point )
{
	GEL_ASSERT( index >= 0 && index < body->constraints->capacity && h > 0.0f );
	const gelConstraintSet* set = body->constraints;
	const gelConstraintSlot* slot = set->slots + index;
	if ( slot->kind == 0 ) return false;
	*point = ( gelConstraintPoint ){ .slot = index, .frame = -1, .cluster = -1 };
	float norm2 = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		point->node[k] = body->asset->pack.tets[slot->tet].node[k];
		point->weight[k] = slot->weight[k];
		point->freeWeight[k] = body->invMasses[point->node[k]] > 0.0f ? slot->weight[k] : 0.0f;
		norm2 += point->freeWeight[k] * point->freeWeight[k];
	}
	if ( norm2 < 1.0e-12f ) return false;
	gelVec3 axis = slot->axis;
	if ( slot->frame1 > 0 )
	{
		const gelFrameSlot* frame = set->frames + slot->frame1 - 1;
		axis = gelRotateByMatrix( frame->rotation, axis );
		point->arm = gelConstraintSet_GetArm( set, slot );
		if ( frame->invMass > 0.0f ) point->frame = (int)slot->frame1 - 1;
	}
	SetAxes( point, (gelConstraintKind)( slot->kind - 1 ), axis );
	SetWanted( body, slot, h, point );
	bool isProjected = body->solver->constraintForm == gel_constraintsByProjection;
	if ( isProjected && point->frame >= 0 && point->softness == 0.0f ) ExpectForce( body, slot, h, point );
	return true;
}

static bool IsSoft( const gelConstraintPoint* point )
{
	return point->softness > 0.0f || point->frame >= 0;
}

static bool AreConnected( const gelConstraintPoint* a, const gelConstraintPoint* b )
{
	if ( IsSoft( a ) != IsSoft( b ) ) return false;
	if ( IsSoft( a ) ) return a->frame >= 0 && a->frame == b->frame;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			if ( a->node[i] == b->node[j] && a->freeWeight[i] != 0.0f && b->freeWeight[j] != 0.0f )
				return true;
		}
	}
	return false;
}

// Gives every point the number of its cluster, in the order of their first points.
static int FindClusters( gelConstraintPoint* points, int count )
{
	GEL_ASSERT( count >= 0 );
	gelForest forest = { &points->cluster, sizeof( gelConstraintPoint ) };
	for ( int i = 0; i < count; ++i )
	{
		points[i].cluster = (uint32_t)i;
		for ( int j = 0; j < i; ++j )
		{
			if ( AreConnected( points + i, points + j ) ) gelForest_Join( forest, (uint32_t)i, (uint32_t)j );
		}
	}
	uint32_t clusterCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		// the points before have their numbers already, and a parent always comes before
		uint32_t parent = points[i].cluster;
		points[i].cluster = parent == (uint32_t)i ? clusterCount++ : points[parent].cluster;
	}
	return (int)clusterCount;
}

// Stable insertion sort by cluster.
static void SortByCluster( gelConstraintPoint* points, int count )
{
	for ( int i = 1; i < count; ++i )
	{
		gelConstraintPoint point = points[i];
		int k = i;
		for ( ; k > 0 && points[k - 1].cluster > point.cluster; --k )
			points[k] = points[k - 1];
		points[k] = point;
	}
}

// Lists the nodes of the clusters; points are sorted by cluster.
static void ListNodes( gelConstraintSet* set )
{
	GEL_ASSERT( set->pointCount <= set->capacity && set->rowCount <= 3 * set->capacity );
	int used = 0;
	for ( int i = 0; i < set->pointCount; ++i )
	{
		gelConstraintPoint* point = set->points + i;
		gelConstraintCluster* cluster = set->clusters + point->cluster;
		if ( cluster->nodeCount == 0 ) cluster->nodeFirst = used;
		for ( int k = 0; k < 4; ++k )
		{
			int at = cluster->nodeFirst;
			while ( at < used && set->nodes[at] != point->node[k] )
				++at;
			if ( at == used ) set->nodes[used++] = point->node[k];
			point->listed[k] = at;
		}
		cluster->nodeCount = used - cluster->nodeFirst;
	}
}

bool gelConstraintRows_Prepare( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelConstraintSet* set = body->constraints;
	if ( set == NULL || set->rowMemory == NULL ) return false;
	set->pointCount = set->clusterCount = set->rowCount = 0;
	for ( int i = 0; i < set->capacity; ++i )
		set->pointCount += MakePoint( body, i, h, set->points + set->pointCount );
	if ( set->pointCount == 0 ) return false;
	set->clusterCount = FindClusters( set->points, set->pointCount );
	SortByCluster( set->points, set->pointCount );
	memset( set->clusters, 0, (size_t)set->clusterCount * sizeof( gelConstraintCluster ) );
	for ( int i = 0; i < set->pointCount; ++i )
	{
		gelConstraintPoint* point = set->points + i;
		gelConstraintCluster* cluster = set->clusters + point->cluster;
		if ( cluster->rowCount == 0 ) cluster->rowFirst = set->rowCount;
		cluster->isSoft = IsSoft( point );
		cluster->rowCount += point->rowCount;
		point->rowFirst = set->rowCount;
		float norm2 = 0.0f;
		for ( int k = 0; k < 4; ++k )
			norm2 += point->freeWeight[k] * point->freeWeight[k];
		for ( int k = 0; k < point->rowCount; ++k, ++set->rowCount )
		{
			set->rowPoints[set->rowCount] = i;
			set->rowScales[set->rowCount] = cluster->isSoft ? 1.0 : 1.0 / sqrt( (double)norm2 );
			set->impulses[set->rowCount] = 0.0;
		}
	}
	ListNodes( set );
	return true;
}

double gelConstraintRows_GetError( const gelBody* body, int row, const gelVec3* x, bool withDrift )
{
	GEL_ASSERT( row >= 0 && row < body->constraints->rowCount );
	const gelConstraintSet* set = body->constraints;
	const gelConstraintPoint* point = set->points + set->rowPoints[row];
	gelVec3 axis = gelGetRowAxis( set, row );
	double error =
		gelDotDouble( axis, point->wanted ) + ( withDrift ? gelDotDouble( axis, point->drift ) : 0.0 );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = point->node[k];
		error -= (double)point->freeWeight[k] * gelDotDouble( axis, gelSub( x[node], body->xOld[node] ) );
	}
	return error;
}

// axis_a^T ( 1 / M - [r_a]x I^-1 [r_b]x ) axis_b: how an impulse at one anchor moves another.
static double GetFrameCompliance(
	const gelFrameSlot* frame, gelVec3 armA, gelVec3 axisA, gelVec3 armB, gelVec3 axisB )
{
	GEL_ASSERT( frame->isUsed && frame->invMass > 0.0f );
	gelMat3 R = gelMakeMat3FromQuat( frame->rotation );
	gelVec3 a = gelCross( armA, axisA ), b = gelCross( armB, axisB );
	gelVec3 inv = frame->invInertia;
	return (double)frame->invMass * gelDotDouble( axisA, axisB ) +
		(double)inv.x * gelDotDouble( R.cx, a ) * gelDotDouble( R.cx, b ) +
		(double)inv.y * gelDotDouble( R.cy, a ) * gelDotDouble( R.cy, b ) +
		(double)inv.z * gelDotDouble( R.cz, a ) * gelDotDouble( R.cz, b );
}

double gelConstraintRows_GetCompliance( const gelConstraintSet* set, int rowA, int rowB )
{
	GEL_ASSERT( rowA >= 0 && rowA < set->rowCount && rowB >= 0 && rowB < set->rowCount );
	const gelConstraintPoint *a = set->points + set->rowPoints[rowA], *b = set->points + set->rowPoints[rowB];
	double c = rowA == rowB ? (double)a->softness : 0.0;
	if ( a->frame < 0 || a->frame != b->frame ) return c;
	return c +
		GetFrameCompliance(
			set->frames + a->frame, a->arm, gelGetRowAxis( set, rowA ), b->arm, gelGetRowAxis( set, rowB ) );
}
