// SPDX-License-Identifier: MIT
// Values of settings as they are written on the command line, where they are more than a number or a text.
#pragma once

#include "bake/settings/asked_settings.h"
#include "common/program/options.h"

/// Whether the words of an option are kept as texts (gelOption: a list) and read by gelParseSetting.
bool gelIsTextSetting( const gelSetting* setting );

/// Reads the texts of an option into its value. "none" says no to what a recipe has. False: a finding was
/// added.
bool gelParseSetting(
	const gelSetting* setting, const gelStringList* texts, gelAskedSettings* asked, gelFindings* findings );

/// Parses "X0,Y0,Z0,X1,Y1,Z1"; the corners may come in any order.
bool gelParsePinBox( const char* text, gelPinBox* out );
