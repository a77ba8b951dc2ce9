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

// Grey, so that bodies stand out.
#define GEL_COLLIDER_COLOR 0xA9B4BF

static bool AddColliders( gelStageView* view, gelFindings* findings )
{
	const gelSceneDef* def = &view->scene->def;
	view->colliderSurfaces = calloc( (size_t)def->colliderCount + 1, sizeof( int ) );
	view->colliderMeshes = calloc( (size_t)def->colliderCount + 1, sizeof( gelColliderMesh ) );
	bool ok = view->colliderSurfaces != NULL && view->colliderMeshes != NULL;
	for ( int i = 0; ok && i < def->colliderCount; ++i )
	{
		gelColliderMesh* mesh = view->colliderMeshes + i;
		ok = gelMakeColliderMesh( mesh, def->colliders + i );
		if ( !ok ) break;
		view->colliderSurfaces[i] = gelRenderer_AddSurface( view->renderer, mesh->triangles,
			mesh->triangleCount, mesh->vertexCount, gelColorFromHex( GEL_COLLIDER_COLOR ), 1e-6f );
		gelRenderer_SetSurfaceClosed( view->renderer, view->colliderSurfaces[i], true );
		if ( mesh->vertexCount > view->vertexCapacity ) view->vertexCapacity = mesh->vertexCount;
	}
	if ( !ok )
		gelFindings_Add( findings, gel_finding3, NULL, "out of memory for %d colliders", def->colliderCount );
	return ok;
}

static void UpdateColliders( gelStageView* view, float time )
{
	for ( int i = 0; i < view->scene->def.colliderCount; ++i )
	{
		gelFramePose pose = gelSceneCollider_Pose( view->scene->def.colliders + i, time );
		const gelColliderMesh* mesh = view->colliderMeshes + i;
		for ( int k = 0; k < mesh->vertexCount; ++k )
		{
			view->positions[k] = gelPvAdd( pose.position, gelPvRotate( pose.rotation, mesh->positions[k] ) );
			view->normals[k] = gelPvRotate( pose.rotation, mesh->normals[k] );
		}
		gelRenderer_SetSurface( view->renderer, view->colliderSurfaces[i], view->positions, view->normals );
	}
}

// ---- marks -------------------------------------------------------------------------------------------

#define GEL_CONTACT_COLOR 0x00582B
#define GEL_POINTER_COLOR 0xB0105A

static bool AddMarks( gelStageView* view, const gelOverlaySettings* overlay, gelFindings* findings )
{
	bool showContacts = overlay->kind == gel_overlayContacts;
	view->markSize = 0.05f * fmaxf( gelAabb_Radius( gelScene_Bounds( view->scene ) ), 1e-4f );
	bool ok = gelCreateMarks( &view->pointer, view->renderer, 4 * 20, GEL_POINTER_COLOR );
	ok = ok &&
		gelCreateMarks( &view->contacts, view->renderer, showContacts ? 4 * GEL_MAX_CONTACT_MARKS : 1,
			GEL_CONTACT_COLOR );
	if ( !ok ) gelFindings_Add( findings, gel_finding3, NULL, "out of memory for marks" );
	return ok;
}

void gelStageView_ShowContacts( gelStageView* view, const gelContactMark* contacts, int count )
{
	gelMarks_Clear( &view->contacts );
	if ( view->contacts.capacity == 1 ) return;
	for ( int i = 0; i < count; ++i )
	{
		gelMarks_AddCross( &view->contacts, contacts[i].place, 0.3f * view->markSize );
		gelMarks_AddLine( &view->contacts, contacts[i].place,
			gelPvAdd( contacts[i].place, gelPvScale( view->markSize, contacts[i].normal ) ) );
	}
	gelMarks_Show( &view->contacts, view->renderer );
}

bool gelCreateStageView( gelStageView* view, gelRenderer* renderer, gelScene* scene,
	const gelOverlaySettings* overlay, gelFindings* findings )
{
	*view =
		( gelStageView ){ .scene = scene, .renderer = renderer, .colliderCount = scene->def.colliderCount };
	gelRenderer_Clear( renderer );
	if ( AddColliders( view, findings ) && AddBodies( view, overlay, findings ) &&
		AddMarks( view, overlay, findings ) )
		return true;
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
	gelDestroyMarks( &view->contacts );
	gelDestroyMarks( &view->pointer );
	for ( int i = 0; view->colliderMeshes != NULL && i < view->colliderCount; ++i )
		gelFreeColliderMesh( view->colliderMeshes + i );
	free( view->colliderMeshes );
	free( view->colliderSurfaces );
	free( view->overlays );
	free( view->surfaces );
	free( view->positions );
	free( view->normals );
	memset( view, 0, sizeof( *view ) );
}

void gelStageView_Update( gelStageView* view, double time )
{
	UpdateColliders( view, (float)time );
	for ( int i = 0; i < view->scene->bodyCount; ++i )
	{
		gelBodyId body = view->scene->bodies[i];
		if ( view->surfaces[i] >= 0 )
		{
			gelBody_GetPositions( body, view->positions, view->vertexCapacity );
			gelBody_GetNormals( body, view->normals, view->vertexCapacity );
			gelRenderer_SetSurface( view->renderer, view->surfaces[i], view->positions, view->normals );
		}
		gelOverlay_Update( view->overlays + i, body, view->surfaces[i], view->renderer );
	}
}
