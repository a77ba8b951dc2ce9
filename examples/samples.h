// SPDX-License-Identifier: MIT
// Sample art: detailed closed meshes made from formulas, so that tests, demo and benchmarks need no
// files. Metres, Y up, standing on y = 0, looking along +Z. The same arguments give the same bytes.
#pragma once

#include "common/mesh/mesh.h"

#include <stdbool.h>
#include <stdint.h>

#define GEL_SAMPLE_MIN_TRIANGLES 1000u
#define GEL_SAMPLE_MAX_TRIANGLES 2000000u

/// Names of all samples, in a fixed order.
const char* const* gelSampleNames( int* outCount );

/// One line about a sample for listings, or NULL for an unknown name.
const char* gelSampleSummary( const char* name );

/// Makes a closed, outward oriented 2-manifold of one component, with normals, UVs (one seam, where
/// render vertices are split), groups and materials. Self-intersections are checked for; after five
/// lattices that all gave some (not seen in tests) the last surface is taken as it is.
/// @param targetTriangles is clamped to the limits above; the result has this count rounded down to even,
///        or up to 5 % more where the shape cannot be simplified further
/// @param seed of the small surface detail; the shape itself does not depend on it
/// @return false: no such name, or out of memory; outMesh is empty then
bool gelMakeSample( const char* name, uint32_t targetTriangles, uint32_t seed, gelMesh* outMesh );
