// SPDX-License-Identifier: MIT
// The passes over the cage and what hangs on it, in the order in which gelBake runs them.
#pragma once

#include "bake/body/bake_data.h"

// ---- cage_check.c: is it a cage at all --------------------------------------------------------------------

/// Checks indices, numbers and faces of a cage from anywhere and rounds the nodes to float.
bool gelCheckCage(
	const gelCage* cage, const char* file, gelBakePool* pool, gelFindings* findings, gelBakeCage* out );

// ---- layout.c: nodes and tets in an order that a step reads fast ------------------------------------------

/// Renumbers nodes and tets, unless the order of the cage is as good. Later passes know no other numbering;
/// only messages speak of the one that was given.
void gelOrderCage( gelBakeCage* cage, gelBakePool* pool );

/// Pins of the cage as it was given, in range -> pins of the ordered cage, ascending.
gelBakePinSet gelOrderPins( const gelBakeCage* cage, const gelBakePinSet* pins, gelBakePool* pool );

/// For messages: the number that a tet or node has in the cage as it was given.
uint32_t gelGetSourceTet( const gelBakeCage* cage, uint32_t tet );
uint32_t gelGetSourceNode( const gelBakeCage* cage, uint32_t node );

gelBakeGather gelBuildGather( const gelBakeCage* cage, gelBakePool* pool );

// ---- materials.c ------------------------------------------------------------------------------------------

/// Checks ranges and computes the Lame parameters.
bool gelBuildMaterial( const gelBakeMaterial* material, gelFindings* findings, gelPackMaterial* out );

/// Tets of equal materials, names included, share an entry. False: a value is out of range, or there are too
/// many.
bool gelBuildMaterials( const gelBakeSettings* settings, const gelBakeCage* cage, gelBakePool* pool,
	gelFindings* findings, gelBakeMaterials* out );

// ---- rest_shape.c: inverse rest matrices and volumes ------------------------------------------------------

/// @param tetMaterials numbers of materials to put into the shapes; NULL: all 0
bool gelBuildRestShapes( const gelBakeCage* cage, const uint32_t* tetMaterials, gelBakePool* pool,
	gelFindings* findings, gelBakeRest* out );

/// Lumped masses: a quarter of the mass of each tet to each of its nodes.
/// @param materials that the rest shapes refer to
bool gelBuildMasses( const gelBakeCage* cage, const gelBakeGather* gather, const gelBakeRest* rest,
	const gelPackMaterial* materials, gelBakePool* pool, gelFindings* findings, gelPackMass** outMasses );

// ---- color.c: tets that can be solved at the same time ----------------------------------------------------

bool gelColorTets( const gelBakeCage* cage, gelBakePool* pool, gelFindings* findings, gelBakeColoring* out );

// ---- batches.c: the order of the volume sweep -------------------------------------------------------------

/// Batches of eight tets without common nodes, neighbors in space close together in the order.
gelBakeBatches gelBuildBatches( const gelBakeCage* cage, gelBakePool* pool );

// ---- embed.c: art vertices in cage tets -------------------------------------------------------------------

/// @param file that the mesh came from, for messages; NULL: none
bool gelEmbedVertices( const gelMesh* mesh, const char* file, const gelBakeCage* cage, int threads,
	gelBakePool* pool, gelFindings* findings, gelBakeEmbedding* out );

/// The same for points: the tet that holds each, or GEL_NO_INDEX, and its four weights.
/// @param points 3 each [m]
void gelPlacePoints( const float* points, uint32_t count, const gelBakeCage* cage, int threads,
	uint32_t* outTets, float* outWeights );

/// Weights of a tet into [0, 1] with sum 1. @return how far that moves the point from p [m]
double gelClampWeights( const gelPackNode* nodes, const gelPackTet* tet, gelVec3d p, double w[4] );

// ---- attachment_bake.c: points that have names ------------------------------------------------------------

/// Attachment points of the settings in the cage; a warning for each that is outside. @return false: too many
bool gelBuildAttachments( gelBakeData* data, gelFindings* findings );
void gelReportAttachments( const gelBakeData* data, gelReport* report );

// ---- level_map.c: levels of detail ------------------------------------------------------------------------

/// Maps between the levels of the settings; their sections and figures; nothing without levels.
bool gelBuildLevels( gelBakeData* data, gelFindings* findings );
void gelAddLevelSections( gelPackWriter* writer, const gelBakeData* data );
void gelReportLevels( const gelBakeSettings* settings, gelReport* report );
