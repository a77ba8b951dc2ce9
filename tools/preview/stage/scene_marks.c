// SPDX-License-Identifier: MIT
#include "preview/stage/scene_marks.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdlib.h>

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

// ---- curves ------------------------------------------------------------------------------------------

static bool MayCross( gelAabb a, gelAabb b )
{
	return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
		a.min.z <= b.max.z && b.min.z <= a.max.z;
}

static bool MarkPair( gelMarks* marks, gelBodyId a, gelBodyId b )
{
	int count = gelBody_GetIntersectionCurves( a, b, NULL, 0 );
	if ( count == 0 ) return true;
	gelCurveSegment* segments = malloc( (size_t)count * sizeof( gelCurveSegment ) );
	if ( segments == NULL ) return false;
	gelBody_GetIntersectionCurves( a, b, segments, count );
	for ( int i = 0; i < count; ++i )
		gelMarks_AddLine( marks, segments[i].from, segments[i].to );
	free( segments );
	return true;
}

bool gelMarkCurves( gelMarks* marks, const gelScene* scene )
{
	bool ok = true;
	for ( int i = 0; ok && i < scene->bodyCount; ++i )
	{
		gelAabb box = gelBody_GetBounds( scene->bodies[i] );
		for ( int k = i + 1; ok && k < scene->bodyCount; ++k )
		{
			if ( MayCross( box, gelBody_GetBounds( scene->bodies[k] ) ) )
				ok = MarkPair( marks, scene->bodies[i], scene->bodies[k] );
		}
	}
	return ok;
}

// ---- handles -----------------------------------------------------------------------------------------

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

// ---- attachment points -------------------------------------------------------------------------------

int gelCountAttachmentMarks( const gelScene* scene )
{
	int count = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
		count += 3 * gelAsset_GetAttachmentCount( gelBody_GetAsset( scene->bodies[i] ) );
	return count > 0 ? count : 1;
}

void gelMarkAttachments( gelMarks* marks, const gelScene* scene, float size )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		int count = gelAsset_GetAttachmentCount( gelBody_GetAsset( scene->bodies[i] ) );
		for ( int k = 0; k < count; ++k )
		{
			gelTransform pose;
			if ( gelBody_GetAttachmentTransform( scene->bodies[i], k, &pose ) != gel_success ) continue;
			const gelVec3 axes[3] = { { size, 0.0f, 0.0f }, { 0.0f, 3.0f * size, 0.0f },
				{ 0.0f, 0.0f, 2.0f * size } };
			for ( int axis = 0; axis < 3; ++axis )
				gelMarks_AddLine( marks, pose.position, gelTransformPoint( pose, axes[axis] ) );
		}
	}
}
