// SPDX-License-Identifier: MIT
#include "common/settings/setting_format.h"

#include "common/program/clean_text.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <string.h>

// ---- META ------------------------------------------------------------------------------------------------

// Rows of META are members of gelBakeSettings, with which a request begins.
static const void* GetValue( const gelBakeSettings* settings, const gelSetting* setting )
{
	_Static_assert( offsetof( gelBakeRequest, settings ) == 0, "offsets of rows are those of the settings" );
	GEL_ASSERT( setting->offset + gelGetSettingBytes( setting ) <= sizeof( gelBakeSettings ) );
	return (const char*)settings + setting->offset;
}

// The word at a place of "a|b|c".
static json_t* MakeWord( const char* words, int index )
{
	GEL_ASSERT( index >= 0 );
	for ( ; index > 0; --index )
		words += strcspn( words, "|" ) + 1;
	return json_stringn( words, strcspn( words, "|" ) );
}

static json_t* MakeMeta( const gelSetting* setting, const void* value )
{
	char text[256];
	switch ( setting->kind )
	{
		case gel_settingFlag:
			return json_boolean( *(const bool*)value );
		case gel_settingCount:
			return json_integer( *(const int*)value );
		case gel_settingReal:
			return json_real( *(const double*)value );
		case gel_settingText:
			gelCleanTextTo(
				text, sizeof( text ), *(const char* const*)value != NULL ? *(const char* const*)value : "" );
			return json_string( text );
		default:
			GEL_ASSERT( setting->choices != NULL );
			return MakeWord( setting->choices, *(const int*)value );
	}
}

// The object that the last part of "group.key" is in, and that part. NULL: there is none.
static json_t* FindGroup( json_t* root, const char* path, bool isMade, const char** outKey )
{
	const char* dot = strchr( path, '.' );
	char group[64];
	*outKey = dot != NULL ? dot + 1 : path;
	if ( dot == NULL ) return root;
	snprintf( group, sizeof( group ), "%.*s", (int)( dot - path ), path );
	if ( isMade && json_object_get( root, group ) == NULL ) json_object_set_new( root, group, json_object() );
	return json_object_get( root, group );
}

json_t* gelMakeSettingsMeta( const gelBakeSettings* settings )
{
	const gelBakeSettings defaults = gelDefaultBakeSettings();
	json_t* root = json_object();
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* setting = gelSettings + i;
		if ( setting->meta == NULL ) continue;
		const void* value = GetValue( settings, setting );
		bool isDefault = memcmp( value, GetValue( &defaults, setting ), gelGetSettingBytes( setting ) ) == 0;
		if ( isDefault && ( setting->traits & gel_traitAlwaysMeta ) == 0 ) continue;
		const char* key;
		json_t* group = FindGroup( root, setting->meta, true, &key );
		json_object_set_new( group, key, MakeMeta( setting, value ) );
	}
	return root;
}

bool gelFormatMetaSetting(
	const gelSetting* setting, const json_t* settings, char out[GEL_SETTING_TEXT_BYTES] )
{
	GEL_ASSERT( setting->meta != NULL );
	const char* key;
	const json_t* group = FindGroup( (json_t*)(uintptr_t)settings, setting->meta, false, &key );
	const json_t* value = json_object_get( group, key );
	double number = json_number_value( value );
	int count = (int)json_integer_value( value );
	switch ( setting->kind )
	{
		case gel_settingFlag:
			out[0] = 0;
			return json_is_true( value );
		case gel_settingCount:
			if ( json_is_integer( value ) ) gelFormatSetting( setting, &count, out );
			return json_is_integer( value );
		case gel_settingReal:
			if ( json_is_number( value ) ) gelFormatSetting( setting, &number, out );
			return json_is_number( value );
		default: // a text, or the word of a choice
			if ( json_string_length( value ) >= GEL_SETTING_TEXT_BYTES || json_string_length( value ) == 0 )
				return false;
			strcpy( out, json_string_value( value ) );
			return true;
	}
}

// ---- words of a command line -----------------------------------------------------------------------------

static void FormatBox( const gelPinBox* box, char* out )
{
	const double *a = box->low, *b = box->high;
	snprintf(
		out, GEL_SETTING_TEXT_BYTES, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", a[0], a[1], a[2], b[0], b[1], b[2] );
}

static void FormatPoint( const gelBakeAttachment* point, char* out )
{
	const double *p = point->position, *q = point->rotation;
	snprintf( out, GEL_SETTING_TEXT_BYTES, "%s=%.9g,%.9g,%.9g:%.9g,%.9g,%.9g,%.9g:%.9g", point->name, p[0],
		p[1], p[2], q[0], q[1], q[2], q[3], point->radius );
}

// "solid:12"
static void FormatParticles( const gelSetting* setting, const gelParticleSettings* particles, char* out )
{
	GEL_ASSERT( particles->kind > gel_particlesNone && particles->kind <= gel_particlesRod );
	const char* words = setting->choices;
	for ( int i = gel_particlesAuto; i < (int)particles->kind; ++i )
		words += strcspn( words, "|" ) + 1;
	int length = (int)strcspn( words, "|" );
	snprintf( out, GEL_SETTING_TEXT_BYTES, "%.*s:%d", length, words, particles->count );
	if ( particles->count == 0 ) out[length] = 0;
}

void gelFormatSetting( const gelSetting* setting, const void* value, char out[GEL_SETTING_TEXT_BYTES] )
{
	out[0] = 0;
	switch ( setting->kind )
	{
		case gel_settingCount:
		case gel_settingLevels:
			snprintf( out, GEL_SETTING_TEXT_BYTES, "%d", *(const int*)value );
			break;
		case gel_settingReal:
		case gel_settingSteps:
			snprintf( out, GEL_SETTING_TEXT_BYTES, "%.9g", *(const double*)value );
			break;
		case gel_settingText:
		case gel_settingFile:
			snprintf( out, GEL_SETTING_TEXT_BYTES, "%s", *(const char* const*)value );
			break;
		case gel_settingBoxes:
			FormatBox( value, out );
			break;
		case gel_settingPoints:
			FormatPoint( value, out );
			break;
		case gel_settingParticles:
			FormatParticles( setting, value, out );
			break;
		default: // a flag is its name; others nobody formats
			GEL_ASSERT( setting->kind == gel_settingFlag );
			break;
	}
}

// ---- the table ------------------------------------------------------------------------------------------

static const char* OrDash( const char* text )
{
	return text != NULL ? text : "-";
}

void gelPrintSettings( FILE* stream )
{
	static const char* const sources[] = { "meta", "asset", "chosen", "not" };
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* s = gelSettings + i;
		fprintf( stream, "%s\t%s%s%s\t%s%s%s\t%s\t%s\n", OrDash( s->option ),
			s->group != NULL ? s->group : "", s->group != NULL ? "." : "", OrDash( s->recipe ),
			OrDash( s->extra[0].name ), s->extra[1].name != NULL ? " " : "",
			s->extra[1].name != NULL ? s->extra[1].name : "", OrDash( s->meta ),
			s->option != NULL ? sources[s->rebake] : "-" );
	}
}
