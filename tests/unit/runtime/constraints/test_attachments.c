// SPDX-License-Identifier: MIT
// Attachment points of bodies: where the artist put them while the body is at rest; carried along by rigid
// motion and by homogeneous deformation; the same in all levels and after a state was put back; and held.
#include "test_support.h"

#include "lod_stage.h"
#include "math/polar.h"
#include "stage.h"

#include <math.h>
#include <stdlib.h>

// Inside, on a node, above the box, and aside with axes of its own.
static const gelBakeAttachment s_points[] = {
	{ "inside", { 0.41, 0.37, 0.52 }, { 0.0, 0.0, 0.0, 1.0 }, 0.2 },
	{ "corner", { 1.0, 1.0, 1.0 }, { 0.0, 0.0, 0.0, 1.0 }, 0.0 },
	{ "above", { 0.5, 1.3, 0.5 }, { 0.0, 0.6, 0.0, 0.8 }, 0.0 },
	{ "aside", { -0.2, 0.4, 1.1 }, { 0.5, -0.5, 0.5, 0.5 }, 0.1 },
};
#define POINT_COUNT ( (int)( sizeof( s_points ) / sizeof( s_points[0] ) ) )

static gelStageDef MakeDef( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.attachments = s_points;
	def.attachmentCount = POINT_COUNT;
	return def;
}

static gelQuat MakeQuat( float x, float y, float z, float s )
{
	float scale = 1.0f / sqrtf( x * x + y * y + z * z + s * s );
	return ( gelQuat ){ { scale * x, scale * y, scale * z }, scale * s };
}

static gelVec3 Turn( gelQuat q, gelVec3 a )
{
	return gelMulMV( gelMakeMat3FromQuat( q ), a );
}

static void ExpectNear( gelVec3 a, gelVec3 b, float tolerance )
{
	float distance = gelLength( gelSub( a, b ) );
	if ( !( distance <= tolerance ) )
		fail_msg( "%g %g %g instead of %g %g %g, off by %g", (double)a.x, (double)a.y, (double)a.z,
			(double)b.x, (double)b.y, (double)b.z, (double)distance );
}

// Either quaternion of a rotation will do.
static void ExpectTurn( gelQuat a, gelQuat b, float tolerance )
{
	float cosine = fabsf( gelDot( a.v, b.v ) + a.s * b.s );
	gelVec3 sine = gelSub( gelScale( b.s, a.v ), gelAdd( gelScale( a.s, b.v ), gelCross( a.v, b.v ) ) );
	if ( !( gelLength( sine ) <= tolerance && cosine > 0.5f ) )
		fail_msg( "turned by %g rad", (double)( 2.0f * gelLength( sine ) ) );
}

static gelTransform GetPose( gelBodyId body, const char* name )
{
	gelTransform pose;
	int index = gelAsset_FindAttachment( gelBody_GetAsset( body ), name );
	assert_int_equal( gelBody_GetAttachmentTransform( body, index, &pose ), gel_success );
	return pose;
}

static gelTransform GetRest( gelBodyId body, const char* name )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	return gelAsset_GetAttachment( asset, gelAsset_FindAttachment( asset, name ) ).rest;
}

static void NamesFindPoints( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	gelStage stage = gelMakeStage( &def );
	assert_int_equal( gelAsset_GetAttachmentCount( stage.asset ), POINT_COUNT );
	for ( int i = 0; i < POINT_COUNT; ++i )
	{
		int index = gelAsset_FindAttachment( stage.asset, s_points[i].name );
		gelAttachmentInfo info = gelAsset_GetAttachment( stage.asset, index );
		assert_string_equal( info.name, s_points[i].name );
		assert_true( info.radius == (float)s_points[i].radius );
		for ( int k = 0; k < 4; ++k )
			assert_true( ( &info.rest.rotation.v.x )[k] == (float)s_points[i].rotation[k] );
		for ( int k = 0; k < 3; ++k )
			assert_true( ( &info.rest.position.x )[k] == (float)s_points[i].position[k] );
	}
	static const char* const others[] = { "", "a", "insid", "insidf", "zz" };
	for ( int i = 0; i < 5; ++i )
		assert_int_equal( gelAsset_FindAttachment( stage.asset, others[i] ), -1 );
	assert_int_equal( gelAsset_FindAttachment( stage.asset, NULL ), -1 );
	assert_int_equal( gelAsset_FindAttachment( NULL, "inside" ), -1 );
	assert_int_equal( gelAsset_GetAttachmentCount( NULL ), 0 );
	for ( int i = -1; i <= POINT_COUNT; i += POINT_COUNT + 1 )
	{
		gelTransform pose;
		assert_int_equal( gelAsset_GetAttachment( stage.asset, i ).point.tet, -1 );
		assert_string_equal( gelAsset_GetAttachment( stage.asset, i ).name, "" );
		assert_int_equal( gelBody_GetAttachmentTransform( stage.body, i, &pose ), gel_errorArgument );
		assert_int_equal(
			gelBody_HoldAttachment( stage.body, i, ( gelFrameId ){ 0 }, NULL, NULL ), gel_errorArgument );
	}
	gelTransform pose;
	assert_int_equal( gelBody_GetAttachmentTransform( stage.body, 0, NULL ), gel_errorArgument );
	assert_int_equal( gelBody_GetAttachmentTransform( ( gelBodyId ){ 0 }, 0, &pose ), gel_errorStaleId );
	gelFreeStage( &stage );
}

static void RestIsWhereTheyWerePut( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < POINT_COUNT; ++i )
	{
		gelTransform rest = GetRest( stage.body, s_points[i].name ),
					 now = GetPose( stage.body, s_points[i].name );
		ExpectNear( now.position, rest.position, 2.0e-7f );
		ExpectTurn( now.rotation, rest.rotation, 1.0e-7f );
	}
	gelFreeStage( &stage );
}

// Also far from the origin, where only what is handed out is rounded.
static void ExpectRigid( gelStage* stage, gelQuat q, gelVec3 t, float tolerance )
{
	assert_int_equal( gelBody_Reset( stage->body, ( gelTransform ){ t, q } ), gel_success );
	for ( int i = 0; i < POINT_COUNT; ++i )
	{
		gelTransform rest = GetRest( stage->body, s_points[i].name ),
					 now = GetPose( stage->body, s_points[i].name );
		ExpectNear( now.position, gelAdd( t, Turn( q, rest.position ) ), tolerance );
		ExpectTurn( now.rotation, gelMulQuat( q, rest.rotation ), 1.0e-6f );
	}
}

static void RigidMotionCarriesThem( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	for ( int particles = 0; particles < 2; ++particles )
	{
		def.hasParticles = particles == 1;
		if ( def.hasParticles ) def.body.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
		gelStage stage = gelMakeStage( &def );
		ExpectRigid( &stage, MakeQuat( 0.3f, -0.5f, 0.2f, 0.7f ), ( gelVec3 ){ 1.0f, 2.0f, -3.0f }, 2.0e-6f );
		ExpectRigid( &stage, MakeQuat( 0.0f, 1.0f, 0.0f, 0.0f ), ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, 2.0e-6f );
		ExpectRigid(
			&stage, MakeQuat( 1.0f, 0.2f, 0.1f, -0.4f ), ( gelVec3 ){ 4.0e4f, 0.0f, 9.0e3f }, 4.0e-3f );
		gelFreeStage( &stage );
	}
}

// x = A X + b: a point inside goes where A takes it, and turns by the rotation in A; one outside keeps its
// arm.
static void HomogeneousDeformationCarriesThem( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	gelStage stage = gelMakeStage( &def );
	gelQuat q = MakeQuat( 0.4f, 0.1f, -0.3f, 0.8f );
	gelMat3 S = { { 1.4f, 0.2f, 0.0f }, { 0.2f, 0.8f, -0.1f }, { 0.0f, -0.1f, 0.7f } };
	gelMat3 R = gelMakeMat3FromQuat( q );
	gelMat3 A = { gelMulMV( R, S.cx ), gelMulMV( R, S.cy ), gelMulMV( R, S.cz ) };
	gelVec3 b = { 0.5f, -1.0f, 2.0f };
	for ( int i = 0; i < stage.nodeCount; ++i )
		stage.nodes[i] = gelAdd( b, gelMulMV( A, stage.rest[i] ) );
	assert_int_equal(
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount ), gel_success );
	for ( int i = 0; i < POINT_COUNT; ++i )
	{
		gelTransform rest = GetRest( stage.body, s_points[i].name ),
					 now = GetPose( stage.body, s_points[i].name );
		gelVec3 clamped = { fminf( fmaxf( rest.position.x, 0.0f ), 1.0f ),
			fminf( fmaxf( rest.position.y, 0.0f ), 1.0f ), fminf( fmaxf( rest.position.z, 0.0f ), 1.0f ) };
		gelVec3 arm = gelSub( rest.position, clamped );
		assert_true( ( gelLength( arm ) > 0.0f ) == ( i >= 2 ) );
		ExpectNear(
			now.position, gelAdd( b, gelAdd( gelMulMV( A, clamped ), gelMulMV( R, arm ) ) ), 3.0e-6f );
		ExpectTurn( now.rotation, gelMulQuat( q, rest.rotation ), 3.0e-6f );
	}
	gelFreeStage( &stage );
}

// A point inside is the embedded point that the asset gives out, to rounding, whatever the body does.
static void PointsFollowTheBody( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 20 );
	gelEmbeddedPoint point =
		gelAsset_GetAttachment( stage.asset, gelAsset_FindAttachment( stage.asset, "inside" ) ).point;
	gelVec3 place;
	assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &place ), gel_success );
	gelTransform now = GetPose( stage.body, "inside" ), rest = GetRest( stage.body, "inside" );
	ExpectNear( now.position, place, 2.0e-7f );
	assert_true( gelLength( gelSub( now.position, rest.position ) ) > 0.01f ); // it hangs down

	// state: the same bits
	size_t bytes = gelBody_GetStateBytes( stage.body );
	void* saved = malloc( bytes );
	assert_int_equal( gelBody_SaveState( stage.body, saved, bytes ), gel_success );
	gelTransform before[POINT_COUNT], after[POINT_COUNT];
	for ( int i = 0; i < POINT_COUNT; ++i )
		gelBody_GetAttachmentTransform( stage.body, i, before + i );
	gelStage_Step( &stage, 5 );
	for ( int i = 0; i < POINT_COUNT; ++i )
		gelBody_GetAttachmentTransform( stage.body, i, after + i );
	assert_memory_not_equal( before, after, sizeof( before ) );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_success );
	for ( int i = 0; i < POINT_COUNT; ++i )
		gelBody_GetAttachmentTransform( stage.body, i, after + i );
	assert_memory_equal( before, after, sizeof( before ) );
	free( saved );
	gelFreeStage( &stage );
}

static void LevelsHaveTheSame( void** state )
{
	(void)state;
	static const gelBakeAttachment points[] = {
		{ "tip", { 0.97, 0.1, 0.12 }, { 0.0, 0.0, 0.0, 1.0 }, 0.0 },
		{ "back", { 0.4, 0.3, 0.1 }, { 0.0, 0.0, 0.6, 0.8 }, 0.05 },
	};
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.attachments = points;
	def.attachmentCount = 2;
	gelLodStage stage = gelMakeLodStage( &def );
	gelQuat q = MakeQuat( 0.1f, 0.7f, -0.3f, 0.5f );
	gelVec3 t = { 3.0f, 1.0f, 2.0f };
	assert_int_equal( gelBody_Teleport( stage.body, ( gelTransform ){ t, q } ), gel_success );
	for ( int level = GEL_LOD_STAGE_LEVELS - 1; level >= 0; --level )
	{
		assert_int_equal( gelBody_SetLevel( stage.body, level ), gel_success );
		const gelAsset* asset = gelBody_GetAsset( stage.body );
		assert_int_equal( gelAsset_GetAttachmentCount( asset ), 2 );
		assert_string_equal( gelAsset_GetAttachment( asset, 0 ).name, "back" );
		for ( int i = 0; i < 2; ++i )
		{
			gelTransform rest = gelAsset_GetAttachment( asset, i ).rest, now;
			assert_int_equal( gelBody_GetAttachmentTransform( stage.body, i, &now ), gel_success );
			ExpectNear( now.position, gelAdd( t, Turn( q, rest.position ) ), 4.0e-6f );
			ExpectTurn( now.rotation, gelMulQuat( q, rest.rotation ), 4.0e-6f );
		}
		gelLodStage_Step( &stage, 1 );
	}
	gelFreeLodStage( &stage );
}

// What is held stays held: points of constraints are found again in the other cage.
static void HoldsOutliveLevels( void** state )
{
	(void)state;
	static const gelBakeAttachment point = { "grip", { 0.5, 0.1, 0.1 }, { 0.0, 0.0, 0.0, 1.0 }, 0.08 };
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.youngsModulus = 1e6;
	def.attachments = &point;
	def.attachmentCount = 1;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelLodStage stage = gelMakeLodStage( &def );
	gelTransform start, now;
	assert_int_equal( gelBody_GetAttachmentTransform( stage.body, 0, &start ), gel_success );
	assert_int_equal( gelBody_HoldAttachment( stage.body, 0, ( gelFrameId ){ 0 }, NULL, NULL ), gel_success );
	for ( int i = 0; i < 4; ++i )
	{
		gelLodStage_Step( &stage, 20 );
		assert_int_equal( gelBody_GetAttachmentTransform( stage.body, 0, &now ), gel_success );
		ExpectNear( now.position, start.position, 0.01f );
		ExpectTurn( now.rotation, start.rotation, 0.05f );
		assert_int_equal( gelBody_SetLevel( stage.body, ( i + 1 ) % GEL_LOD_STAGE_LEVELS ), gel_success );
	}
	gelFreeLodStage( &stage );
}

// ---- held ------------------------------------------------------------------------------------------------

static int CountConstraints( gelBodyId body )
{
	return gelBody_GetConstraints( body, NULL, 0 );
}

// A bone takes a point with a radius along, and turns it.
static void BonesTakeThemAlong( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	for ( int particles = 0; particles < 2; ++particles )
	{
		def.hasParticles = particles == 1;
		if ( def.hasParticles ) def.body.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
		gelStage stage = gelMakeStage( &def );
		int index = gelAsset_FindAttachment( stage.asset, "inside" );
		gelFrameDef frameDef = gelDefaultFrameDef();
		frameDef.transform.position = ( gelVec3 ){ 0.2f, 0.9f, 0.1f };
		gelFrameId bone;
		gelConstraintId ids[GEL_ATTACHMENT_HOLDS];
		assert_int_equal( gelCreateFrame( stage.body, &frameDef, &bone ), gel_success );
		assert_int_equal( gelBody_HoldAttachment( stage.body, index, bone, NULL, ids ), gel_success );
		assert_int_equal( CountConstraints( stage.body ), 4 );
		gelTransform start = GetPose( stage.body, "inside" );
		gelVec3 arm = gelSub( start.position, frameDef.transform.position );
		gelTransform pose = frameDef.transform;
		for ( int i = 1; i <= 90; ++i )
		{
			float angle = 0.01f * (float)( i < 60 ? i : 60 );
			pose.position.x = 0.2f + angle;
			pose.rotation = ( gelQuat ){ { 0.0f, sinf( 0.5f * angle ), 0.0f }, cosf( 0.5f * angle ) };
			gelFrame_SetTransform( bone, pose );
			gelStage_Step( &stage, 1 );
		}
		gelTransform now = GetPose( stage.body, "inside" );
		ExpectNear( now.position, gelAdd( pose.position, Turn( pose.rotation, arm ) ), 0.01f );
		ExpectTurn( now.rotation, pose.rotation, 0.02f );
		for ( int i = 0; i < GEL_ATTACHMENT_HOLDS; ++i )
			gelDestroyConstraint( ids[i] );
		assert_int_equal( CountConstraints( stage.body ), 0 );
		gelFreeStage( &stage );
	}
}

// With a pose the axes of the point go to those of the bone; in the world without one.
static void PosesPullThemThere( void** state )
{
	(void)state;
	gelStageDef def = MakeDef();
	gelStage stage = gelMakeStage( &def );
	int index = gelAsset_FindAttachment( stage.asset, "inside" );
	gelTransform pose = { { 0.5f, 0.5f, 0.6f }, MakeQuat( 0.0f, 0.0f, 0.2f, 1.0f ) };
	assert_int_equal(
		gelBody_HoldAttachment( stage.body, index, ( gelFrameId ){ 0 }, &pose, NULL ), gel_success );
	gelStage_Step( &stage, 120 );
	gelTransform now = GetPose( stage.body, "inside" );
	ExpectNear( now.position, pose.position, 0.01f );
	ExpectTurn( now.rotation, pose.rotation, 0.02f );

	// a point without a radius is one pin, and refusals leave nothing behind
	int before = CountConstraints( stage.body );
	gelConstraintId ids[GEL_ATTACHMENT_HOLDS];
	int corner = gelAsset_FindAttachment( stage.asset, "corner" );
	assert_int_equal(
		gelBody_HoldAttachment( stage.body, corner, ( gelFrameId ){ 0 }, NULL, ids ), gel_success );
	assert_int_equal( CountConstraints( stage.body ), before + 1 );
	assert_true( ids[0].index1 != 0 && ids[1].index1 == 0 && ids[3].index1 == 0 );
	pose.rotation.s = NAN;
	assert_int_equal(
		gelBody_HoldAttachment( stage.body, index, ( gelFrameId ){ 0 }, &pose, ids ), gel_errorArgument );
	assert_int_equal(
		gelBody_HoldAttachment( stage.body, index, ( gelFrameId ){ stage.body, 1, 77 }, NULL, ids ),
		gel_errorStaleId );
	while ( CountConstraints( stage.body ) + 2 < def.body.constraintCapacity )
		gelBody_HoldAttachment( stage.body, corner, ( gelFrameId ){ 0 }, NULL, NULL );
	before = CountConstraints( stage.body );
	assert_int_equal(
		gelBody_HoldAttachment( stage.body, index, ( gelFrameId ){ 0 }, NULL, ids ), gel_errorFull );
	assert_int_equal( CountConstraints( stage.body ), before );
	assert_int_equal( ids[0].index1, 0 );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( NamesFindPoints ),
		cmocka_unit_test( RestIsWhereTheyWerePut ),
		cmocka_unit_test( RigidMotionCarriesThem ),
		cmocka_unit_test( HomogeneousDeformationCarriesThem ),
		cmocka_unit_test( PointsFollowTheBody ),
		cmocka_unit_test( LevelsHaveTheSame ),
		cmocka_unit_test( HoldsOutliveLevels ),
		cmocka_unit_test( BonesTakeThemAlong ),
		cmocka_unit_test( PosesPullThemThere ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
