// SPDX-License-Identifier: MIT
// Elementary functions in double for the samples. Only sqrt and floor come from
// libm (both are exact by IEEE 754); sine, cosine and arc tangent are our own, because those of libm
// differ from version to version and samples are to have the same bytes everywhere.
#pragma once

#include <gelpack/math_double.h>

#include <stdint.h>

#define GEL_SAMPLE_PI 3.14159265358979323846

/// Unit vector; +Y for a vector without direction.
static inline gelVec3d gelSampleNormalize( gelVec3d a )
{
	double length = gelLengthD( a );
	return length > 1e-300 ? gelScaleD( 1.0 / length, a ) : gelMakeVec3d( 0.0, 1.0, 0.0 );
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
double gelSampleNoise( gelVec3d p, uint32_t seed );
/// Round knobs in [0, 1]: one in each unit cell at a random place (cellular noise, Worley 1996).
double gelSampleKnobs( gelVec3d p, uint32_t seed );
