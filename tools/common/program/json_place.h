// SPDX-License-Identifier: MIT
// JSON for people: values with names and ranges, and for every mistake the line and column it is at. jansson
// knows places of syntax errors only, so the text is searched again for the value that is wrong.
#pragma once

#include "common/program/findings.h"

#include <gelpack/types.h>

#include <jansson.h>

#define GEL_MAX_JSON_PATH 12

/// One step on the way to a value: a key of an object, or an index of an array when key is NULL.
typedef struct gelJsonStep
{
	const char* key;
	int index;
} gelJsonStep;

/// For texts that are no file of their own, such as extras of glTF: how a message names a place in them.
typedef struct gelJsonOrigin
{
	const char* label; // name of the text, such as `node "tail": extras.gelpack`
	bool hasLines; // a line and a column mean something to who wrote it; else the path of the value is said
	/// What is said instead of a path; NULL: the path. May return NULL for a path that has no other name.
	const char* ( *nameOf )( const gelJsonStep* path, int depth );
} gelJsonOrigin;

typedef struct gelJsonReader
{
	const char* file;
	const char* text;
	json_t* root;
	gelFindings* findings;
	int number; // finding that a mistake is
	gelJsonStep path[GEL_MAX_JSON_PATH];
	int depth;
	bool failed;
	const gelJsonOrigin* origin; // NULL: the text is the file
} gelJsonReader;

/// Line and column (from 1) of the value that a path leads to; of the key if the last step is one. Text must
/// be valid JSON. False: there is no such value.
bool gelFindJsonPlace( const char* text, const gelJsonStep* path, int depth, int* outLine, int* outColumn );

/// Parses a text. False: a finding with line and column was added.
bool gelJson_Open( gelJsonReader* reader, const char* file, const char* text, size_t bytes, int number,
	gelFindings* findings );
/// The same for a text from elsewhere.
bool gelJson_OpenFrom( gelJsonReader* reader, const gelJsonOrigin* origin, const char* file, const char* text,
	size_t bytes, int number, gelFindings* findings );
/// The same for a value that was parsed before; places are paths.
void gelJson_OpenValue( gelJsonReader* reader, const gelJsonOrigin* origin, const char* file, json_t* value,
	int number, gelFindings* findings );
void gelJson_Close( gelJsonReader* reader );

/// Adds a finding about the value that the reader is at. @return false
bool gelJson_Fail( gelJsonReader* reader, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );

/// The same about a member of the object that the reader is at; its key stands in front of the text:
/// "young" has to be a number.
bool gelJson_FailMember( gelJsonReader* reader, const char* key, const char* format, ... )
	__attribute__( ( format( printf, 3, 4 ) ) );

/// Where the value is that the reader is at: "line 3, column 5", or what the origin of the text calls it.
void gelJson_PrintPlace( const gelJsonReader* reader, char* out, size_t capacity );

/// Line and column of a member of the object that the reader is at; of the object when it has none.
void gelJson_PlaceOf( gelJsonReader* reader, const char* key, int* outLine, int* outColumn );

/// Goes to a member and back. Every Enter needs a Leave.
void gelJson_EnterKey( gelJsonReader* reader, const char* key );
void gelJson_EnterIndex( gelJsonReader* reader, int index );
void gelJson_Leave( gelJsonReader* reader );

/// Complains about keys that are not in a list of names, separated by blanks.
bool gelJson_CheckKeys( gelJsonReader* reader, const json_t* object, const char* names );

/// Whether a value is an array of so many numbers within +-max.
bool gelReadJsonNumbers( const json_t* array, size_t count, double max, double* out );

// Each reads one member of an object if it is there, and checks it. Without it the value stays as it is.
bool gelJson_Number(
	gelJsonReader* reader, const json_t* object, const char* key, double min, double max, double* value );
bool gelJson_Integer(
	gelJsonReader* reader, const json_t* object, const char* key, int min, int max, int* value );
bool gelJson_Bool( gelJsonReader* reader, const json_t* object, const char* key, bool* value );
/// Three numbers within +-max, multiplied by scale.
bool gelJson_Vector(
	gelJsonReader* reader, const json_t* object, const char* key, double max, double scale, gelVec3* value );
/// One of several words, separated by '|'.
bool gelJson_Word(
	gelJsonReader* reader, const json_t* object, const char* key, const char* words, int* value );
/// An array of at most max elements; NULL when it is not there, or wrong (failed is set then).
const json_t* gelJson_Array( gelJsonReader* reader, const json_t* object, const char* key, int max );
