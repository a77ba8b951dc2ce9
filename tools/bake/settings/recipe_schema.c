// SPDX-License-Identifier: MIT
// The JSON schema of recipes, out of the table of settings: docs/recipe.schema.json is what gel-bake
// --print-schema prints, and tests/checks/settings.sh compares them.
#include "bake/settings/recipe.h"

#include "common/mesh/material_presets.h"
#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <stdarg.h>
#include <string.h>

// JSON with ` for quotes, which C would want a backslash for. Types of several parts, behind their
// description:
static const char s_levels[] =
	"`type`: `array`, `maxItems`: %u, `items`: { `type`: `integer`, `minimum`: %.10g, `maximum`: %.10g }";
static const char s_steps[] =
	"`type`: `array`, `minItems`: 1, `maxItems`: 64,\n"
	"      `items`: { `oneOf`: [{ `type`: `number`, `minimum`: %.10g, `maximum`: %.10g },\n"
	"        { `type`: `string`, `pattern`: `^[0-9.eE+-]+(/[0-9.eE+-]+)?$` }] }";
static const char s_boxes[] = "`type`: `array`, `maxItems`: 256,\n"
							  "      `items`: { `type`: `object`, `required`: [`box`], `properties`: { "
							  "`box`: { `$ref`: `#/$defs/box` } },\n"
							  "        `additionalProperties`: false }";
static const char s_points[] =
	"`oneOf`: [{ `const`: false }, {\n"
	"      `type`: `object`, `maxProperties`: 1024,\n"
	"      `propertyNames`: { `minLength`: 1, `maxLength`: 63, `pattern`: `^[^=]+$` },\n"
	"      `additionalProperties`: { `oneOf`: [{ `$ref`: `#/$defs/vector` }, { `$ref`: `#/$defs/attachment` "
	"}] } }]";
static const char s_paint[] =
	"`oneOf`: [{ `const`: false }, {\n"
	"      `type`: `object`,\n"
	"      `properties`: {\n"
	"        `stiffness`: { `$ref`: `#/$defs/paint` },\n"
	"        `density`: { `$ref`: `#/$defs/paint` },\n"
	"        `pin`: { `type`: `object`, `properties`: { `channel`: { `$ref`: `#/$defs/channel` } },\n"
	"          `additionalProperties`: false }\n"
	"      },\n"
	"      `additionalProperties`: false }]";
static const char s_regions[] =
	"`type`: `array`, `maxItems`: 4096,\n"
	"      `items`: {\n"
	"        `type`: `object`, `required`: [`material`],\n"
	"        `properties`: {\n"
	"          `material`: { `type`: `string` },\n"
	"          `blend`: { `description`: `Width of the transition [m].`, `type`: `number`, `minimum`: 0 },\n"
	"          `box`: { `$ref`: `#/$defs/box` },\n"
	"          `sphere`: { `type`: `array`, `items`: { `type`: `number` }, `minItems`: 4, `maxItems`: 4 },\n"
	"          `tets`: { `type`: `array`, `items`: { `type`: `integer` }, `minItems`: 2, `maxItems`: 2 },\n"
	"          `cage_region`: { `type`: `integer`, `minimum`: 1 },\n"
	"          `art_material`: { `type`: `string` },\n"
	"          `art_group`: { `type`: `string` }\n"
	"        },\n"
	"        `additionalProperties`: false\n"
	"      }";

// What these refer to.
static const char s_defs[] =
	"    `channel`: { `description`: `A channel of COLOR_0, or an attribute of the vertices.`,\n"
	"      `type`: `string`, `pattern`: `^(color\\\\.[rgba]|_[^:]{0,62})$` },\n"
	"    `paint`: {\n"
	"      `description`: `Paint from 0 to 1 means low to high; without these it is the value itself.`,\n"
	"      `type`: `object`,\n"
	"      `properties`: {\n"
	"        `channel`: { `$ref`: `#/$defs/channel` },\n"
	"        `low`: { `type`: `number`, `exclusiveMinimum`: 0, `maximum`: 1e15 },\n"
	"        `high`: { `type`: `number`, `exclusiveMinimum`: 0, `maximum`: 1e15 },\n"
	"        `log`: { `description`: `Equal ratios instead of equal steps.`, `type`: `boolean` }\n"
	"      },\n"
	"      `dependentRequired`: { `low`: [`high`], `high`: [`low`], `log`: [`low`] },\n"
	"      `additionalProperties`: false\n"
	"    },\n"
	"    `attachment`: {\n"
	"      `type`: `object`, `required`: [`position`],\n"
	"      `properties`: {\n"
	"        `position`: { `$ref`: `#/$defs/vector` },\n"
	"        `rotation`: {\n"
	"          `description`: `Quaternion x, y, z, w: from the axes of the point to those of the art.`,\n"
	"          `type`: `array`, `items`: { `type`: `number` }, `minItems`: 4, `maxItems`: 4 },\n"
	"        `normal`: { `description`: `Where its y axis points, of any length.`, `$ref`: `#/$defs/vector` "
	"},\n"
	"        `tangent`: { `description`: `Where its z axis points, as nearly as the normal allows.`,\n"
	"          `$ref`: `#/$defs/vector` },\n"
	"        `radius`: { `description`: `How much of the body belongs to it [m].`, `type`: `number`,\n"
	"          `minimum`: 0, `maximum`: 1e9 }\n"
	"      },\n"
	"      `not`: { `required`: [`rotation`, `normal`] },\n"
	"      `dependentRequired`: { `tangent`: [`normal`] },\n"
	"      `additionalProperties`: false\n"
	"    },\n"
	"    `vector`: { `description`: `x, y, z [m], after the scale.`, `type`: `array`,\n"
	"      `items`: { `type`: `number`, `minimum`: -1e9, `maximum`: 1e9 }, `minItems`: 3, `maxItems`: 3 },\n"
	"    `box`: { `description`: `x0, y0, z0, x1, y1, z1 [m], after the scale.`, `type`: `array`,\n"
	"      `items`: { `type`: `number` }, `minItems`: 6, `maxItems`: 6 }\n";

// Prints with quotes.
static void Print( FILE* stream, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );

static void Print( FILE* stream, const char* format, ... )
{
	char text[4096];
	va_list arguments;
	va_start( arguments, format );
	int length = vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	GEL_ASSERT( length >= 0 && (size_t)length < sizeof( text ) );
	for ( const char* p = text; *p != 0; ++p )
		fputc( *p == '`' ? '"' : *p, stream );
}

// "a|b" or "a b" as "enum": ["a", "b"]
static void PrintEnum( FILE* stream, const char* words )
{
	Print( stream, "`enum`: [" );
	for ( const char* p = words; *p != 0; p += p[0] != 0 )
	{
		size_t length = strcspn( p, "| " );
		Print( stream, "%s`%.*s`", p > words ? ", " : "", (int)length, p );
		p += length;
	}
	Print( stream, "]" );
}

static void PrintNumber( FILE* stream, const gelSetting* s )
{
	if ( s->min == GEL_ABOVE_ZERO )
		Print( stream, "`type`: `number`, `exclusiveMinimum`: 0, `maximum`: %.10g", s->max );
	else
		Print( stream, "`type`: `number`, `minimum`: %.10g, `maximum`: %.10g", s->min, s->max );
}

// Materials of a body are what "material" is but for its name; what they have in common is in $defs.
static bool IsShared( const gelSetting* s )
{
	return gelIsInRecipeGroup( s, "material" ) && s->kind != gel_settingText;
}

static void PrintShared( FILE* stream, const char* indent )
{
	bool isFirst = true;
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		if ( !IsShared( gelSettings + i ) ) continue;
		const char* key = gelSettings[i].recipe;
		Print( stream, "%s%s`%s`: { `$ref`: `#/$defs/%s` }", isFirst ? "" : ",\n", indent, key, key );
		isFirst = false;
	}
}

static void PrintMaterials( FILE* stream )
{
	Print( stream,
		"`type`: `object`, `propertyNames`: { `maxLength`: %.0f },\n"
		"      `additionalProperties`: {\n"
		"        `type`: `object`,\n"
		"        `properties`: {\n",
		gelFindSetting( "material" )->max );
	PrintShared( stream, "          " );
	Print( stream, "\n        },\n        `additionalProperties`: false\n      }" );
}

static void PrintParticles( FILE* stream, const gelSetting* s )
{
	Print( stream, "`type`: `object`, `properties`: { `kind`: { " );
	PrintEnum( stream, s->choices );
	Print(
		stream, " }, `count`: { `type`: `integer`, `minimum`: %.0f, `maximum`: %.0f } },\n", s->min, s->max );
	Print( stream, "      `additionalProperties`: false" );
}

static void PrintType( FILE* stream, const gelSetting* s )
{
	// types of kinds that have no numbers
	static const char* const types[] = { [gel_settingFlag] = "`type`: `boolean`",
		[gel_settingFile] = "`type`: `string`, `minLength`: 1",
		[gel_settingBoxes] = s_boxes,
		[gel_settingPoints] = s_points,
		[gel_settingPaint] = s_paint,
		[gel_settingRegions] = s_regions };
	switch ( s->kind )
	{
		case gel_settingCount:
			Print( stream, "`type`: `integer`, `minimum`: %.10g, `maximum`: %.10g", s->min, s->max );
			break;
		case gel_settingReal:
			PrintNumber( stream, s );
			break;
		case gel_settingText:
			Print( stream, "`type`: `string`, `minLength`: 1, `maxLength`: %.0f", s->max );
			break;
		case gel_settingChoice:
		case gel_settingCollision:
			PrintEnum( stream, s->choices );
			break;
		case gel_settingPreset:
			PrintEnum( stream, GEL_MATERIAL_PRESET_NAMES );
			break;
		case gel_settingLevels:
			Print( stream, s_levels, GEL_PACK_MAX_LEVELS, s->min, s->max );
			break;
		case gel_settingSteps:
			Print( stream, s_steps, s->min, s->max );
			break;
		case gel_settingParticles:
			PrintParticles( stream, s );
			break;
		default:
			GEL_ASSERT( types[s->kind] != NULL );
			Print( stream, "%s", types[s->kind] );
			break;
	}
}

static void PrintRow( FILE* stream, const gelSetting* s, const char* indent )
{
	Print( stream, "%s`%s`: { ", indent, s->recipe );
	if ( s->about != NULL ) Print( stream, "`description`: `%s`, ", s->about );
	if ( strcmp( s->recipe, "materials" ) == 0 )
		PrintMaterials( stream );
	else
		PrintType( stream, s );
	Print( stream, " }" );
}

// A row that has a rival in its group excludes it.
// Rivals in different groups are left to the program: a schema can say "not both" of keys in one object only.
static void PrintGroup( FILE* stream, const char* group )
{
	const gelSetting* excluded = NULL;
	bool isFirst = true;
	Print( stream, "    `%s`: {\n      `type`: `object`,\n      `properties`: {\n", group );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* s = gelSettings + i;
		if ( !gelIsInRecipeGroup( s, group ) ) continue;
		if ( !isFirst ) Print( stream, ",\n" );
		isFirst = false;
		if ( s->rival != NULL ) excluded = s;
		if ( IsShared( s ) )
			Print( stream, "        `%s`: { `$ref`: `#/$defs/%s` }", s->recipe, s->recipe );
		else
			PrintRow( stream, s, "        " );
	}
	Print( stream, "\n      },\n" );
	if ( excluded != NULL )
		Print( stream, "      `not`: { `required`: [`%s`, `%s`] },\n",
			gelFindSetting( excluded->rival )->recipe, excluded->recipe );
	Print( stream, "      `additionalProperties`: false\n    }" );
}

void gelPrintRecipeSchema( FILE* stream )
{
	Print( stream,
		"{\n"
		"  `$schema`: `https://json-schema.org/draft/2020-12/schema`,\n"
		"  `title`: `Gelpack recipe`,\n"
		"  `description`: `Settings of a body for gel-bake --recipe FILE. What the command line says "
		"wins.`,\n"
		"  `type`: `object`,\n"
		"  `properties`: {\n"
		"    `$schema`: { `description`: `For editors.`, `type`: `string` }" );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* s = gelSettings + i;
		bool isGroup = gelIsFirstOfRecipeGroup( s );
		if ( !isGroup && !gelIsInRecipeGroup( s, NULL ) ) continue;
		Print( stream, ",\n" );
		if ( isGroup )
			PrintGroup( stream, s->group );
		else
			PrintRow( stream, s, "    " );
	}
	Print( stream, "\n  },\n  `additionalProperties`: false,\n  `$defs`: {\n" );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		if ( !IsShared( gelSettings + i ) ) continue;
		PrintRow( stream, gelSettings + i, "    " );
		Print( stream, ",\n" );
	}
	Print( stream, "%s  }\n}\n", s_defs );
}
