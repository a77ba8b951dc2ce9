// SPDX-License-Identifier: MIT
// Embedded points of a body of particles as handles: an impulse j at a point p = sum s_j x_j + sum R_j a_j
// acts on particle j by s_j j, and by the torque (R_j a_j) x j. Its effective mass is that of these answers
// together, with the mean inertia of each particle.
#pragma once

#include "state/body.h"
#include "gelpack/query.h"

/// 1 / m_p [1/kg].
float gelParticles_GetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point );

/// Force for the next step [N].
void gelParticles_AddPointForce( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force );

/// Velocities change at once [N s]. @return false, and nothing has changed: one would leave +-1e9
bool gelParticles_AddPointImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );

/// Positions and rotations change as velocities do by an impulse in one second [kg m].
bool gelParticles_MovePoint( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );

/// [m/s]
gelVec3 gelParticles_GetPointVelocity( const gelBody* body, const gelEmbeddedPoint* point );
