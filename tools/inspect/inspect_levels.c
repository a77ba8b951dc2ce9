// SPDX-License-Identifier: MIT
// Levels of detail: what is in them, and whether the maps between them say where nodes are.
#include "inspect/inspect.h"

#include "common/mesh/pack_figures.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool gelOpenLevel(
	const gelInspectedPack* pack, uint32_t level, char* pathBuffer, size_t capacity, gelInspectedPack* out )
{
	GEL_ASSERT( level > 0 && capacity > 0 );
	const gelPackSection* s = gelPack_FindSection( &pack->view, GEL_SECTION_LODP, level );
	snprintf( pathBuffer, capacity, "%s, level %u", pack->path, level );
	// In place, inside of the pack around it: levels are aligned sections. Their checksums were verified with
	// it.
	*out = ( gelInspectedPack ){ pathBuffer, pack->bytes + s->offset, (size_t)s->bytes, { 0 } };
	size_t scratchBytes = gelPack_ScratchBytes( out->bytes, out->byteCount );
	void* scratch = malloc( scratchBytes + 1 );
	if ( scratch == NULL ) return false;
	gelPackCode code = gelPack_Open( out->bytes, out->byteCount, scratch, scratchBytes,
		GEL_PACK_TRUST_CHECKSUM | GEL_PACK_IS_LEVEL, &out->view, NULL );
	free( scratch );
	return code == gel_packOk;
}

// The header is enough, and validated with the pack around it.
static const gelPackHeader* GetHeader( const gelPackView* view, uint32_t level )
{
	GEL_ASSERT( level > 0 && level <= view->levelCount );
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_LODP, level );
	return (const gelPackHeader*)(const void*)( view->bytes + s->offset );
}

void gelPrintLevels( const gelProgram* program, const gelPackView* view )
{
	if ( view->levelCount == 0 ) return;
	gelProgram_Say( program, "levels        nodes      tets     bytes" );
	for ( uint32_t i = 1; i <= view->levelCount; ++i )
	{
		const gelPackHeader* h = GetHeader( view, i );
		gelProgram_Say( program, "  %-10u %6u %9u %9" PRIu64, i, h->nodeCount, h->tetCount, h->fileBytes );
	}
}

void gelReportLevelsOf( gelReport* report, const gelPackView* view )
{
	if ( view->levelCount == 0 ) return;
	json_t* levels = json_array();
	for ( uint32_t i = 1; i <= view->levelCount; ++i )
		json_array_append_new( levels, gelMakeLevelJson( GetHeader( view, i ) ) );
	gelReport_SetJson( report, "levels", levels );
}

// A node is where its weights say, to the rounding of the weights, unless it is outside of the other cage,
// which it cannot be when all of them are above 0.
static void VerifyPlaces( const char* path, uint32_t level, const char* name, const gelPackView* from,
	const gelPackView* to, const uint32_t* tets, const float* weights, gelFindings* findings )
{
	GEL_ASSERT( tets != NULL && weights != NULL );
	const double size = gelGetLargestCoordinate( to );
	for ( uint32_t i = 0; i < from->header->nodeCount; ++i )
	{
		const gelPackNode* p = from->nodes + i;
		const float* w = weights + 4 * (size_t)i;
		double d[3] = { -(double)p->x, -(double)p->y, -(double)p->z };
		bool isOutside = false;
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* corner = to->nodes + to->tets[tets[i]].node[k];
			d[0] += (double)w[k] * (double)corner->x;
			d[1] += (double)w[k] * (double)corner->y;
			d[2] += (double)w[k] * (double)corner->z;
			isOutside = isOutside || w[k] == 0.0f;
		}
		double error = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
		if ( isOutside || error <= 1e-5 * size ) continue;
		gelFindings_Add( findings, gel_findingLevelMapWrong, path,
			"section LMAP (key %u), %s node %u: it is %.3g m from where its weights say", level, name, i,
			error );
		return;
	}
}

void gelVerifyMap( const gelInspectedPack* pack, uint32_t level, const gelPackView* fine,
	const gelPackView* coarse, gelFindings* findings )
{
	GEL_ASSERT( level > 0 );
	gelPackMapView map = gelPack_GetLevelMap( &pack->view, level );
	VerifyPlaces( pack->path, level, "coarse", coarse, fine, map.coarseTets, map.coarseWeights, findings );
	VerifyPlaces( pack->path, level, "fine", fine, coarse, map.fineTets, map.fineWeights, findings );
}
