// SPDX-License-Identifier: MIT
#include "preview/scene/scene_arena.h"

#include <gelpack/asserts.h>

#define GEL_PI 3.14159265f

void gelAddBox( gelSceneColliderDef* out, gelVec3 middle, gelVec3 halfSize )
{
	out->kind = gel_colliderKindBox;
	out->position = middle;
	out->halfSize = halfSize;
}

void gelAddRing( gelSceneColliderDef* out, float inner, float outer, float low, float high )
{
	GEL_ASSERT( inner < outer && low < high );
	float run = outer - inner, rise = high - low;
	float length = sqrtf( run * run + rise * rise );
	float thickness = 0.05f * length;
	// As wide as the upper edge needs, so that walls overlap and leave no gap.
	float width = outer * tanf( GEL_PI / GEL_RING_WALLS ) + thickness;
	for ( int i = 0; i < GEL_RING_WALLS; ++i )
	{
		float angle = 2.0f * GEL_PI * (float)i / GEL_RING_WALLS;
		gelQuat around = gelMakeQuatFromAxisAngle( ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, angle );
		gelQuat lean = gelMakeQuatFromAxisAngle( ( gelVec3 ){ 0.0f, 0.0f, 1.0f }, atan2f( rise, run ) );
		gelQuat rotation = gelMulQuat( around, lean );
		// The inner face goes through both edges; the wall lies behind it.
		gelVec3 face =
			gelRotate( around, ( gelVec3 ){ 0.5f * ( inner + outer ), 0.5f * ( low + high ), 0.0f } );
		gelVec3 inwards = gelRotate( rotation, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );
		gelAddBox( out + i, gelSub( face, gelScale( thickness, inwards ) ),
			( gelVec3 ){ 0.5f * length, thickness, width } );
		out[i].rotation = rotation;
	}
}

void gelAddRamp( gelSceneColliderDef* out, float length, float height, float width )
{
	GEL_ASSERT( length > 0.0f && height > 0.0f && width > 0.0f );
	float slope = sqrtf( length * length + height * height ), thickness = 0.03f * slope;
	gelQuat lean = gelMakeQuatFromAxisAngle( ( gelVec3 ){ 0.0f, 0.0f, 1.0f }, -atan2f( height, length ) );
	gelVec3 up = gelRotate( lean, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );
	gelVec3 middle = { 0.0f, 0.5f * height, 0.0f };
	gelAddBox( out, gelSub( middle, gelScale( thickness, up ) ),
		( gelVec3 ){ 0.5f * slope, thickness, 0.5f * width } );
	out->rotation = lean;
	for ( int i = 1; i < GEL_RAMP_PARTS; ++i )
	{
		float rail = 0.35f * thickness; // half of its width
		gelVec3 edge = { 0.0f, 0.0f, ( i == 1 ? -1.0f : 1.0f ) * ( 0.5f * width + rail ) };
		gelAddBox( out + i, gelAdd( middle, edge ), ( gelVec3 ){ 0.5f * slope, 2.0f * thickness, rail } );
		out[i].rotation = lean;
	}
}
