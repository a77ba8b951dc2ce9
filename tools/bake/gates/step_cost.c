// SPDX-License-Identifier: MIT
#include "bake/gates/step_cost.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Operations of the loops of the runtime, counted in their code: deformation gradient, polar step and
// right-hand side of a tet; a volume constraint; both sweeps of the solve with three right-hand sides per
// entry of the factor; prediction and velocities of a node.
#define GEL_ELEMENT_FLOPS 390.0
#define GEL_VOLUME_FLOPS  120.0
#define GEL_ENTRY_FLOPS   12.0
#define GEL_NODE_FLOPS    60.0

// Bytes of the same: constants and rotation of a tet; constants of a constraint; an entry read twice; the
// arrays of a node.
#define GEL_ELEMENT_BYTES 88.0
#define GEL_VOLUME_BYTES  32.0
#define GEL_ENTRY_BYTES   8.0
#define GEL_NODE_BYTES    200.0

gelStepCost gelCountStepCost( const gelAsset* asset )
{
	GEL_ASSERT( asset != NULL );
	gelStepCost cost = { 0.0, 0.0 };
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelFactorInfo factors[64];
	int count = gelAsset_GetFactors( asset, factors, 64 ), best = -1;
	for ( int i = 0; i < count && i < 64; ++i )
	{
		if ( factors[i].pinSetId == 0 && ( best < 0 || factors[i].step < factors[best].step ) ) best = i;
	}
	if ( best < 0 ) return cost;
	float nu = 0.0f;
	for ( int i = 0; i < info.materialCount; ++i )
		nu = fmaxf( nu, gelAsset_GetMaterial( asset, i ).poissonsRatio );
	// the defaults of gelBodyDef.passes and volumeSweeps
	double passes = factors[best].step <= 0.0101f ? 1.0 : factors[best].step <= 0.0168f ? 2.0 : 3.0;
	double sweeps = nu <= 0.4f ? 1.0 : nu <= 0.45f ? 2.0 : 5.0;
	double tets = info.tetCount, nodes = info.nodeCount, entries = (double)factors[best].bytes / 4.0;
	cost.flops = passes * ( GEL_ELEMENT_FLOPS * tets + GEL_ENTRY_FLOPS * entries ) +
		sweeps * GEL_VOLUME_FLOPS * tets + GEL_NODE_FLOPS * nodes;
	cost.bytes = passes * ( GEL_ELEMENT_BYTES * tets + GEL_ENTRY_BYTES * entries ) +
		sweeps * GEL_VOLUME_BYTES * tets + GEL_NODE_BYTES * nodes;
	return cost;
}

double gelEstimateStepTime( gelStepCost cost, gelMachineSpeed speed )
{
	GEL_ASSERT( speed.flopsPerSecond > 0.0 && speed.bytesPerSecond > 0.0 );
	return fmax( cost.flops / speed.flopsPerSecond, cost.bytes / speed.bytesPerSecond );
}

// ---- the machine ---------------------------------------------------------------------------------

#define GEL_BOX_CELLS 4 // per side: 384 tets

// A cube of 1 m, every cell cut into six tets around its diagonal.
static bool MakeBox( gelCage* cage, gelMesh* art )
{
	static const uint8_t paths[6][2] = { { 1, 2 }, { 2, 1 }, { 0, 2 }, { 2, 0 }, { 0, 1 }, { 1, 0 } };
	static const uint8_t last[6] = { 0, 0, 1, 1, 2, 2 };
	const uint32_t n = GEL_BOX_CELLS, m = n + 1, stride[3] = { 1, m, m * m };
	*cage = ( gelCage ){ .nodeCount = m * m * m, .tetCount = 6 * n * n * n };
	cage->positions = gelTakeZeroed( 3 * (size_t)cage->nodeCount, sizeof( double ) );
	cage->tets = gelTakeZeroed( 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		cage->positions[3 * i] = (double)( i % m ) / n;
		cage->positions[3 * i + 1] = (double)( i / m % m ) / n;
		cage->positions[3 * i + 2] = (double)( i / ( m * m ) ) / n;
	}
	uint32_t* tet = cage->tets;
	for ( uint32_t i = 0; i < n * n * n; ++i )
	{
		uint32_t corner = i % n + m * ( i / n % n ) + m * m * ( i / ( n * n ) );
		for ( int k = 0; k < 6; ++k, tet += 4 )
		{
			uint32_t b = corner + stride[paths[k][0]], c = b + stride[paths[k][1]], d = c + stride[last[k]];
			bool isEven = ( paths[k][1] + 3 - paths[k][0] ) % 3 == 1; // the permutation: orientation
			tet[0] = corner;
			tet[1] = isEven ? b : c;
			tet[2] = isEven ? c : b;
			tet[3] = d;
		}
	}
	// one triangle inside is all the art that a bake asks for
	*art = ( gelMesh ){ .vertexCount = 3, .triangleCount = 1, .sourceVertexCount = 3 };
	art->positions = gelTakeZeroed( 9, sizeof( float ) );
	art->vertToSource = gelTakeZeroed( 3, sizeof( uint32_t ) );
	art->indices = gelTakeZeroed( 3, sizeof( uint32_t ) );
	art->triMaterial = gelTakeZeroed( 1, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		for ( uint32_t k = 0; k < 3; ++k )
			art->positions[3 * i + k] = i == k ? 0.6f : 0.4f;
		art->vertToSource[i] = art->indices[i] = i;
	}
	art->triMaterial[0] = GEL_NO_INDEX;
	gelMesh_ComputeBounds( art );
	return gelMesh_Weld( art ) && gelMesh_ComputeNormals( art );
}

// Best of several steps of a body that turns [s]; < 0: it failed.
static double TimeSteps( const gelAsset* asset )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.angularVelocity = ( gelVec3 ){ 0.5f, 1.0f, 0.2f };
	gelFactorInfo factor;
	gelWorldId world;
	gelBodyId body;
	double best = -1.0;
	if ( gelAsset_GetFactors( asset, &factor, 1 ) < 1 ) return best;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return best;
	bool ok = gelCreateBody( world, &def, &body ) == gel_success;
	for ( int i = 0; ok && i < 400; ++i )
	{
		double start = gelNow();
		ok = gelWorld_Step( world, factor.step ) == gel_success;
		double seconds = gelNow() - start;
		if ( best < 0.0 || seconds < best ) best = seconds;
	}
	gelDestroyWorld( world );
	return ok ? best : -1.0;
}

static double MeasureFlops( void )
{
	gelCage cage = { 0 };
	gelMesh art = { 0 };
	gelProgram program = { .quiet = true, .threads = 1 };
	gelInitReport( &program.report, "calibration" );
	program.findings.quiet = true;
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionNone;
	settings.threads = 1;
	settings.name = "calibration";
	size_t byteCount = 0;
	uint8_t* bytes = MakeBox( &cage, &art ) ? gelBake( &art, &cage, &settings, &program, &byteCount ) : NULL;
	double rate = 0.0;
	gelAsset* asset;
	if ( bytes != NULL && gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ) == gel_success )
	{
		double seconds = TimeSteps( asset );
		if ( seconds > 0.0 ) rate = gelCountStepCost( asset ).flops / seconds;
		gelDestroyAsset( asset );
	}
	free( bytes );
	gelFreeMesh( &art );
	gelFreeCage( &cage );
	gelFreeReport( &program.report );
	gelFreeFindings( &program.findings );
	return rate;
}

static double MeasureBandwidth( void )
{
	const size_t count = (size_t)6 << 20; // 48 MB: more than most caches
	uint64_t* memory = gelTake( count * sizeof( uint64_t ) );
	memset( memory, 1, count * sizeof( uint64_t ) );
	double best = 0.0;
	volatile uint64_t sink = 0;
	for ( int run = 0; run < 4; ++run )
	{
		uint64_t sums[4] = { 0, 0, 0, 0 };
		double start = gelNow();
		for ( size_t i = 0; i < count; i += 4 )
		{
			for ( size_t k = 0; k < 4; ++k )
				sums[k] += memory[i + k];
		}
		sink += sums[0] + sums[1] + sums[2] + sums[3];
		best = fmax( best, (double)( count * sizeof( uint64_t ) ) / ( gelNow() - start ) );
	}
	free( memory );
	return sink != 0 ? best : 0.0; // the sums are wanted
}

bool gelMeasureMachine( gelMachineSpeed* out )
{
	out->flopsPerSecond = MeasureFlops();
	out->bytesPerSecond = MeasureBandwidth();
	return out->flopsPerSecond > 0.0 && out->bytesPerSecond > 0.0;
}
