// SPDX-License-Identifier: MIT
#include "preview/stage/overlay.h"

#include <gelpack/gelpack.h>

#include <stdlib.h>
#include <string.h>

#define GEL_CAGE_LINE_COLOR     0x16324F
#define GEL_BOX_LINE_COLOR      0x4A1D5C
#define GEL_INVERTED_LINE_COLOR 0xD5004A
#define GEL_MAX_TREE_LEVEL      30

// Neighbors get different colors by chance, not by design; the last one is for what belongs to no node.
static const uint32_t palette[] = { 0xE4572E, 0x17BEBB, 0xFFC914, 0x76B041, 0x8F5BD6, 0x3A86FF, 0xFF70A6,
	0xB5651D, 0x2E9E6B, 0xF6A35C, 0x5C6BC0, 0xA8C256, 0xD65DB1, 0x00A6D6, 0xCFCFCF };
#define GEL_PALETTE_COUNT ( (int)( sizeof( palette ) / sizeof( palette[0] ) ) )
#define GEL_PLAIN_COLOR   ( GEL_PALETTE_COUNT - 1 )

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

static bool ShowsPatches( const gelOverlaySettings* settings )
{
	return settings->kind == gel_overlayPatches || settings->kind == gel_overlayTree;
}

bool gelOverlay_ReplacesArt( const gelOverlaySettings* settings, gelBodyId body )
{
	return ShowsPatches( settings ) || ( settings->kind == gel_overlayParticles && gelHasParticles( body ) );
}

// ---- cage --------------------------------------------------------------------------------------------

static int CompareEdges( const void* a, const void* b )
{
	uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
	return x < y ? -1 : x > y ? 1 : 0;
}

// Every edge of the cage once, as pairs of nodes. free() the result; NULL: out of memory.
static uint32_t* CageEdges( const gelAsset* asset, int* outCount )
{
	static const int corners[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	size_t tetCount = (size_t)gelAsset_GetInfo( asset ).tetCount;
	const uint32_t* tets = gelAsset_GetTets( asset );
	uint64_t* edges = malloc( ( 6 * tetCount + 1 ) * sizeof( uint64_t ) );
	uint32_t* pairs = malloc( ( 12 * tetCount + 1 ) * sizeof( uint32_t ) );
	if ( edges == NULL || pairs == NULL )
	{
		free( edges );
		free( pairs );
		return NULL;
	}
	for ( size_t i = 0; i < 6 * tetCount; ++i )
	{
		uint64_t a = tets[4 * ( i / 6 ) + (size_t)corners[i % 6][0]],
				 b = tets[4 * ( i / 6 ) + (size_t)corners[i % 6][1]];
		edges[i] = a < b ? a << 32 | b : b << 32 | a;
	}
	qsort( edges, 6 * tetCount, sizeof( uint64_t ), CompareEdges );
	int count = 0;
	for ( size_t i = 0; i < 6 * tetCount; ++i )
	{
		if ( i > 0 && edges[i] == edges[i - 1] ) continue;
		pairs[2 * count + 0] = (uint32_t)( edges[i] >> 32 );
		pairs[2 * count + 1] = (uint32_t)edges[i];
		count += 1;
	}
	free( edges );
	*outCount = count;
	return pairs;
}

static bool AddCage( gelOverlay* o, const gelAsset* asset, gelRenderer* renderer )
{
	int lineCount = 0;
	uint32_t* pairs = CageEdges( asset, &lineCount );
	o->vertexCount = gelAsset_GetInfo( asset ).nodeCount;
	o->positions = malloc( (size_t)o->vertexCount * sizeof( gelVec3 ) );
	o->firstMesh = pairs && o->positions ? gelRenderer_AddLines( renderer, pairs, lineCount, o->vertexCount,
											   gelColorFromHex( GEL_CAGE_LINE_COLOR ) )
										 : -1;
	free( pairs );
	return o->firstMesh >= 0;
}

// ---- boxes -------------------------------------------------------------------------------------------

// Corner k of a box has the high x, y, z for bits 0, 1, 2 of k.
static gelVec3 BoxCorner( gelAabb box, int k )
{
	return ( gelVec3 ){ k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
		k & 4 ? box.max.z : box.min.z };
}

static bool AddBoxes( gelOverlay* o, gelBodyId body, gelRenderer* renderer )
{
	static const uint32_t edges[12][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 },
		{ 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
	o->boxCount = gelBody_GetCoarseBoxes( body, o->settings.level, NULL, 0 );
	o->vertexCount = 8 * o->boxCount;
	o->boxes = malloc( (size_t)o->boxCount * sizeof( gelAabb ) );
	o->positions = malloc( (size_t)o->vertexCount * sizeof( gelVec3 ) );
	uint32_t* pairs = malloc( (size_t)o->boxCount * sizeof( edges ) );
	o->firstMesh = -1;
	if ( o->boxes != NULL && o->positions != NULL && pairs != NULL )
	{
		for ( int i = 0; i < 24 * o->boxCount; ++i )
			pairs[i] = 8 * (uint32_t)( i / 24 ) + edges[i % 24 / 2][i % 2];
		o->firstMesh = gelRenderer_AddLines(
			renderer, pairs, 12 * o->boxCount, o->vertexCount, gelColorFromHex( GEL_BOX_LINE_COLOR ) );
	}
	free( pairs );
	return o->firstMesh >= 0;
}

static void UpdateBoxes( gelOverlay* o, gelBodyId body )
{
	gelBody_GetCoarseBoxes( body, o->settings.level, o->boxes, o->boxCount );
	for ( int i = 0; i < o->vertexCount; ++i )
		o->positions[i] = BoxCorner( o->boxes[i / 8], i % 8 );
}

// ---- inverted tets -----------------------------------------------------------------------------------

// Edges of all tets, four vertices for each; those of healthy tets have no length and draw nothing.
static bool AddInverted( gelOverlay* o, const gelAsset* asset, gelRenderer* renderer )
{
	static const uint32_t corners[12] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3 };
	int tetCount = gelAsset_GetInfo( asset ).tetCount;
	uint32_t* pairs = malloc( 12 * (size_t)tetCount * sizeof( uint32_t ) );
	o->vertexCount = 4 * tetCount;
	o->positions = calloc( (size_t)o->vertexCount, sizeof( gelVec3 ) );
	o->normals = malloc( (size_t)gelAsset_GetInfo( asset ).nodeCount * sizeof( gelVec3 ) ); // nodes
	o->firstMesh = -1;
	if ( pairs != NULL && o->positions != NULL && o->normals != NULL &&
		gelCreateHeat( &o->heat, gel_heatStrain, asset ) )
	{
		for ( int i = 0; i < 12 * tetCount; ++i )
			pairs[i] = 4 * (uint32_t)( i / 12 ) + corners[i % 12];
		o->firstMesh = gelRenderer_AddLines(
			renderer, pairs, 6 * tetCount, o->vertexCount, gelColorFromHex( GEL_INVERTED_LINE_COLOR ) );
		if ( o->firstMesh >= 0 ) gelRenderer_SetLinesThrough( renderer, o->firstMesh, 0.8f );
	}
	free( pairs );
	return o->firstMesh >= 0;
}

static void UpdateInverted( gelOverlay* o, gelBodyId body )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	const uint32_t* tets = gelAsset_GetTets( asset );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelBody_GetTetStates( body, o->heat.states, info.tetCount );
	gelBody_GetNodePositions( body, o->normals, info.nodeCount );
	for ( int i = 0; i < o->vertexCount; ++i )
		o->positions[i] = o->normals[tets[o->heat.states[i / 4].isInverted ? i : i & ~3]];
}

// ---- patches and trees -------------------------------------------------------------------------------

static int PickColor( int index )
{
	uint32_t h = (uint32_t)index * 0x9E3779B9u;
	h = ( h ^ h >> 15 ) * 0x85EBCA6Bu;
	return (int)( ( h ^ h >> 13 ) % (uint32_t)GEL_PLAIN_COLOR );
}

// Color of every triangle. free() the result; NULL: out of memory.
static uint8_t* ColorTriangles( const gelOverlay* o, const gelAsset* asset )
{
	int level = o->settings.kind == gel_overlayTree ? o->settings.level : 0;
	int nodeCount = gelAsset_GetTreeNodes( asset, level, NULL, 0 );
	gelTreeNode* nodes = malloc( ( (size_t)nodeCount + 1 ) * sizeof( gelTreeNode ) );
	uint8_t* colors = malloc( (size_t)o->triangleCount );
	if ( nodes == NULL || colors == NULL )
	{
		free( nodes );
		free( colors );
		return NULL;
	}
	memset( colors, GEL_PLAIN_COLOR, (size_t)o->triangleCount );
	gelAsset_GetTreeNodes( asset, level, nodes, nodeCount );
	for ( int i = 0; i < nodeCount; ++i )
		memset( colors + nodes[i].triangleFirst, PickColor( i ), (size_t)nodes[i].triangleCount );
	free( nodes );
	return colors;
}

// One surface for each color, all with the same vertices.
static bool AddColors( gelOverlay* o, const uint8_t* colors, gelRenderer* renderer )
{
	uint32_t* corners = malloc( 3 * (size_t)o->triangleCount * sizeof( uint32_t ) );
	bool ok = corners != NULL;
	for ( int color = 0; ok && color < GEL_PALETTE_COUNT; ++color )
	{
		int count = 0;
		for ( int t = 0; t < o->triangleCount; ++t )
		{
			if ( colors[t] != color ) continue;
			memcpy( corners + 3 * (size_t)count++, o->triangles + 3 * (size_t)t, 3 * sizeof( uint32_t ) );
		}
		int mesh = gelRenderer_AddSurface(
			renderer, corners, count, o->vertexCount, gelColorFromHex( palette[color] ), 1e-6f );
		if ( color == 0 ) o->firstMesh = mesh;
		ok = mesh >= 0;
	}
	o->meshCount = GEL_PALETTE_COUNT;
	free( corners );
	return ok;
}

typedef struct PlacedVertex
{
	gelVec3 position;
	uint32_t vertex;
} PlacedVertex;

static int ComparePlaces( const void* a, const void* b )
{
	const PlacedVertex *p = a, *q = b;
	int order = memcmp( &p->position, &q->position, sizeof( gelVec3 ) );
	return order != 0 ? order : p->vertex < q->vertex ? -1 : 1;
}

// Copies of a vertex are at the same position to the bit, so that shading need not show the patches' borders.
static bool FindWelds( gelOverlay* o, gelBodyId body )
{
	PlacedVertex* places = calloc( (size_t)o->vertexCount, sizeof( PlacedVertex ) );
	if ( places == NULL ) return false;
	gelBody_GetPatchVertices( body, o->positions, o->vertexCount );
	for ( int i = 0; i < o->vertexCount; ++i )
		places[i] = ( PlacedVertex ){ o->positions[i], (uint32_t)i };
	qsort( places, (size_t)o->vertexCount, sizeof( PlacedVertex ), ComparePlaces );
	uint32_t first = 0;
	for ( int i = 0; i < o->vertexCount; ++i )
	{
		bool isNew = i == 0 || memcmp( &places[i].position, &places[i - 1].position, sizeof( gelVec3 ) ) != 0;
		if ( isNew ) first = places[i].vertex;
		o->welds[places[i].vertex] = first;
	}
	free( places );
	return true;
}

static bool AddPatches( gelOverlay* o, gelBodyId body, gelRenderer* renderer )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	o->vertexCount = info.patchVertexCount;
	o->triangleCount = info.patchTriangleCount;
	o->positions = malloc( (size_t)o->vertexCount * sizeof( gelVec3 ) );
	o->normals = malloc( (size_t)o->vertexCount * sizeof( gelVec3 ) );
	o->welds = malloc( (size_t)o->vertexCount * sizeof( uint32_t ) );
	o->triangles = malloc( 3 * (size_t)o->triangleCount * sizeof( uint32_t ) );
	if ( o->positions == NULL || o->normals == NULL || o->welds == NULL || o->triangles == NULL )
		return false;
	gelAsset_GetPatchTriangles( asset, o->triangles, 3 * o->triangleCount );
	uint8_t* colors = ColorTriangles( o, asset );
	bool ok = colors != NULL && FindWelds( o, body ) && AddColors( o, colors, renderer );
	free( colors );
	return ok;
}

// Mean of the triangles around a vertex, by area.
static void ComputeNormals( gelOverlay* o )
{
	memset( o->normals, 0, (size_t)o->vertexCount * sizeof( gelVec3 ) );
	for ( int t = 0; t < o->triangleCount; ++t )
	{
		const uint32_t* v = o->triangles + 3 * (size_t)t;
		gelVec3 a = o->positions[v[0]], b = o->positions[v[1]], c = o->positions[v[2]];
		gelVec3 n = gelCross( gelSub( b, a ), gelSub( c, a ) );
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3* sum = o->normals + o->welds[v[k]];
			*sum = gelAdd( *sum, n );
		}
	}
	for ( int i = o->vertexCount - 1; i >= 0; --i )
	{
		gelVec3 n = o->normals[o->welds[i]];
		float length = sqrtf( n.x * n.x + n.y * n.y + n.z * n.z );
		float inv = length > 0.0f ? 1.0f / length : 0.0f;
		o->normals[i] = ( gelVec3 ){ inv * n.x, inv * n.y, inv * n.z };
	}
}

// ---- all of them -------------------------------------------------------------------------------------

static bool AddKind( gelOverlay* o, gelBodyId body, gelColor color, gelRenderer* renderer )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	switch ( o->settings.kind )
	{
		case gel_overlayCage:
			return AddCage( o, asset, renderer );
		case gel_overlayPatches:
		case gel_overlayTree:
			return AddPatches( o, body, renderer );
		case gel_overlayBoxes:
			return AddBoxes( o, body, renderer );
		case gel_overlayStrain:
			return gelCreateHeat( &o->heat, gel_heatStrain, asset );
		case gel_overlayStress:
			return gelCreateHeat( &o->heat, gel_heatStress, asset );
		case gel_overlayInverted:
			return AddInverted( o, asset, renderer );
		case gel_overlayParticles:
			return gelCreateParticleView( &o->particles, body, color, renderer );
		default:
			return true;
	}
}

bool gelCreateOverlay( gelOverlay* overlay, const gelOverlaySettings* settings, gelBodyId body,
	gelColor color, gelRenderer* renderer, gelFindings* findings )
{
	*overlay = ( gelOverlay ){ .settings = *settings, .meshCount = 1 };
	const gelAsset* asset = gelBody_GetAsset( body );
	bool needsPatches = settings->kind == gel_overlayBoxes || ShowsPatches( settings );
	if ( needsPatches && gelAsset_GetInfo( asset ).patchCount == 0 )
	{
		gelFindings_Add( findings, gel_findingNoCollisionGeometry, NULL,
			"a pack has no collision geometry to show; bake it again without --no-collision" );
		return false;
	}
	if ( AddKind( overlay, body, color, renderer ) ) return true;
	gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for an overlay" );
	gelDestroyOverlay( overlay );
	return false;
}

void gelDestroyOverlay( gelOverlay* overlay )
{
	free( overlay->triangles );
	free( overlay->welds );
	free( overlay->positions );
	free( overlay->normals );
	free( overlay->boxes );
	gelDestroyHeat( &overlay->heat );
	gelDestroyParticleView( &overlay->particles );
	*overlay = ( gelOverlay ){ 0 };
}

static void UpdatePatches( gelOverlay* o, gelBodyId body, gelRenderer* renderer )
{
	gelBody_GetPatchVertices( body, o->positions, o->vertexCount );
	ComputeNormals( o );
	for ( int i = 0; i < o->meshCount; ++i )
		gelRenderer_SetSurface( renderer, o->firstMesh + i, o->positions, o->normals );
}

void gelOverlay_Update( gelOverlay* o, gelBodyId body, int surface, gelRenderer* renderer )
{
	switch ( o->settings.kind )
	{
		case gel_overlayCage:
			gelBody_GetNodePositions( body, o->positions, o->vertexCount );
			break;
		case gel_overlayPatches:
		case gel_overlayTree:
			UpdatePatches( o, body, renderer );
			return;
		case gel_overlayBoxes:
			UpdateBoxes( o, body );
			break;
		case gel_overlayStrain:
		case gel_overlayStress:
			if ( surface >= 0 )
				gelRenderer_SetSurfaceColors( renderer, surface, gelHeat_Update( &o->heat, body ) );
			return;
		case gel_overlayInverted:
			UpdateInverted( o, body );
			break;
		case gel_overlayParticles:
			gelParticleView_Update( &o->particles, body, renderer );
			return;
		default:
			return;
	}
	gelRenderer_SetLines( renderer, o->firstMesh, o->positions );
}
