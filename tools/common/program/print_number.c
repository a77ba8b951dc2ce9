// SPDX-License-Identifier: MIT
#include "common/program/print_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double s_powersOfTen[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

// Whether digits * 10^-scale reads back as the float. A product is exact here (below 1e15). A quotient is
// rounded to double correctly, since both numbers are exact; if that sits between two floats the second
// rounding may go wrong, so such values count as no match.
static bool ReadsBackAs( int64_t digits, int scale, float value )
{
	if ( scale <= 0 ) return (float)( (double)digits * s_powersOfTen[-scale] ) == value;
	double x = (double)digits / s_powersOfTen[scale];
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
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
