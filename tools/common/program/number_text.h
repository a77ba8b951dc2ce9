// SPDX-License-Identifier: MIT
// Numbers to and from decimal text, correctly rounded and independent of the locale.
#pragma once

#include <stdint.h>

/// Bytes that gelPrintFloat may write.
#define GEL_FLOAT_TEXT_BYTES 24

/// Prints a finite float with as few digits (6 to 9, less zeros at the end) as read back to the same bits,
/// with a decimal point in any locale. Ends with a zero byte. @return the length
int gelPrintFloat( char* out, float value );

/// Prints a number without a zero byte. @return the first byte behind it, at most 10 on
char* gelPrintIndex( char* out, uint32_t value );

/// Reads the longest number at text: [+-] digits [. digits] [e [+-] digits], at least one digit before the
/// exponent. The text must end with a byte that no number contains. Values beyond the range of float become
/// infinite.
/// @return the first byte behind the number, or NULL if there is none (that includes "nan" and "inf")
const char* gelScanFloat( const char* text, float* out );
