// SPDX-License-Identifier: MIT
// Floats to and from decimal text, correctly rounded and the same on every machine. A mesh has millions of
// them: the usual ones, up to 15 digits and small powers of ten, take one multiplication or division in
// double; the C library has the rest.
#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Powers of ten that a double holds exactly.
static const double s_powersOfTen[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

// ---- to text --------------------------------------------------------------------------------------------

// Whether digits * 10^-scale reads back as the float. A product is exact here (below 1e15). A quotient is
// rounded to double correctly, since both numbers are exact; if that sits between two floats the second
// rounding may go wrong, so such values count as no match.
static bool ReadsBackAs( int64_t digits, int scale, float value )
{
	if ( scale <= 0 ) return (float)( (double)digits * s_powersOfTen[-scale] ) == value;
	double x = (double)digits / s_powersOfTen[scale];
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	// 29 bits of a double lie below the last bit of a float: 1 and 28 zeros are half way.
	return ( bits & 0x1FFFFFFF ) != 0x10000000 && (float)x == value;
}

// Finds 6 to 9 digits for a value between 1e-12 and 1e15: value = digits * 10^-scale.
static bool FindDigits( float value, int64_t* outDigits, int* outScale )
{
	double x = value;
	if ( !( x >= 1e-12 && x < 1e15 ) ) return false;
	int exponent = 0; // 10^exponent <= x, or one off by rounding, which costs a digit at most
	if ( x >= 1.0 )
		while ( exponent < 15 && s_powersOfTen[exponent + 1] <= x )
			++exponent;
	else
		while ( 1.0 > x * s_powersOfTen[-exponent] )
			--exponent;
	for ( int precision = 6; precision <= 9; ++precision )
	{
		int scale = precision - 1 - exponent;
		double scaled = scale >= 0 ? x * s_powersOfTen[scale] : x / s_powersOfTen[-scale];
		int64_t digits = (int64_t)floor( scaled + 0.5 );
		if ( !ReadsBackAs( digits, scale, value ) ) continue;
		*outDigits = digits;
		*outScale = scale;
		return true;
	}
	return false;
}

// Positional notation: point inside, zeros in front, or zeros behind.
static int PrintDigits( char* out, const char* digits, int count, int scale )
{
	GEL_ASSERT( count > 0 );
	char* p = out;
	int whole = count - scale; // digits before the point
	if ( whole <= 0 )
	{
		*p++ = '0';
		*p++ = '.';
		for ( int i = whole; i < 0; ++i )
			*p++ = '0';
		whole = 0;
		memcpy( p, digits, (size_t)count );
		return (int)( p - out ) + count;
	}
	for ( int i = 0; i < whole; ++i )
		*p++ = i < count ? digits[i] : '0';
	if ( whole < count )
	{
		*p++ = '.';
		memcpy( p, digits + whole, (size_t)( count - whole ) );
		p += count - whole;
	}
	return (int)( p - out );
}

// C's own conversion, for the rare rest; tries fewer digits first.
static int PrintSlowly( char* out, float value )
{
	int length = 0;
	for ( int precision = 6; precision <= 9; ++precision )
	{
		length = snprintf( out, GEL_FLOAT_TEXT_BYTES, "%.*g", precision, (double)value );
		if ( strtof( out, NULL ) == value ) break;
	}
	return length;
}

int gelPrintFloat( char* out, float value )
{
	int64_t digits;
	int scale;
	int sign = signbit( value ) ? 1 : 0;
	if ( value == 0.0f ) return snprintf( out, GEL_FLOAT_TEXT_BYTES, sign ? "-0" : "0" );
	if ( fabsf( value ) < 1e-5f || !FindDigits( fabsf( value ), &digits, &scale ) )
		return PrintSlowly( out, value );
	// 0.5 and not 0.500000.
	while ( digits % 10 == 0 )
		digits /= 10, --scale;
	char text[20];
	int count = 0;
	for ( int64_t rest = digits; rest != 0; rest /= 10 )
		++count;
	for ( int i = count; i > 0; digits /= 10 )
		text[--i] = (char)( '0' + digits % 10 );
	out[0] = '-';
	int length = sign + PrintDigits( out + sign, text, count, scale );
	out[length] = 0;
	return length;
}

char* gelPrintIndex( char* out, uint32_t value )
{
	char digits[10];
	int count = 0;
	do
		digits[count++] = (char)( '0' + value % 10 );
	while ( ( value /= 10 ) != 0 );
	while ( count > 0 )
		*out++ = digits[--count];
	return out;
}

// ---- from text ------------------------------------------------------------------------------------------

typedef struct Decimal
{
	uint64_t mantissa;
	int exponent; // power of ten
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
