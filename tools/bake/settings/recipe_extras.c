// SPDX-License-Identifier: MIT
// Recipes in the art: extras of glTF, which modellers write custom properties to. "gelpack" is a recipe, as
// an object or as a text with one; properties such as "gelpack_young" are its members one by one, for
// modellers whose properties are numbers and texts.
#include "bake/settings/attachment_points.h"
#include "bake/settings/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX      "gelpack_"
#define MAX_OPTIONS 64 // that a recipe can set

typedef enum PropertyKind
{
	gel_propertyPlain,
	gel_propertyFlag,   // also 0 and 1: older modellers know no true
	gel_propertyCount,  // also 800.0
	gel_propertyCounts, // one, or an array
	gel_propertySteps,  // the same
	gel_propertyBox,    // of a pin
} PropertyKind;

typedef struct Property
{
	const char* name;
	const char *key, *part; // of the recipe; part NULL: key itself
	PropertyKind kind;
} Property;

static const Property s_properties[] = {
	{ PREFIX "name", "name", NULL, gel_propertyPlain },
	{ PREFIX "scale", "scale", NULL, gel_propertyPlain },
	{ PREFIX "tets", "cage", "tets", gel_propertyCount },
	{ PREFIX "levels", "cage", "levels", gel_propertyCounts },
	{ PREFIX "cage", "cage", "file", gel_propertyPlain },
	{ PREFIX "steps", "steps", NULL, gel_propertySteps },
	{ PREFIX "quality", "quality", NULL, gel_propertyFlag },
	{ PREFIX "warp", "warp", NULL, gel_propertyFlag },
	{ PREFIX "static", "static", NULL, gel_propertyFlag },
	{ PREFIX "particles", "particles", "kind", gel_propertyPlain },
	{ PREFIX "particle_count", "particles", "count", gel_propertyCount },
	{ PREFIX "preset", "material", "preset", gel_propertyPlain },
	{ PREFIX "material", "material", "name", gel_propertyPlain },
	{ PREFIX "young", "material", "young", gel_propertyPlain },
	{ PREFIX "poisson", "material", "poisson", gel_propertyPlain },
	{ PREFIX "density", "material", "density", gel_propertyPlain },
	{ PREFIX "damping", "material", "damping", gel_propertyPlain },
	{ PREFIX "static_friction", "material", "static_friction", gel_propertyPlain },
	{ PREFIX "dynamic_friction", "material", "dynamic_friction", gel_propertyPlain },
	{ PREFIX "pin_box", "pins", NULL, gel_propertyBox },
	{ PREFIX "collision", "collision", NULL, gel_propertyPlain },
	{ PREFIX "max_bytes", "limits", "max_bytes", gel_propertyPlain },
	{ PREFIX "max_step_us", "limits", "max_step_us", gel_propertyPlain },
	{ PREFIX "soak", "limits", "soak", gel_propertyFlag },
	{ PREFIX "max_strain", "limits", "max_strain", gel_propertyPlain },
};
#define PROPERTY_COUNT ( (int)( sizeof( s_properties ) / sizeof( s_properties[0] ) ) )

// The property that a place of the recipe was made from.
static const char* NameOf( const gelJsonStep* path, int depth )
{
	for ( int i = 0; i < PROPERTY_COUNT && depth > 0 && path[0].key != NULL; ++i )
	{
		const Property* p = s_properties + i;
		if ( strcmp( p->key, path[0].key ) != 0 ) continue;
		if ( p->part == NULL ) return p->name;
		if ( depth > 1 && path[1].key != NULL && strcmp( p->part, path[1].key ) == 0 ) return p->name;
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

static char* CopyText( Finder* f, const char* text )
{
	size_t bytes = strlen( text ) + 1;
	return memcpy( gelBakePool_Alloc( f->pool, bytes, 1 ), text, bytes );
}

// @param text NULL: out of memory
static bool AddRecipe( Finder* f, const char* text, gelJsonOrigin origin )
{
	if ( text == NULL )
	{
		gelFindings_Add( f->findings, gel_findingNoMemory, f->file, "out of memory" );
		return false;
	}
	int at = f->out->count++;
	f->out->texts[at] = ( gelRecipeText ){ f->file, CopyText( f, text ), origin };
	return gelReadRecipeText( f->out->texts + at, f->pool, f->findings, f->out->recipes + at );
}

// ---- "gelpack" -----------------------------------------------------------------------------------------

static bool ReadObject( Finder* f, const char* place, const json_t* value )
{
	char label[160];
	snprintf( label, sizeof( label ), "%s: extras.gelpack", place );
	gelJsonOrigin origin = { CopyText( f, label ), json_is_string( value ), NULL };
	if ( json_is_string( value ) ) return AddRecipe( f, json_string_value( value ), origin );
	char* text = json_dumps( value, JSON_ENCODE_ANY | JSON_REAL_PRECISION( 17 ) );
	bool ok = json_is_object( value ) && AddRecipe( f, text, origin );
	if ( !json_is_object( value ) )
		gelFindings_Add( f->findings, gel_findingArtSettingsWrong, f->file,
			"%s: it has to be an object { }, or a text with one", label );
	free( text );
	return ok;
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
static json_t* MakeValue( const Property* property, json_t* value )
{
	double number = json_number_value( value );
	switch ( property->kind )
	{
		case gel_propertyFlag:
			if ( json_is_number( value ) && ( number == 0.0 || number == 1.0 ) )
				return json_boolean( number == 1.0 );
			return json_incref( value );
		case gel_propertyCount:
			return MakeCount( value );
		case gel_propertyCounts:
			return MakeCounts( value );
		case gel_propertySteps:
			return json_is_array( value ) ? json_incref( value ) : json_pack( "[O]", value );
		case gel_propertyBox:
			return json_pack( "[{sO}]", "box", value );
		default:
			return json_incref( value );
	}
}

static bool SetProperty( json_t* recipe, const Property* property, json_t* value )
{
	json_t* made = MakeValue( property, value );
	if ( property->part == NULL ) return json_object_set_new( recipe, property->key, made ) == 0;
	json_t* group = json_object_get( recipe, property->key );
	if ( group == NULL )
	{
		json_object_set_new( recipe, property->key, json_object() );
		group = json_object_get( recipe, property->key );
	}
	return json_object_set_new( group, property->part, made ) == 0;
}

static const Property* FindProperty( const char* name )
{
	for ( int i = 0; i < PROPERTY_COUNT; ++i )
	{
		if ( strcmp( s_properties[i].name, name ) == 0 ) return s_properties + i;
	}
	return NULL;
}

static bool FailUnknown( Finder* f, const char* place, const char* key )
{
	char names[512] = "";
	size_t at = 0;
	for ( int i = 0; i < PROPERTY_COUNT && at < sizeof( names ); ++i )
	{
		at += (size_t)snprintf(
			names + at, sizeof( names ) - at, " %s", s_properties[i].name + sizeof( PREFIX ) - 1 );
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
		const Property* property = FindProperty( key );
		ok = property != NULL ? SetProperty( recipe, property, value ) : FailUnknown( f, place, key );
	}
	if ( ok && json_object_size( recipe ) > 0 )
	{
		char label[160];
		snprintf( label, sizeof( label ), "%s: extras", place );
		char* text = json_dumps( recipe, JSON_REAL_PRECISION( 17 ) );
		ok = AddRecipe( f, text, ( gelJsonOrigin ){ CopyText( f, label ), false, NameOf } );
		free( text );
	}
	json_decref( recipe );
	return ok;
}

// ---- all of a file
// -----------------------------------------------------------------------------------------

// @param node its name; "": the scene
static bool ReadExtras( Finder* f, const char* node, const char* extrasText )
{
	char place[128] = "scene";
	if ( node[0] != 0 ) snprintf( place, sizeof( place ), "node \"%.60s\"", node );
	if ( extrasText == NULL ) return true;
	json_t* extras = json_loads( extrasText, JSON_DECODE_ANY, NULL );
	const json_t* recipe = json_object_get( extras, "gelpack" );
	bool ok =
		( recipe == NULL || ReadObject( f, place, recipe ) ) && ReadProperties( f, place, extras, node );
	json_decref( extras );
	return ok;
}

// The next value of an option from there on; count: there is none.
static int FindValue( const gelRecipe* recipe, int from, const char* option )
{
	while ( from < recipe->count && strcmp( recipe->values[from].option, option ) != 0 )
		from += 1;
	return from;
}

static bool SaySame( const gelRecipe* a, const gelRecipe* b, const char* option )
{
	int i = FindValue( a, 0, option ), k = FindValue( b, 0, option );
	for ( ; i < a->count && k < b->count;
		  i = FindValue( a, i + 1, option ), k = FindValue( b, k + 1, option ) )
	{
		const char *x = a->values[i].text, *y = b->values[k].text;
		if ( ( x == NULL ) != ( y == NULL ) || ( x != NULL && strcmp( x, y ) != 0 ) ) return false;
	}
	return i == a->count && k == b->count;
}

// A body is all of its nodes; none of them is nearer to the truth than another. Each is compared with the
// first one that speaks of an option.
static bool CheckNodes( const Finder* f )
{
	const gelExtrasRecipes* all = f->out;
	struct
	{
		const char* option;
		int recipe;
	} firsts[MAX_OPTIONS];
	int firstCount = 0;
	for ( int i = 0; i < all->count; ++i )
	{
		for ( int k = 0; k < all->recipes[i].count; ++k )
		{
			const char* option = all->recipes[i].values[k].option;
			if ( FindValue( all->recipes + i, 0, option ) < k ) continue;
			int at = 0;
			while ( at < firstCount && strcmp( firsts[at].option, option ) != 0 )
				at += 1;
			if ( at == firstCount && firstCount < MAX_OPTIONS )
			{
				firsts[firstCount].option = option;
				firsts[firstCount++].recipe = i;
			}
			if ( at == MAX_OPTIONS || SaySame( all->recipes + firsts[at].recipe, all->recipes + i, option ) )
				continue;
			gelFindings_Add( f->findings, gel_findingArtSettingsWrong, f->file,
				"%s and %s contradict each other about \"%s\"; a body is all nodes of its file",
				all->texts[firsts[at].recipe].origin.label, all->texts[i].origin.label, option );
			return false;
		}
	}
	return true;
}

bool gelReadExtrasRecipes(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelExtrasRecipes* out )
{
	Finder f = { file, pool, findings, out };
	size_t capacity = 2 * ( (size_t)mesh->groupCount + mesh->pointCount + 1 );
	*out = ( gelExtrasRecipes ){ .texts = gelBakePool_Alloc( pool, capacity, sizeof( gelRecipeText ) ),
		.recipes = gelBakePool_Alloc( pool, capacity, sizeof( gelRecipe ) ) };
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		if ( !ReadExtras( &f, mesh->groups[i].name, mesh->groups[i].extras ) ) return false;
	}
	for ( uint32_t i = 0; i < mesh->pointCount; ++i )
	{
		const gelMeshPoint* point = mesh->points + i;
		if ( !point->hasGroup && !ReadExtras( &f, point->name, point->extras ) ) return false;
	}
	return CheckNodes( &f ) && ReadExtras( &f, "", mesh->extras );
}
