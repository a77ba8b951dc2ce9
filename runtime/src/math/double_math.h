// SPDX-License-Identifier: MIT
// 3-vectors and 3x3 matrices in double, for what only few elements need: determinants near zero are
// differences of large products. Calls nothing of libm but sqrt, so bits do not depend on the machine.
#pragma once

#include "math/gel_math.h"

typedef struct gelVec3d
{
	double x, y, z;
} gelVec3d;

/// By columns, as gelMat3.
typedef struct gelMat3d
{
	gelVec3d cx, cy, cz;
} gelMat3d;

static inline gelVec3d gelToDouble( gelVec3 a )
{
	return ( gelVec3d ){ a.x, a.y, a.z };
}

static inline gelVec3 gelToFloat( gelVec3d a )
{
	return ( gelVec3 ){ (float)a.x, (float)a.y, (float)a.z };
}

static inline gelMat3d gelToDoubleMat( gelMat3 a )
{
	return ( gelMat3d ){ gelToDouble( a.cx ), gelToDouble( a.cy ), gelToDouble( a.cz ) };
}

static inline gelMat3 gelToFloatMat( gelMat3d a )
{
	return ( gelMat3 ){ gelToFloat( a.cx ), gelToFloat( a.cy ), gelToFloat( a.cz ) };
}

static inline gelVec3d gelAddD( gelVec3d a, gelVec3d b )
{
	return ( gelVec3d ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline gelVec3d gelSubD( gelVec3d a, gelVec3d b )
{
	return ( gelVec3d ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline gelVec3d gelScaleD( double s, gelVec3d a )
{
	return ( gelVec3d ){ s * a.x, s * a.y, s * a.z };
}

/// a + s b
static inline gelVec3d gelMulAddD( gelVec3d a, double s, gelVec3d b )
{
	return ( gelVec3d ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double gelDotD( gelVec3d a, gelVec3d b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline gelVec3d gelCrossD( gelVec3d a, gelVec3d b )
{
	return ( gelVec3d ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline gelVec3d gelMulMVD( gelMat3d m, gelVec3d v )
{
	return gelMulAddD( gelMulAddD( gelScaleD( v.x, m.cx ), v.y, m.cy ), v.z, m.cz );
}

static inline gelMat3d gelMulMMD( gelMat3d a, gelMat3d b )
{
	return ( gelMat3d ){ gelMulMVD( a, b.cx ), gelMulMVD( a, b.cy ), gelMulMVD( a, b.cz ) };
}

/// a^T b
static inline gelMat3d gelMulTransposedMMD( gelMat3d a, gelMat3d b )
{
	return ( gelMat3d ){
		{ gelDotD( a.cx, b.cx ), gelDotD( a.cy, b.cx ), gelDotD( a.cz, b.cx ) },
		{ gelDotD( a.cx, b.cy ), gelDotD( a.cy, b.cy ), gelDotD( a.cz, b.cy ) },
		{ gelDotD( a.cx, b.cz ), gelDotD( a.cy, b.cz ), gelDotD( a.cz, b.cz ) },
	};
}

/// a + s b
static inline gelMat3d gelMulAddMatD( gelMat3d a, double s, gelMat3d b )
{
	return (
		gelMat3d ){ gelMulAddD( a.cx, s, b.cx ), gelMulAddD( a.cy, s, b.cy ), gelMulAddD( a.cz, s, b.cz ) };
}

/// m + a b^T
static inline gelMat3d gelAddOuterD( gelMat3d m, gelVec3d a, gelVec3d b )
{
	return ( gelMat3d ){ gelMulAddD( m.cx, b.x, a ), gelMulAddD( m.cy, b.y, a ), gelMulAddD( m.cz, b.z, a ) };
}

static inline double gelDeterminantD( gelMat3d m )
{
	return gelDotD( m.cx, gelCrossD( m.cy, m.cz ) );
}

/// cof(M) = det(M) M^-T, also for singular M.
static inline gelMat3d gelCofactorD( gelMat3d m )
{
	return ( gelMat3d ){ gelCrossD( m.cy, m.cz ), gelCrossD( m.cz, m.cx ), gelCrossD( m.cx, m.cy ) };
}

/// Sum of the products of entries, a : b.
static inline double gelContractD( gelMat3d a, gelMat3d b )
{
	return gelDotD( a.cx, b.cx ) + gelDotD( a.cy, b.cy ) + gelDotD( a.cz, b.cz );
}

/// Twice the axial vector of the skew part: (Y32 - Y23, Y13 - Y31, Y21 - Y12).
static inline gelVec3d gelAxialD( gelMat3d y )
{
	return ( gelVec3d ){ y.cy.z - y.cz.y, y.cz.x - y.cx.z, y.cx.y - y.cy.x };
}

/// [w]x, with [w]x v = w x v.
static inline gelMat3d gelSkewD( gelVec3d w )
{
	return ( gelMat3d ){ { 0.0, w.z, -w.y }, { -w.z, 0.0, w.x }, { w.y, -w.x, 0.0 } };
}

static inline double gelTraceD( gelMat3d m )
{
	return m.cx.x + m.cy.y + m.cz.z;
}
