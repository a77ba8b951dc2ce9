// SPDX-License-Identifier: MIT
// Closed surfaces for tests, cut from formulas, and ways to damage them.
#pragma once

#include "common/mesh/mesh.h"
#include "test_support.h"

/// Negative inside, positive outside.
typedef double gelTestField( double x, double y, double z, const void* context );

gelMesh gelMakeTestSphere( double radius, int n );
/// A sphere with a hollow in it, radius inner.
gelMesh gelMakeTestHollow( double outer, double inner, int n );
gelMesh gelMakeTestTorus( double radius, double tube, int n );
/// A handle with two prongs close to each other.
gelMesh gelMakeTestFork( int n );
/// A box, 12 triangles.
gelMesh gelMakeTestBoxSurface( const double low[3], const double high[3] );
/// A ball with random spikes, count triangles fans of it pulled out.
gelMesh gelMakeTestUrchin( uint64_t seed, int n );

/// Many small boxes, apart or not, as a modeller leaves debris lying about.
gelMesh gelMakeTestDebris( uint64_t seed, int count );

/// All triangles of both.
gelMesh gelJoinMeshes( const gelMesh* a, const gelMesh* b );
/// Keeps the triangles for which keep says so.
void gelFilterTriangles( gelMesh* mesh, const uint8_t* keep );
void gelFlipTriangle( gelMesh* mesh, uint32_t triangle );
/// Recomputes welds, normals and bounds.
void gelFinishMesh( gelMesh* mesh );
