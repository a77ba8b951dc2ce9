// SPDX-License-Identifier: MIT
// The factor of the rest shape that comes with a pack.
#pragma once

#include "state/body.h"

/// Copies it if it fits: baked for this step length, no turn has changed yet, no damping but that of the
/// materials. @return false: it has to be made
bool gelWarp_TakeRestFactor( gelBody* body, float h );
