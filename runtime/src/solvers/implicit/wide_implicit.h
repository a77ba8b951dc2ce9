// SPDX-License-Identifier: MIT
// Elements of the implicit solver, eight tets at a time, for implicit_kernels.c and for those of experiments.
// Twins of implicit_elements.c and differential.h, where the formulas are, operation by operation.
#pragma once

#include "solvers/implicit/implicit_elements.h"
#include "simd/wide_elements.h"

GEL_FORCE_INLINE gelVec3W gelLoadGradientW( const float ( *rows )[GEL_LANES], int k )
{
	return ( gelVec3W ){ gelLoadW( rows[3 * k] ), gelLoadW( rows[3 * k + 1] ), gelLoadW( rows[3 * k + 2] ) };
}

GEL_FORCE_INLINE gelFloatW gelSum3W( gelFloatW a, gelFloatW b, gelFloatW c )
{
	return gelAddW( gelAddW( a, b ), c );
}

GEL_FORCE_INLINE gelVec3W gelMulSymVW( gelSym3W m, gelVec3W v )
{
	return ( gelVec3W ){ gelSum3W( gelMulW( m.xx, v.x ), gelMulW( m.xy, v.y ), gelMulW( m.xz, v.z ) ),
		gelSum3W( gelMulW( m.xy, v.x ), gelMulW( m.yy, v.y ), gelMulW( m.yz, v.z ) ),
		gelSum3W( gelMulW( m.xz, v.x ), gelMulW( m.yz, v.y ), gelMulW( m.zz, v.z ) ) };
}

GEL_FORCE_INLINE gelSym3W gelScaleSymAddW( gelFloatW s, gelSym3W m, gelFloatW d )
{
	return ( gelSym3W ){ gelAddW( gelMulW( s, m.xx ), d ), gelAddW( gelMulW( s, m.yy ), d ),
		gelAddW( gelMulW( s, m.zz ), d ), gelMulW( s, m.xy ), gelMulW( s, m.xz ), gelMulW( s, m.yz ) };
}

GEL_FORCE_INLINE gelSym3W gelCorotatedStrainW( gelMat3W R, gelMat3W F )
{
	gelMat3W S = gelMulTransposedMMW( R, F );
	gelFloatW one = gelSplatW( 1.0f ), half = gelSplatW( 0.5f );
	return ( gelSym3W ){ gelSubW( S.cx.x, one ), gelSubW( S.cy.y, one ), gelSubW( S.cz.z, one ),
		gelMulW( half, gelAddW( S.cx.y, S.cy.x ) ), gelMulW( half, gelAddW( S.cx.z, S.cz.x ) ),
		gelMulW( half, gelAddW( S.cy.z, S.cz.y ) ) };
}

GEL_FORCE_INLINE gelFloatW gelMeanTwistW( gelSym3W e, gelFloatW muVolume, gelFloatW lambdaVolume )
{
	gelFloatW zero = gelSplatW( 0.0f );
	gelFloatW trace = gelSum3W( e.xx, e.yy, e.zz ), size = gelAddW( gelSplatW( 3.0f ), trace );
	gelFloatW half = gelMulW( gelMulW( gelSplatW( 0.5f ), lambdaVolume ), trace );
	gelFloatW mean =
		gelSubW( muVolume, gelMulW( gelSubW( muVolume, half ), gelDivW( gelSplatW( 3.0f ), size ) ) );
	return gelSelectW( gelGreaterW( size, zero ), gelMaxW( mean, zero ), zero );
}

// @param t mean twist stiffness [J]
GEL_FORCE_INLINE void gelStoreStiffnessW( const gelImplicitPass* pass, int i, gelMat3W R, gelFloatW t )
{
	const gelElementBlock* element = pass->elements + i;
	gelStiffnessBlock* block = pass->blocks + i;
	gelFloatW mu = gelLoadW( element->muVolume ), s = gelSplatW( pass->stiffnessScale );
	gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
	gelStoreW( block->a, gelMulW( s, gelAddW( mu, t ) ) );
	gelStoreW( block->b, gelMulW( s, gelSubW( mu, t ) ) );
	gelStoreW( block->c, gelMulW( s, lambda ) );
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W h = gelMulMVW( R, gelLoadGradientW( element->gradient, k ) );
		gelStoreW( block->gradient[3 * k], h.x );
		gelStoreW( block->gradient[3 * k + 1], h.y );
		gelStoreW( block->gradient[3 * k + 2], h.z );
	}
}

GEL_FORCE_INLINE void gelScatterForcesW( const uint32_t ( *node )[GEL_LANES], gelVec3W f[4], gelVec4* sums )
{
	f[0] = gelNegVecW( gelAddVecW( gelAddVecW( f[1], f[2] ), f[3] ) );
	for ( int k = 0; k < 4; ++k )
		gelScatterAddW( sums, node[k], ( gelNodesW ){ f[k].x, f[k].y, f[k].z, gelSplatW( 0.0f ) } );
}

// 1 for lanes that stay, 0 for those that are left out.
GEL_FORCE_INLINE gelFloatW gelKeptLanesW( int left )
{
	_Alignas( 64 ) float kept[GEL_BLOCK_LANES];
	for ( int k = 0; k < GEL_BLOCK_LANES; ++k )
		kept[k] = ( left >> k & 1 ) == 0 ? 1.0f : 0.0f;
	return gelLoadW( kept );
}

// The lanes that are left out may hold anything.
GEL_FORCE_INLINE void gelDropForcesW( int left, gelVec3W f[4] )
{
	gelFloatW zero = gelSplatW( 0.0f ), kept = gelKeptLanesW( left );
	for ( int k = 1; k < 4; ++k )
	{
		f[k].x = gelSelectW( gelGreaterW( kept, zero ), f[k].x, zero );
		f[k].y = gelSelectW( gelGreaterW( kept, zero ), f[k].y, zero );
		f[k].z = gelSelectW( gelGreaterW( kept, zero ), f[k].z, zero );
	}
}

GEL_FORCE_INLINE gelVec3W gelPlasticTwistW( gelSym3W e, gelSym3W p, gelFloatW muVolume )
{
	gelVec3W e1 = { e.xx, e.xy, e.xz }, e2 = { e.xy, e.yy, e.yz }, e3 = { e.xz, e.yz, e.zz };
	gelVec3W p1 = { p.xx, p.xy, p.xz }, p2 = { p.xy, p.yy, p.yz }, p3 = { p.xz, p.yz, p.zz };
	gelVec3W y = { gelSubW( gelDotW( e3, p2 ), gelDotW( e2, p3 ) ),
		gelSubW( gelDotW( e1, p3 ), gelDotW( e3, p1 ) ), gelSubW( gelDotW( e2, p1 ), gelDotW( e1, p2 ) ) };
	gelFloatW trace = gelSum3W( e.xx, e.yy, e.zz );
	gelSym3W H = gelScaleSymAddW( gelSplatW( -1.0f ), e, gelAddW( gelSplatW( 2.0f ), trace ) );
	gelVec3W h1 = { H.xx, H.xy, H.xz }, h2 = { H.xy, H.yy, H.yz }, h3 = { H.xz, H.yz, H.zz };
	gelMat3W C = { gelCrossW( h2, h3 ), gelCrossW( h3, h1 ), gelCrossW( h1, h2 ) };
	gelFloatW det = gelMaxW( gelDotW( h1, C.cx ), gelSplatW( GEL_MIN_TURN_STIFFNESS ) );
	gelVec3W r = gelScaleVecW( gelDivW( gelSplatW( 1.0f ), det ), gelMulMVW( C, y ) );
	gelFloatW limit = gelMulW(
		gelSplatW( 0.5f ), gelAddW( gelAddW( gelDotW( p1, p1 ), gelDotW( p2, p2 ) ), gelDotW( p3, p3 ) ) );
	gelFloatW length2 = gelMaxW( gelDotW( r, r ), gelSplatW( FLT_MIN ) );
	gelFloatW part = gelMinW( gelSqrtW( gelDivW( limit, length2 ) ), gelSplatW( 1.0f ) );
	return gelScaleVecW( gelMulW( gelMulW( gelSplatW( -2.0f ), muVolume ), part ), r );
}

// A function of its own: most bodies never need it. @param e elastic strain
static inline gelVec3W gelFindPlasticTwistW( const gelStrainBlock* plastic, gelSym3W e, gelFloatW muVolume )
{
	gelSym3W p = { gelLoadW( plastic->e[0] ), gelLoadW( plastic->e[1] ), gelLoadW( plastic->e[2] ),
		gelLoadW( plastic->e[3] ), gelLoadW( plastic->e[4] ), gelLoadW( plastic->e[5] ) };
	gelSym3W total = { gelAddW( e.xx, p.xx ), gelAddW( e.yy, p.yy ), gelAddW( e.zz, p.zz ),
		gelAddW( e.xy, p.xy ), gelAddW( e.xz, p.xz ), gelAddW( e.yz, p.yz ) };
	return gelPlasticTwistW( total, p, muVolume );
}

GEL_FORCE_INLINE void gelImplicitForcesW(
	const gelImplicitPass* pass, int i, int left, gelMat3W R, gelSym3W e )
{
	const gelElementBlock* element = pass->elements + i;
	gelFloatW mu = gelLoadW( element->muVolume );
	gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
	gelFloatW pressure = gelMulW( lambda, gelSum3W( e.xx, e.yy, e.zz ) );
	gelSym3W Z = gelScaleSymAddW( gelMulW( gelSplatW( 2.0f ), mu ), e, pressure );
	gelVec3W f[4], twist = { pressure, pressure, pressure };
	if ( pass->plastic ) twist = gelFindPlasticTwistW( pass->plastic + i, e, mu );
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W g = gelLoadGradientW( element->gradient, k ), local = gelMulSymVW( Z, g );
		if ( pass->plastic ) local = gelAddVecW( local, gelCrossW( twist, g ) );
		gelVec3W force = gelMulMVW( R, local );
		f[k + 1] = gelScaleVecW( gelSplatW( -pass->forceScale ), force );
	}
	if ( left != 0 ) gelDropForcesW( left, f );
	gelScatterForcesW( element->node, f, pass->forces );
}

GEL_FORCE_INLINE gelSym3W gelTakeElasticPartW( const gelImplicitPass* pass, int i, gelSym3W e )
{
	gelFloatW rows[6] = { e.xx, e.yy, e.zz, e.xy, e.xz, e.yz };
	for ( int k = 0; k < 6; ++k )
	{
		if ( pass->strains ) gelStoreW( pass->strains[i].e[k], rows[k] );
		if ( pass->plastic ) rows[k] = gelSubW( rows[k], gelLoadW( pass->plastic[i].e[k] ) );
	}
	return ( gelSym3W ){ rows[0], rows[1], rows[2], rows[3], rows[4], rows[5] };
}

GEL_FORCE_INLINE gelFloatW gelDeterminantW( gelMat3W m )
{
	return gelDotW( m.cx, gelCrossW( m.cy, m.cz ) );
}

// Lanes that are not healthy, as bits.
GEL_FORCE_INLINE int gelFindLeftW( const gelImplicitPass* pass, int i, gelMat3W F )
{
	int healthy = gelMaskBitsW( gelGreaterW( gelDeterminantW( F ), gelSplatW( pass->degenerateBelow ) ) );
	const uint8_t* witnesses = pass->witnesses + GEL_BLOCK_LANES * (size_t)i;
	for ( int k = 0; k < GEL_BLOCK_LANES; ++k )
		healthy &= ~( ( witnesses[k] != 0 ) << k );
	return ~healthy & 0xFF;
}

// Rotations and forces of eight tets. @return their elastic strain
GEL_FORCE_INLINE gelSym3W gelUpdateBlockW( const gelImplicitPass* pass, int i, gelMat3W* outR, int* usable )
{
	gelMat3W F = gelDeformationW( pass->elements + i, pass->u );
	int left = pass->witnesses ? gelFindLeftW( pass, i, F ) : 0;
	gelNodesW old = gelLoadNodesW( pass->q + GEL_LANES * (size_t)i ), q = old;
	for ( int k = 0; k < pass->polarSteps; ++k )
		q = gelPolarStepW( F, q );
	*usable &= gelMaskBitsW( gelIsUnitW( q ) ) | left;
	*outR = gelMakeMatFromQuatW( q );
	if ( left != 0 )
	{
		gelFloatW zero = gelSplatW( 0.0f ), kept = gelKeptLanesW( left );
		q.x = gelSelectW( gelGreaterW( kept, zero ), q.x, old.x );
		q.y = gelSelectW( gelGreaterW( kept, zero ), q.y, old.y );
		q.z = gelSelectW( gelGreaterW( kept, zero ), q.z, old.z );
		q.w = gelSelectW( gelGreaterW( kept, zero ), q.w, old.w );
	}
	gelStoreNodesW( pass->q + GEL_LANES * (size_t)i, q );
	if ( pass->witnesses ) pass->leftLanes[i] = (uint8_t)left;
	gelSym3W e = gelTakeElasticPartW( pass, i, gelCorotatedStrainW( *outR, F ) );
	gelImplicitForcesW( pass, i, left, *outR, e );
	return e;
}

// Z h of eight tets.
GEL_FORCE_INLINE void gelMultiplyBlockW(
	const gelStiffnessBlock* block, const gelTwistBlock* twist, const gelVec4* x, gelVec4* y )
{
	gelNodesW n0 = gelGatherW( x, block->node[0] );
	gelVec3W x0 = { n0.x, n0.y, n0.z }, h[3];
	gelMat3W L;
	for ( int k = 0; k < 3; ++k )
	{
		gelNodesW n = gelGatherW( x, block->node[k + 1] );
		gelVec3W d = gelSubVecW( ( gelVec3W ){ n.x, n.y, n.z }, x0 );
		h[k] = gelLoadGradientW( block->gradient, k );
		L.cx = k == 0 ? gelScaleVecW( h[k].x, d ) : gelMulAddVecW( L.cx, h[k].x, d );
		L.cy = k == 0 ? gelScaleVecW( h[k].y, d ) : gelMulAddVecW( L.cy, h[k].y, d );
		L.cz = k == 0 ? gelScaleVecW( h[k].z, d ) : gelMulAddVecW( L.cz, h[k].z, d );
	}
	gelFloatW a = gelLoadW( block->a ), b = gelLoadW( block->b ), ab = gelAddW( a, b );
	gelFloatW pressure = gelMulW( gelLoadW( block->c ), gelSum3W( L.cx.x, L.cy.y, L.cz.z ) );
	gelMat3W Z = {
		{ gelAddW( gelMulW( ab, L.cx.x ), pressure ), gelAddW( gelMulW( a, L.cx.y ), gelMulW( b, L.cy.x ) ),
			gelAddW( gelMulW( a, L.cx.z ), gelMulW( b, L.cz.x ) ) },
		{ gelAddW( gelMulW( a, L.cy.x ), gelMulW( b, L.cx.y ) ), gelAddW( gelMulW( ab, L.cy.y ), pressure ),
			gelAddW( gelMulW( a, L.cy.z ), gelMulW( b, L.cz.y ) ) },
		{ gelAddW( gelMulW( a, L.cz.x ), gelMulW( b, L.cx.z ) ),
			gelAddW( gelMulW( a, L.cz.y ), gelMulW( b, L.cy.z ) ),
			gelAddW( gelMulW( ab, L.cz.z ), pressure ) },
	};
	if ( twist )
	{
		gelFloatW half = gelSplatW( 0.5f );
		gelSym3W T = { gelLoadW( twist->T[0] ), gelLoadW( twist->T[1] ), gelLoadW( twist->T[2] ),
			gelLoadW( twist->T[3] ), gelLoadW( twist->T[4] ), gelLoadW( twist->T[5] ) };
		gelVec3W axis = { gelMulW( half, gelSubW( L.cy.z, L.cz.y ) ),
			gelMulW( half, gelSubW( L.cz.x, L.cx.z ) ), gelMulW( half, gelSubW( L.cx.y, L.cy.x ) ) };
		gelVec3W w = gelMulSymVW( T, axis );
		Z.cx.y = gelAddW( Z.cx.y, w.z );
		Z.cx.z = gelSubW( Z.cx.z, w.y );
		Z.cy.x = gelSubW( Z.cy.x, w.z );
		Z.cy.z = gelAddW( Z.cy.z, w.x );
		Z.cz.x = gelAddW( Z.cz.x, w.y );
		Z.cz.y = gelSubW( Z.cz.y, w.x );
	}
	gelVec3W f[4];
	for ( int k = 0; k < 3; ++k )
		f[k + 1] = gelMulMVW( Z, h[k] );
	gelScatterForcesW( block->node, f, y );
}
