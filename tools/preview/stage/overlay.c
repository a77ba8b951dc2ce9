// SPDX-License-Identifier: MIT
// Overlays are drawn by the runtime itself (gelWorld_Draw, gelpack/debug_draw.h): the preview collects the
// lines, triangles and ellipsoids that it calls back with, as a game would, and gives them to the renderer.
#include "preview/stage/overlay.h"

#include <gelpack/asserts.h>
#include <gelpack/gelpack.h>

#include <stdlib.h>
#include <string.h>

#define GEL_MAX_TREE_LEVEL      30
#define GEL_MAX_CURVE_LINES     ( 1 << 15 )
#define GEL_CURVE_LINE_COLOR    0x140A2E // color of lines that come later
#define GEL_INVERTED_LINE_COLOR 0xD5004A
#define GEL_LIGHT_COLOR         0xA9B4BF // what a colorful surface throws on the ground

// Packs carry no colors; neighbors in this list differ in hue, and none is as dark as a shadow.
static const uint32_t palette[] = { 0xF0674F, 0x2BA8A2, 0xF3AE35, 0x8A72DC, 0x79B63B, 0x3F93E0, 0xE86BA3,
	0xB98B5E };

uint32_t gelGetBodyHex( int body )
{
	GEL_ASSERT( body >= 0 );
	return palette[(size_t)body % ( sizeof( palette ) / sizeof( palette[0] ) )];
}

// ---- settings ----------------------------------------------------------------------------------------

bool gelParseOverlay( const char* text, gelOverlaySettings* out )
{
	static const struct
	{
		const char* name;
		gelOverlayKind kind;
		bool hasLevel, needsLevel;
	} kinds[] = {
		{ "none", gel_overlayNone, false, false },
		{ "cage", gel_overlayCage, false, false },
		{ "patches", gel_overlayPatches, false, false },
		{ "tree", gel_overlayTree, true, true },
		{ "boxes", gel_overlayBoxes, true, false },
		{ "strain", gel_overlayStrain, false, false },
		{ "stress", gel_overlayStress, false, false },
		{ "inverted", gel_overlayInverted, false, false },
		{ "contacts", gel_overlayContacts, false, false },
		{ "curves", gel_overlayCurves, false, false },
		{ "particles", gel_overlayParticles, false, false },
		{ "attachments", gel_overlayAttachments, false, false },
	};
	// A name is no beginning of another one, so the first that fits is the one.
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		size_t length = strlen( kinds[i].name );
		if ( strncmp( text, kinds[i].name, length ) != 0 ) continue;
		*out = ( gelOverlaySettings ){ kinds[i].kind, -1 };
		if ( text[length] == 0 ) return !kinds[i].needsLevel;
		const char* digits = text + length + 1;
		if ( text[length] != ':' || !kinds[i].hasLevel ) return false;
		if ( *digits == 0 || strlen( digits ) > 2 || strspn( digits, "0123456789" ) != strlen( digits ) )
			return false;
		out->level = (int)strtol( digits, NULL, 10 );
		return out->level <= GEL_MAX_TREE_LEVEL;
	}
	return false;
}

const char** gelOverlayNames( void )
{
	static const char* names[gel_overlayKinds] = { "no overlay", "cage", "patches", "tree", "boxes", "strain",
		"stress", "inverted tets", "contacts", "intersection curves", "particles", "attachment points" };
	return names;
}

bool gelHasParticles( gelBodyId body )
{
	return gelBody_GetParticlePoses( body, NULL, 0 ) > 0;
}

static bool ShowsPatches( const gelOverlaySettings* settings )
{
	return settings->kind == gel_overlayPatches || settings->kind == gel_overlayTree;
}

bool gelOverlay_ReplacesArt( const gelOverlaySettings* settings, gelBodyId body )
{
	return ShowsPatches( settings ) || ( settings->kind == gel_overlayParticles && gelHasParticles( body ) );
}

// ---- what is drawn -----------------------------------------------------------------------------------

// Bodies are made in the order of their slots.
static uint32_t GetColor( gelBodyId body, void* context )
{
	(void)context;
	return gelGetBodyHex( (int)body.index1 - 1 );
}

static gelDebugDraw MakeDraw( const gelOverlaySettings* settings, gelDrawList* list )
{
	gelDebugDraw draw = gelDrawList_MakeDraw( list );
	draw.getBodyColor = GetColor;
	draw.enableCage = settings->kind == gel_overlayCage;
	draw.enablePatches = ShowsPatches( settings );
	draw.patchLevel = settings->kind == gel_overlayTree ? settings->level : 0;
	draw.enableBoxes = settings->kind == gel_overlayBoxes;
	draw.boxLevel = settings->level;
	draw.enableInverted = settings->kind == gel_overlayInverted;
	draw.enableCurves = settings->kind == gel_overlayCurves;
	draw.enableParticles = settings->kind == gel_overlayParticles;
	draw.enableAttachments = settings->kind == gel_overlayAttachments;
	return draw;
}

// Lines that can be there at most: of inverted tets and of curves there may be more than now.
static int GetLineCapacity( const gelOverlay* o, const gelScene* scene )
{
	int count = o->list.lineCount;
	if ( o->settings.kind == gel_overlayCurves ) count = GEL_MAX_CURVE_LINES;
	for ( int i = 0; o->settings.kind == gel_overlayInverted && i < scene->bodyCount; ++i )
		count += 6 * gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) ).tetCount;
	return count > 0 ? count : 1;
}

// How much of hidden lines is seen: many lines less.
static float GetThrough( gelOverlayKind kind )
{
	if ( kind == gel_overlayCage || kind == gel_overlayBoxes ) return 0.1f;
	return kind == gel_overlayParticles ? 0.6f : 0.8f;
}

static uint32_t GetLineColor( const gelOverlay* o )
{
	if ( o->list.lineCount > 0 ) return o->list.lineColor;
	return o->settings.kind == gel_overlayCurves ? GEL_CURVE_LINE_COLOR : GEL_INVERTED_LINE_COLOR;
}

static bool AddLines( gelOverlay* o, const gelScene* scene, gelRenderer* renderer )
{
	if ( !gelCreateMarks( &o->lines, renderer, GetLineCapacity( o, scene ), GetLineColor( o ) ) )
		return false;
	gelRenderer_SetLinesThrough( renderer, o->lines.lines, GetThrough( o->settings.kind ) );
	return true;
}

// ---- triangles ---------------------------------------------------------------------------------------

typedef struct PlacedCorner
{
	gelVec3 position;
	uint32_t corner;
} PlacedCorner;

static int ComparePlaces( const void* a, const void* b )
{
	const PlacedCorner *p = a, *q = b;
	int order = memcmp( &p->position, &q->position, sizeof( gelVec3 ) );
	return order != 0 ? order : p->corner < q->corner ? -1 : 1;
}

// Corners that are one vertex are at the same position to the bit, so that shading need not show triangles.
static bool FindWelds( gelOverlay* o )
{
	size_t count = 3 * (size_t)o->list.triangleCount;
	PlacedCorner* places = calloc( count, sizeof( PlacedCorner ) );
	if ( places == NULL ) return false;
	for ( size_t i = 0; i < count; ++i )
		places[i] = ( PlacedCorner ){ o->list.corners[i], (uint32_t)i };
	qsort( places, count, sizeof( PlacedCorner ), ComparePlaces );
	uint32_t first = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		bool isNew = i == 0 || memcmp( &places[i].position, &places[i - 1].position, sizeof( gelVec3 ) ) != 0;
		if ( isNew ) first = places[i].corner;
		o->welds[places[i].corner] = first;
	}
	free( places );
	return true;
}

static bool AddTriangles( gelOverlay* o, gelRenderer* renderer )
{
	int count = 3 * o->list.triangleCount;
	if ( count == 0 ) return true;
	o->welds = malloc( (size_t)count * sizeof( uint32_t ) );
	o->normals = malloc( (size_t)count * sizeof( gelVec3 ) );
	uint32_t* corners = malloc( (size_t)count * sizeof( uint32_t ) );
	gelColor* colors = malloc( (size_t)count * sizeof( gelColor ) );
	bool ok = o->welds && o->normals && corners && colors && FindWelds( o );
	for ( int i = 0; ok && i < count; ++i )
	{
		corners[i] = (uint32_t)i;
		colors[i] = gelColorFromHex( o->list.colors[i / 3] );
	}
	if ( ok )
		o->surface = gelRenderer_AddSurface(
			renderer, corners, o->list.triangleCount, count, gelColorFromHex( GEL_LIGHT_COLOR ), 1e-6f );
	if ( o->surface >= 0 ) gelRenderer_SetSurfaceColors( renderer, o->surface, colors );
	free( corners );
	free( colors );
	return o->surface >= 0;
}

// Mean of the triangles around a vertex, by area.
static void ComputeNormals( gelOverlay* o )
{
	int count = 3 * o->list.triangleCount;
	const gelVec3* p = o->list.corners;
	memset( o->normals, 0, (size_t)count * sizeof( gelVec3 ) );
	for ( int i = 0; i < count; ++i )
	{
		const gelVec3* t = p + i / 3 * 3;
		gelVec3* sum = o->normals + o->welds[i];
		*sum = gelAdd( *sum, gelCross( gelSub( t[1], t[0] ), gelSub( t[2], t[0] ) ) );
	}
	// Backwards: a weld is its lowest corner, whose sum has to be there until all others have read it.
	for ( int i = count - 1; i >= 0; --i )
		o->normals[i] = gelNormalize( o->normals[o->welds[i]] );
}

// ---- all of it ---------------------------------------------------------------------------------------

static bool HavePatches( const gelScene* scene )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		if ( gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) ).patchCount == 0 ) return false;
	}
	return true;
}

bool gelCreateOverlay( gelOverlay* overlay, const gelOverlaySettings* settings, const gelScene* scene,
	float markSize, gelRenderer* renderer, gelFindings* findings )
{
	*overlay = ( gelOverlay ){
		.settings = *settings, .surface = -1, .lines.lines = -1, .list.axisLength = markSize
	};
	bool needsPatches = settings->kind == gel_overlayBoxes || ShowsPatches( settings );
	if ( needsPatches && !HavePatches( scene ) )
	{
		gelFindings_Add( findings, gel_findingNoCollisionGeometry, NULL,
			"a pack has no collision geometry to show; bake it again without --no-collision" );
		return false;
	}
	overlay->draw = MakeDraw( settings, &overlay->list );
	if ( gelDrawList_Fill( &overlay->list, scene->world, &overlay->draw ) &&
		AddLines( overlay, scene, renderer ) && AddTriangles( overlay, renderer ) &&
		gelCreateEllipsoidView( &overlay->ellipsoids, &overlay->list, renderer ) )
		return true;
	gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for an overlay" );
	gelDestroyOverlay( overlay );
	return false;
}

void gelDestroyOverlay( gelOverlay* overlay )
{
	gelDestroyMarks( &overlay->lines );
	gelDestroyEllipsoidView( &overlay->ellipsoids );
	gelDrawList_Free( &overlay->list );
	free( overlay->welds );
	free( overlay->normals );
	*overlay = ( gelOverlay ){ .surface = -1 };
}

// What there is no memory for is missing in one picture.
void gelOverlay_Update( gelOverlay* o, gelWorldId world, gelRenderer* renderer )
{
	int triangleCount = o->list.triangleCount;
	gelDrawList_Fill( &o->list, world, &o->draw );
	gelMarks_Clear( &o->lines );
	for ( int i = 0; i < o->list.lineCount; ++i )
		gelMarks_AddLine( &o->lines, o->list.ends[2 * i], o->list.ends[2 * i + 1] );
	gelMarks_Show( &o->lines, renderer );
	// A buffer of the renderer has a fixed size; patches keep their number of triangles while a body moves.
	if ( o->surface >= 0 && o->list.triangleCount == triangleCount )
	{
		ComputeNormals( o );
		gelRenderer_SetSurface( renderer, o->surface, o->list.corners, o->normals );
	}
	gelEllipsoidView_Update( &o->ellipsoids, &o->list, renderer );
}
