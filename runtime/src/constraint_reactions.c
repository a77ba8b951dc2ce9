// SPDX-License-Identifier: MIT
// What constraints did in a step: forces on slots and frames, and where targets are afterwards.
#include "constraint_rows.h"
#include "dense_factor.h"

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

// Forces of slots and frames from impulses.
static void SumReactions( gelConstraintSet* set, float h )
{
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
	if ( body->constraints == NULL ) return;
	SumReactions( body->constraints, h );
	UpdateTargets( body->constraints, h );
}

// An iterative solve leaves a residual, which is momentum that the body did not get. Where nothing but a
// two-way frame holds the body, the frame gets it instead, so that the sum of both is kept exactly.
static void AddResidual( gelBody* body, float h, const gelVec3* x, const gelVec4* residual )
{
	gelConstraintSet* set = body->constraints;
	int index = -1;
	for ( int i = 0; i < set->pointCount; ++i )
	{
		if ( set->points[i].frame < 0 ) return; // held by something else, too
		if ( index < 0 ) index = set->points[i].frame;
	}
	if ( index < 0 || body->pinCount > 0 ) return;
	gelFrameSlot* frame = set->frames + index;
	gelVec3 center = gelToBody( body, frame->position );
	double f[3] = { 0.0, 0.0, 0.0 }, t[3] = { 0.0, 0.0, 0.0 }, invH2 = 1.0 / ( (double)h * h );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 r = gelXyz( residual[i] ), arm = gelSub( x[i], center );
		f[0] += r.x, f[1] += r.y, f[2] += r.z;
		t[0] += (double)arm.y * r.z - (double)arm.z * r.y;
		t[1] += (double)arm.z * r.x - (double)arm.x * r.z;
		t[2] += (double)arm.x * r.y - (double)arm.y * r.x;
	}
	frame->force = gelAdd( frame->force,
		gelMakeVec3( (float)( invH2 * f[0] ), (float)( invH2 * f[1] ), (float)( invH2 * f[2] ) ) );
	frame->torque = gelAdd( frame->torque,
		gelMakeVec3( (float)( invH2 * t[0] ), (float)( invH2 * t[1] ), (float)( invH2 * t[2] ) ) );
}

void gelConstraintRows_Finish( gelBody* body, float h, const gelVec3* x, const gelVec4* residual )
{
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
	if ( residual != NULL ) AddResidual( body, h, x, residual );
	UpdateTargets( set, h );
}
