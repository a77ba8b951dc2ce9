// SPDX-License-Identifier: MIT
// Entries of the table of a solver (solver.h) that moves the nodes of the cage: what all of these have in
// common, because state is positions and velocities of nodes and rotations of elements.
#pragma once

#include "solvers/solver.h"

// ---- state -----------------------------------------------------------------------------------------------

void gelNodeBody_Place( gelBody* body, gelQuat rotation );
void gelNodeBody_SetVelocity( gelBody* body, gelVec3 linear, gelVec3 angular );
void gelNodeBody_Turn( gelBody* body, gelQuat rotation );
bool gelNodeBody_IsStill( const gelBody* body, bool isTouched, bool isHit );
void gelNodeBody_Stop( gelBody* body );

/// The span of permanent strains, if the body has any. @return 0 or 1
int gelNodeBody_ListPlastic( const gelBody* body, gelStateSpan* out );

/// Finds all element rotations anew from the positions.
void gelNodeBody_ResetRotations( gelBody* body );

/// Whether all positions and rotations are numbers that a step can go on with.
bool gelNodeBody_IsUsable( const gelBody* body );

/// Where the rest shape fits a body best.
gelTransform gelNodeBody_FindTransform( const gelBody* body );

/// Rest shape where the body is, at rest. Elements and factors are the caller's to forget.
void gelNodeBody_TakeRestShape( gelBody* body );

/// After a step that gave NaN or infinity (a pack that no tool of ours wrote, or forces near the end of float
/// can do that): the body goes back to where it was, at rest, and the game goes on. If it was at rest
/// already, it gets its rest shape.
void gelNodeBody_PutBack( gelBody* body );

/// For solvers that have no use for a baked factor of their own: finds the one for a step of h seconds, if
/// there is any, so that contact can answer by its inverse (point_answers.h).
void gelNodeBody_FindCompliance( gelBody* body, float h );

// ---- embedded points ------------------------------------------------------------------------------------

float gelNodeBody_GetNodeMass( const gelBody* body, uint32_t node );
float gelNodeBody_GetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point );
void gelNodeBody_AddPointForce( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force );
bool gelNodeBody_AddPointImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );
bool gelNodeBody_MovePoint( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );
gelVec3 gelNodeBody_GetPointVelocity( const gelBody* body, const gelEmbeddedPoint* point );
gelVec3 gelNodeBody_GetNodeVelocity( const gelBody* body, uint32_t node );

// ---- figures --------------------------------------------------------------------------------------------

gelBodyDynamics gelNodeBody_GetDynamics( const gelBody* body );

/// The entries of a solver's table that are the same for all of them.
#define GEL_NODE_BODY_ENTRIES                                                                                \
	.movesNodes = true, .contactForm = gel_contactSurface, .place = gelNodeBody_Place,                       \
	.setVelocity = gelNodeBody_SetVelocity, .isStill = gelNodeBody_IsStill, .stop = gelNodeBody_Stop,        \
	.getInvPointMass = gelNodeBody_GetInvPointMass, .addPointForce = gelNodeBody_AddPointForce,              \
	.addPointImpulse = gelNodeBody_AddPointImpulse, .movePoint = gelNodeBody_MovePoint,                      \
	.getPointVelocity = gelNodeBody_GetPointVelocity, .getNodeVelocity = gelNodeBody_GetNodeVelocity,        \
	.getDynamics = gelNodeBody_GetDynamics
