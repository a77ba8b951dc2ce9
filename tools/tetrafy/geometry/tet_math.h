// SPDX-License-Identifier: MIT
// Double precision vectors, boxes and checked memory for the cage mesher.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelDvec
{
	double x, y, z;
} gelDvec;

typedef struct gelDbox
{
	gelDvec min, max;
} gelDbox;

// fmin and fmax must care about NaN and become calls; these compile to one instruction. The result for NaN is
// b.
static inline double gelMin( double a, double b )
{
	return a < b ? a : b;
}

static inline double gelMax( double a, double b )
{
	return a > b ? a : b;
}

static inline gelDvec gelDvec_Of( const double* p )
{
	return ( gelDvec ){ p[0], p[1], p[2] };
}

static inline gelDvec gelDvec_Add( gelDvec a, gelDvec b )
{
	return ( gelDvec ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline gelDvec gelDvec_Sub( gelDvec a, gelDvec b )
{
	return ( gelDvec ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline gelDvec gelDvec_Mul( double s, gelDvec a )
{
	return ( gelDvec ){ s * a.x, s * a.y, s * a.z };
}

/// a + s b
static inline gelDvec gelDvec_MulAdd( gelDvec a, double s, gelDvec b )
{
	return ( gelDvec ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double gelDvec_Dot( gelDvec a, gelDvec b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline gelDvec gelDvec_Cross( gelDvec a, gelDvec b )
{
	return ( gelDvec ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double gelDvec_Length( gelDvec a )
{
	return sqrt( gelDvec_Dot( a, a ) );
}

static inline gelDvec gelDvec_Min( gelDvec a, gelDvec b )
{
	return ( gelDvec ){ gelMin( a.x, b.x ), gelMin( a.y, b.y ), gelMin( a.z, b.z ) };
}

static inline gelDvec gelDvec_Max( gelDvec a, gelDvec b )
{
	return ( gelDvec ){ gelMax( a.x, b.x ), gelMax( a.y, b.y ), gelMax( a.z, b.z ) };
}

/// Contains nothing; the first point added becomes both corners.
static inline gelDbox gelDbox_Empty( void )
{
	return ( gelDbox ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static inline void gelDbox_AddPoint( gelDbox* box, gelDvec p )
{
	box->min = gelDvec_Min( box->min, p );
	box->max = gelDvec_Max( box->max, p );
}

static inline void gelDbox_AddBox( gelDbox* box, const gelDbox* other )
{
	box->min = gelDvec_Min( box->min, other->min );
	box->max = gelDvec_Max( box->max, other->max );
}

/// Closed boxes: touching counts.
static inline int gelDbox_Overlaps( const gelDbox* a, const gelDbox* b )
{
	return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
		a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/// Memory for count items, zeroed. A tool that runs out of memory says so and ends with exit code 4; nothing
/// is left behind because all output is written at the end and atomically.
void* gelTetAlloc( size_t count, size_t itemBytes );

/// The same for growing an array; new items are not zeroed.
void* gelTetGrow( void* memory, size_t count, size_t itemBytes );
