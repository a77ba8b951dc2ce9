// SPDX-License-Identifier: MIT
// Joins a scene with a renderer: gives every body a surface and an overlay, and draws a shape.
#pragma once

#include "preview/render/art_look.h"
#include "preview/stage/overlay.h"
#include "preview/stage/overlay_heat.h"
#include "preview/stage/scene_marks.h"

typedef struct gelStageView
{
	gelRenderer* renderer; // borrowed
	gelScene* scene;       // borrowed
	int* surfaces;         // per body: the first in the renderer; -1: its overlay takes the place of the art
	int* surfaceCounts;    // per body: one, or one for each material of its art
	const gelArtLook* looks; // per pack, borrowed; NULL: none
	int* colliderSurfaces;   // per collider, in the renderer
	gelColliderMesh* colliderMeshes;
	int colliderCount;
	gelOverlay overlay;
	gelHeat* heats; // per body, with the overlays of strain and stress
	int heatCount;
	gelOverlayKind kind; // which overlay is drawn
	gelMarks marks;      // contacts or handles, with the overlays that have some
	gelMarks pointer;    // pins and what is grabbed
	float markSize;      // [m]
	gelVec3* positions;  // scratch for the largest body [m]
	gelVec3* normals;
	int vertexCapacity;
} gelStageView;

#define GEL_NO_PARTICLES_TEXT                                                                                \
	"no body is simulated as particles; bake with --particles and choose --solver particles"

/// Whether there is something to show: particles of those bodies that have them, and nobody may have some.
bool gelCanShowOverlay( const gelScene* scene, gelOverlayKind kind );

/// Clears the renderer and puts the scene into it.
/// @param looks of the packs, or NULL; must live as long
/// False: a finding was added and nothing is left.
bool gelCreateStageView( gelStageView* view, gelRenderer* renderer, gelScene* scene,
	const gelOverlaySettings* overlay, const gelArtLook* looks, gelFindings* findings );
/// Frees the view; what it put into the renderer stays there until that is cleared.
void gelDestroyStageView( gelStageView* view );

/// Takes the shapes that the bodies have now over into the renderer, and colliders where they are at a time
/// [s].
void gelStageView_Update( gelStageView* view, double time );

/// Shows contacts, with the overlay of that name.
void gelStageView_ShowContacts( gelStageView* view, const gelContactMark* contacts, int count );

/// What the colors of the strain or stress overlay stand for, such as "stress 0 .. 12.5 kPa"; of several
/// bodies that are not alike the stiffest one's, as "up to". Empty with other overlays.
void gelStageView_DescribeHeat( const gelStageView* view, char* out, int outCapacity );

/// Color of body number i where its pack comes without art.
gelColor gelBodyColor( int body );

/// Color of a material of its art, GEL_NO_INDEX: of none. White without a picture or colors of vertices says
/// nothing, so the body keeps its own color.
gelColor gelMaterialColor( const gelArtLook* look, uint32_t material, int body );

/// A renderer, or NULL and a finding.
gelRenderer* gelMakeRenderer( gelRenderQuality quality, gelFindings* findings );
