// SPDX-License-Identifier: MIT
// The art mesh on the deformed cage: positions and normals.
#include "polar.h"
#include "world.h"

#include <string.h>

int gelBody_GetPositions( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return 0;
	const gelAsset* asset = body->asset;
	int count = out ? gelMinInt( asset->vertexCount, outCapacity ) : 0;
	if ( count <= 0 ) return asset->vertexCount;
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->p[i] = gelMakeVec4( body->x[i], 0.0f );
	const double origin[4] = { body->origin[0], body->origin[1], body->origin[2], 0.0 };
	body->kernels->skinPositions( &asset->pack, body->p, origin, count, out );
	return asset->vertexCount;
}

// Octahedral map: the sphere is projected on the octahedron |x| + |y| + |z| = 1, whose lower half is folded
// outwards over the upper one.
static gelVec3 DecodeNormal( gelPackNormal packed )
{
	float x = (float)packed.u * ( 1.0f / 32767.0f );
	float y = (float)packed.v * ( 1.0f / 32767.0f );
	float z = 1.0f - fabsf( x ) - fabsf( y );
	if ( z < 0.0f )
	{
		float foldedX = ( 1.0f - fabsf( y ) ) * ( x >= 0.0f ? 1.0f : -1.0f );
		y = ( 1.0f - fabsf( x ) ) * ( y >= 0.0f ? 1.0f : -1.0f );
		x = foldedX;
	}
	gelVec3 n = { x, y, z };
	return gelScale( 1.0f / gelLength( n ), n );
}

// Cofactors of the deformation gradient, averaged by volume over the tets around each node. Area vectors
// transform with cof(F); per tet it is constant, which would show the cage's facets in the shading.
static void ComputeNodeCofactors( gelBody* body )
{
	const gelAsset* asset = body->asset;
	const gelPackView* pack = &asset->pack;
	memset( body->cofactors, 0, (size_t)asset->nodeCount * sizeof( gelMat3 ) );
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		// tet by tet: a node adds its terms in the order of its gather list
		gelMat3 C = gelCofactor( gelDeformationGradient( pack, t, body->x ) );
		for ( int k = 0; k < 4; ++k )
		{
			gelMat3* sum = body->cofactors + pack->tets[t].node[k];
			*sum = gelMulAddMat3( *sum, pack->tetRests[t].volume, C );
		}
	}
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		gelMat3 sum = body->cofactors[i];
		float volume = 0.0f;
		for ( uint32_t k = pack->gatherFirst[i]; k < pack->gatherFirst[i + 1]; ++k )
			volume += pack->tetRests[pack->gatherCorners[k] / 4].volume;
		float inv = volume > 0.0f ? 1.0f / volume : 0.0f;
		body->cofactors[i] =
			( gelMat3 ){ gelScale( inv, sum.cx ), gelScale( inv, sum.cy ), gelScale( inv, sum.cz ) };
	}
}

int gelBody_GetNormals( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || body->asset->pack.normals == NULL ) return 0;
	const gelPackView* pack = &body->asset->pack;
	int count = out ? gelMinInt( body->asset->vertexCount, outCapacity ) : 0;
	if ( count > 0 ) ComputeNodeCofactors( body );
	for ( int i = 0; i < count; ++i )
	{
		float w[4];
		gelGetWeights( pack->embedWeights, (uint32_t)i, w );
		uint32_t t = pack->embedTets[i];
		gelMat3 C = { 0 };
		for ( int k = 0; k < 4; ++k )
			C = gelMulAddMat3( C, w[k], body->cofactors[pack->tets[t].node[k]] );
		gelVec3 rest = DecodeNormal( pack->normals[i] );
		gelVec3 n = gelMulMV( C, rest );
		float length = gelLength( n );
		// a body squeezed flat has no normals: turn the rest normal with the element instead
		if ( length > 1.0e-12f && length < 1.0e12f )
			out[i] = gelScale( 1.0f / length, n );
		else
		{
			gelMat3 F = gelDeformationGradient( pack, t, body->x );
			gelQuat q = gelPolarSolve_Ref( F, gelIdentityQuat(), 20 );
			out[i] = gelMulMV( gelMakeMat3FromQuat( q ), rest );
		}
	}
	return body->asset->vertexCount;
}
