// SPDX-License-Identifier: MIT
// The element loops of the implicit solver, eight tets at a time. Twins of implicit_elements_ref.c and of
// differential.h, where the formulas are, operation by operation.
#include "solvers/implicit/implicit_kernels.h"

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

GEL_FORCE_INLINE gelFloatW gelMeanTwistW(
	gelDifferential differential, gelSym3W e, gelFloatW muVolume, gelFloatW lambdaVolume )
{
	gelFloatW zero = gelSplatW( 0.0f );
	if ( differential == gel_differentialOne ) return muVolume;
	if ( differential == gel_differentialTwo ) return zero;
	if ( differential == gel_differentialH )
	{
		gelFloatW sum = gelSum3W( gelAbsW( e.xx ), gelAbsW( e.yy ), gelAbsW( e.zz ) );
		return gelMulW( muVolume, gelMinW( gelMulW( gelSplatW( 1.0f / 3.0f ), sum ), gelSplatW( 1.0f ) ) );
	}
	gelFloatW trace = gelSum3W( e.xx, e.yy, e.zz ), size = gelAddW( gelSplatW( 3.0f ), trace );
	gelFloatW half = gelMulW( gelMulW( gelSplatW( 0.5f ), lambdaVolume ), trace );
	gelFloatW mean =
		gelSubW( muVolume, gelMulW( gelSubW( muVolume, half ), gelDivW( gelSplatW( 3.0f ), size ) ) );
	return gelSelectW( gelGreaterW( size, zero ), gelMaxW( mean, zero ), zero );
}

GEL_FORCE_INLINE void gelJacobiRotateW(
	gelFloatW* pp, gelFloatW* qq, gelFloatW* pq, gelFloatW* pr, gelFloatW* qr, gelVec3W* p, gelVec3W* q )
{
	gelFloatW zero = gelSplatW( 0.0f ), one = gelSplatW( 1.0f );
	gelFloatW d = gelSubW( *qq, *pp ), twice = gelMulW( gelSplatW( 2.0f ), *pq );
	gelFloatW root = gelSqrtW( gelAddW( gelMulW( d, d ), gelMulW( twice, twice ) ) );
	gelFloatW t = gelDivW( twice, gelMaxW( gelAddW( gelAbsW( d ), root ), gelSplatW( FLT_MIN ) ) );
	t = gelSelectW( gelGreaterW( zero, d ), gelNegW( t ), t );
	gelFloatW c = gelDivW( one, gelSqrtW( gelAddW( gelMulW( t, t ), one ) ) ), s = gelMulW( t, c );
	gelFloatW change = gelMulW( t, *pq );
	*pp = gelSubW( *pp, change );
	*qq = gelAddW( *qq, change );
	*pq = zero;
	gelFloatW oldPr = *pr, oldQr = *qr;
	*pr = gelSubW( gelMulW( c, oldPr ), gelMulW( s, oldQr ) );
	*qr = gelAddW( gelMulW( s, oldPr ), gelMulW( c, oldQr ) );
	gelVec3W oldP = *p, oldQ = *q;
	*p = gelSubVecW( gelScaleVecW( c, oldP ), gelScaleVecW( s, oldQ ) );
	*q = gelAddVecW( gelScaleVecW( s, oldP ), gelScaleVecW( c, oldQ ) );
}

// A function of its own: most bodies never need it.
static gelSym3W TwistTensorW(
	gelDifferential differential, gelSym3W e, gelFloatW muVolume, gelFloatW lambdaVolume, gelFloatW mean )
{
	gelFloatW zero = gelSplatW( 0.0f ), one = gelSplatW( 1.0f ), two = gelSplatW( 2.0f );
	gelFloatW trace = gelSum3W( e.xx, e.yy, e.zz );
	gelFloatW lowest = gelSplatW( differential == gel_differentialC ? 0.0f : -FLT_MAX );
	gelFloatW k = gelMulW( two, gelSubW( gelMulW( lambdaVolume, trace ), gelMulW( two, muVolume ) ) );
	gelSym3W m = gelScaleSymAddW( gelSplatW( -1.0f ), e, gelAddW( two, trace ) );
	gelVec3W v[3] = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
	for ( int sweep = 0; sweep < GEL_EIGEN_SWEEPS; ++sweep )
	{
		gelJacobiRotateW( &m.xx, &m.yy, &m.xy, &m.xz, &m.yz, v, v + 1 );
		gelJacobiRotateW( &m.xx, &m.zz, &m.xz, &m.xy, &m.yz, v, v + 2 );
		gelJacobiRotateW( &m.yy, &m.zz, &m.yz, &m.xy, &m.xz, v + 1, v + 2 );
	}
	gelFloatW values[3] = { m.xx, m.yy, m.zz };
	gelSym3W T = { zero, zero, zero, zero, zero, zero };
	for ( int i = 0; i < 3; ++i )
	{
		gelFloatW bounded = gelMaxW( values[i], gelSplatW( GEL_MIN_TURN_STIFFNESS ) );
		gelFloatW value = gelAddW( gelMulW( two, muVolume ), gelDivW( k, bounded ) );
		value = gelSubW( gelMaxW( value, lowest ), gelMulW( two, mean ) );
		gelVec3W w = gelScaleVecW( value, v[i] );
		T.xx = gelAddW( T.xx, gelMulW( w.x, v[i].x ) );
		T.yy = gelAddW( T.yy, gelMulW( w.y, v[i].y ) );
		T.zz = gelAddW( T.zz, gelMulW( w.z, v[i].z ) );
		T.xy = gelAddW( T.xy, gelMulW( w.x, v[i].y ) );
		T.xz = gelAddW( T.xz, gelMulW( w.x, v[i].z ) );
		T.yz = gelAddW( T.yz, gelMulW( w.y, v[i].z ) );
	}
	return T;
}

GEL_FORCE_INLINE gelSym3W gelTurnSymW( gelMat3W R, gelSym3W m )
{
	gelVec3W x = gelMulMVW( R, ( gelVec3W ){ m.xx, m.xy, m.xz } );
	gelVec3W y = gelMulMVW( R, ( gelVec3W ){ m.xy, m.yy, m.yz } );
	gelVec3W z = gelMulMVW( R, ( gelVec3W ){ m.xz, m.yz, m.zz } );
	return ( gelSym3W ){ gelSum3W( gelMulW( x.x, R.cx.x ), gelMulW( y.x, R.cy.x ), gelMulW( z.x, R.cz.x ) ),
		gelSum3W( gelMulW( x.y, R.cx.y ), gelMulW( y.y, R.cy.y ), gelMulW( z.y, R.cz.y ) ),
		gelSum3W( gelMulW( x.z, R.cx.z ), gelMulW( y.z, R.cy.z ), gelMulW( z.z, R.cz.z ) ),
		gelSum3W( gelMulW( x.x, R.cx.y ), gelMulW( y.x, R.cy.y ), gelMulW( z.x, R.cz.y ) ),
		gelSum3W( gelMulW( x.x, R.cx.z ), gelMulW( y.x, R.cy.z ), gelMulW( z.x, R.cz.z ) ),
		gelSum3W( gelMulW( x.y, R.cx.z ), gelMulW( y.y, R.cy.z ), gelMulW( z.y, R.cz.z ) ) };
}

GEL_FORCE_INLINE void gelStoreTwistW( gelFloatW s, gelSym3W T, float ( *rows )[GEL_LANES] )
{
	gelStoreW( rows[0], gelMulW( s, T.xx ) );
	gelStoreW( rows[1], gelMulW( s, T.yy ) );
	gelStoreW( rows[2], gelMulW( s, T.zz ) );
	gelStoreW( rows[3], gelMulW( s, T.xy ) );
	gelStoreW( rows[4], gelMulW( s, T.xz ) );
	gelStoreW( rows[5], gelMulW( s, T.yz ) );
}

GEL_FORCE_INLINE void gelStoreStiffnessW( const gelImplicitPass* pass, int i, gelMat3W R, gelSym3W e )
{
	const gelElementBlock* element = pass->elements + i;
	gelStiffnessBlock* block = pass->blocks + i;
	gelFloatW mu = gelLoadW( element->muVolume ), s = gelSplatW( pass->stiffnessScale );
	gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
	gelFloatW t = gelMeanTwistW( pass->differential, e, mu, lambda );
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
	if ( !gelHasTwistTensor( pass->differential ) ) return;
	gelSym3W T = TwistTensorW( pass->differential, e, mu, lambda, t );
	gelStoreTwistW( s, gelTurnSymW( R, T ), block->twist );
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
static gelVec3W FindPlasticTwistW( const gelStrainBlock* plastic, gelSym3W e, gelFloatW muVolume )
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
	if ( pass->plastic ) twist = FindPlasticTwistW( pass->plastic + i, e, mu );
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

static bool UpdateImplicit_W( const gelImplicitPass* pass )
{
	int usable = 0xFF;
	for ( int i = 0; i < pass->blockCount; ++i )
	{
		gelMat3W F = gelDeformationW( pass->elements + i, pass->u );
		int left = pass->witnesses ? gelFindLeftW( pass, i, F ) : 0;
		gelNodesW old = gelLoadNodesW( pass->q + GEL_LANES * (size_t)i ), q = old;
		for ( int k = 0; k < pass->polarSteps; ++k )
			q = gelPolarStepW( F, q );
		usable &= gelMaskBitsW( gelIsUnitW( q ) ) | left;
		gelMat3W R = gelMakeMatFromQuatW( q );
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
		gelSym3W e = gelTakeElasticPartW( pass, i, gelCorotatedStrainW( R, F ) );
		gelImplicitForcesW( pass, i, left, R, e );
		gelStoreStiffnessW( pass, i, R, e );
	}
	return usable == 0xFF;
}

static void FindFlat_W(
	const gelElementBlock* blocks, int blockCount, const gelVec4* u, float limit, uint8_t* lanes )
{
	for ( int i = 0; i < blockCount; ++i )
	{
		gelFloatW J = gelDeterminantW( gelDeformationW( blocks + i, u ) );
		lanes[i] = (uint8_t)( ~gelMaskBitsW( gelGreaterW( J, gelSplatW( limit ) ) ) & 0xFF );
	}
}

// Z h of eight tets.
GEL_FORCE_INLINE void gelMultiplyBlockW(
	const gelStiffnessBlock* block, bool hasTwist, const gelVec4* x, gelVec4* y )
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
	if ( hasTwist )
	{
		gelFloatW half = gelSplatW( 0.5f );
		gelSym3W T = { gelLoadW( block->twist[0] ), gelLoadW( block->twist[1] ), gelLoadW( block->twist[2] ),
			gelLoadW( block->twist[3] ), gelLoadW( block->twist[4] ), gelLoadW( block->twist[5] ) };
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

static void MultiplyStiffness_W( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y )
{
	if ( stiffness->hasTwist )
	{
		for ( int i = 0; i < stiffness->blockCount; ++i )
			gelMultiplyBlockW( stiffness->blocks + i, true, x, y );
		return;
	}
	for ( int i = 0; i < stiffness->blockCount; ++i )
		gelMultiplyBlockW( stiffness->blocks + i, false, x, y );
}

static void AddDiagonal_W( const gelStiffness* stiffness, gelVec4* blocks )
{
	gelFloatW zero = gelSplatW( 0.0f );
	for ( int i = 0; i < stiffness->blockCount; ++i )
	{
		const gelStiffnessBlock* block = stiffness->blocks + i;
		gelFloatW a = gelLoadW( block->a ), bc = gelAddW( gelLoadW( block->b ), gelLoadW( block->c ) );
		gelVec3W h[4];
		for ( int k = 1; k < 4; ++k )
			h[k] = gelLoadGradientW( block->gradient, k - 1 );
		h[0] = gelAddVecW( gelAddVecW( h[1], h[2] ), h[3] );
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t first[GEL_BLOCK_LANES], second[GEL_BLOCK_LANES];
			for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			{
				first[lane] = 2 * block->node[k][lane];
				second[lane] = first[lane] + (uint32_t)sizeof( gelVec4 );
			}
			gelFloatW diagonal = gelMulW( a, gelDotW( h[k], h[k] ) );
			gelVec3W th = gelScaleVecW( bc, h[k] );
			gelScatterAddW( blocks, first,
				( gelNodesW ){ gelAddW( diagonal, gelMulW( th.x, h[k].x ) ),
					gelAddW( diagonal, gelMulW( th.y, h[k].y ) ),
					gelAddW( diagonal, gelMulW( th.z, h[k].z ) ), zero } );
			gelScatterAddW( blocks, second,
				( gelNodesW ){
					gelMulW( th.x, h[k].y ), gelMulW( th.x, h[k].z ), gelMulW( th.y, h[k].z ), zero } );
		}
	}
}

// ---- the element of Nesme et al., twin of qr_element.c ---------------------------------------------------

// Frame and coordinates of eight deformed tets.
typedef struct gelQrFrameW
{
	gelMat3W axes;
	gelFloatW xb, xc, yc, xd, yd, zd;
} gelQrFrameW;

GEL_FORCE_INLINE gelQrFrameW gelMakeQrFrameW( const gelImplicitPass* pass, int i )
{
	const gelStiffnessBlock* block = pass->blocks + i;
	gelNodesW n0 = gelGatherW( pass->u, block->node[0] );
	gelVec3W u0 = { n0.x, n0.y, n0.z }, e[3];
	for ( int k = 0; k < 3; ++k )
	{
		gelNodesW n = gelGatherW( pass->u, block->node[k + 1] );
		gelVec3W change = gelSubVecW( ( gelVec3W ){ n.x, n.y, n.z }, u0 );
		e[k] = gelAddVecW( gelLoadGradientW( pass->qr[i].edge, k ), change );
	}
	gelFloatW one = gelSplatW( 1.0f );
	gelQrFrameW frame;
	frame.xb = gelSqrtW( gelDotW( e[0], e[0] ) );
	frame.axes.cx = gelScaleVecW( gelDivW( one, frame.xb ), e[0] );
	frame.xc = gelDotW( frame.axes.cx, e[1] );
	gelVec3W t = gelMulAddVecW( e[1], gelNegW( frame.xc ), frame.axes.cx );
	frame.yc = gelSqrtW( gelDotW( t, t ) );
	frame.axes.cy = gelScaleVecW( gelDivW( one, frame.yc ), t );
	frame.axes.cz = gelCrossW( frame.axes.cx, frame.axes.cy );
	frame.xd = gelDotW( frame.axes.cx, e[2] );
	frame.yd = gelDotW( frame.axes.cy, e[2] );
	frame.zd = gelDotW( frame.axes.cz, e[2] );
	return frame;
}

// Strain in the frame, from the nonzero components of displacements and gradients g.
GEL_FORCE_INLINE gelSym3W gelQrStrainW( const gelQrBlock* qr, const gelQrFrameW* frame, const gelVec3W g[3] )
{
	gelFloatW half = gelSplatW( 0.5f );
	gelFloatW ub = gelSubW( frame->xb, gelLoadW( qr->local[0] ) );
	gelFloatW ucx = gelSubW( frame->xc, gelLoadW( qr->local[1] ) );
	gelFloatW ucy = gelSubW( frame->yc, gelLoadW( qr->local[2] ) );
	gelFloatW udx = gelSubW( frame->xd, gelLoadW( qr->local[3] ) );
	gelFloatW udy = gelSubW( frame->yd, gelLoadW( qr->local[4] ) );
	gelFloatW udz = gelSubW( frame->zd, gelLoadW( qr->local[5] ) );
	return ( gelSym3W ){ gelMulW( ub, g[0].x ), gelMulW( ucy, g[1].y ), gelMulW( udz, g[2].z ),
		gelMulW( half, gelAddW( gelMulW( ub, g[0].y ), gelMulW( ucx, g[1].y ) ) ),
		gelMulW( half, gelSum3W( gelMulW( ub, g[0].z ), gelMulW( ucx, g[1].z ), gelMulW( udx, g[2].z ) ) ),
		gelMulW( half, gelAddW( gelMulW( ucy, g[1].z ), gelMulW( udy, g[2].z ) ) ) };
}

GEL_FORCE_INLINE void gelUpdateQrBlockW( const gelImplicitPass* pass, int i )
{
	const gelQrBlock* qr = pass->qr + i;
	gelStiffnessBlock* block = pass->blocks + i;
	gelQrFrameW f = gelMakeQrFrameW( pass, i );
	int fine = gelMaskBitsW( gelGreaterW( f.xb, gelLoadW( qr->minBase ) ) ) &
		gelMaskBitsW( gelGreaterW( f.yc, gelLoadW( qr->minHeight ) ) );
	int left = ~fine & 0xFF;
	pass->leftLanes[i] = (uint8_t)left;

	gelFloatW v = gelLoadW( qr->invSixVolume ), zero = gelSplatW( 0.0f );
	gelVec3W g[3] = {
		{ gelMulW( v, gelMulW( f.yc, f.zd ) ), gelMulW( v, gelNegW( gelMulW( f.xc, f.zd ) ) ),
			gelMulW( v, gelMulSubW( f.xc, f.yd, f.yc, f.xd ) ) },
		{ zero, gelMulW( v, gelMulW( f.xb, f.zd ) ), gelMulW( v, gelNegW( gelMulW( f.xb, f.yd ) ) ) },
		{ zero, zero, gelMulW( v, gelMulW( f.xb, f.yc ) ) },
	};
	gelSym3W e = gelQrStrainW( qr, &f, g );
	gelFloatW mu = gelLoadW( qr->muVolume ), s = gelSplatW( pass->stiffnessScale );
	gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
	gelFloatW pressure = gelMulW( lambda, gelSum3W( e.xx, e.yy, e.zz ) );
	gelSym3W Z = gelScaleSymAddW( gelMulW( gelSplatW( 2.0f ), mu ), e, pressure );
	gelVec3W forces[4];
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W force = gelMulMVW( f.axes, gelMulSymVW( Z, g[k] ) );
		forces[k + 1] = gelScaleVecW( gelSplatW( -pass->forceScale ), force );
		gelVec3W h = gelMulMVW( f.axes, g[k] );
		gelStoreW( block->gradient[3 * k], h.x );
		gelStoreW( block->gradient[3 * k + 1], h.y );
		gelStoreW( block->gradient[3 * k + 2], h.z );
	}
	if ( left != 0 ) gelDropForcesW( left, forces );
	gelScatterForcesW( ( (const gelStiffnessBlock*)block )->node, forces, pass->forces );
	gelStoreW( block->a, gelMulW( s, mu ) );
	gelStoreW( block->b, gelMulW( s, mu ) );
	gelStoreW( block->c, gelMulW( s, lambda ) );
}

static bool UpdateQr_W( const gelImplicitPass* pass )
{
	for ( int i = 0; i < pass->blockCount; ++i )
		gelUpdateQrBlockW( pass, i );
	return true;
}

GEL_KERNELS( gelImplicitKernels, gelGetImplicitKernels ) = { UpdateImplicit_W, UpdateQr_W, FindFlat_W,
	AddDiagonal_W, MultiplyStiffness_W };
