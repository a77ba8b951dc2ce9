// SPDX-License-Identifier: MIT
// Writes Gmsh MSH 2.2 and 4.1 (layouts: cage_msh.c, cage_msh4.c). Every region becomes one volume of the
// geometry and, unless it is 0, one physical group, so that Gmsh shows and keeps it.
#include "cage/cage_formats.h"

#include "gelpack/asserts.h"

#include <stdlib.h>

typedef struct Regions
{
	uint32_t* values; // sorted, each once; a volume's tag is its index + 1
	uint32_t count;
} Regions;

static int CompareU32( const void* a, const void* b )
{
	uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
	return x < y ? -1 : x > y;
}

static uint32_t RegionOf( const gelCage* cage, uint32_t tet )
{
	return cage->regions != NULL ? cage->regions[tet] : 0;
}

static bool CollectRegions( const gelCage* cage, Regions* regions )
{
	*regions = ( Regions ){ malloc( ( (size_t)cage->tetCount + 1 ) * sizeof( uint32_t ) ), 0 };
	if ( regions->values == NULL ) return false;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
		regions->values[t] = RegionOf( cage, t );
	qsort( regions->values, cage->tetCount, sizeof( uint32_t ), CompareU32 );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		bool isNew = regions->count == 0 || regions->values[regions->count - 1] != regions->values[t];
		if ( isNew ) regions->values[regions->count++] = regions->values[t];
	}
	return true;
}

static uint32_t VolumeTag( const Regions* regions, uint32_t region )
{
	const uint32_t* found =
		bsearch( &region, regions->values, regions->count, sizeof( uint32_t ), CompareU32 );
	return (uint32_t)( found - regions->values ) + 1;
}

static void WriteFormat( gelCageOut* out, const char* version )
{
	gelCageOut_Print( out, "$MeshFormat\n%s 0 8\n$EndMeshFormat\n", version );
}

void gelWriteMsh2( const gelCage* cage, gelCageOut* out )
{
	Regions regions;
	if ( !CollectRegions( cage, &regions ) )
	{
		out->failed = true;
		return;
	}
	WriteFormat( out, "2.2" );
	gelCageOut_Print( out, "$Nodes\n%u\n", cage->nodeCount );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gelCageOut_Print( out, "%u", i + 1 );
		gelCageOut_Point( out, " ", cage->positions + 3 * (size_t)i );
		gelCageOut_Print( out, "\n" );
	}
	gelCageOut_Print( out, "$EndNodes\n$Elements\n%u\n", cage->tetCount );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)t;
		uint32_t region = RegionOf( cage, t );
		gelCageOut_Print( out, "%u 4 2 %u %u %u %u %u %u\n", t + 1, region, VolumeTag( &regions, region ),
			n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1 );
	}
	gelCageOut_Print( out, "$EndElements\n" );
	free( regions.values );
}

// Bounds of each volume, 6 per region: min x y z, max x y z.
static double* RegionBounds( const gelCage* cage, const Regions* regions )
{
	double* bounds = malloc( ( 6 * (size_t)regions->count + 1 ) * sizeof( double ) );
	if ( bounds == NULL ) return NULL;
	for ( uint32_t r = 0; r < regions->count; ++r )
	{
		for ( int k = 0; k < 6; ++k )
			bounds[6 * (size_t)r + (size_t)k] = k < 3 ? GEL_CAGE_MAX_COORD : -GEL_CAGE_MAX_COORD;
	}
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
	{
		double* b = bounds + 6 * (size_t)( VolumeTag( regions, RegionOf( cage, (uint32_t)( i / 4 ) ) ) - 1 );
		const double* p = cage->positions + 3 * (size_t)cage->tets[i];
		for ( int k = 0; k < 3; ++k )
		{
			b[k] = p[k] < b[k] ? p[k] : b[k];
			b[k + 3] = p[k] > b[k + 3] ? p[k] : b[k + 3];
		}
	}
	return bounds;
}

static void WriteEntities( gelCageOut* out, const Regions* regions, const double* bounds )
{
	gelCageOut_Print( out, "$Entities\n0 0 0 %u\n", regions->count );
	for ( uint32_t r = 0; r < regions->count; ++r )
	{
		gelCageOut_Print( out, "%u", r + 1 );
		gelCageOut_Point( out, " ", bounds + 6 * (size_t)r );
		gelCageOut_Point( out, " ", bounds + 6 * (size_t)r + 3 );
		if ( regions->values[r] != 0 )
			gelCageOut_Print( out, " 1 %u 0\n", regions->values[r] );
		else
			gelCageOut_Print( out, " 0 0\n" );
	}
	gelCageOut_Print( out, "$EndEntities\n" );
}

static void WriteNodeBlock( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print(
		out, "$Nodes\n1 %u 1 %u\n3 1 0 %u\n", cage->nodeCount, cage->nodeCount, cage->nodeCount );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		gelCageOut_Print( out, "%u\n", i + 1 );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gelCageOut_Point( out, "", cage->positions + 3 * (size_t)i );
		gelCageOut_Print( out, "\n" );
	}
	gelCageOut_Print( out, "$EndNodes\n" );
}

// End of the run of tets with equal region that starts at first. Blocks are runs, so that the order is kept.
static uint32_t RunEnd( const gelCage* cage, uint32_t first )
{
	GEL_ASSERT( first < cage->tetCount );
	uint32_t end = first + 1;
	while ( end < cage->tetCount && RegionOf( cage, end ) == RegionOf( cage, first ) )
		end += 1;
	return end;
}

static void WriteElementBlocks( const gelCage* cage, gelCageOut* out, const Regions* regions )
{
	uint32_t blockCount = 0;
	for ( uint32_t first = 0; first < cage->tetCount; first = RunEnd( cage, first ) )
		blockCount += 1;
	gelCageOut_Print( out, "$Elements\n%u %u 1 %u\n", blockCount, cage->tetCount, cage->tetCount );
	for ( uint32_t first = 0, end; first < cage->tetCount; first = end )
	{
		end = RunEnd( cage, first );
		gelCageOut_Print( out, "3 %u 4 %u\n", VolumeTag( regions, RegionOf( cage, first ) ), end - first );
		for ( uint32_t t = first; t < end; ++t )
		{
			const uint32_t* n = cage->tets + 4 * (size_t)t;
			gelCageOut_Print( out, "%u %u %u %u %u\n", t + 1, n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1 );
		}
	}
	gelCageOut_Print( out, "$EndElements\n" );
}

void gelWriteMsh4( const gelCage* cage, gelCageOut* out )
{
	Regions regions;
	double* bounds = CollectRegions( cage, &regions ) ? RegionBounds( cage, &regions ) : NULL;
	out->failed = bounds == NULL;
	if ( bounds != NULL )
	{
		WriteFormat( out, "4.1" );
		WriteEntities( out, &regions, bounds );
		WriteNodeBlock( cage, out );
		WriteElementBlocks( cage, out, &regions );
	}
	free( bounds );
	free( regions.values );
}
