// SPDX-License-Identifier: MIT
#include "bake/settings/recipe.h"

#include "bake/settings/attachment_points.h"
#include "common/program/confined_path.h"
#include "common/mesh/material_presets.h"
#include "common/program/output_file.h"
#include "pack/pack_layout.h"
#include "bake/body/paint.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RECIPE_BYTES ( (size_t)4 << 20 )
#define MAX_STEPS        64
#define MAX_PIN_BOXES    256
#define MAX_REACH        1e9 // [m]

typedef struct Reader
{
	gelJsonReader json;
	gelBakePool* pool;
	gelRecipe* out;
} Reader;

static void AddText( Reader* r, const char* option, const char* text )
{
	gelRecipe* out = r->out;
	if ( out->count == out->capacity )
	{
		out->capacity = 2 * out->capacity + 32;
		gelRecipeValue* values =
			gelBakePool_Alloc( r->pool, (size_t)out->capacity, sizeof( gelRecipeValue ) );
		if ( out->count > 0 ) memcpy( values, out->values, (size_t)out->count * sizeof( gelRecipeValue ) );
		out->values = values;
	}
	char place[320];
	gelJson_PrintPlace( &r->json, place, sizeof( place ) );
	char* copy = gelBakePool_Alloc( r->pool, strlen( place ) + 1, 1 );
	out->values[out->count++] = ( gelRecipeValue ){ option, text, strcpy( copy, place ), false };
}

static void Add( Reader* r, const char* option, const char* format, ... )
	__attribute__( ( format( printf, 3, 4 ) ) );

static void Add( Reader* r, const char* option, const char* format, ... )
{
	va_list arguments, copy;
	va_start( arguments, format );
	va_copy( copy, arguments );
	int length = vsnprintf( NULL, 0, format, copy );
	va_end( copy );
	char* text = gelBakePool_Alloc( r->pool, (size_t)length + 1, 1 );
	vsnprintf( text, (size_t)length + 1, format, arguments );
	va_end( arguments );
	AddText( r, option, text );
}

// What a recipe says no to is not taken from the art either.
static void AddNo( Reader* r, const char* option )
{
	AddText( r, option, NULL );
}

static bool FailAt( Reader* r, const char* key, const char* text )
{
	gelJson_EnterKey( &r->json, key );
	gelJson_Fail( &r->json, "\"%s\" %s", key, text );
	gelJson_Leave( &r->json );
	return false;
}

static bool AddNumber(
	Reader* r, const json_t* object, const char* key, const char* option, double min, double max )
{
	double value = 0.0;
	if ( json_object_get( object, key ) == NULL ) return true;
	if ( !gelJson_Number( &r->json, object, key, min, max, &value ) ) return false;
	gelJson_EnterKey( &r->json, key );
	Add( r, option, "%.17g", value );
	gelJson_Leave( &r->json );
	return true;
}

// Not empty, at most so many bytes.
static bool AddName( Reader* r, const json_t* object, const char* key, const char* option, size_t maxBytes )
{
	const json_t* value = json_object_get( object, key );
	if ( value == NULL ) return true;
	const char* text = json_string_value( value );
	char reason[64];
	snprintf( reason, sizeof( reason ), "has to be a text of 1 to %zu bytes", maxBytes );
	if ( text == NULL || text[0] == 0 || strlen( text ) > maxBytes ) return FailAt( r, key, reason );
	gelJson_EnterKey( &r->json, key );
	Add( r, option, "%s", text );
	gelJson_Leave( &r->json );
	return true;
}

static bool AddFlag( Reader* r, const json_t* object, const char* key, const char* option )
{
	bool value = false;
	if ( json_object_get( object, key ) == NULL ) return true;
	if ( !gelJson_Bool( &r->json, object, key, &value ) ) return false;
	gelJson_EnterKey( &r->json, key );
	AddText( r, option, value ? "" : NULL );
	gelJson_Leave( &r->json );
	return true;
}

// ---- the parts of a recipe -------------------------------------------------------------------------------

// A file is beside the recipe unless its path starts at the root.
static void AddPath( Reader* r, const char* option, const char* path )
{
	const char* slash = strrchr( r->json.file, '/' );
	int folder = slash == NULL || path[0] == '/' ? 0 : (int)( slash - r->json.file ) + 1;
	Add( r, option, "%.*s%s", folder, r->json.file, path );
}

// Coarser levels, each of fewer tets than the one before.
static bool ReadLevels( Reader* r, const json_t* cage )
{
	const json_t* levels = gelJson_Array( &r->json, cage, "levels", GEL_PACK_MAX_LEVELS );
	const json_t* tets0 = json_object_get( cage, "tets" );
	json_int_t before = tets0 != NULL ? json_integer_value( tets0 ) : GEL_MAX_TARGET_TETS + 1;
	gelJson_EnterKey( &r->json, "levels" );
	if ( levels != NULL && json_array_size( levels ) == 0 ) AddNo( r, "lod" );
	for ( size_t i = 0; i < json_array_size( levels ) && !r->json.failed; ++i )
	{
		const json_t* item = json_array_get( levels, i );
		json_int_t tets = json_integer_value( item ); // 0 for what is no integer
		gelJson_EnterIndex( &r->json, (int)i );
		if ( tets < GEL_MIN_TARGET_TETS || tets >= before )
			gelJson_Fail( &r->json, "a level is a number of tets from 5 on, fewer than the level before" );
		else
			Add( r, "lod", "%d", (int)tets );
		gelJson_Leave( &r->json );
		before = tets;
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

static bool ReadCage( Reader* r, const json_t* root )
{
	const json_t* cage = json_object_get( root, "cage" );
	if ( cage == NULL ) return true;
	gelJson_EnterKey( &r->json, "cage" );
	bool ok = gelJson_CheckKeys( &r->json, cage, "file levels tets" );
	const json_t *file = json_object_get( cage, "file" ), *tets = json_object_get( cage, "tets" );
	int count = 0;
	if ( ok && file != NULL && tets != NULL ) ok = FailAt( r, "tets", "has no meaning with a \"file\"" );
	ok = ok && gelJson_Integer( &r->json, cage, "tets", GEL_MIN_TARGET_TETS, GEL_MAX_TARGET_TETS, &count ) &&
		ReadLevels( r, cage );
	if ( ok && tets != NULL ) Add( r, "tets", "%d", count );
	if ( ok && file != NULL && json_string_length( file ) == 0 )
		ok = FailAt( r, "file", "has to be the name of a file" );
	// Art comes from far away, a recipe does not.
	if ( ok && file != NULL && r->json.origin != NULL && !gelIsConfinedPath( json_string_value( file ) ) )
		ok = FailAt( r, "file", "has to be a file below the folder of the art" );
	if ( ok && file != NULL ) AddPath( r, "cage", json_string_value( file ) );
	gelJson_Leave( &r->json );
	return ok;
}

// Numbers, or texts such as "1/60".
static bool ReadSteps( Reader* r, const json_t* root )
{
	const json_t* steps = gelJson_Array( &r->json, root, "steps", MAX_STEPS );
	double values[MAX_STEPS];
	gelJson_EnterKey( &r->json, "steps" );
	if ( steps != NULL && json_array_size( steps ) == 0 )
		gelJson_Fail( &r->json, "there has to be one step length at least" );
	for ( size_t i = 0; i < json_array_size( steps ) && !r->json.failed; ++i )
	{
		const json_t* item = json_array_get( steps, i );
		double value = json_number_value( item );
		bool ok = json_is_number( item ) ||
			( json_is_string( item ) && gelParseNumber( json_string_value( item ), &value ) );
		gelJson_EnterIndex( &r->json, (int)i );
		if ( !ok || !( value >= 1e-6 && value <= 1.0 ) )
			gelJson_Fail( &r->json, "a step length is a number from 1e-6 to 1 s, or such as \"1/60\"" );
		for ( size_t k = 0; k < i && !r->json.failed; ++k )
		{
			if ( (float)values[k] == (float)value )
				gelJson_Fail( &r->json, "this step length is there twice" );
		}
		values[i] = value;
		Add( r, "step", "%.17g", value );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

static bool ReadPins( Reader* r, const json_t* root )
{
	const json_t* pins = gelJson_Array( &r->json, root, "pins", MAX_PIN_BOXES );
	gelJson_EnterKey( &r->json, "pins" );
	if ( pins != NULL && json_array_size( pins ) == 0 ) AddNo( r, "pin-box" );
	for ( size_t i = 0; i < json_array_size( pins ) && !r->json.failed; ++i )
	{
		const json_t* pin = json_array_get( pins, i );
		gelJson_EnterIndex( &r->json, (int)i );
		const json_t* box = json_object_get( pin, "box" );
		double x[6] = { 0.0 };
		bool ok = gelJson_CheckKeys( &r->json, pin, "box" );
		bool isBox = json_is_array( box ) && json_array_size( box ) == 6;
		for ( size_t k = 0; k < 6 && isBox; ++k )
		{
			x[k] = json_number_value( json_array_get( box, k ) );
			isBox = json_is_number( json_array_get( box, k ) ) && fabs( x[k] ) <= MAX_REACH;
		}
		if ( ok && !isBox ) FailAt( r, "box", "has to be an array of 6 numbers within +-1e9" );
		Add( r, "pin-box", "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", x[0], x[1], x[2], x[3], x[4], x[5] );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

static bool ReadAttachments( Reader* r, const json_t* root )
{
	json_t* points = json_object_get( root, "attachments" );
	const char* name;
	json_t* value;
	if ( points == NULL ) return true;
	if ( json_is_false( points ) ) AddNo( r, "attach" );
	if ( json_is_false( points ) ) return true;
	if ( !json_is_object( points ) ) return FailAt( r, "attachments", "has to be an object: name and place" );
	if ( json_object_size( points ) > GEL_PACK_MAX_ATTACHMENTS )
		return FailAt( r, "attachments", "has more than the 1024 points that a pack holds" );
	gelJson_EnterKey( &r->json, "attachments" );
	json_object_foreach( points, name, value )
	{
		gelBakeAttachment point;
		gelJson_EnterKey( &r->json, name );
		if ( !r->json.failed && gelReadAttachment( &r->json, name, value, &point ) )
			Add( r, "attach", "%s", gelFormatAttachment( &point, r->pool ) );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

// A preset first, then what is said about it.
static bool ReadPreset( Reader* r, const json_t* material )
{
	const json_t* name = json_object_get( material, "preset" );
	if ( name == NULL ) return true;
	const gelMaterialPreset* preset = gelFindMaterialPreset( json_string_value( name ) );
	if ( preset == NULL ) return FailAt( r, "preset", "has to be one of " GEL_MATERIAL_PRESET_NAMES );
	Add( r, "material", "%s", preset->name );
	Add( r, "young", "%.17g", preset->young );
	Add( r, "poisson", "%.17g", preset->poisson );
	Add( r, "density", "%.17g", preset->density );
	return true;
}

// Limits are those of gelBuildMaterial; here they are known with a line and a column.
static bool ReadMaterial( Reader* r, const json_t* root )
{
	const json_t* m = json_object_get( root, "material" );
	if ( m == NULL ) return true;
	gelJson_EnterKey( &r->json, "material" );
	bool ok = gelJson_CheckKeys( &r->json, m,
				  "preset name young poisson density damping static_friction dynamic_friction" ) &&
		ReadPreset( r, m ) &&
		AddName( r, m, "name", "material", sizeof( ( (gelPackMaterial*)NULL )->name ) - 1 ) &&
		AddNumber( r, m, "young", "young", 1e-20, 1e15 ) &&
		AddNumber( r, m, "poisson", "poisson", 0.0, 0.4999 ) &&
		AddNumber( r, m, "density", "density", 1e-20, 1e9 ) &&
		AddNumber( r, m, "damping", "damping", 0.0, 1e6 ) &&
		AddNumber( r, m, "static_friction", "static-friction", 0.0, 1e3 ) &&
		AddNumber( r, m, "dynamic_friction", "dynamic-friction", 0.0, 1e3 );
	gelJson_Leave( &r->json );
	return ok;
}

// "stiffness=color.r:1e4:1e6:log"
static bool ReadPaintRule( Reader* r, const json_t* paint, const char* kind, const char* attribute )
{
	const json_t* rule = json_object_get( paint, kind );
	if ( rule == NULL ) return true;
	const json_t *channel = json_object_get( rule, "channel" ), *low = json_object_get( rule, "low" ),
				 *high = json_object_get( rule, "high" );
	bool isPin = strcmp( kind, "pin" ) == 0, isLog = false;
	double max = strcmp( kind, "density" ) == 0 ? 1e9 : 1e15, range[2] = { 0.0, 0.0 };
	gelJson_EnterKey( &r->json, kind );
	bool ok = gelJson_CheckKeys( &r->json, rule, isPin ? "channel" : "channel low high log" ) &&
		gelJson_Number( &r->json, rule, "low", 1e-20, max, range + 0 ) &&
		gelJson_Number( &r->json, rule, "high", 1e-20, max, range + 1 ) &&
		gelJson_Bool( &r->json, rule, "log", &isLog );
	const char* name = channel == NULL ? attribute : json_string_value( channel );
	if ( ok && ( name == NULL || !gelIsPaintChannel( name ) ) )
		ok = FailAt(
			r, "channel", "has to be color.r, color.g, color.b, color.a or an attribute such as _PAINT" );
	if ( ok && ( low == NULL ) != ( high == NULL ) )
		ok = FailAt( r, low != NULL ? "low" : "high", "needs the other end of the range" );
	if ( ok && isLog && low == NULL ) ok = FailAt( r, "log", "has no meaning without \"low\" and \"high\"" );
	if ( ok && low != NULL )
		Add( r, "paint", "%s=%s:%.17g:%.17g%s", kind, name, range[0], range[1], isLog ? ":log" : "" );
	if ( ok && low == NULL ) Add( r, "paint", "%s=%s", kind, name );
	gelJson_Leave( &r->json );
	return ok;
}

static bool ReadPaint( Reader* r, const json_t* root )
{
	const json_t* paint = json_object_get( root, "paint" );
	if ( paint == NULL ) return true;
	if ( json_is_false( paint ) ) Add( r, "paint", "%s", "none" );
	if ( json_is_false( paint ) ) return true;
	gelJson_EnterKey( &r->json, "paint" );
	bool ok = gelJson_CheckKeys( &r->json, paint, "stiffness density pin" ) &&
		ReadPaintRule( r, paint, "stiffness", "_STIFFNESS" ) &&
		ReadPaintRule( r, paint, "density", "_DENSITY" ) && ReadPaintRule( r, paint, "pin", "_PIN" );
	gelJson_Leave( &r->json );
	return ok;
}

static bool ReadCollision( Reader* r, const json_t* root )
{
	static const char* const cells[] = { "", "", "fine", "coarse" };
	int choice = 0;
	if ( json_object_get( root, "collision" ) == NULL ) return true;
	if ( !gelJson_Word( &r->json, root, "collision", "auto|none|fine|coarse", &choice ) ) return false;
	gelJson_EnterKey( &r->json, "collision" );
	AddText( r, "no-collision", choice == 1 ? "" : NULL );
	AddText( r, "collision-cells", choice > 1 ? cells[choice] : NULL );
	gelJson_Leave( &r->json );
	return true;
}

static bool ReadParticles( Reader* r, const json_t* root )
{
	const json_t* particles = json_object_get( root, "particles" );
	if ( particles == NULL ) return true;
	int kind = 0, count = 0;
	static const char* const kinds[] = { "auto", "solid", "sheet", "rod" };
	gelJson_EnterKey( &r->json, "particles" );
	bool ok = gelJson_CheckKeys( &r->json, particles, "kind count" ) &&
		gelJson_Word( &r->json, particles, "kind", "auto|solid|sheet|rod", &kind ) &&
		gelJson_Integer( &r->json, particles, "count", 1, GEL_PACK_MAX_PARTICLES, &count );
	if ( ok && count > 0 ) Add( r, "particles", "%s:%d", kinds[kind], count );
	if ( ok && count == 0 ) Add( r, "particles", "%s", kinds[kind] );
	gelJson_Leave( &r->json );
	return ok;
}

static bool ReadLimits( Reader* r, const json_t* root )
{
	const json_t* limits = json_object_get( root, "limits" );
	if ( limits == NULL ) return true;
	gelJson_EnterKey( &r->json, "limits" );
	bool ok = gelJson_CheckKeys( &r->json, limits, "max_bytes max_step_us soak max_strain" ) &&
		AddNumber( r, limits, "max_bytes", "max-bytes", 1.0, 1e15 ) &&
		AddNumber( r, limits, "max_step_us", "max-step-us", 1e-3, 1e12 ) &&
		AddFlag( r, limits, "soak", "soak" ) && AddNumber( r, limits, "max_strain", "max-strain", 1e-6, 1e6 );
	if ( ok && json_object_get( limits, "max_strain" ) != NULL &&
		!json_is_true( json_object_get( limits, "soak" ) ) )
		ok = FailAt( r, "max_strain", "has no meaning without \"soak\": true" );
	gelJson_Leave( &r->json );
	return ok;
}

// A member of an object that is there and neither false nor empty.
static bool HasMember( const json_t* object, const char* key )
{
	const json_t* value = json_object_get( object, key );
	return value != NULL && !json_is_false( value ) &&
		!( json_is_array( value ) && json_array_size( value ) == 0 );
}

// A surface that only others touch has nothing to step, to pin or to soak.
static bool CheckStatic( Reader* r, const json_t* root )
{
	static const char* const keys[][2] = { { NULL, "steps" }, { NULL, "pins" }, { NULL, "regions" },
		{ NULL, "paint" }, { NULL, "quality" }, { NULL, "warp" }, { NULL, "particles" }, { "cage", "levels" },
		{ "limits", "soak" }, { "limits", "max_step_us" } };
	if ( !json_is_true( json_object_get( root, "static" ) ) ) return true;
	for ( size_t i = 0; i < sizeof( keys ) / sizeof( keys[0] ); ++i )
	{
		const char* group = keys[i][0];
		if ( !HasMember( group != NULL ? json_object_get( root, group ) : root, keys[i][1] ) ) continue;
		if ( group != NULL ) gelJson_EnterKey( &r->json, group );
		FailAt( r, keys[i][1], "has no meaning together with \"static\"" );
		if ( group != NULL ) gelJson_Leave( &r->json );
		return false;
	}
	const char* collision = json_string_value( json_object_get( root, "collision" ) );
	if ( collision != NULL && strcmp( collision, "none" ) == 0 )
		return FailAt( r, "collision", "cannot be \"none\" together with \"static\"" );
	return true;
}

// @return whether all of it is as it should be
static bool ReadRoot( Reader* r )
{
	const json_t* root = r->json.root;
	bool ok = gelJson_CheckKeys( &r->json, root,
				  "name scale cage steps quality warp static particles material materials regions paint pins "
				  "attachments collision limits" ) &&
		AddName( r, root, "name", "name", 200 ) && AddNumber( r, root, "scale", "scale", 1e-12, 1e12 ) &&
		ReadCage( r, root ) && ReadSteps( r, root ) && AddFlag( r, root, "quality", "quality" ) &&
		AddFlag( r, root, "warp", "warp" ) && AddFlag( r, root, "static", "static" ) &&
		ReadParticles( r, root ) && ReadMaterial( r, root ) && ReadPins( r, root ) &&
		ReadAttachments( r, root ) && ReadPaint( r, root ) && ReadCollision( r, root ) &&
		ReadLimits( r, root ) && CheckStatic( r, root );
	r->out->hasRegions =
		ok && ( json_object_get( root, "regions" ) != NULL || json_object_get( root, "materials" ) != NULL );
	return ok;
}

bool gelReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe )
{
	*outRecipe = ( gelRecipe ){ .file = path, .number = gel_findingRecipeWrong };
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, MAX_RECIPE_BYTES, &bytes, findings );
	if ( text == NULL ) return false;
	Reader r = { .pool = pool, .out = outRecipe };
	bool ok = gelJson_Open( &r.json, path, text, bytes, gel_findingRecipeWrong, findings ) && ReadRoot( &r );
	gelJson_Close( &r.json );
	free( text );
	return ok;
}

bool gelReadRecipeText(
	const gelRecipeText* source, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe )
{
	*outRecipe = ( gelRecipe ){ .file = source->file, .number = gel_findingArtSettingsWrong };
	Reader r = { .pool = pool, .out = outRecipe };
	bool ok = gelJson_OpenFrom( &r.json, &source->origin, source->file, source->text, strlen( source->text ),
				  gel_findingArtSettingsWrong, findings ) &&
		ReadRoot( &r );
	gelJson_Close( &r.json );
	return ok;
}
