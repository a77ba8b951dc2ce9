// SPDX-License-Identifier: MIT
// Values of settings written down: in META by the bake, and as options of gel-bake by the preview, which
// reads META and the pack to bake other art in the same way.
#pragma once

#include "common/settings/setting_table.h"

#include <jansson.h>
#include <stdio.h>

/// "settings" of META as far as the rows say it: what is always there, and what is not as it is by default,
/// so that packs without a new setting keep their bytes. The caller owns the reference.
json_t* gelMakeSettingsMeta( const gelBakeSettings* settings );

#define GEL_SETTING_TEXT_BYTES 320

/// A value as on the command line; numbers with the nine digits that a float needs. "" for a flag.
/// @param value of the row's type, an item where that is a list
void gelFormatSetting( const gelSetting* setting, const void* value, char out[GEL_SETTING_TEXT_BYTES] );

/// The same for a value of META. False: it has none, or none of the row's type.
/// @param settings as gelMakeSettingsMeta makes it
bool gelFormatMetaSetting(
	const gelSetting* setting, const json_t* settings, char out[GEL_SETTING_TEXT_BYTES] );

/// The table, a line for each row with tabs between: option, key of recipes, properties of the art, key of
/// META, source of the preview (meta, asset, chosen, not); "-" for what is not there.
void gelPrintSettings( FILE* stream );
