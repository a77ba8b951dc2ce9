// SPDX-License-Identifier: MIT
// A body as a rigid one: center of mass and inverse inertia of its nodes.
#pragma once

#include "solvers/solver.h"

/// Of positions x [m, relative to the body's origin]. A body that something holds cannot turn.
gelContactResponse gelMakeContactResponse( const gelBody* body, const gelVec3* x );
