// SPDX-License-Identifier: MIT
// Debug drawing shows what the questions to a world answer, as often as they say, and changes nothing.
#include "test_support.h"

#include "contact_scene.h"
#include "particle_stage.h"
#include "query/query_debug.h"
#include "stage.h"

#include <math.h>
#include <string.h>

// What was drawn.
typedef struct Tally
{
	int segments, points, triangles, transforms, ellipsoids;
	double length; // sum over all segments [m]
	double area;   // sum over all triangles [m^2]
	uint32_t color;
	gelVec3 place; // where the last transform was
} Tally;

static void DrawSegment( gelVec3 from, gelVec3 to, uint32_t color, void* context )
{
	Tally* tally = context;
	tally->segments += 1;
	tally->length += (double)gelLength( gelSub( to, from ) );
	tally->color = color;
}

static void DrawPoint( gelVec3 position, uint32_t color, void* context )
{
	(void)color;
	assert_true( isfinite( position.x + position.y + position.z ) );
	( (Tally*)context )->points += 1;
}

static void DrawTriangle( const gelVec3 c[3], uint32_t color, void* context )
{
	(void)color;
	Tally* tally = context;
	tally->triangles += 1;
	tally->area += 0.5 * (double)gelLength( gelCross( gelSub( c[1], c[0] ), gelSub( c[2], c[0] ) ) );
}

static void DrawTransform( gelTransform transform, void* context )
{
	( (Tally*)context )->transforms += 1;
	( (Tally*)context )->place = transform.position;
}

static void DrawEllipsoid( gelTransform transform, gelVec3 radius, uint32_t color, void* context )
{
	assert_true( fabsf( gelLengthSquaredQuat( transform.rotation ) - 1.0f ) < 1e-3f );
	assert_true( radius.x > 0.0f && radius.y > 0.0f && radius.z > 0.0f );
	( (Tally*)context )->ellipsoids += 1;
	( (Tally*)context )->color = color;
}

static gelDebugDraw MakeDraw( Tally* tally )
{
	gelDebugDraw draw = gelDefaultDebugDraw();
	draw.drawSegment = DrawSegment;
	draw.drawPoint = DrawPoint;
	draw.drawTriangle = DrawTriangle;
	draw.drawTransform = DrawTransform;
	draw.drawEllipsoid = DrawEllipsoid;
	draw.context = tally;
	memset( tally, 0, sizeof( *tally ) );
	return draw;
}

static int CountEdges( const gelStage* stage )
{
	static bool isEdge[128][128];
	memset( isEdge, 0, sizeof( isEdge ) );
	const uint32_t* tets = gelAsset_GetTets( stage->asset );
	int count = 0;
	assert_true( stage->nodeCount <= 128 );
	for ( int i = 0; i < 16 * gelAsset_GetInfo( stage->asset ).tetCount; ++i )
	{
		uint32_t a = tets[i / 16 * 4 + i / 4 % 4], b = tets[i / 16 * 4 + i % 4];
		if ( a < b ) count += !isEdge[a][b];
		if ( a < b ) isEdge[a][b] = true;
	}
	return count;
}

static void TestBody( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	Tally tally;
	gelDebugDraw draw = MakeDraw( &tally );
	uint64_t hash = gelWorld_HashState( stage.world );
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success ); // nothing is enabled
	assert_int_equal( tally.segments + tally.points + tally.triangles + tally.transforms, 0 );
	draw.enableCage = draw.enableNodes = draw.enableTransforms = draw.enableInverted = true;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	assert_int_equal( tally.segments, CountEdges( &stage ) ); // each edge once, no tet is inverted
	assert_int_equal( tally.points, stage.nodeCount );
	assert_int_equal( tally.transforms, 1 );
	draw = MakeDraw( &tally );
	draw.enableBounds = true;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	gelAabb box = gelBody_GetBounds( stage.body );
	gelVec3 size = gelSub( box.max, box.min );
	assert_int_equal( tally.segments, 12 );
	assert_true( fabs( tally.length - 4.0 * (double)( size.x + size.y + size.z ) ) < 1e-4 );
	gelDebugDraw nobody = gelDefaultDebugDraw(); // who does not draw is not called
	nobody.enableCage = nobody.enableNodes = nobody.enablePatches = nobody.enableTransforms = true;
	assert_int_equal( gelWorld_Draw( stage.world, &nobody ), gel_success );
	assert_true( gelWorld_HashState( stage.world ) == hash );

	// turned inside out by a mirror
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		stage.nodes[i].x = -stage.nodes[i].x;
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	draw = MakeDraw( &tally );
	draw.enableInverted = true;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	assert_int_equal( tally.segments, 6 * gelAsset_GetInfo( stage.asset ).tetCount );
	gelFreeStage( &stage );
}

static void TestConstraints( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position.z = 7.0f;
	gelFrameId frame;
	assert_int_equal( gelCreateFrame( stage.body, &frameDef, &frame ), gel_success );
	gelConstraintDef hold = gelDefaultConstraintDef();
	hold.point = ( gelEmbeddedPoint ){ 0, { 0.25f, 0.25f, 0.25f, 0.25f } };
	gelBody_GetPointPosition( stage.body, &hold.point, &hold.target );
	hold.target.y += 0.5f;
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success );
	Tally tally;
	gelDebugDraw draw = MakeDraw( &tally );
	draw.enableConstraints = true;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	assert_true( tally.points == 1 && tally.segments == 1 && fabs( tally.length - 0.5 ) < 1e-5 );
	assert_true( tally.transforms == 1 && tally.place.z == 7.0f );
	gelFreeStage( &stage );
}

// Bodies that lie on each other: surfaces, contacts, colliders.
static void TestContact( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	int asset = gelContactScene_AddShape( &scene, &shape );
	gelContactScene_AddBody( &scene, asset, NULL, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelContactScene_AddBody( &scene, asset, NULL, gelMakeVec3( 0.2f, 0.99f, 0.1f ) );
	gelColliderDef box = gelDefaultColliderDef();
	box.shape = gel_shapeBox;
	box.halfExtents = gelMakeVec3( 1.0f, 2.0f, 3.0f );
	box.transform.position.x = 50.0f;
	gelColliderId collider;
	assert_int_equal( gelCreateCollider( scene.world, &box, &collider ), gel_success );
	gelContactScene_Step( &scene, 30 );
	Tally tally;
	gelDebugDraw draw = MakeDraw( &tally );
	draw.enableContacts = true;
	draw.normalLength = 2.0f;
	assert_int_equal( gelWorld_Draw( scene.world, &draw ), gel_success );
	int count = gelWorld_GetContacts( scene.world, NULL, 0 );
	assert_true( count > 0 && tally.points == count && tally.segments == count );
	assert_true( fabs( tally.length - 2.0 * count ) < 1e-3 * count );
	draw = MakeDraw( &tally );
	draw.enableColliders = true;
	assert_int_equal( gelWorld_Draw( scene.world, &draw ), gel_success );
	assert_true( tally.segments == 12 && fabs( tally.length - 48.0 ) < 1e-3 );
	draw = MakeDraw( &tally );
	draw.enableCurves = true;
	assert_int_equal( gelWorld_Draw( scene.world, &draw ), gel_success );
	assert_int_equal(
		tally.segments, gelBody_GetIntersectionCurves( scene.bodies[0], scene.bodies[1], NULL, 0 ) );
	int triangles = 0, boxes = 0;
	for ( int i = 0; i < 2; ++i )
	{
		triangles += gelAsset_GetInfo( gelBody_GetAsset( scene.bodies[i] ) ).patchTriangleCount;
		boxes += gelBody_GetCoarseBoxes( scene.bodies[i], 2, NULL, 0 );
	}
	double area = 0.0;
	for ( int level = 0; level < 4; ++level )
	{
		draw = MakeDraw( &tally );
		draw.enablePatches = draw.enableBoxes = true;
		draw.patchLevel = level;
		draw.boxLevel = 2;
		assert_int_equal( gelWorld_Draw( scene.world, &draw ), gel_success );
		assert_true( tally.triangles == triangles && tally.segments == 12 * boxes );
		assert_true( level == 0 || tally.area == area ); // colors differ, triangles do not
		area = tally.area;
	}
	gelFreeContactScene( &scene );
}

static uint32_t GetColor( gelBodyId body, void* context )
{
	(void)context;
	return 0xABC000u + body.index1;
}

static void TestParticles( void** state )
{
	(void)state;
	static gelParticleStageDef def;
	static gelParticleStage stage;
	gelInitParticleStage( &def );
	gelStageAddBlock( &def );
	gelMakeParticleStage( &def, &stage );
	Tally tally;
	gelDebugDraw draw = MakeDraw( &tally );
	draw.enableParticles = true;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	assert_int_equal( tally.ellipsoids, gelAsset_GetParticles( stage.asset, NULL, 0 ) );
	assert_int_equal( tally.segments, gelAsset_GetParticleEdges( stage.asset, NULL, 0 ) );
	draw.drawSegment = NULL;
	draw.getBodyColor = GetColor;
	assert_int_equal( gelWorld_Draw( stage.world, &draw ), gel_success );
	assert_int_equal( tally.color, 0xABC001 );
	gelFreeParticleStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBody ),
		cmocka_unit_test( TestConstraints ),
		cmocka_unit_test( TestContact ),
		cmocka_unit_test( TestParticles ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
