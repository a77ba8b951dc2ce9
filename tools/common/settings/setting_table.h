// SPDX-License-Identifier: MIT
// The settings of a bake, one row each. Everything that knows a setting by a name goes through these rows:
//
//   command line, --help    bake/command/bake_options.c        cache key    the same
//   recipe                  bake/settings/recipe.c             its schema   bake/settings/recipe_schema.c
//   extras of the art       bake/settings/recipe_extras.c      META         setting_format.h
//   baking again            preview/app/rebake_options.c
//
// A new setting is a member of gelBakeRequest (or of a struct in it), a row, and the code that uses it.
// tests/checks/settings.sh holds the rows against the documents.
#pragma once

#include "common/settings/bake_settings.h"

/// What a value is: its type in gelBakeRequest, and how it is written.
typedef enum gelSettingKind
{
	gel_settingFlag,      // bool
	gel_settingCount,     // int within [min, max]
	gel_settingReal,      // double within [min, max]
	gel_settingText,      // const char* of at most max bytes; NULL: none
	gel_settingFile,      // const char*: a path; in a recipe relative to that; NULL: none
	gel_settingChoice,    // int: which of the choices
	gel_settingLevels,    // list of int: numbers of tets, each fewer than the one before
	gel_settingSteps,     // list of double: step lengths [s]
	gel_settingBoxes,     // list of gelPinBox
	gel_settingPoints,    // list of gelBakeAttachment, which several sources add to, each name once
	gel_settingPaint,     // gelPaintRules
	gel_settingParticles, // gelParticleSettings: kind and count
	gel_settingPreset,    // recipes only: a name that sets other rows
	gel_settingCollision, // recipes only: a choice that sets other rows
	gel_settingRegions,   // recipes only: what bake/settings/material_file.h reads from the same file
} gelSettingKind;

/// Smallest value of a number that has to be above 0.
#define GEL_ABOVE_ZERO 1e-20

/// Bits of gelSetting.traits.
enum
{
	gel_traitBatch = 1, // stands beside --manifest; the others stand in it
	gel_traitAside =
		2, // no part of a cache key: a file, which counts by its bytes, a limit, or of the process
	gel_traitPhysics = 4, // has no meaning for a body without physics (--static)
	gel_traitFreeRange =
		8, // [min, max] is for recipes; the bake says more about it than the command line could
	gel_traitAlwaysMeta = 16 // in META even where it is the default
};

/// How the preview, which bakes other art as a pack was baked, comes to know the value.
typedef enum gelRebakeSource
{
	gel_rebakeMeta,   // META has it
	gel_rebakeAsset,  // the runtime tells (preview/app/rebake_options.c)
	gel_rebakeChosen, // the user chooses it
	gel_rebakeNot,    // it is not of the pack, or follows from others, or is lost
} gelRebakeSource;

/// A property in the extras of the art that is a setting.
typedef struct gelSettingExtra
{
	const char* name; // NULL: none
	const char* part; // part of the recipe's value that it is; NULL: all of it
} gelSettingExtra;

typedef struct gelSetting
{
	const char* option; // without dashes; NULL: not on the command line
	char letter;        // 0: none
	gelSettingKind kind;
	size_t offset;            // where the value is in gelBakeRequest
	const char* value;        // its name in the help: "FILE"
	double min, max;          // no limits where min >= max
	const char* choices;      // "a|b|c"
	const char* group;        // object of a recipe that it is in; NULL: the recipe itself
	const char* recipe;       // its key there; NULL: not in recipes
	gelSettingExtra extra[2]; // properties of the art
	const char* meta;  // key, or "group.key", in "settings"; NULL: META has it in a form of its own, or not
	const char* about; // description in the schema
	const char* rival; // option that excludes it; the later one of the two complains
	const char* needs; // option without which it has no meaning
	gelRebakeSource rebake;
	unsigned traits;
	const char* help; // says the default: "tets to aim at [500]"
} gelSetting;

extern const gelSetting gelSettings[];
extern const int gelSettingCount;
#define GEL_MAX_SETTINGS 64

/// The row of an option, which must exist.
const gelSetting* gelFindSetting( const char* option );
/// Its place in the table.
int gelGetSettingIndex( const gelSetting* setting );

/// The value of a row.
void* gelGetSettingValue( gelBakeRequest* request, const gelSetting* setting );
/// Whether it is a list, and how large a value, or an item of the list, is.
bool gelIsListSetting( const gelSetting* setting );
size_t gelGetSettingBytes( const gelSetting* setting );
