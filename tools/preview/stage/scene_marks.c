// SPDX-License-Identifier: MIT
#include "preview/stage/scene_marks.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

void gelMarkContacts( gelMarks* marks, const gelContactMark* contacts, int count, float size )
{
	GEL_ASSERT( count == 0 || contacts != NULL );
	for ( int i = 0; i < count; ++i )
	{
		gelMarks_AddCross( marks, contacts[i].place, 0.3f * size );
		gelMarks_AddLine(
			marks, contacts[i].place, gelAdd( contacts[i].place, gelScale( size, contacts[i].normal ) ) );
	}
}

void gelMarkHandles( gelMarks* marks, const gelScene* scene, double time, float size )
{
	for ( int i = 0; i < scene->def.handleCount; ++i )
	{
		const gelHandle* handle = scene->handles + i;
		const gelHandleDef* def = scene->def.handles + i;
		if ( time > (double)def->release ) continue;
		gelVec3 middle = gelHandle_Pose( handle, def, (float)time ).position;
		gelBodyId body = scene->bodies[def->body];
		for ( int k = 0; k < handle->pointCount; ++k )
		{
			gelEmbeddedPoint point = gelAsset_GetNodePoint( gelBody_GetAsset( body ), handle->nodes[k] );
			gelVec3 place = middle;
			gelBody_GetPointPosition( body, &point, &place );
			gelMarks_AddCross( marks, place, 0.5f * size );
			gelMarks_AddLine( marks, place, middle );
		}
	}
}
