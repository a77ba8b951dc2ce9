// SPDX-License-Identifier: MIT
// What of a scene the renderer shows: a surface for each body (one for each material of its art), one for
// each collider, marks and overlays. It is made anew with the scene; each picture only hands over positions
// and colors.
#include "preview/stage/stage_view.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Grey, so that bodies stand out.
#define GEL_COLLIDER_COLOR 0xA9B4BF

gelColor gelBodyColor( int body )
{
	return gelColorFromHex( gelGetBodyHex( body ) );
}

// Light gets through ears and limbs but not through a trunk.
static float LightDepth( const gelAsset* asset )
{
	return fmaxf( 0.2f * gelAabb_Radius( gelAsset_GetInfo( asset ).restBounds ), 1e-6f );
}

static int AddOneSurface( gelStageView* view, int body, gelColor color )
{
	GEL_ASSERT( body >= 0 && body < view->scene->bodyCount );
	const gelAsset* asset = gelBody_GetAsset( view->scene->bodies[body] );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	int surface = gelRenderer_AddSurface( view->renderer, gelAsset_GetTriangles( asset ), info.triangleCount,
		info.vertexCount, color, LightDepth( asset ) );
	view->surfaceCounts[body] = 1;
	if ( surface >= 0 ) gelRenderer_SetSurfaceClosed( view->renderer, surface, info.hasClosedSurface );
	return surface;
}

// Whether an artist chose colors anywhere: then white is meant where it stands.
static bool HasChosenColors( const gelArtLook* look )
{
	for ( uint32_t m = 0; m < look->mesh.materialCount; ++m )
	{
		const float* c = look->mesh.materials[m].baseColor;
		if ( c[0] < 1.0f || c[1] < 1.0f || c[2] < 1.0f ) return true;
		if ( look->textures != NULL && look->textures[m].isWanted ) return true;
	}
	return look->mesh.colors != NULL;
}

gelColor gelMaterialColor( const gelArtLook* look, uint32_t material, int body )
{
	const gelColor white = { 1.0f, 1.0f, 1.0f };
	bool hasColors = look->mesh.colors != NULL;
	if ( material == GEL_NO_INDEX ) return hasColors ? white : gelBodyColor( body );
	const float* c = look->mesh.materials[material].baseColor;
	bool isWhite = c[0] >= 1.0f && c[1] >= 1.0f && c[2] >= 1.0f;
	const gelColor neutral = { 0.55f, 0.55f, 0.55f };
	bool hasPicture = look->textures != NULL && look->textures[material].pixels != NULL;
	bool isMissing = look->textures != NULL && look->textures[material].isWanted && !hasPicture;
	if ( isMissing && isWhite && !hasColors ) return neutral;
	// White is what exporters write where an artist chose nothing.
	return isWhite && !hasPicture && !HasChosenColors( look ) ? gelBodyColor( body )
															  : ( gelColor ){ c[0], c[1], c[2] };
}

// Colors of vertices, times that of the material. What there is no memory for is shown in one color.
static void PaintVertices( gelStageView* view, int surface, const gelMesh* mesh, gelColor base )
{
	gelColor* colors = malloc( ( (size_t)mesh->vertexCount + 1 ) * sizeof( gelColor ) );
	if ( colors == NULL ) return;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
	{
		const float* c = mesh->colors + 4 * (size_t)i;
		colors[i] = ( gelColor ){ base.r * c[0], base.g * c[1], base.b * c[2] };
	}
	gelRenderer_SetSurfaceColors( view->renderer, surface, colors );
	free( colors );
}

// One surface for the triangles of one material; all of them share the vertices.
static int AddMaterial(
	gelStageView* view, int body, const gelArtLook* look, uint32_t material, uint32_t* corners )
{
	GEL_ASSERT( body >= 0 );
	const gelMesh* mesh = &look->mesh;
	const gelAsset* asset = gelBody_GetAsset( view->scene->bodies[body] );
	int count = 0;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		if ( mesh->triMaterial[t] != material ) continue;
		memcpy( corners + 3 * (size_t)count++, mesh->indices + 3 * (size_t)t, 3 * sizeof( uint32_t ) );
	}
	int surface = gelRenderer_AddSurface( view->renderer, corners, count, (int)mesh->vertexCount,
		gelMaterialColor( look, material, body ), LightDepth( asset ) );
	if ( surface < 0 ) return surface;
	gelRenderer_SetSurfaceClosed( view->renderer, surface, gelAsset_GetInfo( asset ).hasClosedSurface );
	if ( mesh->colors != NULL )
		PaintVertices( view, surface, mesh, gelMaterialColor( look, material, body ) );
	const gelArtTexture* picture =
		material != GEL_NO_INDEX && look->textures != NULL ? look->textures + material : NULL;
	if ( picture != NULL )
	{
		const float* e = picture->emission;
		gelRenderer_SetSurfaceLook( view->renderer, surface, ( gelColor ){ e[0], e[1], e[2] },
			mesh->materials[material].baseColor[3], picture->alphaCutoff );
		// Holes show the inner side, closed or not.
		if ( picture->alphaCutoff != 0.0f ) gelRenderer_SetSurfaceClosed( view->renderer, surface, false );
	}
	if ( picture == NULL || picture->pixels == NULL || mesh->uvs == NULL ) return surface;
	int texture = gelRenderer_AddTexture( view->renderer, picture->pixels, picture->width, picture->height );
	if ( texture >= 0 ) gelRenderer_SetSurfaceTexture( view->renderer, surface, mesh->uvs, texture );
	return surface;
}

static int AddArtSurfaces( gelStageView* view, int body, const gelArtLook* look )
{
	uint32_t* corners = malloc( ( 3 * (size_t)look->mesh.triangleCount + 1 ) * sizeof( uint32_t ) );
	if ( corners == NULL ) return -1;
	// The last round is for triangles without a material.
	int first = -1;
	for ( uint32_t m = 0; m <= look->mesh.materialCount; ++m )
	{
		int surface =
			AddMaterial( view, body, look, m < look->mesh.materialCount ? m : GEL_NO_INDEX, corners );
		if ( m == 0 ) first = surface;
		if ( surface < 0 ) first = -1;
		if ( first < 0 ) break;
	}
	free( corners );
	view->surfaceCounts[body] = (int)look->mesh.materialCount + 1;
	return first;
}

static bool AddSurface( gelStageView* view, int body, const gelOverlaySettings* overlay )
{
	GEL_ASSERT( body >= 0 && body < view->scene->bodyCount );
	int vertices = gelAsset_GetInfo( gelBody_GetAsset( view->scene->bodies[body] ) ).vertexCount;
	const gelArtLook* look = view->looks != NULL ? view->looks + view->scene->packs[body] : NULL;
	bool isHeat = overlay->kind == gel_overlayStrain || overlay->kind == gel_overlayStress;
	// What is colored by heat sheds no light of its own color on the ground.
	gelColor color = isHeat ? gelColorFromHex( GEL_COLLIDER_COLOR ) : gelBodyColor( body );
	bool hasColors =
		look != NULL && look->isLoaded && ( look->mesh.materialCount > 0 || look->mesh.colors != NULL );
	bool useArt = hasColors && !isHeat;
	view->vertexCapacity = vertices > view->vertexCapacity ? vertices : view->vertexCapacity;
	view->surfaces[body] = useArt ? AddArtSurfaces( view, body, look ) : AddOneSurface( view, body, color );
	return view->surfaces[body] >= 0;
}

// Surfaces and overlays of all bodies. False: a finding was added.
static bool AddBodies( gelStageView* view, const gelOverlaySettings* overlay, gelFindings* findings )
{
	int count = view->scene->bodyCount;
	view->surfaces = malloc( ( (size_t)count + 1 ) * sizeof( int ) );
	view->surfaceCounts = calloc( (size_t)count + 1, sizeof( int ) );
	view->heats = calloc( (size_t)count + 1, sizeof( gelHeat ) );
	bool ok = view->surfaces != NULL && view->surfaceCounts != NULL && view->heats != NULL;
	for ( int i = 0; ok && i < count; ++i )
	{
		view->surfaces[i] = -1;
		ok = gelOverlay_ReplacesArt( overlay, view->scene->bodies[i] ) || AddSurface( view, i, overlay );
	}
	if ( ok )
	{
		view->positions = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		view->normals = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		ok = view->positions != NULL && view->normals != NULL;
	}
	bool isStrain = view->kind == gel_overlayStrain, isHeat = isStrain || view->kind == gel_overlayStress;
	for ( ; ok && isHeat && view->heatCount < count; view->heatCount += ok )
		ok = gelCreateHeat( view->heats + view->heatCount, isStrain ? gel_heatStrain : gel_heatStress,
			gelBody_GetAsset( view->scene->bodies[view->heatCount] ) );
	if ( !ok )
		gelFindings_Add(
			findings, gel_findingNoMemory, NULL, "out of memory for the surfaces of %d bodies", count );
	return ok;
}

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
		gelFindings_Add(
			findings, gel_findingNoMemory, NULL, "out of memory for %d colliders", def->colliderCount );
	return ok;
}

static void UpdateColliders( gelStageView* view, float time )
{
	for ( int i = 0; i < view->scene->def.colliderCount; ++i )
	{
		gelTransform pose = gelSceneCollider_Pose( view->scene->def.colliders + i, time );
		const gelColliderMesh* mesh = view->colliderMeshes + i;
		for ( int k = 0; k < mesh->vertexCount; ++k )
		{
			view->positions[k] = gelTransformPoint( pose, mesh->positions[k] );
			view->normals[k] = gelRotate( pose.rotation, mesh->normals[k] );
		}
		gelRenderer_SetSurface( view->renderer, view->colliderSurfaces[i], view->positions, view->normals );
	}
}

// ---- marks -------------------------------------------------------------------------------------------

#define GEL_CONTACT_COLOR 0x00582B
#define GEL_HANDLE_COLOR  0x7A0F8F
#define GEL_POINTER_COLOR 0xB0105A

static bool AddMarks( gelStageView* view, gelFindings* findings )
{
	int capacity = 1;
	uint32_t color = GEL_CONTACT_COLOR;
	if ( view->kind == gel_overlayContacts ) capacity = 4 * GEL_MAX_CONTACT_MARKS;
	if ( view->kind == gel_overlayParticles ) capacity = GEL_MAX_HANDLE_MARKS, color = GEL_HANDLE_COLOR;
	// Relative to the scene, so that marks are seen on a coin and on a house.
	view->markSize = 0.05f * fmaxf( gelAabb_Radius( gelScene_Bounds( view->scene ) ), 1e-4f );
	bool ok = gelCreateMarks( &view->pointer, view->renderer, 4 * 20, GEL_POINTER_COLOR ) &&
		gelCreateMarks( &view->marks, view->renderer, capacity, color );
	if ( !ok ) gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for marks" );
	return ok;
}

void gelStageView_ShowContacts( gelStageView* view, const gelContactMark* contacts, int count )
{
	GEL_ASSERT( count == 0 || contacts != NULL );
	if ( view->kind != gel_overlayContacts ) return;
	gelMarks_Clear( &view->marks );
	gelMarkContacts( &view->marks, contacts, count, view->markSize );
	gelMarks_Show( &view->marks, view->renderer );
}

static void UpdateMarks( gelStageView* view, double time )
{
	if ( view->kind != gel_overlayParticles ) return;
	gelMarks_Clear( &view->marks );
	gelMarkHandles( &view->marks, view->scene, time, view->markSize );
	gelMarks_Show( &view->marks, view->renderer );
}

bool gelCanShowOverlay( const gelScene* scene, gelOverlayKind kind )
{
	if ( kind != gel_overlayParticles ) return true;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		if ( gelHasParticles( scene->bodies[i] ) ) return true;
	}
	return false;
}

static bool CheckOverlay( const gelScene* scene, gelOverlayKind kind, gelFindings* findings )
{
	if ( gelCanShowOverlay( scene, kind ) ) return true;
	gelFindings_Add( findings, gel_findingNoBodyParticles, NULL, "%s", GEL_NO_PARTICLES_TEXT );
	return false;
}

void gelStageView_DescribeHeat( const gelStageView* view, char* out, int outCapacity )
{
	GEL_ASSERT( outCapacity > 0 );
	float low = INFINITY, high = 0.0f;
	out[0] = 0;
	if ( view->kind == gel_overlayStrain ) snprintf( out, (size_t)outCapacity, "strain 0 .. 0.5" );
	if ( view->kind != gel_overlayStress ) return;
	for ( int i = 0; i < view->heatCount; ++i )
	{
		float red = gelHeat_Red( view->heats + i );
		if ( red > 0.0f ) low = fminf( low, red );
		high = fmaxf( high, red );
	}
	if ( high == 0.0f )
	{
		snprintf( out, (size_t)outCapacity, "stress 0" ); // nothing was strained yet
		return;
	}
	static const char* const units[] = { "Pa", "kPa", "MPa", "GPa" };
	int unit = 0;
	double shown = (double)high;
	// Three digits are shown; 999.7 kPa would read as 1e+03.
	for ( ; unit < 3 && shown >= 999.5; ++unit )
		shown *= 1e-3;
	snprintf( out, (size_t)outCapacity, "stress 0 .. %s%.3g %s", low < 0.9f * high ? "up to " : "", shown,
		units[unit] );
}

bool gelCreateStageView( gelStageView* view, gelRenderer* renderer, gelScene* scene,
	const gelOverlaySettings* overlay, const gelArtLook* looks, gelFindings* findings )
{
	*view = ( gelStageView ){ .looks = looks,
		.scene = scene,
		.renderer = renderer,
		.kind = overlay->kind,
		.colliderCount = scene->def.colliderCount };
	gelRenderer_Clear( renderer );
	if ( CheckOverlay( scene, view->kind, findings ) && AddColliders( view, findings ) &&
		AddBodies( view, overlay, findings ) && AddMarks( view, findings ) &&
		gelCreateOverlay( &view->overlay, overlay, scene, view->markSize, renderer, findings ) )
		return true;
	gelDestroyStageView( view );
	return false;
}

gelRenderer* gelMakeRenderer( gelRenderQuality quality, gelFindings* findings )
{
	char error[160] = "";
	gelRenderer* renderer = gelCreateRenderer( quality, error, sizeof( error ) );
	if ( renderer == NULL )
		gelFindings_Add( findings, gel_findingDrawingFailed, NULL, "the renderer cannot start: %s", error );
	return renderer;
}

void gelDestroyStageView( gelStageView* view )
{
	for ( int i = 0; i < view->heatCount; ++i )
		gelDestroyHeat( view->heats + i );
	gelDestroyOverlay( &view->overlay );
	gelDestroyMarks( &view->marks );
	gelDestroyMarks( &view->pointer );
	for ( int i = 0; view->colliderMeshes != NULL && i < view->colliderCount; ++i )
		gelFreeColliderMesh( view->colliderMeshes + i );
	free( view->colliderMeshes );
	free( view->colliderSurfaces );
	free( view->heats );
	free( view->surfaces );
	free( view->surfaceCounts );
	free( view->positions );
	free( view->normals );
	memset( view, 0, sizeof( *view ) );
}

void gelStageView_Update( gelStageView* view, double time )
{
	UpdateColliders( view, (float)time );
	UpdateMarks( view, time );
	for ( int i = 0; i < view->scene->bodyCount; ++i )
	{
		gelBodyId body = view->scene->bodies[i];
		if ( view->surfaces[i] >= 0 )
		{
			gelBody_GetPositions( body, view->positions, view->vertexCapacity );
			gelBody_GetNormals( body, view->normals, view->vertexCapacity );
			for ( int k = 0; k < view->surfaceCounts[i]; ++k )
				gelRenderer_SetSurface(
					view->renderer, view->surfaces[i] + k, view->positions, view->normals );
		}
		if ( i < view->heatCount && view->surfaces[i] >= 0 )
			gelRenderer_SetSurfaceColors(
				view->renderer, view->surfaces[i], gelHeat_Update( view->heats + i, body ) );
	}
	gelOverlay_Update( &view->overlay, view->scene->world, view->renderer );
}
