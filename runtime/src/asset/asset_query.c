// SPDX-License-Identifier: MIT
// What a game may ask about an asset.
#include "asset/asset.h"

#include <string.h>

gelAssetInfo gelAsset_GetInfo( const gelAsset* asset )
{
	if ( asset == NULL ) return ( gelAssetInfo ){ 0 };
	const gelPackView* pack = &asset->pack;
	gelAssetInfo info = {
		.nodeCount = asset->nodeCount,
		.tetCount = asset->tetCount,
		.vertexCount = asset->vertexCount,
		.triangleCount = asset->triangleCount,
		.materialCount = (int)pack->materialCount,
		.factorCount = (int)gelPack_CountSections( pack, GEL_SECTION_FACT ),
		.pinSetCount = (int)gelPack_CountSections( pack, GEL_SECTION_PINS ),
		.colorCount = (int)pack->colorCount,
		.hasNormals = pack->normals != NULL,
		.mass = asset->mass,
		.volume = asset->volume,
		.restBounds = asset->restBounds,
		.derivedBytes = asset->bytes,
		.packBytes = (size_t)pack->header->fileBytes,
		.hasClosedSurface = asset->isSurfaceClosed,
	};
	if ( pack->patches )
	{
		info.cellCount = (int)pack->header->cdgTetCount;
		info.patchCount = (int)pack->header->cdgPatchCount;
		info.patchVertexCount = (int)pack->header->cdgVertexCount;
		info.patchTriangleCount = (int)pack->header->cdgTriangleCount;
		info.coarseLevelCount = (int)pack->bvhDepth;
	}
	memcpy( info.provenance, pack->header->provenance, sizeof( info.provenance ) );
	return info;
}

static float StepFromBits( uint64_t bits )
{
	double step;
	memcpy( &step, &bits, sizeof( step ) );
	return (float)step;
}

int gelAsset_GetFactors( const gelAsset* asset, gelFactorInfo* out, int outCapacity )
{
	if ( asset == NULL ) return 0;
	int count = (int)gelPack_CountSections( &asset->pack, GEL_SECTION_FACT );
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
	{
		const gelPackSection* section = gelPack_GetSection( &asset->pack, GEL_SECTION_FACT, (uint32_t)i );
		gelPackFactorView factor = gelPack_GetFactor( &asset->pack, section );
		out[i] = ( gelFactorInfo ){ StepFromBits( factor.header->stepBits ), factor.header->pinSetId,
			(int)factor.header->n, (size_t)section->bytes };
	}
	return count;
}

int gelAsset_GetPinSets( const gelAsset* asset, uint64_t* out, int outCapacity )
{
	if ( asset == NULL ) return 0;
	int count = (int)gelPack_CountSections( &asset->pack, GEL_SECTION_PINS );
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
		out[i] = gelPack_GetSection( &asset->pack, GEL_SECTION_PINS, (uint32_t)i )->key;
	return count;
}

const uint32_t* gelAsset_FindPinSet( const gelAsset* asset, uint64_t pinSetId, int* outCount )
{
	GEL_ASSERT( asset != NULL && outCount != NULL );
	*outCount = 0;
	if ( pinSetId == 0 ) return NULL;
	const gelPackSection* section = gelPack_FindSection( &asset->pack, GEL_SECTION_PINS, pinSetId );
	if ( section == NULL ) return NULL;
	*outCount = (int)section->count;
	return (const uint32_t*)( asset->pack.bytes + section->offset );
}

int gelAsset_GetPinnedNodes( const gelAsset* asset, uint64_t pinSetId, int* out, int outCapacity )
{
	if ( asset == NULL ) return 0;
	int count;
	const uint32_t* nodes = gelAsset_FindPinSet( asset, pinSetId, &count );
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
		out[i] = (int)nodes[i];
	return count;
}

bool gelAsset_FindFactor( const gelAsset* asset, float step, uint64_t pinSetId, gelPackFactorView* outFactor )
{
	GEL_ASSERT( step > 0.0f );
	uint64_t key = gelPack_FactorKey( GEL_FACTOR_FAST, (double)step, pinSetId );
	const gelPackSection* section = gelPack_FindSection( &asset->pack, GEL_SECTION_FACT, key );
	if ( section == NULL ) return false;
	gelPackFactorView factor = gelPack_GetFactor( &asset->pack, section );
	double wanted = (double)step;
	uint64_t wantedBits;
	memcpy( &wantedBits, &wanted, sizeof( wantedBits ) );
	int pinCount;
	gelAsset_FindPinSet( asset, pinSetId, &pinCount );
	// The key is a hash: what it stands for is in the header of the section.
	const gelPackFactor* header = factor.header;
	if ( header->solverKind != GEL_FACTOR_FAST || header->blockSize != 1 || header->stepBits != wantedBits ||
		header->pinSetId != pinSetId || header->n != (uint32_t)( asset->nodeCount - pinCount ) )
		return false;
	*outFactor = factor;
	return true;
}

const uint32_t* gelAsset_GetTriangles( const gelAsset* asset )
{
	return asset ? (const uint32_t*)asset->pack.triangles : NULL;
}

const char* gelAsset_GetMeta( const gelAsset* asset, size_t* outBytes )
{
	if ( outBytes ) *outBytes = asset && outBytes ? asset->pack.metaBytes : 0;
	return asset && outBytes ? (const char*)asset->pack.meta : NULL;
}

const uint32_t* gelAsset_GetVertexSources( const gelAsset* asset )
{
	return asset ? asset->pack.embedSources : NULL;
}

const uint32_t* gelAsset_GetTets( const gelAsset* asset )
{
	return asset ? (const uint32_t*)asset->pack.tets : NULL;
}

const uint32_t* gelAsset_GetSourceNodes( const gelAsset* asset )
{
	return asset ? asset->pack.nodeSources : NULL;
}

const uint32_t* gelAsset_GetSourceTets( const gelAsset* asset )
{
	return asset ? asset->pack.tetSources : NULL;
}

gelMaterialInfo gelAsset_GetMaterial( const gelAsset* asset, int index )
{
	if ( asset == NULL || index < 0 || index >= (int)asset->pack.materialCount )
		return ( gelMaterialInfo ){ .name = "" };
	const gelPackMaterial* m = asset->pack.materials + index;
	return ( gelMaterialInfo ){ m->name, m->density, m->youngsModulus, m->poissonsRatio, m->mu, m->lambda,
		m->damping, m->staticFriction, m->dynamicFriction };
}

int gelAsset_GetTetMaterials( const gelAsset* asset, int* out, int outCapacity )
{
	if ( asset == NULL ) return 0;
	for ( int t = 0; out != NULL && t < gelMinInt( asset->tetCount, outCapacity ); ++t )
		out[t] = asset->pack.tetRests[t].material;
	return asset->tetCount;
}

int gelAsset_GetRestNodes( const gelAsset* asset, gelVec3* out, int outCapacity )
{
	if ( asset == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( asset->nodeCount, outCapacity ); ++i )
		out[i] = gelGetRestNode( asset->pack.nodes, (uint32_t)i );
	return asset->nodeCount;
}
