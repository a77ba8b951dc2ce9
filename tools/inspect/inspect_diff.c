// SPDX-License-Identifier: MIT
// Two packs compared, for reviewing a change of art, settings or tools: figures, META, sections. What moved
// by how much comes first; bytes that differ come last.
#include "inspect/inspect.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is compared, and where the result goes.
typedef struct Comparison
{
	const gelProgram* program;
	const gelInspectedPack *a, *b;
	json_t *figures, *meta, *sections; // arrays of the report
	int differences;
} Comparison;

// ---- figures -------------------------------------------------------------------------------------

// A line "tets 501 -> 620 (+23.8 %)", only if they differ.
static void CompareFigure( Comparison* c, const char* name, double a, double b )
{
	GEL_ASSERT( !isnan( a ) && !isnan( b ) );
	bool isEqual = a == b;
	json_array_append_new(
		c->figures, json_pack( "{s:s, s:f, s:f, s:b}", "name", name, "a", a, "b", b, "equal", isEqual ) );
	if ( isEqual ) return;
	c->differences += 1;
	if ( fabs( b - a ) <= 1e-6 * fabs( a ) ) return; // rounding: no news for people
	char change[32] = "";
	if ( a != 0.0 ) snprintf( change, sizeof( change ), " (%+.3g %%)", 100.0 * ( b - a ) / fabs( a ) );
	gelProgram_Say( c->program, "  %-22s %.9g -> %.9g%s", name, a, b, change );
}

static void CompareFigures( Comparison* c )
{
	const gelPackHeader *a = c->a->view.header, *b = c->b->view.header;
	gelPackFacts fa = gelMeasurePack( &c->a->view ), fb = gelMeasurePack( &c->b->view );
	gelProgram_Say( c->program, "figures" );
	int before = c->differences;
	CompareFigure( c, "bytes", (double)a->fileBytes, (double)b->fileBytes );
	CompareFigure( c, "nodes", a->nodeCount, b->nodeCount );
	CompareFigure( c, "tets", a->tetCount, b->tetCount );
	CompareFigure( c, "vertices", a->artVertexCount, b->artVertexCount );
	CompareFigure( c, "triangles", a->artTriangleCount, b->artTriangleCount );
	CompareFigure( c, "collision patches", a->cdgPatchCount, b->cdgPatchCount );
	CompareFigure( c, "collision triangles", a->cdgTriangleCount, b->cdgTriangleCount );
	CompareFigure( c, "materials", c->a->view.materialCount, c->b->view.materialCount );
	CompareFigure( c, "mass [kg]", fa.mass, fb.mass );
	CompareFigure( c, "cage volume [m^3]", fa.volume, fb.volume );
	CompareFigure( c, "smallest tet [m^3]", fa.minTetVolume, fb.minTetVolume );
	for ( int k = 0; k < 3; ++k )
	{
		char name[32];
		snprintf( name, sizeof( name ), "art size %c [m]", "xyz"[k] );
		CompareFigure( c, name, fa.artMax[k] - fa.artMin[k], fb.artMax[k] - fb.artMin[k] );
	}
	if ( c->differences == before ) gelProgram_Say( c->program, "  all equal" );
}

// ---- META ----------------------------------------------------------------------------------------

// Short enough for a line.
static void PrintValue( char* out, size_t capacity, const json_t* value )
{
	GEL_ASSERT( capacity > 0 );
	char* text =
		value ? json_dumps( value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION( 15 ) ) : NULL;
	snprintf( out, capacity, "%s", value == NULL ? "(none)" : text ? text : "?" );
	if ( text != NULL && strlen( text ) >= capacity ) memcpy( out + capacity - 4, "...", 4 );
	free( text );
}

static void CompareValues( Comparison* c, const char* path, json_t* a, json_t* b );

// Keys of either side, each once: those of a first, then those that b alone has.
static void CompareMembers( Comparison* c, const char* path, json_t* a, json_t* b )
{
	const char* key;
	json_t* value;
	char name[512];
	json_object_foreach( a, key, value )
	{
		snprintf( name, sizeof( name ), "%s%s%s", path, path[0] ? "." : "", key );
		CompareValues( c, name, value, json_object_get( b, key ) );
	}
	json_object_foreach( b, key, value )
	{
		snprintf( name, sizeof( name ), "%s%s%s", path, path[0] ? "." : "", key );
		if ( json_object_get( a, key ) == NULL ) CompareValues( c, name, NULL, value );
	}
}

// By place: arrays of META are short lists, such as step lengths, whose order means something.
static void CompareItems( Comparison* c, const char* path, json_t* a, json_t* b )
{
	size_t count = json_array_size( a ) > json_array_size( b ) ? json_array_size( a ) : json_array_size( b );
	for ( size_t i = 0; i < count; ++i )
	{
		char name[512];
		snprintf( name, sizeof( name ), "%s[%zu]", path, i );
		CompareValues( c, name, json_array_get( a, i ), json_array_get( b, i ) );
	}
}

static void CompareValues( Comparison* c, const char* path, json_t* a, json_t* b )
{
	if ( a != NULL && b != NULL && json_equal( a, b ) ) return;
	if ( json_is_object( a ) && json_is_object( b ) )
		CompareMembers( c, path, a, b );
	else if ( json_is_array( a ) && json_is_array( b ) )
		CompareItems( c, path, a, b );
	else
	{
		char textA[96], textB[96];
		PrintValue( textA, sizeof( textA ), a );
		PrintValue( textB, sizeof( textB ), b );
		gelProgram_Say( c->program, "  %s: %s -> %s", path, textA, textB );
		json_array_append_new( c->meta, json_pack( "{s:s, s:O?, s:O?}", "path", path, "a", a, "b", b ) );
		c->differences += 1;
	}
}

// META has the settings, so this says why two packs differ. Versions of the format are in the header and join
// it.
static void CompareMeta( Comparison* c )
{
	char error[256];
	json_t* a = gelParseMeta( &c->a->view, error, sizeof( error ) );
	json_t* b = gelParseMeta( &c->b->view, error, sizeof( error ) );
	int before = c->differences;
	const gelPackHeader *ha = c->a->view.header, *hb = c->b->view.header;
	json_t* formatA = json_sprintf( "%u.%u", ha->versionMajor, ha->versionMinor );
	json_t* formatB = json_sprintf( "%u.%u", hb->versionMajor, hb->versionMinor );
	gelProgram_Say( c->program, "META" );
	CompareValues( c, "format", formatA, formatB );
	CompareValues( c, "", a, b );
	json_decref( formatA );
	json_decref( formatB );
	if ( c->differences == before ) gelProgram_Say( c->program, "  equal" );
	json_decref( a );
	json_decref( b );
}

// ---- sections ------------------------------------------------------------------------------------

// By name and key, not by place: a section more or less must not make all others look changed.
static const gelPackSection* FindSection( const gelInspectedPack* pack, const gelPackSection* like )
{
	for ( uint32_t i = 0; i < pack->view.header->sectionCount; ++i )
	{
		const gelPackSection* s = pack->view.sections + i;
		if ( s->fourcc == like->fourcc && s->key == like->key ) return s;
	}
	return NULL;
}

// Elements of `stride` bytes that differ.
static uint64_t CountChanges( const Comparison* c, const gelPackSection* a, const gelPackSection* b )
{
	GEL_ASSERT( a->stride > 0 && a->bytes == b->bytes && a->stride == b->stride );
	const uint8_t *from = c->a->bytes + a->offset, *to = c->b->bytes + b->offset;
	uint64_t changes = 0;
	for ( uint64_t at = 0; at + a->stride <= a->bytes; at += a->stride )
		changes += memcmp( from + at, to + at, a->stride ) != 0;
	return changes;
}

static void SaySection( Comparison* c, const gelPackSection* s, const char* what )
{
	char name[8];
	snprintf( name, sizeof( name ), "%s", gelMakeSectionName( s->fourcc ).text );
	gelProgram_Say( c->program, "  %-6s %016" PRIx64 "  %s", name, s->key, what );
	json_array_append_new( c->sections,
		json_pack(
			"{s:s, s:o, s:s}", "name", name, "key", json_sprintf( "%016" PRIx64, s->key ), "change", what ) );
	c->differences += 1;
}

static void CompareSection( Comparison* c, const gelPackSection* a, const gelPackSection* b )
{
	char what[96];
	bool haveOneShape = a->bytes == b->bytes && a->stride == b->stride && a->stride > 0;
	if ( haveOneShape && memcmp( c->a->bytes + a->offset, c->b->bytes + b->offset, a->bytes ) == 0 ) return;
	if ( haveOneShape )
		snprintf(
			what, sizeof( what ), "%" PRIu64 " of %u elements differ", CountChanges( c, a, b ), a->count );
	else
		snprintf( what, sizeof( what ), "%" PRIu64 " -> %" PRIu64 " bytes", a->bytes, b->bytes );
	SaySection( c, a, what );
}

static void CompareSections( Comparison* c )
{
	const gelPackView *a = &c->a->view, *b = &c->b->view;
	int before = c->differences;
	gelProgram_Say( c->program, "sections" );
	for ( uint32_t i = 0; i < a->header->sectionCount; ++i )
	{
		const gelPackSection* other = FindSection( c->b, a->sections + i );
		if ( other != NULL )
			CompareSection( c, a->sections + i, other );
		else
			SaySection( c, a->sections + i, "only in the first" );
	}
	for ( uint32_t i = 0; i < b->header->sectionCount; ++i )
	{
		if ( FindSection( c->a, b->sections + i ) == NULL )
			SaySection( c, b->sections + i, "only in the second" );
	}
	if ( c->differences == before ) gelProgram_Say( c->program, "  all equal" );
}

// ---- shape ---------------------------------------------------------------------------------------

// How far nodes and art vertices are apart, where there are as many of them: else the figures say enough.
static void CompareShape( Comparison* c, json_t* out )
{
	const gelPackView *a = &c->a->view, *b = &c->b->view;
	gelProgram_Say( c->program, "shape" );
	if ( a->header->nodeCount == b->header->nodeCount )
	{
		double farthest = 0.0;
		for ( uint32_t i = 0; i < a->header->nodeCount; ++i )
		{
			double x = (double)a->nodes[i].x - b->nodes[i].x, y = (double)a->nodes[i].y - b->nodes[i].y,
				   z = (double)a->nodes[i].z - b->nodes[i].z;
			farthest = fmax( farthest, sqrt( x * x + y * y + z * z ) );
		}
		json_object_set_new( out, "largest_node_shift", json_real( farthest ) );
		gelProgram_Say( c->program, "  nodes are up to %.4g m apart", farthest );
	}
	if ( a->header->artVertexCount != b->header->artVertexCount ) return;
	double farthest = 0.0;
	for ( uint32_t i = 0; i < a->header->artVertexCount; ++i )
	{
		double p[3], q[3];
		gelGetArtPosition( a, i, p );
		gelGetArtPosition( b, i, q );
		farthest = fmax( farthest,
			sqrt( ( p[0] - q[0] ) * ( p[0] - q[0] ) + ( p[1] - q[1] ) * ( p[1] - q[1] ) +
				( p[2] - q[2] ) * ( p[2] - q[2] ) ) );
	}
	json_object_set_new( out, "largest_vertex_shift", json_real( farthest ) );
	gelProgram_Say( c->program, "  art vertices are up to %.4g m apart", farthest );
}

bool gelDiffPacks( const gelInspectedPack* a, const gelInspectedPack* b, gelProgram* program )
{
	GEL_ASSERT( a->bytes != NULL && b->bytes != NULL );
	bool isIdentical = a->byteCount == b->byteCount && memcmp( a->bytes, b->bytes, a->byteCount ) == 0;
	json_t* out = json_object();
	json_object_set_new( out, "identical", json_boolean( isIdentical ) );
	if ( isIdentical )
		gelProgram_Say( program, "identical: %zu bytes", a->byteCount );
	else
	{
		Comparison c = { program, a, b, json_array(), json_array(), json_array(), 0 };
		CompareFigures( &c );
		CompareShape( &c, out );
		CompareMeta( &c );
		CompareSections( &c );
		json_object_set_new( out, "figures", c.figures );
		json_object_set_new( out, "meta", c.meta );
		json_object_set_new( out, "sections", c.sections );
	}
	gelReport_SetJson( &program->report, "diff", out );
	return isIdentical;
}
