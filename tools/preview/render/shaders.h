// SPDX-License-Identifier: MIT
// GLSL sources. Each is the body of one stage; gelBuildGlProgram puts the version and the shared parts
// (frame block; for fragments also sky, sampling, output) in front of it. The frame block is gelFrameBlock
// below, std140.
#pragma once

#include "preview/render/preview_math.h"

#include <stdbool.h>

/// What all programs know about a picture. Only vec4 and mat4, so that std140 and C agree.
typedef struct gelFrameBlock
{
	gelMat4 viewProjection;
	gelMat4 lightProjection;  // world to clip space of the shadow map
	gelMat4 heightProjection; // world to clip space of the map of heights above the ground
	gelMat4 topProjection;    // world to clip space of the map seen from above
	float eye[4];             // [m]
	float toLight[4];         // unit vector to the key light; w: diameter of the shadow map's sphere [m]
	float stage[4];           // center of the scene on the ground [m]; w: radius of what is shown [m]
	float patch[4];   // x and z of the middle of the ground patch, half its side [m], ground height [m]
	float look[3][4]; // ray through the picture's point (a, b): look[0] + a look[1] + b look[2]
	float lamp[2][4]; // unit vectors across toLight: to the side, and up
} gelFrameBlock;

/// Texture units.
enum
{
	gel_unitShadowDepth = 0,   // depth from the light, plain
	gel_unitShadowTint = 1,    // color of the body nearest to the light
	gel_unitHeight = 2,        // depth from below the ground
	gel_unitGroundPicture = 3, // the ground patch as it is seen
	gel_unitGroundOpen = 4,    // part of the sky that the ground patch sees
	gel_unitShadowCompare = 5, // depth from the light again, with comparison
	gel_unitTop = 6,           // depth from straight above
	gel_unitBaseColor = 7      // texture of the art
};

/// Strips that sky and far ground are drawn as.
#define GEL_SKY_COLUMNS   4
#define GEL_SKY_ROWS      8
#define GEL_GROUND_RINGS  14
#define GEL_GROUND_SPOKES 32

/// Counts of samples, to be put in front of the programs.
extern const char* const gelShaderPictureSettings;
extern const char* const gelShaderLiveSettings;
extern const char* const
	gelShaderDenseSettings; // for a window: surfaces whose vertices are as close as pixels

extern const char* const gelShaderClipSettings; // to be added: surfaces with alpha

extern const char* const gelShaderDepthVertex;           // surfaces into the shadow and height maps
extern const char* const gelShaderTintFragment;          //
extern const char* const gelShaderPatchVertex;           // a triangle that covers the target
extern const char* const gelShaderGroundOpenFragment;    // ambient occlusion
extern const char* const gelShaderGroundPictureFragment; // with soft shadow and ambient occlusion
extern const char* const gelShaderSkyVertex;
extern const char* const gelShaderFarGroundVertex;
extern const char* const gelShaderSmoothFragment; // sky and far ground
extern const char* const gelShaderGroundVertex;
extern const char* const gelShaderGroundFragment;
extern const char* const gelShaderSurfaceVertex;
extern const char* const gelShaderSurfaceFragment;
extern const char* const gelShaderLineVertex;
extern const char* const gelShaderLineFragment;

/// Compiles and links. 0 on failure; then error holds the first line of the driver's log. The frame block
/// is at binding 0 and the samplers are at their units.
unsigned gelBuildGlProgram(
	const char* settings, const char* vertex, const char* fragment, char* error, int errorCapacity );
