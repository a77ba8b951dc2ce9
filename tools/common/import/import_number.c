// SPDX-License-Identifier: MIT
#include "common/import/import_number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Powers of ten that a double holds exactly.
static const double s_powersOfTen[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

typedef struct Decimal
{
	uint64_t mantissa;
	int exponent; // of ten
	bool negative;
	bool exact; // the mantissa holds all digits
} Decimal;

static bool IsDigit( char c )
{
	return (unsigned char)( c - '0' ) < 10;
}

// Digits of one side of the point. Zeros in front do not count towards the 19 digits that fit.
static const char* ScanDigits( const char* p, Decimal* decimal, bool fraction )
{
	for ( ; IsDigit( *p ); ++p )
	{
		if ( decimal->mantissa < 1000000000000000000ull ) // one more digit still fits
		{
			decimal->mantissa = 10 * decimal->mantissa + (uint64_t)( *p - '0' );
			decimal->exponent -= fraction;
		}
		else
		{
			decimal->exact &= *p == '0';
			decimal->exponent += !fraction;
		}
	}
	return p;
}

// An exponent mark without digits is not part of the number.
static const char* ScanExponent( const char* p, Decimal* decimal )
{
	if ( *p != 'e' && *p != 'E' ) return p;
	const char* q = p + 1;
	bool negative = *q == '-';
	if ( *q == '-' || *q == '+' ) ++q;
	if ( !IsDigit( *q ) ) return p;
	int value = 0;
	for ( ; IsDigit( *q ); ++q )
		if ( value < 100000 ) value = 10 * value + ( *q - '0' );
	decimal->exponent += negative ? -value : value;
	return q;
}

// Clinger's fast case: mantissa and power of ten are exact doubles, so one operation rounds correctly to
// double. Rounding that double to float is right too unless it sits exactly between two floats, which it may
// have reached by the first rounding; then, and for subnormal floats, strtof decides.
static bool FastFloat( const Decimal* decimal, float* out )
{
	if ( decimal->mantissa == 0 && decimal->exact )
	{
		*out = decimal->negative ? -0.0f : 0.0f;
		return true;
	}
	if ( !decimal->exact || decimal->mantissa > ( 1ull << 53 ) ) return false;
	if ( decimal->exponent < -22 || decimal->exponent > 22 ) return false;
	double value = (double)decimal->mantissa;
	value = decimal->exponent < 0 ? value / s_powersOfTen[-decimal->exponent]
								  : value * s_powersOfTen[decimal->exponent];
	uint64_t bits;
	memcpy( &bits, &value, sizeof bits );
	if ( ( bits & 0x1FFFFFFF ) == 0x10000000 || value < (double)FLT_MIN ) return false;
	*out = decimal->negative ? -(float)value : (float)value;
	return true;
}

const char* gelScanFloat( const char* text, float* out )
{
	Decimal decimal = { .exact = true, .negative = *text == '-' };
	const char* p = text + ( *text == '-' || *text == '+' );
	const char* digits = p;
	p = ScanDigits( p, &decimal, false );
	size_t digitCount = (size_t)( p - digits );
	if ( *p == '.' )
	{
		digits = ++p;
		p = ScanDigits( p, &decimal, true );
		digitCount += (size_t)( p - digits );
	}
	if ( digitCount == 0 ) return NULL;
	p = ScanExponent( p, &decimal );
	// The tools stay in the "C" locale, so strtof reads the same grammar; hexadecimal never gets here,
	// because "0x" gives the number zero in the fast case.
	if ( !FastFloat( &decimal, out ) ) *out = strtof( text, NULL );
	return p;
}
