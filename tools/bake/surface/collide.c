// SPDX-License-Identifier: MIT
// Collision geometry: runs the passes of cdg.h and says what is in their way.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

// None of these is an error: collision works with what can be told, and says what that was.
static void ReportArt( const gelCdgArt* art, const char* file, gelFindings* findings )
{
	if ( art->openEdges > 0 )
	{
		gelFindings_Add( findings, gel_findingCollisionOpen, file,
			"the surface is open at %u edges; contacts that reach them may be left out", art->openEdges );
	}
	if ( art->flippedEdges > 0 )
	{
		gelFindings_Add( findings, gel_findingCollisionWindingMixed, file,
			"at %u edges the two triangles face opposite ways; collision takes the surface as open there",
			art->flippedEdges );
	}
	if ( art->nonManifoldEdges > 0 && art->oddEdge[0] == GEL_NO_INDEX )
	{
		gelFindings_Add( findings, gel_findingCollisionEdgesShared, file,
			"%u edges have more than two triangles; those with the solid between them were joined",
			art->nonManifoldEdges );
	}
	if ( art->turnedParts > 0 )
	{
		gelFindings_Add( findings, gel_findingCollisionInsideOut, file,
			"%u closed parts are inside out (first: triangle %u); turned round for collision, not for "
			"drawing",
			art->turnedParts, art->turnedSource );
	}
}

// @return false: it is an error
static bool ReportFault( const gelBakeData* data, const gelCdgFault* fault, gelFindings* findings )
{
	GEL_ASSERT( fault->status != gel_cdgOk );
	static const char* const reasons[] = {
		[gel_cdgOk] = "",
		[gel_cdgOutside] = "the art touches or crosses the outside of the cage",
		[gel_cdgOverlap] = "tets of the cage overlap",
		[gel_cdgOddEdge] =
			"at an edge the triangles of the art cannot be joined in pairs that face each other",
		[gel_cdgTooLarge] = "the cut surface is over a limit of the pack format",
	};
	bool asked = data->settings->collision != gel_collisionAuto;
	bool inCage = fault->status == gel_cdgOutside || fault->status == gel_cdgOverlap;
	gelFindings_Add( findings, asked ? gel_findingCollisionFailed : gel_findingCollisionLeftOut,
		data->settings->artFile, "%s near %g %g %g%s; %s, or bake with --no-collision",
		reasons[fault->status], fault->place.x, fault->place.y, fault->place.z,
		asked ? "" : ": the pack gets no collision geometry",
		inCage ? "make the cage with gel-tetrafy" : "repair the art there" );
	return !asked;
}

// A tet for each art point: that of its render vertex, which the embedding knows.
static uint32_t* MakeHints( const gelCdgArt* art, const uint32_t* embedTets, gelBakePool* pool )
{
	uint32_t* hints = gelBakePool_Alloc( pool, art->pointCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < art->pointCount; ++i )
		hints[i] = embedTets[art->weldToVert[i]];
	return hints;
}

static int GetThreads( const gelBakeData* data )
{
	return data->settings->threads > 0 ? data->settings->threads : 1;
}

// Cuts the art again, along fewer cells.
static bool CutCoarse( const gelBakeData* data, const gelCdgArt* art, gelCdgCage* cells, gelBakePool* pool,
	gelCdgSurface* surface, gelCdgFault* fault )
{
	gelCoarseCells coarse = gelCoarsenCells( art, cells, surface, pool );
	*cells = gelBuildCdgCage( data->cage.nodes, data->cage.nodeCount, coarse.tets, coarse.tetCount, pool );
	return gelCutSurface( art, cells, coarse.pointCells, GetThreads( data ), pool, surface, fault );
}

// Collision geometry is asked for (an obstacle is an error) or automatic (it is left out, with a warning).
bool gelBuildCdg( const gelBakeData* data, gelBakePool* pool, gelFindings* findings, gelBakeCdg* out )
{
	GEL_ASSERT( data->cage.tetCount > 0 );
	*out = ( gelBakeCdg ){ 0 };
	if ( data->settings->collision == gel_collisionNone ) return true;
	gelBakePool scratch = { NULL };
	gelCdgFault fault = { .status = gel_cdgOk };
	const gelBakeCage* cage = &data->cage;
	const gelCdgArt* prepared = data->settings->collisionArt;
	gelCdgArt art = prepared != NULL ? *prepared : gelBuildCdgArt( data->mesh, &scratch );
	gelCdgCage cells = gelBuildCdgCage( cage->nodes, cage->nodeCount, cage->tets, cage->tetCount, &scratch );
	gelCdgSurface surface;
	const uint32_t* hints = MakeHints( &art, data->embedding.tets, &scratch );
	bool ok = gelCutSurface( &art, &cells, hints, GetThreads( data ), &scratch, &surface, &fault );
	if ( ok && surface.triangleCount > 0 && data->settings->collision == gel_collisionCoarse )
		ok = CutCoarse( data, &art, &cells, &scratch, &surface, &fault );
	if ( ok && surface.triangleCount > 0 )
	{
		ReportArt( &art, data->settings->artFile, findings );
		gelCdgPatches patches = gelFormPatches( &surface, &cells, &scratch );
		bool cageTets = cells.tetCount == cage->tetCount; // none was merged
		ok = gelPackPatches(
			&surface, &cells, &patches, cageTets, GEL_CDG_SHORT_WORDS, GetThreads( data ), pool, out );
		if ( !ok ) fault = ( gelCdgFault ){ .status = gel_cdgTooLarge, .place = art.points[0] };
		// what the game moves as a rigid whole is touched, but rests on nothing
		if ( ok && !data->settings->isStatic )
			gelBuildSupports( out, GEL_SUPPORT_SLACK, GetThreads( data ), pool );
	}
	if ( !ok )
	{
		*out = ( gelBakeCdg ){ 0 };
		ok = ReportFault( data, &fault, findings );
	}
	gelFreeBakePool( &scratch );
	return ok;
}
