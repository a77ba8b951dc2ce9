// SPDX-License-Identifier: MIT
// Attachment points in the cage: the tet that holds each, or the point of the cage that is nearest to it.
#include "bake/body/body_passes.h"

#include "common/mesh/pack_figures.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the nearest point ----------------------------------------------------------------------------------

// Weights of the point of a triangle that is nearest to p, by the region of its plane that p is above
// (Ericson 2005, Real-Time Collision Detection, 5.1.5).
static void FindNearestInTriangle( const gelVec3d x[3], gelVec3d p, double w[3] )
{
	gelVec3d ab = gelSubD( x[1], x[0] ), ac = gelSubD( x[2], x[0] );
	gelVec3d ap = gelSubD( p, x[0] ), bp = gelSubD( p, x[1] ), cp = gelSubD( p, x[2] );
	double d1 = gelDotD( ab, ap ), d2 = gelDotD( ac, ap ), d3 = gelDotD( ab, bp ), d4 = gelDotD( ac, bp );
	double d5 = gelDotD( ab, cp ), d6 = gelDotD( ac, cp );
	double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	w[0] = w[1] = w[2] = 0.0;
	if ( d1 <= 0.0 && d2 <= 0.0 )
		w[0] = 1.0;
	else if ( d3 >= 0.0 && d4 <= d3 )
		w[1] = 1.0;
	else if ( d6 >= 0.0 && d5 <= d6 )
		w[2] = 1.0;
	else if ( vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 )
		w[1] = d1 / ( d1 - d3 );
	else if ( vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 )
		w[2] = d2 / ( d2 - d6 );
	else if ( va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 )
	{
		w[2] = ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) );
		w[1] = 1.0 - w[2];
	}
	else
	{
		w[1] = vb / ( va + vb + vc );
		w[2] = vc / ( va + vb + vc );
	}
	w[0] = fmax( 0.0, 1.0 - w[1] - w[2] );
}

typedef struct Nearest
{
	double square; // square of the distance [m^2]
	uint32_t tet;
	double weights[4];
} Nearest;

static void VisitTet( const gelBakeCage* cage, uint32_t tet, gelVec3d p, Nearest* best )
{
	GEL_ASSERT( tet < cage->tetCount );
	static const int faces[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
	for ( int f = 0; f < 4; ++f )
	{
		gelVec3d x[3], d = p;
		double w[3];
		for ( int k = 0; k < 3; ++k )
			x[k] = gelGetCorner( cage->nodes, cage->tets + tet, faces[f][k] );
		FindNearestInTriangle( x, p, w );
		for ( int k = 0; k < 3; ++k )
			d = gelMulAddD( d, -w[k], x[k] );
		if ( !( gelDotD( d, d ) < best->square ) ) continue;
		*best = ( Nearest ){ gelDotD( d, d ), tet, { 0.0, 0.0, 0.0, 0.0 } };
		for ( int k = 0; k < 3; ++k )
			best->weights[faces[f][k]] = w[k];
	}
}

// Squared distance of a point from the box of a tet [m^2].
static double GetBoxSquare( const gelBakeCage* cage, uint32_t tet, gelVec3d p )
{
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &box, gelGetCorner( cage->nodes, cage->tets + tet, k ) );
	gelVec3d away = gelMaxVec3d( gelSubD( box.min, p ), gelSubD( p, box.max ) );
	away = gelMaxVec3d( away, ( gelVec3d ){ 0.0, 0.0, 0.0 } );
	return gelDotD( away, away );
}

// Points are few and often outside (a hat above a head), so the search is over all tets, with boxes as a
// first test. Faces are enough: the nearest point of a tet from outside is on its surface.
static void PlaceOutside( const gelBakeCage* cage, gelPackAttachment* a )
{
	gelVec3d p = { (double)a->position[0], (double)a->position[1], (double)a->position[2] };
	Nearest best = { .square = DBL_MAX };
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		if ( GetBoxSquare( cage, t, p ) < best.square ) VisitTet( cage, t, p, &best );
	}
	a->tet = best.tet;
	for ( int k = 0; k < 4; ++k )
		a->weight[k] = (float)best.weights[k];
}

// ---- all of them ----------------------------------------------------------------------------------------

static int CompareNames( const void* a, const void* b )
{
	return strcmp( ( (const gelPackAttachment*)a )->name, ( (const gelPackAttachment*)b )->name );
}

static gelPackAttachment MakeAttachment( const gelBakeAttachment* from )
{
	gelPackAttachment out = { .radius = (float)from->radius };
	memcpy( out.name, from->name, strnlen( from->name, sizeof( out.name ) - 1 ) );
	for ( int k = 0; k < 3; ++k )
		out.position[k] = (float)from->position[k];
	for ( int k = 0; k < 4; ++k )
		out.rotation[k] = (float)from->rotation[k];
	gelCleanFloats( out.position, 3 );
	gelCleanFloats( out.rotation, 4 );
	return out;
}

static void WarnOutside( const gelBakeData* data, const gelPackAttachment* a, gelFindings* findings )
{
	double distance = gelGetAttachmentDistance( a, data->cage.nodes, data->cage.tets );
	double size = 0.0; // [m]
	for ( int k = 0; k < 3; ++k )
		size = fmax( size, (double)data->mesh->boundsMax[k] - (double)data->mesh->boundsMin[k] );
	gelFindings_Add( findings, gel_findingAttachmentOutsideCage, data->settings->artFile,
		"\"%s\" at %g %g %g is %.3g m outside of the cage of %u tets; it hangs on the nearest point of it%s",
		a->name, (double)a->position[0], (double)a->position[1], (double)a->position[2], distance,
		data->cage.tetCount,
		distance > size ? ", farther away than the body is large: are its coordinates metres?" : "" );
}

bool gelBuildAttachments( gelBakeData* data, gelFindings* findings )
{
	GEL_ASSERT( data->settings->attachmentCount == 0 || data->settings->attachments != NULL );
	const gelBakeSettings* settings = data->settings;
	const uint32_t count = (uint32_t)settings->attachmentCount;
	if ( count > GEL_PACK_MAX_ATTACHMENTS )
	{
		gelFindings_Add( findings, gel_findingFormatLimit, settings->artFile,
			"there are %u attachment points; a pack holds at most %u", count, GEL_PACK_MAX_ATTACHMENTS );
		return false;
	}
	if ( count == 0 ) return true;
	gelPackAttachment* items = gelBakePool_Alloc( &data->pool, count, sizeof( gelPackAttachment ) );
	float* points = gelBakePool_Alloc( &data->pool, 3 * (size_t)count, sizeof( float ) );
	uint32_t* tets = gelBakePool_Alloc( &data->pool, count, sizeof( uint32_t ) );
	float* weights = gelBakePool_Alloc( &data->pool, 4 * (size_t)count, sizeof( float ) );
	for ( uint32_t i = 0; i < count; ++i )
		items[i] = MakeAttachment( settings->attachments + i );
	// By name, so that the pack does not depend on where the points were written, and games can search by
	// halves.
	qsort( items, count, sizeof( gelPackAttachment ), CompareNames );
	for ( uint32_t i = 0; i < count; ++i )
		memcpy( points + 3 * (size_t)i, items[i].position, sizeof( items[i].position ) );
	gelPlacePoints( points, count, &data->cage, settings->threads, tets, weights );
	for ( uint32_t i = 0; i < count; ++i )
	{
		items[i].tet = tets[i];
		memcpy( items[i].weight, weights + 4 * (size_t)i, sizeof( items[i].weight ) );
		if ( tets[i] != GEL_NO_INDEX ) continue;
		PlaceOutside( &data->cage, items + i );
		WarnOutside( data, items + i, findings );
	}
	data->attachments = ( gelBakeAttachments ){ items, count };
	return true;
}

void gelReportAttachments( const gelBakeData* data, gelReport* report )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < data->attachments.count; ++i )
		json_array_append_new(
			array, gelMakeAttachmentJson( data->attachments.items + i, data->cage.nodes, data->cage.tets ) );
	gelReport_SetJson( report, "attachments", array );
}
