// SPDX-License-Identifier: MIT
#include "pack_drive.h"

#include <gelpack/gelpack.h>

#include <stdlib.h>

static double TouchBody( const gelPackView* view )
{
	const gelPackHeader* h = view->header;
	double sum = 0.0;
	for ( uint32_t t = 0; t < h->tetCount; ++t )
	{
		sum += view->materials[view->tetRests[t].material].density * view->tetRests[t].volume;
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t node = view->tets[t].node[k];
			sum += view->nodes[node].x + view->masses[node].invMass;
		}
	}
	for ( uint32_t c = 0; c < view->colorCount; ++c )
	{
		for ( uint32_t i = view->colorFirst[c]; i < view->colorFirst[c + 1]; ++i )
		{
			sum += view->tetRests[view->colorTets[i]].invDm[8];
		}
	}
	for ( uint32_t n = 0; n < h->nodeCount; ++n )
	{
		for ( uint32_t i = view->gatherFirst[n]; i < view->gatherFirst[n + 1]; ++i )
		{
			uint32_t corner = view->gatherCorners[i];
			sum += view->nodes[view->tets[corner / 4].node[corner % 4]].y;
		}
	}
	return sum;
}

static double TouchArt( const gelPackView* view )
{
	const gelPackHeader* h = view->header;
	double sum = 0.0;
	for ( uint32_t i = 0; i < ( h->artVertexCount + 7 ) / 8 * 8; ++i )
	{
		for ( uint32_t k = 0; k < 4; ++k )
		{
			float weight = view->embedWeights[i / 8 * 32 + 8 * k + i % 8];
			sum += weight * view->nodes[view->tets[view->embedTets[i]].node[k]].z;
		}
	}
	for ( uint32_t i = 0; i < h->artTriangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t vertex = view->triangles[i].vertex[k];
			sum += view->normals[vertex].u + (double)view->embedSources[vertex];
		}
	}
	for ( uint32_t i = 0; i < view->metaBytes; ++i )
	{
		sum += view->meta[i];
	}
	return sum;
}

// A solve with the factor, both ways, as the runtime would do it.
static double TouchFactor( const gelPackView* view, const gelPackFactorView* f )
{
	uint32_t n = f->header->n;
	double* x = calloc( view->header->nodeCount, sizeof( double ) );
	for ( uint32_t s = 0; s < f->header->superCount; ++s )
	{
		uint32_t count = f->rowFirst[s + 1] - f->rowFirst[s], padded = ( count + 7 ) / 8 * 8;
		for ( uint32_t j = f->superFirst[s]; j < f->superFirst[s + 1]; ++j )
		{
			const float* column = f->values + f->valueFirst[s] + (size_t)( j - f->superFirst[s] ) * padded;
			for ( uint32_t i = 0; i < padded; ++i )
			{
				if ( i < count )
					x[f->perm[f->rows[f->rowFirst[s] + i]]] += column[i];
				else
					x[f->perm[j]] += column[i];
			}
			x[f->perm[j]] *= f->invDiagonal[j];
		}
		if ( f->parent[s] < f->header->superCount ) x[f->perm[f->superFirst[f->parent[s]]]] += 1.0;
	}
	double sum = 0.0;
	for ( uint32_t i = 0; i < n; ++i )
	{
		sum += x[f->perm[i]];
	}
	free( x );
	return sum;
}

double gelTouchPack( const gelPackView* view )
{
	double sum = TouchBody( view ) + TouchArt( view );
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_FACT ); ++i )
	{
		gelPackFactorView factor = gelPack_GetFactor( view, gelPack_GetSection( view, GEL_SECTION_FACT, i ) );
		sum += TouchFactor( view, &factor );
	}
	return sum;
}

static void DriveBody( gelWorldId world, const gelAsset* asset, const gelFactorInfo* factor )
{
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset;
	bodyDef.pinSetId = factor->pinSetId;
	gelBodyId body;
	if ( gelCreateBody( world, &bodyDef, &body ) != gel_success ) return;
	gelWorld_Step( world, factor->step );
	gelWorld_Step( world, factor->step );
	int count = gelBody_GetPositions( body, NULL, 0 );
	gelVec3* vectors = malloc( (size_t)count * sizeof( gelVec3 ) );
	gelBody_GetPositions( body, vectors, count );
	gelBody_GetNormals( body, vectors, count );
	free( vectors );
	gelBody_GetDynamics( body );
	gelBody_HashState( body );
	gelDestroyBody( body );
}

bool gelDrivePack( const uint8_t* bytes, size_t byteCount )
{
	gelAsset* asset;
	if ( gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ) != gel_success ) return false;
	gelFactorInfo factors[8];
	int factorCount = gelAsset_GetFactors( asset, factors, 8 );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) == gel_success )
	{
		for ( int i = 0; i < factorCount && i < 8; ++i )
		{
			DriveBody( world, asset, factors + i );
		}
		gelDestroyWorld( world );
	}
	gelDestroyAsset( asset );
	return true;
}
