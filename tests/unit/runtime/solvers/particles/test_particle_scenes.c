// SPDX-License-Identifier: MIT
// Scenes of Choi and Lee (2017) that need more than one body or a baked one: a figure that finds back from a
// point, a sheet on a turning rod, a body on a sheet, heaps of 52 and 180 bodies. (The twisted bar and three
// stiffnesses are in test_particle_handles.c.)
#include "test_support.h"

#include "math/gel_math.h"
#include "particle_stage.h"
#include "samples.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>

typedef struct Body
{
	uint8_t* pack;
	gelAsset* asset;
	int count;
} Body;

static gelParticlePose s_poses[1024];

// A sample or a square sheet of 1 m, baked for 1/30 s.
static Body MakeBody( const char* sample, int particles, double youngsModulus )
{
	Body out = { NULL, NULL, 0 };
	gelMesh mesh;
	gelProgram program;
	gelInitTestProgram( &program );
	assert_true( gelMakeSample( sample, 1500, 1, &mesh ) );
	double low[3], size[3];
	for ( int k = 0; k < 3; ++k )
	{
		low[k] = (double)mesh.boundsMin[k] - 0.02;
		size[k] = (double)mesh.boundsMax[k] - low[k] + 0.02;
	}
	gelCage cage = gelMakeBoxCage( 2, 2, 2, size[0], size[1], size[2], gel_boxSplitSix );
	for ( size_t i = 0; i < 3 * (size_t)cage.nodeCount; ++i )
		cage.positions[i] += low[i % 3];
	double step = 1.0 / 30.0;
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.steps = &step;
	settings.stepCount = 1;
	settings.material.youngsModulus = youngsModulus;
	settings.material.damping = 0.5;
	settings.particles = ( gelParticleSettings ){ .kind = gel_particlesAuto, .count = particles };
	size_t bytes;
	out.pack = gelBake( &mesh, &cage, &settings, &program, &bytes );
	assert_non_null( out.pack );
	assert_int_equal( gelLoadAsset( out.pack, bytes, NULL, &out.asset, NULL ), gel_success );
	out.count = gelAsset_GetParticles( out.asset, NULL, 0 );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return out;
}

static void FreeBody( Body* body )
{
	gelDestroyAsset( body->asset );
	free( body->pack );
}

static gelWorldId MakeWorld( bool hasGround, bool hasContact )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = hasGround;
	def.enableContact = hasContact;
	def.contactCapacity = 16384;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &def, &world ), gel_success );
	return world;
}

static gelBodyId Add( gelWorldId world, const gelAsset* asset, gelVec3 position )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.transform.position = position;
	gelBodyId id;
	assert_int_equal( gelCreateBody( world, &def, &id ), gel_success );
	return id;
}

static void Step( gelWorldId world, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( world, 1.0f / 30.0f ), gel_success );
	assert_int_equal( gelWorld_GetCounters( world ).nonFiniteBodyCount, 0 );
}

static int Fetch( gelBodyId id )
{
	return gelBody_GetParticlePoses( id, s_poses, 1024 );
}

// ---- one body --------------------------------------------------------------------------------------------

// All of its hundred particles in one point: within 16 frames distances are those of rest.
static void TestFigureFindsBack( void** state )
{
	(void)state;
	Body figure = MakeBody( "figure", 100, 3e5 );
	gelWorldId world = MakeWorld( false, false );
	gelWorld_SetGravity( world, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelBodyId id = Add( world, figure.asset, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	int count = Fetch( id );
	for ( int i = 0; i < count; ++i )
		s_poses[i].position = gelMakeVec3( 0.0f, 0.5f, 0.0f );
	assert_int_equal( gelBody_SetParticlePoses( id, s_poses, count ), gel_success );
	Step( world, 16 );
	Fetch( id );
	static gelParticle rest[1024];
	static int edges[2 * 4096];
	gelAsset_GetParticles( figure.asset, rest, 1024 );
	int edgeCount = gelAsset_GetParticleEdges( figure.asset, edges, 4096 );
	double sum = 0.0, restSum = 0.0;
	for ( int e = 0; e < edgeCount; ++e )
	{
		int a = edges[2 * e], b = edges[2 * e + 1];
		double length = (double)gelLength( gelSub( s_poses[a].position, s_poses[b].position ) );
		double restLength = (double)gelLength( gelSub( rest[a].position, rest[b].position ) );
		sum += fabs( length - restLength );
		restSum += restLength;
	}
	assert_true( sum < 0.1 * restSum );
	gelDestroyWorld( world );
	FreeBody( &figure );
}

// ---- sheets ----------------------------------------------------------------------------------------------

// A square sheet of balls, 1 m wide, in the plane y = 0.
static gelParticleStageDef s_sheet;
static gelParticleStage s_stage;

static void MakeSheet( uint32_t n )
{
	gelInitParticleStage( &s_sheet );
	double distance = 1.0 / ( n - 1 ), r = 0.4 * distance;
	const double radius[3] = { r, 0.5 * r, r };
	for ( uint32_t i = 0; i < n * n; ++i )
	{
		const double x[3] = { distance * ( i % n ) - 0.5, 0.0, distance * ( i / n ) - 0.5 };
		gelStageAddParticle( &s_sheet, x, radius, 300.0 );
	}
	for ( uint32_t i = 0; i < n * n; ++i )
	{
		uint32_t pairs[2] = { i % n + 1 < n ? i + 1 : i, i / n + 1 < n ? i + n : i };
		for ( int k = 0; k < 2; ++k )
		{
			if ( pairs[k] == i ) continue;
			s_sheet.edges[s_sheet.edgeCount][0] = i;
			s_sheet.edges[s_sheet.edgeCount++][1] = pairs[k];
		}
	}
	s_sheet.kind = GEL_PARTICLES_SHEET;
	s_sheet.youngsModulus = 3e4;
	s_sheet.damping = 1.0;
	s_sheet.steps[0] = 1.0 / 30.0;
	gelMakeParticleStage( &s_sheet, &s_stage ); // for its asset
}

// A sheet falls over a rod that turns about its own axis: friction carries it round, and it slides down on
// one side; over a rod that stands it stays.
static void TestSheetOnARod( void** state )
{
	(void)state;
	float moved[2];
	MakeSheet( 16 );
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldId world = MakeWorld( false, true );
		gelBodyId sheet = Add( world, s_stage.asset, gelMakeVec3( 0.0f, 0.25f, 0.0f ) );
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeCapsule;
		def.radius = 0.2f;
		def.halfLength = 1.0f;
		def.transform.rotation = ( gelQuat ){ { sqrtf( 0.5f ), 0.0f, 0.0f }, sqrtf( 0.5f ) }; // along z
		gelColliderId rod;
		assert_int_equal( gelCreateCollider( world, &def, &rod ), gel_success );
		gelQuat along = def.transform.rotation;
		for ( int i = 1; i <= 45; ++i )
		{
			float half = 0.5f * ( k == 0 ? 0.0f : 2.0f * (float)i / 30.0f );
			gelTransform pose = { { 0.0f, 0.0f, 0.0f },
				gelMulQuat( ( gelQuat ){ { 0.0f, 0.0f, sinf( -half ) }, cosf( half ) }, along ) };
			assert_int_equal( gelCollider_SetTarget( rod, pose ), gel_success );
			Step( world, 1 );
			int count = Fetch( sheet );
			for ( int p = 0; p < count; ++p )
				assert_true( hypotf( s_poses[p].position.x, s_poses[p].position.y ) > 0.19f );
		}
		moved[k] = gelBody_GetDynamics( sheet ).centerOfMass.x;
		if ( k == 0 ) assert_true( gelBody_GetDynamics( sheet ).centerOfMass.y > -0.25f );
		gelDestroyWorld( world );
	}
	assert_true( fabsf( moved[0] ) < 0.05f && moved[1] > 0.1f );
	gelFreeParticleStage( &s_stage );
}

// A body falls on a sheet that is held by its corners: it is caught, and hangs below where it was.
static void TestBodyOnASheet( void** state )
{
	(void)state;
	MakeSheet( 16 );
	Body star = MakeBody( "star", 40, 1e5 );
	gelWorldId world = MakeWorld( false, true );
	gelBodyId sheet = Add( world, s_stage.asset, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int k = 0; k < 4; ++k )
	{
		gelConstraintDef def = gelDefaultConstraintDef();
		def.kind = gel_constraintPoint;
		def.target = gelMakeVec3( k % 2 == 0 ? -0.5f : 0.5f, 0.0f, k / 2 == 0 ? -0.5f : 0.5f );
		assert_int_equal( gelBody_FindPoint( sheet, def.target, &def.point ), gel_success );
		gelConstraintId id;
		assert_int_equal( gelCreateConstraint( sheet, &def, &id ), gel_success );
	}
	gelAabb box = gelAsset_GetInfo( star.asset ).restBounds;
	gelVec3 middle = gelScale( 0.5f, gelAdd( box.min, box.max ) );
	gelBodyId body = Add( world, star.asset, gelMakeVec3( -middle.x, 0.15f - box.min.y, -middle.z ) );
	Step( world, 60 );
	float low = gelBody_GetDynamics( body ).centerOfMass.y, first = low;
	for ( int i = 0; i < 30; ++i )
	{
		Step( world, 1 );
		low = fminf( low, gelBody_GetDynamics( body ).centerOfMass.y );
	}
	assert_true( low > -1.5f && fabsf( low - first ) < 0.3f ); // without a sheet: - 40 m
	gelVec3 c = gelBody_GetDynamics( body ).centerOfMass;
	assert_true( hypotf( c.x, c.z ) < 0.5f );
	gelDestroyWorld( world );
	FreeBody( &star );
	gelFreeParticleStage( &s_stage );
}

// ---- heaps -----------------------------------------------------------------------------------------------

// Bodies rain on the floor: none is below it, none passes through others to its place, and what is left of
// the fall is little.
static void DropHeap( int bodyCount, int steps )
{
	Body kinds[2] = { MakeBody( "star", 24, 1e5 ), MakeBody( "bear", 24, 1e5 ) };
	gelWorldId world = MakeWorld( true, true );
	gelBodyId* ids = malloc( (size_t)bodyCount * sizeof( gelBodyId ) );
	assert_non_null( ids );
	for ( int i = 0; i < bodyCount; ++i )
	{
		ids[i] = Add( world, kinds[i % 2].asset,
			gelMakeVec3(
				1.05f * (float)( i % 4 ), 0.1f + 1.05f * (float)( i / 16 ), 1.05f * (float)( i / 4 % 4 ) ) );
		int count = Fetch( ids[i] );
		for ( int p = 0; p < count; ++p )
			s_poses[p].linearVelocity.y = -3.0f; // they meet within a few steps
		assert_int_equal( gelBody_SetParticlePoses( ids[i], s_poses, count ), gel_success );
	}
	int pairs = 0;
	for ( int i = 0; i < steps; ++i )
	{
		Step( world, 1 );
		int now = gelWorld_GetContactCounters( world ).touchingPairCount;
		pairs = now > pairs ? now : pairs;
		assert_int_equal( gelWorld_GetContactCounters( world ).droppedContactCount, 0 );
	}
	assert_true( pairs > bodyCount / 8 );
	int above = 0;
	for ( int i = 0; i < bodyCount; ++i )
	{
		int count = Fetch( ids[i] );
		for ( int p = 0; p < count; ++p )
			assert_true( s_poses[p].position.y > -0.02f && s_poses[p].position.y < 20.0f );
		above += gelBody_GetDynamics( ids[i] ).centerOfMass.y > 0.35f;
	}
	assert_true( above > bodyCount / 12 ); // they lie on each other
	free( ids );
	gelDestroyWorld( world );
	FreeBody( kinds );
	FreeBody( kinds + 1 );
}

static void TestHeap52( void** state )
{
	(void)state;
	DropHeap( 52, GEL_IS_SANITIZED ? 20 : 30 );
}

static void TestHeap180( void** state )
{
	(void)state;
	DropHeap( 180, GEL_IS_SANITIZED ? 14 : 22 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFigureFindsBack ),
		cmocka_unit_test( TestSheetOnARod ),
		cmocka_unit_test( TestBodyOnASheet ),
		cmocka_unit_test( TestHeap52 ),
		cmocka_unit_test( TestHeap180 ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
