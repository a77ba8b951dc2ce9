// SPDX-License-Identifier: MIT
// Loading: envelope and contents are judged by the pack reader; this file owns the memory, maps faults to
// results and derives what the step wants but the pack does not state.
#include "asset/asset.h"

#include "asset/asset_model.h"
#include "pack/pack_read_cdg.h"
#include "asset/blocks.h"
#include "asset/coarse_nodes.h"
#include "simd/panel_kernels.h"

#include <stdio.h>
#include <string.h>

gelAssetDef gelDefaultAssetDef( void )
{
	return ( gelAssetDef ){ .cookie = GEL_COOKIE };
}

static gelResult MapPackCode( gelPackCode code )
{
	switch ( code )
	{
		case gel_packOk:
			return gel_success;
		case gel_packTruncated:
		case gel_packTrailing:
			return gel_errorTruncated;
		case gel_packMagic:
		case gel_packEndian:
			return gel_errorNotAPack;
		case gel_packVersion:
			return gel_errorVersion;
		case gel_packChecksum:
			return gel_errorChecksum;
		case gel_packAlignment:
			return gel_errorAlignment;
		case gel_packScratch:
			return gel_errorMemory;
		default:
			return gel_errorCorrupt;
	}
}

static gelResult Refuse( gelLoadError* outError, gelResult result, const char* rule )
{
	if ( outError ) *outError = ( gelLoadError ){ .result = result, .rule = rule };
	return result;
}

static gelResult RefuseFault( gelLoadError* outError, const gelPackFault* fault )
{
	gelResult result = MapPackCode( fault->code );
	Refuse( outError, result, fault->text ? fault->text : gelPackCode_String( fault->code ) );
	if ( outError )
	{
		for ( int i = 0; i < 4 && fault->fourcc != 0; ++i )
		{
			char c = (char)( fault->fourcc >> ( 8 * i ) );
			outError->section[i] = c >= ' ' && c <= '~' ? c : '?';
		}
		outError->key = fault->key;
		outError->index = fault->index;
		outError->byteOffset = fault->byteOffset;
	}
	return result;
}

// Runs the validator with scratch memory of the allocator.
static gelResult Validate( const void* bytes, size_t byteCount, const gelAssetDef* def, gelPackView* view,
	gelPackView* levels, gelLoadError* outError )
{
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	void* scratch = NULL;
	if ( scratchBytes > 0 )
	{
		scratch = gelAllocate( &def->allocator, scratchBytes );
		if ( scratch == NULL ) return Refuse( outError, gel_errorMemory, "memory to validate the pack" );
	}
	gelPackFault fault = { 0 };
	uint32_t flags = def->isTrusted ? GEL_PACK_TRUST_CHECKSUM : 0;
	gelPackCode code =
		gelPack_OpenLevels( bytes, byteCount, scratch, scratchBytes, flags, view, levels, &fault );
	gelFree( &def->allocator, scratch, scratchBytes );
	return code == gel_packOk ? gel_success : RefuseFault( outError, &fault );
}

static gelSupportLists LayOutSupports( gelArena* arena, const gelPackView* view )
{
	const size_t count = gelCountSupportEntries( view );
	const bool isFixed = view->cdg.fixedWeights != NULL;
	gelSupportLists lists = { 0 };
	if ( count == 0 ) return lists;
	lists.first = gelArena_Take( arena, (size_t)view->header->cdgTetCount + 1, sizeof( uint32_t ) );
	lists.slots = gelArena_Take( arena, count, sizeof( uint32_t ) );
	if ( isFixed )
		lists.fixed = gelArena_Take( arena, count, sizeof( uint64_t ) );
	else
		lists.floats = gelArena_Take( arena, 4 * count, sizeof( float ) );
	return lists;
}

// The block of an asset:
//
//   | gelAsset | restDets | maxVolumeMoves | nodeDampings | nodeStiffness | tetVertexFirst | tetVertices |
//   | elements | volumes | lambdaVolumes | slotTets | coarse | supports | compliances | models of solvers |
static void* LayOut( gelArena* arena, const void* context )
{
	const gelPackView* view = context;
	const gelPackHeader* header = view->header;
	size_t blockCount = (size_t)gelCountBlocks( view ), coarseCount = gelCountCoarseNodes( view );
	gelAsset part = { .blockCount = (int)blockCount, .coarseCount = (int)coarseCount };
	gelAsset* asset = gelArena_Take( arena, 1, sizeof( gelAsset ) );
	part.restDets = gelArena_Take( arena, header->tetCount, sizeof( float ) );
	part.maxVolumeMoves = gelArena_Take( arena, header->tetCount, sizeof( float ) );
	part.nodeDampings = gelArena_Take( arena, header->nodeCount, sizeof( float ) );
	part.nodeStiffness = gelArena_Take( arena, header->nodeCount, sizeof( float ) );
	part.tetVertexFirst = gelArena_Take( arena, (size_t)header->tetCount + 1, sizeof( uint32_t ) );
	part.tetVertices = gelArena_Take( arena, header->artVertexCount, sizeof( uint32_t ) );
	part.elements = gelArena_Take( arena, blockCount, sizeof( gelElementBlock ) );
	part.volumes = gelArena_Take( arena, blockCount, sizeof( gelVolumeBlock ) );
	part.lambdaVolumes = gelArena_Take( arena, GEL_BLOCK_LANES * blockCount, sizeof( float ) );
	part.slotTets = gelArena_Take( arena, GEL_BLOCK_LANES * blockCount, sizeof( uint32_t ) );
	part.coarse = gelArena_Take( arena, coarseCount, sizeof( gelCoarseNode ) );
	part.supports = LayOutSupports( arena, view );
	part.complianceCount = gelCountCompliances( view );
	part.compliances = gelArena_Take( arena, part.complianceCount, sizeof( gelCompliance ) );
	for ( uint32_t i = 0; i < part.complianceCount; ++i )
	{
		float* rows = gelArena_Take( arena, gelGetComplianceFloats( view ), sizeof( float ) );
		if ( part.compliances ) part.compliances[i].rows = rows;
	}
	for ( int i = 0; i < GEL_SOLVER_COUNT; ++i )
	{
		const gelAssetModel* model = gelFindAssetModel( (gelSolverType)i );
		if ( model ) part.models[i] = model->layOut( arena, view );
	}
	if ( asset ) *asset = part;
	return asset;
}

static float ShortestEdge( const gelVec3 x[4] )
{
	float shortest2 = INFINITY;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
			shortest2 = fminf( shortest2, gelLengthSquared( gelSub( x[j], x[i] ) ) );
	}
	return sqrtf( shortest2 );
}

static void DeriveTets( gelAsset* asset )
{
	GEL_ASSERT( asset->tetCount > 0 && asset->restDets != NULL );
	const gelPackView* pack = &asset->pack;
	double volume = 0.0, young = 0.0;
	asset->maxPoisson = 0.0f;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		gelVec3 x[4];
		for ( int k = 0; k < 4; ++k )
			x[k] = gelGetRestNode( pack->nodes, pack->tets[t].node[k] );
		const gelPackTetRest* rest = pack->tetRests + t;
		const gelPackMaterial* material = pack->materials + rest->material;
		// NODE and TREF may disagree in a pack that no tool of ours wrote; the division must stay sane.
		float det = gelTetDeterminant( x[0], x[1], x[2], x[3] );
		asset->restDets[t] =
			det > 3.0f * rest->volume && det < 12.0f * rest->volume ? det : 6.0f * rest->volume;
		asset->maxVolumeMoves[t] = 0.5f * ShortestEdge( x );
		volume += rest->volume;
		young += 2.0 * rest->volume * material->mu * ( 1.0 + (double)material->poissonsRatio );
		asset->maxPoisson = fmaxf( asset->maxPoisson, material->poissonsRatio );
		asset->hasDamping = asset->hasDamping || material->damping > 0.0f;
	}
	asset->volume = (float)volume;
	asset->meanYoung = (float)( young / volume );
}

static void DeriveNodes( gelAsset* asset )
{
	GEL_ASSERT( asset->nodeCount > 0 && asset->nodeDampings != NULL );
	const gelPackView* pack = &asset->pack;
	double mass = 0.0;
	gelVec3 low = gelGetRestNode( pack->nodes, 0 ), high = low;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		mass += pack->masses[i].mass;
		low = gelMinVec3( low, gelGetRestNode( pack->nodes, (uint32_t)i ) );
		high = gelMaxVec3( high, gelGetRestNode( pack->nodes, (uint32_t)i ) );
	}
	asset->mass = (float)mass;
	asset->restCenter = gelScale( 0.5f, gelAdd( low, high ) );
	gelVec3 side = gelSub( high, low );
	asset->restSize = fmaxf( side.x, fmaxf( side.y, side.z ) );
	if ( !asset->hasDamping || pack->gatherFirst == NULL ) return;

	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		double sum = 0.0, volume = 0.0;
		for ( uint32_t k = pack->gatherFirst[i]; k < pack->gatherFirst[i + 1]; ++k )
		{
			const gelPackTetRest* rest = pack->tetRests + pack->gatherCorners[k] / 4;
			sum += (double)rest->volume * pack->materials[rest->material].damping;
			volume += rest->volume;
		}
		asset->nodeDampings[i] = volume > 0.0 ? (float)( sum / volume ) : 0.0f;
	}
}

// Counting sort of the art vertices by tet, and their bounds.
static void DeriveVertices( gelAsset* asset )
{
	GEL_ASSERT( asset->tetVertexFirst != NULL && asset->vertexCount >= 0 );
	const gelPackView* pack = &asset->pack;
	uint32_t* first = asset->tetVertexFirst;
	uint32_t count = (uint32_t)asset->vertexCount;
	for ( uint32_t v = 0; v < count; ++v )
		++first[pack->embedTets[v] + 1];
	for ( int t = 0; t < asset->tetCount; ++t )
		first[t + 1] += first[t];
	// first[t] moves to the end of t while filling, that is to the start of t + 1; moved back afterwards
	for ( uint32_t v = 0; v < count; ++v )
		asset->tetVertices[first[pack->embedTets[v]]++] = v;
	for ( int t = asset->tetCount; t > 0; --t )
		first[t] = first[t - 1];
	first[0] = 0;

	for ( uint32_t v = 0; v < count; ++v )
	{
		float w[4];
		gelGetWeights( pack->embedWeights, v, w );
		gelVec3 p = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < 4; ++k )
			p = gelMulAdd( p, w[k], gelGetRestNode( pack->nodes, pack->tets[pack->embedTets[v]].node[k] ) );
		asset->restBounds.min = v == 0 ? p : gelMinVec3( asset->restBounds.min, p );
		asset->restBounds.max = v == 0 ? p : gelMaxVec3( asset->restBounds.max, p );
	}
}

static bool IsSurfaceClosed( const gelPackView* pack )
{
	return pack->cells != NULL && pack->cdgOpenEdges == 0;
}

// The longest panel decides how much scratch memory a solve needs.
static void DeriveFactors( gelAsset* asset )
{
	uint32_t rowCount = 0;
	for ( uint32_t i = 0; i < asset->pack.header->sectionCount; ++i )
	{
		const gelPackSection* section = asset->pack.sections + i;
		if ( section->fourcc != GEL_SECTION_FACT && section->fourcc != GEL_SECTION_OPFA ) continue;
		gelPackFactorView factor = gelPack_GetFactor( &asset->pack, section );
		for ( uint32_t s = 0; s < factor.header->superCount; ++s )
		{
			uint32_t rows = factor.rowFirst[s + 1] - factor.rowFirst[s];
			rowCount = rows > rowCount ? rows : rowCount;
		}
	}
	asset->solveScratch = gelGetSolveScratch( rowCount );
}

// Needs scratch memory while the asset is made. @return false: no memory
static bool DeriveCompliances( gelAsset* asset )
{
	if ( asset->complianceCount == 0 ) return true;
	size_t bytes = sizeof( float ) * gelGetComplianceScratch( &asset->pack, asset->solveScratch );
	float* scratch = gelAllocate( &asset->allocator, bytes );
	if ( scratch == NULL ) return false;
	gelFillCompliances( &asset->pack, asset->compliances, scratch, asset->solveScratch );
	gelFree( &asset->allocator, scratch, bytes );
	return true;
}

const gelCompliance* gelAsset_FindCompliance( const gelAsset* asset, const gelPackFactor* factor )
{
	for ( uint32_t i = 0; i < asset->complianceCount; ++i )
	{
		if ( asset->compliances[i].factor == factor ) return asset->compliances + i;
	}
	return NULL;
}

// Diagonal block of an element for corner i with gradient g of its shape function (isotropic, at rest):
//     V ( mu ( |g|^2 I + g g^T ) + lambda g g^T ),   its trace: V |g|^2 ( 4 mu + lambda )
static void AddStiffness( const gelPackView* pack, uint32_t tet, float* stiffness )
{
	GEL_ASSERT( tet < pack->header->tetCount );
	const gelPackTetRest* rest = pack->tetRests + tet;
	const gelPackMaterial* material = pack->materials + rest->material;
	float scale = rest->volume * ( 4.0f * material->mu + material->lambda ) / 3.0f;
	gelVec3 first = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 g = gelGetGradient( rest, k );
		first = gelSub( first, g );
		stiffness[pack->tets[tet].node[k + 1]] += scale * gelLengthSquared( g );
	}
	stiffness[pack->tets[tet].node[0]] += scale * gelLengthSquared( first );
}

gelAsset* gelMakeAsset( const gelPackView* view, const gelAllocator* allocator )
{
	GEL_ASSERT( view->header != NULL && gelAllocator_IsValid( allocator ) );
	size_t assetBytes;
	gelAsset* asset = gelCreateBlock( allocator, LayOut, view, &assetBytes );
	if ( asset == NULL ) return NULL;
	asset->allocator = *allocator;
	asset->bytes = assetBytes;
	asset->pack = *view;
	asset->root = asset;
	asset->levels[0] = asset;
	asset->levelCount = 1;
	asset->nodeCount = (int)view->header->nodeCount;
	asset->tetCount = (int)view->header->tetCount;
	asset->vertexCount = (int)view->header->artVertexCount;
	asset->triangleCount = (int)view->header->artTriangleCount;
	DeriveTets( asset );
	for ( int t = 0; t < asset->tetCount; ++t )
		AddStiffness( &asset->pack, (uint32_t)t, asset->nodeStiffness );
	DeriveNodes( asset );
	DeriveVertices( asset );
	DeriveFactors( asset );
	gelFillBlocks( asset );
	gelFillCoarseTree( view, asset->coarse );
	gelFillSupportLists( view, &asset->supports );
	for ( int i = 0; i < GEL_SOLVER_COUNT; ++i )
	{
		if ( asset->models[i] ) gelFindAssetModel( (gelSolverType)i )->fill( asset->models[i], view );
	}
	asset->isSurfaceClosed = IsSurfaceClosed( view );
	if ( DeriveCompliances( asset ) ) return asset;
	gelFree( allocator, asset, assetBytes );
	return NULL;
}

// Takes ownedPack over on success only.
static gelResult CreateAsset( const void* bytes, size_t byteCount, const gelAssetDef* def, void* ownedPack,
	gelAsset** outAsset, gelLoadError* outError )
{
	GEL_ASSERT( ownedPack == NULL || ownedPack == bytes );
	gelPackView view = { 0 }, levels[GEL_PACK_MAX_LEVELS];
	gelResult result = Validate( bytes, byteCount, def, &view, levels, outError );
	if ( result != gel_success ) return result;
	gelAsset* asset = gelMakeAsset( &view, &def->allocator );
	if ( asset == NULL || !gelAsset_MakeLevels( asset, levels ) )
	{
		gelDestroyAsset( asset );
		return Refuse( outError, gel_errorMemory, "memory for the asset" );
	}
	asset->ownedPack = ownedPack;
	asset->ownedBytes = ownedPack ? byteCount : 0;
	*outAsset = asset;
	if ( outError ) *outError = ( gelLoadError ){ .rule = "" };
	return gel_success;
}

// Common start of the three ways in: def is replaced by the defaults when NULL.
static gelResult CheckArguments( const void* input, const gelAssetDef* def, gelAsset** outAsset,
	gelLoadError* outError, gelAssetDef* outDef )
{
	if ( outAsset == NULL ) return Refuse( outError, gel_errorArgument, "outAsset must not be NULL" );
	*outAsset = NULL;
	if ( input == NULL ) return Refuse( outError, gel_errorArgument, "the input must not be NULL" );
	*outDef = def ? *def : gelDefaultAssetDef();
	if ( outDef->cookie != GEL_COOKIE )
		return Refuse( outError, gel_errorArgument, "a gelAssetDef starts as gelDefaultAssetDef()" );
	if ( !gelAllocator_IsValid( &outDef->allocator ) )
		return Refuse( outError, gel_errorArgument, "an allocator has both hooks or none" );
	return gel_success;
}

gelResult gelOpenAsset(
	const void* bytes, size_t byteCount, const gelAssetDef* def, gelAsset** outAsset, gelLoadError* outError )
{
	gelAssetDef useDef;
	gelResult result = CheckArguments( bytes, def, outAsset, outError, &useDef );
	if ( result != gel_success ) return result;
	return CreateAsset( bytes, byteCount, &useDef, NULL, outAsset, outError );
}

gelResult gelLoadAsset(
	const void* bytes, size_t byteCount, const gelAssetDef* def, gelAsset** outAsset, gelLoadError* outError )
{
	gelAssetDef useDef;
	gelResult result = CheckArguments( bytes, def, outAsset, outError, &useDef );
	if ( result != gel_success ) return result;
	if ( byteCount == 0 ) return Refuse( outError, gel_errorTruncated, "the pack is empty" );

	void* copy = gelAllocate( &useDef.allocator, byteCount );
	if ( copy == NULL ) return Refuse( outError, gel_errorMemory, "memory for a copy of the pack" );
	memcpy( copy, bytes, byteCount );
	result = CreateAsset( copy, byteCount, &useDef, copy, outAsset, outError );
	if ( result != gel_success ) gelFree( &useDef.allocator, copy, byteCount );
	return result;
}

// Size of an open file [bytes], -1: unknown or beyond the cap of the format (directories say LONG_MAX).
static long long FileSize( FILE* file )
{
	if ( fseek( file, 0, SEEK_END ) != 0 ) return -1;
	long long size = ftell( file );
	if ( size < 0 || (unsigned long long)size > GEL_PACK_MAX_BYTES ) return -1;
	return fseek( file, 0, SEEK_SET ) == 0 ? size : -1;
}

static gelResult LoadOpenFile(
	FILE* file, const gelAssetDef* def, gelAsset** outAsset, gelLoadError* outError )
{
	long long size = FileSize( file );
	if ( size < 0 || (unsigned long long)size > SIZE_MAX )
		return Refuse( outError, gel_errorIo, "the size of the file is unknown or too large" );
	if ( size == 0 ) return Refuse( outError, gel_errorTruncated, "the file is empty" );

	size_t byteCount = (size_t)size;
	void* copy = gelAllocate( &def->allocator, byteCount );
	if ( copy == NULL ) return Refuse( outError, gel_errorMemory, "memory for the file" );
	gelResult result = gel_errorIo;
	if ( fread( copy, 1, byteCount, file ) == byteCount )
		result = CreateAsset( copy, byteCount, def, copy, outAsset, outError );
	else
		Refuse( outError, gel_errorIo, "the file could not be read to its end" );
	if ( result != gel_success ) gelFree( &def->allocator, copy, byteCount );
	return result;
}

gelResult gelLoadAssetFile(
	const char* path, const gelAssetDef* def, gelAsset** outAsset, gelLoadError* outError )
{
	gelAssetDef useDef;
	gelResult result = CheckArguments( path, def, outAsset, outError, &useDef );
	if ( result != gel_success ) return result;
	FILE* file = fopen( path, "rb" );
	if ( file == NULL ) return Refuse( outError, gel_errorIo, "the file could not be opened" );
	result = LoadOpenFile( file, &useDef, outAsset, outError );
	fclose( file );
	return result;
}

void gelDestroyAsset( gelAsset* asset )
{
	if ( asset == NULL || asset->root != asset ) return; // a level goes with the asset that it belongs to
	gelAllocator allocator = asset->allocator;
	for ( int i = 1; i < asset->levelCount; ++i )
		gelFree( &allocator, asset->levels[i], asset->levels[i]->bytes );
	gelFree( &allocator, asset->ownedPack, asset->ownedBytes );
	gelFree( &allocator, asset, asset->bytes );
}
