// SPDX-License-Identifier: MIT
// Vectors, 3x3 matrices and boxes in double, all inline: for tools, and for what the runtime computes of few
// elements, since determinants near zero are differences of large products. Names are those of math_float.h
// with a D behind them. Calls nothing of libm but sqrt, so bits do not depend on the machine. gelpack.h does
// not include this.
#pragma once

#include "math_float.h"

typedef struct gelVec3d
{
	double x, y, z;
} gelVec3d;

/// By columns, as gelMat3.
typedef struct gelMat3d
{
	gelVec3d cx, cy, cz;
} gelMat3d;

/// Axis-aligned box [m].
typedef struct gelBox3d
{
	gelVec3d min, max;
} gelBox3d;

// ---- numbers ---------------------------------------------------------------------------------------------

/// a < b ? a : b. fmin must care about NaN and becomes a call; this is one instruction. b for NaN.
static inline double gelMinDouble( double a, double b )
{
	return a < b ? a : b;
}

/// a > b ? a : b; b for NaN.
static inline double gelMaxDouble( double a, double b )
{
	return a > b ? a : b;
}

// ---- vectors ---------------------------------------------------------------------------------------------

/// The vector (x, y, z).
static inline gelVec3d gelMakeVec3d( double x, double y, double z )
{
	return GEL_LITERAL( gelVec3d ){ x, y, z };
}

/// The vector of three numbers behind each other.
static inline gelVec3d gelLoadVec3d( const double* p )
{
	return GEL_LITERAL( gelVec3d ){ p[0], p[1], p[2] };
}

/// A float vector, exactly.
static inline gelVec3d gelToDouble( gelVec3 a )
{
	return GEL_LITERAL( gelVec3d ){ a.x, a.y, a.z };
}

/// Rounded to float.
static inline gelVec3 gelToFloat( gelVec3d a )
{
	return GEL_LITERAL( gelVec3 ){ (float)a.x, (float)a.y, (float)a.z };
}

/// a + b
static inline gelVec3d gelAddD( gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL( gelVec3d ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

/// a - b
static inline gelVec3d gelSubD( gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL( gelVec3d ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

/// s a
static inline gelVec3d gelScaleD( double s, gelVec3d a )
{
	return GEL_LITERAL( gelVec3d ){ s * a.x, s * a.y, s * a.z };
}

/// a + s b, two roundings per component.
static inline gelVec3d gelMulAddD( gelVec3d a, double s, gelVec3d b )
{
	return GEL_LITERAL( gelVec3d ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a . b
static inline double gelDotD( gelVec3d a, gelVec3d b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a x b
static inline gelVec3d gelCrossD( gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL( gelVec3d ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// |a|
static inline double gelLengthD( gelVec3d a )
{
	return sqrt( gelDotD( a, a ) );
}

/// The smaller of both, component by component.
static inline gelVec3d gelMinVec3d( gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL(
		gelVec3d ){ gelMinDouble( a.x, b.x ), gelMinDouble( a.y, b.y ), gelMinDouble( a.z, b.z ) };
}

/// The larger of both, component by component.
static inline gelVec3d gelMaxVec3d( gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL(
		gelVec3d ){ gelMaxDouble( a.x, b.x ), gelMaxDouble( a.y, b.y ), gelMaxDouble( a.z, b.z ) };
}

// ---- matrices --------------------------------------------------------------------------------------------

/// A float matrix, exactly.
static inline gelMat3d gelToDoubleMat( gelMat3 a )
{
	return GEL_LITERAL( gelMat3d ){ gelToDouble( a.cx ), gelToDouble( a.cy ), gelToDouble( a.cz ) };
}

/// Rounded to float.
static inline gelMat3 gelToFloatMat( gelMat3d a )
{
	return GEL_LITERAL( gelMat3 ){ gelToFloat( a.cx ), gelToFloat( a.cy ), gelToFloat( a.cz ) };
}

/// m v
static inline gelVec3d gelMulMVD( gelMat3d m, gelVec3d v )
{
	return gelMulAddD( gelMulAddD( gelScaleD( v.x, m.cx ), v.y, m.cy ), v.z, m.cz );
}

/// a b
static inline gelMat3d gelMulMMD( gelMat3d a, gelMat3d b )
{
	return GEL_LITERAL( gelMat3d ){ gelMulMVD( a, b.cx ), gelMulMVD( a, b.cy ), gelMulMVD( a, b.cz ) };
}

/// a^T b
static inline gelMat3d gelMulTransposedMMD( gelMat3d a, gelMat3d b )
{
	return GEL_LITERAL( gelMat3d ){
		{ gelDotD( a.cx, b.cx ), gelDotD( a.cy, b.cx ), gelDotD( a.cz, b.cx ) },
		{ gelDotD( a.cx, b.cy ), gelDotD( a.cy, b.cy ), gelDotD( a.cz, b.cy ) },
		{ gelDotD( a.cx, b.cz ), gelDotD( a.cy, b.cz ), gelDotD( a.cz, b.cz ) },
	};
}

/// a + s b
static inline gelMat3d gelMulAddMatD( gelMat3d a, double s, gelMat3d b )
{
	return GEL_LITERAL(
		gelMat3d ){ gelMulAddD( a.cx, s, b.cx ), gelMulAddD( a.cy, s, b.cy ), gelMulAddD( a.cz, s, b.cz ) };
}

/// m + a b^T
static inline gelMat3d gelAddOuterD( gelMat3d m, gelVec3d a, gelVec3d b )
{
	return GEL_LITERAL(
		gelMat3d ){ gelMulAddD( m.cx, b.x, a ), gelMulAddD( m.cy, b.y, a ), gelMulAddD( m.cz, b.z, a ) };
}

/// Volume of the parallelepiped of the columns; negative for a reflection.
static inline double gelDeterminantD( gelMat3d m )
{
	return gelDotD( m.cx, gelCrossD( m.cy, m.cz ) );
}

/// cof(M) = det(M) M^-T, also for singular M.
static inline gelMat3d gelCofactorD( gelMat3d m )
{
	return GEL_LITERAL(
		gelMat3d ){ gelCrossD( m.cy, m.cz ), gelCrossD( m.cz, m.cx ), gelCrossD( m.cx, m.cy ) };
}

/// Sum of the products of entries, a : b.
static inline double gelContractD( gelMat3d a, gelMat3d b )
{
	return gelDotD( a.cx, b.cx ) + gelDotD( a.cy, b.cy ) + gelDotD( a.cz, b.cz );
}

/// Twice the axial vector of the skew part: (Y32 - Y23, Y13 - Y31, Y21 - Y12).
static inline gelVec3d gelAxialD( gelMat3d y )
{
	return GEL_LITERAL( gelVec3d ){ y.cy.z - y.cz.y, y.cz.x - y.cx.z, y.cx.y - y.cy.x };
}

/// [w]x, with [w]x v = w x v.
static inline gelMat3d gelSkewD( gelVec3d w )
{
	return GEL_LITERAL( gelMat3d ){ { 0.0, w.z, -w.y }, { -w.z, 0.0, w.x }, { w.y, -w.x, 0.0 } };
}

/// Sum of the diagonal.
static inline double gelTraceD( gelMat3d m )
{
	return m.cx.x + m.cy.y + m.cz.z;
}

// ---- boxes -----------------------------------------------------------------------------------------------

/// The box that holds nothing; the first point added becomes both corners.
static inline gelBox3d gelBox3d_Empty( void )
{
	return GEL_LITERAL( gelBox3d ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

/// Grows to hold a point.
static inline void gelBox3d_AddPoint( gelBox3d* box, gelVec3d p )
{
	box->min = gelMinVec3d( box->min, p );
	box->max = gelMaxVec3d( box->max, p );
}

/// Grows to hold another box.
static inline void gelBox3d_AddBox( gelBox3d* box, const gelBox3d* other )
{
	box->min = gelMinVec3d( box->min, other->min );
	box->max = gelMaxVec3d( box->max, other->max );
}

/// Closed boxes: touching counts.
static inline bool gelBox3d_Overlaps( const gelBox3d* a, const gelBox3d* b )
{
	return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
		a->min.z <= b->max.z && b->min.z <= a->max.z;
}
