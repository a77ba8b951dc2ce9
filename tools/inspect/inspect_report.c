// SPDX-License-Identifier: MIT
// A pack for machines: the same figures as JSON, described by docs/report.schema.json. What gel-bake reports,
// too, is made by pack_figures.c for both, so that names and units cannot part.
#include "inspect/inspect.h"

#include "common/mesh/pack_figures.h"
#include "common/program/clean_text.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>

static json_t* MakeVector( const double v[3] )
{
	return json_pack( "[f, f, f]", v[0], v[1], v[2] );
}

static json_t* MakeSections( const gelPackView* view )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		const gelPackSection* s = view->sections + i;
		json_array_append_new( array,
			json_pack( "{s:s, s:o, s:i, s:b, s:I, s:I, s:I, s:I, s:o}", "name",
				gelMakeSectionName( s->fourcc ).text, "key", gelMakeIdJson( s->key ), "version",
				(int)s->version, "required", ( s->flags & GEL_SECTION_REQUIRED ) != 0, "offset",
				(json_int_t)s->offset, "bytes", (json_int_t)s->bytes, "count", (json_int_t)s->count, "stride",
				(json_int_t)s->stride, "hash", gelMakeIdJson( s->hash ) ) );
	}
	return array;
}

// With the number of tets that have each: a painted body has many materials, and only some of them matter.
static json_t* MakeMaterials( const gelPackView* view )
{
	GEL_ASSERT( view->materialCount > 0 );
	json_t* array = json_array();
	uint32_t* tets = calloc( view->materialCount, sizeof( uint32_t ) ); // tets of each material
	for ( uint32_t t = 0; tets != NULL && t < view->header->tetCount; ++t )
		++tets[view->tetRests[t].material];
	for ( uint32_t i = 0; i < view->materialCount; ++i )
	{
		const gelPackMaterial* m = view->materials + i;
		char name[4 * sizeof( m->name )];
		gelCleanTextTo( name, sizeof( name ), m->name ); // json_pack refuses what is not UTF-8
		json_t* json = json_pack( "{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", name, "density",
			(double)m->density, "youngs_modulus", (double)m->youngsModulus, "poissons_ratio",
			(double)m->poissonsRatio, "mu", (double)m->mu, "lambda", (double)m->lambda, "damping",
			(double)m->damping, "static_friction", (double)m->staticFriction, "dynamic_friction",
			(double)m->dynamicFriction );
		json_object_set_new( json, "tets", tets != NULL ? json_integer( tets[i] ) : json_null() );
		json_array_append_new( array, json );
	}
	free( tets );
	return array;
}

static json_t* MakeFactors( const gelPackView* view )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_FACT ); ++i )
	{
		const gelPackSection* s = gelPack_GetSection( view, GEL_SECTION_FACT, i );
		json_array_append_new( array, gelMakeFactorJson( s, gelPack_GetFactor( view, s ).header ) );
	}
	return array;
}

static json_t* MakePinSets( const gelPackView* view )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_PINS ); ++i )
	{
		const gelPackSection* s = gelPack_GetSection( view, GEL_SECTION_PINS, i );
		json_array_append_new(
			array, json_pack( "{s:o, s:I}", "id", gelMakeIdJson( s->key ), "nodes", (json_int_t)s->count ) );
	}
	return array;
}

static json_t* MakeAttachments( const gelPackView* view )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < view->attachmentCount; ++i )
		json_array_append_new(
			array, gelMakeAttachmentJson( view->attachments + i, view->nodes, view->tets ) );
	return array;
}

static void ReportSurface( gelReport* report, const gelPackView* view )
{
	const gelPackHeader* h = view->header;
	gelSurfaceFacts facts = gelMeasureSurface( view );
	gelReport_SetInt( report, "collision.cells", view->cells != NULL ? h->cdgTetCount : 0 );
	if ( view->cells == NULL ) return;
	gelReport_SetInt( report, "collision.patches", h->cdgPatchCount );
	gelReport_SetInt( report, "collision.triangles", h->cdgTriangleCount );
	gelReport_SetInt( report, "collision.vertices", facts.vertexCount );
	gelReport_SetInt( report, "collision.welded_vertices", view->cdgWeldCount );
	gelReport_SetInt( report, "collision.links", view->linkCount );
	gelReport_SetInt( report, "collision.support_vertices", facts.supportCount );
	gelReport_SetInt( report, "collision.open_edges", facts.openEdges );
	gelReport_SetInt( report, "collision.tree_depth", facts.treeDepth );
	gelReport_SetInt( report, "collision.coarse_depth", view->bvhDepth );
	gelReport_SetReal( report, "collision.area", facts.area );
	gelReport_SetReal( report, "collision.bytes_per_triangle", facts.bytesPerTriangle );
}

static void ReportParticles( gelReport* report, const gelPackView* view )
{
	const gelPackParticles* h = view->particles.header;
	gelReport_SetInt( report, "counts.particles", h != NULL ? h->particleCount : 0 );
	if ( h == NULL ) return;
	gelReport_SetInt( report, "counts.particle_edges", h->edgeCount );
	gelReport_SetInt( report, "counts.particle_factors", gelPack_CountSections( view, GEL_SECTION_OPFA ) );
	gelReport_SetReal( report, "quality.particle_stiffness", (double)h->stiffness );
}

// Every name below is in docs/report.schema.json and explained in docs/report.md; package_reports holds them
// against each other.
void gelReportPack( gelReport* report, const gelInspectedPack* pack, const gelPackFacts* facts )
{
	GEL_ASSERT( pack->view.header != NULL && facts->volume > 0.0 );
	const gelPackView* view = &pack->view;
	const gelPackHeader* h = view->header;
	json_t* provenance = NULL;
	char text[65], error[256];
	for ( int i = 0; i < 32; ++i )
		snprintf( text + 2 * i, 3, "%02x", h->provenance[i] );
	provenance = json_string( text );
	gelReport_SetJson( report, "pack.format", json_sprintf( "%u.%u", h->versionMajor, h->versionMinor ) );
	gelReport_SetInt( report, "pack.bytes", (int64_t)h->fileBytes );
	gelReport_SetJson( report, "pack.hash", gelMakeIdJson( gelPack_Hash( pack->bytes, pack->byteCount ) ) );
	gelReport_SetJson( report, "pack.provenance", provenance );
	gelReport_SetInt( report, "counts.nodes", h->nodeCount );
	gelReport_SetInt( report, "counts.tets", h->tetCount );
	gelReport_SetInt( report, "counts.vertices", h->artVertexCount );
	gelReport_SetInt( report, "counts.triangles", h->artTriangleCount );
	gelReport_SetInt( report, "counts.colors", view->colorCount );
	gelReport_SetReal( report, "quality.mass", facts->mass );
	gelReport_SetReal( report, "quality.volume", facts->volume );
	gelReport_SetReal( report, "quality.min_tet_volume", facts->minTetVolume );
	gelReport_SetReal( report, "quality.max_tet_volume", facts->maxTetVolume );
	gelReport_SetJson( report, "bounds.cage_min", MakeVector( facts->cageMin ) );
	gelReport_SetJson( report, "bounds.cage_max", MakeVector( facts->cageMax ) );
	gelReport_SetJson( report, "bounds.art_min", MakeVector( facts->artMin ) );
	gelReport_SetJson( report, "bounds.art_max", MakeVector( facts->artMax ) );
	ReportSurface( report, view );
	ReportParticles( report, view );
	gelReportLevelsOf( report, view );
	gelReport_SetJson( report, "materials", MakeMaterials( view ) );
	gelReport_SetJson( report, "pin_sets", MakePinSets( view ) );
	gelReport_SetJson( report, "attachments", MakeAttachments( view ) );
	gelReport_SetJson( report, "factors", MakeFactors( view ) );
	gelReport_SetJson( report, "sections", MakeSections( view ) );
	json_t* meta = gelParseMeta( view, error, sizeof( error ) );
	gelReport_SetJson( report, "meta", meta ? meta : json_null() );
}
