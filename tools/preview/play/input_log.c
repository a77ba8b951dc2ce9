// SPDX-License-Identifier: MIT
// A recording of inputs, as text:
//
//     gel-inputs 1
//     pack 9f...            provenance of each pack, in order
//     start KEY VALUE       settings at the beginning
//     TICK KIND VALUE X Y Z X Y Z      one input: a number and two vectors, whatever the kind needs
//     TICK end HASH         hash of the world's state, which a replay has to reach
//
// Numbers are hexadecimal floats (%a): exact, and the same in every C library.
#include "preview/play/input_log.h"

#include "common/program/memory.h"
#include "common/program/output_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_LOG_BYTES  ( (size_t)1 << 28 )
#define GEL_MAX_LOG_INPUTS 4000000
#define GEL_MAX_LOG_PACKS  64

static const char* const kindNames[gel_inputKinds] = { "grab", "drag", "release", "pin", "push", "reset",
	"solver", "step", "passes", "gravity", "scene", "stiffness", "unpin" };

bool gelInputLog_Add( gelInputLog* log, const gelInput* input )
{
	if ( !GEL_GROW( log->items, log->capacity, (size_t)log->count + 1 ) ) return false;
	log->items[log->count++] = *input;
	return true;
}

void gelFreeInputLog( gelInputLog* log )
{
	free( log->items );
	free( log->packs );
	memset( log, 0, sizeof( *log ) );
}

bool gelInputLog_Begin( gelInputLog* log, const gelPackSet* packs, const gelSceneSettings* settings )
{
	free( log->packs );
	log->packCount = 0;
	log->packs = calloc( (size_t)packs->count + 1, sizeof( *log->packs ) );
	if ( log->packs == NULL ) return false;
	log->packCount = packs->count;
	for ( int i = 0; i < packs->count; ++i )
		memcpy( log->packs[i], gelAsset_GetInfo( packs->assets[i] ).provenance, 32 );
	log->settings = *settings;
	log->scene = -1;
	// Scenes by name in the file and by number here; a scene of a file has neither, and its file has to be
	// given again.
	for ( int i = 0; settings->def == NULL && gelGetScene( i ) != NULL; ++i )
	{
		if ( gelGetScene( i ) == settings->kind ) log->scene = i;
	}
	return true;
}

// ---- writing -----------------------------------------------------------------------------------------

bool gelWriteInputLog( const gelInputLog* log, const char* path, gelFindings* findings )
{
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	FILE* stream = file.stream;
	const gelSceneSettings* s = &log->settings;
	fputs( "gel-inputs 1\n", stream );
	for ( int i = 0; i < log->packCount; ++i )
	{
		fputs( "pack ", stream );
		for ( int k = 0; k < 32; ++k )
			fprintf( stream, "%02x", log->packs[i][k] );
		fputc( '\n', stream );
	}
	const char* scene = log->scene >= 0 ? gelSceneKind_Name( gelGetScene( log->scene ) ) : "file";
	fprintf( stream, "start scene %s\nstart solver %d\nstart step %a\nstart copies %d\nstart height %a\n",
		scene, (int)s->solver, s->step, s->copies, s->dropHeight );
	fprintf( stream, "start seconds %a\nstart passes %d\nstart stiffness %a\n", s->seconds, s->passes,
		s->stiffnessScale );
	for ( int i = 0; i < log->count; ++i )
	{
		const gelInput* in = log->items + i;
		fprintf( stream, "%" PRId64 " %s %d %a %a %a %a %a %a\n", in->tick, kindNames[in->kind], in->value,
			(double)in->v[0].x, (double)in->v[0].y, (double)in->v[0].z, (double)in->v[1].x,
			(double)in->v[1].y, (double)in->v[1].z );
	}
	fprintf( stream, "%" PRId64 " end %016" PRIx64 "\n", log->tickCount, log->hash );
	return gelOutputFile_Commit( &file, findings );
}

// ---- reading -----------------------------------------------------------------------------------------

typedef struct Reader
{
	gelInputLog* log;
	const char* path;
	gelFindings* findings;
	int line;
	bool ended;
} Reader;

static bool Wrong( Reader* r, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
static bool Wrong( Reader* r, const char* format, ... )
{
	char text[200];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	gelFindings_Add( r->findings, gel_findingInputLogWrong, r->path, "line %d: %s", r->line, text );
	return false;
}

static bool ReadPack( Reader* r, const char* hex )
{
	gelInputLog* log = r->log;
	if ( strlen( hex ) != 64 || strspn( hex, "0123456789abcdef" ) != 64 )
		return Wrong( r, "a pack is named by 64 hexadecimal digits" );
	if ( log->packCount == GEL_MAX_LOG_PACKS ) return Wrong( r, "more than %d packs", GEL_MAX_LOG_PACKS );
	for ( int i = 0; i < 32; ++i )
	{
		char pair[3] = { hex[2 * i], hex[2 * i + 1], 0 };
		log->packs[log->packCount][i] = (uint8_t)strtoul( pair, NULL, 16 );
	}
	log->packCount += 1;
	return true;
}

static bool ReadScene( Reader* r, const char* name )
{
	r->log->scene = -1;
	if ( strcmp( name, "file" ) == 0 ) return true;
	for ( int i = 0; gelGetScene( i ) != NULL; ++i )
	{
		if ( strcmp( gelSceneKind_Name( gelGetScene( i ) ), name ) == 0 ) r->log->scene = i;
	}
	return r->log->scene >= 0 || Wrong( r, "there is no scene \"%.40s\"", name );
}

static bool ReadStart( Reader* r, const char* text )
{
	char key[32], value[64];
	double number = 0.0;
	gelSceneSettings* s = &r->log->settings;
	if ( sscanf( text, "%31s %63s", key, value ) != 2 ) return Wrong( r, "start needs a key and a value" );
	if ( strcmp( key, "scene" ) == 0 ) return ReadScene( r, value );
	char* end = NULL;
	number = strtod( value, &end );
	// Also false for "nan", which strtod reads.
	if ( *end != 0 || !( number >= -1e6 && number <= 1e6 ) )
		return Wrong( r, "\"%.40s\" is not a number", value );
	if ( strcmp( key, "solver" ) == 0 && number >= 0.0 && number < GEL_PREVIEW_SOLVERS )
		s->solver = (gelPreviewSolver)number;
	else if ( strcmp( key, "step" ) == 0 && number >= 0.0 && number <= 1.0 )
		s->step = number;
	else if ( strcmp( key, "copies" ) == 0 && number >= 1.0 && number <= 256.0 )
		s->copies = (int)number;
	else if ( strcmp( key, "height" ) == 0 && number <= 1000.0 )
		s->dropHeight = number;
	else if ( strcmp( key, "seconds" ) == 0 && number > 0.0 )
		s->seconds = number;
	else if ( strcmp( key, "passes" ) == 0 && number >= 0.0 && number <= 100.0 )
		s->passes = (int)number;
	else if ( strcmp( key, "stiffness" ) == 0 && number >= 0.0 )
		s->stiffnessScale = number;
	else
		return Wrong( r, "start %.30s cannot be %.40s", key, value );
	return true;
}

static bool ReadInput( Reader* r, const char* text )
{
	gelInput in = { 0 };
	char kind[16];
	float v[6];
	int64_t tick = 0, last = r->log->count > 0 ? r->log->items[r->log->count - 1].tick : 0;
	uint64_t hash = 0;
	if ( sscanf( text, "%" SCNd64 " end %" SCNx64, &tick, &hash ) == 2 )
	{
		if ( tick < last ) return Wrong( r, "the end is before the last input" );
		r->log->tickCount = tick;
		r->log->hash = hash;
		r->ended = true;
		return true;
	}
	if ( sscanf( text, "%" SCNd64 " %15s %d %f %f %f %f %f %f", &in.tick, kind, &in.value, v, v + 1, v + 2,
			 v + 3, v + 4, v + 5 ) != 9 )
		return Wrong( r, "this is no input" );
	in.kind = gel_inputKinds;
	for ( int i = 0; i < gel_inputKinds; ++i )
	{
		if ( strcmp( kindNames[i], kind ) == 0 ) in.kind = (gelInputKind)i;
	}
	if ( in.kind == gel_inputKinds ) return Wrong( r, "there is no input \"%s\"", kind );
	// In order, as gelSession_Step takes them.
	if ( in.tick < last ) return Wrong( r, "step %" PRId64 " comes after step %" PRId64, in.tick, last );
	for ( int i = 0; i < 6; ++i )
	{
		if ( !( v[i] >= -1e9f && v[i] <= 1e9f ) ) return Wrong( r, "a number is out of range" );
	}
	if ( in.kind == gel_inputSolver && ( in.value < 0 || in.value >= GEL_PREVIEW_SOLVERS ) )
		return Wrong( r, "there is no solver number %d", in.value );
	in.v[0] = ( gelVec3 ){ v[0], v[1], v[2] };
	in.v[1] = ( gelVec3 ){ v[3], v[4], v[5] };
	if ( r->log->count == GEL_MAX_LOG_INPUTS ) return Wrong( r, "too many inputs" );
	return gelInputLog_Add( r->log, &in ) || Wrong( r, "out of memory" );
}

static bool ReadLine( Reader* r, const char* text )
{
	if ( r->line == 1 )
		return strcmp( text, "gel-inputs 1" ) == 0 || Wrong( r, "this is no recording of inputs" );
	if ( r->ended ) return text[0] == 0 || Wrong( r, "there is something behind the end" );
	if ( strncmp( text, "pack ", 5 ) == 0 ) return ReadPack( r, text + 5 );
	if ( strncmp( text, "start ", 6 ) == 0 ) return ReadStart( r, text + 6 );
	return ReadInput( r, text );
}

bool gelReadInputLog( gelInputLog* log, const char* path, gelFindings* findings )
{
	*log = ( gelInputLog ){ .scene = -1, .settings = { .copies = 1, .dropHeight = -1.0, .seconds = 1.5 } };
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, GEL_MAX_LOG_BYTES, &bytes, findings );
	if ( text == NULL ) return false;
	log->packs = calloc( GEL_MAX_LOG_PACKS, sizeof( *log->packs ) );
	Reader reader = { log, path, findings, 0, false };
	bool ok = log->packs != NULL;
	if ( !ok ) gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory for a recording" );
	char* at = text;
	while ( ok && *at != 0 )
	{
		char* end = at + strcspn( at, "\n" );
		bool last = *end == 0;
		*end = 0;
		reader.line += 1;
		ok = ReadLine( &reader, at );
		at = last ? end : end + 1;
	}
	if ( ok && !reader.ended ) ok = Wrong( &reader, "the recording has no end" );
	free( text );
	if ( !ok ) gelFreeInputLog( log );
	return ok;
}

bool gelInputLog_CheckPacks(
	const gelInputLog* log, const gelPackSet* packs, const char* path, gelFindings* findings )
{
	bool same = log->packCount == packs->count;
	for ( int i = 0; same && i < packs->count; ++i )
		same = memcmp( log->packs[i], gelAsset_GetInfo( packs->assets[i] ).provenance, 32 ) == 0;
	if ( same ) return true;
	gelFindings_Add( findings, gel_findingInputLogForeign, path,
		"the inputs were recorded with other packs (%d of them); replay them with the same packs in the same "
		"order",
		log->packCount );
	return false;
}
