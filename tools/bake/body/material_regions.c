// SPDX-License-Identifier: MIT
// Distances to a region are signed, so that a transition of any width is one formula for all kinds of
// regions: weight = 1/2 - distance / blend, clamped, 1 deep inside. Regions of the art have no inside of
// their own; what is nearer to their triangles than to all others belongs to them, and half of the difference
// of the two distances is a distance from that border.
#include "bake/body/material_regions.h"

#include "tetrafy/surface/surface_tree.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

// Transitions have this many steps, so that they do not make a material of each tet. One of 300:1 in
// stiffness has steps of a fifth then, far finer than a cage can tell.
#define GEL_BLEND_STEPS 32.0

// Between two materials. @param weight 0: all a, 1: all b; the name is that of the larger part
static gelBakeMaterial MixMaterials( const gelBakeMaterial* a, const gelBakeMaterial* b, double weight )
{
	GEL_ASSERT( weight >= 0.0 && weight <= 1.0 );
	if ( weight <= 0.0 ) return *a;
	if ( weight >= 1.0 ) return *b;
	double rest = 1.0 - weight;
	return ( gelBakeMaterial ){
		.name = weight < 0.5 ? a->name : b->name,
		.density = rest * a->density + weight * b->density,
		// Equal ratios: half way between 1e4 and 1e6 Pa feels like 1e5, not like 5e5.
		.youngsModulus = exp( rest * log( a->youngsModulus ) + weight * log( b->youngsModulus ) ),
		.poissonsRatio = rest * a->poissonsRatio + weight * b->poissonsRatio,
		.damping = rest * a->damping + weight * b->damping,
		.staticFriction = rest * a->staticFriction + weight * b->staticFriction,
		.dynamicFriction = rest * a->dynamicFriction + weight * b->dynamicFriction,
	};
}

// ---- distances from the border of a region: negative inside [m] --------------------------------------

static double BoxDistance( const gelMaterialRegion* region, gelVec3d p )
{
	gelVec3d d =
		gelMaxVec3d( gelSubD( gelLoadVec3d( region->low ), p ), gelSubD( p, gelLoadVec3d( region->high ) ) );
	double inside = fmax( d.x, fmax( d.y, d.z ) );
	return inside > 0.0 ? gelLengthD( gelMaxVec3d( d, ( gelVec3d ){ 0.0, 0.0, 0.0 } ) ) : inside;
}

static double SphereDistance( const gelMaterialRegion* region, gelVec3d p )
{
	return gelLengthD( gelSubD( p, gelLoadVec3d( region->center ) ) ) - region->radius;
}

// Some triangles of the art.
typedef struct ArtPart
{
	gelSurface surface;
	gelSurfaceTree tree;
	bool isEmpty;
} ArtPart;

static bool IsInGroup( const gelMesh* mesh, const char* name, uint32_t triangle )
{
	for ( uint32_t g = 0; g < mesh->groupCount; ++g )
	{
		const gelMeshGroup* group = mesh->groups + g;
		if ( triangle >= group->firstTriangle && triangle - group->firstTriangle < group->triangleCount &&
			strcmp( group->name, name ) == 0 )
			return true;
	}
	return false;
}

static bool IsOfMaterial( const gelMesh* mesh, const char* name, uint32_t triangle )
{
	uint32_t material = mesh->triMaterial != NULL ? mesh->triMaterial[triangle] : GEL_NO_INDEX;
	return material < mesh->materialCount && strcmp( mesh->materials[material].name, name ) == 0;
}

static bool HasTriangle( const gelMaterialRegion* region, const gelMesh* mesh, uint32_t triangle )
{
	GEL_ASSERT( triangle < mesh->triangleCount );
	return region->kind == gel_regionArtGroup ? IsInGroup( mesh, region->artName, triangle )
											  : IsOfMaterial( mesh, region->artName, triangle );
}

// The triangles of a region, or all others.
static ArtPart MakePart( const gelMaterialRegion* region, const gelMesh* mesh, bool isInside )
{
	gelBakePool pool = { NULL };
	gelMesh part = *mesh; // borrows all but the triangles
	part.indices = gelBakePool_Alloc( &pool, 3 * (size_t)mesh->triangleCount, sizeof( uint32_t ) );
	part.triangleCount = 0;
	for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
	{
		if ( HasTriangle( region, mesh, i ) != isInside ) continue;
		memcpy( part.indices + 3 * (size_t)part.triangleCount++, mesh->indices + 3 * (size_t)i,
			3 * sizeof( uint32_t ) );
	}
	ArtPart out = { .isEmpty = part.triangleCount == 0 };
	if ( !out.isEmpty ) out.surface = gelMakeSurface( &part );
	gelFreeBakePool( &pool );
	return out;
}

static double PartDistance( const ArtPart* part, gelVec3d p )
{
	return part->isEmpty ? INFINITY : gelSurfaceTree_Distance( &part->tree, p );
}

static void FreePart( ArtPart* part )
{
	if ( part->isEmpty ) return;
	gelFreeSurfaceTree( &part->tree );
	gelFreeSurface( &part->surface );
}

// ---- placing -----------------------------------------------------------------------------------------

typedef struct Placing
{
	const gelMaterialRegion* region;
	ArtPart own, others;    // parts of the art that art regions name
	const gelCage* source;  // cage that numbers of tets and regions are of
	const uint32_t* inTets; // tet of the source for each tet of the cage; NULL: the same
} Placing;

static gelVec3d GetCentroid( const gelCage* cage, uint32_t tet )
{
	gelVec3d out = { 0.0, 0.0, 0.0 };
	for ( size_t k = 0; k < 4; ++k )
		out = gelMulAddD(
			out, 0.25, gelLoadVec3d( cage->positions + 3 * (size_t)cage->tets[4 * (size_t)tet + k] ) );
	return out;
}

// For each tet of a cage the one of another cage around the same body whose middle is nearest.
// Every tet against every other: levels are coarse, and only files that name tets by number ask for it.
static uint32_t* FindInSource( const gelCage* cage, const gelCage* source, gelBakePool* pool )
{
	GEL_ASSERT( source->tetCount > 0 );
	uint32_t* out = gelBakePool_Alloc( pool, cage->tetCount, sizeof( uint32_t ) );
	gelVec3d* middles = gelBakePool_Alloc( pool, source->tetCount, sizeof( gelVec3d ) );
	for ( uint32_t s = 0; s < source->tetCount; ++s )
		middles[s] = GetCentroid( source, s );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		gelVec3d p = GetCentroid( cage, t );
		double nearest = INFINITY;
		for ( uint32_t s = 0; s < source->tetCount; ++s )
		{
			gelVec3d d = gelSubD( middles[s], p );
			double distance2 = gelDotD( d, d );
			if ( distance2 >= nearest ) continue;
			nearest = distance2;
			out[t] = s;
		}
	}
	return out;
}

static double GetDistance( const Placing* placing, gelVec3d p )
{
	switch ( placing->region->kind )
	{
		case gel_regionBox:
			return BoxDistance( placing->region, p );
		case gel_regionSphere:
			return SphereDistance( placing->region, p );
		default: // the border is where both are equally far away
			return 0.5 * ( PartDistance( &placing->own, p ) - PartDistance( &placing->others, p ) );
	}
}

// How much of the region's material a tet has.
static double GetWeight( const Placing* placing, const gelCage* cage, uint32_t tet )
{
	const gelMaterialRegion* region = placing->region;
	const gelCage* source = placing->source;
	uint32_t number = placing->inTets != NULL ? placing->inTets[tet] : tet;
	if ( region->kind == gel_regionTets )
		return number >= region->tetFirst && number <= region->tetLast ? 1.0 : 0.0;
	if ( region->kind == gel_regionCage )
		return source->regions != NULL && source->regions[number] == region->cageRegion ? 1.0 : 0.0;
	double distance = GetDistance( placing, GetCentroid( cage, tet ) );
	if ( !( region->blend > 0.0 ) ) return distance <= 0.0 ? 1.0 : 0.0;
	double weight = fmin( fmax( 0.5 - distance / region->blend, 0.0 ), 1.0 );
	return round( GEL_BLEND_STEPS * weight ) / GEL_BLEND_STEPS;
}

// "line 3, column 5: " in front of a message.
static const char* PlaceOf( const gelMaterialRegion* region )
{
	return region->place != NULL ? region->place : "";
}

static const char* ColonOf( const gelMaterialRegion* region )
{
	return region->place != NULL ? ": " : "";
}

static bool BeginArt( Placing* placing, const gelMesh* mesh, const char* file, gelFindings* findings )
{
	const gelMaterialRegion* region = placing->region;
	bool isGroup = region->kind == gel_regionArtGroup;
	if ( !isGroup && region->kind != gel_regionArtMaterial ) return true;
	placing->own = MakePart( region, mesh, true );
	placing->others = MakePart( region, mesh, false );
	// a tree refers to its surface, which has found its place now
	if ( !placing->own.isEmpty ) placing->own.tree = gelMakeSurfaceTree( &placing->own.surface );
	if ( !placing->others.isEmpty ) placing->others.tree = gelMakeSurfaceTree( &placing->others.surface );
	if ( !placing->own.isEmpty ) return true;
	gelFindings_Add( findings, gel_findingMaterialFileWrong, file,
		"%s%sno triangle of the art is in the %s '%.60s'", PlaceOf( region ), ColonOf( region ),
		isGroup ? "group" : "material", region->artName );
	return false;
}

static bool CheckTets(
	const gelMaterialRegion* region, const gelCage* cage, const char* file, gelFindings* findings )
{
	if ( region->kind != gel_regionTets || region->tetLast < cage->tetCount ) return true;
	gelFindings_Add( findings, gel_findingMaterialFileWrong, file, "%s%sthere is no tet %u; the cage has %u",
		PlaceOf( region ), ColonOf( region ), region->tetLast, cage->tetCount );
	return false;
}

gelBakeMaterial* gelPlaceMaterials( const gelMaterialRegions* regions, const gelBakeMaterial* base,
	const gelMesh* mesh, const gelCage* cage, const char* file, gelBakePool* pool, gelFindings* findings )
{
	GEL_ASSERT( regions->count == 0 || regions->items != NULL );
	gelBakeMaterial* out = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelBakeMaterial ) );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
		out[t] = *base;
	bool ok = true;
	const gelCage* source = regions->source != NULL ? regions->source : cage;
	uint32_t* inTets = NULL;
	for ( int i = 0; i < regions->count && ok; ++i )
	{
		const gelMaterialRegion* region = regions->items + i;
		bool isNumbers = region->kind == gel_regionTets || region->kind == gel_regionCage;
		if ( isNumbers && source != cage && inTets == NULL ) inTets = FindInSource( cage, source, pool );
		Placing placing = {
			.region = region, .own.isEmpty = true, .others.isEmpty = true, .source = source, .inTets = inTets
		};
		ok = CheckTets( region, source, file, findings ) && BeginArt( &placing, mesh, file, findings );
		uint32_t count = 0;
		for ( uint32_t t = 0; t < cage->tetCount && ok; ++t )
		{
			double weight = GetWeight( &placing, cage, t );
			count += weight > 0.0;
			// Into what earlier regions made of the tet, not into the base: later regions lie over earlier
			// ones like paint.
			out[t] = MixMaterials( out + t, &region->material, weight );
		}
		FreePart( &placing.own );
		FreePart( &placing.others );
		if ( ok && count == 0 )
			gelFindings_Add( findings, gel_findingRegionEmpty, file,
				"%s%sno tet has its middle in region %d ('%.60s'); enlarge it, or use a finer cage",
				PlaceOf( region ), ColonOf( region ), i, region->material.name );
	}
	return ok ? out : NULL;
}
