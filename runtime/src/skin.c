// SPDX-License-Identifier: MIT
// The art mesh on the deformed cage: positions and normals.
#include "particle_body.h"
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
	const double origin[4] = { body->origin[0], body->origin[1], body->origin[2], 0.0 };
	if ( body->particles )
	{
		gelParticles_FillPalette( body->particles );
		body->kernels->particles.skinPositions( body->particles->palette, asset->pack.particles.vertexSkins,
			body->particles->model->restVertices, origin, count, out );
		return asset->vertexCount;
	}
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->p[i] = gelMakeVec4( body->x[i], 0.0f );
	body->kernels->skinPositions( &asset->pack, body->p, origin, count, out );
	return asset->vertexCount;
}

// Cofactors of the deformation gradient, averaged by volume over the tets around each node. Area vectors
// transform with cof(F); per tet it is constant, which would show the cage's facets in the shading.
static void ComputeNodeCofactors( gelBody* body )
{
	const gelAsset* asset = body->asset;
	const gelPackView* pack = &asset->pack;
	memset( body->cofactors, 0, (size_t)asset->nodeCount * sizeof( *body->cofactors ) );
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		float volume = pack->tetRests[t].volume;
		gelMat3 C = gelCofactor( gelDeformationGradient( pack, t, body->x ) );
		const gelVec3 columns[3] = { gelScale( volume, C.cx ), gelScale( volume, C.cy ),
			gelScale( volume, C.cz ) };
		for ( int k = 0; k < 4; ++k )
		{
			gelVec4* sums = body->cofactors[pack->tets[t].node[k]];
			for ( int d = 0; d < 3; ++d )
				sums[d] = gelMakeVec4( gelAdd( gelXyz( sums[d] ), columns[d] ), sums[d].w + volume );
		}
	}
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		for ( int d = 0; d < 3; ++d )
		{
			gelVec4* sum = &body->cofactors[i][d];
			float inv = sum->w > 0.0f ? 1.0f / sum->w : 0.0f;
			*sum = gelMakeVec4( gelScale( inv, gelXyz( *sum ) ), 0.0f );
		}
	}
}

static gelVec3 DecodeNormal( gelPackNormal packed )
{
	float x = (float)packed.u * ( 1.0f / 32767.0f ), y = (float)packed.v * ( 1.0f / 32767.0f );
	float z = 1.0f - fabsf( x ) - fabsf( y ), fold = gelMaxFloat( -z, 0.0f );
	gelVec3 n = { x < 0.0f ? x + fold : x - fold, y < 0.0f ? y + fold : y - fold, z };
	return gelScale( 1.0f / gelLength( n ), n );
}

// A body squeezed flat has no normals there: the rest normal turns with the element instead.
static gelVec3 TurnRestNormal( const gelBody* body, int i )
{
	const gelPackView* pack = &body->asset->pack;
	gelMat3 F = gelDeformationGradient( pack, pack->embedTets[i], body->x );
	gelQuat q = gelPolarSolve_Ref( F, gelIdentityQuat(), 20 );
	return gelMulMV( gelMakeMat3FromQuat( q ), DecodeNormal( pack->normals[i] ) );
}

int gelBody_GetNormals( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || body->asset->pack.normals == NULL ) return 0;
	int count = out ? gelMinInt( body->asset->vertexCount, outCapacity ) : 0;
	if ( count <= 0 ) return body->asset->vertexCount;
	if ( body->particles )
	{
		const gelPackView* pack = &body->asset->pack;
		gelParticles_FillPalette( body->particles );
		body->kernels->particles.skinNormals(
			body->particles->palette, pack->particles.vertexSkins, pack->normals, count, out );
		return body->asset->vertexCount;
	}
	ComputeNodeCofactors( body );
	const gelVec4( *cofactors )[3] = (const gelVec4( * )[3])body->cofactors;
	int flatCount = body->kernels->skinNormals( &body->asset->pack, cofactors, count, out );
	for ( int i = 0; i < count && flatCount > 0; ++i )
	{
		if ( out[i].x == 0.0f && out[i].y == 0.0f && out[i].z == 0.0f ) out[i] = TurnRestNormal( body, i );
	}
	return body->asset->vertexCount;
}
