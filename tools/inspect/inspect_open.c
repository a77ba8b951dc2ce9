// SPDX-License-Identifier: MIT
// Opening and measuring. A fault that the reader finds is named with section, element, byte and the rule that
// is broken, so that the author of another writer of packs can work with it.
#include "inspect/inspect.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gelSectionName gelMakeSectionName( uint32_t fourcc )
{
	gelSectionName name = { { 0 } };
	for ( int i = 0; i < 4; ++i )
	{
		char c = (char)( ( fourcc >> ( 8 * i ) ) & 0xFFu );
		// A damaged table holds any bytes, and they go to a terminal.
		name.text[i] = ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) ? c : '?';
	}
	return name;
}

// Codes of the reader are for games, which react to kinds of faults. People look numbers up in
// docs/findings.md, so several codes share a finding whose advice is the same.
static int FindingOf( gelPackCode code )
{
	switch ( code )
	{
		case gel_packMagic:
		case gel_packEndian:
			return gel_findingNotPack;
		case gel_packTruncated:
		case gel_packTrailing:
			return gel_findingPackSizeWrong;
		case gel_packVersion:
			return gel_findingPackVersion;
		case gel_packChecksum:
			return gel_findingPackDamaged;
		case gel_packHeader:
		case gel_packTable:
			return gel_findingPackTableWrong;
		case gel_packUnknownSection:
		case gel_packMissingSection:
			return gel_findingSectionMissing;
		case gel_packSize:
		case gel_packIndex:
		case gel_packValue:
		case gel_packStructure:
			return gel_findingSectionRuleBroken;
		default:
			return gel_findingInternal; // alignment and scratch memory are ours to provide
	}
}

// Where a fault is, for people: "section FACT (key ...), element 3" or "table entry 5" or nothing.
static void DescribePlace( char* out, size_t capacity, const gelPackFault* fault )
{
	GEL_ASSERT( capacity > 0 );
	uint64_t tableEnd = sizeof( gelPackHeader ) + GEL_PACK_MAX_SECTIONS * sizeof( gelPackSection );
	char name[48] = "";
	if ( fault->fourcc != 0 )
	{
		snprintf( name, sizeof( name ), ", section %s (key %016" PRIx64 ")",
			gelMakeSectionName( fault->fourcc ).text, fault->key );
	}
	// Faults of the table itself and of elements both have an index; the offset tells them apart.
	bool inTable = fault->byteOffset == sizeof( gelPackHeader ) + fault->index * sizeof( gelPackSection );
	if ( fault->fourcc == 0 || fault->code == gel_packChecksum || fault->code == gel_packMissingSection )
		snprintf( out, capacity, "%s", name );
	else if ( inTable && fault->byteOffset < tableEnd )
		snprintf( out, capacity, "%s, table entry %" PRIu64, name, fault->index );
	else
		snprintf( out, capacity, "%s, element %" PRIu64, name, fault->index );
}

// The text is the rule and not the fault: the same words as in formats/pack.md, which has to be kept.
static void AddFault( gelFindings* findings, const char* path, size_t byteCount, const gelPackFault* fault )
{
	char place[128];
	DescribePlace( place, sizeof( place ), fault );
	gelFindings_Add( findings, FindingOf( fault->code ), path,
		"%s%s, at byte %" PRIu64 " of %zu: the rule is: %s", gelPackCode_String( fault->code ), place,
		fault->byteOffset, byteCount, fault->text );
}

// Whole packs are read into memory of the alignment that the reader asks for.
static bool ReadAligned( gelInspectedPack* pack, gelFindings* findings )
{
	uint8_t* file = gelReadFile( pack->path, (size_t)GEL_PACK_MAX_BYTES, &pack->byteCount, findings );
	if ( file == NULL ) return false;
	size_t room = ( pack->byteCount + GEL_PACK_ALIGNMENT ) / GEL_PACK_ALIGNMENT * GEL_PACK_ALIGNMENT;
	pack->bytes = aligned_alloc( GEL_PACK_ALIGNMENT, room );
	if ( pack->bytes != NULL )
		memcpy( pack->bytes, file, pack->byteCount );
	else
		gelFindings_Add(
			findings, gel_findingNoMemory, pack->path, "the pack has %zu bytes", pack->byteCount );
	free( file );
	return pack->bytes != NULL;
}

bool gelInspectedPack_Open( gelInspectedPack* pack, const char* path, gelFindings* findings )
{
	GEL_ASSERT( pack != NULL && path != NULL );
	*pack = ( gelInspectedPack ){ .path = path };
	if ( !ReadAligned( pack, findings ) ) return false;
	size_t scratchBytes = gelPack_ScratchBytes( pack->bytes, pack->byteCount );
	void* scratch = malloc( scratchBytes + 1 );
	gelPackFault fault = { .code = gel_packScratch, .text = "there is enough memory" };
	if ( scratch != NULL )
		gelPack_Open( pack->bytes, pack->byteCount, scratch, scratchBytes, 0, &pack->view, &fault );
	free( scratch );
	if ( fault.code == gel_packOk ) return true;
	AddFault( findings, path, pack->byteCount, &fault );
	gelInspectedPack_Close( pack );
	return false;
}

void gelInspectedPack_Close( gelInspectedPack* pack )
{
	free( pack->bytes );
	*pack = ( gelInspectedPack ){ 0 };
}

// ---- measuring -----------------------------------------------------------------------------------

// Grows a box [m] around a point.
static void Include( double low[3], double high[3], const double p[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( p[k] < low[k] ) low[k] = p[k];
		if ( p[k] > high[k] ) high[k] = p[k];
	}
}

// The weighted corners of its tet.
void gelGetArtPosition( const gelPackView* view, uint32_t vertex, double out[3] )
{
	GEL_ASSERT( vertex < view->header->artVertexCount );
	const gelPackTet* tet = view->tets + view->embedTets[vertex];
	const float* weights = view->embedWeights + (size_t)( vertex / GEL_PACK_LANES ) * 4 * GEL_PACK_LANES +
		vertex % GEL_PACK_LANES;
	out[0] = out[1] = out[2] = 0.0;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		const gelPackNode* node = view->nodes + tet->node[k];
		double w = weights[k * GEL_PACK_LANES];
		out[0] += w * node->x;
		out[1] += w * node->y;
		out[2] += w * node->z;
	}
}

double gelGetLargestCoordinate( const gelPackView* view )
{
	GEL_ASSERT( view->nodes != NULL );
	double largest = 0.0;
	for ( uint32_t i = 0; i < view->header->nodeCount; ++i )
	{
		const gelPackNode* n = view->nodes + i;
		largest =
			fmax( largest, fmax( fabs( (double)n->x ), fmax( fabs( (double)n->y ), fabs( (double)n->z ) ) ) );
	}
	return largest;
}

static void MeasureBounds( const gelPackView* view, gelPackFacts* facts )
{
	for ( int k = 0; k < 3; ++k )
	{
		facts->cageMin[k] = facts->artMin[k] = 1e300;
		facts->cageMax[k] = facts->artMax[k] = -1e300;
	}
	for ( uint32_t i = 0; i < view->header->nodeCount; ++i )
	{
		double p[3] = { view->nodes[i].x, view->nodes[i].y, view->nodes[i].z };
		Include( facts->cageMin, facts->cageMax, p );
	}
	for ( uint32_t i = 0; i < view->header->artVertexCount; ++i )
	{
		double p[3];
		gelGetArtPosition( view, i, p );
		Include( facts->artMin, facts->artMax, p );
	}
}

// In double from the floats of the pack, in the order of its arrays: the same digits on every machine.
gelPackFacts gelMeasurePack( const gelPackView* view )
{
	GEL_ASSERT( view->header != NULL && view->header->tetCount > 0 );
	gelPackFacts facts = { .minTetVolume = 1e300, .minColorTets = UINT32_MAX };
	MeasureBounds( view, &facts );
	for ( uint32_t i = 0; i < view->header->nodeCount; ++i )
		facts.mass += view->masses[i].mass;
	for ( uint32_t i = 0; i < view->header->tetCount; ++i )
	{
		double volume = view->tetRests[i].volume;
		facts.volume += volume;
		uint32_t material = view->tetRests[i].material;
		if ( material < GEL_MAX_LISTED_MATERIALS ) facts.materialTets[material] += 1;
		if ( volume < facts.minTetVolume ) facts.minTetVolume = volume;
		if ( volume > facts.maxTetVolume ) facts.maxTetVolume = volume;
	}
	for ( uint32_t i = 0; i < view->colorCount; ++i )
	{
		uint32_t count = view->colorFirst[i + 1] - view->colorFirst[i];
		if ( count < facts.minColorTets ) facts.minColorTets = count;
		if ( count > facts.maxColorTets ) facts.maxColorTets = count;
	}
	// What is left when all sections are taken away: header, table and gaps up to the alignment of 64 bytes.
	facts.paddingBytes = view->header->fileBytes;
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
		facts.paddingBytes -= view->sections[i].bytes;
	return facts;
}

// Bytes per triangle are the figure to watch: 45 at 100K triangles, and several times that where cuts
// outnumber the art.
gelSurfaceFacts gelMeasureSurface( const gelPackView* view )
{
	GEL_ASSERT( view->header != NULL );
	static const uint32_t sections[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX,
		GEL_SECTION_CTRI, GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
	gelSurfaceFacts facts = { 0 };
	if ( view->cells == NULL ) return facts;
	for ( uint32_t i = 0; i < view->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = view->patches + i;
		uint32_t depth = 0;
		// Trees of patches are complete, so the depth is the number of bits of the count.
		while ( patch->triangleCount >> depth != 0 )
			++depth;
		facts.treeDepth = depth > facts.treeDepth ? depth : facts.treeDepth;
		facts.largestPatch =
			patch->triangleCount > facts.largestPatch ? patch->triangleCount : facts.largestPatch;
		facts.vertexCount += patch->vertexCount;
		facts.area += (double)patch->area;
	}
	for ( uint32_t i = 0; i < view->header->cdgVertexCount && view->supports.header != NULL; ++i )
		facts.supportCount += gelSupports_Has( &view->supports, i );
	facts.openEdges = view->cdgOpenEdges;
	for ( size_t i = 0; i < sizeof( sections ) / sizeof( sections[0] ); ++i )
		facts.bytes += gelPack_FindSection( view, sections[i], 0 )->bytes;
	facts.bytesPerTriangle = (double)facts.bytes / (double)view->header->artTriangleCount;
	return facts;
}

json_t* gelParseMeta( const gelPackView* view, char* outError, size_t errorCapacity )
{
	GEL_ASSERT( errorCapacity > 0 );
	// jansson refuses bytes that are not UTF-8, names that are there twice, and nesting beyond 2048.
	json_error_t error;
	json_t* meta = json_loadb( view->meta, view->metaBytes, JSON_REJECT_DUPLICATES, &error );
	if ( meta == NULL )
		snprintf( outError, errorCapacity, "line %d, column %d: %s", error.line, error.column, error.text );
	if ( meta == NULL || json_is_object( meta ) ) return meta;
	snprintf( outError, errorCapacity, "it is JSON, but not an object" );
	json_decref( meta );
	return NULL;
}
