// SPDX-License-Identifier: MIT
// A handle holds a region of a body by a few points on one frame, which moves as its motion says. Regions are
// parts of the box of the cage, from 0 to 1, so that a scene fits any pack.
#include "preview/scene/scene_handles.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdlib.h>

// Nodes whose rest place is inside of the region. free() the result; NULL: out of memory.
static int* FindNodes( const gelAsset* asset, gelAabb region, int* outCount )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelVec3* rest = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( gelVec3 ) );
	int* nodes = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( int ) );
	if ( rest == NULL || nodes == NULL )
	{
		free( rest );
		free( nodes );
		return NULL;
	}
	gelAsset_GetRestNodes( asset, rest, info.nodeCount );
	gelAabb box =
		gelAabb_Empty(); // box of the cage: the art's is smaller, and its outermost slice may hold no node
	for ( int i = 0; i < info.nodeCount; ++i )
		box = gelAabb_Add( box, rest[i] );
	gelVec3 size = gelSub( box.max, box.min );
	*outCount = 0;
	for ( int i = 0; i < info.nodeCount; ++i )
	{
		gelVec3 d = gelSub( rest[i], box.min );
		gelVec3 u = { d.x / fmaxf( size.x, 1e-9f ), d.y / fmaxf( size.y, 1e-9f ),
			d.z / fmaxf( size.z, 1e-9f ) };
		bool inside = u.x >= region.min.x && u.x <= region.max.x && u.y >= region.min.y &&
			u.y <= region.max.y && u.z >= region.min.z && u.z <= region.max.z;
		if ( inside ) nodes[( *outCount )++] = i;
	}
	free( rest );
	return nodes;
}

// Thins nodes out to a few that are far from each other: each next one is the farthest from all before
// (Gonzalez 1985). Sorts the chosen ones to the front.
static int SpreadOut( int* nodes, int count, const gelVec3* positions, int wanted )
{
	GEL_ASSERT( wanted > 0 );
	if ( count <= wanted ) return count;
	for ( int chosen = 1; chosen < wanted; ++chosen )
	{
		int best = chosen;
		float bestDistance = -1.0f;
		for ( int i = chosen; i < count; ++i )
		{
			float nearest = INFINITY;
			for ( int k = 0; k < chosen; ++k )
			{
				gelVec3 d = gelSub( positions[nodes[i]], positions[nodes[k]] );
				nearest = fminf( nearest, gelDot( d, d ) );
			}
			if ( nearest <= bestDistance ) continue;
			best = i;
			bestDistance = nearest;
		}
		int swap = nodes[chosen];
		nodes[chosen] = nodes[best];
		nodes[best] = swap;
	}
	return wanted;
}

static gelResult HangPoints(
	gelHandle* handle, const gelHandleDef* def, gelBodyId body, const int* nodes, const gelVec3* positions )
{
	gelFrameDef frame = gelDefaultFrameDef();
	frame.transform.position = handle->start;
	gelResult result = gelCreateFrame( body, &frame, &handle->frame );
	for ( int i = 0; i < handle->pointCount && result == gel_success; ++i )
	{
		gelConstraintDef constraint = gelDefaultConstraintDef();
		constraint.kind = def->kind == gel_handlePress ? gel_constraintPlane : gel_constraintPoint;
		constraint.point = gelAsset_GetNodePoint( gelBody_GetAsset( body ), nodes[i] );
		constraint.frame = handle->frame;
		// In the frame of the handle [m]: the points keep their places to each other.
		constraint.target = gelSub( positions[nodes[i]], handle->start );
		gelConstraintId id;
		result = gelCreateConstraint( body, &constraint, &id );
	}
	return result;
}

gelResult gelCreateHandle( gelHandle* handle, const gelHandleDef* def, gelBodyId body )
{
	*handle = ( gelHandle ){ 0 };
	const gelAsset* asset = gelBody_GetAsset( body );
	int nodeCount = gelAsset_GetInfo( asset ).nodeCount, count = 0;
	int* nodes = FindNodes( asset, def->region, &count );
	gelVec3* positions = malloc( ( (size_t)nodeCount + 1 ) * sizeof( gelVec3 ) );
	gelResult result = nodes != NULL && positions != NULL ? gel_success : gel_errorMemory;
	if ( result == gel_success && count == 0 ) result = gel_errorArgument;
	if ( result == gel_success )
	{
		gelBody_GetNodePositions( body, positions, nodeCount );
		handle->pointCount = SpreadOut( nodes, count, positions, GEL_HANDLE_POINTS );
		for ( int i = 0; i < handle->pointCount; ++i )
		{
			handle->nodes[i] = nodes[i];
			handle->start =
				gelAdd( handle->start, gelScale( 1.0f / (float)handle->pointCount, positions[nodes[i]] ) );
		}
		result = HangPoints( handle, def, body, nodes, positions );
	}
	free( nodes );
	free( positions );
	return result;
}

gelTransform gelHandle_Pose( const gelHandle* handle, const gelHandleDef* def, float time )
{
	gelMotionKey key = gelMotion_At( &def->motion, time );
	float angle = sqrtf( gelDot( key.rotation, key.rotation ) );
	return ( gelTransform ){ gelAdd( handle->start, key.position ),
		gelMakeQuatFromAxisAngle( gelNormalize( key.rotation ), angle ) };
}

gelResult gelHandle_MoveTo( gelHandle* handle, const gelHandleDef* def, float time )
{
	GEL_ASSERT( time >= 0.0f );
	if ( handle->released ) return gel_success;
	if ( time > def->release )
	{
		gelDestroyFrame( handle->frame );
		handle->released = true;
		return gel_success;
	}
	if ( def->motion.keyCount == 0 ) return gel_success;
	gelTransform pose = gelHandle_Pose( handle, def, time );
	return gelFrame_SetTransform( handle->frame, pose );
}
