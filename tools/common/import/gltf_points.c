// SPDX-License-Identifier: MIT
// Nodes of a glTF file that say something by themselves: empties with custom properties, and attachment
// points.
#include "common/import/gltf_scene.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool HasPrefix( const char* name )
{
	return name != NULL &&
		strncasecmp( name, GEL_ATTACHMENT_PREFIX, sizeof( GEL_ATTACHMENT_PREFIX ) - 1 ) == 0;
}

bool gelIsGltfPoint( const cgltf_node* node )
{
	return node->extras.end_offset > 0 || HasPrefix( node->name ) ||
		( node->mesh != NULL && node->mesh->extras.end_offset > 0 );
}

static bool Normalize( gelVec3d* v )
{
	double length = gelLengthD( *v );
	if ( !( length > 0.0 && isfinite( length ) ) ) return false;
	*v = ( gelVec3d ){ v->x / length, v->y / length, v->z / length };
	return true;
}

// Quaternion x y z w of a rotation with these columns: the largest of the four comes from a root, the others
// from it (Shepperd 1978).
static void MakeQuat( double m[3][3], double q[4] )
{
	double trace = m[0][0] + m[1][1] + m[2][2], largest = trace;
	int at = 3;
	for ( int k = 0; k < 3; ++k )
	{
		if ( m[k][k] > largest ) largest = m[k][k], at = k;
	}
	if ( at == 3 )
	{
		q[3] = 0.5 * sqrt( 1.0 + trace );
		for ( int k = 0; k < 3; ++k )
		{
			int i = ( k + 1 ) % 3, j = ( k + 2 ) % 3;
			q[k] = ( m[i][j] - m[j][i] ) / ( 4.0 * q[3] );
		}
		return;
	}
	int i = ( at + 1 ) % 3, j = ( at + 2 ) % 3;
	q[at] = 0.5 * sqrt( 1.0 + 2.0 * largest - trace );
	q[i] = ( m[at][i] + m[i][at] ) / ( 4.0 * q[at] );
	q[j] = ( m[at][j] + m[j][at] ) / ( 4.0 * q[at] );
	q[3] = ( m[i][j] - m[j][i] ) / ( 4.0 * q[at] );
}

// The axes of a node without scale, shear and mirroring: y is what it was, z as near as may be.
static void FindRotation( const gelGltfTransform* world, double out[4] )
{
	GEL_ASSERT( world != NULL && out != NULL );
	gelMat3d axes = world->linear;
	double m[3][3];
	memset( out, 0, 4 * sizeof( double ) );
	if ( !Normalize( &axes.cy ) || !Normalize( &axes.cz ) ) return;
	axes.cz = gelMulAddD( axes.cz, -gelDotD( axes.cy, axes.cz ), axes.cy );
	if ( gelDotD( axes.cz, axes.cz ) < 1e-12 || !Normalize( &axes.cz ) ) return;
	axes.cx = gelCrossD( axes.cy, axes.cz );
	memcpy( m, &axes, sizeof( m ) );
	MakeQuat( m, out );
}

// Those with triangles count here only if they are attachment points.
static bool IsWanted( const json_t* extras, const char* name, bool hasGroup )
{
	return json_object_get( extras, GEL_ATTACHMENT_EXTRA ) != NULL || HasPrefix( name ) ||
		( !hasGroup && extras != NULL );
}

static bool ReadPoint(
	gelImporter* importer, const cgltf_data* data, const gelGltfPoint* from, bool hasGroup )
{
	gelMesh* mesh = importer->mesh;
	const cgltf_node* node = data->nodes + from->node;
	gelGltfPlace place = { data, (int64_t)from->node, node->mesh != NULL ? node->mesh - data->meshes : -1,
		-1 };
	bool isBroken = false;
	json_t* extras = gelMergeGltfExtras( data, &place, &isBroken );
	if ( isBroken && !hasGroup )
		gelRefuseGltf(
			importer, &place, gel_findingExtrasInvalid, "the extras are no valid JSON and were left out" );
	bool ok = true;
	if ( IsWanted( extras, node->name, hasGroup ) )
	{
		char fallback[32];
		snprintf( fallback, sizeof fallback, "node %zu", from->node );
		gelMeshPoint* point = mesh->points + mesh->pointCount++;
		*point = ( gelMeshPoint ){ .hasGroup = hasGroup };
		point->name = gelMakeGltfName( node->name != NULL && node->name[0] != 0 ? node->name : fallback );
		if ( extras != NULL ) point->extras = json_dumps( extras, JSON_COMPACT | JSON_ENCODE_ANY );
		memcpy( point->position, &from->world.translation, sizeof( point->position ) );
		FindRotation( &from->world, point->rotation );
		ok = point->name != NULL && ( extras == NULL || point->extras != NULL );
	}
	json_decref( extras );
	return ok || gelImporter_OutOfMemory( importer );
}

bool gelReadGltfPoints( gelImporter* importer, const cgltf_data* data, const gelGltfScene* scene )
{
	if ( scene->pointCount == 0 ) return true;
	bool* hasGroup = calloc( data->nodes_count + 1, sizeof( bool ) );
	importer->mesh->points = calloc( scene->pointCount, sizeof( gelMeshPoint ) );
	bool ok = hasGroup != NULL && importer->mesh->points != NULL;
	if ( !ok ) gelImporter_OutOfMemory( importer );
	for ( size_t i = 0; i < scene->instanceCount && ok; ++i )
	{
		if ( scene->instances[i].place.node >= 0 ) hasGroup[scene->instances[i].place.node] = true;
	}
	for ( size_t i = 0; i < scene->pointCount && ok; ++i )
		ok = ReadPoint( importer, data, scene->points + i, hasGroup[scene->points[i].node] );
	free( hasGroup );
	return ok;
}
