// SPDX-License-Identifier: MIT
#include "bake/gates/runtime_bytes.h"

#include <gelpack/asserts.h>

bool gelMeasureRuntimeBytes( const gelAsset* asset, gelRuntimeBytes* out )
{
	GEL_ASSERT( asset != NULL && out != NULL );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.enableContact = true;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return false;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset;
	gelBodyId body;
	bool ok = gelCreateBody( world, &bodyDef, &body ) == gel_success;
	if ( ok )
	{
		gelWorldMemory memory = gelWorld_GetMemory( world );
		*out = ( gelRuntimeBytes ){ .body = gelBody_GetBytes( body ),
			.asset = gelAsset_GetInfo( asset ).derivedBytes,
			.world = memory.total - memory.bodies };
	}
	gelDestroyWorld( world );
	return ok;
}
