// SPDX-License-Identifier: MIT
// Does a factor of the warp-cancelling solver belong to its body? It is made again from nodes, tets and
// materials of the pack by the code of the runtime, which gives the same bits on every machine.
#include "inspect/verify.h"

#include "pack/pack_read_warp.h"

#include <gelpack/asserts.h>

#include <gelpack/warp.h>
#include <gelpack/gelpack.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Error as a part of the largest number of an array. Room for other code, not for another body.
#define GEL_WARP_TOLERANCE 1e-5

// @return the first number that is off, or count
static uint64_t FindDifference( const float* wanted, const float* found, uint64_t count )
{
	GEL_ASSERT( wanted != NULL && found != NULL );
	double largest = 0.0;
	for ( uint64_t i = 0; i < count; ++i )
		largest = fmax( largest, fabs( (double)wanted[i] ) );
	for ( uint64_t i = 0; i < count; ++i )
	{
		if ( !( fabs( (double)wanted[i] - (double)found[i] ) <= GEL_WARP_TOLERANCE * largest ) ) return i;
	}
	return count;
}

static float* Allocate( uint64_t count )
{
	// Kernels of the runtime write whole registers; 64 bytes of alignment and room behind the end.
	return aligned_alloc( 64, (size_t)( count + 16 ) / 16 * 64 );
}

// The three arrays are those of gelPackWarpFactor: panels to solve with, update matrices and tiles to refresh
// the factor from.
static void VerifyFactor( const gelInspectedPack* pack, const gelAsset* asset, const gelPackSection* section,
	gelFindings* findings )
{
	GEL_ASSERT( section->fourcc == GEL_SECTION_WFAC );
	gelWarpNumbers found = gelPack_GetWarpNumbers( &pack->view, section );
	const gelPackWarpFactor* header = (const void*)( pack->bytes + section->offset );
	const uint64_t counts[3] = { header->panels.count, header->updates.count, header->tiles.count };
	const float* numbers[3] = { found.panels, found.updates, found.tiles };
	static const char* const names[3] = { "panels", "updates", "tiles" };
	float* wanted[3] = { Allocate( counts[0] ), Allocate( counts[1] ), Allocate( counts[2] ) };
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	bool ok = wanted[0] != NULL && wanted[1] != NULL && wanted[2] != NULL &&
		gelAsset_MakeWarpFactor( asset, (float)step, header->pinSetId, wanted[0], wanted[1], wanted[2] ) ==
			gel_success;
	if ( !ok )
		gelFindings_Add( findings, gel_findingInternal, pack->path,
			"the factor of section WFAC (key %016" PRIx64 ") could not be made again", section->key );
	for ( int k = 0; k < 3 && ok; ++k )
	{
		uint64_t i = FindDifference( wanted[k], numbers[k], counts[k] );
		if ( i == counts[k] ) continue;
		gelFindings_Add( findings, gel_findingFactorWrong, pack->path,
			"section WFAC (key %016" PRIx64 "), number %" PRIu64 " of its %s, at byte %" PRIu64
			": it is %g, that of the cage and its materials is %g",
			section->key, i, names[k], (uint64_t)( (const uint8_t*)( numbers[k] + i ) - pack->bytes ),
			(double)numbers[k][i], (double)wanted[k][i] );
		ok = false;
	}
	for ( int k = 0; k < 3; ++k )
		free( wanted[k] );
}

void gelVerifyWarp( const gelInspectedPack* pack, gelProgram* program )
{
	uint32_t count = gelPack_CountSections( &pack->view, GEL_SECTION_WFAC );
	gelAsset* asset = NULL;
	if ( count == 0 ) return;
	if ( gelOpenAsset( pack->bytes, pack->byteCount, NULL, &asset, NULL ) != gel_success )
	{
		gelFindings_Add(
			&program->findings, gel_findingInternal, pack->path, "the runtime does not open the pack" );
		return;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelProgress_Update( &program->progress, "fronts", (double)i / count );
		VerifyFactor(
			pack, asset, gelPack_GetSection( &pack->view, GEL_SECTION_WFAC, i ), &program->findings );
	}
	gelDestroyAsset( asset );
}
