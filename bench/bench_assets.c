// SPDX-License-Identifier: MIT
#include "bench.h"

#include "bake/command/bake_levels.h"
#include "samples.h"
#include "test_bodies.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool BakeAs(
	gelBench* bench, const gelMesh* mesh, const gelCage* cage, gelBakeSettings settings, gelBenchBody* out )
{
	settings.name = "bench";
	settings.threads = bench->program->threads;
	memset( out, 0, sizeof( *out ) );
	out->bytes = gelBake( mesh, cage, &settings, bench->program, &out->byteCount );
	if ( out->bytes == NULL ) return false;
	gelLoadError error;
	if ( gelLoadAsset( out->bytes, out->byteCount, NULL, &out->asset, &error ) != gel_success )
	{
		gelFindings_Add( &bench->program->findings, gel_findingInternal, NULL, "a fresh pack was refused: %s",
			error.rule );
		gelFreeBenchBody( out );
		return false;
	}
	out->info = gelAsset_GetInfo( out->asset );
	return true;
}

static bool BakeAndLoad( gelBench* bench, const gelMesh* mesh, const gelCage* cage,
	gelBakeCollision collision, int particleCount, gelBenchBody* out )
{
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = collision;
	if ( particleCount > 0 )
		settings.particles = ( gelParticleSettings ){ .kind = gel_particlesSolid, .count = particleCount };
	return BakeAs( bench, mesh, cage, settings, out );
}

// 3 : 1 : 1 cells of six tets each
static gelCage MakeBeamCage( int tetCount )
{
	int n = (int)lround( cbrt( tetCount / 18.0 ) );
	if ( n < 1 ) n = 1;
	return gelMakeBoxCage( 3 * n, n, n, 3.0, 1.0, 1.0, gel_boxSplitSix );
}

bool gelMakeBenchClamped( gelBench* bench, int tetCount, double modulus, gelBenchBody* out )
{
	gelCage cage = MakeBeamCage( tetCount );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	gelBakePinSet pins = gelPinNodesInSlab( &cage, 0, 0.0, 0.0 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionNone;
	settings.material.youngsModulus = modulus;
	settings.pinSets = &pins;
	settings.pinSetCount = 1;
	settings.hasWarp = true;
	bool ok = BakeAs( bench, &mesh, &cage, settings, out );
	free( pins.nodes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return ok;
}

bool gelMakeBenchBeam( gelBench* bench, int tetCount, gelBenchBody* out )
{
	gelCage cage = MakeBeamCage( tetCount );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	bool ok = BakeAndLoad( bench, &mesh, &cage, gel_collisionNone, 0, out );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return ok;
}

// @param tetCount 0: the default
static bool MakeSample( gelBench* bench, const char* name, int triangleCount, int tetCount,
	gelBakeCollision collision, int particleCount, gelBenchBody* out )
{
	gelMesh mesh;
	gelCage cage;
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	gelTetrafyStats stats;
	settings.threads = bench->program->threads;
	if ( tetCount > 0 ) settings.targetTets = tetCount;
	memset( out, 0, sizeof( *out ) );
	if ( !gelMakeSample( name, (uint32_t)triangleCount, 1, &mesh ) ) return false;
	bool ok = gelTetrafy( &mesh, &settings, bench->program, &cage, &stats );
	if ( ok )
	{
		ok = BakeAndLoad( bench, &mesh, &cage, collision, particleCount, out );
		gelFreeCage( &cage );
	}
	gelFreeMesh( &mesh );
	return ok;
}

bool gelMakeBenchSample( gelBench* bench, const char* name, int triangleCount, gelBenchBody* out )
{
	return MakeSample( bench, name, triangleCount, 0, gel_collisionAuto, 0, out );
}

bool gelMakeBenchCaged(
	gelBench* bench, const char* name, int triangleCount, int tetCount, gelBenchBody* out )
{
	return MakeSample( bench, name, triangleCount, tetCount, gel_collisionAuto, 0, out );
}

bool gelMakeBenchParticles(
	gelBench* bench, const char* name, int triangleCount, int particleCount, gelBenchBody* out )
{
	return MakeSample( bench, name, triangleCount, 0, gel_collisionNone, particleCount, out );
}

bool gelMakeBenchLevels( gelBench* bench, const char* name, int triangleCount, int tetCount,
	const int* levelTets, int levelCount, gelBenchBody* out )
{
	gelMesh mesh;
	gelCage cage = { 0 };
	gelTetrafyStats stats;
	gelTetrafySettings tetrafy = gelDefaultTetrafySettings();
	gelBakeSettings settings = gelDefaultBakeSettings();
	gelBakeLevel levels[GEL_MAX_LEVELS] = { { NULL, 0 } };
	gelLevelInputs inputs = { .mesh = &mesh, .settings = &settings };
	tetrafy.targetTets = tetCount;
	memset( out, 0, sizeof( *out ) );
	if ( !gelMakeSample( name, (uint32_t)triangleCount, 1, &mesh ) ) return false;
	bool ok = gelTetrafy( &mesh, &tetrafy, bench->program, &cage, &stats ) &&
		gelBakeLevels( &inputs, levelTets, levelCount, bench->program, levels );
	settings.levels = levels;
	settings.levelCount = levelCount;
	ok = ok && BakeAs( bench, &mesh, &cage, settings, out );
	gelFreeBakeLevels( levels, levelCount );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
	return ok;
}

void gelFreeBenchBody( gelBenchBody* body )
{
	gelDestroyAsset( body->asset );
	free( body->bytes );
	memset( body, 0, sizeof( *body ) );
}

bool gelBench_ForArt(
	gelBench* bench, bool ( *measure )( gelBench* bench, int triangleCount, const char* path ) )
{
	static const int triangles[] = { 10000, 100000, 400000 };
	char folder[] = "/tmp/gel-bench-XXXXXX";
	if ( mkdtemp( folder ) == NULL )
	{
		gelFindings_Add(
			&bench->program->findings, gel_findingCannotWrite, folder, "a temporary folder cannot be made" );
		return false;
	}
	char path[sizeof( folder ) + 16];
	snprintf( path, sizeof( path ), "%s/art.obj", folder );
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 3 ); ++i )
		ok = measure( bench, triangles[i], path );
	rmdir( folder );
	return ok;
}
