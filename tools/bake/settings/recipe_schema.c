// SPDX-License-Identifier: MIT
// The JSON schema of recipes, out of the table of settings: docs/recipe.schema.json is what gel-bake
// --print-schema prints, and tests/checks/settings.sh compares them.
#include "bake/settings/recipe.h"

#include "common/mesh/material_presets.h"
#include "common/program/tool_assert.h"
#include "pack/pack_layout.h"

#include <string.h>

// What kinds of several parts are, behind their description.
static const char s_levels[] = "\"type\": \"array\", \"maxItems\": %u, \"items\": { \"type\": \"integer\", "
							   "\"minimum\": %.10g, \"maximum\": %.10g }";
static const char s_steps[] = "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 64,\n"
							  "      \"items\": {\n"
							  "        \"oneOf\": [\n"
							  "          { \"type\": \"number\", \"minimum\": %.10g, \"maximum\": %.10g },\n"
							  "          { \"type\": \"string\", \"pattern\": "
							  "\"^[0-9.eE+-]+(/[0-9.eE+-]+)?$\" }\n"
							  "        ]\n"
							  "      }";
static const char s_boxes[] = "\"type\": \"array\", \"maxItems\": 256,\n"
							  "      \"items\": {\n"
							  "        \"type\": \"object\", \"required\": [\"box\"],\n"
							  "        \"properties\": { \"box\": { \"$ref\": \"#/$defs/box\" } },\n"
							  "        \"additionalProperties\": false\n"
							  "      }";
static const char s_points[] =
	"\"oneOf\": [\n"
	"        { \"const\": false },\n"
	"        {\n"
	"          \"type\": \"object\", \"maxProperties\": 1024,\n"
	"          \"propertyNames\": { \"minLength\": 1, \"maxLength\": 63, \"pattern\": \"^[^=]+$\" },\n"
	"          \"additionalProperties\": { \"oneOf\": [{ \"$ref\": \"#/$defs/vector\" }, { \"$ref\": "
	"\"#/$defs/attachment\" }] }\n"
	"        }\n"
	"      ]";
static const char s_paint[] = "\"oneOf\": [\n"
							  "        { \"const\": false },\n"
							  "        {\n"
							  "          \"type\": \"object\",\n"
							  "          \"properties\": {\n"
							  "            \"stiffness\": { \"$ref\": \"#/$defs/paint\" },\n"
							  "            \"density\": { \"$ref\": \"#/$defs/paint\" },\n"
							  "            \"pin\": { \"type\": \"object\", \"properties\": { \"channel\": "
							  "{ \"$ref\": \"#/$defs/channel\" } }, \"additionalProperties\": false }\n"
							  "          },\n"
							  "          \"additionalProperties\": false\n"
							  "        }\n"
							  "      ]";
static const char s_regions[] =
	"\"type\": \"array\", \"maxItems\": 4096,\n"
	"      \"items\": {\n"
	"        \"type\": \"object\", \"required\": [\"material\"],\n"
	"        \"properties\": {\n"
	"          \"material\": { \"type\": \"string\" },\n"
	"          \"blend\": { \"description\": \"Width of the transition [m].\", \"type\": \"number\", "
	"\"minimum\": 0 },\n"
	"          \"box\": { \"$ref\": \"#/$defs/box\" },\n"
	"          \"sphere\": { \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": 4, "
	"\"maxItems\": 4 },\n"
	"          \"tets\": { \"type\": \"array\", \"items\": { \"type\": \"integer\" }, \"minItems\": 2, "
	"\"maxItems\": 2 },\n"
	"          \"cage_region\": { \"type\": \"integer\", \"minimum\": 1 },\n"
	"          \"art_material\": { \"type\": \"string\" },\n"
	"          \"art_group\": { \"type\": \"string\" }\n"
	"        },\n"
	"        \"additionalProperties\": false\n"
	"      }";

// What these refer to.
static const char s_defs[] =
	"    \"channel\": {\n"
	"      \"description\": \"A channel of COLOR_0, or an attribute of the vertices.\",\n"
	"      \"type\": \"string\", \"pattern\": \"^(color\\\\.[rgba]|_[^:]{0,62})$\"\n"
	"    },\n"
	"    \"paint\": {\n"
	"      \"description\": \"Paint from 0 to 1 means low to high; without these it is the value itself.\",\n"
	"      \"type\": \"object\",\n"
	"      \"properties\": {\n"
	"        \"channel\": { \"$ref\": \"#/$defs/channel\" },\n"
	"        \"low\": { \"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": 1e15 },\n"
	"        \"high\": { \"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": 1e15 },\n"
	"        \"log\": { \"description\": \"Equal ratios instead of equal steps.\", \"type\": \"boolean\" }\n"
	"      },\n"
	"      \"dependentRequired\": { \"low\": [\"high\"], \"high\": [\"low\"], \"log\": [\"low\"] },\n"
	"      \"additionalProperties\": false\n"
	"    },\n"
	"    \"attachment\": {\n"
	"      \"type\": \"object\", \"required\": [\"position\"],\n"
	"      \"properties\": {\n"
	"        \"position\": { \"$ref\": \"#/$defs/vector\" },\n"
	"        \"rotation\": {\n"
	"          \"description\": \"Quaternion x, y, z, w: from the axes of the point to those of the art.\",\n"
	"          \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": 4, \"maxItems\": 4\n"
	"        },\n"
	"        \"normal\": { \"description\": \"Where its y axis points, of any length.\", \"$ref\": "
	"\"#/$defs/vector\" },\n"
	"        \"tangent\": { \"description\": \"Where its z axis points, as nearly as the normal allows.\", "
	"\"$ref\": \"#/$defs/vector\" },\n"
	"        \"radius\": { \"description\": \"How much of the body belongs to it [m].\", \"type\": "
	"\"number\", \"minimum\": 0, \"maximum\": 1e9 }\n"
	"      },\n"
	"      \"not\": { \"required\": [\"rotation\", \"normal\"] },\n"
	"      \"dependentRequired\": { \"tangent\": [\"normal\"] },\n"
	"      \"additionalProperties\": false\n"
	"    },\n"
	"    \"vector\": {\n"
	"      \"description\": \"x, y, z [m], after the scale.\",\n"
	"      \"type\": \"array\", \"items\": { \"type\": \"number\", \"minimum\": -1e9, \"maximum\": 1e9 }, "
	"\"minItems\": 3, \"maxItems\": 3\n"
	"    },\n"
	"    \"box\": {\n"
	"      \"description\": \"x0, y0, z0, x1, y1, z1 [m], after the scale.\",\n"
	"      \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": 6, \"maxItems\": 6\n"
	"    }\n";

// "a|b" or "a b" as "enum": ["a", "b"]
static void PrintEnum( FILE* stream, const char* words )
{
	fputs( "\"enum\": [", stream );
	for ( const char* p = words; *p != 0; p += p[0] != 0 )
	{
		size_t length = strcspn( p, "| " );
		fprintf( stream, "%s\"%.*s\"", p > words ? ", " : "", (int)length, p );
		p += length;
	}
	fputs( "]", stream );
}

static void PrintNumber( FILE* stream, const gelSetting* s )
{
	if ( s->min == GEL_ABOVE_ZERO )
		fprintf( stream, "\"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": %.10g", s->max );
	else
		fprintf( stream, "\"type\": \"number\", \"minimum\": %.10g, \"maximum\": %.10g", s->min, s->max );
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
		const char* key = gelGetRecipeKey( gelSettings + i );
		fprintf( stream, "%s%s\"%s\": { \"$ref\": \"#/$defs/%s\" }", isFirst ? "" : ",\n", indent, key, key );
		isFirst = false;
	}
}

static void PrintMaterials( FILE* stream )
{
	fprintf( stream,
		"\"type\": \"object\", \"propertyNames\": { \"maxLength\": %.0f },\n"
		"      \"additionalProperties\": {\n"
		"        \"type\": \"object\",\n"
		"        \"properties\": {\n",
		gelFindSetting( "material" )->max );
	PrintShared( stream, "          " );
	fputs( "\n        },\n        \"additionalProperties\": false\n      }", stream );
}

static void PrintParticles( FILE* stream, const gelSetting* s )
{
	fputs( "\"type\": \"object\", \"properties\": { \"kind\": { ", stream );
	PrintEnum( stream, s->choices );
	fprintf( stream, " }, \"count\": { \"type\": \"integer\", \"minimum\": %.0f, \"maximum\": %.0f } },\n",
		s->min, s->max );
	fputs( "      \"additionalProperties\": false", stream );
}

static void PrintType( FILE* stream, const gelSetting* s )
{
	// of kinds that have no numbers
	static const char* const types[] = { [gel_settingFlag] = "\"type\": \"boolean\"",
		[gel_settingFile] = "\"type\": \"string\", \"minLength\": 1",
		[gel_settingBoxes] = s_boxes,
		[gel_settingPoints] = s_points,
		[gel_settingPaint] = s_paint,
		[gel_settingRegions] = s_regions };
	switch ( s->kind )
	{
		case gel_settingCount:
			fprintf(
				stream, "\"type\": \"integer\", \"minimum\": %.10g, \"maximum\": %.10g", s->min, s->max );
			break;
		case gel_settingReal:
			PrintNumber( stream, s );
			break;
		case gel_settingText:
			fprintf( stream, "\"type\": \"string\", \"minLength\": 1, \"maxLength\": %.0f", s->max );
			break;
		case gel_settingChoice:
		case gel_settingCollision:
			PrintEnum( stream, s->choices );
			break;
		case gel_settingPreset:
			PrintEnum( stream, GEL_MATERIAL_PRESET_NAMES );
			break;
		case gel_settingLevels:
			fprintf( stream, s_levels, GEL_PACK_MAX_LEVELS, s->min, s->max );
			break;
		case gel_settingSteps:
			fprintf( stream, s_steps, s->min, s->max );
			break;
		case gel_settingParticles:
			PrintParticles( stream, s );
			break;
		default:
			GEL_TOOL_ASSERT( types[s->kind] != NULL );
			fputs( types[s->kind], stream );
			break;
	}
}

static void PrintRow( FILE* stream, const gelSetting* s, const char* indent )
{
	fprintf( stream, "%s\"%s\": { ", indent, gelGetRecipeKey( s ) );
	if ( s->about != NULL ) fprintf( stream, "\"description\": \"%s\", ", s->about );
	if ( strcmp( s->recipe, "materials" ) == 0 )
		PrintMaterials( stream );
	else
		PrintType( stream, s );
	fputs( " }", stream );
}

// A row that has a rival in its group excludes it.
static void PrintGroup( FILE* stream, const char* group )
{
	const gelSetting* excluded = NULL;
	bool isFirst = true;
	fprintf( stream, "    \"%s\": {\n      \"type\": \"object\",\n      \"properties\": {\n", group );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* s = gelSettings + i;
		if ( !gelIsInRecipeGroup( s, group ) ) continue;
		if ( !isFirst ) fputs( ",\n", stream );
		isFirst = false;
		if ( s->rival != NULL ) excluded = s;
		if ( IsShared( s ) )
			fprintf( stream, "        \"%s\": { \"$ref\": \"#/$defs/%s\" }", gelGetRecipeKey( s ),
				gelGetRecipeKey( s ) );
		else
			PrintRow( stream, s, "        " );
	}
	fputs( "\n      },\n", stream );
	if ( excluded != NULL )
		fprintf( stream, "      \"not\": { \"required\": [\"%s\", \"%s\"] },\n",
			gelGetRecipeKey( gelFindSetting( excluded->rival ) ), gelGetRecipeKey( excluded ) );
	fputs( "      \"additionalProperties\": false\n    }", stream );
}

void gelPrintRecipeSchema( FILE* stream )
{
	fputs( "{\n"
		   "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		   "  \"title\": \"Gelpack recipe\",\n"
		   "  \"description\": \"Settings of a body for gel-bake --recipe FILE. What the command line says "
		   "wins.\",\n"
		   "  \"type\": \"object\",\n"
		   "  \"properties\": {\n"
		   "    \"$schema\": { \"description\": \"For editors.\", \"type\": \"string\" }",
		stream );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		char group[64];
		const gelSetting* s = gelSettings + i;
		bool isGroup = s->recipe != NULL && gelIsFirstOfRecipeGroup( s, group );
		if ( !isGroup && !gelIsInRecipeGroup( s, NULL ) ) continue;
		fputs( ",\n", stream );
		if ( isGroup )
			PrintGroup( stream, group );
		else
			PrintRow( stream, s, "    " );
	}
	fputs( "\n  },\n  \"additionalProperties\": false,\n  \"$defs\": {\n", stream );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		if ( !IsShared( gelSettings + i ) ) continue;
		PrintRow( stream, gelSettings + i, "    " );
		fputs( ",\n", stream );
	}
	fprintf( stream, "%s  }\n}\n", s_defs );
}
