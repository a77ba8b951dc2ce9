// SPDX-License-Identifier: MIT
// What the reader of the runtime leaves out because the step does not depend on it, or because it would
// cost more than loading should: META, names, provenance, masses; factors are in verify_factor.c,
// collision geometry is in verify_surface.c and verify_support.c.
#include "inspect/verify.h"

#include "common/mesh/pack_figures.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t OffsetOf( const gelInspectedPack* pack, const void* element )
{
	GEL_ASSERT(
		(const uint8_t*)element >= pack->bytes && (const uint8_t*)element < pack->bytes + pack->byteCount );
	return (uint64_t)( (const uint8_t*)element - pack->bytes );
}

static void VerifyMeta( const gelInspectedPack* pack, gelFindings* findings )
{
	char error[256];
	json_t* meta = gelParseMeta( &pack->view, error, sizeof( error ) );
	if ( meta == NULL )
	{
		gelFindings_Add( findings, gel_findingMetaNotJson, pack->path,
			"section META, at byte %" PRIu64 ": %s", OffsetOf( pack, pack->view.meta ), error );
	}
	json_decref( meta );
	// A provenance of zeros is legal (a pack that nobody baked from art, as in tests) but says nothing about
	// where it came from.
	const uint8_t none[32] = { 0 };
	if ( memcmp( pack->view.header->provenance, none, sizeof( none ) ) == 0 )
	{
		gelFindings_Add( findings, gel_findingMetaIncomplete, pack->path,
			"header, at byte %zu: the provenance is all zero; bake the pack again with gel-bake",
			offsetof( gelPackHeader, provenance ) );
	}
}

// As T0620 for nodes of levels: one that all four corners share is inside, and so where they say.
static void VerifyAttachments( const gelInspectedPack* pack, gelFindings* findings )
{
	const gelPackView* view = &pack->view;
	const double size = gelGetLargestCoordinate( view );
	for ( uint32_t i = 0; i < view->attachmentCount; ++i )
	{
		const gelPackAttachment* a = view->attachments + i;
		// A weight of zero may mean that the point was outside and clamped to a face; then it is somewhere
		// else on purpose.
		bool isInside = a->weight[0] * a->weight[1] * a->weight[2] * a->weight[3] > 0.0f;
		double distance = gelGetAttachmentDistance( a, view->nodes, view->tets );
		json_t* name = json_string( a->name ); // NULL when it is not UTF-8
		if ( name == NULL )
			gelFindings_Add( findings, gel_findingAttachmentWrong, pack->path,
				"section ATCH, element %u, at byte %" PRIu64 ": the name is not UTF-8", i,
				OffsetOf( pack, a ) );
		else if ( isInside && distance > 1e-5 * size )
			gelFindings_Add( findings, gel_findingAttachmentWrong, pack->path,
				"section ATCH, element %u, at byte %" PRIu64 ": \"%s\" is %.3g m from where its weights say",
				i, OffsetOf( pack, a ), a->name, distance );
		json_decref( name );
	}
}

static void VerifyNames( const gelInspectedPack* pack, gelFindings* findings )
{
	for ( uint32_t i = 0; i < pack->view.materialCount; ++i )
	{
		const gelPackMaterial* m = pack->view.materials + i;
		json_t* name = json_string( m->name ); // NULL when it is not UTF-8
		if ( name == NULL )
		{
			gelFindings_Add( findings, gel_findingMaterialNameNotUtf8, pack->path,
				"section MATL, element %u, at byte %" PRIu64 ": the name is not UTF-8", i,
				OffsetOf( pack, m ) );
		}
		json_decref( name );
	}
}

// The mass of a node is a quarter of that of each tet around it. Rounding the mass to float takes 6e-8.
static void VerifyMasses( const gelInspectedPack* pack, gelFindings* findings )
{
	const gelPackView* view = &pack->view;
	for ( uint32_t node = 0; node < view->header->nodeCount; ++node )
	{
		double mass = 0.0;
		for ( uint32_t i = view->gatherFirst[node]; i < view->gatherFirst[node + 1]; ++i )
		{
			const gelPackTetRest* rest = view->tetRests + view->gatherCorners[i] / 4;
			mass += (double)view->materials[rest->material].density * rest->volume / 4.0;
		}
		if ( fabs( view->masses[node].mass - mass ) <= 1e-6 * mass ) continue;
		gelFindings_Add( findings, gel_findingMassWrong, pack->path,
			"section MASS, element %u, at byte %" PRIu64 ": the mass is %.9g kg, its tets give %.9g kg", node,
			OffsetOf( pack, view->masses + node ), (double)view->masses[node].mass, mass );
	}
}

// FACT belongs to the nodes of the cage, OPFA to the particles. Both have one form, so one check serves them.
static void VerifyFactor(
	const gelInspectedPack* pack, const gelPackSection* section, gelFindings* findings, json_t* results )
{
	GEL_ASSERT( section->fourcc == GEL_SECTION_FACT || section->fourcc == GEL_SECTION_OPFA );
	gelPackFactorView f = gelPack_GetFactor( &pack->view, section );
	bool isOfParticles = section->fourcc == GEL_SECTION_OPFA;
	gelFactorCheck check =
		isOfParticles ? gelCheckParticleFactor( &pack->view, &f ) : gelCheckFactor( &pack->view, &f );
	const char* name = isOfParticles ? "OPFA" : "FACT";
	if ( check.outOfMemory )
	{
		gelFindings_Add( findings, gel_findingNoMemory, pack->path,
			"there is no memory to check a factor of %u rows", f.header->n );
		return;
	}
	if ( check.patternHash != f.header->patternHash )
	{
		gelFindings_Add( findings, gel_findingFactorForeign, pack->path,
			"section %s (key %016" PRIx64 "), at byte %" PRIu64 ": its pattern hash is %016" PRIx64
			", that of %s is %016" PRIx64,
			name, section->key, OffsetOf( pack, &f.header->patternHash ), f.header->patternHash,
			isOfParticles ? "the graph in OPGR" : "TETS and its pin set", check.patternHash );
	}
	// Inverted panels (version 2) are rounded after the inversion, which costs some digits when L is
	// recovered from them.
	double tolerance = f.version == GEL_PACK_SECTION_VERSION ? GEL_FACTOR_TOLERANCE : GEL_SOLVED_TOLERANCE;
	if ( !( check.residual <= tolerance ) )
	{
		gelFindings_Add( findings, gel_findingFactorWrong, pack->path,
			"section %s (key %016" PRIx64 "), row of %s %u, at byte %" PRIu64
			": L L^T differs from the system matrix by %.3g, rounding explains %.3g",
			name, section->key, isOfParticles ? "particle" : "node", check.worstNode, section->offset,
			check.residual, tolerance );
	}
	json_array_append_new( results,
		json_pack( "{s:o, s:f, s:b}", "key", json_sprintf( "%016" PRIx64, section->key ), "residual",
			check.residual, "pattern_matches", check.patternHash == f.header->patternHash ) );
}

// A note and no fault: a newer gel-bake may write optional sections that this program has never heard of.
static void NoteUnknownSections( const gelInspectedPack* pack, gelFindings* findings )
{
	for ( uint32_t i = 0; i < pack->view.header->sectionCount; ++i )
	{
		const gelPackSection* s = pack->view.sections + i;
		if ( gelPack_IsKnownSection( s->fourcc ) ) continue;
		gelFindings_Add( findings, gel_findingSectionsUnknown, pack->path,
			"section %s (key %016" PRIx64 "), at byte %" PRIu64 ", %" PRIu64
			" bytes: only its checksum was verified",
			gelMakeSectionName( s->fourcc ).text, s->key, s->offset, s->bytes );
	}
}

static void VerifyOne( const gelInspectedPack* pack, gelProgram* program, json_t* results )
{
	gelFindings* findings = &program->findings;
	NoteUnknownSections( pack, findings );
	VerifyMeta( pack, findings );
	VerifyNames( pack, findings );
	VerifyAttachments( pack, findings );
	VerifyMasses( pack, findings );
	gelVerifySurface( pack, program );
	gelVerifySupports( pack, findings );
	static const uint32_t kinds[2] = { GEL_SECTION_FACT, GEL_SECTION_OPFA };
	for ( int kind = 0; kind < 2; ++kind )
	{
		uint32_t count = gelPack_CountSections( &pack->view, kinds[kind] );
		for ( uint32_t i = 0; i < count; ++i )
		{
			gelProgress_Update( &program->progress, "factors", (double)i / count );
			VerifyFactor( pack, gelPack_GetSection( &pack->view, kinds[kind], i ), findings, results );
		}
	}
	gelVerifyWarp( pack, program );
}

// Every level as a pack of its own, then the maps between them.
static void VerifyLevels( const gelInspectedPack* pack, gelProgram* program, json_t* results )
{
	char path[1024];
	gelPackView fine = pack->view;
	for ( uint32_t i = 1; i <= pack->view.levelCount; ++i )
	{
		gelInspectedPack level;
		if ( !gelOpenLevel( pack, i, path, sizeof( path ), &level ) )
		{
			gelFindings_Add(
				&program->findings, gel_findingNoMemory, path, "there is no memory to check it" );
			return;
		}
		VerifyOne( &level, program, results );
		// Maps lead from each level to the next coarser one, so the coarse view of one is the fine view of
		// the next.
		gelVerifyMap( pack, i, &fine, &level.view, &program->findings );
		fine = level.view;
	}
}

// Findings of an earlier pack may be there already, so what counts is how many come in addition.
bool gelVerifyPack( const gelInspectedPack* pack, gelProgram* program )
{
	GEL_ASSERT( pack->view.header != NULL );
	gelFindings* findings = &program->findings;
	int before = findings->errorCount;
	json_t* results = json_array();
	VerifyOne( pack, program, results );
	VerifyLevels( pack, program, results );
	gelProgress_Clear( &program->progress );
	gelReport_SetBool( &program->report, "verify.passed", findings->errorCount == before );
	gelReport_SetJson( &program->report, "verify.factors", results );
	return findings->errorCount == before;
}
