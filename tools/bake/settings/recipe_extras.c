// SPDX-License-Identifier: MIT
// Recipes in the art: extras of glTF, which modellers write custom properties to. "gelpack" is a recipe, as
// an object or as a text with one; properties such as "gelpack_young" are its members one by one, for
// modellers whose properties are numbers and texts.
#include "bake/settings/attachment_points.h"
#include "bake/settings/recipe.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "gelpack_"

// A row has up to two properties, for the two parts of "particles" (kind and count); most use one or none.
#define EXTRA_COUNT ( 2 * gelSettingCount ) // places for properties in the table

static const gelSettingExtra* GetExtra( int index )
{
	GEL_ASSERT( index >= 0 && index < EXTRA_COUNT );
	return gelSettings[index / 2].extra + index % 2;
}

static const gelSetting* GetSetting( int index )
{
	return gelSettings + index / 2;
}

// Whether a step of a path is a member of that name.
static bool IsStep( const gelJsonStep* path, int depth, int at, const char* key )
{
	return at < depth && path[at].key != NULL && strcmp( path[at].key, key ) == 0;
}

// The property that a place of the recipe was made from.
// Messages then speak of "extras.gelpack_young", which is what the artist sees in the modeller.
static const char* NameOf( const gelJsonStep* path, int depth )
{
	for ( int i = 0; i < EXTRA_COUNT; ++i )
	{
		const gelSettingExtra* extra = GetExtra( i );
		const gelSetting* setting = GetSetting( i );
		int at = 0;
		if ( extra->name == NULL ) continue;
		if ( setting->group != NULL && !IsStep( path, depth, at++, setting->group ) ) continue;
		if ( !IsStep( path, depth, at++, setting->recipe ) ) continue;
		if ( extra->part == NULL || IsStep( path, depth, at, extra->part ) ) return extra->name;
	}
	return NULL;
}

typedef struct Finder
{
	const char* file;
	gelBakePool* pool;
	gelFindings* findings;
	gelExtrasRecipes* out;
} Finder;

static bool AddRecipe( Finder* f, gelRecipeSource source )
{
	GEL_ASSERT( f->out->sources != NULL && f->out->recipes != NULL );
	int at = f->out->count++;
	f->out->sources[at] = source;
	return gelReadRecipeSource( f->out->sources + at, f->pool, f->findings, f->out->recipes + at );
}

// ---- "gelpack" -----------------------------------------------------------------------------------------

static bool ReadObject( Finder* f, const char* place, json_t* value )
{
	char label[160];
	snprintf( label, sizeof( label ), "%s: extras.gelpack", place );
	gelRecipeSource source = { f->file, NULL, NULL,
		{ gelBakePool_CopyText( f->pool, label ), json_is_string( value ), NULL } };
	if ( json_is_string( value ) )
		source.text = gelBakePool_CopyText( f->pool, json_string_value( value ) );
	else if ( json_is_object( value ) )
		// Kept until the end of the bake: regions are read from it again once their material is known.
		source.value = json_incref( value );
	else
		gelFindings_Add( f->findings, gel_findingArtSettingsWrong, f->file,
			"%s: it has to be an object { }, or a text with one", label );
	return ( source.text != NULL || source.value != NULL ) && AddRecipe( f, source );
}

// ---- "gelpack_young" and others --------------------------------------------------------------------------

static json_t* MakeCount( json_t* value )
{
	double number = json_number_value( value );
	bool isWhole = json_is_number( value ) && fabs( number ) < 1e9 && number == floor( number );
	return isWhole ? json_integer( (json_int_t)number ) : json_incref( value );
}

static json_t* MakeCounts( json_t* value )
{
	json_t* out = json_array();
	if ( !json_is_array( value ) ) json_array_append_new( out, MakeCount( value ) );
	for ( size_t i = 0; i < json_array_size( value ); ++i )
		json_array_append_new( out, MakeCount( json_array_get( value, i ) ) );
	return out;
}

// The value as a recipe has it, a new reference. What cannot be is left as it is, and refused later.
static json_t* MakeValue( const gelSetting* setting, json_t* value )
{
	double number = json_number_value( value );
	switch ( setting->kind )
	{
		case gel_settingFlag: // also 0 and 1: older modellers know no true
			if ( json_is_number( value ) && ( number == 0.0 || number == 1.0 ) )
				return json_boolean( number == 1.0 );
			return json_incref( value );
		case gel_settingCount: // also 800.0
		case gel_settingParticles:
			return MakeCount( value );
		case gel_settingLevels:
			return MakeCounts( value );
		case gel_settingSteps:
			return json_is_array( value ) ? json_incref( value ) : json_pack( "[O]", value );
		case gel_settingBoxes: // one
			return json_pack( "[{sO}]", "box", value );
		default:
			return json_incref( value );
	}
}

// The member of an object, which is made if it is not there.
static json_t* MakeGroup( json_t* object, const char* key )
{
	if ( json_object_get( object, key ) == NULL ) json_object_set_new( object, key, json_object() );
	return json_object_get( object, key );
}

static void SetProperty( json_t* recipe, int index, json_t* value )
{
	const gelSetting* setting = GetSetting( index );
	const char* part = GetExtra( index )->part;
	if ( setting->group != NULL ) recipe = MakeGroup( recipe, setting->group );
	if ( part != NULL ) recipe = MakeGroup( recipe, setting->recipe );
	json_object_set_new( recipe, part != NULL ? part : setting->recipe, MakeValue( setting, value ) );
}

// EXTRA_COUNT: there is none of this name.
static int FindProperty( const char* name )
{
	int i = 0;
	while ( i < EXTRA_COUNT && ( GetExtra( i )->name == NULL || strcmp( GetExtra( i )->name, name ) != 0 ) )
		i += 1;
	return i;
}

static bool FailUnknown( Finder* f, const char* place, const char* key )
{
	char names[512] = "";
	size_t at = 0;
	for ( int i = 0; i < EXTRA_COUNT && at < sizeof( names ); ++i )
	{
		const char* name = GetExtra( i )->name;
		if ( name == NULL ) continue;
		at += (size_t)snprintf( names + at, sizeof( names ) - at, " %s", name + sizeof( PREFIX ) - 1 );
	}
	gelFindings_Add( f->findings, gel_findingArtSettingsWrong, f->file,
		"%s: extras.%.60s: there is no such setting; behind \"" PREFIX "\" there are:%s", place, key, names );
	return false;
}

// What an attachment point says about itself, and not about the body (attachment_points.h).
static bool IsOfPoint( const char* key, const json_t* extras, const char* node )
{
	bool isPoint = json_object_get( extras, GEL_ATTACHMENT_EXTRA ) != NULL || gelIsAttachmentName( node );
	return isPoint && ( strcmp( key, GEL_ATTACHMENT_EXTRA ) == 0 || strcmp( key, GEL_RADIUS_EXTRA ) == 0 );
}

static bool ReadProperties( Finder* f, const char* place, json_t* extras, const char* node )
{
	json_t* recipe = json_object();
	const char* key;
	json_t* value;
	bool ok = true;
	json_object_foreach( extras, key, value )
	{
		if ( !ok || strncmp( key, PREFIX, sizeof( PREFIX ) - 1 ) != 0 || IsOfPoint( key, extras, node ) )
			continue;
		int index = FindProperty( key );
		ok = index < EXTRA_COUNT || FailUnknown( f, place, key );
		if ( ok ) SetProperty( recipe, index, value );
	}
	if ( !ok || json_object_size( recipe ) == 0 )
	{
		json_decref( recipe );
		return ok;
	}
	char label[160];
	snprintf( label, sizeof( label ), "%s: extras", place );
	return AddRecipe( f,
		( gelRecipeSource ){
			f->file, NULL, recipe, { gelBakePool_CopyText( f->pool, label ), false, NameOf } } );
}

// ---- all of a file --------------------------------------------------------------------------------------

// @param node its name; "": the scene
static bool ReadExtras( Finder* f, const char* node, const char* extrasText )
{
	char place[128] = "scene";
	if ( node[0] != 0 ) snprintf( place, sizeof( place ), "node \"%.60s\"", node );
	if ( extrasText == NULL ) return true;
	json_t* extras = json_loads( extrasText, JSON_DECODE_ANY, NULL );
	json_t* recipe = json_object_get( extras, "gelpack" );
	bool ok =
		( recipe == NULL || ReadObject( f, place, recipe ) ) && ReadProperties( f, place, extras, node );
	json_decref( extras );
	return ok;
}

// The next value of a setting from there on; count: there is none.
static int FindValue( const gelRecipe* recipe, int from, const gelSetting* setting )
{
	while ( from < recipe->count && recipe->values[from].setting != setting )
		from += 1;
	return from;
}

// Bytes are compared, which is why readers clear their values before they fill them.
static bool IsSameValue( const gelSetting* setting, const void* x, const void* y )
{
	if ( x == NULL || y == NULL ) return x == y;
	if ( setting->kind == gel_settingText || setting->kind == gel_settingFile )
		return strcmp( *(const char* const*)x, *(const char* const*)y ) == 0;
	return memcmp( x, y, gelGetSettingBytes( setting ) ) == 0;
}

static bool SaySame( const gelRecipe* a, const gelRecipe* b, const gelSetting* setting )
{
	int i = FindValue( a, 0, setting ), k = FindValue( b, 0, setting );
	for ( ; i < a->count && k < b->count;
		  i = FindValue( a, i + 1, setting ), k = FindValue( b, k + 1, setting ) )
	{
		if ( !IsSameValue( setting, a->values[i].value, b->values[k].value ) ) return false;
	}
	return i == a->count && k == b->count;
}

// A body is all of its nodes; none of them is nearer to the truth than another. Each is compared with the
// first one that speaks of a setting.
static bool CheckNodes( const Finder* f )
{
	const gelExtrasRecipes* all = f->out;
	int firsts[GEL_MAX_SETTINGS] = { 0 }; // recipe + 1
	for ( int i = 0; i < all->count; ++i )
	{
		for ( int k = 0; k < all->recipes[i].count; ++k )
		{
			const gelSetting* setting = all->recipes[i].values[k].setting;
			int* first = firsts + gelGetSettingIndex( setting );
			if ( *first == 0 ) *first = i + 1;
			if ( SaySame( all->recipes + *first - 1, all->recipes + i, setting ) ) continue;
			gelFindings_Add( f->findings, gel_findingArtSettingsWrong, f->file,
				"%s and %s contradict each other about \"%s\"; a body is all nodes of its file",
				all->sources[*first - 1].origin.label, all->sources[i].origin.label, setting->option );
			return false;
		}
	}
	return true;
}

void gelFreeExtrasRecipes( gelExtrasRecipes* extras )
{
	for ( int i = 0; i < extras->count; ++i )
		json_decref( extras->sources[i].value );
	*extras = ( gelExtrasRecipes ){ 0 };
}

bool gelReadExtrasRecipes(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelExtrasRecipes* out )
{
	Finder f = { file, pool, findings, out };
	size_t capacity = 2 * ( (size_t)mesh->groupCount + mesh->pointCount + 1 );
	*out = ( gelExtrasRecipes ){ .sources = gelBakePool_Alloc( pool, capacity, sizeof( gelRecipeSource ) ),
		.recipes = gelBakePool_Alloc( pool, capacity, sizeof( gelRecipe ) ) };
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		if ( !ReadExtras( &f, mesh->groups[i].name, mesh->groups[i].extras ) ) return false;
	}
	for ( uint32_t i = 0; i < mesh->pointCount; ++i )
	{
		const gelMeshPoint* point = mesh->points + i;
		// A node with a mesh is a group, too, and was read as one.
		if ( !point->hasGroup && !ReadExtras( &f, point->name, point->extras ) ) return false;
	}
	// The scene last, and after nodes were compared with each other: a node may say something else than the
	// scene, and wins, because it was applied before.
	return CheckNodes( &f ) && ReadExtras( &f, "", mesh->extras );
}
