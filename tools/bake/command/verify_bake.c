// SPDX-License-Identifier: MIT
#include "bake/command/verify_bake.h"

#include "bake/body/bake_pool.h"
#include "common/program/output_file.h"
#include "pack/pack_read.h"

#include <gelpack/asserts.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// False: the bytes are no pack.
static bool Open( const uint8_t* bytes, size_t byteCount, gelBakePool* pool, gelPackView* out )
{
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	uint8_t* memory = gelBakePool_Alloc( pool, byteCount + GEL_PACK_ALIGNMENT, 1 );
	// Aligned by hand to what the reader of packs asks for.
	uint8_t* copy = memory + ( GEL_PACK_ALIGNMENT - (uintptr_t)memory % GEL_PACK_ALIGNMENT );
	memcpy( copy, bytes, byteCount );
	void* scratch = gelBakePool_Alloc( pool, scratchBytes + 1, 1 );
	return gelPack_Open( copy, byteCount, scratch, scratchBytes, 0, out, NULL ) == gel_packOk;
}

static bool IsSameSection( const gelPackView* a, const gelPackSection* s, const gelPackView* b )
{
	const gelPackSection* t = gelPack_FindSection( b, s->fourcc, s->key );
	return t != NULL && t->bytes == s->bytes &&
		memcmp( a->bytes + s->offset, b->bytes + t->offset, (size_t)s->bytes ) == 0;
}

// Sections of the pack itself, and its provenance.
static bool IsSameRoot( const gelPackView* a, const gelPackView* b )
{
	bool isSame = memcmp( a->header->provenance, b->header->provenance, 32 ) == 0;
	for ( uint32_t i = 0; i < a->header->sectionCount && isSame; ++i )
	{
		const gelPackSection* s = a->sections + i;
		isSame = s->fourcc == GEL_SECTION_LODP || IsSameSection( a, s, b );
	}
	return isSame;
}

static bool IsSameLevel( const gelPackView* a, const gelPackView* b, uint32_t level )
{
	if ( level == 0 ) return IsSameRoot( a, b ) && IsSameRoot( b, a );
	const gelPackSection* s = gelPack_FindSection( a, GEL_SECTION_LODP, level );
	return s != NULL && IsSameSection( a, s, b );
}

// Fills the report, and says which levels differ: ", in level 0 and 2". Nothing if one is no pack, or has no
// levels.
static void CompareLevels( const uint8_t* file, size_t fileBytes, const uint8_t* bytes, size_t byteCount,
	gelReport* report, char* out, size_t capacity )
{
	gelBakePool pool = { NULL };
	gelPackView a, b;
	out[0] = 0;
	if ( Open( file, fileBytes, &pool, &a ) && Open( bytes, byteCount, &pool, &b ) &&
		a.levelCount + b.levelCount > 0 )
	{
		json_t* levels = json_array();
		uint32_t count = a.levelCount > b.levelCount ? a.levelCount : b.levelCount;
		for ( uint32_t i = 0; i <= count; ++i )
		{
			bool isSame = IsSameLevel( &a, &b, i );
			json_array_append_new( levels, json_boolean( isSame ) );
			size_t length = strlen( out );
			if ( !isSame )
				snprintf( out + length, capacity - length, length == 0 ? ", in level %u" : ", %u", i );
		}
		gelReport_SetJson( report, "verify.levels", levels );
	}
	gelFreeBakePool( &pool );
}

void gelVerifyBake( const char* path, const uint8_t* bytes, size_t byteCount, gelProgram* program )
{
	GEL_ASSERT( path != NULL && bytes != NULL );
	size_t fileBytes;
	char levels[64];
	gelReport_Phase( &program->report, "verify" );
	uint8_t* file = gelReadFile( path, (size_t)GEL_PACK_MAX_BYTES, &fileBytes, &program->findings );
	if ( file == NULL ) return;
	bool isSame = fileBytes == byteCount && memcmp( file, bytes, byteCount ) == 0;
	gelReport_SetBool( &program->report, "verify.passed", isSame );
	CompareLevels( file, fileBytes, bytes, byteCount, &program->report, levels, sizeof( levels ) );
	if ( isSame )
		gelProgram_Say( program, "%s: verified: its sources bake to these %zu bytes", path, byteCount );
	else
		gelFindings_Add( &program->findings, gel_findingPackOutdated, path,
			"it has %zu bytes, its sources bake to %zu bytes%s%s", fileBytes, byteCount,
			fileBytes == byteCount ? ", others" : "", levels );
	free( file );
}
