// SPDX-License-Identifier: MIT
// Bodies with gel_solverWarpCancelling. Included by gelpack.h. A guide is docs/warp.md.
#pragma once

#include "base.h"
#include "types.h"

/// What the last step did to the factor of a body; zeros for a body with another solver.
GEL_API gelWarpStats gelBody_GetWarpStats( gelBodyId bodyId );
