// SPDX-License-Identifier: MIT
// Decimal text to float, correctly rounded and independent of the locale.
#pragma once

/// Reads the longest number at text: [+-] digits [. digits] [e [+-] digits], at least one digit before the
/// exponent. The text must end with a byte that no number contains. Values beyond the range of float become
/// infinite.
/// @return the first byte behind the number, or NULL if there is none (that includes "nan" and "inf")
const char* gelScanFloat( const char* text, float* out );
