// SPDX-License-Identifier: MIT
// What a player does with a body: grabs it with a ray, lifts it, shakes it, lets it fall, and takes it all
// back. The code of docs/interaction.md is from here.
//
//     gel-grab-body bear.gel
#include <gelpack/gelpack.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rigid body of the game's own physics, as far as this example needs one: a ball on a string of gel.
typedef struct Ball
{
	gelVec3 position, velocity; // [m], [m/s]
	float mass, radius;         // [kg], [m]
} Ball;

static const float dt = 1.0f / 60.0f; // [s], a step length that gel-bake prepares unless told otherwise

static void PrintPlace( const char* what, gelBodyId body )
{
	gelVec3 c = gelBody_GetDynamics( body ).centerOfMass;
	printf( "%-10s %7.3f %7.3f %7.3f\n", what, (double)c.x, (double)c.y, (double)c.z );
}

static gelVec3 FindHighestVertex( gelBodyId body )
{
	gelVec3 highest = { 0.0f, -1.0e9f, 0.0f };
	for ( int i = 0; i < gelAsset_GetInfo( gelBody_GetAsset( body ) ).vertexCount; ++i )
	{
		gelEmbeddedPoint point = gelAsset_GetVertexPoint( gelBody_GetAsset( body ), i );
		gelVec3 p;
		gelBody_GetPointPosition( body, &point, &p );
		if ( p.y > highest.y ) highest = p;
	}
	return highest;
}

// Casts a ray down at the body, holds what it hits, and drags it up by a metre within a second.
static gelResult GrabAndLift( gelWorldId world, gelBodyId body )
{
	gelRay ray = gelDefaultRay(); // downwards by 1 m
	ray.origin = FindHighestVertex( body );
	ray.origin.y += 0.5f;

	gelConstraintId grip;
	gelRayHit hit;
	gelResult result = gelWorld_Grab( world, &ray, NULL, &grip, &hit );
	if ( result != gel_success || !hit.isHit ) return result;
	gelVec3 hand = hit.position;
	for ( int step = 0; step < 60; ++step )
	{
		hand.y += dt;
		gelConstraint_SetTarget( grip, hand );
		result = gelWorld_Step( world, dt );
		if ( result != gel_success ) return result;
	}
	gelReaction pull;
	gelConstraint_GetReaction( grip, &pull ); // what the hand feels
	printf( "the hand holds %.1f N\n", (double)-pull.force.y );
	gelDestroyConstraint( grip );
	return gel_success;
}

// Pins an art vertex where it is, and swings the pin to and fro.
static gelResult Shake( gelWorldId world, gelBodyId body )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = gel_constraintPoint;
	def.point = gelAsset_GetVertexPoint( gelBody_GetAsset( body ), 0 );
	gelBody_GetPointPosition( body, &def.point, &def.target );
	gelConstraintId pin;
	gelResult result = gelCreateConstraint( body, &def, &pin );
	for ( int step = 0; step < 60 && result == gel_success; ++step )
	{
		gelVec3 target = def.target;
		target.x += 0.1f * sinf( 0.2f * (float)step );
		gelConstraint_SetTarget( pin, target );
		result = gelWorld_Step( world, dt );
	}
	gelDestroyConstraint( pin );
	return result;
}

// Hangs a ball of the game's own physics on the body: two-way, so both move each other.
static gelResult HangBall( gelWorldId world, gelBodyId body )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.point = gelAsset_GetVertexPoint( gelBody_GetAsset( body ), 0 );
	Ball ball = { .mass = 0.5f, .radius = 0.05f };
	gelBody_GetPointPosition( body, &def.point, &ball.position );

	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = ball.position;
	frameDef.mass = ball.mass;
	float inertia = 0.4f * ball.mass * ball.radius * ball.radius;
	frameDef.inertia = ( gelVec3 ){ inertia, inertia, inertia };
	gelFrameId frame;
	gelResult result = gelCreateFrame( body, &frameDef, &frame );
	def.frame = frame; // the target is in the frame now: its center
	gelConstraintId hook;
	if ( result == gel_success ) result = gelCreateConstraint( body, &def, &hook );

	for ( int step = 0; step < 60 && result == gel_success; ++step )
	{
		// the game integrates ...
		ball.velocity.y -= 9.81f * dt;
		gelTransform pose = frameDef.transform;
		pose.position = ( gelVec3 ){ ball.position.x + dt * ball.velocity.x,
			ball.position.y + dt * ball.velocity.y, ball.position.z + dt * ball.velocity.z };
		gelFrame_SetTransform( frame, pose );
		result = gelWorld_Step( world, dt );
		// ... and takes what the body did to the ball
		gelReaction reaction;
		gelFrame_GetReaction( frame, &reaction );
		float kick = dt / ball.mass;
		ball.velocity.x += kick * reaction.force.x;
		ball.velocity.y += kick * reaction.force.y;
		ball.velocity.z += kick * reaction.force.z;
		ball.position.x += dt * ball.velocity.x;
		ball.position.y += dt * ball.velocity.y;
		ball.position.z += dt * ball.velocity.z;
	}
	gelDestroyFrame( frame ); // and what hangs on it
	return result;
}

// Where a hat belongs, if the artist has put an attachment point "head" on the body.
static void PlaceHat( gelBodyId body )
{
	int head = gelAsset_FindAttachment( gelBody_GetAsset( body ), "head" );
	gelTransform hat;
	if ( gelBody_GetAttachmentTransform( body, head, &hat ) != gel_success ) return;
	printf( "%-10s %7.3f %7.3f %7.3f\n", "hat", (double)hat.position.x, (double)hat.position.y,
		(double)hat.position.z );
}

// A bone takes the attachment point "head" along, for half a second.
static gelResult Lead( gelWorldId world, gelBodyId body )
{
	int head = gelAsset_FindAttachment( gelBody_GetAsset( body ), "head" );
	gelFrameDef boneDef = gelDefaultFrameDef();
	if ( gelBody_GetAttachmentTransform( body, head, &boneDef.transform ) != gel_success ) return gel_success;
	gelFrameId bone;
	gelResult result = gelCreateFrame( body, &boneDef, &bone );
	if ( result == gel_success ) result = gelBody_HoldAttachment( body, head, bone, NULL, NULL );
	gelTransform pose = boneDef.transform;
	for ( int step = 0; step < 30 && result == gel_success; ++step )
	{
		pose.position.x += 0.5f * dt;
		gelFrame_SetTransform( bone, pose );
		result = gelWorld_Step( world, dt );
	}
	PlaceHat( body );
	gelDestroyFrame( bone ); // and what hangs on it
	return result;
}

// Kicks the body, looks what becomes of it, and takes it back.
static gelResult KickAndTakeBack( gelWorldId world, gelBodyId body )
{
	size_t bytes = gelWorld_GetStateBytes( world );
	void* saved = malloc( bytes );
	if ( saved == NULL ) return gel_errorMemory;
	gelResult result = gelWorld_SaveState( world, saved, bytes );
	uint64_t before = gelBody_HashState( body );

	gelEmbeddedPoint point = gelAsset_GetVertexPoint( gelBody_GetAsset( body ), 0 );
	float mass = gelAsset_GetInfo( gelBody_GetAsset( body ) ).mass;
	gelBody_AddPointImpulse( body, &point, ( gelVec3 ){ mass, 2.0f * mass, 0.0f } );
	for ( int step = 0; step < 30 && result == gel_success; ++step )
		result = gelWorld_Step( world, dt );
	PrintPlace( "kicked", body );

	if ( result == gel_success ) result = gelWorld_RestoreState( world, saved, bytes );
	printf( "%s\n", gelBody_HashState( body ) == before ? "taken back, to the bit" : "not the same" );
	free( saved );
	return result;
}

static gelResult Play( const gelAsset* asset )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelWorldId world;
	gelResult result = gelCreateWorld( &worldDef, &world );
	if ( result != gel_success ) return result;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset;
	bodyDef.transform.position.y = -gelAsset_GetInfo( asset ).restBounds.min.y;
	gelBodyId body = { 0 };
	result = gelCreateBody( world, &bodyDef, &body );
	if ( result == gel_success ) PrintPlace( "placed", body );
	if ( result == gel_success ) result = GrabAndLift( world, body );
	PrintPlace( "lifted", body );
	if ( result == gel_success ) result = Shake( world, body );
	if ( result == gel_success ) result = HangBall( world, body );
	if ( result == gel_success ) result = Lead( world, body );
	if ( result == gel_success ) result = KickAndTakeBack( world, body );
	PrintPlace( "in the end", body );
	gelDestroyWorld( world );
	return result;
}

int main( int argc, char** argv )
{
	bool help = argc == 2 && ( strcmp( argv[1], "--help" ) == 0 || strcmp( argv[1], "-h" ) == 0 );
	if ( argc != 2 || help )
	{
		fprintf( help ? stdout : stderr,
			"usage: gel-grab-body PACK.gel\n"
			"Grabs a body, lifts, shakes and kicks it, and takes the kick back.\n" );
		return help ? 0 : 1;
	}
	gelAsset* asset = NULL;
	gelLoadError error;
	gelResult result = gelLoadAssetFile( argv[1], NULL, &asset, &error );
	if ( result != gel_success )
	{
		fprintf( stderr, "%s: %s: %s\n", argv[1], gelResult_String( result ), error.rule );
		return result == gel_errorIo ? 2 : 3;
	}
	result = Play( asset );
	gelDestroyAsset( asset );
	if ( result != gel_success ) fprintf( stderr, "%s: %s\n", argv[1], gelResult_String( result ) );
	return result == gel_success ? 0 : 4;
}
