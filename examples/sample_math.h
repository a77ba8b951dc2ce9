// SPDX-License-Identifier: MIT
// Double precision vectors and elementary functions for the samples. Only sqrt and floor come from
// libm (both are exact by IEEE 754); sine, cosine and arc tangent are our own, because those of libm
// differ from version to version and samples are to have the same bytes everywhere.
#pragma once

#include <math.h>
#include <stdint.h>

#define GEL_SAMPLE_PI 3.14159265358979323846

typedef struct gelSampleVec
{
	double x, y, z;
} gelSampleVec;

static inline gelSampleVec gelSV( double x, double y, double z )
{
	return ( gelSampleVec ){ x, y, z };
}

static inline gelSampleVec gelSVAdd( gelSampleVec a, gelSampleVec b )
{
	return ( gelSampleVec ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline gelSampleVec gelSVSub( gelSampleVec a, gelSampleVec b )
{
	return ( gelSampleVec ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline gelSampleVec gelSVScale( gelSampleVec a, double s )
{
	return ( gelSampleVec ){ a.x * s, a.y * s, a.z * s };
}

/// a + s * b
static inline gelSampleVec gelSVMulAdd( gelSampleVec a, double s, gelSampleVec b )
{
	return ( gelSampleVec ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double gelSVDot( gelSampleVec a, gelSampleVec b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline gelSampleVec gelSVCross( gelSampleVec a, gelSampleVec b )
{
	return ( gelSampleVec ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double gelSVLength( gelSampleVec a )
{
	return sqrt( gelSVDot( a, a ) );
}

/// Unit vector; +Y for a vector without direction.
static inline gelSampleVec gelSVNormalize( gelSampleVec a )
{
	double length = gelSVLength( a );
	return length > 1e-300 ? gelSVScale( a, 1.0 / length ) : gelSV( 0.0, 1.0, 0.0 );
}

static inline double gelSampleClamp( double x, double low, double high )
{
	return x < low ? low : ( x > high ? high : x );
}

/// Angles in radians; error below 1e-13 for |x| < 1e4.
double gelSampleSin( double x );
double gelSampleCos( double x );
/// Angle of (x, y) in (-pi, pi]; 0 for the origin. Error below 1e-10.
double gelSampleAtan2( double y, double x );

/// Smooth noise of wavelength 1, about in [-1, 1], zero mean (gradient noise, Perlin 2002).
double gelSampleNoise( gelSampleVec p, uint32_t seed );
/// Round knobs in [0, 1]: one in each unit cell at a random place (cellular noise, Worley 1996).
double gelSampleKnobs( gelSampleVec p, uint32_t seed );
