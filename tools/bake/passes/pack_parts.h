// SPDX-License-Identifier: MIT
// What is written when all passes have run: META, the provenance, the sections.
#pragma once

#include "bake/body/bake_data.h"

/// META: one line of JSON with sorted keys, nothing in it that changes from run to run or machine to machine.
/// free() the result.
char* gelBuildMeta( const gelBakeData* data, const gelFindings* findings );

/// JSON text with sorted keys, no spaces, and reals in the shortest form that reads back to the same double.
/// free() the result.
char* gelFormatStableJson( const json_t* value );

/// What was asked for, in a form in which equal requests are equal texts. The caller owns the reference.
json_t* gelBuildSettingsJson( const gelBakeData* data );

/// Versions of the libraries that decide about factors. The caller owns the reference.
json_t* gelBuildLibrariesJson( void );

/// Warnings so far: numbers, how often, titles. The caller owns the reference.
json_t* gelBuildWarningsJson( const gelFindings* findings );

/// SHA-256 of input hash, cage, settings, versions of tool, format and libraries, and of the warnings, if
/// there are any: META has them, and a cage that is made may give some that the same cage from a file does
/// not.
void gelBuildProvenance(
	const gelBakeData* data, const gelCage* cage, const gelFindings* findings, uint8_t out[32] );

/// Lays out the pack. NULL: over a cap. free() the result.
uint8_t* gelWritePack(
	const gelBakeData* data, const char* meta, const uint8_t provenance[32], size_t* outBytes );
