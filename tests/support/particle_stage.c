// SPDX-License-Identifier: MIT
#include "test_support.h"

#include "particle_stage.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GEL_PI 3.14159265358979323846

void gelInitParticleStage( gelParticleStageDef* def )
{
	memset( def, 0, sizeof( *def ) );
	def->youngsModulus = 1e5;
	def->steps[0] = 1.0 / 60.0;
	def->stepCount = 1;
	def->world = gelDefaultWorldDef();
	def->world.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	def->body = gelDefaultBodyDef();
	def->body.enableSleep = false; // tests look at how bodies move
	def->body.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
}

uint32_t gelStageAddParticle(
	gelParticleStageDef* def, const double position[3], const double radius[3], double density )
{
	assert_true( def->count < GEL_STAGE_PARTICLES );
	gelPackParticle* p = def->particles + def->count;
	for ( int k = 0; k < 3; ++k )
	{
		p->position[k] = (float)position[k];
		p->radius[k] = (float)radius[k];
	}
	p->rotation[3] = 1.0f;
	p->volume = (float)( 4.0 / 3.0 * GEL_PI * radius[0] * radius[1] * radius[2] );
	p->mass = (float)( density * (double)p->volume );
	return def->count++;
}

static void AddEdge( gelParticleStageDef* def, uint32_t a, uint32_t b )
{
	def->edges[def->edgeCount][0] = a;
	def->edges[def->edgeCount++][1] = b;
}

void gelStageAddChain( gelParticleStageDef* def, uint32_t count, double distance, double radius )
{
	const double r[3] = { radius, radius, radius };
	def->kind = GEL_PARTICLES_ROD;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const double x[3] = { distance * i, 0.0, 0.0 };
		uint32_t index = gelStageAddParticle( def, x, r, 1000.0 );
		if ( i > 0 ) AddEdge( def, index - 1, index );
	}
}

void gelStageAddLattice( gelParticleStageDef* def, const uint32_t n[3], double distance, bool hasDiagonals )
{
	const double r[3] = { 0.5 * distance, 0.5 * distance, 0.5 * distance };
	uint32_t first = def->count;
	def->kind = n[2] == 1 ? GEL_PARTICLES_SHEET : GEL_PARTICLES_SOLID;
	for ( uint32_t i = 0; i < n[0] * n[1] * n[2]; ++i )
	{
		const double x[3] = { distance * ( i % n[0] ), distance * ( i / n[0] % n[1] ),
			distance * ( i / n[0] / n[1] ) };
		gelStageAddParticle( def, x, r, 1000.0 );
	}
	for ( uint32_t i = 0; i < n[0] * n[1] * n[2]; ++i )
	{
		uint32_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
		uint32_t sx = 1, sy = n[0], sz = n[0] * n[1];
		if ( x + 1 < n[0] ) AddEdge( def, first + i, first + i + sx );
		if ( y + 1 < n[1] ) AddEdge( def, first + i, first + i + sy );
		if ( z + 1 < n[2] ) AddEdge( def, first + i, first + i + sz );
		if ( !hasDiagonals ) continue;
		if ( x + 1 < n[0] && y + 1 < n[1] ) AddEdge( def, first + i, first + i + sx + sy );
		if ( y + 1 < n[1] && z + 1 < n[2] ) AddEdge( def, first + i, first + i + sy + sz );
		if ( x + 1 < n[0] && z + 1 < n[2] ) AddEdge( def, first + i, first + i + sx + sz );
	}
}

void gelStageAddBlock( gelParticleStageDef* def )
{
	const uint32_t n[3] = { 3, 3, 3 };
	gelStageAddLattice( def, n, 0.1, true );
	def->world.enableContact = true;
}

void gelStageAddCloud( gelParticleStageDef* def, uint32_t count, uint64_t seed )
{
	gelRandom random = { seed };
	for ( uint32_t i = 0; i < count; ++i )
	{
		double x[3], r[3], q[4], length = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			x[k] = gelRandom_Uniform( &random, 0.0, 1.0 );
			r[k] = gelRandom_Uniform( &random, 0.05, 0.2 );
		}
		gelPackParticle* p =
			def->particles + gelStageAddParticle( def, x, r, gelRandom_Uniform( &random, 500.0, 2000.0 ) );
		for ( int k = 0; k < 4; ++k )
		{
			q[k] = gelRandom_Normal( &random );
			length += q[k] * q[k];
		}
		for ( int k = 0; k < 4; ++k )
			p->rotation[k] = (float)( q[k] / sqrt( length ) );
		if ( i == 0 ) continue;
		uint32_t one = (uint32_t)( gelRandom_Next( &random ) % i ),
				 two = (uint32_t)( gelRandom_Next( &random ) % i );
		AddEdge( def, one, i );
		if ( two != one ) AddEdge( def, two, i );
	}
}

// A cage around all particles. @param fineness cells where there would be one, along each axis
static gelCage MakeCage( const gelParticleStageDef* def, int fineness )
{
	double low[3] = { 1e9, 1e9, 1e9 }, high[3] = { -1e9, -1e9, -1e9 };
	for ( uint32_t i = 0; i < def->count; ++i )
	{
		const gelPackParticle* p = def->particles + i;
		double r = fmax( (double)p->radius[0], fmax( (double)p->radius[1], (double)p->radius[2] ) );
		for ( int k = 0; k < 3; ++k )
		{
			low[k] = fmin( low[k], (double)p->position[k] - r );
			high[k] = fmax( high[k], (double)p->position[k] + r );
		}
	}
	int n[3];
	double shortest = fmin( high[0] - low[0], fmin( high[1] - low[1], high[2] - low[2] ) );
	for ( int k = 0; k < 3; ++k )
		n[k] = (int)fmin( fmax( 1.0, round( ( high[k] - low[k] ) / shortest ) ), 8.0 );
	gelCage cage = gelMakeBoxCage( fineness * n[0], fineness * n[1], fineness * n[2], high[0] - low[0],
		high[1] - low[1], high[2] - low[2], gel_boxSplitSix );
	for ( size_t i = 0; i < 3 * (size_t)cage.nodeCount; ++i )
		cage.positions[i] += low[i % 3];
	return cage;
}

bool gelMakeParticleStage( const gelParticleStageDef* def, gelParticleStage* out )
{
	memset( out, 0, sizeof( *out ) );
	gelCage cage = MakeCage( def, 1 ), fine = MakeCage( def, def->artFineness > 0 ? def->artFineness : 1 );
	gelMesh mesh = gelMeshFromCageBoundary( &fine, 0.01 );
	gelFreeCage( &fine );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.steps = def->steps;
	settings.stepCount = def->stepCount;
	settings.material.youngsModulus = def->youngsModulus;
	settings.material.damping = def->damping;
	settings.particles = ( gelParticleSettings ){ .kind = gel_particlesAuto,
		.given = def->particles,
		.givenCount = def->count,
		.givenKind = def->kind,
		.givenEdges = def->edges[0],
		.givenEdgeCount = def->edgeCount,
		.givenStiffness = def->stiffness };
	out->pack = gelBake( &mesh, &cage, &settings, &program, &out->packBytes );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	if ( out->pack == NULL && def->mayBeRefused ) return false;
	assert_non_null( out->pack );
	assert_int_equal( gelLoadAsset( out->pack, out->packBytes, NULL, &out->asset, NULL ), gel_success );
	assert_int_equal( gelCreateWorld( &def->world, &out->world ), gel_success );
	gelBodyDef body = def->body;
	body.asset = out->asset;
	assert_int_equal( gelCreateBody( out->world, &body, &out->body ), gel_success );
	out->step = (float)def->steps[0];
	out->count = gelAsset_GetParticles( out->asset, NULL, 0 );
	assert_int_equal( out->count, def->count );
	gelParticleStage_Fetch( out );
	return true;
}

void gelFreeParticleStage( gelParticleStage* stage )
{
	gelDestroyWorld( stage->world );
	gelDestroyAsset( stage->asset );
	free( stage->pack );
}

gelBodyId gelParticleStage_AddBody( const gelParticleStage* stage, gelBodyDef def )
{
	def.asset = stage->asset;
	if ( def.solver.type != gel_solverOrientedParticles )
		def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	gelBodyId id;
	assert_int_equal( gelCreateBody( stage->world, &def, &id ), gel_success );
	return id;
}

void gelParticleStage_Step( gelParticleStage* stage, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( stage->world, stage->step ), gel_success );
	gelParticleStage_Fetch( stage );
}

void gelParticleStage_Fetch( gelParticleStage* stage )
{
	gelBody_GetParticlePoses( stage->body, stage->poses, stage->count );
}

void gelParticleStage_Put( gelParticleStage* stage )
{
	assert_int_equal( gelBody_SetParticlePoses( stage->body, stage->poses, stage->count ), gel_success );
}

void gelGetRows( gelQuat q, double R[3][3] )
{
	double x = q.v.x, y = q.v.y, z = q.v.z, w = q.s, s = 2.0 / ( x * x + y * y + z * z + w * w );
	const double rows[3][3] = {
		{ 1.0 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		{ s * ( x * y + w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		{ s * ( x * z - w * y ), s * ( y * z + w * x ), 1.0 - s * ( x * x + y * y ) },
	};
	memcpy( R, rows, sizeof( rows ) );
}

void gelGetMoment( const gelPackParticle* p, double out[3][3] )
{
	double E[3][3];
	gelQuat q = { { p->rotation[0], p->rotation[1], p->rotation[2] }, p->rotation[3] };
	gelGetRows( q, E );
	for ( int i = 0; i < 9; ++i )
	{
		out[i / 3][i % 3] = 0.0;
		for ( int k = 0; k < 3; ++k )
			out[i / 3][i % 3] += 0.2 * (double)p->volume * E[i / 3][k] * (double)p->radius[k] *
				(double)p->radius[k] * E[i % 3][k];
	}
}

static double GetPair( const gelPackParticle* a, const gelPackParticle* b, const double xa[3],
	const double xb[3], const double Ra[3][3], const double Rb[3][3] )
{
	double A[3][3], sum = 0.0;
	gelGetMoment( b, A );
	for ( int r = 0; r < 3; ++r )
	{
		double gap = -( xb[r] - xa[r] );
		for ( int c = 0; c < 3; ++c )
		{
			gap += Ra[r][c] * ( (double)b->position[c] - (double)a->position[c] );
			for ( int e = 0; e < 3; ++e )
				sum += ( Ra[r][c] - Rb[r][c] ) * A[c][e] * ( Ra[r][e] - Rb[r][e] );
		}
		sum += (double)b->volume * gap * gap;
	}
	return sum;
}

double gelGetElasticEnergy(
	const gelParticleStageDef* def, double k, const double ( *x )[3], const double ( *R )[3][3] )
{
	double sum = 0.0;
	for ( uint32_t e = 0; e < def->edgeCount; ++e )
	{
		uint32_t a = def->edges[e][0], b = def->edges[e][1];
		const gelPackParticle *pa = def->particles + a, *pb = def->particles + b;
		sum += GetPair( pa, pb, x[a], x[b], R[a], R[b] ) + GetPair( pb, pa, x[b], x[a], R[b], R[a] );
	}
	return 0.5 * k * sum;
}
