// SPDX-License-Identifier: MIT
// A body changes its level of detail: motion as a whole and rest survive to rounding, shape and energy as far
// as the coarser cage can express them, and everything that a game holds on to stays valid.
#include "test_support.h"

#include "lod_stage.h"
#include "solvers/node_body.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

static const gelAsset* GetAsset( const gelLodStage* stage )
{
	return gelGetBody( stage->body )->asset;
}

static gelVec3* FetchArt( const gelLodStage* stage )
{
	gelVec3* out = calloc( (size_t)stage->vertexCount, sizeof( gelVec3 ) );
	assert_non_null( out );
	assert_int_equal( gelBody_GetPositions( stage->body, out, stage->vertexCount ), stage->vertexCount );
	return out;
}

// Largest distance between two sets of art vertices [m].
static double Compare( const gelVec3* a, const gelVec3* b, int count )
{
	double worst = 0.0;
	for ( int i = 0; i < count; ++i )
		worst = fmax( worst, (double)gelLength( gelSub( a[i], b[i] ) ) );
	return worst;
}

static double GetKineticPerMass( const gelLodStage* stage )
{
	return (double)gelBody_GetDynamics( stage->body ).kineticEnergy / (double)GetAsset( stage )->mass;
}

static void SetLevel( gelLodStage* stage, int level )
{
	assert_int_equal( gelBody_SetLevel( stage->body, level ), gel_success );
	assert_int_equal( gelBody_GetLevel( stage->body ), level );
	assert_ptr_equal( gelBody_GetAsset( stage->body ), gelAsset_GetLevel( stage->asset, level ) );
}

// ---- laws ------------------------------------------------------------------------------------------------

// Turned by 160 degrees, far from the origin, moving and spinning: every node of every level is where the
// motion of the first one puts it.
static void TestRigidMotion( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	gelVec3 spin = { 1.0f, -2.0f, 3.0f }, linear = { 4.0f, 5.0f, -6.0f };
	def.body.transform.position = ( gelVec3 ){ 100.0f, 7.0f, -50.0f };
	def.body.transform.rotation = ( gelQuat ){ { 0.0f, 0.9848077f, 0.0f }, 0.1736482f };
	def.body.angularVelocity = spin;
	def.body.linearVelocity = linear;
	gelLodStage stage = gelMakeLodStage( &def );
	const gelAsset* first = stage.asset;
	double sum[3] = { 0 }, mass = 0.0;
	for ( int i = 0; i < first->nodeCount; ++i )
	{
		const gelPackNode* p = first->pack.nodes + i;
		double m = first->pack.masses[i].mass;
		sum[0] += m * p->x;
		sum[1] += m * p->y;
		sum[2] += m * p->z;
		mass += m;
	}
	gelMat3 R = gelMakeMat3FromQuat( def.body.transform.rotation );
	gelVec3 center = gelMulMV(
		R, ( gelVec3 ){ (float)( sum[0] / mass ), (float)( sum[1] / mass ), (float)( sum[2] / mass ) } );
	const int levels[] = { 1, 2, 0, 2, 1, 0 };
	for ( size_t k = 0; k < sizeof( levels ) / sizeof( levels[0] ); ++k )
	{
		SetLevel( &stage, levels[k] );
		const gelBody* body = gelGetBody( stage.body );
		for ( int i = 0; i < body->asset->nodeCount; ++i )
		{
			gelVec3 x = gelMulMV( R, gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) );
			gelVec3 v = gelAdd( linear, gelCross( spin, gelSub( x, center ) ) );
			assert_true( gelLength( gelSub( x, body->x[i] ) ) < 2e-6f );
			assert_true( gelLength( gelSub( v, body->v[i] ) ) < 2e-5f );
		}
	}
	gelFreeLodStage( &stage );
}

static void TestRestStaysRest( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.body.transform.rotation = ( gelQuat ){ { 0.6f, 0.0f, 0.0f }, 0.8f };
	gelLodStage stage = gelMakeLodStage( &def );
	gelVec3* before = FetchArt( &stage );
	for ( int i = 0; i < 6; ++i )
	{
		SetLevel( &stage, ( i + 1 ) % 3 );
		gelLodStage_Step( &stage, 10 );
		gelVec3* now = FetchArt( &stage );
		assert_true( Compare( before, now, stage.vertexCount ) < 1e-5 );
		assert_true( GetKineticPerMass( &stage ) < 1e-8 );
		free( now );
	}
	free( before );
	gelFreeLodStage( &stage );
}

// A free beam, bent and waving: neither shape nor motion inside may get lost or made up. The coarse levels
// have 7 and 4 cells along the beam.
static void TestBentBeam( void** state )
{
	(void)state;
	gelLodStage stage;
	gelLodStageDef def = gelDefaultLodStageDef();
	stage = gelMakeLodStage( &def );
	gelBody* body = gelGetBody( stage.body );
	const double sag = 0.15;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 p = body->x[i];
		double s = 2.0 * p.x - 1.0, slope = -4.0 * sag * s; // slope of a parabola
		body->x[i].y += (float)( sag * ( 1.0 - s * s ) );
		body->x[i].x -= (float)( slope * ( p.y - 0.1 ) );
		body->v[i] = ( gelVec3 ){ 1.0f, (float)( 2.0 * ( 1.0 - 3.0 * s * s ) ), 0.5f };
	}
	gelNodeBody_ResetRotations( body );
	gelVec3* before = FetchArt( &stage );
	const gelBodyDynamics start = gelBody_GetDynamics( stage.body );
	const float startMass = stage.asset->mass;
	const int levels[] = { 1, 0, 2, 0 };
	const double errors[] = { 0.07, 0.07, 0.2, 0.2 }; // parts of the sag
	double kinetic = GetKineticPerMass( &stage );
	for ( int k = 0; k < 4; ++k )
	{
		SetLevel( &stage, levels[k] );
		gelVec3* now = FetchArt( &stage );
		double error = Compare( before, now, stage.vertexCount ) / sag;
		print_message( "level %d: %.3f of the sag\n", levels[k], error );
		assert_true( error < errors[k] );
		free( now );
		double left = GetKineticPerMass( &stage );
		print_message( "  kinetic %.4f of %.4f J/kg, elastic energy times %.2f\n", left, kinetic,
			(double)( gelBody_GetDynamics( stage.body ).elasticEnergy / start.elasticEnergy ) );
		assert_true( left <= 1.001 * kinetic && left > 0.5 * kinetic );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		gelVec3 p = gelScale( 1.0f / GetAsset( &stage )->mass, dynamics.linearMomentum );
		gelVec3 p0 = gelScale( 1.0f / startMass, start.linearMomentum );
		assert_true( gelLength( gelSub( p, p0 ) ) < 1e-3f );
	}
	// however often, even without a step between: nothing grows, no tet turns over
	for ( int i = 0; i < 300; ++i )
		SetLevel( &stage, i % 2 == 0 ? 1 : 0 );
	gelVec3* now = FetchArt( &stage );
	print_message( "300 changes: %.3f of the sag\n", Compare( before, now, stage.vertexCount ) / sag );
	assert_true( Compare( before, now, stage.vertexCount ) < sag );
	assert_int_equal( gelBody_GetDynamics( stage.body ).invertedTetCount, 0 );
	free( now );
	gelLodStage_Step( &stage, 60 );
	free( before );
	gelFreeLodStage( &stage );
}

// Bent to three quarters of a circle, which four cells cannot be: what they make of it has no energy from
// nowhere.
static void TestFoldedBeam( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	gelLodStage stage = gelMakeLodStage( &def );
	gelBody* body = gelGetBody( stage.body );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		const double turn = 4.7, radius = 1.0 / turn; // [rad], [m]
		double angle = turn * ( (double)body->x[i].x - 0.5 ), r = radius - ( (double)body->x[i].y - 0.1 );
		body->x[i].x = (float)( r * sin( angle ) );
		body->x[i].y = (float)( radius - r * cos( angle ) );
	}
	gelNodeBody_ResetRotations( body );
	double before = (double)gelBody_GetDynamics( stage.body ).elasticEnergy / (double)stage.asset->mass;
	for ( int level = 1; level < 3; ++level )
	{
		SetLevel( &stage, 0 );
		SetLevel( &stage, level );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		double after = (double)( dynamics.elasticEnergy / dynamics.mass );
		print_message( "level %d: elastic energy times %.2f\n", level, after / before );
		assert_true( after < 3.0 * before ); // 3.4 if nothing were done about it
		assert_int_equal( dynamics.invertedTetCount, 0 );
	}
	gelFreeLodStage( &stage );
}

// Pinned at one end and hanging: each level finds its own rest near that of the others, pins do not creep
// however often it changes, and a body that lies still does not start to move.
static void TestPinned( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.pinLeft = true;
	def.youngsModulus = 1e6;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 3.0f, 2.0f, 1.0f };
	gelLodStage stage = gelMakeLodStage( &def );
	gelLodStage_Step( &stage, 400 );
	gelVec3* before = FetchArt( &stage );
	double sag = 0.0;
	for ( int i = 0; i < stage.vertexCount; ++i )
		sag = fmax( sag, 2.0 - (double)before[i].y );
	assert_true( sag > 0.02 );
	for ( int i = 0; i < 20; ++i )
	{
		SetLevel( &stage, ( i + 1 ) % 3 );
		gelVec3* now = FetchArt( &stage );
		double error = Compare( before, now, stage.vertexCount ) / sag;
		print_message( "level %d: %.3f of the sag of %.3f m\n", ( i + 1 ) % 3, error, sag );
		assert_true( error < 0.1 );
		gelLodStage_Step( &stage, 2 );
		gelBody_GetPositions( stage.body, before, stage.vertexCount );
		free( now );
	}
	SetLevel( &stage, 0 );
	const gelBody* body = gelGetBody( stage.body );
	for ( int k = 0; k < body->pinCount; ++k )
	{
		gelVec3 rest = gelGetRestNode( body->asset->pack.nodes, body->pins[k] );
		assert_true( gelLength( gelSub( rest, body->pinTargets[k] ) ) < 1e-5f );
	}
	free( before );
	gelFreeLodStage( &stage );
}

// ---- what a game holds on to ----------------------------------------------------------------------------

static void TestIdsAndSettings( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	int user = 0;
	def.body.userData = &user;
	def.body.enableSleep = true;
	def.world.enableContact = true;
	gelLodStage stage = gelMakeLodStage( &def );
	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = ( gelVec3 ){ 1.0f, 0.1f, 0.1f };
	gelFrameId frame;
	assert_int_equal( gelCreateFrame( stage.body, &frameDef, &frame ), gel_success );
	gelConstraintDef hold = gelDefaultConstraintDef();
	hold.kind = gel_constraintPoint;
	hold.point = gelAsset_GetVertexPoint( stage.asset, 5 );
	gelVec3 target, after;
	gelBody_GetPointPosition( stage.body, &hold.point, &target );
	hold.target = gelSub( target, frameDef.transform.position );
	hold.frame = frame;
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success );
	assert_int_equal( gelBody_SetContactFilter( stage.body, ( gelContactFilter ){ 4, 6 } ), gel_success );
	assert_int_equal( gelBody_SetContactFriction( stage.body, 0.3f ), gel_success );
	assert_int_equal( gelBody_SetAwake( stage.body, false ), gel_success );
	for ( int level = 2; level >= 0; level -= 2 )
	{
		SetLevel( &stage, level );
		assert_true(
			gelBody_IsValid( stage.body ) && gelConstraint_IsValid( id ) && gelFrame_IsValid( frame ) );
		assert_ptr_equal( gelBody_GetUserData( stage.body ), &user );
		assert_false( gelBody_IsAwake( stage.body ) );
		const gelBodyContact* touch = gelGetBody( stage.body )->contact;
		assert_int_equal( touch->filter.category, 4 );
		assert_int_equal( touch->filter.mask, 6 );
		assert_float_equal( touch->friction, 0.3f, 0.0f );
		gelEmbeddedPoint point;
		assert_int_equal( gelConstraint_GetPoint( id, &point ), gel_success );
		assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &after ), gel_success );
		assert_true( gelLength( gelSub( after, target ) ) < 1e-5f );
	}
	SetLevel( &stage, 1 );
	assert_int_equal( gelBody_SetAwake( stage.body, true ), gel_success );
	frameDef.transform.position.y += 0.5f;
	for ( int i = 0; i < 60; ++i )
	{
		assert_int_equal( gelFrame_SetTransform( frame, frameDef.transform ), gel_success );
		gelLodStage_Step( &stage, 1 );
	}
	gelEmbeddedPoint point;
	gelConstraint_GetPoint( id, &point );
	gelBody_GetPointPosition( stage.body, &point, &after );
	assert_true( fabsf( after.y - target.y - 0.5f ) < 1e-3f ); // the constraint of another level still pulls
	gelFreeLodStage( &stage );
}

// Forces for the next step keep their sum; nothing of a refused switch remains.
static void TestForcesAndRefusals( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 1;
	def.hasParticles = true;
	def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	gelLodStage stage = gelMakeLodStage( &def );
	uint64_t hash = gelBody_HashState( stage.body );
	assert_int_equal( gelBody_SetLevel( stage.body, 1 ), gel_errorUnsupported );
	assert_int_equal( gelBody_SetLevel( stage.body, 3 ), gel_errorArgument );
	assert_int_equal( gelBody_SetLevel( stage.body, -1 ), gel_errorArgument );
	assert_int_equal( gelBody_SetLevel( ( gelBodyId ){ 0 }, 0 ), gel_errorStaleId );
	assert_int_equal( gelBody_GetLevel( ( gelBodyId ){ 0 } ), -1 );
	assert_true( hash == gelBody_HashState( stage.body ) );
	gelDestroyBody( stage.body );

	gelBodyDef particles = gelDefaultBodyDef();
	particles.asset = stage.asset;
	particles.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	assert_int_equal( gelCreateBody( stage.world, &particles, &stage.body ), gel_success );
	assert_int_equal( gelBody_SetLevel( stage.body, 1 ), gel_errorUnsupported );
	gelDestroyBody( stage.body );

	gelBodyDef plain = gelDefaultBodyDef();
	plain.asset = gelAsset_GetLevel( stage.asset, 2 ); // a body may start in any level
	assert_int_equal( gelCreateBody( stage.world, &plain, &stage.body ), gel_success );
	assert_int_equal( gelBody_GetLevel( stage.body ), 2 );
	gelBody_AddNodeForce( stage.body, 3, ( gelVec3 ){ 10.0f, 20.0f, 30.0f } );
	SetLevel( &stage, 0 );
	const gelBody* body = gelGetBody( stage.body );
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		sum = gelAdd( sum, body->forces[i] );
	assert_true( gelLength( gelSub( sum, ( gelVec3 ){ 10.0f, 20.0f, 30.0f } ) ) < 1e-3f );
	gelFreeLodStage( &stage );
}

// Every solver goes on in another level, and a beam that is dented stays dented.
static void TestSolvers( void** state )
{
	(void)state;
	for ( int i = 0; i < 5; ++i )
	{
		gelLodStageDef def = gelDefaultLodStageDef();
		def.pinLeft = true;
		def.hasQuality = i == 1;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		if ( i == 1 ) def.body.solver.fast.mode = gel_modeQuality;
		if ( i == 2 ) def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
		if ( i == 3 ) def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
		def.body.plasticity.enableYield = i == 4;
		def.body.plasticity.yieldStrain = 0.02f;
		gelLodStage stage = gelMakeLodStage( &def );
		gelLodStage_Step( &stage, 20 );
		for ( int level = 1; level < 4; ++level )
		{
			gelVec3* before = FetchArt( &stage );
			SetLevel( &stage, level % 3 );
			gelVec3* now = FetchArt( &stage );
			double jump = Compare( before, now, stage.vertexCount );
			print_message( "solver %d, level %d: %.4f m\n", i, level % 3, jump );
			assert_true( jump < 0.05 ); // the sag is half a metre
			free( before );
			free( now );
			gelLodStage_Step( &stage, 5 );
		}
		if ( i == 4 )
		{
			const gelBody* body = gelGetBody( stage.body );
			float largest = 0.0f;
			for ( int b = 0; b < body->asset->blockCount; ++b )
				largest = fmaxf( largest, fabsf( body->plastic[b].e[0][0] ) );
			assert_true( largest > 1e-3f );
		}
		assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
		gelFreeLodStage( &stage );
	}
}

// One beam across another, on the ground, both changing in every other step: they keep touching, the upper
// one stays above, and questions about the last step's contacts never meet a body that is gone.
static void TestContact( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.youngsModulus = 1e6;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = def.world.enableContact = true;
	def.body.transform.position.y = 0.01f;
	gelLodStage stage = gelMakeLodStage( &def );
	gelBodyDef upper = def.body;
	upper.asset = stage.asset;
	upper.transform.position = ( gelVec3 ){ 0.6f, 0.22f, -0.4f };
	upper.transform.rotation = ( gelQuat ){ { 0.0f, -0.70710678f, 0.0f }, 0.70710678f };
	gelBodyId bodies[2] = { stage.body };
	assert_int_equal( gelCreateBody( stage.world, &upper, bodies + 1 ), gel_success );
	gelLodStage_Step( &stage, 40 );
	assert_true( gelWorld_GetContactCounters( stage.world ).contactCount > 0 );
	int touched = 0;
	for ( int i = 0; i < 60; ++i )
	{
		assert_int_equal( gelBody_SetLevel( bodies[i % 2], i / 2 % 3 ), gel_success );
		gelContact contacts[64];
		int count = gelWorld_GetContacts( stage.world, contacts, 64 );
		for ( int k = 0; k < count && k < 64; ++k )
			assert_true( gelBody_IsValid( contacts[k].bodyA ) );
		gelLodStage_Step( &stage, 2 );
		touched += gelWorld_GetContactCounters( stage.world ).contactCount > 0;
	}
	assert_true( touched > 40 );
	gelVec3 low = gelBody_GetDynamics( bodies[0] ).centerOfMass;
	gelVec3 high = gelBody_GetDynamics( bodies[1] ).centerOfMass;
	print_message(
		"centers at %.3f and %.3f m, %d of 60 in contact\n", (double)low.y, (double)high.y, touched );
	assert_true( low.y > 0.07f && high.y - low.y > 0.15f && high.y < 0.4f );
	assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
	gelFreeLodStage( &stage );
}

// A state belongs to a level: another one refuses it, and takes it once the body is there.
static void TestStates( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.body.angularVelocity = ( gelVec3 ){ 0.0f, 3.0f, 0.0f };
	gelLodStage stage = gelMakeLodStage( &def );
	SetLevel( &stage, 1 );
	gelLodStage_Step( &stage, 3 );
	size_t bytes = gelBody_GetStateBytes( stage.body );
	void* saved = malloc( bytes );
	assert_int_equal( gelBody_SaveState( stage.body, saved, bytes ), gel_success );
	uint64_t hash = gelBody_HashState( stage.body );
	SetLevel( &stage, 0 );
	uint64_t other = gelBody_HashState( stage.body );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_errorUnsupported );
	assert_true( other == gelBody_HashState( stage.body ) );
	assert_int_equal( gelBody_GetStateLevel( stage.body, saved, bytes ), 1 );
	SetLevel( &stage, 1 );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_success );
	assert_true( hash == gelBody_HashState( stage.body ) );
	free( saved );
	gelFreeLodStage( &stage );
}

// ---- memory ---------------------------------------------------------------------------------------------

typedef struct Scarcity
{
	int left;  // allocations before one fails; negative: none does
	int count; // bodies that are alive
} Scarcity;

static void* ScarceAlloc( void* context, size_t bytes, size_t alignment )
{
	Scarcity* scarcity = context;
	if ( scarcity->left == 0 ) return NULL;
	scarcity->left -= scarcity->left > 0;
	void* memory = aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
	scarcity->count += memory != NULL;
	return memory;
}

static void ScarceFree( void* context, void* memory, size_t bytes )
{
	(void)bytes;
	if ( memory != NULL ) --( (Scarcity*)context )->count;
	free( memory );
}

static void TestNoMemory( void** state )
{
	(void)state;
	Scarcity scarcity = { -1, 0 };
	gelLodStageDef def = gelDefaultLodStageDef();
	def.world.allocator = ( gelAllocator ){ ScarceAlloc, ScarceFree, &scarcity };
	gelLodStage stage = gelMakeLodStage( &def );
	uint64_t hash = gelBody_HashState( stage.body );
	int count = scarcity.count, failures = 0;
	gelResult result = gel_errorMemory;
	for ( ; result == gel_errorMemory && failures < 20; ++failures )
	{
		scarcity.left = failures;
		result = gelBody_SetLevel( stage.body, 1 );
		if ( result != gel_errorMemory ) break;
		assert_true( hash == gelBody_HashState( stage.body ) );
		assert_int_equal( gelBody_GetLevel( stage.body ), 0 );
		assert_int_equal( scarcity.count, count );
	}
	assert_int_equal( result, gel_success );
	assert_true( failures >= 2 ); // the body, and scratch memory of the transfer
	scarcity.left = -1;
	assert_int_equal( scarcity.count, count );
	gelLodPolicy policy = gelDefaultLodPolicy();
	scarcity.left = 0;
	assert_int_equal( gelWorld_UpdateLevels( stage.world, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, &policy, NULL ),
		gel_errorMemory );
	gelAsset* asset;
	for ( int i = 0; i < 8; ++i ) // loading, too, gives everything back
	{
		scarcity.left = i;
		gelAssetDef assetDef = gelDefaultAssetDef();
		assetDef.allocator = def.world.allocator;
		gelResult loaded = gelOpenAsset( stage.pack, stage.packBytes, &assetDef, &asset, NULL );
		if ( loaded == gel_success ) gelDestroyAsset( asset );
		assert_int_equal( scarcity.count, count );
		// scratch, three levels, and scratch for the inverse of each one's factor
		assert_int_equal( loaded, i < 7 ? gel_errorMemory : gel_success );
	}
	scarcity.left = -1;
	gelFreeLodStage( &stage );
	assert_int_equal( scarcity.count, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRigidMotion ),
		cmocka_unit_test( TestRestStaysRest ),
		cmocka_unit_test( TestBentBeam ),
		cmocka_unit_test( TestFoldedBeam ),
		cmocka_unit_test( TestPinned ),
		cmocka_unit_test( TestIdsAndSettings ),
		cmocka_unit_test( TestForcesAndRefusals ),
		cmocka_unit_test( TestSolvers ),
		cmocka_unit_test( TestContact ),
		cmocka_unit_test( TestStates ),
		cmocka_unit_test( TestNoMemory ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
