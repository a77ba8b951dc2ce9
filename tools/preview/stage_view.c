// SPDX-License-Identifier: MIT
#include "stage_view.h"

#include <stdlib.h>
#include <string.h>

// Packs carry no colors; neighbours in this list differ in hue, and none is as dark as a shadow.
static const uint32_t palette[] = { 0xF0674F, 0x2BA8A2, 0xF3AE35, 0x8A72DC, 0x79B63B, 0x3F93E0, 0xE86BA3,
	0xB98B5E };

gelColor gelBodyColor( int body )
{
	return gelColorFromHex( palette[(size_t)body % ( sizeof( palette ) / sizeof( palette[0] ) )] );
}

static bool AddSurface( gelStageView* view, int body )
{
	const gelAsset* asset = gelBody_GetAsset( view->scene->bodies[body] );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelColor color = gelBodyColor( body );
	view->vertexCapacity = info.vertexCount > view->vertexCapacity ? info.vertexCount : view->vertexCapacity;
	// Light gets through ears and limbs but not through a trunk.
	float depth = fmaxf( 0.2f * gelAabb_Radius( info.restBounds ), 1e-6f );
	view->surfaces[body] = gelRenderer_AddSurface(
		view->renderer, gelAsset_GetTriangles( asset ), info.triangleCount, info.vertexCount, color, depth );
	if ( view->surfaces[body] < 0 ) return false;
	gelRenderer_SetSurfaceClosed( view->renderer, view->surfaces[body], info.hasClosedSurface );
	return true;
}

// Surfaces and overlays of all bodies. False: a finding was added.
static bool AddBodies( gelStageView* view, const gelOverlaySettings* overlay, gelFindings* findings )
{
	int count = view->scene->bodyCount;
	view->surfaces = malloc( ( (size_t)count + 1 ) * sizeof( int ) );
	view->overlays = calloc( (size_t)count + 1, sizeof( gelOverlay ) );
	bool ok = view->surfaces != NULL && view->overlays != NULL;
	for ( int i = 0; ok && i < count; ++i )
	{
		view->surfaces[i] = -1;
		ok = gelOverlay_ReplacesArt( overlay ) || AddSurface( view, i );
	}
	if ( ok )
	{
		view->positions = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		view->normals = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		ok = view->positions != NULL && view->normals != NULL;
	}
	if ( !ok )
	{
		gelFindings_Add( findings, gel_finding3, NULL, "out of memory for the surfaces of %d bodies", count );
		return false;
	}
	for ( ; view->overlayCount < count; ++view->overlayCount )
	{
		int i = view->overlayCount;
		if ( !gelCreateOverlay(
				 view->overlays + i, overlay, view->scene->bodies[i], view->renderer, findings ) )
			return false;
	}
	return true;
}

bool gelCreateStageView( gelStageView* view, gelRenderer* renderer, gelScene* scene,
	const gelOverlaySettings* overlay, gelFindings* findings )
{
	*view = ( gelStageView ){ .scene = scene, .renderer = renderer };
	gelRenderer_Clear( renderer );
	if ( AddBodies( view, overlay, findings ) ) return true;
	gelDestroyStageView( view );
	return false;
}

gelRenderer* gelMakeRenderer( gelRenderQuality quality, gelFindings* findings )
{
	char error[160] = "";
	gelRenderer* renderer = gelCreateRenderer( quality, error, sizeof( error ) );
	if ( renderer == NULL )
		gelFindings_Add( findings, gel_finding707, NULL, "the renderer cannot start: %s", error );
	return renderer;
}

void gelDestroyStageView( gelStageView* view )
{
	for ( int i = 0; i < view->overlayCount; ++i )
		gelDestroyOverlay( view->overlays + i );
	free( view->overlays );
	free( view->surfaces );
	free( view->positions );
	free( view->normals );
	memset( view, 0, sizeof( *view ) );
}

void gelStageView_Update( gelStageView* view )
{
	for ( int i = 0; i < view->scene->bodyCount; ++i )
	{
		gelBodyId body = view->scene->bodies[i];
		if ( view->surfaces[i] >= 0 )
		{
			gelBody_GetPositions( body, view->positions, view->vertexCapacity );
			gelBody_GetNormals( body, view->normals, view->vertexCapacity );
			gelRenderer_SetSurface( view->renderer, view->surfaces[i], view->positions, view->normals );
		}
		gelOverlay_Update( view->overlays + i, body, view->renderer );
	}
}
