// SPDX-License-Identifier: MIT
// A box on a slope: below the angle of static friction it stays, above it slides as Coulomb says, on the
// ground, on colliders, on static surfaces and on bodies, with every solver. Slopes are made by tilting
// gravity.
#include "test_support.h"

#include "contact_scene.h"
#include "math/gel_math.h"

#include <math.h>

static const double s_step = 1.0 / 60.0;

static const double s_static = 0.8, s_dynamic = 0.3;

static const struct
{
	const char* name;
	gelSolverType solver;
	gelSolverMode mode;
} solvers[] = {
	{ "fast", gel_solverFastCorotated, gel_modePlain },
	{ "quality", gel_solverFastCorotated, gel_modeQuality },
	{ "implicit", gel_solverImplicit, gel_modePlain },
	{ "warp", gel_solverWarpCancelling, gel_modePlain },
};
#define SOLVERS ( (int)( sizeof( solvers ) / sizeof( solvers[0] ) ) )

typedef enum Support
{
	onGround,
	onPlane,
	onBox,
	onSurface,
	onBody,
	SUPPORTS
} Support;

static const char* const s_supportNames[SUPPORTS] = { "ground", "plane", "box", "surface", "body" };

// A slab of 8 x 0.5 x 2 m with its top at y = 0.498.
static gelShapeDef MakeSlab( void )
{
	gelShapeDef slab = gelDefaultShapeDef();
	slab.cells[0] = 12;
	slab.cells[1] = 1;
	slab.size[0] = 8.0;
	slab.size[1] = 0.5;
	slab.size[2] = 2.0;
	slab.inset = 0.004;
	slab.pinBottom = true;
	slab.youngsModulus = 1e6;
	slab.friction = s_static;
	slab.dynamicFriction = s_dynamic;
	return slab;
}

static void AddSupport( gelContactScene* scene, Support support, const gelBodyDef* bodyDef )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.staticFriction = (float)s_static;
	def.dynamicFriction = (float)s_dynamic;
	def.transform.position.y = 0.5f;
	gelShapeDef slab = MakeSlab();
	if ( support == onGround ) return;
	if ( support == onBody )
	{
		gelContactScene_AddBody( scene, gelContactScene_AddShape( scene, &slab ), bodyDef, ( gelVec3 ){ 0 } );
		return;
	}
	if ( support == onBox )
	{
		def.shape = gel_shapeBox;
		def.halfExtents = ( gelVec3 ){ 8.0f, 0.25f, 2.0f };
		def.transform.position.y = 0.25f;
	}
	if ( support == onSurface )
	{
		def.shape = gel_shapeSurface;
		def.asset = scene->assets[gelContactScene_AddShape( scene, &slab )];
		def.transform.position.y = 0.0f;
	}
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene->world, &def, &id ), gel_success );
}

static gelVec3 GetGravity( double slope )
{
	double angle = atan( slope );
	return ( gelVec3 ){ (float)( 9.81 * sin( angle ) ), (float)( -9.81 * cos( angle ) ), 0.0f };
}

// A box of 1 x 0.5 x 1 m on a slope, with a speed downhill; it is the last body of the scene.
static gelContactScene MakeSlope( Support support, int solver, double slope, float speed )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = GetGravity( slope );
	worldDef.hasGround = support == onGround;
	worldDef.ground.offset = 0.5f;
	worldDef.groundStaticFriction = (float)s_static;
	worldDef.groundDynamicFriction = (float)s_dynamic;
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( solvers[solver].solver );
	if ( solvers[solver].mode == gel_modeQuality ) def.solver.fast.mode = gel_modeQuality;
	AddSupport( &scene, support, &def );
	gelShapeDef box = gelDefaultShapeDef();
	box.size[1] = 0.5;
	box.youngsModulus = 1e6;
	box.friction = s_static;
	box.dynamicFriction = s_dynamic;
	def.linearVelocity.x = speed;
	gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &box ), &def,
		( gelVec3 ){ 0.5f, support == onSurface || support == onBody ? 0.495f : 0.5f, 0.5f } );
	return scene;
}

static gelBodyDynamics GetBox( const gelContactScene* scene )
{
	return gelBody_GetDynamics( scene->bodies[scene->bodyCount - 1] );
}

static double GetSpeed( const gelContactScene* scene )
{
	gelBodyDynamics box = GetBox( scene );
	return (double)box.linearMomentum.x / (double)box.mass;
}

typedef struct Case
{
	double slope;
	float speed; // at first [m/s]
	bool isHeld; // comes to rest and stays; else slides by dynamic friction
} Case;

// What lies is tilted slowly: a soft box that is let go at once swings in shear, with up to twice the force.
// @return the least speed on the way [m/s]
static double Start( gelContactScene* scene, const Case* c )
{
	double least = 0.0;
	int count = 45;
	for ( int i = 0; i < count; ++i )
	{
		if ( c->speed == 0.0f )
			gelWorld_SetGravity( scene->world, GetGravity( c->slope * fmin( 1.0, 1.5 * i / count ) ) );
		gelContactScene_Step( scene, 1 );
		least = fmin( least, GetSpeed( scene ) );
	}
	return least;
}

static void Check( Support support, int solver, const Case* c )
{
	gelContactScene scene = MakeSlope( support, solver, c->slope, c->speed );
	double least = Start( &scene, c ), speed = GetSpeed( &scene );
	float x = GetBox( &scene ).centerOfMass.x;
	gelContactScene_Step( &scene, 30 );
	double angle = atan( c->slope ), gain = 2.0 * ( GetSpeed( &scene ) - speed );
	double ideal = 9.81 * ( sin( angle ) - s_dynamic * cos( angle ) );
	double moved = (double)( GetBox( &scene ).centerOfMass.x - x );
	// the quality mode lets what is held swing in shear for longer
	double still = solvers[solver].mode == gel_modeQuality ? 4e-3 : 1e-3;
	bool isRight = c->isHeld ? fabs( moved ) < 5e-4 && fabs( GetSpeed( &scene ) ) < still
							 : fabs( gain - ideal ) < 0.03 * ideal && speed > 0.1;
	// friction does not turn a motion around; shear that springs back does, a little
	if ( !isRight || least < -0.06 )
		fail_msg( "%s, %s solver, slope %.2f, speed %.1f: moved %.5f m to %.4f m/s, gained %.3f m/s^2 "
				  "instead of %.3f, least speed %.3f m/s",
			s_supportNames[support], solvers[solver].name, c->slope, (double)c->speed, moved,
			GetSpeed( &scene ), gain, ideal, least );
	gelFreeContactScene( &scene );
}

static const Case s_cases[] = {
	{ 0.5, 0.0f, true },   // between both: at rest it stays
	{ 0.72, 0.0f, true },  // 10 % below static
	{ 0.88, 0.0f, false }, // 10 % above: breaks loose
	{ 0.5, 1.0f, false },  // in motion it goes on
	{ 0.27, 0.15f, true }, // 10 % below dynamic: slows down and stays
	{ 0.33, 1.0f, false }, // 10 % above: goes on
};

static void CheckSupport( Support support )
{
	for ( int solver = 0; solver < SOLVERS; solver += GEL_IS_SANITIZED ? 2 : 1 )
	{
		for ( int i = 0; i < (int)( sizeof( s_cases ) / sizeof( s_cases[0] ) ); ++i )
			Check( support, solver, s_cases + i );
	}
}

static void TestGround( void** state )
{
	(void)state;
	CheckSupport( onGround );
}

static void TestColliders( void** state )
{
	(void)state;
	CheckSupport( onPlane );
	CheckSupport( onBox );
}

static void TestSurface( void** state )
{
	(void)state;
	CheckSupport( onSurface );
}

static void TestBody( void** state )
{
	(void)state;
	CheckSupport( onBody );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestGround ),
		cmocka_unit_test( TestColliders ),
		cmocka_unit_test( TestSurface ),
		cmocka_unit_test( TestBody ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
