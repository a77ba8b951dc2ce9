// SPDX-License-Identifier: MIT
// Words and numbers out of cage files, and back into text. Independent of the locale.
#pragma once

#include "cage/cage_io.h"

/// A text that is being read. The byte behind the last one is zero.
typedef struct gelCageText
{
	const char* file; // for messages
	const char* cursor;
	const char* end;
	uint64_t line;     // where the cursor is, from 1
	uint64_t wordLine; // where the word is that was read last
	bool hashComments; // '#' starts a comment that ends with the line
	gelCageError* error;
} gelCageText;

/// A word inside the text: not zero terminated.
typedef struct gelCageWord
{
	const char* text;
	size_t length;
} gelCageWord;

void gelInitCageText( gelCageText* text, const char* file, const char* bytes, size_t byteCount,
	bool hashComments, gelCageError* error );

/// Fills an error; the first one stays. @return false, so that a reader can return the call
bool gelCageFail( gelCageError* error, const char* file, uint64_t line, const char* format, ... )
	__attribute__( ( format( printf, 4, 5 ) ) );
bool gelCageFailMemory( gelCageError* error, const char* file );
/// The same with the file and the line of the last word.
bool gelCageText_Fail( gelCageText* text, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );

/// Next word, on whatever line. False, without an error, at the end of the text.
bool gelCageText_NextWord( gelCageText* text, gelCageWord* outWord );
/// Next word on this line. False, without an error, when there is none.
bool gelCageText_NextWordOnLine( gelCageText* text, gelCageWord* outWord );
void gelCageText_SkipLine( gelCageText* text );
/// Goes to the next line; anything but a comment before it is an error.
bool gelCageText_EndLine( gelCageText* text );
/// Next word, which must be this one.
bool gelCageText_Expect( gelCageText* text, const char* expected );
bool gelCageWord_Is( gelCageWord word, const char* expected );
bool gelCageWord_StartsWith( gelCageWord word, const char* expected );

/// Whole and finite numbers. The name says in a message what was expected: "node number".
bool gelCageText_ReadUInt( gelCageText* text, const char* name, uint64_t max, uint64_t* out );
bool gelCageText_ReadInt( gelCageText* text, const char* name, int64_t* out );
bool gelCageText_ReadReal( gelCageText* text, const char* name, double* out );
/// On this line only: a missing number leaves *out as it is.
bool gelCageText_ReadOptionalUInt( gelCageText* text, const char* name, uint64_t max, uint64_t* out );

/// A count, refused when the rest of the text cannot hold as many items of at least so many bytes each. Comes
/// before every allocation.
bool gelCageText_ReadCount(
	gelCageText* text, const char* name, size_t minItemBytes, uint32_t max, uint32_t* out );

/// A text that is being written; grows.
typedef struct gelCageOut
{
	char* bytes;
	size_t count, capacity;
	bool failed; // no memory
} gelCageOut;

/// A number that reads back to the same double, with a decimal point in any locale.
void gelCageOut_Real( gelCageOut* out, double value );

void gelCageOut_Print( gelCageOut* out, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
/// " x y z" with a leading separator, or "x y z" when separator is "".
void gelCageOut_Point( gelCageOut* out, const char* separator, const double* point );
/// Hands the text over, or NULL.
char* gelCageOut_Finish( gelCageOut* out, size_t* outBytes );
