// SPDX-License-Identifier: MIT
// A body as a rigid one.
#pragma once

#include "solvers/solver.h"

/// Center of mass [m] and inverse inertia [1/(kg m^2)] of the nodes at x [m, relative to the origin of the
/// body].
gelContactResponse gelMakeRigidResponse( const gelBody* body, const gelVec3* x );
