// SPDX-License-Identifier: MIT
// The least that a game does with a pack: load it once, make a world, place bodies, step. Needs the runtime
// library and libm, nothing else.
//
//     gel-game-loop bear.gel
#include <gelpack/gelpack.h>

#include <stdio.h>
#include <string.h>

enum
{
	BODY_COUNT = 3,
	STEP_COUNT = 120,
};

static void PrintPlaces( float time, const gelBodyId* bodies )
{
	printf( "%5.2f s", time );
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelVec3 c = gelBody_GetDynamics( bodies[i] ).centerOfMass;
		printf( "   %7.3f %7.3f %7.3f", c.x, c.y, c.z );
	}
	printf( "\n" );
}

// Each body to the right of the one before and a little higher.
static gelResult DropBodies( gelWorldId world, const gelAsset* asset, gelBodyId* outBodies )
{
	gelAabb box = gelAsset_GetInfo( asset ).restBounds;
	float width = box.max.x - box.min.x, height = box.max.y - box.min.y;
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = asset;
		def.transform.position = ( gelVec3 ){ 1.5f * width * (float)( i - 1 ),
			0.5f * height * (float)( i + 1 ) - box.min.y, 0.0f };
		gelResult result = gelCreateBody( world, &def, outBodies + i );
		if ( result != gel_success ) return result;
	}
	return gel_success;
}

static gelResult Play( gelWorldId world, const gelBodyId* bodies )
{
	const float dt = 1.0f / 60.0f; // [s], a step length that gel-bake prepares unless told otherwise
	for ( int step = 0; step < STEP_COUNT; ++step )
	{
		if ( step % 20 == 0 ) PrintPlaces( (float)step * dt, bodies );
		gelResult result = gelWorld_Step( world, dt );
		if ( result != gel_success ) return result;
		// A game would call gelBody_GetPositions and gelBody_GetNormals here and draw.
	}
	PrintPlaces( STEP_COUNT * dt, bodies );
	return gel_success;
}

static void PrintLoadError( const char* path, const gelLoadError* error )
{
	fprintf( stderr, "%s: %s", path, gelResult_String( error->result ) );
	if ( error->section[0] != 0 )
		fprintf( stderr, ", section %s, element %llu", error->section, (unsigned long long)error->index );
	if ( error->rule[0] != 0 ) fprintf( stderr, ": %s", error->rule );
	fprintf( stderr, "\n" );
}

int main( int argc, char** argv )
{
	bool help = argc == 2 && ( strcmp( argv[1], "--help" ) == 0 || strcmp( argv[1], "-h" ) == 0 );
	if ( argc != 2 || help )
	{
		fprintf( help ? stdout : stderr,
			"usage: gel-game-loop PACK.gel\n"
			"Drops three bodies and prints their centers of mass [m] over two seconds.\n" );
		return help ? 0 : 1;
	}
	gelAsset* asset = NULL;
	gelLoadError error;
	gelResult result = gelLoadAssetFile( argv[1], NULL, &asset, &error );
	if ( result != gel_success )
	{
		PrintLoadError( argv[1], &error );
		return result == gel_errorIo ? 2 : 3;
	}
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelWorldId world;
	gelBodyId bodies[BODY_COUNT];
	result = gelCreateWorld( &worldDef, &world );
	if ( result == gel_success )
	{
		result = DropBodies( world, asset, bodies );
		result = result == gel_success ? Play( world, bodies ) : result;
		gelDestroyWorld( world );
	}
	gelDestroyAsset( asset );
	if ( result != gel_success ) fprintf( stderr, "%s: %s\n", argv[1], gelResult_String( result ) );
	return result == gel_success ? 0 : 4;
}
