// SPDX-License-Identifier: MIT
// What constraints did in a step: forces on slots and frames, and where targets are afterwards.
#include "constraints/constraint_rows.h"
#include "math/dense_factor.h"

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
	GEL_ASSERT( h > 0.0f && point->frame < set->frameCapacity );
	const gelFrameSlot* frame = set->frames + point->frame;
	gelMat3 R = gelMakeMat3FromQuat( frame->rotation );
	gelVec3 t = frame->torque, inv = frame->invInertia;
	gelVec3 turn = gelScale( inv.x * gelDot( R.cx, t ), R.cx );
	turn = gelMulAdd( turn, inv.y * gelDot( R.cy, t ), R.cy );
	turn = gelMulAdd( turn, inv.z * gelDot( R.cz, t ), R.cz );
	gelVec3 move = gelAdd( gelScale( frame->invMass, frame->force ), gelCross( turn, point->arm ) );
	return gelScale( h * h, move );
}

// Forces of slots and frames from impulses.
static void SumReactions( gelConstraintSet* set, float h )
{
	GEL_ASSERT( h > 0.0f );
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
}

// Where the targets are now, for the next step.
static void UpdateTargets( gelConstraintSet* set, float h )
{
	GEL_ASSERT( h > 0.0f );
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

void gelConstraintRows_FinishImpulses( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( body->constraints == NULL ) return;
	SumReactions( body->constraints, h );
	UpdateTargets( body->constraints, h );
}

void gelConstraintRows_Finish( gelBody* body, float h, const gelVec3* x, const gelVec4* residual )
{
	GEL_ASSERT( h > 0.0f );
	gelConstraintSet* set = body->constraints;
	if ( set == NULL ) return;
	for ( int i = 0; i < set->clusterCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + i;
		double* s = set->impulses + cluster->rowFirst;
		if ( !cluster->isSoft && residual == NULL ) continue;
		if ( !cluster->isSoft ) gelConstraintRows_Gather( set, cluster, residual, s ); // A d - b = H^T s
		for ( int k = 0; k < cluster->rowCount; ++k )
			s[k] =
				cluster->isSoft ? gelConstraintRows_GetError( body, cluster->rowFirst + k, x, true ) : -s[k];
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, s );
		for ( int k = 0; k < cluster->rowCount; ++k )
			s[k] *= set->rowScales[cluster->rowFirst + k];
	}
	SumReactions( set, h );
	UpdateTargets( set, h );
}
