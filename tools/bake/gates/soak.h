// SPDX-License-Identifier: MIT
// Trying out a baked body before it ships: it is dropped, squashed, stretched, twisted and spun with the
// runtime itself, and what happened to it is measured.
#pragma once

#include "common/program/program.h"

#include <gelpack/gelpack.h>

/// Part of its rest volume below which a tet counts as flat: the runtime lets no load press it below a tenth.
#define GEL_FLAT_TET 0.15f

/// The treatments, in this order.
typedef enum gelSoakScene
{
	gel_soakDrop,    // from its own height onto the ground, then left alone for two seconds
	gel_soakSquash,  // its ends are moved to 0.6 of their distance, held, let go
	gel_soakStretch, // to 1.5 of their distance
	gel_soakTwist,   // by half a turn against each other
	gel_soakSpin,    // two turns per second, without gravity, for two seconds
	GEL_SOAK_SCENES
} gelSoakScene;

extern const char* const gelSoakSceneNames[GEL_SOAK_SCENES];

/// What happened in a scene.
typedef struct gelSoakResult
{
	gelResult result;    // result of the runtime; the rest is not set if it is not success
	int putBacks;        // times that the body had to be put back because a step was not finite
	double worstStrain;  // largest principal strain of any tet at any time
	int worstInversions; // most tets turned inside out at a time
	int leftInversions;  // at the end
	double leftFlat;     // part of the tets that has less than GEL_FLAT_TET of its volume at the end
	double
		energyGrowth; // growth in a body that nothing moves, relative to when it was let go; 0: it never grew
	double penetration;  // at the end below the ground, relative to the size of the body
	int worstStep;       // when the worst strain was
	gelVec3* worstNodes; // [nodes] positions then [m]; free() it
} gelSoakResult;

/// Runs one scene at the shortest baked step length without pins.
gelSoakResult gelRunSoakScene( const gelAsset* asset, gelSoakScene scene );
