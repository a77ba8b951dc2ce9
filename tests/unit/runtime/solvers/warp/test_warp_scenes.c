// SPDX-License-Identifier: MIT
// The scenes of Hecht et al. (2012) with bodies made from formulas: a dragon that falls, a squashed bear, a
// sheet over a ball, a trampoline, a spider of soft and stiff parts, three rings on a bar. All stay finite,
// gain no energy that nobody gave them, and are of their old shape when they are left alone.
#include "test_support.h"

#include "contact_scene.h"

#include <math.h>
#include <stdlib.h>

// A body of a scene.
typedef struct Watch
{
	gelContactScene scene;
	int body;
	double most;     // largest energy so far [J]
	double strained; // largest elastic energy so far [J]
} Watch;

static gelBodyDef WarpDef( void )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	return def;
}

static gelColliderId AddCollider( Watch* watch, gelColliderDef def )
{
	gelColliderId id;
	assert_int_equal( gelCreateCollider( watch->scene.world, &def, &id ), gel_success );
	return id;
}

// A floor is a collider here: stiff bodies answer to those as a whole. The ground of a world moves what is
// below it without asking the material, which stiff feet do not like.
static Watch OpenScene( double step, bool hasFloor )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	Watch watch = { .scene = gelMakeContactScene( &worldDef, step ), .most = -1e9 };
	if ( hasFloor ) AddCollider( &watch, gelDefaultColliderDef() );
	return watch;
}

static gelBodyDynamics GetDynamics( const Watch* watch )
{
	return gelBody_GetDynamics( watch->scene.bodies[watch->body] );
}

// Steps, and looks at energy and speed after each.
static void Play( Watch* watch, int steps )
{
	for ( int i = 0; i < steps; ++i )
	{
		gelContactScene_Step( &watch->scene, 1 );
		gelSceneSums sums = gelContactScene_Sum( &watch->scene );
		watch->most = fmax( watch->most, sums.kinetic + sums.potential + sums.elastic );
		watch->strained = fmax( watch->strained, (double)GetDynamics( watch ).elasticEnergy );
	}
}

// Largest strain of a tet, of those that are at least as large as a part of the mean volume.
static double GetStrain( const Watch* watch )
{
	gelBodyId body = watch->scene.bodies[watch->body];
	int count = gelBody_GetTetStates( body, NULL, 0 );
	gelTetState* states = calloc( (size_t)count, sizeof( gelTetState ) );
	assert_non_null( states );
	gelBody_GetTetStates( body, states, count );
	double most = 0.0;
	for ( int t = 0; t < count; ++t )
	{
		assert_false( states[t].isInverted );
		for ( int k = 0; k < 6; ++k )
			most = fmax( most, fabs( (double)states[t].strain[k] ) );
	}
	free( states );
	return most;
}

// Nothing pulls or pushes any more: the shape is that of rest.
static void LeaveAlone( Watch* watch, int steps, double strain )
{
	gelWorld_SetGravity( watch->scene.world, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelBodyId body = watch->scene.bodies[watch->body];
	int count = gelBody_GetNodePositions( body, NULL, 0 );
	gelVec3* x = calloc( 2 * (size_t)count, sizeof( gelVec3 ) );
	assert_non_null( x );
	gelBody_GetNodePositions( body, x, count );
	gelBody_GetNodeVelocities( body, x + count, count );
	for ( int i = 0; i < count; ++i )
		x[i].y += 10.0f; // off the ground, and away from everything
	assert_int_equal( gelBody_SetNodeState( body, x, x + count, count ), gel_success );
	free( x );
	gelContactScene_Step( &watch->scene, steps );
	double left = (double)GetDynamics( watch ).elasticEnergy;
	double most = GetStrain( watch );
	print_message( "strain %.4f, elastic energy %.2e of %.2e J at most\n", most, left, watch->strained );
	assert_true( left < 0.01 * watch->strained );
	assert_true( most < strain );
}

static void DragonFalls( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 60.0, true );
	// making a dragon takes longer than all of its fall
	gelSampleDef sample = gelDefaultSampleDef( GEL_IS_SANITIZED ? "horse" : "dragon" );
	sample.tets = 400;
	sample.triangles = 1000;
	sample.youngsModulus = 3e5;
	gelBodyDef def = WarpDef();
	def.transform.rotation = ( gelQuat ){ { 0.0f, 0.0f, 0.38268343f }, 0.92387953f };
	watch.body = gelContactScene_AddBody( &watch.scene, gelContactScene_AddSample( &watch.scene, &sample ),
		&def, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );
	double before = gelContactScene_Sum( &watch.scene ).potential;
	Play( &watch, GEL_IS_SANITIZED ? 40 : 100 );
	print_message( "dragon: %.2f J at the start, %.2f at most\n", before, watch.most );
	assert_true( watch.most < 1.01 * before );
	assert_true( watch.strained > 1e-3 * before ); // it was hit
	LeaveAlone( &watch, 80, 0.05 );
	gelFreeContactScene( &watch.scene );
}

// Between the ground and a plate that comes down to half of the bear's height, and goes again.
static void BearIsSquashed( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 60.0, true );
	gelSampleDef sample = gelDefaultSampleDef( "bear" );
	sample.tets = 400;
	sample.triangles = 1000;
	sample.youngsModulus = 1e5;
	gelBodyDef def = WarpDef();
	watch.body = gelContactScene_AddBody( &watch.scene, gelContactScene_AddSample( &watch.scene, &sample ),
		&def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelColliderDef plate = gelDefaultColliderDef();
	plate.shape = gel_shapeBox;
	plate.halfExtents = ( gelVec3 ){ 1.0f, 0.1f, 1.0f };
	plate.transform.position.y = 0.65f;
	gelColliderId id = AddCollider( &watch, plate );
	double fastest = 0.0, highest = 0.0;
	for ( int i = 1; i <= 120; ++i )
	{
		gelTransform pose = plate.transform;
		float part = i <= 50 ? (float)i / 50.0f : i <= 70 ? 1.0f : (float)( 120 - i ) / 50.0f;
		pose.position.y = 0.65f - 0.3f * part; // its lower side from 0.55 m to 0.25 m, at 0.36 m/s
		gelCollider_SetTarget( id, pose );
		Play( &watch, 1 );
		fastest = fmax( fastest, gelGetFastestNode( watch.scene.bodies[0] ) );
		if ( i != 65 ) continue;
		gelVec3* x = calloc( 4000, sizeof( gelVec3 ) );
		int count = gelBody_GetPositions( watch.scene.bodies[0], x, 4000 );
		for ( int k = 0; k < count && k < 4000; ++k )
			highest = fmax( highest, (double)x[k].y );
		free( x );
	}
	print_message( "bear: %.3f m high under the plate, %.2f m/s at most\n", highest, fastest );
	assert_true( highest < 0.27 ); // it began at 0.5 m
	assert_true( fastest < 4.0 );
	LeaveAlone( &watch, 90, 0.05 );
	gelFreeContactScene( &watch.scene );
}

// 1 m long and 0.1 mm thick, of square cells: of as many across, 1 m x 1 m, it has 0.1 kg.
static int AddSheet(
	Watch* watch, int cells, int across, double youngsModulus, bool pinLeft, gelVec3 position )
{
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = cells;
	shape.cells[1] = 1;
	shape.cells[2] = across;
	shape.size[2] = (double)across / cells;
	shape.size[1] = 1e-4;
	shape.inset = 1e-3;
	shape.youngsModulus = youngsModulus;
	shape.poissonsRatio = 0.3;
	shape.pinLeft = pinLeft;
	gelBodyDef def = WarpDef();
	def.solver.warp.isSheet = true;
	return gelContactScene_AddBody(
		&watch->scene, gelContactScene_AddShape( &watch->scene, &shape ), &def, position );
}

// Its lowest and its highest node [m].
static void GetHeights( const Watch* watch, double* low, double* high )
{
	gelBodyId body = watch->scene.bodies[watch->body];
	int count = gelBody_GetNodePositions( body, NULL, 0 );
	gelVec3* x = calloc( (size_t)count, sizeof( gelVec3 ) );
	assert_non_null( x );
	gelBody_GetNodePositions( body, x, count );
	*low = 1e9, *high = -1e9;
	for ( int i = 0; i < count; ++i )
	{
		*low = fmin( *low, (double)x[i].y );
		*high = fmax( *high, (double)x[i].y );
	}
	free( x );
}

// Over a ball its middle stays up, its rim hangs, and nothing is stretched.
static void SheetDrapes( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 30.0, false );
	int cells = GEL_IS_SANITIZED ? 10 : 12;
	watch.body = AddSheet( &watch, cells, cells, 1e5, false, ( gelVec3 ){ -0.5f, 0.305f, -0.5f } );
	gelColliderDef ball = gelDefaultColliderDef();
	ball.shape = gel_shapeSphere;
	ball.radius = 0.3f;
	AddCollider( &watch, ball );
	double low, high, before = gelContactScene_Sum( &watch.scene ).potential;
	Play( &watch, 24 );
	GetHeights( &watch, &low, &high );
	print_message( "sheet: from %.3f to %.3f m, strain %.3f, %.3f J, %.3f at most\n", low, high,
		GetStrain( &watch ), before, watch.most );
	assert_true( watch.most < before + 1e-3 ); // it only falls
	assert_true( GetStrain( &watch ) < 0.25 ); // flat elements shear when they bend
	assert_true( low < 0.05 && high > 0.29 && high < 0.32 );
	gelFreeContactScene( &watch.scene );
}

// Elements of 2 cm, 200 times as wide as thick, held at one side: a flag that swings down. As it is stretched
// at once when it gets there, up to a twentieth of the energy of its fall is more than it should have.
static void SheetSwings( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 60.0, false );
	int across = GEL_IS_SANITIZED ? 4 : 12; // the mass goes with it, and with the mass all energies
	watch.body = AddSheet( &watch, 50, across, 1e6, true, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	double low, high, lowest = 0.0, residual = 0.0, strain = 0.0;
	for ( int i = 0; i < 29; ++i )
	{
		Play( &watch, 1 );
		GetHeights( &watch, &low, &high );
		lowest = fmin( lowest, low );
		if ( i % 8 == 7 ) strain = fmax( strain, GetStrain( &watch ) );
		residual = fmax( residual, (double)gelBody_GetWarpStats( watch.scene.bodies[0] ).residual );
	}
	print_message( "flag: %.3f m down, strain %.3f, %.4f J too much, residual %.4f\n", lowest, strain,
		watch.most, residual );
	assert_true( watch.most < 0.5 / 20.0 * across / 50.0 );
	assert_true( residual < 1e-2 );
	assert_true( strain < 0.25 ); // flat elements shear when they bend
	assert_true( lowest < -0.9 && lowest > -1.05 && high < 0.01 );
	gelFreeContactScene( &watch.scene );
}

// A ball falls on a mat that is held at its rim: it is thrown back, and the mat is flat again.
static void TrampolineThrows( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 240.0, false );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = shape.cells[2] = 12;
	shape.cells[1] = 1;
	shape.size[0] = shape.size[2] = 1.2;
	shape.size[1] = 0.01;
	shape.inset = 1e-3;
	shape.youngsModulus = 1e5;
	shape.poissonsRatio = 0.3;
	shape.pinRim = true;
	gelBodyDef def = WarpDef();
	def.solver.warp.isSheet = true;
	watch.body = gelContactScene_AddBody( &watch.scene, gelContactScene_AddShape( &watch.scene, &shape ),
		&def, ( gelVec3 ){ -0.6f, -0.01f, -0.6f } );
	gelShapeDef ballShape = gelDefaultShapeDef();
	ballShape.isBall = true;
	ballShape.size[0] = ballShape.size[1] = ballShape.size[2] = 0.24;
	ballShape.youngsModulus = 1e6;
	gelBodyDef ballDef = WarpDef();
	int ball = gelContactScene_AddBody( &watch.scene, gelContactScene_AddShape( &watch.scene, &ballShape ),
		&ballDef, ( gelVec3 ){ -0.12f, 0.5f, -0.12f } );
	double start = (double)gelBody_GetDynamics( watch.scene.bodies[ball] ).centerOfMass.y;
	double lowest = 1e9, back = -1e9, before = gelContactScene_Sum( &watch.scene ).potential;
	for ( int i = 0; i < 280; ++i )
	{
		Play( &watch, 1 );
		double y = (double)gelBody_GetDynamics( watch.scene.bodies[ball] ).centerOfMass.y;
		if ( y < lowest ) back = y;
		lowest = fmin( lowest, y );
		back = fmax( back, y );
	}
	print_message( "ball: from %.3f m down to %.3f, up to %.3f; %.3f J, %.3f at most\n", start, lowest, back,
		before, watch.most );
	assert_true( lowest < -0.1 && back > lowest + 0.25 );
	assert_true( watch.most < before + 0.02 * fabs( before ) );
	// without the ball and without weight it is flat again
	gelDestroyBody( watch.scene.bodies[ball] );
	watch.scene.bodyCount = 1;
	gelWorld_SetGravity( watch.scene.world, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &watch.scene, 240 );
	double low, high;
	GetHeights( &watch, &low, &high );
	print_message( "mat: from %.3f to %.3f m\n", low, high );
	assert_true( low > -0.06 && high < 0.06 );
	assert_true( (double)GetDynamics( &watch ).elasticEnergy < 0.01 * watch.strained );
	gelFreeContactScene( &watch.scene );
}

// Legs 300 times as stiff as the body.
static void PaintLegs( const double p[3], gelBakeMaterial* m )
{
	double r = sqrt( p[0] * p[0] + ( p[1] - 0.25 ) * ( p[1] - 0.25 ) + p[2] * p[2] );
	if ( r > 0.2 ) m->youngsModulus *= 300.0;
}

static void SpiderFalls( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 60.0, true );
	gelSampleDef sample = gelDefaultSampleDef( "spider" );
	sample.tets = 600;
	sample.triangles = 1000;
	sample.youngsModulus = 1e5;
	sample.paint = PaintLegs;
	gelBodyDef def = WarpDef();
	int asset = gelContactScene_AddSample( &watch.scene, &sample );
	watch.body = gelContactScene_AddBody( &watch.scene, asset, &def, ( gelVec3 ){ 0.0f, 0.15f, 0.0f } );
	assert_int_equal( gelAsset_GetInfo( watch.scene.assets[asset] ).materialCount, 2 );
	assert_true( gelAsset_GetMaterial( watch.scene.assets[asset], 1 ).youngsModulus == 3e7f );
	double before = gelContactScene_Sum( &watch.scene ).potential;
	Play( &watch, GEL_IS_SANITIZED ? 40 : 100 );
	print_message( "spider: %.2f J at the start, %.2f at most\n", before, watch.most );
	assert_true( watch.most < 1.01 * before );
	LeaveAlone( &watch, GEL_IS_SANITIZED ? 40 : 80, 0.05 );
	gelFreeContactScene( &watch.scene );
}

// Falls on a bar across its middle.
static void RingsHang( void** state )
{
	(void)state;
	Watch watch = OpenScene( 1.0 / 60.0, false );
	gelSampleDef sample = gelDefaultSampleDef( "three-torus" );
	sample.tets = 400;
	sample.triangles = 1000;
	sample.youngsModulus = 3e5;
	sample.friction = 1.0;
	gelBodyDef def = WarpDef();
	def.transform.rotation = ( gelQuat ){ { 0.70710678f, 0.0f, 0.0f }, 0.70710678f }; // lying
	watch.body = gelContactScene_AddBody( &watch.scene, gelContactScene_AddSample( &watch.scene, &sample ),
		&def, ( gelVec3 ){ 0.0f, 0.3f, -0.2f } );
	gelColliderDef bar = gelDefaultColliderDef();
	bar.shape = gel_shapeCapsule;
	bar.radius = 0.1f;
	bar.halfLength = 2.0f;
	bar.transform.rotation = ( gelQuat ){ { 0.70710678f, 0.0f, 0.0f }, 0.70710678f }; // along z
	bar.staticFriction = bar.dynamicFriction = 1.0f;
	AddCollider( &watch, bar );
	double before = gelContactScene_Sum( &watch.scene ).potential;
	Play( &watch, GEL_IS_SANITIZED ? 40 : 100 );
	gelVec3 center = GetDynamics( &watch ).centerOfMass;
	print_message( "rings: %.2f J at the start, %.2f at most; at %.3f %.3f %.3f\n", before, watch.most,
		(double)center.x, (double)center.y, (double)center.z );
	assert_true( watch.most < 1.01 * before );
	assert_true( center.y > -0.4f && fabsf( center.x ) < 0.2f ); // it hangs over the bar
	LeaveAlone( &watch, 80, 0.05 ); // in 40 steps 1 % of the blow still rings: nothing damps this material
	gelFreeContactScene( &watch.scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( DragonFalls ),
		cmocka_unit_test( BearIsSquashed ),
		cmocka_unit_test( SheetDrapes ),
		cmocka_unit_test( SheetSwings ),
		cmocka_unit_test( TrampolineThrows ),
		cmocka_unit_test( SpiderFalls ),
		cmocka_unit_test( RingsHang ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
