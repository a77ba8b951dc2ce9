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
