// SPDX-License-Identifier: MIT
// The machine-readable report of a tool run (--json PATH|-): counts, times by phase, quality figures and
// findings, in one JSON object with a stable order of keys. Schema: docs/report.schema.json.
#pragma once

#include "common/program/findings.h"

#include <jansson.h>

typedef struct gelReport
{
	json_t* root;
	json_t* phases;
	double phaseStart; // [s]
	char phaseName[64];
} gelReport;

void gelInitReport( gelReport* report, const char* tool );
void gelFreeReport( gelReport* report );

/// Sets a figure; the path has the form "cage.tets": objects are made on the way.
void gelReport_SetInt( gelReport* report, const char* path, int64_t value );
void gelReport_SetReal( gelReport* report, const char* path, double value );
void gelReport_SetString( gelReport* report, const char* path, const char* value );
void gelReport_SetBool( gelReport* report, const char* path, bool value );
/// Steals the reference.
void gelReport_SetJson( gelReport* report, const char* path, json_t* value );

/// Starts a timed phase and ends the one before; NULL only ends.
void gelReport_Phase( gelReport* report, const char* name );

/// Adds findings and exit code and writes the report to a file (atomically) or, for "-", to stdout.
/// @return exit code of what went wrong with it
int gelReport_Write( gelReport* report, const gelFindings* findings, int exitCode, const char* path );

/// Monotonic clock [s].
double gelNow( void );
