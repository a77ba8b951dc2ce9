// SPDX-License-Identifier: MIT
#include "solvers/experiments/rotation.h"

#include "math/polar.h"

// Newton steps of PD at most: a mirror image is far from the last rotation. It stops when nothing changes.
#define GEL_PD_STEPS 50

gelRotationParams gelMakeRotationParams( const gelImplicitVariant* variant )
{
	gelRotationParams params = gelDefaultRotationParams();
	params.alpha = variant->degenerateBelow;
	params.beta = variant->degeneratePush;
	params.kind = variant->rotation;
	params.hasBlend = variant->rotation == gel_rotationDapd;
	if ( variant->rotation == gel_rotationProject ) params.beta = 1.0f;
	if ( variant->rotation == gel_rotationReflect ) params.beta = 2.0f;
	if ( !gelUsesWitness( variant->rotation ) ) params.extract = gelExtractRotation;
	if ( variant->hasExactForces ) params.getRotationStress = gelGetRotationStress;
	return params;
}

bool gelDisplaceGradient(
	const gelRotationParams* params, const gelVec3 gradients[3], gelWitness witness, gelMat3* F )
{
	gelDisplacement d = gelDisplace( params, gradients, witness, gelToDoubleMat( *F ) );
	if ( d.isActive ) *F = gelToFloatMat( d.Fbar );
	return !d.isLost;
}

// Shepperd's method: divide by the largest component.
gelQuat gelMakeQuatFromMat3( gelMat3 R )
{
	float xx = R.cx.x, yy = R.cy.y, zz = R.cz.z;
	gelQuat q;
	if ( xx + yy + zz >= 0.0f )
		q = ( gelQuat ){ { R.cy.z - R.cz.y, R.cz.x - R.cx.z, R.cx.y - R.cy.x }, 1.0f + xx + yy + zz };
	else if ( xx >= yy && xx >= zz )
		q = ( gelQuat ){ { 1.0f + xx - yy - zz, R.cy.x + R.cx.y, R.cz.x + R.cx.z }, R.cy.z - R.cz.y };
	else if ( yy >= zz )
		q = ( gelQuat ){ { R.cy.x + R.cx.y, 1.0f - xx + yy - zz, R.cz.y + R.cy.z }, R.cz.x - R.cx.z };
	else
		q = ( gelQuat ){ { R.cz.x + R.cx.z, R.cz.y + R.cy.z, 1.0f - xx - yy + zz }, R.cx.y - R.cy.x };
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	return ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
}

static gelMat3 Negate( gelMat3 m )
{
	return ( gelMat3 ){ gelNeg( m.cx ), gelNeg( m.cy ), gelNeg( m.cz ) };
}

// For J < 0 the nearest orthogonal matrix is a reflection: minus the rotation of -F.
static gelMat3 PolarFactor( gelMat3 F, gelQuat* q )
{
	bool isReflected = gelDeterminant( F ) < 0.0f;
	*q = gelPolarSolve_Ref( isReflected ? Negate( F ) : F, *q, GEL_PD_STEPS );
	gelMat3 R = gelMakeMat3FromQuat( *q );
	return isReflected ? Negate( R ) : R;
}

gelMat3 gelExtractRotation(
	const gelRotationParams* params, gelMat3 F, const gelVec3 gradients[3], gelRotationState* state )
{
	gelMat3 last = gelMakeMat3FromQuat( state->q ), R = last;
	if ( !gelIsFiniteMat3( F ) ) return last;
	bool isInverted = state->witness != 0;
	switch ( params->kind )
	{
		case gel_rotationPd:
			return PolarFactor( F, &state->q );
		case gel_rotationApd:
			state->q = gelPolarSolve_Ref( F, state->q, GEL_APD_STEPS );
			return gelMakeMat3FromQuat( state->q );
		case gel_rotationDapd:
		case gel_rotationProject:
		case gel_rotationReflect:
			if ( gelDisplaceGradient( params, gradients, state->witness, &F ) )
				state->q = gelPolarSolve_Ref( F, state->q, GEL_APD_STEPS );
			return gelMakeMat3FromQuat( state->q );
		case gel_rotationQr:
			R = gelRotationQr( F, last );
			break;
		case gel_rotationIsvd:
			R = gelRotationIsvd( F, last );
			break;
		case gel_rotationCsvd:
			R = gelRotationCsvd( F, last, &isInverted );
			state->witness = isInverted ? 1 : 0;
			break;
	}
	state->q = gelMakeQuatFromMat3( R );
	return R;
}
