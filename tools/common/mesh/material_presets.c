// SPDX-License-Identifier: MIT
#include "common/mesh/material_presets.h"

#include <string.h>

// Orders of magnitude for small strains: gelatin of 5 to 10 % in water, relaxed muscle with fat, soft natural
// rubber, the tread of a tyre, a kitchen sponge, packaging foam of polyethylene. Nearly incompressible ones
// stay below a Poisson's ratio of 0.48, which linear tets can follow.
static const gelMaterialPreset presets[GEL_MATERIAL_PRESETS] = {
	{ "jelly", 5e3, 0.46, 1000.0 },
	{ "flesh", 2e4, 0.45, 1050.0 },
	{ "rubber", 1e6, 0.47, 1100.0 },
	{ "tyre", 6e6, 0.47, 1150.0 },
	{ "sponge", 2e4, 0.10, 100.0 },
	{ "foam", 3e5, 0.10, 35.0 },
};

const gelMaterialPreset* gelGetMaterialPreset( int index )
{
	return index >= 0 && index < GEL_MATERIAL_PRESETS ? presets + index : NULL;
}

const gelMaterialPreset* gelFindMaterialPreset( const char* name )
{
	for ( int i = 0; i < GEL_MATERIAL_PRESETS && name != NULL; ++i )
	{
		if ( strcmp( presets[i].name, name ) == 0 ) return presets + i;
	}
	return NULL;
}
