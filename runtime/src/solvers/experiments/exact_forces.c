// SPDX-License-Identifier: MIT
#include "solvers/experiments/rotation.h"

// dE/dF by way of Rbar, for the exact stress: Psi depends on F directly (Phat), and through Rbar on Fbar,
//     dPsi/dFbar = Rbar [q]x,  q = (tr(Sbar) I - Sbar)^-1 axl2( Rbar^T F Z ),
// which depends on F by Fbar = F + delta G^T, delta = k phi(r) c/|c|^2, r = 1 - J/alpha, c = cof(F) G.
gelMat3d gelGetRotationStress( const gelDisplacement* d, double alpha, gelMat3d F, gelMat3d R, gelMat3d Z )
{
	gelMat3d S = gelMulTransposedMMD( R, F );
	gelVec3d q = gelSolveTwistD( gelMulTransposedMMD( R, d->Fbar ), gelAxialD( gelMulMMD( S, Z ) ) );
	gelMat3d P = gelMulMMD( R, gelSkewD( q ) );
	if ( !d->isActive ) return P;
	gelVec3d a = gelMulMVD( P, d->G ); // dPsi/d delta
	double ac = gelDotD( a, d->c ) / d->cc;
	// through J
	P = gelMulAddMatD( P, -d->k / alpha * d->slope * ac, gelCofactorD( F ) );
	// through c = G.x Fy x Fz + G.y Fz x Fx + G.z Fx x Fy
	gelVec3d t = gelScaleD( d->k * d->phi / d->cc, gelMulAddD( a, -2.0 * ac, d->c ) );
	gelVec3d tx = gelCrossD( t, F.cx ), ty = gelCrossD( t, F.cy ), tz = gelCrossD( t, F.cz );
	P.cx = gelMulAddD( gelMulAddD( P.cx, d->G.y, tz ), -d->G.z, ty );
	P.cy = gelMulAddD( gelMulAddD( P.cy, d->G.z, tx ), -d->G.x, tz );
	P.cz = gelMulAddD( gelMulAddD( P.cz, d->G.x, ty ), -d->G.y, tx );
	return P;
}
