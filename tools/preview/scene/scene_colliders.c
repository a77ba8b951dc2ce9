// SPDX-License-Identifier: MIT
#include "preview/scene/scene_colliders.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

#define GEL_MESH_SLICES 40
#define GEL_MESH_STACKS 20
#define GEL_PI          3.14159265f
#define GEL_PLANE_SIZE  20.0f // drawn part of a plane, half its side [m]

gelTransform gelSceneCollider_Pose( const gelSceneColliderDef* def, float time )
{
	gelMotionKey key = gelMotion_At( &def->motion, time );
	float angle = sqrtf( gelDot( key.rotation, key.rotation ) );
	// The motion turns what is placed already: its axes are those of the world.
	gelQuat turn = gelMakeQuatFromAxisAngle( gelNormalize( key.rotation ), angle );
	return ( gelTransform ){ gelAdd( def->position, key.position ), gelMulQuat( turn, def->rotation ) };
}

gelResult gelCreateSceneCollider( gelWorldId world, const gelSceneColliderDef* def, gelColliderId* outId )
{
	static const gelColliderShape shapes[] = { gel_shapeSphere, gel_shapeCapsule, gel_shapeBox,
		gel_shapePlane };
	gelColliderDef collider = gelDefaultColliderDef();
	collider.shape = shapes[def->kind];
	collider.radius = def->kind == gel_colliderKindPlane ? 0.0f : def->radius;
	collider.halfLength = def->kind == gel_colliderKindCapsule ? def->halfLength : 0.0f;
	if ( def->kind == gel_colliderKindBox ) collider.halfExtents = def->halfSize;
	collider.transform = gelSceneCollider_Pose( def, 0.0f );
	collider.staticFriction = def->staticFriction;
	collider.dynamicFriction = def->dynamicFriction;
	return gelCreateCollider( world, &collider, outId );
}

// ---- surfaces ----------------------------------------------------------------------------------------

static bool Allocate( gelColliderMesh* mesh, int vertices, int triangles )
{
	GEL_ASSERT( vertices > 0 && triangles > 0 );
	mesh->positions = malloc( (size_t)vertices * sizeof( gelVec3 ) );
	mesh->normals = malloc( (size_t)vertices * sizeof( gelVec3 ) );
	mesh->triangles = malloc( 3 * (size_t)triangles * sizeof( uint32_t ) );
	mesh->vertexCount = vertices;
	mesh->triangleCount = triangles;
	return mesh->positions != NULL && mesh->normals != NULL && mesh->triangles != NULL;
}

// A sphere whose halves are moved apart along y; the equator is there twice.
static bool MakeRound( gelColliderMesh* mesh, float radius, float halfLength )
{
	GEL_ASSERT( radius > 0.0f && halfLength >= 0.0f );
	int row = GEL_MESH_SLICES + 1, rows = GEL_MESH_STACKS + 2;
	if ( !Allocate( mesh, row * rows, 2 * GEL_MESH_SLICES * ( rows - 1 ) ) ) return false;
	uint32_t* t = mesh->triangles;
	for ( int j = 0; j < rows; ++j )
	{
		bool upper = j <= GEL_MESH_STACKS / 2;
		float v = GEL_PI * (float)( upper ? j : j - 1 ) / GEL_MESH_STACKS;
		for ( int i = 0; i < row; ++i )
		{
			float u = 2.0f * GEL_PI * (float)i / GEL_MESH_SLICES;
			gelVec3 n = { sinf( v ) * sinf( u ), cosf( v ), sinf( v ) * cosf( u ) };
			int k = j * row + i;
			mesh->normals[k] = n;
			mesh->positions[k] = gelScale( radius, n );
			mesh->positions[k].y += upper ? halfLength : -halfLength;
			if ( i == GEL_MESH_SLICES || j == rows - 1 ) continue;
			uint32_t a = (uint32_t)k, b = a + (uint32_t)row;
			const uint32_t quad[6] = { a, b, a + 1, a + 1, b, b + 1 };
			memcpy( t, quad, sizeof( quad ) );
			t += 6;
		}
	}
	return true;
}

static bool MakeBox( gelColliderMesh* mesh, gelVec3 half )
{
	if ( !Allocate( mesh, 24, 12 ) ) return false;
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face >> 1;
		float side = face & 1 ? 1.0f : -1.0f;
		float n[3] = { 0.0f, 0.0f, 0.0f };
		n[axis] = side;
		for ( int c = 0; c < 4; ++c )
		{
			float p[3];
			p[axis] = side;
			// One axis is mirrored on the lower sides, which keeps the corners counter-clockwise from
			// outside.
			p[( axis + 1 ) % 3] = ( c & 1 ? 1.0f : -1.0f ) * side;
			p[( axis + 2 ) % 3] = c & 2 ? 1.0f : -1.0f;
			mesh->positions[4 * face + c] = ( gelVec3 ){ half.x * p[0], half.y * p[1], half.z * p[2] };
			mesh->normals[4 * face + c] = ( gelVec3 ){ n[0], n[1], n[2] };
		}
		uint32_t f = 4 * (uint32_t)face;
		const uint32_t quad[6] = { f, f + 1, f + 2, f + 2, f + 1, f + 3 };
		memcpy( mesh->triangles + 6 * (size_t)face, quad, sizeof( quad ) );
	}
	return true;
}

bool gelMakeColliderMesh( gelColliderMesh* mesh, const gelSceneColliderDef* def )
{
	memset( mesh, 0, sizeof( *mesh ) );
	gelVec3 half = def->halfSize;
	bool ok;
	switch ( def->kind )
	{
		case gel_colliderKindBox:
			half = ( gelVec3 ){ half.x + def->radius, half.y + def->radius, half.z + def->radius };
			ok = MakeBox( mesh, half );
			break;
		case gel_colliderKindPlane: // a thin plate below y = 0
			ok = MakeBox( mesh, ( gelVec3 ){ GEL_PLANE_SIZE, 0.001f, GEL_PLANE_SIZE } );
			break;
		default:
			ok =
				MakeRound( mesh, def->radius, def->kind == gel_colliderKindCapsule ? def->halfLength : 0.0f );
			break;
	}
	if ( !ok ) gelFreeColliderMesh( mesh );
	return ok;
}

void gelFreeColliderMesh( gelColliderMesh* mesh )
{
	free( mesh->positions );
	free( mesh->normals );
	free( mesh->triangles );
	memset( mesh, 0, sizeof( *mesh ) );
}

gelAabb gelSceneCollider_Bounds( const gelSceneColliderDef* def, float time )
{
	gelAabb box = gelAabb_Empty();
	if ( def->kind == gel_colliderKindPlane ) return box;
	gelTransform pose = gelSceneCollider_Pose( def, time );
	gelVec3 half = { def->radius, def->radius, def->radius };
	if ( def->kind == gel_colliderKindBox ) half = gelAdd( half, def->halfSize );
	if ( def->kind == gel_colliderKindCapsule ) half.y += def->halfLength;
	for ( int i = 0; i < 8; ++i )
	{
		gelVec3 corner = { i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
		box = gelAabb_Add( box, gelTransformPoint( pose, corner ) );
	}
	return box;
}

// At the keys: between them motions run straight, and turns reach little farther.
gelAabb gelSceneCollider_PathBounds( const gelSceneColliderDef* def, float until )
{
	gelAabb box = gelSceneCollider_Bounds( def, 0.0f );
	for ( int i = 0; i < def->motion.keyCount; ++i )
	{
		float time = fminf( def->motion.keys[i].time, until );
		box = gelAabb_Union( box, gelSceneCollider_Bounds( def, time ) );
	}
	return box;
}

// A bowl may be many times as wide as what lies in it.
gelAabb gelSceneCollider_ShownBounds( const gelSceneColliderDef* def, float until, gelAabb bodies )
{
	gelAabb box = gelSceneCollider_PathBounds( def, until );
	if ( def->motion.keyCount > 0 ) return box;
	const float margin = 0.3f * gelAabb_Radius( bodies ); // [m]
	const gelVec3 rim = { margin, margin, margin };
	const gelVec3 low = gelSub( bodies.min, rim ), high = gelAdd( bodies.max, rim );
	gelAabb near = { { fmaxf( box.min.x, low.x ), fmaxf( box.min.y, low.y ), fmaxf( box.min.z, low.z ) },
		{ fminf( box.max.x, high.x ), fminf( box.max.y, high.y ), fminf( box.max.z, high.z ) } };
	bool isAway = near.min.x > near.max.x || near.min.y > near.max.y || near.min.z > near.max.z;
	return isAway ? bodies : near;
}
