// SPDX-License-Identifier: MIT
// Bodies of several materials: regions in space, of the art or of the cage, each with a material. The result
// is one material per tet, gelBakeSettings.tetMaterials, which other sources (recipes, painted attributes)
// may fill as well, or change afterwards.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"

typedef enum gelRegionKind
{
	gel_regionBox,
	gel_regionSphere,
	gel_regionTets,        // indices in the cage as it was given
	gel_regionCage,        // a physical group of Gmsh, a region attribute of TetGen
	gel_regionArtMaterial, // what is nearer to the triangles of an art material (usemtl of OBJ) than to
						   // others
	gel_regionArtGroup,    // the same for a group or object of OBJ, a node of glTF
} gelRegionKind;

typedef struct gelMaterialRegion
{
	gelRegionKind kind;
	gelBakeMaterial material;
	double low[3], high[3];     // box [m]
	double center[3], radius;   // sphere [m]
	uint32_t tetFirst, tetLast; // the last one included
	uint32_t cageRegion;
	const char* artName; // name of the art material or group
	// Width [m] of the transition: half of it inside, half outside. Young's modulus changes in equal ratios,
	// the rest in equal steps. 0: sharp. No meaning for tets and regions of the cage.
	double blend;
	const char* place; // in the file that it is from, for messages; NULL: none
} gelMaterialRegion;

typedef struct gelMaterialRegions
{
	gelMaterialRegion* items;
	int count;
	// What regions of tets and of the cage are numbers of, if that is another cage than the one that
	// materials are placed in, of the same body: a level of detail. NULL: it is the same.
	const gelCage* source;
} gelMaterialRegions;

/// One material per tet: base, then region by region what it says about the centroid of the tet; later ones
/// win. A region without a tet is a warning; an art name that is not there, or tets that are not, an error.
/// @param file that the regions are from, for messages; NULL: none
/// @return [cage->tetCount] in the pool; NULL: findings were added
gelBakeMaterial* gelPlaceMaterials( const gelMaterialRegions* regions, const gelBakeMaterial* base,
	const gelMesh* mesh, const gelCage* cage, const char* file, gelBakePool* pool, gelFindings* findings );
