// SPDX-License-Identifier: MIT
#include "experiment.h"

#include "solvers/experiments/rotation.h"
#include "solvers/implicit/implicit.h"
#include "random_tets.h"
#include "samples.h"
#include "tetrafy/pipeline/tetrafy.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- models ----

static gelExperimentDef MakeBox( int nx, int ny, int nz, double sx, double sy, double sz )
{
	gelExperimentDef def = {
		.cells = { nx, ny, nz },
		.size = { sx, sy, sz },
		.mass = 1.0,
		.youngsModulus = 1000.0,
		.poissonsRatio = 0.35,
		.gravity = 0.0,
		.height = -1.0,
		.step = 1.0 / 60.0,
		.implicit = gelDefaultSolverDef( gel_solverImplicit ).implicit,
		.variant = gelDefaultImplicitVariant(),
	};
	def.implicit.enableRigidModes = false; // the thesis has none
	return def;
}

gelExperimentDef gelMakeBeam2dDef( int scale )
{
	const double thickness = 0.05 * scale; // near the size of a cell
	gelExperimentDef def = MakeBox( 24 / scale, 12 / scale, 1, 2.1, 0.6, thickness );
	def.mass = 5.0 * thickness;
	def.poissonsRatio = 0.3;
	def.pins = gel_experimentPinsUpperLeft;
	def.gravity = 100.0;
	return def;
}

gelExperimentDef gelMakeBeam3dDef( void )
{
	gelExperimentDef def = MakeBox( 6, 3, 3, 2.1, 0.6, 0.6 );
	def.mass = 1.6;
	def.pins = gel_experimentPinsUpperLeft;
	def.gravity = 100.0;
	return def;
}

gelExperimentDef gelMakeHalfBaseDef( void )
{
	gelExperimentDef def = MakeBox( 6, 3, 3, 2.1, 0.6, 0.6 );
	def.mass = 5.0;
	def.poissonsRatio = 0.25;
	def.pins = gel_experimentPinsHalfBase;
	def.gravity = 50.0;
	return def;
}

gelExperimentDef gelMakeCubeDef( int cells )
{
	return MakeBox( cells, cells, cells, 1.0, 1.0, 1.0 );
}

gelExperimentDef gelMakeCreatureDef( const char* sample )
{
	static const struct
	{
		const char* name;
		int tetCount;
		double mass, youngsModulus;
	} models[] = {
		{ "figure", 452, 1.2, 1e4 },
		{ "dragon", 411, 1.3, 1e3 },
		{ "horse", 283, 7.5, 1e5 },
	};
	gelExperimentDef def = MakeBox( 1, 1, 1, 1.0, 1.0, 1.0 );
	def.sample = sample;
	def.tetCount = 400;
	for ( size_t i = 0; i < sizeof( models ) / sizeof( models[0] ); ++i )
	{
		if ( strcmp( models[i].name, sample ) != 0 ) continue;
		def.tetCount = models[i].tetCount;
		def.mass = models[i].mass;
		def.youngsModulus = models[i].youngsModulus;
	}
	return def;
}

// ---- building ----

static bool MakeArtAndCage(
	const gelExperimentDef* def, gelProgram* program, gelMesh* outMesh, gelCage* outCage )
{
	if ( def->sample == NULL )
	{
		*outCage = gelMakeBoxCage( def->cells[0], def->cells[1], def->cells[2], def->size[0], def->size[1],
			def->size[2], gel_boxSplitSix );
		*outMesh = gelMeshFromCageBoundary( outCage, 1e-3 );
		return true;
	}
	if ( !gelMakeSample( def->sample, 4000, 1, outMesh ) ) return false;
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.targetTets = def->tetCount;
	gelTetrafyStats stats;
	if ( gelTetrafy( outMesh, &settings, program, outCage, &stats ) ) return true;
	gelFreeMesh( outMesh );
	return false;
}

static gelBakePinSet FindPins( const gelExperimentDef* def, const gelCage* cage )
{
	gelBakePinSet pins = { .nodes = calloc( cage->nodeCount, sizeof( uint32_t ) ) };
	for ( uint32_t i = 0; pins.nodes != NULL && i < cage->nodeCount; ++i )
	{
		const double* x = cage->positions + 3 * (size_t)i;
		bool isUpperLeft = x[0] < 1e-6 && x[1] > def->size[1] - 1e-6;
		bool isHalfBase = x[1] < 1e-6 && x[0] < 0.5 * def->size[0] + 1e-6;
		if ( ( def->pins == gel_experimentPinsUpperLeft && isUpperLeft ) ||
			( def->pins == gel_experimentPinsHalfBase && isHalfBase ) )
			pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}

static double CageVolume( const gelCage* cage )
{
	double volume = 0.0;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const uint32_t* node = cage->tets + 4 * (size_t)t;
		gelVec3d x[4];
		for ( int k = 0; k < 4; ++k )
		{
			const double* p = cage->positions + 3 * (size_t)node[k];
			x[k] = ( gelVec3d ){ p[0], p[1], p[2] };
		}
		gelMat3d D = { gelSubD( x[1], x[0] ), gelSubD( x[2], x[0] ), gelSubD( x[3], x[0] ) };
		volume += gelDeterminantD( D ) / 6.0;
	}
	return volume;
}

bool gelBakeExperiment( const gelExperimentDef* def, gelProgram* program, gelExperimentModel* out )
{
	*out = ( gelExperimentModel ){ 0 };
	gelMesh mesh;
	gelCage cage;
	if ( !MakeArtAndCage( def, program, &mesh, &cage ) ) return false;
	gelBakePinSet pins = FindPins( def, &cage );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.youngsModulus = def->youngsModulus;
	settings.material.poissonsRatio = def->poissonsRatio;
	settings.material.density = def->mass / CageVolume( &cage );
	settings.pinSets = &pins;
	settings.pinSetCount = pins.nodeCount > 0 ? 1 : 0;
	size_t bytes = 0;
	out->pack = gelBake( &mesh, &cage, &settings, program, &bytes );
	free( pins.nodes );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
	if ( out->pack != NULL && gelOpenAsset( out->pack, bytes, NULL, &out->asset, NULL ) == gel_success )
		return true;
	gelFreeExperimentModel( out );
	return false;
}

void gelFreeExperimentModel( gelExperimentModel* model )
{
	gelDestroyAsset( model->asset );
	free( model->pack );
	*model = ( gelExperimentModel ){ 0 };
}

static bool PlaceBody( const gelExperimentDef* def, gelExperiment* out )
{
	gelWorldDef world = gelDefaultWorldDef();
	world.gravity = ( gelVec3 ){ 0.0f, -(float)def->gravity, 0.0f };
	world.hasGround = def->height >= 0.0;
	if ( gelCreateWorld( &world, &out->world ) != gel_success ) return false;
	gelAssetInfo info = gelAsset_GetInfo( out->asset );
	gelBodyDef body = gelDefaultBodyDef();
	body.enableSleep = false;
	body.asset = out->asset;
	body.solver = gelDefaultSolverDef( gel_solverImplicit );
	body.solver.implicit = def->implicit;
	body.solver.implicit.variant = &def->variant;
	if ( def->height >= 0.0 ) body.transform.position.y = (float)def->height - info.restBounds.min.y;
	gelAsset_GetPinSets( out->asset, &body.pinSetId, 1 );
	if ( gelCreateBody( out->world, &body, &out->body ) != gel_success ) return false;
	out->nodeCount = info.nodeCount;
	out->tetCount = info.tetCount;
	size_t n = (size_t)info.nodeCount;
	out->rest = calloc( n, sizeof( gelVec3 ) );
	out->nodes = calloc( n, sizeof( gelVec3 ) );
	out->velocities = calloc( n, sizeof( gelVec3 ) );
	if ( out->rest == NULL || out->nodes == NULL || out->velocities == NULL ) return false;
	gelBody_GetNodePositions( out->body, out->rest, out->nodeCount );
	return true;
}

bool gelMakeExperiment( const gelExperimentDef* def, const gelExperimentModel* model, gelExperiment* out )
{
	*out = ( gelExperiment ){ .asset = model->asset, .step = def->step, .gravity = def->gravity };
	if ( PlaceBody( def, out ) ) return true;
	gelFreeExperiment( out );
	return false;
}

void gelFreeExperiment( gelExperiment* e )
{
	gelDestroyWorld( e->world );
	free( e->rest );
	free( e->nodes );
	free( e->velocities );
	*e = ( gelExperiment ){ 0 };
}

// ---- running ----

bool gelExperiment_Step( gelExperiment* e )
{
	return gelWorld_Step( e->world, (float)e->step ) == gel_success;
}

void gelExperiment_Scatter( gelExperiment* e, uint64_t seed )
{
	gelRandom random = { seed };
	gelVec3 low = e->rest[0], high = e->rest[0];
	for ( int i = 0; i < e->nodeCount; ++i )
	{
		low = gelMinVec3( low, e->rest[i] );
		high = gelMaxVec3( high, e->rest[i] );
	}
	for ( int i = 0; i < e->nodeCount; ++i )
	{
		e->nodes[i].x = (float)gelRandom_Uniform( &random, low.x, high.x );
		e->nodes[i].y = (float)gelRandom_Uniform( &random, low.y, high.y );
		e->nodes[i].z = (float)gelRandom_Uniform( &random, low.z, high.z );
		e->velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	gelBody_SetNodeState( e->body, e->nodes, e->velocities, e->nodeCount );
}

// F of a tet at x, relative to a rest shape that may have been moved as a whole.
static gelMat3d TetGradient( const gelPackView* pack, uint32_t tet, const gelVec3* x )
{
	const uint32_t* node = pack->tets[tet].node;
	gelMat3d F = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3d edge = gelSubD( gelToDouble( x[node[k + 1]] ), gelToDouble( x[node[0]] ) );
		F = gelAddOuterD( F, edge, gelToDouble( gelGetGradient( pack->tetRests + tet, k ) ) );
	}
	return F;
}

static void MeasureTets( const gelExperiment* e, gelExperimentState* out )
{
	const gelPackView* pack = &e->asset->pack;
	for ( int t = 0; t < e->tetCount; ++t )
	{
		gelMat3d F = TetGradient( pack, (uint32_t)t, e->nodes );
		double J = gelDeterminantD( F );
		out->degenerateCount += J < 0.1;
		out->invertedCount += J < 0.0;
		gelSignedSvd svd = gelComputeSignedSvd( gelToFloatMat( F ), gelIdentity() );
		double squares = 0.0, trace = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			squares += ( svd.s[k] - 1.0 ) * ( svd.s[k] - 1.0 );
			trace += svd.s[k] - 1.0;
		}
		const gelPackTetRest* rest = pack->tetRests + t;
		double mu = pack->materials[rest->material].mu, lambda = pack->materials[rest->material].lambda;
		out->elastic += rest->volume * ( mu * squares + 0.5 * lambda * trace * trace );
		out->largestStretch = fmax( out->largestStretch, svd.s[0] );
	}
}

gelExperimentState gelExperiment_Measure( gelExperiment* e )
{
	gelExperimentState out = { 0 };
	gelBody_GetNodePositions( e->body, e->nodes, e->nodeCount );
	gelBody_GetNodeVelocities( e->body, e->velocities, e->nodeCount );
	for ( int i = 0; i < e->nodeCount; ++i )
	{
		double mass = e->asset->pack.masses[i].mass;
		gelVec3d v = gelToDouble( e->velocities[i] );
		out.kinetic += 0.5 * mass * gelDotD( v, v );
		out.potential += mass * e->gravity * ( (double)e->nodes[i].y - e->rest[i].y );
	}
	MeasureTets( e, &out );
	return out;
}

static double ProcessorTime( void )
{
	struct timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool Record( gelExperiment* e, gelExperimentRecord* out )
{
	for ( int i = 0; i < out->count; ++i )
	{
		double start = ProcessorTime();
		if ( i > 0 && !gelExperiment_Step( e ) ) return false;
		out->seconds += ProcessorTime() - start;
		if ( i > 0 ) out->linearIterations += gelGetImplicit( gelGetBody( e->body ) )->linearIterations;
		out->times[i] = i * e->step;
		out->states[i] = gelExperiment_Measure( e );
	}
	return true;
}

bool gelRecordExperiment( const gelExperimentDef* def, const gelExperimentModel* model, double duration,
	uint64_t scatterSeed, gelExperimentRecord* out )
{
	gelExperiment e;
	*out = ( gelExperimentRecord ){ .count = 1 + (int)lround( duration / def->step ) };
	out->times = calloc( (size_t)out->count, sizeof( double ) );
	out->states = calloc( (size_t)out->count, sizeof( gelExperimentState ) );
	bool ok = out->times != NULL && out->states != NULL && gelMakeExperiment( def, model, &e );
	if ( ok )
	{
		if ( scatterSeed != 0 ) gelExperiment_Scatter( &e, scatterSeed );
		ok = Record( &e, out );
		gelFreeExperiment( &e );
	}
	if ( !ok ) gelFreeExperimentRecord( out );
	return ok;
}

void gelFreeExperimentRecord( gelExperimentRecord* record )
{
	free( record->times );
	free( record->states );
	*record = ( gelExperimentRecord ){ 0 };
}
