// SPDX-License-Identifier: MIT
// One pass over the text. Line ends are LF, CRLF or CR; a backslash before one joins two lines, which the
// scan treats as a blank inside a statement, so nothing is copied and the line numbers of messages stay true.
#include "common/import/import_obj_scan.h"

#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Numbers on a v line: x y z, and then w, or r g b, or r g b a.
#define MAX_VALUES 8
// Material files that one OBJ file may name; more are left out.
#define MAX_LIBRARIES 64u

// How often something was met, and where first.
typedef struct Tally
{
	// One finding per kind with a count and the first line, however often it happens: a scan of a million
	// lines must not print a million.
	uint32_t count, line;
} Tally;

typedef struct Scanner
{
	gelImporter* importer;
	gelObjScan* scan;
	const char* p;
	const char* end;
	uint32_t line; // line of p, from 1
	bool failed;
	gelObjCorner* corners; // corners of the face at hand
	size_t cornerCapacity;
	uint32_t material, group;
	bool groupOpen; // the group has its entry in scan->groups
	// highest index seen and where: faces may stand before the vertices that they name
	// So indices are checked as they are read against what can exist at all, and at the end against what
	// does.
	int64_t highest[3];
	uint32_t highestLine[3];
	Tally oddNumbers, smallFaces, points, unknown;
	Tally lostIndices; // indices of texture coordinates and normals that lead nowhere
} Scanner;

static void Count( Tally* tally, uint32_t line )
{
	if ( tally->count++ == 0 ) tally->line = line;
}

static bool IsLineEnd( char c )
{
	return c == '\n' || c == '\r' || c == 0;
}

static bool IsBlank( char c )
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Bytes of the line end at p: 2 for CRLF, 0 at the end of the text.
static int LineEndBytes( const char* p )
{
	if ( *p == 0 ) return 0;
	return p[0] == '\r' && p[1] == '\n' ? 2 : 1;
}

static void SkipBlanks( Scanner* s )
{
	for ( ;; )
	{
		if ( IsBlank( *s->p ) )
			++s->p;
		else if ( *s->p == '\\' && IsLineEnd( s->p[1] ) )
		{
			// A backslash as the very last byte joins nothing.
			s->line += s->p[1] != 0;
			s->p += 1 + LineEndBytes( s->p + 1 );
		}
		else
			return;
	}
}

// Whether the statement has nothing more to say; a comment may follow.
static bool AtStatementEnd( Scanner* s )
{
	SkipBlanks( s );
	return IsLineEnd( *s->p ) || *s->p == '#';
}

static void SkipLine( Scanner* s )
{
	while ( !IsLineEnd( *s->p ) )
	{
		if ( *s->p == '\\' && IsLineEnd( s->p[1] ) )
			SkipBlanks( s );
		else
			++s->p;
	}
	s->line += *s->p != 0;
	s->p += LineEndBytes( s->p );
}

// The token at hand, short enough for a message.
static int TokenLength( const char* p )
{
	int length = 0;
	while ( length < 40 && !IsLineEnd( p[length] ) && !IsBlank( p[length] ) )
		++length;
	return length;
}

static bool Fail( Scanner* s, int number, const char* problem, const char* token )
{
	gelFindings_Add( s->importer->findings, number, s->importer->path, "line %u: %s%s%.*s%s", s->line,
		problem, token != NULL ? " (found \"" : "", token != NULL ? TokenLength( token ) : 0,
		token != NULL ? token : "", token != NULL ? "\")" : "" );
	s->failed = true;
	return false;
}

static bool FailMemory( Scanner* s )
{
	s->failed = true;
	return gelImporter_OutOfMemory( s->importer );
}

// One finite number. A tail that only garbles the exponent ("3.1+e2") is passed over with a warning; anything
// else behind the digits could change the value ("1,5", "1.#IND"), so it is refused.
static bool ReadNumber( Scanner* s, float* out )
{
	const char* token = s->p;
	const char* q = gelScanFloat( token, out );
	if ( q == NULL )
		return Fail(
			s, gel_findingNumberUnreadable, "a number was expected; write finite decimal numbers", token );
	if ( !isfinite( *out ) )
		return Fail(
			s, gel_findingNumberUnreadable, "the number does not fit a float; scale the model down", token );
	if ( !IsBlank( *q ) && !IsLineEnd( *q ) && !( *q == '\\' && IsLineEnd( q[1] ) ) )
	{
		// "3.1+e2" of a broken exporter reads as 3.1: a wrong power of ten in one vertex is seen, a file that
		// is refused as a whole helps nobody.
		size_t tail = strspn( q, "+-.eE0123456789" );
		if ( tail == 0 || ( !IsBlank( q[tail] ) && !IsLineEnd( q[tail] ) ) )
			return Fail( s, gel_findingNumberUnreadable,
				"a number was expected; write decimal points, not commas", token );
		Count( &s->oddNumbers, s->line );
		q += tail;
	}
	s->p = q;
	return true;
}

// Reads up to MAX_VALUES numbers. @return how many, or -1 after an error
static int ReadNumbers( Scanner* s, float values[MAX_VALUES] )
{
	int count = 0;
	while ( !AtStatementEnd( s ) )
	{
		if ( count == MAX_VALUES )
		{
			Fail( s, gel_findingNumberCount, "too many numbers; v takes x y z and a color", s->p );
			return -1;
		}
		if ( !ReadNumber( s, values + count ) ) return -1;
		++count;
	}
	return count;
}

// Colors begin with the first vertex that has one; those before it are white.
static bool StoreColor( Scanner* s, const float* values, int count )
{
	GEL_ASSERT( count >= 3 );
	gelObjScan* scan = s->scan;
	// x y z r g b, or with a. Four numbers are x y z w, which is a weight of curves and means nothing here.
	bool given = count >= 6;
	if ( !given && scan->colors == NULL ) return true;
	size_t first = scan->colors == NULL ? 0 : scan->positionCount;
	size_t needed = 4 * ( (size_t)scan->positionCount + 1 );
	if ( !GEL_GROW( scan->colors, scan->colorCapacity, needed ) ) return FailMemory( s );
	for ( size_t i = 4 * first; i < needed; ++i )
		scan->colors[i] = 1.0f;
	if ( given )
		memcpy( scan->colors + needed - 4, values + 3, (size_t)( count >= 7 ? 4 : 3 ) * sizeof( float ) );
	return true;
}

// Reads a statement into an array of so many floats each. @param wanted numbers that have to be there
static bool ReadVector( Scanner* s, float** array, size_t* capacity, uint32_t* count, size_t components,
	int wanted, const char* problem )
{
	GEL_ASSERT( components <= MAX_VALUES && wanted <= MAX_VALUES );
	float values[MAX_VALUES] = { 0 };
	int given = ReadNumbers( s, values );
	if ( given < 0 ) return false;
	if ( *count >= GEL_MESH_MAX_VERTICES )
		return Fail( s, gel_findingMeshTooLarge, "more vertices than can be used; decimate the model", NULL );
	if ( given < wanted ) return Fail( s, gel_findingNumberCount, problem, NULL );
	if ( count == &s->scan->positionCount && !StoreColor( s, values, given ) ) return false;
	size_t at = components * (size_t)*count;
	if ( !gelGrow( (void**)array, capacity, at + components, sizeof( float ) ) ) return FailMemory( s );
	memcpy( *array + at, values, components * sizeof( float ) );
	*count += 1;
	return true;
}

static bool ReadPosition( Scanner* s )
{
	gelObjScan* scan = s->scan;
	return ReadVector( s, &scan->positions, &scan->positionCapacity, &scan->positionCount, 3, 3,
		"v needs three numbers: x y z" );
}

static bool ReadUv( Scanner* s )
{
	gelObjScan* scan = s->scan;
	return ReadVector(
		s, &scan->uvs, &scan->uvCapacity, &scan->uvCount, 2, 1, "vt needs one to three numbers: u v w" );
}

static bool ReadNormal( Scanner* s )
{
	gelObjScan* scan = s->scan;
	return ReadVector(
		s, &scan->normals, &scan->normalCapacity, &scan->normalCount, 3, 3, "vn needs three numbers: x y z" );
}

// One index of a corner. Negative ones count back from the last element so far. A vertex that does not exist
// is an error; without its texture coordinate or normal a corner can still be used. @param kind 0 v, 1 vt, 2
// vn
static bool ReadIndex( Scanner* s, int kind, uint32_t* out )
{
	GEL_ASSERT( kind >= 0 && kind < 3 );
	const char* token = s->p;
	bool negative = *s->p == '-';
	s->p += negative || *s->p == '+';
	if ( (unsigned char)( *s->p - '0' ) > 9 )
		return Fail(
			s, gel_findingCornerUnreadable, "a face corner must read v, v/vt, v//vn or v/vt/vn", token );
	int64_t value = 0;
	for ( ; (unsigned char)( *s->p - '0' ) < 10; ++s->p )
		// Saturates instead of wrapping around; what is this large does not exist.
		if ( value < 100000000000 ) value = 10 * value + ( *s->p - '0' );
	const gelObjScan* scan = s->scan;
	int64_t count = kind == 0 ? scan->positionCount : kind == 1 ? scan->uvCount : scan->normalCount;
	// -1 is the last so far: count - 1.
	int64_t index = negative ? count - value : value - 1;
	bool exists = value != 0 && index >= 0 && index < (int64_t)GEL_MESH_MAX_VERTICES;
	if ( !exists && kind == 0 )
	{
		gelFindings_Add( s->importer->findings, gel_findingObjIndexMissing, s->importer->path,
			"line %u: vertex index %.*s does not exist (there are %lld so far); indices start at 1", s->line,
			TokenLength( token ), token, (long long)count );
		s->failed = true;
		return false;
	}
	if ( exists && index > s->highest[kind] )
	{
		s->highest[kind] = index;
		s->highestLine[kind] = s->line;
	}
	if ( !exists ) Count( &s->lostIndices, s->line );
	*out = exists ? (uint32_t)index : GEL_NO_INDEX;
	return true;
}

// v, v/, v/vt, v//vn, v/vt/vn
static bool ReadCorner( Scanner* s, gelObjCorner* corner )
{
	corner->uv = GEL_NO_INDEX;
	corner->normal = GEL_NO_INDEX;
	const char* token = s->p;
	if ( !ReadIndex( s, 0, &corner->position ) ) return false;
	if ( *s->p == '/' )
	{
		++s->p;
		bool hasUv = *s->p != '/' && !IsBlank( *s->p ) && !IsLineEnd( *s->p );
		if ( hasUv && !ReadIndex( s, 1, &corner->uv ) ) return false;
		if ( *s->p == '/' )
		{
			++s->p;
			bool hasNormal = !IsBlank( *s->p ) && !IsLineEnd( *s->p );
			if ( hasNormal && !ReadIndex( s, 2, &corner->normal ) ) return false;
		}
	}
	if ( IsBlank( *s->p ) || IsLineEnd( *s->p ) || *s->p == '\\' ) return true;
	return Fail( s, gel_findingCornerUnreadable, "a face corner must read v, v/vt, v//vn or v/vt/vn", token );
}

// The first face behind g or o opens the group.
static bool OpenGroup( Scanner* s )
{
	gelObjScan* scan = s->scan;
	if ( s->groupOpen ) return true;
	s->groupOpen = true;
	if ( s->group == GEL_NO_INDEX && !gelNameTable_Add( &scan->groupNames, "default", 7, &s->group ) )
		return FailMemory( s );
	// Exporters repeat "g" in front of every material; a group goes on as long as its name does.
	if ( scan->groupCount > 0 && scan->groups[scan->groupCount - 1].name == s->group ) return true;
	if ( !GEL_GROW( scan->groups, scan->groupCapacity, scan->groupCount + 1 ) ) return FailMemory( s );
	scan->groups[scan->groupCount++] = ( gelObjGroup ){ s->group, (uint32_t)scan->faces.faceCount };
	return true;
}

static bool ReadFace( Scanner* s )
{
	uint32_t line = s->line;
	size_t count = 0;
	while ( !AtStatementEnd( s ) )
	{
		if ( !GEL_GROW( s->corners, s->cornerCapacity, count + 1 ) ) return FailMemory( s );
		if ( !ReadCorner( s, s->corners + count ) ) return false;
		++count;
	}
	if ( count < 3 )
	{
		Count( &s->smallFaces, line );
		return true;
	}
	gelObjFaces* faces = &s->scan->faces;
	if ( faces->cornerCount + count > 3 * (size_t)GEL_MESH_MAX_TRIANGLES )
		return Fail( s, gel_findingMeshTooLarge, "more faces than can be used; decimate the model", NULL );
	if ( !OpenGroup( s ) ) return false;
	return gelObjFaces_Add( faces, s->corners, (uint32_t)count, s->material, line ) || FailMemory( s );
}

// Numbers the rest of the line, without blanks around it and without a comment that a blank precedes.
// @param out GEL_NO_INDEX: there is nothing
static bool ReadName( Scanner* s, gelNameTable* table, uint32_t* out )
{
	SkipBlanks( s );
	const char* name = s->p;
	const char* q = name;
	// A '#' inside of a word belongs to the name ("arm#2"); behind a blank it begins a comment.
	while ( !IsLineEnd( *q ) && !( *q == '#' && ( q == name || IsBlank( q[-1] ) ) ) )
		++q;
	while ( q > name && IsBlank( q[-1] ) )
		--q;
	*out = GEL_NO_INDEX;
	return q == name || gelNameTable_Add( table, name, (size_t)( q - name ), out ) || FailMemory( s );
}

static bool ReadGroup( Scanner* s )
{
	s->groupOpen = false;
	return ReadName( s, &s->scan->groupNames, &s->group );
}

static bool ReadMaterial( Scanner* s )
{
	return ReadName( s, &s->scan->materialNames, &s->material );
}

// Exporters repeat the line; the table keeps each once. Nobody has more than a few.
static bool ReadLibrary( Scanner* s )
{
	uint32_t number;
	return s->scan->libraries.count == MAX_LIBRARIES || ReadName( s, &s->scan->libraries, &number );
}

static bool ReadPoints( Scanner* s )
{
	Count( &s->points, s->line );
	return true;
}

// A polyline: segments between neighbors.
static bool ReadLines( Scanner* s )
{
	gelObjScan* scan = s->scan;
	uint32_t last = GEL_NO_INDEX;
	while ( !AtStatementEnd( s ) )
	{
		gelObjCorner corner;
		if ( !ReadCorner( s, &corner ) ) return false;
		if ( scan->lineCount >= GEL_MESH_MAX_TRIANGLES )
			return Fail( s, gel_findingMeshTooLarge, "more lines than can be used", NULL );
		size_t needed = 2 * ( scan->lineCount + 1 );
		if ( !GEL_GROW( scan->lines, scan->lineCapacity, needed ) ) return FailMemory( s );
		if ( last != GEL_NO_INDEX )
		{
			scan->lines[2 * scan->lineCount] = last;
			scan->lines[2 * scan->lineCount++ + 1] = corner.position;
		}
		last = corner.position;
	}
	return true;
}

// Smoothing groups and display hints say nothing about the shape.
static bool PassOver( Scanner* s )
{
	(void)s;
	return true;
}

// By length first, so that most keywords are told apart without a comparison; v and f come first, because
// they are nearly all lines.
static const struct
{
	const char* keyword;
	size_t length;
	bool ( *read )( Scanner* );
} s_statements[] = {
	{ "v", 1, ReadPosition },
	{ "f", 1, ReadFace },
	{ "vt", 2, ReadUv },
	{ "vn", 2, ReadNormal },
	{ "g", 1, ReadGroup },
	{ "o", 1, ReadGroup },
	{ "s", 1, PassOver },
	{ "p", 1, ReadPoints },
	{ "l", 1, ReadLines },
	{ "fo", 2, ReadFace }, // an old spelling of f
	{ "usemtl", 6, ReadMaterial },
	{ "mtllib", 6, ReadLibrary },
	{ "usemap", 6, PassOver },
	{ "maplib", 6, PassOver },
	{ "lod", 3, PassOver },
	{ "bevel", 5, PassOver },
	{ "c_interp", 8, PassOver },
	{ "d_interp", 8, PassOver },
	{ "shadow_obj", 10, PassOver },
	{ "trace_obj", 9, PassOver },
};

static bool ReadStatement( Scanner* s )
{
	SkipBlanks( s );
	const char* keyword = s->p;
	if ( IsLineEnd( *keyword ) || *keyword == '#' ) return true;
	size_t length = 0;
	while ( !IsLineEnd( keyword[length] ) && !IsBlank( keyword[length] ) && keyword[length] != '\\' )
		++length;
	for ( size_t i = 0; i < sizeof s_statements / sizeof s_statements[0]; ++i )
	{
		if ( s_statements[i].length != length || memcmp( keyword, s_statements[i].keyword, length ) != 0 )
			continue;
		s->p += length;
		return s_statements[i].read( s );
	}
	Count( &s->unknown, s->line );
	return true;
}

// Indices may run ahead of the vertices, but not to the end of the file.
static bool CheckHighest( Scanner* s )
{
	gelObjScan* scan = s->scan;
	if ( s->highest[0] >= (int64_t)scan->positionCount )
	{
		gelFindings_Add( s->importer->findings, gel_findingObjIndexMissing, s->importer->path,
			"line %u: vertex index %lld does not exist (the file has %u); the file is incomplete, export it "
			"again",
			s->highestLine[0], (long long)s->highest[0] + 1, scan->positionCount );
		s->failed = true;
		return false;
	}
	bool lostUv = s->highest[1] >= (int64_t)scan->uvCount,
		 lostNormal = s->highest[2] >= (int64_t)scan->normalCount;
	if ( s->lostIndices.count == 0 ) s->lostIndices.line = lostUv ? s->highestLine[1] : s->highestLine[2];
	for ( size_t i = 0; ( lostUv || lostNormal ) && i < scan->faces.cornerCount; ++i )
	{
		gelObjCorner* corner = scan->faces.corners + i;
		if ( corner->uv != GEL_NO_INDEX && corner->uv >= scan->uvCount )
			corner->uv = GEL_NO_INDEX, ++s->lostIndices.count;
		if ( corner->normal != GEL_NO_INDEX && corner->normal >= scan->normalCount )
			corner->normal = GEL_NO_INDEX, ++s->lostIndices.count;
	}
	return true;
}

static void Summarise( const Scanner* s )
{
	const struct
	{
		int number;
		const Tally* tally;
		const char* problem;
	} rows[] = {
		{ gel_findingNumberGarbled, &s->oddNumbers,
			"numbers have a garbled exponent; what stands before it was read. Check the exporter" },
		{ gel_findingObjAttributeMissing, &s->lostIndices,
			"texture coordinates or normals of face corners do not exist and were left out" },
		{ gel_findingFaceTooShort, &s->smallFaces, "faces have fewer than three corners and were left out" },
		{ gel_findingObjPointsUnused, &s->points, "point statements were left out" },
		{ gel_findingStatementsUnused, &s->unknown,
			"statements are of kinds that are not used (curves, surfaces or unknown words)" },
	};
	for ( size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i )
	{
		if ( rows[i].tally->count == 0 ) continue;
		gelFindings_Add( s->importer->findings, rows[i].number, s->importer->path, "line %u: %u %s",
			rows[i].tally->line, rows[i].tally->count, rows[i].problem );
	}
}

// A text that never says v, f or vn is something else under a wrong name.
static bool CheckKind( Scanner* s )
{
	const gelObjScan* scan = s->scan;
	if ( scan->positionCount > 0 || scan->faces.faceCount > 0 || s->smallFaces.count > 0 ||
		s->unknown.count == 0 )
		return true;
	gelFindings_Add( s->importer->findings, gel_findingNotMesh, s->importer->path,
		"this is text, but no OBJ file (line %u); give an OBJ, glTF, GLB, STL or PLY file", s->unknown.line );
	s->failed = true;
	return false;
}

bool gelScanObj( gelImporter* importer, const char* text, size_t bytes, gelObjScan* out )
{
	*out = ( gelObjScan ){ 0 };
	if ( bytes >= 3 && memcmp( text, "\xEF\xBB\xBF", 3 ) == 0 ) text += 3, bytes -= 3;
	Scanner s = { .importer = importer, .scan = out, .p = text, .end = text + bytes, .line = 1 };
	s.material = GEL_NO_INDEX;
	s.group = GEL_NO_INDEX;
	for ( int kind = 0; kind < 3; ++kind )
		s.highest[kind] = -1;
	while ( *s.p != 0 && ReadStatement( &s ) )
		SkipLine( &s );
	if ( !s.failed && s.p < s.end )
		Fail( &s, gel_findingNotMesh, "the text holds a zero byte; this is no OBJ file", NULL );
	if ( !s.failed && !gelObjFaces_Finish( &out->faces ) ) FailMemory( &s );
	if ( !s.failed ) CheckKind( &s );
	if ( !s.failed ) CheckHighest( &s );
	if ( !s.failed ) Summarise( &s );
	free( s.corners );
	return !s.failed;
}

void gelFreeObjScan( gelObjScan* scan )
{
	free( scan->positions );
	free( scan->colors );
	free( scan->uvs );
	free( scan->normals );
	free( scan->lines );
	gelFreeObjFaces( &scan->faces );
	gelFreeNameTable( &scan->materialNames );
	gelFreeNameTable( &scan->groupNames );
	free( scan->groups );
	gelFreeNameTable( &scan->libraries );
	*scan = ( gelObjScan ){ 0 };
}
