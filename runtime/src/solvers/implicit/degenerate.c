// SPDX-License-Identifier: MIT
#include "solvers/implicit/degenerate.h"

#include "math/polar.h"

gelRotationParams gelDefaultRotationParams( void )
{
	return ( gelRotationParams ){ .alpha = 0.1f, .beta = 3.0f, .hasBlend = true };
}

gelVec3 gelGetWitnessGradient( const gelVec3 g[3], gelWitness witness )
{
	switch ( witness )
	{
		case gel_witnessVertex0:
			return gelNeg( gelAdd( gelAdd( g[0], g[1] ), g[2] ) );
		case gel_witnessVertex1:
			return g[0];
		case gel_witnessVertex2:
			return g[1];
		case gel_witnessVertex3:
			return g[2];
		case gel_witnessEdge01: // g0 + g1 = -(g2 + g3), and so on
			return gelNeg( gelAdd( g[1], g[2] ) );
		case gel_witnessEdge02:
			return gelNeg( gelAdd( g[0], g[2] ) );
		case gel_witnessEdge03:
			return gelNeg( gelAdd( g[0], g[1] ) );
		default:
			return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
}

// ---- detection ----

// c[0] + c[1] t + c[2] t^2 + c[3] t^3
static double EvaluateCubic( const double c[4], double t )
{
	return ( ( c[3] * t + c[2] ) * t + c[1] ) * t + c[0];
}

// Where a cubic that is positive at 0 and negative at 1 first becomes zero. Between its extrema it is
// monotonic, so the first piece that ends below zero holds the root, and bisection finds it.
static double FirstRoot( const double c[4] )
{
	GEL_ASSERT( isfinite( c[0] ) && isfinite( c[3] ) );
	double ends[3] = { 1.0, 1.0, 1.0 };
	double a = 3.0 * c[3], b = c[2], disc = b * b - a * c[1]; // a t^2 + 2 b t + c[1] = 0
	if ( disc > 0.0 )
	{
		double s = b + ( b < 0.0 ? -sqrt( disc ) : sqrt( disc ) ); // without cancellation
		double t0 = s != 0.0 ? -c[1] / s : 1.0, t1 = a != 0.0 ? -s / a : 1.0;
		ends[0] = t0 > 0.0 && t0 < 1.0 ? t0 : 1.0;
		ends[1] = t1 > 0.0 && t1 < 1.0 ? t1 : 1.0;
		if ( ends[0] > ends[1] )
		{
			double swap = ends[0];
			ends[0] = ends[1];
			ends[1] = swap;
		}
	}
	double low = 0.0, high = 1.0;
	for ( int i = 0; i < 3; ++i )
	{
		high = ends[i];
		if ( EvaluateCubic( c, high ) < 0.0 ) break;
		low = high;
	}
	for ( int i = 0; i < 40; ++i )
	{
		double middle = 0.5 * ( low + high );
		if ( EvaluateCubic( c, middle ) < 0.0 )
			high = middle;
		else
			low = middle;
	}
	return high;
}

// Among four points in a plane the pair with the largest |u| is the one that touches: a vertex in the
// triangle of the others, or two crossing edges. Near the plane it is the pair with the shortest way back to
// J = alpha. Equal ones: the first.
static gelWitness FindWidestPair( const gelVec3 gradients[3], gelMat3d F )
{
	gelMat3d cofactor = gelCofactorD( F );
	gelWitness best = gel_witnessVertex0;
	double widest = -1.0;
	for ( int pair = gel_witnessVertex0; pair < gel_witnessCount; ++pair )
	{
		gelVec3d u =
			gelMulMVD( cofactor, gelToDouble( gelGetWitnessGradient( gradients, (gelWitness)pair ) ) );
		double width = gelDotD( u, u );
		if ( width > widest * ( 1.0 + 1.0e-9 ) ) // ties are ties in spite of rounding
		{
			widest = width;
			best = (gelWitness)pair;
		}
	}
	return best;
}

gelWitness gelUpdateWitness(
	const gelVec3 gradients[3], float alpha, gelMat3 F0, gelMat3 F1, gelWitness witness )
{
	GEL_ASSERT( alpha >= 0.0f && alpha <= 1.0f );
	gelMat3d start = gelToDoubleMat( F0 ), end = gelToDoubleMat( F1 );
	double J1 = gelDeterminantD( end );
	if ( J1 >= alpha ) return gel_witnessNone;
	if ( witness != gel_witnessNone || !( J1 < alpha ) ) return witness; // the latter: NaN
	gelMat3d move = gelMulAddMatD( end, -1.0, start );
	// det( F0 + t dF ) - alpha
	const double c[4] = {
		gelDeterminantD( start ) - alpha,
		gelContractD( gelCofactorD( start ), move ),
		gelContractD( gelCofactorD( move ), start ),
		gelDeterminantD( move ),
	};
	double t = c[0] > 0.0 ? FirstRoot( c ) : 0.0;
	return FindWidestPair( gradients, gelMulAddMatD( start, t, move ) );
}

// ---- displacement ----

double gelDisplacementCurve( double r, bool hasBlend, double* outSlope )
{
	if ( r <= 0.0 )
	{
		*outSlope = 0.0;
		return 0.0;
	}
	if ( r >= 1.0 || !hasBlend )
	{
		*outSlope = 1.0;
		return r;
	}
	*outSlope = ( 4.0 - 3.0 * r ) * r;
	return ( 2.0 - r ) * r * r;
}

gelDisplacement gelDisplace(
	const gelRotationParams* params, const gelVec3 gradients[3], gelWitness witness, gelMat3d F )
{
	gelDisplacement d = { .Fbar = F };
	double alpha = params->alpha, J = gelDeterminantD( F );
	if ( witness == gel_witnessNone || !( J < alpha ) || params->extract ) return d;
	d.phi = gelDisplacementCurve( 1.0 - J / alpha, params->hasBlend, &d.slope );
	d.G = gelToDouble( gelGetWitnessGradient( gradients, witness ) );
	d.c = gelMulMVD( gelCofactorD( F ), d.G );
	d.cc = gelDotD( d.c, d.c );
	d.k = params->beta * alpha;
	d.isLost = d.cc <= 1.0e-6 * gelDotD( d.G, d.G );
	d.isActive = !d.isLost;
	if ( d.isActive ) d.Fbar = gelAddOuterD( F, gelScaleD( d.k * d.phi / d.cc, d.c ), d.G );
	return d;
}

// ---- stress ----

// H^-1 y for a symmetric positive definite H; zero where it is singular.
static gelVec3d SolveSymmetric( gelMat3d H, gelVec3d y )
{
	double det = gelDeterminantD( H );
	return det > 0.0 ? gelScaleD( 1.0 / det, gelMulMVD( gelCofactorD( H ), y ) )
					 : ( gelVec3d ){ 0.0, 0.0, 0.0 };
}

// Rotation matrix of the unit quaternion (v, s).
static gelMat3d RotationFromQuat( gelVec3d v, double s )
{
	gelMat3d K = gelSkewD( v ), R = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	return gelMulAddMatD( gelMulAddMatD( R, 2.0 * s, K ), 2.0, gelMulMMD( K, K ) );
}

gelVec3d gelSolveTwistD( gelMat3d S, gelVec3d y )
{
	double trace = gelTraceD( S );
	double xy = -0.5 * ( S.cx.y + S.cy.x ), xz = -0.5 * ( S.cx.z + S.cz.x ), yz = -0.5 * ( S.cy.z + S.cz.y );
	gelMat3d H = { { trace - S.cx.x, xy, xz }, { xy, trace - S.cy.y, yz }, { xz, yz, trace - S.cz.z } };
	// The smallest eigenvalue is at least det / (tr/2)^2, since the other two multiply to no more than that.
	double half = 0.5 * gelTraceD( H );
	double shift = 0.05 - ( half > 0.0 ? gelDeterminantD( H ) / ( half * half ) : 0.0 );
	if ( shift > 0.0 )
	{
		H.cx.x += shift;
		H.cy.y += shift;
		H.cz.z += shift;
	}
	return SolveSymmetric( H, y );
}

// Brings a polar factor that is right to float precision to that of double: Newton on SO(3) as in polar.c,
// with the Cayley map of w/2.
static gelMat3d PolishPolar( gelMat3d F, gelQuat start )
{
	double s = start.s, n2 = s * s + gelDotD( gelToDouble( start.v ), gelToDouble( start.v ) );
	gelMat3d R = RotationFromQuat( gelScaleD( 1.0 / sqrt( n2 ), gelToDouble( start.v ) ), s / sqrt( n2 ) );
	for ( int i = 0; i < 2; ++i )
	{
		gelMat3d Y = gelMulTransposedMMD( R, F );
		gelVec3d w = gelSolveTwistD( Y, gelAxialD( Y ) );
		double n = 1.0 / sqrt( 1.0 + 0.25 * gelDotD( w, w ) );
		R = gelMulMMD( R, RotationFromQuat( gelScaleD( 0.5 * n, w ), n ) );
	}
	return R;
}

// Stress 2 mu e + lambda tr(e) I of the elastic strain e = sym(S) - I - e_p, and the energy density.
static gelMat3d MaterialStress(
	const gelElementRest* rest, const gelSym3* plastic, gelMat3d S, double* outEnergy )
{
	gelSym3 zero = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	const gelSym3* p = plastic ? plastic : &zero;
	double xx = S.cx.x - 1.0 - p->xx, yy = S.cy.y - 1.0 - p->yy, zz = S.cz.z - 1.0 - p->zz;
	double xy = 0.5 * ( S.cx.y + S.cy.x ) - p->xy;
	double xz = 0.5 * ( S.cx.z + S.cz.x ) - p->xz;
	double yz = 0.5 * ( S.cy.z + S.cz.y ) - p->yz;
	double m = 2.0 * rest->mu, trace = xx + yy + zz, l = rest->lambda * trace;
	*outEnergy =
		rest->mu * ( xx * xx + yy * yy + zz * zz + 2.0 * ( xy * xy + xz * xz + yz * yz ) ) + 0.5 * l * trace;
	return ( gelMat3d ){ { m * xx + l, m * xy, m * xz }, { m * xy, m * yy + l, m * yz },
		{ m * xz, m * yz, m * zz + l } };
}

gelElementStress gelComputeElementStress( const gelRotationParams* params, const gelElementRest* rest,
	const gelSym3* plasticStrain, gelMat3d F, gelRotationState* state )
{
	gelElementStress out = { .isDegenerate = gelDeterminantD( F ) < params->alpha };
	gelDisplacement d = { 0 };
	bool isPolar = false; // Rbar is the polar factor of a valid Fbar
	if ( params->extract == NULL )
	{
		d = gelDisplace( params, rest->gradients, (gelWitness)state->witness, F );
		if ( !d.isLost ) state->q = gelPolarSolve_Ref( gelToFloatMat( d.Fbar ), state->q, GEL_APD_STEPS );
		isPolar = !d.isLost && gelDeterminantD( d.Fbar ) > 0.0;
		out.R = isPolar ? PolishPolar( d.Fbar, state->q ) : gelToDoubleMat( gelMakeMat3FromQuat( state->q ) );
	}
	else
	{
		out.R = gelToDoubleMat( params->extract( params, gelToFloatMat( F ), rest->gradients, state ) );
	}
	gelMat3d Z = MaterialStress( rest, plasticStrain, gelMulTransposedMMD( out.R, F ), &out.energyDensity );
	out.P = gelMulMMD( out.R, Z );
	// Without displacement and plastic strain this adds nothing: S and Z commute.
	if ( params->getRotationStress && isPolar )
		out.P = gelMulAddMatD( out.P, 1.0, params->getRotationStress( &d, params->alpha, F, out.R, Z ) );
	return out;
}

// ---- forces ----

// Takes away the torque about the mean of the corners, by the forces of a rigid turn of four equal masses:
//     f_i -= w x d_i,  w = I^-1 sum d_i x f_i,  I = sum |d|^2 - d d^T.  The sum of forces stays.
static void RemoveTorque( const gelVec3d x[4], gelVec3d f[4] )
{
	gelVec3d center = gelScaleD( 0.25, gelAddD( gelAddD( x[0], x[1] ), gelAddD( x[2], x[3] ) ) );
	gelVec3d d[4], torque = { 0.0, 0.0, 0.0 };
	gelMat3d inertia = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	double trace = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		d[i] = gelSubD( x[i], center );
		torque = gelAddD( torque, gelCrossD( d[i], f[i] ) );
		inertia = gelAddOuterD( inertia, gelScaleD( -1.0, d[i] ), d[i] );
		trace += gelDotD( d[i], d[i] );
	}
	// In a line, or nearly: there are no levers for a turn about it, but also no torque.
	gelMat3d sum = inertia;
	sum.cx.x += trace;
	sum.cy.y += trace;
	sum.cz.z += trace;
	if ( gelDeterminantD( sum ) < 1.0e-9 * trace * trace * trace ) trace *= 1.001;
	inertia.cx.x += trace;
	inertia.cy.y += trace;
	inertia.cz.z += trace;
	gelVec3d w = SolveSymmetric( inertia, torque );
	for ( int i = 0; i < 4; ++i )
		f[i] = gelSubD( f[i], gelCrossD( w, d[i] ) );
}

gelElementResponse gelComputeElement( const gelRotationParams* params, const gelElementRest* rest,
	const gelSym3* plasticStrain, gelMat3 F, const gelVec3 x[4], gelRotationState* state )
{
	gelElementResponse out = { .R = gelMakeMat3FromQuat( state->q ) };
	if ( !gelIsFiniteMat3( F ) ) return out;
	gelElementStress stress =
		gelComputeElementStress( params, rest, plasticStrain, gelToDoubleMat( F ), state );
	gelVec3d corners[4], f[4];
	for ( int k = 1; k < 4; ++k )
		f[k] =
			gelScaleD( -(double)rest->volume, gelMulMVD( stress.P, gelToDouble( rest->gradients[k - 1] ) ) );
	f[0] = gelScaleD( -1.0, gelAddD( gelAddD( f[1], f[2] ), f[3] ) );
	for ( int k = 0; k < 4; ++k )
		corners[k] = gelToDouble( x[k] );
	RemoveTorque( corners, f );
	for ( int k = 0; k < 4; ++k )
		out.forces[k] = gelToFloat( f[k] );
	out.R = gelToFloatMat( stress.R );
	out.energy = rest->volume * stress.energyDensity;
	out.isDegenerate = stress.isDegenerate;
	return out;
}
