// SPDX-License-Identifier: MIT
// Sine, arctangent and noise in plain arithmetic: samples are tested by hashes of their bytes, and the
// functions of C libraries differ in the last bits from version to version.
#include "sample_math.h"

// Taylor polynomials on [-pi/4, pi/4]; the first term left out is below 1e-15.
static double SinNearZero( double x )
{
	double x2 = x * x;
	double s = -1.0 / 1307674368000.0;
	s = s * x2 + 1.0 / 6227020800.0;
	s = s * x2 - 1.0 / 39916800.0;
	s = s * x2 + 1.0 / 362880.0;
	s = s * x2 - 1.0 / 5040.0;
	s = s * x2 + 1.0 / 120.0;
	s = s * x2 - 1.0 / 6.0;
	return x + x * x2 * s;
}

static double CosNearZero( double x )
{
	double x2 = x * x;
	double s = -1.0 / 87178291200.0;
	s = s * x2 + 1.0 / 479001600.0;
	s = s * x2 - 1.0 / 3628800.0;
	s = s * x2 + 1.0 / 40320.0;
	s = s * x2 - 1.0 / 720.0;
	s = s * x2 + 1.0 / 24.0;
	s = s * x2 - 0.5;
	return 1.0 + x2 * s;
}

double gelSampleSin( double x )
{
	// The nearest quarter turn; the rest is within [-pi/4, pi/4]. Samples stay below a few turns, where one
	// subtraction is exact enough.
	double quarter = floor( x * ( 2.0 / GEL_SAMPLE_PI ) + 0.5 );
	double rest = x - quarter * ( 0.5 * GEL_SAMPLE_PI );
	switch ( (int64_t)quarter & 3 )
	{
		case 0:
			return SinNearZero( rest );
		case 1:
			return CosNearZero( rest );
		case 2:
			return -SinNearZero( rest );
		default:
			return -CosNearZero( rest );
	}
}

double gelSampleCos( double x )
{
	return gelSampleSin( x + 0.5 * GEL_SAMPLE_PI );
}

// For x in [0, 1]. atan x = pi/4 + atan((x - 1)/(x + 1)) brings the argument below tan(pi/8).
static double AtanUnit( double x )
{
	double offset = 0.0;
	if ( x > 0.41421356237309503 )
	{
		offset = 0.25 * GEL_SAMPLE_PI;
		x = ( x - 1.0 ) / ( x + 1.0 );
	}
	double x2 = x * x;
	double sum = 0.0;
	for ( int n = 23; n >= 1; n -= 2 )
		sum = sum * -x2 + 1.0 / n;
	return offset + x * sum;
}

double gelSampleAtan2( double y, double x )
{
	double ax = fabs( x ), ay = fabs( y );
	if ( ax == 0.0 && ay == 0.0 ) return 0.0;
	double angle = ay <= ax ? AtanUnit( ay / ax ) : 0.5 * GEL_SAMPLE_PI - AtanUnit( ax / ay );
	angle = x < 0.0 ? GEL_SAMPLE_PI - angle : angle;
	return y < 0.0 ? -angle : angle;
}

// A well mixed 32-bit number for a lattice point.
static uint32_t HashCell( int32_t x, int32_t y, int32_t z, uint32_t seed )
{
	uint32_t h = seed * 0x9E3779B1u;
	h = ( h ^ (uint32_t)x ) * 0x85EBCA6Bu;
	h = ( h ^ ( h >> 15 ) ^ (uint32_t)y ) * 0xC2B2AE35u;
	h = ( h ^ ( h >> 13 ) ^ (uint32_t)z ) * 0x27D4EB2Fu;
	h ^= h >> 16;
	h *= 0x7FEB352Du;
	return h ^ ( h >> 15 );
}

// One of the twelve edge directions of a cube, dotted with (x, y, z).
static double GradientDot( uint32_t hash, double x, double y, double z )
{
	uint32_t h = hash & 15;
	double u = h < 8 ? x : y;
	double v = h < 4 ? y : ( h == 12 || h == 14 ? x : z );
	return ( h & 1 ? -u : u ) + ( h & 2 ? -v : v );
}

// 6 t^5 - 15 t^4 + 10 t^3 (Perlin 2002): first and second derivatives vanish at both ends, so that shading
// shows no lattice.
static double Fade( double t )
{
	return t * t * t * ( t * ( t * 6.0 - 15.0 ) + 10.0 );
}

static double Mix( double a, double b, double t )
{
	return a + ( b - a ) * t;
}

double gelSampleNoise( gelVec3d p, uint32_t seed )
{
	double fx = floor( p.x ), fy = floor( p.y ), fz = floor( p.z );
	int32_t ix = (int32_t)fx, iy = (int32_t)fy, iz = (int32_t)fz;
	double x = p.x - fx, y = p.y - fy, z = p.z - fz;
	double c[8];
	for ( int i = 0; i < 8; ++i )
	{
		int dx = i & 1, dy = ( i >> 1 ) & 1, dz = i >> 2;
		c[i] = GradientDot( HashCell( ix + dx, iy + dy, iz + dz, seed ), x - dx, y - dy, z - dz );
	}
	double u = Fade( x ), v = Fade( y ), w = Fade( z );
	double low = Mix( Mix( c[0], c[1], u ), Mix( c[2], c[3], u ), v );
	double high = Mix( Mix( c[4], c[5], u ), Mix( c[6], c[7], u ), v );
	return Mix( low, high, w );
}

// One knob per cell, in its middle part, and its 27 neighbors: 0.7 cells of radius reach no farther.
double gelSampleKnobs( gelVec3d p, uint32_t seed )
{
	double fx = floor( p.x ), fy = floor( p.y ), fz = floor( p.z );
	double best = 1.0; // squared distance to the nearest knob, where it matters
	for ( int i = 0; i < 27; ++i )
	{
		int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
		uint32_t h = HashCell( (int32_t)fx + dx, (int32_t)fy + dy, (int32_t)fz + dz, seed );
		double x = fx + dx + 0.2 + 0.6 / 1023.0 * ( h & 1023 ) - p.x;
		double y = fy + dy + 0.2 + 0.6 / 1023.0 * ( ( h >> 10 ) & 1023 ) - p.y;
		double z = fz + dz + 0.2 + 0.6 / 1023.0 * ( ( h >> 20 ) & 1023 ) - p.z;
		double d2 = ( x * x + y * y + z * z ) * ( 1.0 / 0.49 ); // knobs have radius 0.7 cells
		best = d2 < best ? d2 : best;
	}
	return ( 1.0 - best ) * ( 1.0 - best );
}
