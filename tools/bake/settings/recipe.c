// SPDX-License-Identifier: MIT
// A recipe is JSON that says what a command line would. Nothing here knows a single setting by name but
// presets and collision, which stand for several: rows of the table (setting_table.c) say which key is read
// by which reader, and what a key excludes or needs.
//
//     { "cage": { "tets": 800 }, "steps": [ "1/60" ] }       group "cage", key "tets" -> row "tets"
//                                                             no group,     key "steps" -> row "step"
//
// Values are typed and checked once, with line and column, and kept apart from the request until it is
// decided who is heard (asked_settings.c).
#include "bake/settings/recipe.h"

#include "bake/body/paint.h"
#include "bake/settings/attachment_points.h"
#include "common/mesh/material_presets.h"
#include "common/program/confined_path.h"
#include "common/program/options.h"
#include "common/program/output_file.h"
#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RECIPE_BYTES ( (size_t)4 << 20 )
#define MAX_STEPS        64
#define MAX_PIN_BOXES    256
#define MAX_REACH        1e9 // [m]
#define NO_PRESET        "has to be one of " GEL_MATERIAL_PRESET_NAMES

typedef struct Reader
{
	gelJsonReader json;
	gelBakePool* pool;
	gelRecipe* out;
} Reader;

bool gelIsInRecipeGroup( const gelSetting* setting, const char* group )
{
	if ( setting->recipe == NULL ) return false;
	if ( setting->group == NULL || group == NULL ) return setting->group == group;
	return strcmp( setting->group, group ) == 0;
}

bool gelIsFirstOfRecipeGroup( const gelSetting* setting )
{
	for ( const gelSetting* before = gelSettings; before < setting; ++before )
	{
		if ( setting->group != NULL && gelIsInRecipeGroup( before, setting->group ) ) return false;
	}
	return setting->group != NULL;
}

// A value of the place that the reader is at. @param value NULL: what a recipe says no to is not taken from
// the art either
static void Add( Reader* r, const gelSetting* setting, const void* value )
{
	GEL_ASSERT( setting->option != NULL );
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
	void* copy = NULL;
	size_t bytes = gelGetSettingBytes( setting );
	if ( value != NULL ) copy = memcpy( gelBakePool_Alloc( r->pool, 1, bytes ), value, bytes );
	out->values[out->count++] =
		( gelRecipeValue ){ setting, copy, gelBakePool_CopyText( r->pool, place ), false };
}

// The same at a member of the object that the reader is at.
static bool AddAt( Reader* r, const char* key, const gelSetting* setting, const void* value )
{
	gelJson_EnterKey( &r->json, key );
	Add( r, setting, value );
	gelJson_Leave( &r->json );
	return true;
}

// ---- plain values ---------------------------------------------------------------------------------------

static bool ReadFlag( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	bool value = false;
	return gelJson_Bool( &r->json, object, key, &value ) && AddAt( r, key, s, value ? &value : NULL );
}

// Range and "above zero" come from the row, so that recipe, command line and schema cannot disagree.
static bool ReadReal( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	double value = 0.0;
	return gelJson_Number( &r->json, object, key, s->min, s->max, &value ) && AddAt( r, key, s, &value );
}

static bool ReadCount( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	int value = 0;
	return gelJson_Integer( &r->json, object, key, (int)s->min, (int)s->max, &value ) &&
		AddAt( r, key, s, &value );
}

static bool ReadChoice( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	int value = 0;
	return gelJson_Word( &r->json, object, key, s->choices, &value ) && AddAt( r, key, s, &value );
}

// Not empty, at most so many bytes.
static bool ReadText( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const char* text = json_string_value( json_object_get( object, key ) );
	if ( text == NULL || text[0] == 0 || (double)strlen( text ) > s->max )
		return gelJson_FailMember( &r->json, key, "has to be a text of 1 to %g bytes", s->max );
	const char* copy = gelBakePool_CopyText( r->pool, text );
	return AddAt( r, key, s, &copy );
}

// A file is beside the recipe unless its path starts at the root.
static bool ReadFile( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* value = json_object_get( object, key );
	const char* path = json_string_value( value );
	if ( json_string_length( value ) == 0 )
		return gelJson_FailMember( &r->json, key, "has to be the name of a file" );
	// Art comes from far away, a recipe does not.
	if ( r->json.origin != NULL && !gelIsConfinedPath( path ) )
		return gelJson_FailMember( &r->json, key, "has to be a file below the folder of the art" );
	const char* slash = strrchr( r->json.file, '/' );
	size_t folder = slash == NULL || path[0] == '/' ? 0 : (size_t)( slash - r->json.file ) + 1;
	char* text = gelBakePool_Alloc( r->pool, folder + strlen( path ) + 1, 1 );
	memcpy( text, r->json.file, folder );
	strcpy( text + folder, path );
	return AddAt( r, key, s, &text );
}

// ---- lists ----------------------------------------------------------------------------------------------

// Coarser levels, each of fewer tets than the one before, and than the cage.
static bool ReadLevels( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* levels = gelJson_Array( &r->json, object, key, GEL_PACK_MAX_LEVELS );
	const json_t* finest = json_object_get( object, "tets" );
	// Without a number of tets in the recipe the first level may be anything here; the command line may have
	// one, and CheckLevels looks again when all are known.
	json_int_t before = finest != NULL ? json_integer_value( finest ) : (json_int_t)s->max + 1;
	gelJson_EnterKey( &r->json, key );
	if ( levels != NULL && json_array_size( levels ) == 0 ) Add( r, s, NULL );
	for ( size_t i = 0; i < json_array_size( levels ) && !r->json.failed; ++i )
	{
		json_int_t tets = json_integer_value( json_array_get( levels, i ) ); // 0 for what is no integer
		int value = (int)tets;
		gelJson_EnterIndex( &r->json, (int)i );
		if ( tets < (json_int_t)s->min || tets >= before )
			gelJson_Fail( &r->json, "a level is a number of tets from 5 on, fewer than the level before" );
		else
			Add( r, s, &value );
		gelJson_Leave( &r->json );
		before = tets;
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

// Numbers, or texts such as "1/60".
static bool ReadSteps( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* steps = gelJson_Array( &r->json, object, key, MAX_STEPS );
	double values[MAX_STEPS];
	gelJson_EnterKey( &r->json, key );
	if ( steps != NULL && json_array_size( steps ) == 0 )
		gelJson_Fail( &r->json, "there has to be one step length at least" );
	for ( size_t i = 0; i < json_array_size( steps ) && !r->json.failed; ++i )
	{
		const json_t* item = json_array_get( steps, i );
		values[i] = json_number_value( item );
		bool ok = json_is_number( item ) ||
			( json_is_string( item ) && gelParseNumber( json_string_value( item ), values + i ) );
		gelJson_EnterIndex( &r->json, (int)i );
		if ( !ok || !( values[i] >= s->min && values[i] <= s->max ) )
			gelJson_Fail( &r->json, "a step length is a number from 1e-6 to 1 s, or such as \"1/60\"" );
		for ( size_t k = 0; k < i && !r->json.failed; ++k )
		{
			if ( (float)values[k] == (float)values[i] )
				gelJson_Fail( &r->json, "this step length is there twice" );
		}
		Add( r, s, values + i );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

static bool ReadBox( Reader* r, const json_t* pin, gelPinBox* out )
{
	double x[6] = { 0.0 };
	if ( !gelJson_CheckKeys( &r->json, pin, "box" ) ) return false;
	if ( !gelReadJsonNumbers( json_object_get( pin, "box" ), 6, MAX_REACH, x ) )
		return gelJson_FailMember( &r->json, "box", "has to be an array of 6 numbers within +-1e9" );
	for ( int c = 0; c < 3; ++c )
	{
		// Corners in any order: a box is its extent.
		out->low[c] = fmin( x[c], x[3 + c] );
		out->high[c] = fmax( x[c], x[3 + c] );
	}
	return true;
}

static bool ReadBoxes( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* pins = gelJson_Array( &r->json, object, key, MAX_PIN_BOXES );
	gelJson_EnterKey( &r->json, key );
	if ( pins != NULL && json_array_size( pins ) == 0 ) Add( r, s, NULL );
	for ( size_t i = 0; i < json_array_size( pins ) && !r->json.failed; ++i )
	{
		gelPinBox box;
		gelJson_EnterIndex( &r->json, (int)i );
		if ( ReadBox( r, json_array_get( pins, i ), &box ) ) Add( r, s, &box );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

// An empty object says nothing; false says that points of the art are not wanted either.
static bool ReadPoints( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	json_t* points = json_object_get( object, key );
	const char* name;
	json_t* value;
	if ( json_is_false( points ) )
	{
		Add( r, s, NULL );
		return true;
	}
	if ( !json_is_object( points ) )
		return gelJson_FailMember( &r->json, key, "has to be an object: name and place" );
	if ( json_object_size( points ) > GEL_PACK_MAX_ATTACHMENTS )
		return gelJson_FailMember( &r->json, key, "has more than the 1024 points that a pack holds" );
	gelJson_EnterKey( &r->json, key );
	json_object_foreach( points, name, value )
	{
		gelBakeAttachment point;
		gelJson_EnterKey( &r->json, name );
		if ( !r->json.failed && gelReadAttachment( &r->json, name, value, &point ) ) Add( r, s, &point );
		gelJson_Leave( &r->json );
	}
	gelJson_Leave( &r->json );
	return !r->json.failed;
}

// ---- values of several parts ----------------------------------------------------------------------------

static bool ReadPaintRule( Reader* r, const json_t* paint, gelPaintKind kind, gelPaintRule* out )
{
	const gelPaintKindInfo* info = gelPaintKinds + kind;
	const json_t* rule = json_object_get( paint, info->name );
	if ( rule == NULL ) return true;
	const json_t *channel = json_object_get( rule, "channel" ), *low = json_object_get( rule, "low" ),
				 *high = json_object_get( rule, "high" );
	const char* names = kind == gel_paintPin ? "channel" : "channel low high log";
	gelJson_EnterKey( &r->json, info->name );
	bool ok = gelJson_CheckKeys( &r->json, rule, names ) &&
		gelJson_Number( &r->json, rule, "low", GEL_ABOVE_ZERO, info->max, &out->low ) &&
		gelJson_Number( &r->json, rule, "high", GEL_ABOVE_ZERO, info->max, &out->high ) &&
		gelJson_Bool( &r->json, rule, "log", &out->isLog );
	const char* name = channel == NULL ? info->attribute : json_string_value( channel );
	if ( ok && ( name == NULL || !gelIsPaintChannel( name ) ) )
		ok = gelJson_FailMember( &r->json, "channel",
			"has to be color.r, color.g, color.b, color.a or an attribute such as _PAINT" );
	if ( ok && ( low == NULL ) != ( high == NULL ) )
		ok = gelJson_FailMember( &r->json, low != NULL ? "low" : "high", "needs the other end of the range" );
	if ( ok && out->isLog && low == NULL )
		ok = gelJson_FailMember( &r->json, "log", "has no meaning without \"low\" and \"high\"" );
	out->isGiven = true;
	out->hasRange = low != NULL;
	if ( ok ) strcpy( out->channel, name );
	gelJson_Leave( &r->json );
	return ok;
}

static bool ReadPaint( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* paint = json_object_get( object, key );
	gelPaintRules rules;
	memset( &rules, 0, sizeof( rules ) ); // bytes between members too: values are compared by bytes
	rules.isOff = json_is_false( paint );
	gelJson_EnterKey( &r->json, key );
	bool ok = rules.isOff || gelJson_CheckKeys( &r->json, paint, "stiffness density pin" );
	for ( int kind = 0; kind < gel_paintKindCount && ok && !rules.isOff; ++kind )
		ok = ReadPaintRule( r, paint, (gelPaintKind)kind, rules.rules + kind );
	bool isSaid = rules.isOff || json_object_size( paint ) > 0;
	if ( ok && isSaid ) Add( r, s, &rules );
	gelJson_Leave( &r->json );
	return ok;
}

static bool ReadParticles( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	const json_t* particles = json_object_get( object, key );
	int kind = 0, count = 0;
	gelJson_EnterKey( &r->json, key );
	bool ok = gelJson_CheckKeys( &r->json, particles, "kind count" ) &&
		gelJson_Word( &r->json, particles, "kind", s->choices, &kind ) &&
		gelJson_Integer( &r->json, particles, "count", (int)s->min, (int)s->max, &count );
	gelParticleSettings value;
	memset( &value, 0, sizeof( value ) );
	value.kind = (gelParticleKind)( gel_particlesAuto + kind );
	value.count = count;
	if ( ok ) Add( r, s, &value );
	gelJson_Leave( &r->json );
	return ok;
}

// ---- values that set several options --------------------------------------------------------------------

// A preset first, then what is said about it.
static bool ReadPreset( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	(void)s;
	const gelMaterialPreset* preset =
		gelFindMaterialPreset( json_string_value( json_object_get( object, key ) ) );
	if ( preset == NULL ) return gelJson_FailMember( &r->json, key, NO_PRESET );
	// As if the four numbers stood in the recipe. Rows of single numbers come behind the preset in the table,
	// and later values win.
	Add( r, gelFindSetting( "material" ), &preset->name );
	Add( r, gelFindSetting( "young" ), &preset->young );
	Add( r, gelFindSetting( "poisson" ), &preset->poisson );
	Add( r, gelFindSetting( "density" ), &preset->density );
	return true;
}

static bool ReadCollision( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	int choice = 0;
	if ( !gelJson_Word( &r->json, object, key, s->choices, &choice ) ) return false;
	const bool isNone = choice == gel_collisionNone;
	const int cells = choice - gel_collisionFine; // index in "fine|coarse|auto"
	// One word in a recipe, two options on the command line. Both are said, the other one as "no", so that
	// extras of the art cannot fill the gap with the opposite.
	return AddAt( r, key, gelFindSetting( "no-collision" ), isNone ? &isNone : NULL ) &&
		AddAt( r, key, gelFindSetting( "collision-cells" ), cells >= 0 ? &cells : NULL );
}

// ---- the rows -------------------------------------------------------------------------------------------

// Checked by those who read them.
static bool ReadRegions( Reader* r, const gelSetting* s, const json_t* object, const char* key )
{
	(void)s, (void)object, (void)key;
	r->out->hasRegions = true;
	return true;
}

// Each reads a member that is there. False: a finding was added.
static bool ( *const s_readers[] )(
	Reader* r, const gelSetting* s, const json_t* object, const char* key ) = {
	[gel_settingFlag] = ReadFlag,
	[gel_settingCount] = ReadCount,
	[gel_settingReal] = ReadReal,
	[gel_settingText] = ReadText,
	[gel_settingFile] = ReadFile,
	[gel_settingChoice] = ReadChoice,
	[gel_settingLevels] = ReadLevels,
	[gel_settingSteps] = ReadSteps,
	[gel_settingBoxes] = ReadBoxes,
	[gel_settingPoints] = ReadPoints,
	[gel_settingPaint] = ReadPaint,
	[gel_settingParticles] = ReadParticles,
	[gel_settingPreset] = ReadPreset,
	[gel_settingCollision] = ReadCollision,
	[gel_settingRegions] = ReadRegions,
};

// The key by which an object of a recipe has a row, or all of its group; NULL: it does not have it.
// @param group of the object; NULL: it is the recipe itself
static const char* FindKey( const gelSetting* setting, const char* group )
{
	if ( group == NULL && gelIsFirstOfRecipeGroup( setting ) ) return setting->group;
	return gelIsInRecipeGroup( setting, group ) ? setting->recipe : NULL;
}

// Complains about other keys than those of a group. @param isNamed names of materials are keys, too
static bool CheckKeys( gelJsonReader* json, const json_t* object, const char* group, bool isNamed )
{
	char names[512] = "";
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const char* key = FindKey( gelSettings + i, group );
		if ( key == NULL || ( !isNamed && gelSettings[i].kind == gel_settingText ) ) continue;
		size_t length = strlen( names );
		snprintf( names + length, sizeof( names ) - length, "%s%s", length > 0 ? " " : "", key );
	}
	return gelJson_CheckKeys( json, object, names );
}

static bool ReadObject( Reader* r, const json_t* object, const char* group )
{
	bool ok = CheckKeys( &r->json, object, group, true );
	for ( int i = 0; i < gelSettingCount && ok; ++i )
	{
		const char* key = FindKey( gelSettings + i, group );
		const json_t* member = key != NULL ? json_object_get( object, key ) : NULL;
		if ( member == NULL ) continue;
		// By pointer: a key that is not the row's own is the name of its group, which is read as a whole at
		// its first row.
		if ( key == gelSettings[i].recipe )
		{
			ok = s_readers[gelSettings[i].kind]( r, gelSettings + i, object, key );
			continue;
		}
		gelJson_EnterKey( &r->json, key );
		ok = ReadObject( r, member, key );
		gelJson_Leave( &r->json );
	}
	return ok;
}

// ---- what goes together ---------------------------------------------------------------------------------

// The value of a row; NULL: it is not there.
static const json_t* FindValue( const json_t* root, const gelSetting* setting )
{
	const json_t* object = setting->group != NULL ? json_object_get( root, setting->group ) : root;
	return setting->recipe != NULL ? json_object_get( object, setting->recipe ) : NULL;
}

static bool FailRow( Reader* r, const gelSetting* setting, const char* text )
{
	if ( setting->group != NULL ) gelJson_EnterKey( &r->json, setting->group );
	gelJson_FailMember( &r->json, setting->recipe, "%s", text );
	if ( setting->group != NULL ) gelJson_Leave( &r->json );
	return false;
}

// A value that is neither false nor empty: what a surface that only others touch has no use for.
static bool IsPhysics( const gelSetting* setting, const json_t* value )
{
	return ( setting->traits & gel_traitPhysics ) != 0 && !json_is_false( value ) &&
		!( json_is_array( value ) && json_array_size( value ) == 0 );
}

static bool CheckRow( Reader* r, const gelSetting* setting, bool isStatic )
{
	const json_t *root = r->json.root, *value = FindValue( root, setting );
	char text[120];
	if ( value == NULL ) return true;
	const gelSetting* rival = setting->rival != NULL ? gelFindSetting( setting->rival ) : setting;
	// Each pair once, at the later row.
	if ( rival < setting && FindValue( root, rival ) != NULL )
	{
		snprintf( text, sizeof( text ), "has no meaning with a \"%s\"", rival->recipe );
		return FailRow( r, setting, text );
	}
	const gelSetting* needed = setting->needs != NULL ? gelFindSetting( setting->needs ) : NULL;
	if ( needed != NULL && !json_is_true( FindValue( root, needed ) ) )
	{
		snprintf( text, sizeof( text ), "has no meaning without \"%s\": true", needed->recipe );
		return FailRow( r, setting, text );
	}
	if ( isStatic && IsPhysics( setting, value ) )
		return FailRow( r, setting, "has no meaning together with \"static\"" );
	if ( isStatic && setting->kind == gel_settingCollision &&
		strcmp( json_string_value( value ), "none" ) == 0 )
		return FailRow( r, setting, "cannot be \"none\" together with \"static\"" );
	return true;
}

// @return whether all of it is as it should be
static bool ReadRoot( Reader* r )
{
	bool ok = ReadObject( r, r->json.root, NULL );
	bool isStatic = ok && json_is_true( FindValue( r->json.root, gelFindSetting( "static" ) ) );
	for ( int i = 0; i < gelSettingCount && ok; ++i )
		ok = CheckRow( r, gelSettings + i, isStatic );
	return ok;
}

bool gelReadMaterialNumbers( gelJsonReader* reader, const json_t* object, gelBakeMaterial* inout )
{
	const json_t* name = json_object_get( object, "preset" );
	const gelMaterialPreset* preset =
		name != NULL ? gelFindMaterialPreset( json_string_value( name ) ) : NULL;
	bool ok = CheckKeys( reader, object, "material", false );
	if ( ok && name != NULL && preset == NULL ) return gelJson_FailMember( reader, "preset", NO_PRESET );
	if ( preset != NULL )
	{
		inout->youngsModulus = preset->young;
		inout->poissonsRatio = preset->poisson;
		inout->density = preset->density;
	}
	for ( int i = 0; i < gelSettingCount && ok; ++i )
	{
		const gelSetting* s = gelSettings + i;
		if ( !gelIsInRecipeGroup( s, "material" ) || s->kind != gel_settingReal ) continue;
		// Offsets in the table are those of a request; here the target is a material that is no part of one.
		char* member = (char*)inout + ( s->offset - offsetof( gelBakeRequest, settings.material ) );
		ok = gelJson_Number( reader, object, s->recipe, s->min, s->max, (double*)(void*)member );
	}
	return ok;
}

// ---- files and extras -----------------------------------------------------------------------------------

bool gelReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe )
{
	*outRecipe = ( gelRecipe ){ .file = path, .number = gel_findingRecipeWrong };
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, MAX_RECIPE_BYTES, &bytes, findings );
	if ( text == NULL ) return false;
	Reader r = { .pool = pool, .out = outRecipe };
	bool ok = gelJson_Open( &r.json, path, text, bytes, outRecipe->number, findings ) && ReadRoot( &r );
	gelJson_Close( &r.json );
	free( text );
	return ok;
}

bool gelOpenRecipeSource( gelJsonReader* reader, const gelRecipeSource* source, gelFindings* findings )
{
	GEL_ASSERT( ( source->text != NULL ) != ( source->value != NULL ) );
	if ( source->text != NULL )
		return gelJson_OpenFrom( reader, &source->origin, source->file, source->text, strlen( source->text ),
			gel_findingArtSettingsWrong, findings );
	gelJson_OpenValue(
		reader, &source->origin, source->file, source->value, gel_findingArtSettingsWrong, findings );
	return true;
}

bool gelReadRecipeSource(
	const gelRecipeSource* source, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe )
{
	*outRecipe = ( gelRecipe ){ .file = source->file, .number = gel_findingArtSettingsWrong };
	Reader r = { .pool = pool, .out = outRecipe };
	bool ok = gelOpenRecipeSource( &r.json, source, findings ) && ReadRoot( &r );
	gelJson_Close( &r.json );
	return ok;
}
