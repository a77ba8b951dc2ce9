// SPDX-License-Identifier: MIT
// A game in one file: a window, three bodies of one pack, and a skeleton whose hand holds the third of them.
// Where there is no display it plays the same without drawing.
//
//     gel-game-window bear.gel [FRAMES]
#include <gelpack/gelpack.h>

#define GLFW_INCLUDE_NONE // OpenGL comes from epoxy
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BODY_COUNT 3
#define GRIP_COUNT 12

typedef struct Game
{
	gelAsset* asset;
	gelAssetInfo info;
	gelWorldId world;
	gelBodyId bodies[BODY_COUNT]; // the last one hangs on the hand
	gelFrameId hand;
	gelConstraintId grips[GRIP_COUNT]; // what the hand holds
	gelVec3 joints[3];                 // shoulder, elbow, hand [m]
	float size;                        // longest side of the art's box [m]
	gelVec3 *positions, *normals;      // art of one body, to draw it
} Game;

// Two bones that swing about z.
static gelTransform PoseSkeleton( Game* game, float time )
{
	float bone = 0.8f * game->size, turn = 0.0f;
	game->joints[0] = ( gelVec3 ){ 0.0f, 4.0f * game->size, 0.0f };
	for ( int i = 1; i < 3; ++i )
	{
		turn += 0.6f * sinf( (float)i * 1.3f * time );
		gelVec3 from = game->joints[i - 1];
		game->joints[i] = ( gelVec3 ){ from.x + bone * sinf( turn ), from.y - bone * cosf( turn ), 0.0f };
	}
	return ( gelTransform ){ game->joints[2], { { 0.0f, 0.0f, sinf( 0.5f * turn ) }, cosf( 0.5f * turn ) } };
}

// The hand holds vertices from the top of the art, each where it is now.
static gelResult HangOnHand( Game* game, gelBodyId body )
{
	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform = PoseSkeleton( game, 0.0f );
	gelVec3 hand = frameDef.transform.position;
	gelResult result = gelCreateFrame( body, &frameDef, &game->hand );
	int count = gelBody_GetPositions( body, game->positions, game->info.vertexCount );
	for ( int i = 0, held = 0; i < count && held < GRIP_COUNT && result == gel_success; i += 1 + count / 500 )
	{
		gelVec3 p = game->positions[i];
		if ( p.y < hand.y - 0.1f * game->size ) continue;
		gelConstraintDef def = gelDefaultConstraintDef();
		def.point = gelAsset_GetVertexPoint( game->asset, i );
		def.frame = game->hand;
		def.target = ( gelVec3 ){ p.x - hand.x, p.y - hand.y, p.z - hand.z };
		result = gelCreateConstraint( body, &def, game->grips + held++ );
	}
	return result;
}

static gelResult StartGame( Game* game )
{
	gelAabb box = game->info.restBounds;
	game->size = fmaxf( box.max.y - box.min.y, fmaxf( box.max.x - box.min.x, box.max.z - box.min.z ) );
	gelVec3 hand = PoseSkeleton( game, 0.0f ).position;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelResult result = gelCreateWorld( &worldDef, &game->world );
	for ( int i = 0; i < BODY_COUNT && result == gel_success; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = game->asset;
		float x = ( i == 0 ? -1.2f : 1.2f ) * game->size;
		def.transform.position = ( gelVec3 ){ x, 0.5f * game->size - box.min.y, 0.0f };
		if ( i == BODY_COUNT - 1 ) def.transform.position = ( gelVec3 ){ hand.x, hand.y - box.max.y, 0.0f };
		result = gelCreateBody( game->world, &def, game->bodies + i );
	}
	return result == gel_success ? HangOnHand( game, game->bodies[BODY_COUNT - 1] ) : result;
}

static void Draw( const Game* game, GLFWwindow* window )
{
	glClear( GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT );
	glDisable( GL_LIGHTING );
	glVertexPointer( 3, GL_FLOAT, sizeof( gelVec3 ), game->joints );
	glDrawArrays( GL_LINE_STRIP, 0, 3 );
	glEnable( GL_LIGHTING );
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelBody_GetPositions( game->bodies[i], game->positions, game->info.vertexCount );
		gelBody_GetNormals( game->bodies[i], game->normals, game->info.vertexCount );
		glVertexPointer( 3, GL_FLOAT, sizeof( gelVec3 ), game->positions );
		glNormalPointer( GL_FLOAT, sizeof( gelVec3 ), game->normals );
		glDrawElements( GL_TRIANGLES, 3 * game->info.triangleCount, GL_UNSIGNED_INT,
			gelAsset_GetTriangles( game->asset ) );
	}
	glfwSwapBuffers( window );
	glfwPollEvents();
}

static GLFWwindow* OpenWindow( float size )
{
	GLFWwindow* window = glfwInit() ? glfwCreateWindow( 640, 480, "gelpack", NULL, NULL ) : NULL;
	if ( window == NULL ) return NULL;
	glfwMakeContextCurrent( window );
	glClearColor( 0.1f, 0.3f, 0.5f, 1.0f );
	glMatrixMode( GL_PROJECTION ); // and all else in world space
	glOrtho( -3.0 * size, 3.0 * size, -0.2 * size, 4.3 * size, -9.0 * size, 9.0 * size );
	glEnable( GL_DEPTH_TEST );
	glEnable( GL_LIGHT0 );
	glEnableClientState( GL_VERTEX_ARRAY );
	glEnableClientState( GL_NORMAL_ARRAY );
	return window;
}

int main( int argc, char** argv )
{
	Game game = { 0 };
	gelResult result = gelLoadAssetFile( argc > 1 ? argv[1] : "", NULL, &game.asset, NULL );
	if ( result != gel_success ) fputs( "usage: gel-game-window PACK.gel [FRAMES]\n", stderr );
	if ( result != gel_success ) return argc > 1 ? 3 : 1;
	game.info = gelAsset_GetInfo( game.asset );
	game.positions = calloc( 2 * (size_t)game.info.vertexCount, sizeof( gelVec3 ) );
	game.normals = game.positions + game.info.vertexCount;
	result = game.positions != NULL ? StartGame( &game ) : gel_errorMemory;
	GLFWwindow* window = OpenWindow( game.size );
	int frameCount = argc > 2 ? atoi( argv[2] ) : window != NULL ? 1 << 30 : 300;
	for ( int i = 0; i < frameCount && result == gel_success; ++i )
	{
		if ( window != NULL && glfwWindowShouldClose( window ) ) break;
		gelTransform pose = PoseSkeleton( &game, (float)( i + 1 ) / 60.0f );
		gelFrame_SetTransform( game.hand, pose );
		result = gelWorld_Step( game.world, 1.0f / 60.0f ); // what gel-bake prepares unless told otherwise
		if ( window != NULL ) Draw( &game, window );
	}
	gelVec3 c = gelBody_GetDynamics( game.bodies[BODY_COUNT - 1] ).centerOfMass, hand = game.joints[2];
	printf( "%s: %s; hand at %.3f %.3f, its body at %.3f %.3f\n", window ? "window" : "no display",
		gelResult_String( result ), hand.x, hand.y, c.x, c.y );
	glfwTerminate();
	gelDestroyWorld( game.world );
	gelDestroyAsset( game.asset );
	free( game.positions );
	return result == gel_success ? 0 : 4;
}
