// SPDX-License-Identifier: MIT
// Bodies that lie on something come to rest. An elastic body without damping would swing on for many seconds:
// with a few points to stand on it rocks on its own softness, and nothing takes that energy. So what lies
// loses it to what it lies on:
//     v_i  <-  u + ( v_i - u ) / ( 1 + h c s ),      s = max( 0, 1 - rms( v - u ) / v0 )
// where u is the velocity of what carries the island, the mean over its contacts with the ground, shapes and
// surfaces, weighted by their normal impulses. The momentum that a body loses goes to what carries it, as
// rolling resistance does. It is not taken from
//   - what slides: the law is off while the points of the island slip on the mean, however slowly,
//   - what begins to fall, roll or drape: while the kinetic energy of the body against its support grows, u
//     is the body's own rigid motion, so that it keeps its momenta and loses no more than what it trembles
//     by,
//   - what flies, or what nothing but free bodies carry: there is no u,
//   - what moves faster than v0 against its support: bounces, rolls and throws.
#pragma once

#include "contact/response/contact_solve.h"

typedef struct gelSupport
{
	gelVec3 velocity; // u [m/s]
	bool isFirm;      // something that is not a body carries the island, and its points stick
} gelSupport;

/// What carries an island. After its impulses are known, before its steps end.
gelSupport gelFindSupport( const gelIslandWork* work );

/// Slows the bodies of an island. After their velocities are known.
void gelCalmIsland( const gelIslandWork* work, const gelSupport* support );
