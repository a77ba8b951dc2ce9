// SPDX-License-Identifier: MIT
// Art of few triangles on the ground: what lies between its vertices is held as well, since the ground acts
// on the collision geometry.
#include "test_support.h"

#include "cdg_stage.h"
#include "state/body_contact.h"
#include "state/touch_point.h"
#include "query/surface_query.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

typedef struct Scene
{
	uint8_t* pack;
	gelAsset* asset;
	gelWorldId world;
	gelBodyId body;
	const gelBody* inside;
} Scene;

// A box of 12 triangles in a cage of about tets tets, its lowest face lift above the ground [m].
static Scene MakeScene( const double size[3], int tets, double tilt, double lift, gelBakeCollision collision )
{
	double low[3], high[3];
	for ( int k = 0; k < 3; ++k )
	{
		high[k] = 0.5 * size[k];
		low[k] = -high[k];
	}
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.targetTets = tets;
	gelProgram program;
	gelInitTestProgram( &program );
	gelCage cage = { 0 };
	gelTetrafyStats stats;
	assert_true( gelTetrafy( &mesh, &settings, &program, &cage, &stats ) );

	Scene scene = { 0 };
	size_t bytes;
	gelBakeSettings bake = gelDefaultBakeSettings();
	bake.collision = collision;
	uint32_t sources[24] = { 0 };
	assert_true( mesh.vertexCount <= 24 );
	gelMesh art = mesh;
	if ( art.vertToSource == NULL ) art.vertToSource = sources;
	scene.pack = gelBake( &art, &cage, &bake, &program, &bytes );
	assert_non_null( scene.pack );
	gelFreeTestProgram( &program );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );

	assert_int_equal( gelOpenAsset( scene.pack, bytes, NULL, &scene.asset, NULL ), gel_success );
	gelWorldDef world = gelDefaultWorldDef();
	world.hasGround = true;
	assert_int_equal( gelCreateWorld( &world, &scene.world ), gel_success );
	gelBodyDef body = gelDefaultBodyDef();
	body.asset = scene.asset;
	double s = sin( 0.5 * tilt );
	body.transform.rotation =
		( gelQuat ){ { (float)( 0.6 * s ), 0.0f, (float)( 0.8 * s ) }, (float)cos( 0.5 * tilt ) };
	body.transform.position.y = (float)( ( tilt > 0.0 ? size[0] : high[1] ) + lift );
	assert_int_equal( gelCreateBody( scene.world, &body, &scene.body ), gel_success );
	scene.inside = gelGetBody( scene.body );
	return scene;
}

static void FreeScene( Scene* scene )
{
	gelDestroyWorld( scene->world );
	gelDestroyAsset( scene->asset );
	free( scene->pack );
}

// Height of the lowest vertex of the collision geometry [m].
static double GetLowest( const Scene* scene )
{
	const gelPackView* pack = &scene->asset->pack;
	double lowest = INFINITY;
	for ( uint32_t c = 0; c < pack->header->cdgTetCount; ++c )
	{
		gelVec3 x[4];
		gelGetCellNodes( scene->inside->x, pack->cells + c, x );
		for ( uint32_t p = 0; p < pack->cells[c].patchCount; ++p )
		{
			const gelPackPatch* patch = pack->patches + pack->cells[c].patchFirst + p;
			for ( uint32_t v = 0; v < patch->vertexCount; ++v )
			{
				gelVec3 at = gelDeformVertex( &pack->cdg, patch->vertexFirst + v, x );
				lowest = fmin( lowest, scene->inside->origin[1] + at.y );
			}
		}
	}
	return lowest;
}

// Speed of the fastest node [m/s].
static double GetSpeed( const Scene* scene )
{
	double speed = 0.0;
	for ( int i = 0; i < scene->asset->nodeCount; ++i )
		speed = fmax( speed, gelLength( scene->inside->v[i] ) );
	return speed;
}

// Height of the cage's center of mass over that of the box, at rest [m].
static double GetRestCenter( const Scene* scene )
{
	const gelPackView* pack = &scene->asset->pack;
	double sum = 0.0;
	for ( int i = 0; i < scene->asset->nodeCount; ++i )
		sum += (double)pack->masses[i].mass * pack->nodes[i].y;
	return sum / scene->asset->mass;
}

// Cells that meet at a vertex have a copy each, but it is one contact.
static void CheckContactsDiffer( const Scene* scene )
{
	const gelTouchPoint* contacts = scene->inside->contact->points;
	for ( int i = 0; i < scene->inside->groundContactCount; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			double distance = 0.0; // in the space of node weights
			for ( int a = 0; a < 4; ++a )
			{
				double mine = contacts[i].w[a], other = contacts[j].w[a];
				for ( int b = 0; b < 4; ++b )
				{
					if ( contacts[i].node[a] == contacts[j].node[b] ) mine -= contacts[j].w[b];
					if ( contacts[j].node[a] == contacts[i].node[b] ) other -= contacts[i].w[b];
				}
				distance += fabs( mine ) + fabs( other );
			}
			assert_true( distance > 0.0 );
		}
	}
}

static const struct
{
	const char* name;
	double size[3]; // [m]
	int tets;
	double tilt; // [rad] about a skew horizontal axis
	gelBakeCollision collision;
} drops[] = {
	{ "box", { 0.2, 0.2, 0.2 }, 500, 0.0, gel_collisionAuto },
	{ "box on a corner", { 0.2, 0.2, 0.2 }, 500, 0.6, gel_collisionAuto },
	{ "box, coarse cells", { 0.2, 0.2, 0.2 }, 500, 0.0, gel_collisionCoarse },
	{ "plate", { 0.5, 0.02, 0.3 }, 500, 0.0, gel_collisionAuto },
	{ "plate on a corner", { 0.5, 0.02, 0.3 }, 500, 0.4, gel_collisionAuto },
};

// Comes to rest on its face, no point of the surface below the ground on the way, its center at half its
// height less what its weight presses it down, rho g H^2 / (3 E). After nine seconds nothing moves by
// more than 0.1 mm per step, in the mean over a second (a third of a millimetre on coarse cells).
static void TestFewTrianglesComeToRest( void** state )
{
	(void)state;
	for ( size_t i = 0; i < sizeof( drops ) / sizeof( drops[0] ); ++i )
	{
		Scene scene = MakeScene( drops[i].size, drops[i].tets, drops[i].tilt, 0.1, drops[i].collision );
		assert_true( scene.asset->vertexCount <= 24 && scene.asset->tetCount > 100 );
		double worst = 0.0, speed = 0.0;
		for ( int step = 0; step < 600; ++step )
		{
			assert_int_equal( gelWorld_Step( scene.world, 1.0f / 60.0f ), gel_success );
			worst = fmin( worst, GetLowest( &scene ) );
			if ( step >= 540 ) speed += GetSpeed( &scene ) / 60.0;
		}
		gelBodyDynamics rest = gelBody_GetDynamics( scene.body );
		double height = drops[i].size[1], sag = 1000.0 * 9.81 * height * height / 3e5;
		double center = 0.5 * height + GetRestCenter( &scene ) - sag;
		// what the sweeps leave in the step of a blow
		if ( worst < -5e-4 * drops[i].size[0] )
			fail_msg( "%s: %g m below the ground", drops[i].name, -worst );
		if ( fabs( rest.centerOfMass.y - center ) > 0.02 * height )
			fail_msg( "%s: center at %g, not %g", drops[i].name, rest.centerOfMass.y, center );
		// coarse cells: 0.0004 to 0.007 m/s were measured, on cages that differ in their last bits
		double limit = drops[i].collision == gel_collisionCoarse ? 0.02 : 0.006;
		if ( speed > limit ) fail_msg( "%s: trembles with %g m/s", drops[i].name, speed );
		assert_int_equal( rest.invertedTetCount, 0 );
		assert_in_range(
			scene.inside->groundContactCount, 4, scene.inside->contact->pointCapacity - 1 ); // none left out
		CheckContactsDiffer( &scene );
		FreeScene( &scene );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFewTrianglesComeToRest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
