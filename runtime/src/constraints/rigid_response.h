// SPDX-License-Identifier: MIT
// A body as a rigid one: center of mass and inverse inertia of its nodes.
#pragma once

#include "solvers/solver.h"

/// Response of a body at x [m, relative to its origin]. A body that something holds cannot turn.
gelContactResponse gelMakeContactResponse( const gelBody* body, const gelVec3* x );
