// SPDX-License-Identifier: MIT
#include "bench.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

double gelBench_Best( const gelBench* bench, void ( *run )( void* context ), void* context )
{
	double budget = bench->quick ? 0.02 : 0.6; // [s]
	double best = 1e30, spent = 0.0;
	run( context ); // warm caches and pages
	for ( int i = 0; i < 3 || ( spent < budget && i < 100000 ); ++i )
	{
		double start = gelNow();
		run( context );
		double seconds = gelNow() - start;
		spent += seconds;
		if ( seconds < best ) best = seconds;
	}
	return best;
}

typedef struct gelStream
{
	uint64_t *from, *to;
	size_t words;
	uint64_t sum; // keeps the reads alive
} gelStream;

static void ReadStream( void* context )
{
	gelStream* s = context;
	uint64_t a = 0, b = 0, c = 0, d = 0;
	for ( size_t i = 0; i + 4 <= s->words; i += 4 )
	{
		a += s->from[i];
		b += s->from[i + 1];
		c += s->from[i + 2];
		d += s->from[i + 3];
	}
	s->sum += a + b + c + d;
}

static void CopyStream( void* context )
{
	gelStream* s = context;
	memcpy( s->to, s->from, s->words * sizeof( uint64_t ) );
}

void gelBench_MeasureMachine( gelBench* bench )
{
	size_t bytes = (size_t)( bench->quick ? 32 : 256 ) << 20;
	gelStream s = { malloc( bytes ), malloc( bytes ), bytes / sizeof( uint64_t ), 0 };
	if ( s.from && s.to )
	{
		memset( s.from, 1, bytes );
		memset( s.to, 2, bytes );
		bench->readBandwidth = (double)bytes / gelBench_Best( bench, ReadStream, &s );
		bench->copyBandwidth = (double)bytes / gelBench_Best( bench, CopyStream, &s );
	}
	gelReport_SetReal( &bench->program->report, "machine.read_gb_per_s", bench->readBandwidth * 1e-9 );
	gelReport_SetReal( &bench->program->report, "machine.copy_gb_per_s", bench->copyBandwidth * 1e-9 );
	gelReport_SetBool( &bench->program->report, "machine.checksum_is_odd", s.sum & 1u );
	free( s.from );
	free( s.to );
}

void gelBench_Row( gelBench* bench, const char* table, const char* name, ... )
{
	json_t* rows = json_object_get( bench->results, table );
	if ( rows == NULL )
	{
		rows = json_array();
		json_object_set_new( bench->results, table, rows );
	}
	json_t* row = json_object();
	json_object_set_new( row, "name", json_string( name ) );
	char line[512];
	int length = snprintf( line, sizeof( line ), "%-22s", name );

	va_list args;
	va_start( args, name );
	for ( const char* key = va_arg( args, const char* ); key != NULL; key = va_arg( args, const char* ) )
	{
		double value = va_arg( args, double );
		json_object_set_new( row, key, json_real( value ) );
		if ( length > 0 && (size_t)length < sizeof( line ) )
			length += snprintf( line + length, sizeof( line ) - (size_t)length, "  %s %.4g", key, value );
	}
	va_end( args );
	json_array_append_new( rows, row );
	gelProgram_Say( bench->program, "%s", line );
}
