// SPDX-License-Identifier: MIT
// The art mesh on the deformed cage: positions and normals.
#include "particle_body.h"
#include "polar.h"
#include "world.h"

// Positions in the scratch that kernels read, a register per node.
static void CopyNodes( const gelBody* body )
{
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		body->p[i] = gelMakeVec4( body->x[i], 0.0f );
}

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
	CopyNodes( body );
	body->kernels->skinPositions( &asset->pack, body->p, origin, count, out );
	return asset->vertexCount;
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
	// Area vectors transform with cof(F). Per tet it is constant, which would show the cage's facets in the
	// shading, so it is averaged at the nodes and interpolated.
	const gelAsset* asset = body->asset;
	CopyNodes( body );
	body->kernels->averageCofactors(
		asset->elements, asset->blockCount, body->p, asset->nodeCount, body->cofactors );
	int flatCount = body->kernels->skinNormals( &asset->pack, body->cofactors, count, out );
	for ( int i = 0; i < count && flatCount > 0; ++i )
	{
		if ( out[i].x == 0.0f && out[i].y == 0.0f && out[i].z == 0.0f ) out[i] = TurnRestNormal( body, i );
	}
	return body->asset->vertexCount;
}
