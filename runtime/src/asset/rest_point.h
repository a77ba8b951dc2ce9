// SPDX-License-Identifier: MIT
// Points of the art in the cage at rest.
#pragma once

#include "asset/asset.h"
#include "gelpack/query.h"
#include "gelpack/math_double.h"

/// The tet of the rest cage that a point is in, or least outside of, as its smallest weight says; weights of
/// a point outside are brought inside.
gelEmbeddedPoint gelFindRestPoint( const gelAsset* asset, gelVec3d p );
