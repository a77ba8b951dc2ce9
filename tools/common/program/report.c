// SPDX-License-Identifier: MIT
#include "common/program/report.h"

#include "common/program/clean_text.h"
#include "common/program/output_file.h"

#include <gelpack/base.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Changes when a key of docs/report.schema.json changes its meaning or goes away.
#define REPORT_SCHEMA_VERSION 2

double gelNow( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void gelInitReport( gelReport* report, const char* tool )
{
	*report = ( gelReport ){ 0 };
	report->root = json_object();
	report->phases = json_array();
	json_object_set_new( report->root, "schema_version", json_integer( REPORT_SCHEMA_VERSION ) );
	json_object_set_new( report->root, "tool", json_string( tool ) );
	json_object_set_new( report->root, "version",
		json_sprintf( "%d.%d.%d", GEL_VERSION_MAJOR, GEL_VERSION_MINOR, GEL_VERSION_PATCH ) );
	json_object_set_new( report->root, "exit_code", json_integer( 0 ) ); // its place; the value comes last
	json_object_set( report->root, "phases", report->phases );
}

void gelFreeReport( gelReport* report )
{
	json_decref( report->phases );
	json_decref( report->root );
	*report = ( gelReport ){ 0 };
}

// Walks "a.b.c" to the object of "c", making objects on the way; jansson keeps the order of insertion.
void gelReport_SetJson( gelReport* report, const char* path, json_t* value )
{
	json_t* object = report->root;
	const char* dot;
	while ( object != NULL && ( dot = strchr( path, '.' ) ) != NULL )
	{
		// Keys are our own and short.
		char key[64];
		snprintf( key, sizeof( key ), "%.*s", (int)( dot - path ), path );
		json_t* child = json_object_get( object, key );
		if ( !json_is_object( child ) )
		{
			child = json_object();
			json_object_set_new( object, key, child );
		}
		object = child;
		path = dot + 1;
	}
	if ( object == NULL )
	{
		json_decref( value );
		return;
	}
	json_object_set_new( object, path, value );
}

void gelReport_SetInt( gelReport* report, const char* path, int64_t value )
{
	gelReport_SetJson( report, path, json_integer( value ) );
}

// JSON has no NaN and no infinity; null says that there is no figure.
void gelReport_SetReal( gelReport* report, const char* path, double value )
{
	gelReport_SetJson( report, path, isfinite( value ) ? json_real( value ) : json_null() );
}

void gelReport_SetString( gelReport* report, const char* path, const char* value )
{
	char* clean = value != NULL ? gelCleanText( value ) : NULL;
	gelReport_SetJson( report, path, clean != NULL ? json_string( clean ) : json_null() );
	free( clean );
}

void gelReport_SetBool( gelReport* report, const char* path, bool value )
{
	gelReport_SetJson( report, path, json_boolean( value ) );
}

void gelReport_Phase( gelReport* report, const char* name )
{
	double now = gelNow();
	if ( report->phaseName[0] != 0 && report->phases != NULL )
	{
		double seconds = round( ( now - report->phaseStart ) * 1e6 ) * 1e-6;
		json_array_append_new(
			report->phases, json_pack( "{s:s,s:f}", "name", report->phaseName, "seconds", seconds ) );
	}
	snprintf( report->phaseName, sizeof( report->phaseName ), "%s", name != NULL ? name : "" );
	report->phaseStart = now;
}

static void AddFindings( json_t* root, const gelFindings* findings )
{
	json_t* array = json_array();
	for ( int i = 0; i < findings->count; ++i )
	{
		const gelFinding* f = findings->items + i;
		json_t* item = json_object();
		json_object_set_new( item, "number", json_sprintf( "T%04d", f->number ) );
		json_object_set_new( item, "severity", json_string( gelSeverity_Name( f->severity ) ) );
		json_object_set_new( item, "title", json_string( gelFinding_Title( f->number ) ) );
		json_object_set_new( item, "file", f->file != NULL ? json_string( f->file ) : json_null() );
		json_object_set_new(
			item, "text", json_string( f->text != NULL ? f->text : gelFinding_Title( f->number ) ) );
		json_array_append_new( array, item );
	}
	json_object_set_new( root, "findings", array );

	json_t* totals = json_object();
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		if ( findings->totals[i] == 0 ) continue;
		char key[8];
		snprintf( key, sizeof( key ), "T%04d", gelFinding_Number( i ) );
		json_object_set_new( totals, key, json_integer( findings->totals[i] ) );
	}
	json_object_set_new( root, "finding_totals", totals );
}

int gelReport_Write( gelReport* report, const gelFindings* findings, int exitCode, const char* path )
{
	gelFindings problems = { 0 };
	gelReport_Phase( report, NULL );
	AddFindings( report->root, findings );
	json_object_set_new( report->root, "exit_code", json_integer( exitCode ) );
	char* text = json_dumps( report->root, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 15 ) );
	bool ok = false;
	if ( text == NULL )
	{
		gelFindings_Add( &problems, gel_findingNoMemory, path, "there is no memory for the report" );
	}
	else if ( strcmp( path, "-" ) == 0 )
	{
		ok = fputs( text, stdout ) >= 0 && fputc( '\n', stdout ) != EOF && fflush( stdout ) == 0;
		if ( !ok )
			gelFindings_Add(
				&problems, gel_findingCannotWrite, "standard output", "the report cannot be written" );
	}
	else
	{
		size_t length = strlen( text );
		text[length] = '\n'; // instead of the zero
		ok = gelWriteFile( path, text, length + 1, &problems );
	}
	free( text );
	const int worst = ok ? gel_exitDone : problems.exitCode;
	gelFreeFindings( &problems );
	return worst;
}
