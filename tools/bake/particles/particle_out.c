// SPDX-License-Identifier: MIT
// The particles of a bake: which way they are placed, whether that is possible, and their sections.
#include "bake/particles/particle_bake.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

// Samples per particle where they can be chosen.
#define GEL_SAMPLES_PER_PARTICLE 96u

// Parts below this share of all samples are crumbs of the sampling, not parts of the body.
#define GEL_CRUMB_SHARE 0.01

static const char* const s_kindNames[] = { "solid", "sheet", "rod" };

static uint32_t ChooseKind( const gelBakeData* data )
{
	switch ( data->settings->particles.kind )
	{
		case gel_particlesSolid:
			return GEL_PARTICLES_SOLID;
		case gel_particlesSheet:
			return GEL_PARTICLES_SHEET;
		case gel_particlesRod:
			return GEL_PARTICLES_ROD;
		default:
			if ( data->mesh->lineCount > 0 ) return GEL_PARTICLES_ROD;
			return gelMesh_Analyse( data->mesh ).closed ? GEL_PARTICLES_SOLID : GEL_PARTICLES_SHEET;
	}
}

// How many particles a body gets that nobody counted. A solid: so many that their distance is that of the
// surface from the middle, 3 V / A for a ball, or a little less.
static uint32_t ChooseCount( const gelBakeData* data, uint32_t kind, const gelSampleGraph* graph )
{
	GEL_ASSERT( graph->count > 0 );
	if ( data->settings->particles.count > 0 ) return (uint32_t)data->settings->particles.count;
	if ( kind == GEL_PARTICLES_ROD ) return 20;
	if ( kind == GEL_PARTICLES_SHEET ) return 196;
	double area = gelMesh_Analyse( data->mesh ).area, volume = 0.0;
	for ( uint32_t i = 0; i < graph->count; ++i )
		volume += graph->weights[i];
	// 3 V / A is the radius of a ball, and one and a half times the thickness of a plate.
	double spacing = area > 0.0 ? 0.7 * 3.0 * volume / area : 0.0;
	double wanted = spacing > 0.0 ? volume / ( spacing * spacing * spacing ) : 100.0;
	return (uint32_t)fmin( fmax( wanted, 24.0 ), 256.0 );
}

// The samples of one part alone, in their order.
static gelSampleGraph ExtractPart( const gelSampleGraph* graph, uint32_t part, gelBakePool* pool )
{
	GEL_ASSERT( part < graph->partCount );
	gelBakePool scratch = { NULL };
	uint32_t* numbers = gelBakePool_Alloc( &scratch, graph->count, sizeof( uint32_t ) );
	gelSampleGraph out = { .variance = graph->variance, .spacing = graph->spacing, .partCount = 1 };
	for ( uint32_t i = 0; i < graph->count; ++i )
		numbers[i] = graph->partOf[i] == part ? out.count++ : GEL_NO_INDEX;
	out.points = gelBakePool_Alloc( pool, out.count, sizeof( *out.points ) );
	out.weights = gelBakePool_Alloc( pool, out.count, sizeof( double ) );
	out.partOf = gelBakePool_Alloc( pool, out.count, sizeof( uint32_t ) );
	out.linkFirst = gelBakePool_Alloc( pool, (size_t)out.count + 1, sizeof( uint32_t ) );
	out.links = gelBakePool_Alloc( pool, (size_t)graph->linkFirst[graph->count] + 1, sizeof( uint32_t ) );
	uint32_t linkCount = 0;
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		if ( numbers[i] == GEL_NO_INDEX ) continue;
		out.points[numbers[i]] = graph->points[i];
		out.weights[numbers[i]] = graph->weights[i];
		for ( uint32_t k = graph->linkFirst[i]; k < graph->linkFirst[i + 1]; ++k )
			out.links[linkCount++] = numbers[graph->links[k]];
		out.linkFirst[numbers[i] + 1] = linkCount;
	}
	gelFreeBakePool( &scratch );
	return out;
}

// A body is one piece: crumbs are left out, a second real part is an error.
static bool KeepOnePart( gelBakeData* data, gelSampleGraph* graph, gelFindings* findings )
{
	if ( graph->partCount <= 1 ) return true;
	gelBakePool scratch = { NULL };
	double* sums = gelBakePool_Alloc( &scratch, graph->partCount, sizeof( double ) );
	double total = 0.0;
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		sums[graph->partOf[i]] += graph->weights[i];
		total += graph->weights[i];
	}
	uint32_t best = 0, realCount = 0;
	for ( uint32_t part = 0; part < graph->partCount; ++part )
	{
		best = sums[part] > sums[best] ? part : best;
		realCount += sums[part] > GEL_CRUMB_SHARE * total;
	}
	gelFreeBakePool( &scratch );
	if ( realCount > 1 )
	{
		gelFindings_Add( findings, gel_findingParticlesNotOnePiece, data->settings->artFile,
			"%u parts do not touch; join them in the modeller, or bake each as a body of its own",
			realCount );
		return false;
	}
	*graph = ExtractPart( graph, best, &data->pool );
	return true;
}

static bool TakeSamples( gelBakeData* data, uint32_t kind, gelFindings* findings, gelSampleGraph* graph )
{
	// 128 particles are assumed until the samples themselves tell volume and area.
	uint32_t wanted = data->settings->particles.count > 0 ? (uint32_t)data->settings->particles.count : 128;
	wanted *= GEL_SAMPLES_PER_PARTICLE;
	if ( kind == GEL_PARTICLES_ROD && data->mesh->lineCount > 0 )
		*graph = gelSampleLines( data->mesh, wanted, &data->pool );
	else if ( kind == GEL_PARTICLES_SHEET )
		*graph = gelSampleSurface( data->mesh, wanted, &data->pool );
	else
		*graph = gelSampleVolume( data->mesh, wanted, &data->pool );
	double total = 0.0;
	for ( uint32_t i = 0; i < graph->count; ++i )
		total += graph->weights[i];
	if ( graph->count > 0 && total > 0.0 ) return KeepOnePart( data, graph, findings );
	gelFindings_Add( findings, gel_findingParticlesNoVolume, data->settings->artFile,
		"there is no room for particles of a %s: the art has no %s", s_kindNames[kind],
		kind == GEL_PARTICLES_SHEET ? "area" : "inside; close its surface, or use --particles sheet" );
	return false;
}

static void TakeGiven( gelBakeData* data )
{
	const gelParticleSettings* given = &data->settings->particles;
	gelBakeParticles* p = &data->particles;
	p->kind = given->givenKind;
	p->count = given->givenCount;
	p->edgeCount = given->givenEdgeCount;
	p->particles = gelBakePool_Alloc( &data->pool, p->count, sizeof( gelPackParticle ) );
	memcpy( p->particles, given->given, p->count * sizeof( gelPackParticle ) );
	gelSetParticleEdges( p, given->givenEdges, &data->pool );
}

static bool CheckRadii( const gelBakeData* data, gelFindings* findings )
{
	for ( uint32_t i = 0; i < data->particles.count; ++i )
	{
		const gelPackParticle* p = data->particles.particles + i;
		if ( p->mass >= 1e-15f && p->mass <= 1e15f && p->volume >= 1e-15f && p->volume <= 1e15f ) continue;
		gelFindings_Add( findings, gel_findingParticlesNoVolume, data->settings->artFile,
			"particle %u has a volume of %g m^3 and a mass of %g kg; use --scale", i, (double)p->volume,
			(double)p->mass );
		return false;
	}
	return true;
}

bool gelBuildParticles( gelBakeData* data, gelFindings* findings )
{
	GEL_ASSERT( data->settings->particles.kind != gel_particlesNone );
	const gelParticleSettings* settings = &data->settings->particles;
	gelBakeParticles* p = &data->particles;
	if ( settings->kind == gel_particlesNone ) return true;
	gelSampleGraph graph = { 0 };
	gelClusters clusters = { 0 };
	// Particles that the caller has placed are taken as they are; stiffness, batches, skins and factors are
	// made for them as for others.
	bool isGiven = settings->given != NULL;
	if ( isGiven )
	{
		TakeGiven( data );
	}
	else
	{
		uint32_t kind = ChooseKind( data );
		if ( !TakeSamples( data, kind, findings, &graph ) ) return false;
		uint32_t wanted = ChooseCount( data, kind, &graph );
		// lines may branch; what has no lines is taken from end to end
		bool isChain = kind == GEL_PARTICLES_ROD && data->mesh->lineCount == 0;
		clusters = isChain ? gelChainSamples( &graph, wanted, &data->pool )
						   : gelClusterSamples( &graph, wanted, &data->pool );
		gelShapeParticles( &graph, &clusters, kind, data->materials.items, &data->pool, p );
	}
	if ( !CheckRadii( data, findings ) ) return false;
	double k = isGiven && settings->givenStiffness > 0.0
		? settings->givenStiffness
		: gelFitStiffness( p, (double)data->materials.items[0].youngsModulus );
	p->stiffness = (float)fmin( fmax( k, 1e-15 ), 1e15 );
	gelBatchParticles( p, &data->pool );
	gelSkinParticles( data, isGiven ? NULL : &graph, &clusters );
	return gelFactorParticles( data, findings );
}

void gelAddParticleSections( gelPackWriter* writer, const gelBakeParticles* p )
{
	if ( p->count == 0 ) return;
	gelPackParticles graph = {
		.particleCount = p->count, .edgeCount = p->edgeCount, .kind = p->kind, .stiffness = p->stiffness
	};
	const gelPackInnerArray arrays[] = {
		{ p->particles, p->count, sizeof( gelPackParticle ) },
		{ p->neighborFirst, p->count + 1, sizeof( uint32_t ) },
		{ p->neighbors, 2 * p->edgeCount, sizeof( uint32_t ) },
		{ p->batches, p->slotCount, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_OPGR, 0, 0, &graph, sizeof( graph ),
		offsetof( gelPackParticles, particles ), arrays, 4 );
	gelPackSkins skins = { .zero = { 0 } };
	const gelPackInnerArray skinArrays[] = {
		{ p->vertexSkins, p->vertexCount, sizeof( gelPackSkin ) },
		{ p->nodeSkins, p->nodeCount, sizeof( gelPackSkin ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_OPSK, 0, 0, &skins, sizeof( skins ), 0, skinArrays, 2 );
	for ( int i = 0; i < p->factorCount; ++i )
		gelAddFactorSection( writer, GEL_SECTION_OPFA, GEL_FACTOR_PARTICLES, p->factors + i );
}

void gelReportParticles( const gelBakeParticles* p, gelReport* report )
{
	if ( p->count == 0 ) return;
	double mass = 0.0;
	for ( uint32_t i = 0; i < p->count; ++i )
		mass += (double)p->particles[i].mass;
	gelReport_SetInt( report, "counts.particles", p->count );
	gelReport_SetInt( report, "counts.particle_edges", p->edgeCount );
	gelReport_SetInt( report, "counts.particle_batches", p->slotCount / GEL_PACK_LANES );
	gelReport_SetString( report, "particle_kind", s_kindNames[p->kind] );
	gelReport_SetReal( report, "quality.particle_mass", mass );
	gelReport_SetReal( report, "quality.particle_stiffness", (double)p->stiffness );
}
