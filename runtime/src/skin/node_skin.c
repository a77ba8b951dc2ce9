// SPDX-License-Identifier: MIT
#include "skin/node_skin.h"

#include "math/polar.h"
#include "skin/skin_kernels.h"

#include <string.h>

gelVec3 gelDecodeNormal( gelPackNormal packed )
{
	float x = (float)packed.u * ( 1.0f / 32767.0f ), y = (float)packed.v * ( 1.0f / 32767.0f );
	float z = 1.0f - fabsf( x ) - fabsf( y ), fold = gelMaxFloat( -z, 0.0f );
	return ( gelVec3 ){ x < 0.0f ? x + fold : x - fold, y < 0.0f ? y + fold : y - fold, z };
}

// Positions as kernels read them, a register per node. The one for padding is zero.
static void CopyNodes( gelBody* body )
{
	int count = body->asset->nodeCount;
	for ( int i = 0; i < count; ++i )
		body->skinNodes[i] = gelMakeVec4( body->x[i], 0.0f );
	body->skinNodes[count] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
}

void gelPrepareNodeSkin( gelBody* body, bool wantsNormals )
{
	GEL_ASSERT( body->solver->movesNodes );
	const gelAsset* asset = body->asset;
	CopyNodes( body );
	// Area vectors transform with cof(F). Per tet it is constant, which would show the cage's facets in the
	// shading, so it is averaged at the nodes and interpolated.
	if ( wantsNormals )
		gelGetSkinKernels( body->simd )
			->averageCofactors(
				asset->elements, asset->blockCount, body->skinNodes, asset->nodeCount, body->cofactors );
}

// Iterations for the rotation of a flat element at most: a normal that nobody sees well need not be exact.
#define GEL_FLAT_ITERATIONS 20

// A body squeezed flat has no normals there: the rest normal turns with the element instead.
static gelVec3 TurnRestNormal( const gelBody* body, int i )
{
	GEL_ASSERT( i >= 0 && i < body->asset->vertexCount );
	const gelPackView* pack = &body->asset->pack;
	gelMat3 F = gelDeformationGradient( pack, pack->embedTets[i], body->x );
	gelQuat q = gelPolarSolve_Ref( F, gelIdentityQuat(), GEL_FLAT_ITERATIONS );
	gelVec3 rest = gelDecodeNormal( pack->normals[i] );
	return gelMulMV( gelMakeMat3FromQuat( q ), gelScale( 1.0f / gelLength( rest ), rest ) );
}

static void SkinTetPositions( const gelBody* body, int first, int count, gelVec3* out )
{
	GEL_ASSERT( first >= 0 && count >= 0 && first + count <= body->asset->vertexCount );
	const double origin[4] = { body->origin[0], body->origin[1], body->origin[2], 0.0 };
	gelGetSkinKernels( body->simd )
		->positions( &body->asset->pack, body->skinNodes, origin, first, count, out );
}

static void SkinTetNormals( const gelBody* body, int first, int count, gelVec3* out )
{
	GEL_ASSERT( first >= 0 && count >= 0 && first + count <= body->asset->vertexCount );
	int flatCount =
		gelGetSkinKernels( body->simd )->normals( &body->asset->pack, body->cofactors, first, count, out );
	for ( int i = 0; i < count && flatCount > 0; ++i )
	{
		if ( out[i].x == 0.0f && out[i].y == 0.0f && out[i].z == 0.0f )
			out[i] = TurnRestNormal( body, first + i );
	}
}

// Vertices of tets are made side by side; with gaps between them, a few at a time.
#define GEL_SOME_VERTICES 128

static void SkinTets( const gelBody* body, int first, int count, char* out, size_t stride,
	void ( *skin )( const gelBody* body, int first, int count, gelVec3* out ) )
{
	GEL_ASSERT( stride >= sizeof( gelVec3 ) && stride % 4 == 0 );
	if ( out == NULL ) return;
	if ( stride == sizeof( gelVec3 ) )
	{
		skin( body, first, count, (gelVec3*)(void*)( out + stride * (size_t)first ) );
		return;
	}
	for ( int done = 0; done < count; done += GEL_SOME_VERTICES )
	{
		gelVec3 some[GEL_SOME_VERTICES];
		int someCount = gelMinInt( count - done, GEL_SOME_VERTICES );
		skin( body, first + done, someCount, some );
		for ( int i = 0; i < someCount; ++i )
			memcpy( out + stride * (size_t)( first + done + i ), some + i, sizeof( gelVec3 ) );
	}
}

void gelSkinNodeTiles( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd )
{
	GEL_ASSERT( tileFirst >= 0 && tileFirst <= tileEnd );
	int first = tileFirst * GEL_SKIN_TILE;
	int count = gelMinInt( tileEnd * GEL_SKIN_TILE, out->count ) - first;
	SkinTets( body, first, count, out->positions, out->stride, SkinTetPositions );
	SkinTets( body, first, count, out->normals, out->stride, SkinTetNormals );
}
