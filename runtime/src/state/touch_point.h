// SPDX-License-Identifier: MIT
// Where the surface of a body touches what is not a body: the ground, planes, spheres, capsules, boxes. One
// point stands for a node of the cage: of all vertices around the node the one that is deepest, weighted by
// how much the node moves it.
#pragma once

#include "math/gel_math.h"

typedef struct gelTouchPoint
{
	uint32_t node[4]; // nodes of its cell
	float w[4];
	gelVec3 normal; // unit, out of what is touched
	gelVec3 move;   // how what is touched moves there over the step [m]
	float gap;      // between them along the normal at the start of the step [m]; < 0: inside
	float depth;    // at the candidate positions [m]; < 0: apart
	uint32_t owner; // the node that it stands for
	uint32_t slot;  // vertex; UINT32_MAX: a point between vertices
	uint32_t cell;
	uint32_t collider1; // 1-based; 0: the ground
	float mu;           // Coulomb's coefficient; < 0: that of the materials
	float rate, change; // how fast the load follows (gelCachedContact)
	gelVec3 load;       // impulse that the step began with [kg m]
	bool isLoaded;      // it pushed in the step before
	gelVec3 impulse;    // outcome: on the body, in the whole step [kg m]
} gelTouchPoint;

/// Whether it pushed in the last step.
static inline bool gelTouchPoint_Pushes( const gelTouchPoint* point )
{
	return gelDot( point->normal, point->impulse ) > 0.0f;
}
