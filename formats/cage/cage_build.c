// SPDX-License-Identifier: MIT
#include "cage/cage_build.h"

#include "gelpack/asserts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A tet is flat when its six-fold volume is below this part of its longest edge cubed. Rounding of the
// corners to double alone causes about 1e-15; the worst slivers of Delaunay meshers are about 1e-5.
#define FLAT_RATIO 1e-12

// ---- collecting ----

static bool Grow( void** array, size_t itemBytes, uint32_t capacity )
{
	GEL_ASSERT( itemBytes > 0 && capacity > 0 );
	void* larger = realloc( *array, itemBytes * capacity );
	if ( larger == NULL ) return false;
	*array = larger;
	return true;
}

static uint32_t NextCapacity( uint32_t capacity )
{
	return capacity == 0 ? 64 : 2 * capacity; // counts are at most 2^24
}

bool gelCageBuilder_AddNode( gelCageBuilder* b, uint64_t id, const double* position, uint64_t line )
{
	if ( b->nodeCount == GEL_CAGE_MAX_NODES )
		return gelCageFail( b->error, b->nodeFile, line, "there are more than %u nodes", GEL_CAGE_MAX_NODES );
	if ( b->nodeCount == b->nodeCapacity )
	{
		uint32_t capacity = NextCapacity( b->nodeCapacity );
		bool ok = Grow( (void**)&b->positions, 3 * sizeof( double ), capacity ) &&
			Grow( (void**)&b->nodeIds, sizeof( uint64_t ), capacity ) &&
			Grow( (void**)&b->nodeLines, sizeof( uint32_t ), capacity );
		if ( !ok ) return gelCageFailMemory( b->error, b->nodeFile );
		b->nodeCapacity = capacity;
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( !( fabs( position[i] ) <= GEL_CAGE_MAX_COORD ) )
		{
			return gelCageFail( b->error, b->nodeFile, line,
				"a coordinate of %g m is out of range (limit %g m)", position[i], GEL_CAGE_MAX_COORD );
		}
		b->positions[3 * (size_t)b->nodeCount + (size_t)i] = position[i];
	}
	b->nodeIds[b->nodeCount] = id;
	b->nodeLines[b->nodeCount] = (uint32_t)line; // a file of 2^30 bytes has no more lines
	b->nodeCount += 1;
	return true;
}

bool gelCageBuilder_AddTet(
	gelCageBuilder* b, uint64_t id, const uint64_t* nodeIds, uint32_t region, uint64_t line )
{
	if ( b->tetCount == GEL_CAGE_MAX_TETS )
		return gelCageFail( b->error, b->tetFile, line, "there are more than %u tets", GEL_CAGE_MAX_TETS );
	if ( b->tetCount == b->tetCapacity )
	{
		uint32_t capacity = NextCapacity( b->tetCapacity );
		bool ok = Grow( (void**)&b->tetNodes, 4 * sizeof( uint64_t ), capacity ) &&
			Grow( (void**)&b->tetIds, sizeof( uint64_t ), capacity ) &&
			Grow( (void**)&b->tetLines, sizeof( uint32_t ), capacity ) &&
			Grow( (void**)&b->regions, sizeof( uint32_t ), capacity );
		if ( !ok ) return gelCageFailMemory( b->error, b->tetFile );
		b->tetCapacity = capacity;
	}
	memcpy( b->tetNodes + 4 * (size_t)b->tetCount, nodeIds, 4 * sizeof( uint64_t ) );
	b->tetIds[b->tetCount] = id;
	b->tetLines[b->tetCount] = (uint32_t)line;
	b->regions[b->tetCount] = region;
	b->tetCount += 1;
	return true;
}

void gelFreeCageBuilder( gelCageBuilder* b )
{
	free( b->positions );
	free( b->nodeIds );
	free( b->nodeLines );
	free( b->tetNodes );
	free( b->tetIds );
	free( b->tetLines );
	free( b->regions );
	*b = ( gelCageBuilder ){ 0 };
}

// ---- ids ----

typedef struct IdEntry
{
	uint64_t id;
	uint32_t index;
} IdEntry;

// Total order: equal ids by index, so that a message names the second occurrence.
static int CompareEntries( const void* a, const void* b )
{
	const IdEntry *x = a, *y = b;
	if ( x->id != y->id ) return x->id < y->id ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

// Ids in ascending order with their indices. Files nearly always list them so; then sorting is left out.
static IdEntry* SortIds( const uint64_t* ids, uint32_t count )
{
	IdEntry* entries = malloc( ( (size_t)count + 1 ) * sizeof( IdEntry ) );
	if ( entries == NULL ) return NULL;
	bool sorted = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		entries[i] = ( IdEntry ){ ids[i], i };
		sorted = sorted && ( i == 0 || ids[i - 1] <= ids[i] );
	}
	if ( !sorted ) qsort( entries, count, sizeof( IdEntry ), CompareEntries );
	return entries;
}

// Index of an id, or UINT32_MAX.
static uint32_t FindId( const IdEntry* entries, uint32_t count, uint64_t id )
{
	GEL_ASSERT( count == 0 || entries != NULL );
	// consecutive numbers, the usual case, need no search
	uint64_t guess = id - entries[0].id;
	if ( id >= entries[0].id && guess < count && entries[guess].id == id ) return entries[guess].index;
	uint32_t low = 0, high = count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( entries[middle].id < id )
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && entries[low].id == id ? entries[low].index : UINT32_MAX;
}

static const IdEntry* FindRepeated( const IdEntry* entries, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		if ( entries[i - 1].id == entries[i].id ) return entries + i;
	}
	return NULL;
}

static bool CheckTetIds( gelCageBuilder* b )
{
	IdEntry* entries = SortIds( b->tetIds, b->tetCount );
	if ( entries == NULL ) return gelCageFailMemory( b->error, b->tetFile );
	const IdEntry* repeated = FindRepeated( entries, b->tetCount );
	if ( repeated != NULL )
	{
		gelCageFail( b->error, b->tetFile, b->tetLines[repeated->index], "tet number %llu occurs twice",
			(unsigned long long)repeated->id );
	}
	free( entries );
	return repeated == NULL;
}

// Node ids of the tets to indices.
static bool MapTetNodes( gelCageBuilder* b, gelCage* cage )
{
	IdEntry* entries = SortIds( b->nodeIds, b->nodeCount );
	if ( entries == NULL ) return gelCageFailMemory( b->error, b->nodeFile );
	const IdEntry* repeated = FindRepeated( entries, b->nodeCount );
	bool ok = repeated == NULL;
	if ( !ok )
	{
		gelCageFail( b->error, b->nodeFile, b->nodeLines[repeated->index], "node number %llu occurs twice",
			(unsigned long long)repeated->id );
	}
	for ( size_t i = 0; ok && i < 4 * (size_t)b->tetCount; ++i )
	{
		cage->tets[i] = FindId( entries, b->nodeCount, b->tetNodes[i] );
		ok = cage->tets[i] != UINT32_MAX;
		if ( ok ) continue;
		gelCageFail( b->error, b->tetFile, b->tetLines[i / 4],
			"tet %llu uses node %llu, which does not exist", (unsigned long long)b->tetIds[i / 4],
			(unsigned long long)b->tetNodes[i] );
	}
	free( entries );
	return ok;
}

// ---- geometry ----

// Six-fold signed volume over the cube of the longest edge; in [-1, 1]. Zero when the edges are that short
// that the cube underflows.
static double RelativeVolume( const gelCage* cage, const uint32_t* tet )
{
	const double* p[4];
	double e[3][3], longest = 0.0;
	for ( int i = 0; i < 4; ++i )
		p[i] = cage->positions + 3 * (size_t)tet[i];
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			double d[3] = { p[j][0] - p[i][0], p[j][1] - p[i][1], p[j][2] - p[i][2] };
			longest = fmax( longest, d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
			if ( i == 0 ) memcpy( e[j - 1], d, sizeof( d ) );
		}
	}
	double det = e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) +
		e[0][1] * ( e[1][2] * e[2][0] - e[1][0] * e[2][2] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
	double cube = longest * sqrt( longest );
	return cube > 0.0 ? det / cube : 0.0;
}

static bool CheckVolumes( gelCageBuilder* b, gelCage* cage, uint32_t* outTurned )
{
	uint32_t turned = 0;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		uint32_t* tet = cage->tets + 4 * (size_t)t;
		double volume = RelativeVolume( cage, tet );
		if ( fabs( volume ) < FLAT_RATIO )
		{
			return gelCageFail( b->error, b->tetFile, b->tetLines[t],
				"tet %llu has no volume: its nodes lie in a plane or coincide",
				(unsigned long long)b->tetIds[t] );
		}
		if ( volume > 0.0 ) continue;
		uint32_t swapped = tet[2];
		tet[2] = tet[3];
		tet[3] = swapped;
		turned += 1;
	}
	if ( outTurned != NULL ) *outTurned = turned;
	return true;
}

static bool HasRegions( const gelCageBuilder* b )
{
	for ( uint32_t t = 0; t < b->tetCount; ++t )
	{
		if ( b->regions[t] != 0 ) return true;
	}
	return false;
}

bool gelCageBuilder_Finish( gelCageBuilder* b, gelCage* outCage, uint32_t* outTurned )
{
	if ( b->nodeCount == 0 ) return gelCageFail( b->error, b->nodeFile, 0, "the file has no nodes" );
	if ( b->tetCount == 0 ) return gelCageFail( b->error, b->tetFile, 0, "the file has no tets" );
	gelCage cage = { b->positions, b->nodeCount, malloc( 4 * sizeof( uint32_t ) * b->tetCount ), b->tetCount,
		NULL };
	bool ok = cage.tets != NULL || gelCageFailMemory( b->error, b->tetFile );
	ok = ok && CheckTetIds( b ) && MapTetNodes( b, &cage ) && CheckVolumes( b, &cage, outTurned );
	if ( !ok )
	{
		free( cage.tets );
		return false;
	}
	b->positions = NULL; // moved
	if ( HasRegions( b ) )
	{
		cage.regions = b->regions;
		b->regions = NULL;
	}
	*outCage = cage;
	return true;
}
