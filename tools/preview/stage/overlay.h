// SPDX-License-Identifier: MIT
// What can be drawn of the insides of a body: its cage, the patches of its collision geometry, a level of the
// trees over them, boxes of the coarse tree.
#pragma once

#include "common/program/findings.h"
#include "preview/render/renderer.h"
#include "preview/stage/overlay_heat.h"
#include "preview/stage/overlay_particles.h"

typedef enum gelOverlayKind
{
	gel_overlayNone,
	gel_overlayCage,        // edges of the cage
	gel_overlayPatches,     // collision geometry, a color for each patch
	gel_overlayTree,        // collision geometry, a color for each tree node of a level
	gel_overlayBoxes,       // boxes of the coarse tree, of a level or the leaves
	gel_overlayStrain,      // art colored by strain
	gel_overlayStress,      // art colored by stress
	gel_overlayInverted,    // edges of tets that are turned inside out
	gel_overlayContacts,    // contacts with their normals; belongs to the whole scene (scene_marks.h)
	gel_overlayCurves,      // curves in which surfaces cross; likewise
	gel_overlayParticles,   // oriented particles and what holds them
	gel_overlayAttachments, // axes of attachment points (scene_marks.h)
	gel_overlayKinds
} gelOverlayKind;

typedef struct gelOverlaySettings
{
	gelOverlayKind kind;
	int level; // -1: leaves
} gelOverlaySettings;

/// From "none", "cage", "patches", "tree:LEVEL", "boxes", "boxes:LEVEL", "strain", "stress", "inverted",
/// "contacts", "curves", "particles" or "attachments". False: it is none of them.
bool gelParseOverlay( const char* text, gelOverlaySettings* out );

/// Names of the kinds, in their order.
const char** gelOverlayNames( void );

/// Whether the overlay is drawn in place of the art of a body.
bool gelOverlay_ReplacesArt( const gelOverlaySettings* settings, gelBodyId body );

/// The overlay of one body.
typedef struct gelOverlay
{
	gelOverlaySettings settings;
	int firstMesh, meshCount; // surfaces or lines of the renderer, one behind another
	int vertexCount;          // vertices of each of them
	int triangleCount;
	uint32_t* triangles; // corners of the collision geometry
	uint32_t* welds;     // per vertex of the collision geometry: the lowest vertex at the same position
	gelVec3 *positions, *normals;
	gelAabb* boxes;
	int boxCount;
	gelHeat heat;
	gelParticleView particles;
} gelOverlay;

/// Adds what will be drawn to the renderer.
/// @param color of the body
/// False: a finding was added and nothing is left.
bool gelCreateOverlay( gelOverlay* overlay, const gelOverlaySettings* settings, gelBodyId body,
	gelColor color, gelRenderer* renderer, gelFindings* findings );
void gelDestroyOverlay( gelOverlay* overlay );

/// Takes over the shape that the body has now.
/// @param surface of the body's art in the renderer, for colors; -1: none
void gelOverlay_Update( gelOverlay* overlay, gelBodyId body, int surface, gelRenderer* renderer );
