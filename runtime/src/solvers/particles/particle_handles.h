// SPDX-License-Identifier: MIT
// Pins, springs and direction handles of a body of particles. The point of a handle c is linear in positions
// and rotations,
//   p_c = sum_j s_j x_j + sum_j R_j a_j,
// over the particles j that carry the nodes of its tet; s_j sums their weights, a_j their rest offsets from
// the particle. A spring adds w/2 |p_c - t_c|^2 to the energy, which changes the matrix of the positions by
// w s s^T. The baked factor stays: with A from the bake, columns Y = A^-1 S^T and W = diag(h^2 w),
//   (1/W + S Y) lambda = t - p - S A^-1 r,   dx = A^-1 r + Y lambda                 (Woodbury)
// gives increment and forces. The same formula serves x, y and z. Rotations see a handle as
// ( lambda + W R_i a ) a^T in their matrix, with lambda = W (t - p) of the moment: that is C_p of Choi and
// Lee (2017), Eq. 13.
//
// A pin is a spring ten times as stiff as the stiffest particle. A stiffer one, or 1/W = 0, would freeze the
// rotations of its carriers, since the solve puts p on t before they can turn, and several pins on one
// particle would fight each other. What it gives way under its load is made up for by the load of the last
// sub-step, which moves its target (method of multipliers): at rest its point is where it should be.
#pragma once

#include "constraints/constraint_set.h"
#include "solvers/particles/particle_body.h"

#define GEL_MAX_CARRIERS 16 // four nodes with four particles each

/// Particles that carry a point or a direction.
typedef struct gelCarriers
{
	int count;
	uint32_t slot[GEL_MAX_CARRIERS];
	float share[GEL_MAX_CARRIERS]; // s_j
	gelVec3 arm[GEL_MAX_CARRIERS]; // a_j [m]; of a direction: s_j times the rest direction
} gelCarriers;

typedef struct gelHandle
{
	gelCarriers carriers;
	int slot;            // slot of the constraint in its set
	uint32_t generation; // generation of that slot
	bool isDirection;
	bool isPin;     // or so stiff that it is treated as one
	float weight;   // h^2 w [kg], of a direction [kg m^2]
	gelVec3 target; // end of the sub-step, relative to the body [m]; direction: unit vector
	gelVec3 load;   // multiplier of a pin in the last sub-step [kg m]
	gelVec3 drift;  // part of the way there that must not become velocity [m]
	gelVec3 lambda; // h^2 times the force on the body [kg m]
	gelVec3 sum;    // sum of lambda over the sub-steps
} gelHandle;

typedef struct gelHandleSet
{
	int capacity, count, pointCount; // points come before directions
	gelHandle* items;
	float* columns;   // capacity * rows: Y
	double* matrix;   // pointCount^2, factored
	double* work;     // pointCount
	float factorStep; // step length that the columns are for; 0: none
	uint8_t* touched; // per slot: carried by a handle
} gelHandleSet;

gelHandleSet* gelHandleSet_LayOut( gelArena* arena, const gelBodyDef* def );

/// Which particles carry an embedded point.
gelCarriers gelFindCarriers( const gelAsset* asset, const gelEmbeddedPoint* point );

/// Position of a point relative to the body, from poses.
gelVec3 gelGetCarried( const gelCarriers* carriers, const gelVec4* poses );

/// Lists the constraints of a body at the start of a step. @param h of a sub-step [s]
void gelHandleSet_Begin( gelBody* body, float h );

/// Targets of one sub-step, before the prediction moves the poses. @param subStep 0 .. subSteps - 1
void gelHandleSet_Aim( gelBody* body, float h, int subStep );

/// Turns the particles that handles carry; the sweep leaves them alone.
bool gelHandleSet_Sweep( gelBody* body, const gelParticlePass* pass );

/// Adds what handles do to an increment in y. @param isFirst takes drift out of what becomes velocity
void gelHandleSet_Solve( gelBody* body, const gelParticlePass* pass, bool isFirst );

/// Adds the forces of a sub-step up.
void gelHandleSet_Tally( gelBody* body );

/// Forces and targets of the constraints after the step. @param h of a sub-step [s]
void gelHandleSet_End( gelBody* body, float h );
