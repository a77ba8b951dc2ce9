// SPDX-License-Identifier: MIT
// A pack for people: one screen of text. Numbers come from gelMeasurePack and gelMeasureSurface, which
// reports and comparisons use as well.
#include "inspect/inspect.h"

#include "common/mesh/pack_figures.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "5.8 KB": three digits are enough for a glance, the exact number stands in the table.
static const char* FormatBytes( char out[32], uint64_t bytes )
{
	GEL_ASSERT( out != NULL );
	static const char* const units[] = { "B", "KB", "MB", "GB" };
	double value = (double)bytes;
	int unit = 0;
	while ( value >= 999.5 && unit < 3 )
	{
		value /= 1000.0;
		++unit;
	}
	snprintf( out, 32, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, units[unit] );
	return out;
}

// Cells of their own come from --collision-cells coarse; tets of the cage are the rule.
static void PrintSurface( const gelProgram* program, const gelPackView* view )
{
	const gelPackHeader* h = view->header;
	if ( view->cells == NULL )
	{
		gelProgram_Say( program, "  collision   none" );
		return;
	}
	gelSurfaceFacts facts = gelMeasureSurface( view );
	gelProgram_Say( program, "  collision   %u patches in %u %s, %u triangles, %u vertices, %u open edges",
		h->cdgPatchCount, h->cdgTetCount,
		view->cells[0].tet == GEL_CDG_NIL ? "cells of their own" : "tets of the cage", h->cdgTriangleCount,
		facts.vertexCount, facts.openEdges );
	gelProgram_Say( program,
		"              %.1f bytes per art triangle; trees of up to %u levels (%u triangles), %u over the "
		"cells",
		facts.bytesPerTriangle, facts.treeDepth, facts.largestPatch, view->bvhDepth );
	if ( facts.supportCount == 0 ) return;
	gelProgram_Say( program,
		"              %u of the vertices can be the lowest of their cell (within %.3g of it)",
		facts.supportCount, (double)view->supports.header->slack );
}

// What an artist asks first: how large, how heavy, in which coordinates. A body in centimetres shows here.
static void PrintSummary( const gelProgram* program, const gelInspectedPack* pack, const gelPackFacts* facts )
{
	const gelPackHeader* h = pack->view.header;
	char size[32], provenance[65];
	for ( int i = 0; i < 32; ++i )
		snprintf( provenance + 2 * i, 3, "%02x", h->provenance[i] );
	gelProgram_Say( program, "%s: pack of format %u.%u, %s", pack->path, h->versionMajor, h->versionMinor,
		FormatBytes( size, h->fileBytes ) );
	gelProgram_Say( program, "  cage        %u nodes, %u tets, %u colors of %u to %u tets", h->nodeCount,
		h->tetCount, pack->view.colorCount, facts->minColorTets, facts->maxColorTets );
	gelProgram_Say( program, "              x %.6g .. %.6g, y %.6g .. %.6g, z %.6g .. %.6g m",
		facts->cageMin[0], facts->cageMax[0], facts->cageMin[1], facts->cageMax[1], facts->cageMin[2],
		facts->cageMax[2] );
	gelProgram_Say( program, "              volume %.6g m^3, tets of %.3g to %.3g m^3; mass %.6g kg",
		facts->volume, facts->minTetVolume, facts->maxTetVolume, facts->mass );
	gelProgram_Say(
		program, "  art         %u vertices, %u triangles", h->artVertexCount, h->artTriangleCount );
	gelProgram_Say( program, "              x %.6g .. %.6g, y %.6g .. %.6g, z %.6g .. %.6g m",
		facts->artMin[0], facts->artMax[0], facts->artMin[1], facts->artMax[1], facts->artMin[2],
		facts->artMax[2] );
	PrintSurface( program, &pack->view );
	gelProgram_Say( program, "  provenance  %s", provenance );
}

// Density [kg/m^3], Young's modulus [Pa], damping [1/s].
static void PrintMaterials( const gelProgram* program, const gelPackView* view, const gelPackFacts* facts )
{
	gelProgram_Say(
		program, "materials     density     Young  Poisson  damping      tets  friction (static, dynamic)" );
	for ( uint32_t i = 0; i < view->materialCount && i < GEL_MAX_LISTED_MATERIALS; ++i )
	{
		const gelPackMaterial* m = view->materials + i;
		gelProgram_Say( program, "  %-12s %7g %9.4g %8.4g %8g %9u  %g, %g", m->name, (double)m->density,
			(double)m->youngsModulus, (double)m->poissonsRatio, (double)m->damping, facts->materialTets[i],
			(double)m->staticFriction, (double)m->dynamicFriction );
	}
	if ( view->materialCount > GEL_MAX_LISTED_MATERIALS )
		gelProgram_Say( program, "  and %u more", view->materialCount - (uint32_t)GEL_MAX_LISTED_MATERIALS );
}

// A step length that is not listed here cannot be stepped by the fast solver.
static void PrintFactors( const gelProgram* program, const gelPackView* view )
{
	uint32_t pinSetCount = gelPack_CountSections( view, GEL_SECTION_PINS );
	for ( uint32_t i = 0; i < pinSetCount; ++i )
	{
		const gelPackSection* s = gelPack_GetSection( view, GEL_SECTION_PINS, i );
		gelProgram_Say( program, "pin set       %016" PRIx64 ": %u nodes", s->key, s->count );
	}
	uint32_t count = gelPack_CountSections( view, GEL_SECTION_FACT );
	if ( count == 0 )
	{
		gelProgram_Say( program, "factors       none: to be touched, or stepped by the implicit solver" );
		return;
	}
	gelProgram_Say( program,
		"factors       step [s] pin set            free nodes  panels   nonzeros      size  residual" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const gelPackSection* s = gelPack_GetSection( view, GEL_SECTION_FACT, i );
		gelPackFactorView f = gelPack_GetFactor( view, s );
		char pins[24] = "none", size[32];
		double step;
		memcpy( &step, &f.header->stepBits, sizeof( step ) );
		if ( f.header->pinSetId != 0 ) snprintf( pins, sizeof( pins ), "%016" PRIx64, f.header->pinSetId );
		gelProgram_Say( program, "  %20.6g %-16s %13u %7u %10" PRIu64 " %9s  %.1e", step, pins, f.header->n,
			f.header->superCount, f.header->nonzeroCount, FormatBytes( size, s->bytes ),
			(double)f.header->residual );
	}
}

// Distances of points inside of the cage are rounding and print as 0; those outside hang in the air by so
// much.
static void PrintAttachments( const gelProgram* program, const gelPackView* view )
{
	if ( view->attachmentCount == 0 ) return;
	gelProgram_Say(
		program, "attachments   x y z [m]                  axes x y z w                radius  outside [m]" );
	for ( uint32_t i = 0; i < view->attachmentCount; ++i )
	{
		const gelPackAttachment* a = view->attachments + i;
		const float *p = a->position, *q = a->rotation;
		double distance = gelGetAttachmentDistance( a, view->nodes, view->tets );
		char place[64], axes[64];
		snprintf( place, sizeof( place ), "%.4g %.4g %.4g", (double)p[0], (double)p[1], (double)p[2] );
		snprintf( axes, sizeof( axes ), "%.4g %.4g %.4g %.4g", (double)q[0], (double)q[1], (double)q[2],
			(double)q[3] );
		bool isInside = a->weight[0] * a->weight[1] * a->weight[2] * a->weight[3] > 0.0f;
		gelProgram_Say( program, "  %-11s %-26s %-26s %7.4g  %.3g", a->name, place, axes, (double)a->radius,
			isInside ? 0.0 : distance );
	}
}

static void PrintParticles( const gelProgram* program, const gelPackView* view )
{
	static const char* const kinds[] = { "in a volume", "on a surface", "along a curve" };
	const gelParticleView* p = &view->particles;
	if ( p->header == NULL ) return;
	double mass = 0.0;
	for ( uint32_t i = 0; i < p->header->particleCount; ++i )
		mass += (double)p->particles[i].mass;
	gelProgram_Say( program, "particles     %u %s, %u edges, %u batches, mass %.6g kg, k %.4g J/m^5",
		p->header->particleCount, kinds[p->header->kind], p->header->edgeCount, p->slotCount / GEL_PACK_LANES,
		mass, (double)p->header->stiffness );
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_OPFA ); ++i )
	{
		const gelPackSection* s = gelPack_GetSection( view, GEL_SECTION_OPFA, i );
		gelPackFactorView f = gelPack_GetFactor( view, s );
		char size[32];
		double step;
		memcpy( &step, &f.header->stepBits, sizeof( step ) );
		gelProgram_Say( program, "  step %.6g s, %u panels, %" PRIu64 " nonzeros, %s, residual %.1e", step,
			f.header->superCount, f.header->nonzeroCount, FormatBytes( size, s->bytes ),
			(double)f.header->residual );
	}
}

static void PrintSections( const gelProgram* program, const gelPackView* view, const gelPackFacts* facts )
{
	double share = 100.0 / (double)view->header->fileBytes;
	gelProgram_Say( program, "sections key                   count  stride      bytes   share" );
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		const gelPackSection* s = view->sections + i;
		gelProgram_Say( program, "  %-6s %016" PRIx64 " %10u %7u %10" PRIu64 "  %5.1f %%%s",
			gelMakeSectionName( s->fourcc ).text, s->key, s->count, s->stride, s->bytes,
			share * (double)s->bytes, s->flags & GEL_SECTION_REQUIRED ? "  required" : "" );
	}
	gelProgram_Say( program, "  (header, table, gaps) %31" PRIu64 "  %5.1f %%", facts->paddingBytes,
		share * (double)facts->paddingBytes );
}

// Line by line, as a line of output has a limited length and is cleaned of control characters.
static void PrintMeta( const gelProgram* program, const gelPackView* view )
{
	char error[256];
	json_t* meta = gelParseMeta( view, error, sizeof( error ) );
	char* text =
		meta ? json_dumps( meta, JSON_INDENT( 2 ) | JSON_SORT_KEYS | JSON_REAL_PRECISION( 15 ) ) : NULL;
	if ( text == NULL )
	{
		gelProgram_Say( program, "META          %u bytes that are not JSON: %s", view->metaBytes, error );
	}
	else
	{
		gelProgram_Say( program, "META" );
		for ( char *line = text, *end; line != NULL; line = end )
		{
			end = strchr( line, '\n' );
			if ( end != NULL ) *end++ = 0;
			gelProgram_Say( program, "  %s", line );
		}
	}
	free( text );
	json_decref( meta );
}

void gelPrintPack( const gelProgram* program, const gelInspectedPack* pack, const gelPackFacts* facts )
{
	GEL_ASSERT( pack->view.header != NULL );
	PrintSummary( program, pack, facts );
	PrintMaterials( program, &pack->view, facts );
	PrintAttachments( program, &pack->view );
	PrintFactors( program, &pack->view );
	PrintParticles( program, &pack->view );
	gelPrintLevels( program, &pack->view );
	PrintSections( program, &pack->view, facts );
	PrintMeta( program, &pack->view );
}
