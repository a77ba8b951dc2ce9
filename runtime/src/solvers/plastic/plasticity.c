// SPDX-License-Identifier: MIT
#include "solvers/plastic/plasticity.h"

#include "math/polar.h"

// exp(-x) = (exp(-x / 2^k))^(2^k): by halving until a short series suffices.
float gelRelaxation( float x )
{
	if ( !( x > 0.0f ) ) return 0.0f;
	if ( x > 40.0f ) return 1.0f;
	double y = x;
	int halvings = 0;
	for ( ; y > 0.0625; ++halvings )
		y *= 0.5;
	// 1 - exp(-y), to 1e-13 relative
	double r = y *
		( 1.0 -
			y / 2.0 *
				( 1.0 -
					y / 3.0 *
						( 1.0 - y / 4.0 * ( 1.0 - y / 5.0 * ( 1.0 - y / 6.0 * ( 1.0 - y / 7.0 ) ) ) ) ) );
	for ( int i = 0; i < halvings; ++i )
		r = r * ( 2.0 - r ); // 1 - (1 - r)^2
	return (float)r;
}

gelPlasticFlow gelMakePlasticFlow( const gelPlasticityDef* def, float mu, float h )
{
	GEL_ASSERT( mu >= 0.0f && h > 0.0f && def->maxStrain < 1.0f );
	// |dev sigma| = 2 mu |dev e|
	float yield = def->yieldStress > 0.0f ? def->yieldStress / ( 2.0f * mu ) : def->yieldStrain;
	return (
		gelPlasticFlow ){ yield, gelRelaxation( h * def->creepRate ), def->maxStrain, def->isVolumeKept };
}

gelSym3 gelComputeStrain( gelMat3 R, gelMat3 F )
{
	gelMat3 S = gelMulTransposedMM( R, F );
	return ( gelSym3 ){ S.cx.x - 1.0f, S.cy.y - 1.0f, S.cz.z - 1.0f, 0.5f * ( S.cx.y + S.cy.x ),
		0.5f * ( S.cx.z + S.cz.x ), 0.5f * ( S.cy.z + S.cz.y ) };
}

float gelNormSym3( gelSym3 e )
{
	return sqrtf(
		e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0f * ( e.xy * e.xy + e.xz * e.xz + e.yz * e.yz ) );
}

// a + s b
static gelSym3 MulAdd( gelSym3 a, float s, gelSym3 b )
{
	return ( gelSym3 ){ a.xx + s * b.xx, a.yy + s * b.yy, a.zz + s * b.zz, a.xy + s * b.xy, a.xz + s * b.xz,
		a.yz + s * b.yz };
}

bool gelUpdatePlasticStrain( const gelPlasticFlow* flow, gelSym3 e, gelSym3* plastic )
{
	GEL_ASSERT( flow->relaxation >= 0.0f && flow->relaxation <= 1.0f );
	gelSym3 d = MulAdd( e, -1.0f, *plastic );
	if ( flow->isVolumeKept )
	{
		float third = ( d.xx + d.yy + d.zz ) * ( 1.0f / 3.0f );
		d.xx -= third;
		d.yy -= third;
		d.zz -= third;
	}
	float n = gelNormSym3( d );
	// A strain beyond any use would overflow the quotient; NaN fails the first comparison.
	if ( !( n > flow->yieldStrain ) || !( n < 1.0e6f ) ) return false;
	gelSym3 p = MulAdd( *plastic, flow->relaxation * ( n - flow->yieldStrain ) / n, d );
	float length = gelNormSym3( p );
	if ( length > flow->maxStrain )
	{
		gelSym3 zero = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
		p = MulAdd( zero, flow->maxStrain / length, p );
	}
	*plastic = p;
	return true;
}

// Iterations from R to R': plastic strain, 0.9 at most, keeps them near to each other.
#define GEL_PLASTIC_ITERATIONS 3

gelMat3 gelPlasticRestChange( gelMat3 F, gelQuat q, const gelSym3* p )
{
	gelMat3 U = { { 1.0f + p->xx, p->xy, p->xz }, { p->xy, 1.0f + p->yy, p->yz },
		{ p->xz, p->yz, 1.0f + p->zz } };
	gelMat3 FU = { gelMulMV( F, U.cx ), gelMulMV( F, U.cy ), gelMulMV( F, U.cz ) };
	gelMat3 R = gelMakeMat3FromQuat( gelPolarSolve_Ref( FU, q, GEL_PLASTIC_ITERATIONS ) );
	gelMat3 RU = { gelMulMV( R, U.cx ), gelMulMV( R, U.cy ), gelMulMV( R, U.cz ) };
	return gelSubMat3( RU, gelMakeMat3FromQuat( q ) );
}
