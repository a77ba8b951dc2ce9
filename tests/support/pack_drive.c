// SPDX-License-Identifier: MIT
#include "pack_drive.h"

#include "pack/pack_read_cdg.h"
#include "query/query_debug.h"

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
			sum += view->tetRests[view->colorTets[i]].invDm[8];
	}
	for ( uint32_t t = 0; view->tetSources != NULL && t < h->tetCount; ++t )
		sum += view->tetRests[view->tetSources[t]].volume;
	for ( uint32_t n = 0; view->nodeSources != NULL && n < h->nodeCount; ++n )
		sum += view->nodes[view->nodeSources[n]].x;
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
	for ( uint32_t i = 0; i < view->attachmentCount; ++i )
	{
		const gelPackAttachment* a = view->attachments + i;
		sum += a->weight[3] * view->nodes[view->tets[a->tet].node[3]].x + a->name[0];
	}
	for ( uint32_t i = 0; i < view->metaBytes; ++i )
		sum += view->meta[i];
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
		sum += x[f->perm[i]];
	free( x );
	return sum;
}

static double TouchPatch( const gelPackView* view, const gelPackPatch* patch )
{
	const gelPackCell* cell = view->cells + patch->cell;
	double sum = (double)patch->area;
	for ( uint32_t i = 0; i < patch->triangleCount; ++i )
	{
		uint32_t index = patch->triangleFirst + i;
		gelCdgTriangle t = gelCdg_GetTriangle( &view->cdg, patch, index );
		sum += (double)view->triangles[gelCdg_GetSource( &view->cdg, index )].vertex[0];
		for ( int k = 0; k < 3; ++k )
		{
			float w[4];
			gelCdg_GetWeights( &view->cdg, t.vertex[k], w );
			sum += gelCdg_GetWeld( &view->cdg, patch, t.vertex[k] );
			for ( uint32_t j = 0; j < 4; ++j )
				sum += (double)( w[j] * view->nodes[cell->node[j]].x );
			if ( t.neighbor[k] == GEL_CDG_NIL ) continue;
			sum += (double)gelCdg_GetBounds( &view->cdg, t.neighbor[k] );
		}
	}
	for ( uint32_t i = 0; i < patch->linkCount; ++i )
	{
		const gelPackLink* link = view->links + patch->linkFirst + i;
		sum += (double)view->patches[link->patch].area;
		sum += gelCdg_GetTriangle( &view->cdg, view->patches + link->patch, link->entry ).flags;
	}
	return sum;
}

// Walks the coarse tree down to the patches with a stack of the size that the pack promises.
static double TouchCollision( const gelPackView* view )
{
	if ( view->cells == NULL ) return 0.0;
	uint32_t stack[GEL_CDG_MAX_DEPTH], top = 0;
	double sum = 0.0;
	for ( uint32_t i = 0; i < view->header->cdgVertexCount && view->supports.header != NULL; ++i )
		sum += gelSupports_Has( &view->supports, i );
	stack[top++] = 0;
	while ( top > 0 )
	{
		const gelPackBvhNode* node = view->bvh + stack[--top];
		if ( node->left != GEL_CDG_NIL )
		{
			stack[top++] = node->left;
			stack[top++] = node->right;
			continue;
		}
		const gelPackCell* cell = view->cells + node->right;
		for ( uint32_t i = 0; i < cell->patchCount; ++i )
			sum += TouchPatch( view, view->patches + cell->patchFirst + i );
	}
	return sum;
}

double gelTouchPack( const gelPackView* view )
{
	double sum = TouchBody( view ) + TouchArt( view ) + TouchCollision( view );
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_FACT ); ++i )
	{
		gelPackFactorView factor = gelPack_GetFactor( view, gelPack_GetSection( view, GEL_SECTION_FACT, i ) );
		sum += TouchFactor( view, &factor );
	}
	return sum;
}

// Rays from all sides, points, and all that debug drawing asks for.
static void DriveQueries( gelWorldId world, gelBodyId body )
{
	gelAabb box = gelBody_GetBounds( body );
	gelVec3 center = { 0.5f * ( box.min.x + box.max.x ), 0.5f * ( box.min.y + box.max.y ),
		0.5f * ( box.min.z + box.max.z ) };
	for ( int i = 0; i < 27; ++i )
	{
		gelRay ray = gelDefaultRay();
		ray.origin = ( gelVec3 ){ i % 3 == 0 ? box.min.x
				: i % 3 == 1                 ? center.x
											 : box.max.x,
			i / 3 % 3 == 0       ? box.min.y
				: i / 3 % 3 == 1 ? center.y
								 : box.max.y,
			i / 9 == 0       ? box.min.z
				: i / 9 == 1 ? center.z
							 : box.max.z };
		ray.translation =
			( gelVec3 ){ center.x - ray.origin.x, center.y - ray.origin.y, center.z - ray.origin.z };
		if ( i == 13 ) ray.translation.x = 1.0f;
		ray.maxFraction = 2.0f;
		gelRayHit hit;
		bool isInside;
		gelEmbeddedPoint point;
		gelVec3 p;
		gelBody_CastRay( body, &ray, &hit );
		gelWorld_CastRay( world, &ray, &hit );
		if ( hit.isHit ) gelBody_GetPointPosition( body, &hit.point, &p );
		gelBody_ContainsPoint( body, ray.origin, &isInside );
		gelBody_FindPoint( body, ray.origin, &point );
	}
	const gelAsset* asset = gelBody_GetAsset( body );
	int count = gelBody_GetPatchVertices( body, NULL, 0 ),
		cornerCount = gelAsset_GetPatchTriangles( asset, NULL, 0 );
	gelVec3* vertices = malloc( ( (size_t)count + 1 ) * sizeof( gelVec3 ) );
	uint32_t* corners = malloc( ( (size_t)cornerCount + 1 ) * sizeof( uint32_t ) );
	gelBody_GetPatchVertices( body, vertices, count );
	gelAsset_GetPatchTriangles( asset, corners, cornerCount );
	free( vertices );
	free( corners );
	for ( int level = -1; level < 32; ++level )
	{
		gelBody_GetCoarseBoxes( body, level, NULL, 0 );
		gelAsset_GetTreeNodes( asset, level, NULL, 0 );
	}
}

static void DriveAttachments( gelBodyId body )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	for ( int i = 0; i < gelAsset_GetAttachmentCount( asset ); ++i )
	{
		gelTransform pose;
		if ( gelAsset_FindAttachment( asset, gelAsset_GetAttachment( asset, i ).name ) != i ) abort();
		gelBody_GetAttachmentTransform( body, i, &pose );
		gelBody_HoldAttachment( body, i, ( gelFrameId ){ 0 }, NULL, NULL );
	}
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
	DriveQueries( world, body );
	DriveAttachments( body );
	for ( int level = gelAsset_GetLevelCount( asset ) - 1; level > 0; --level )
	{
		gelBody_SetLevel( body, level );
		DriveAttachments( body );
		gelWorld_Step( world, factor->step );
	}
	gelBody_SetLevel( body, 0 );
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
			DriveBody( world, asset, factors + i );
		gelDestroyWorld( world );
	}
	gelDestroyAsset( asset );
	return true;
}
