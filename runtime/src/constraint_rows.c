// SPDX-License-Identifier: MIT
#include "constraint_rows.h"

#include <float.h>
#include <string.h>

// A target that jumps further than this many body sizes in one step was put elsewhere, not moved.
#define GEL_JUMP_SIZES 10.0f

// Part of the drift that is taken back per step.
#define GEL_DRIFT_RATE 0.3f

// Of the mean diagonal, added to G: duplicate rows become harmless.
#define GEL_REGULARIZATION 1.0e-8

// Attachments that move their frame are soft in iterative solvers by this part of the point's own inertia:
// several of them on one frame have a singular compliance.
#define GEL_FRAME_SOFTNESS 0.01

// ---- dense matrices ------------------------------------------------------------------------------------

void gelFactorDense( double* matrix, int count, double limit )
{
	for ( int i = 0; i < count; ++i )
	{
		double* rowI = matrix + (size_t)i * (size_t)count;
		for ( int j = 0; j <= i; ++j )
		{
			const double* rowJ = matrix + (size_t)j * (size_t)count;
			double sum = rowI[j];
			for ( int k = 0; k < j; ++k )
				sum -= rowI[k] * rowJ[k];
			if ( j < i )
				rowI[j] = sum * rowJ[j];
			else
				rowI[i] = sum > limit ? 1.0 / sqrt( sum ) : 0.0;
		}
	}
}

void gelSolveDense( const double* matrix, int count, double* y )
{
	for ( int i = 0; i < count; ++i )
	{
		const double* row = matrix + (size_t)i * (size_t)count;
		for ( int k = 0; k < i; ++k )
			y[i] -= row[k] * y[k];
		y[i] *= row[i];
	}
	for ( int i = count; i-- > 0; )
	{
		y[i] *= matrix[(size_t)i * (size_t)count + (size_t)i];
		for ( int k = 0; k < i; ++k )
			y[k] -= matrix[(size_t)i * (size_t)count + (size_t)k] * y[i];
	}
}

// ---- rows of this step ---------------------------------------------------------------------------------

static gelVec3 LimitLength( gelVec3 a, float limit )
{
	float length = gelLength( a );
	return length > limit ? gelScale( limit / length, a ) : a;
}

// Two unit vectors that make an orthogonal frame with a unit vector.
static void FindNormals( gelVec3 a, gelVec3 out[2] )
{
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
		gelVec3 wanted = gelAdd( gelScale( k / ( k + c ), whole ), gelScale( c / ( k + c ), motion ) );
		point->wanted = gelSub( wanted, pinned );
		return;
	}
	float limit = body->asset->maxVolumeMoves[slot->tet]; // half the shortest rest edge
	point->wanted = gelSub( motion, pinned );
	point->drift = LimitLength( gelScale( GEL_DRIFT_RATE, gelSub( whole, motion ) ), limit );
}

static bool MakePoint( const gelBody* body, int index, float h, gelConstraintPoint* point )
{
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
		axis = gelRotate( frame->rotation, axis );
		point->arm = gelConstraintSet_GetArm( set, slot );
		if ( frame->invMass > 0.0f ) point->frame = (int)slot->frame1 - 1;
	}
	SetAxes( point, (gelConstraintKind)( slot->kind - 1 ), axis );
	SetWanted( body, slot, h, point );
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

// Root of a point in the union-find forest that cluster[] is meanwhile; paths are halved on the way.
static int FindRoot( gelConstraintPoint* points, int i )
{
	while ( points[i].cluster != i )
		i = points[i].cluster = points[points[i].cluster].cluster;
	return i;
}

// Gives every point the number of its cluster, in the order of their first points.
static int FindClusters( gelConstraintPoint* points, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		points[i].cluster = i;
		for ( int j = 0; j < i; ++j )
		{
			if ( !AreConnected( points + i, points + j ) ) continue;
			int a = FindRoot( points, i ), b = FindRoot( points, j );
			points[a > b ? a : b].cluster = a > b ? b : a; // a root is the first point of its tree
		}
	}
	int clusterCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		// the points before have their numbers already, and a parent always comes before
		int parent = points[i].cluster;
		points[i].cluster = parent == i ? clusterCount++ : points[parent].cluster;
	}
	return clusterCount;
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

bool gelConstraintRows_Prepare( gelBody* body, float h )
{
	gelConstraintSet* set = body->constraints;
	if ( set == NULL ) return false;
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
	return true;
}

static gelVec3 GetAxis( const gelConstraintSet* set, int row )
{
	const gelConstraintPoint* point = set->points + set->rowPoints[row];
	return point->axis[row - point->rowFirst];
}

static double DotDouble( gelVec3 a, gelVec3 b )
{
	return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

double gelConstraintRows_GetRow( const gelConstraintSet* set, int row, const gelVec3* x )
{
	const gelConstraintPoint* point = set->points + set->rowPoints[row];
	gelVec3 axis = GetAxis( set, row );
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)point->freeWeight[k] * DotDouble( axis, x[point->node[k]] );
	return sum;
}

double gelConstraintRows_GetError( const gelBody* body, int row, const gelVec3* x, bool withDrift )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintPoint* point = set->points + set->rowPoints[row];
	gelVec3 axis = GetAxis( set, row );
	double error = DotDouble( axis, point->wanted ) + ( withDrift ? DotDouble( axis, point->drift ) : 0.0 );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = point->node[k];
		error -= (double)point->freeWeight[k] * DotDouble( axis, gelSub( x[node], body->xOld[node] ) );
	}
	return error;
}

// axis_a^T ( 1 / M - [r_a]x I^-1 [r_b]x ) axis_b: how an impulse at one anchor moves another.
static double GetFrameCompliance(
	const gelFrameSlot* frame, gelVec3 armA, gelVec3 axisA, gelVec3 armB, gelVec3 axisB )
{
	gelMat3 R = gelMakeMat3FromQuat( frame->rotation );
	gelVec3 a = gelCross( armA, axisA ), b = gelCross( armB, axisB );
	gelVec3 inv = frame->invInertia;
	return (double)frame->invMass * DotDouble( axisA, axisB ) +
		(double)inv.x * DotDouble( R.cx, a ) * DotDouble( R.cx, b ) +
		(double)inv.y * DotDouble( R.cy, a ) * DotDouble( R.cy, b ) +
		(double)inv.z * DotDouble( R.cz, a ) * DotDouble( R.cz, b );
}

double gelConstraintRows_GetCompliance( const gelConstraintSet* set, int rowA, int rowB )
{
	const gelConstraintPoint *a = set->points + set->rowPoints[rowA], *b = set->points + set->rowPoints[rowB];
	double c = rowA == rowB ? (double)a->softness : 0.0;
	if ( a->frame < 0 || a->frame != b->frame ) return c;
	return c +
		GetFrameCompliance(
			set->frames + a->frame, a->arm, GetAxis( set, rowA ), b->arm, GetAxis( set, rowB ) );
}

// ---- projection ----------------------------------------------------------------------------------------

// Row a times row b over the nodes that they share.
static double MultiplyRows( const gelConstraintSet* set, int rowA, int rowB )
{
	const gelConstraintPoint *a = set->points + set->rowPoints[rowA], *b = set->points + set->rowPoints[rowB];
	double sum = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			if ( a->node[i] == b->node[j] ) sum += (double)a->freeWeight[i] * b->freeWeight[j];
		}
	}
	return sum * DotDouble( GetAxis( set, rowA ), GetAxis( set, rowB ) ) * set->rowScales[rowA] *
		set->rowScales[rowB];
}

// 1 / m of the point of a row: sum of w^2 / m.
static double GetInvMass( const gelBody* body, int row )
{
	const gelConstraintPoint* point = body->constraints->points + body->constraints->rowPoints[row];
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)point->freeWeight[k] * point->freeWeight[k] * body->invMasses[point->node[k]];
	return sum;
}

static void FillCluster( const gelBody* body, const gelConstraintCluster* cluster, double* matrix )
{
	const gelConstraintSet* set = body->constraints;
	int count = cluster->rowCount;
	for ( int i = 0; i < count; ++i )
	{
		int row = cluster->rowFirst + i;
		for ( int j = 0; j <= i; ++j )
		{
			matrix[i * count + j] = cluster->isSoft
				? gelConstraintRows_GetCompliance( set, row, cluster->rowFirst + j )
				: MultiplyRows( set, row, cluster->rowFirst + j );
		}
		bool hasFrame = set->points[set->rowPoints[row]].frame >= 0;
		if ( cluster->isSoft && hasFrame )
			matrix[i * count + i] += GEL_FRAME_SOFTNESS * GetInvMass( body, row );
		if ( !cluster->isSoft ) matrix[i * count + i] += GEL_REGULARIZATION; // rows have unit length
	}
}

void gelConstraintRows_FactorClusters( gelBody* body )
{
	gelConstraintSet* set = body->constraints;
	int used = 0;
	for ( int i = 0; set != NULL && i < set->clusterCount; ++i )
	{
		gelConstraintCluster* cluster = set->clusters + i;
		cluster->matrixFirst = used;
		used += cluster->rowCount * cluster->rowCount;
		FillCluster( body, cluster, set->matrix + cluster->matrixFirst );
		gelFactorDense( set->matrix + cluster->matrixFirst, cluster->rowCount, DBL_MIN );
	}
}

// H y of the rows of a cluster, scaled.
static void Gather(
	const gelConstraintSet* set, const gelConstraintCluster* cluster, const gelVec4* y, double* out )
{
	for ( int i = 0; i < cluster->rowCount; ++i )
	{
		int row = cluster->rowFirst + i;
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		gelVec3 axis = GetAxis( set, row );
		double sum = 0.0;
		for ( int k = 0; k < 4; ++k )
			sum += (double)point->freeWeight[k] * DotDouble( axis, gelXyz( y[point->node[k]] ) );
		out[i] = sum * set->rowScales[row];
	}
}

// Sum over the rows of a point of s times axis, scaled.
static void SumRows(
	const gelConstraintSet* set, const gelConstraintPoint* point, const double* s, double out[3] )
{
	out[0] = out[1] = out[2] = 0.0;
	for ( int k = 0; k < point->rowCount; ++k )
	{
		double scaled = s[k] * set->rowScales[point->rowFirst + k];
		out[0] += scaled * point->axis[k].x;
		out[1] += scaled * point->axis[k].y;
		out[2] += scaled * point->axis[k].z;
	}
}

// y += factor H^T s
static void Scatter( const gelConstraintSet* set, const gelConstraintCluster* cluster, double factor,
	const double* s, gelVec4* y )
{
	for ( int row = cluster->rowFirst; row < cluster->rowFirst + cluster->rowCount; )
	{
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		double sum[3];
		SumRows( set, point, s + ( row - cluster->rowFirst ), sum );
		for ( int k = 0; k < 4; ++k )
		{
			if ( point->freeWeight[k] == 0.0f ) continue;
			gelVec4* to = y + point->node[k];
			double w = factor * (double)point->freeWeight[k];
			to->x = (float)( to->x + w * sum[0] );
			to->y = (float)( to->y + w * sum[1] );
			to->z = (float)( to->z + w * sum[2] );
		}
		row += point->rowCount;
	}
}

// The j-th cluster of a kind from i on; NULL: no more.
static const gelConstraintCluster* NextCluster( const gelConstraintSet* set, bool isSoft, int* i )
{
	while ( set != NULL && *i < set->clusterCount )
	{
		const gelConstraintCluster* cluster = set->clusters + ( *i )++;
		if ( cluster->isSoft == isSoft ) return cluster;
	}
	return NULL;
}

void gelConstraintRows_Project( const gelBody* body, gelVec4* y )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		Gather( set, cluster, y, set->work );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		Scatter( set, cluster, -1.0, set->work, y );
	}
}

void gelConstraintRows_Prescribe( const gelBody* body, const gelVec3* x, gelVec4* d )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		Gather( set, cluster, d, set->work );
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			int row = cluster->rowFirst + k;
			set->work[k] =
				set->rowScales[row] * gelConstraintRows_GetError( body, row, x, true ) - set->work[k];
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		Scatter( set, cluster, 1.0, set->work, d );
	}
}

void gelConstraintRows_RemoveDrift( const gelBody* body, float h, gelVec3* v )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			int row = cluster->rowFirst + k;
			const gelConstraintPoint* point = set->points + set->rowPoints[row];
			set->work[k] = set->rowScales[row] * DotDouble( GetAxis( set, row ), point->drift );
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		for ( int row = cluster->rowFirst; row < cluster->rowFirst + cluster->rowCount; )
		{
			const gelConstraintPoint* point = set->points + set->rowPoints[row];
			double sum[3];
			SumRows( set, point, set->work + ( row - cluster->rowFirst ), sum );
			gelVec3 move = { (float)sum[0], (float)sum[1], (float)sum[2] };
			for ( int k = 0; k < 4; ++k )
				v[point->node[k]] = gelMulAdd( v[point->node[k]], -point->freeWeight[k] / h, move );
			row += point->rowCount;
		}
	}
}

// ---- soft rows -----------------------------------------------------------------------------------------

void gelConstraintRows_AddSoftForces( const gelBody* body, const gelVec3* x, gelVec4* b )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, true, &i ) ) != NULL; )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
			set->work[k] = gelConstraintRows_GetError( body, cluster->rowFirst + k, x, true );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		Scatter( set, cluster, 1.0, set->work, b );
	}
}

void gelConstraintRows_AddSoftProduct( const gelBody* body, const gelVec4* p, gelVec4* q )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, true, &i ) ) != NULL; )
	{
		Gather( set, cluster, p, set->work );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		Scatter( set, cluster, 1.0, set->work, q );
	}
}

// The inverse of C for the rows of one point, column by column.
static void AddPointBlocks( const gelConstraintSet* set, const gelConstraintCluster* cluster,
	const gelConstraintPoint* point, gelSym3* blocks )
{
	gelMat3 block = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	int first = point->rowFirst - cluster->rowFirst;
	for ( int k = 0; k < point->rowCount; ++k )
	{
		memset( set->work, 0, (size_t)cluster->rowCount * sizeof( double ) );
		set->work[first + k] = 1.0;
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		double sum[3];
		SumRows( set, point, set->work + first, sum );
		gelVec3 a = { (float)sum[0], (float)sum[1], (float)sum[2] };
		block.cx = gelMulAdd( block.cx, point->axis[k].x, a );
		block.cy = gelMulAdd( block.cy, point->axis[k].y, a );
		block.cz = gelMulAdd( block.cz, point->axis[k].z, a );
	}
	for ( int k = 0; k < 4; ++k )
	{
		float w2 = point->freeWeight[k] * point->freeWeight[k];
		gelSym3* to = blocks + point->node[k];
		to->xx += w2 * block.cx.x;
		to->yy += w2 * block.cy.y;
		to->zz += w2 * block.cz.z;
		to->xy += w2 * block.cy.x;
		to->xz += w2 * block.cz.x;
		to->yz += w2 * block.cz.y;
	}
}

void gelConstraintRows_AddSoftBlocks( const gelBody* body, gelSym3* blocks )
{
	const gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->pointCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + set->points[i].cluster;
		if ( cluster->isSoft ) AddPointBlocks( set, cluster, set->points + i, blocks );
	}
}

// ---- end of the step -----------------------------------------------------------------------------------

static void ClearReactions( gelConstraintSet* set )
{
	for ( int i = 0; i < set->capacity; ++i )
		set->slots[i].force = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	for ( int i = 0; i < set->frameCapacity; ++i )
		set->frames[i].force = set->frames[i].torque = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

// Where the anchor is, when the frame has answered to the impulses on all of its points.
static gelVec3 GetAnchorMove( const gelConstraintSet* set, const gelConstraintPoint* point, float h )
{
	const gelFrameSlot* frame = set->frames + point->frame;
	gelMat3 R = gelMakeMat3FromQuat( frame->rotation );
	gelVec3 t = frame->torque, inv = frame->invInertia;
	gelVec3 turn = gelScale( inv.x * gelDot( R.cx, t ), R.cx );
	turn = gelMulAdd( turn, inv.y * gelDot( R.cy, t ), R.cy );
	turn = gelMulAdd( turn, inv.z * gelDot( R.cz, t ), R.cz );
	gelVec3 move = gelAdd( gelScale( frame->invMass, frame->force ), gelCross( turn, point->arm ) );
	return gelScale( h * h, move );
}

void gelConstraintRows_FinishImpulses( gelBody* body, float h )
{
	gelConstraintSet* set = body->constraints;
	if ( set == NULL ) return;
	ClearReactions( set );
	float invH2 = 1.0f / ( h * h );
	for ( int i = 0; i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		gelConstraintSlot* slot = set->slots + point->slot;
		for ( int k = 0; k < point->rowCount; ++k )
		{
			float s = (float)set->impulses[point->rowFirst + k];
			slot->force = gelMulAdd( slot->force, invH2 * s, point->axis[k] );
		}
		if ( slot->frame1 == 0 ) continue;
		gelFrameSlot* frame = set->frames + slot->frame1 - 1;
		frame->force = gelSub( frame->force, slot->force );
		frame->torque = gelSub( frame->torque, gelCross( point->arm, slot->force ) );
	}
	for ( int i = 0; i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		gelConstraintSlot* slot = set->slots + point->slot;
		gelConstraintSet_GetTarget( set, slot, slot->previous );
		if ( point->frame < 0 ) continue;
		gelVec3 move = GetAnchorMove( set, point, h );
		slot->previous[0] += move.x;
		slot->previous[1] += move.y;
		slot->previous[2] += move.z;
	}
}

void gelConstraintRows_Finish( gelBody* body, float h, const gelVec3* x, const gelVec4* residual )
{
	gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->clusterCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + i;
		double* s = set->impulses + cluster->rowFirst;
		if ( !cluster->isSoft && residual == NULL ) continue;
		if ( !cluster->isSoft ) Gather( set, cluster, residual, s ); // A d - b = H^T s
		for ( int k = 0; k < cluster->rowCount; ++k )
			s[k] =
				cluster->isSoft ? gelConstraintRows_GetError( body, cluster->rowFirst + k, x, true ) : -s[k];
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, s );
		for ( int k = 0; k < cluster->rowCount; ++k )
			s[k] *= set->rowScales[cluster->rowFirst + k];
	}
	gelConstraintRows_FinishImpulses( body, h );
}
