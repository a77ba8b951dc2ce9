// SPDX-License-Identifier: MIT
// What is inside of a world, as lines, points and triangles for whoever draws. Included by gelpack.h.
//
//     gelDebugDraw draw = gelDefaultDebugDraw();
//     draw.drawSegment = DrawLine;                           // of the game's renderer
//     draw.enableCage = true;
//     draw.context = &renderer;
//     gelWorld_Draw( world, &draw );                         // between steps, when somebody looks
//
// Nothing is kept for it: a world that is not drawn pays nothing.
#pragma once

#include "base.h"
#include "types.h"

/// Who draws, and what. Start from gelDefaultDebugDraw(). Colors are 0xRRGGBB (sRGB), places are in world
/// space [m]. A callback that is NULL is left out; all are called on the thread that calls gelWorld_Draw.
typedef struct gelDebugDraw
{
	/// Draws a line.
	void ( *drawSegment )( gelVec3 from, gelVec3 to, uint32_t color, void* context );
	/// Draws a point, as large as can be seen.
	void ( *drawPoint )( gelVec3 position, uint32_t color, void* context );
	/// Draws a piece of a surface, counter-clockwise from outside.
	void ( *drawTriangle )( const gelVec3 corners[3], uint32_t color, void* context );
	/// Draws the three axes of a place.
	void ( *drawTransform )( gelTransform transform, void* context );
	/// Draws an ellipsoid. @param radius half of its axes, in its own space [m]
	void ( *drawEllipsoid )( gelTransform transform, gelVec3 radius, uint32_t color, void* context );
	/// Chooses a color for what belongs to a body. Default NULL: by its slot.
	uint32_t ( *getBodyColor )( gelBodyId bodyId, void* context );
	/// Handed to all callbacks.
	void* context;

	bool enableCage;        ///< edges of cages, each once
	bool enableNodes;       ///< nodes of cages as points; pinned ones have a color of their own
	bool enableInverted;    ///< edges of tets that are turned inside out
	bool enableBounds;      ///< boxes of gelBody_GetBounds; sleeping bodies have grey ones
	bool enableTransforms;  ///< gelBody_GetTransform of all bodies
	bool enableAttachments; ///< attachment points
	bool enableConstraints; ///< points that are held, lines to their targets, frames
	bool enableParticles; ///< oriented particles as ellipsoids, and lines between those that hold each other
	bool enablePatches;   ///< collision geometry, a color for each node of the trees over its patches
	bool enableBoxes;     ///< boxes of the trees over the cells of the collision geometry
	bool enableColliders; ///< shapes of colliders
	bool enableContacts;  ///< contacts of the last step as points, and their normals as lines
	bool enableCurves; ///< curves in which surfaces of two bodies cross now; looks for contacts to find them

	/// Level of the trees over patches, 0 .. 30. Default 0: whole patches.
	int patchLevel;
	/// Level of the trees over cells; leaves above it are drawn, too. Default -1: the leaves.
	int boxLevel;
	/// Length of the normals of contacts [m]. Default 0.1.
	float normalLength;
	/// Filled by gelDefaultDebugDraw(): a struct that did not start there is refused.
	uint32_t cookie;
} gelDebugDraw;

/// Start of every gelDebugDraw: no callbacks, and nothing is enabled.
GEL_API gelDebugDraw gelDefaultDebugDraw( void );

/// Calls the callbacks for all that is enabled, body by body in the order of their ids. The order of calls
/// for one body is the same as long as it has the same level. Callbacks may ask the world but not change it.
/// Allocates nothing. gel_errorArgument: no world, or a level or length that is none; gel_errorLocked.
GEL_API gelResult gelWorld_Draw( gelWorldId worldId, const gelDebugDraw* draw );
