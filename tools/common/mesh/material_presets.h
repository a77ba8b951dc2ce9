// SPDX-License-Identifier: MIT
// Materials by name, in real units.
#pragma once

typedef struct gelMaterialPreset
{
	const char* name;
	double young; // [Pa]
	double poisson;
	double density; // [kg/m^3]
} gelMaterialPreset;

#define GEL_MATERIAL_PRESETS 6

/// jelly, flesh, rubber, tyre, sponge, foam. NULL: there is no such number.
const gelMaterialPreset* gelGetMaterialPreset( int index );

/// By its name; NULL: there is none.
const gelMaterialPreset* gelFindMaterialPreset( const char* name );

/// All names, separated by blanks.
#define GEL_MATERIAL_PRESET_NAMES "jelly flesh rubber tyre sponge foam"
