// SPDX-License-Identifier: MIT
// What can be seen of the insides of bodies, as gelWorld_Draw shows it: cages, patches of the collision
// geometry, a level of the trees over them, boxes of the coarse tree, particles.
#pragma once

#include "common/program/findings.h"
#include "preview/scene/scene.h"
#include "preview/stage/ellipsoid_view.h"
#include "preview/stage/marks.h"

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

/// Color of body number i where its pack comes without art, 0xRRGGBB.
uint32_t gelGetBodyHex( int body );

/// Whether a body is simulated as particles.
bool gelHasParticles( gelBodyId body );

/// Names of the kinds, in their order.
const char** gelOverlayNames( void );

/// Whether the overlay is drawn in place of the art of a body.
bool gelOverlay_ReplacesArt( const gelOverlaySettings* settings, gelBodyId body );

/// The overlay of a scene, all bodies together, but for heat (overlay_heat.h) and recorded marks.
typedef struct gelOverlay
{
	gelOverlaySettings settings;
	gelDrawList list;
	gelDebugDraw draw; // into the list
	gelMarks lines;
	int surface;     // triangles in the renderer; -1: none
	uint32_t* welds; // per corner of a triangle: the first one at the same place
	gelVec3* normals;
	gelEllipsoidView ellipsoids;
} gelOverlay;

/// Adds what will be drawn to the renderer.
/// @param markSize of axes [m]
/// False: a finding was added and nothing is left.
bool gelCreateOverlay( gelOverlay* overlay, const gelOverlaySettings* settings, const gelScene* scene,
	float markSize, gelRenderer* renderer, gelFindings* findings );
void gelDestroyOverlay( gelOverlay* overlay );

/// Takes over the shapes that the bodies have now.
void gelOverlay_Update( gelOverlay* overlay, gelWorldId world, gelRenderer* renderer );
