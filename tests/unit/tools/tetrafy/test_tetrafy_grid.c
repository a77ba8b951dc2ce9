// SPDX-License-Identifier: MIT
// The lattice and its five-tet split: conforming, filling, predictable.
#include "test_support.h"

#include "tetrafy/geometry/tet_shape.h"
#include "tetrafy/verify/cage_quality.h"
#include "tetrafy/mesher/mesher_grid.h"
#include "tetrafy/mesher/odt_fit.h"
#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/mesher/tet_mesh.h"
#include "tetrafy/geometry/tri_tri.h"

#include <math.h>
#include <stdlib.h>

static gelLattice MakeLattice( double x, double y, double z, double cell )
{
	gelBox3d box = { { -0.3, 0.1, 5.0 }, { -0.3 + x, 0.1 + y, 5.0 + z } };
	gelLattice lattice;
	assert_true( gelMakeLattice( &box, cell, 0, &lattice ) );
	return lattice;
}

// Every tet of the lattice as a mesh.
static gelTetMesh WholeMesh( const gelLattice* lattice )
{
	gelClassification all = { 0 };
	all.internal = gelLattice_TetCount( lattice );
	all.classes = malloc( all.internal );
	for ( uint32_t i = 0; i < all.internal; ++i )
		all.classes[i] = gel_tetInternal;
	gelTetMesh mesh = gelMakeTetMesh( lattice, &all );
	gelFreeClassification( &all );
	return mesh;
}

static const double sizes[][4] = { { 0.1, 0.1, 0.1, 1.0 }, { 2.0, 3.0, 1.0, 0.7 }, { 4.0, 0.2, 2.5, 0.51 },
	{ 1.0, 1.0, 1.0, 0.13 } };
#define SIZE_COUNT ( (int)( sizeof sizes / sizeof sizes[0] ) )

static void SplitConforms( void** state )
{
	(void)state;
	for ( int i = 0; i < SIZE_COUNT; ++i )
	{
		gelLattice lattice = MakeLattice( sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3] );
		gelTetMesh mesh = WholeMesh( &lattice );
		gelTetFacesInfo faces = gelFindTetFaces( mesh.tets, mesh.tetCount );
		uint32_t nx = lattice.count[0], ny = lattice.count[1], nz = lattice.count[2];
		assert_int_equal( faces.boundaryCount, 4 * ( nx * ny + ny * nz + nx * nz ) );
		assert_int_equal( faces.crowdedCount, 0 );
		assert_int_equal( faces.misorientedCount, 0 );
		// neighbors by formula and by search agree
		for ( uint32_t tet = 0; tet < mesh.tetCount; ++tet )
			for ( int face = 0; face < 4; ++face )
				assert_int_equal(
					gelLattice_Neighbor( &lattice, tet, face ), faces.neighbors[4 * tet + (uint32_t)face] );
		gelFreeTetFaces( &faces );
		gelFreeTetMesh( &mesh );
		gelFreeLattice( &lattice );
	}
}

static void SplitFillsTheBox( void** state )
{
	(void)state;
	for ( int i = 0; i < SIZE_COUNT; ++i )
	{
		gelLattice lattice = MakeLattice( sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3] );
		gelTetMesh mesh = WholeMesh( &lattice );
		double box = 1.0;
		for ( int axis = 0; axis < 3; ++axis )
			box *= lattice.coord[axis][lattice.count[axis]] - lattice.coord[axis][0];
		gelCageQuality quality = gelMeasureCage( &mesh );
		assert_true( fabs( quality.volume / box - 1.0 ) < 1e-12 );
		// lattice planes are rounded to floats, so angles are those of the split up to float precision
		assert_true( fabs( quality.minDihedral - 54.7356103 ) < 1e-2 );
		assert_true( fabs( quality.maxDihedral - 90.0 ) < 1e-2 );
		for ( uint32_t tet = 0; tet < mesh.tetCount; ++tet )
		{
			gelVec3d p[4];
			gelTetMesh_TetPoints( &mesh, tet, p );
			assert_int_equal( gelOrient3d( p[0], p[1], p[2], p[3] ), 1 );
		}
		gelFreeTetMesh( &mesh );
		gelFreeLattice( &lattice );
	}
}

static void LatticeIsRoundedAndInflated( void** state )
{
	(void)state;
	gelLattice lattice = MakeLattice( 1.0, 1.0, 1.0, 0.3 );
	assert_true( lattice.rounded );
	for ( int axis = 0; axis < 3; ++axis )
		for ( uint32_t i = 0; i <= lattice.count[axis]; ++i )
			assert_true( lattice.coord[axis][i] == (double)(float)lattice.coord[axis][i] );
	assert_true( lattice.coord[0][0] <= -0.3 - 0.149 && lattice.coord[0][lattice.count[0]] >= 0.7 + 0.149 );
	gelFreeLattice( &lattice );
	gelBox3d far = { { 5e5, 4.5e6, 119 }, { 5e5 + 2, 4.5e6 + 2, 121 } };
	assert_true( gelMakeLattice( &far, 0.3, 0, &lattice ) );
	assert_false( lattice.rounded );
	gelFreeLattice( &lattice );
}

static void TooManyCellsAreRefused( void** state )
{
	(void)state;
	gelBox3d box = { { 0, 0, 0 }, { 1, 1, 1 } };
	gelLattice lattice;
	assert_false( gelMakeLattice( &box, 1e-3, 0, &lattice ) );
	assert_false( gelMakeLattice( &box, 1e-200, 0, &lattice ) );
	gelBox3d needle = { { 1e7, 0, 0 }, { 1e7 + 1, 1e-6, 1e-6 } };
	assert_false( gelMakeLattice( &needle, 1e-13, 0, &lattice ) );
}

// All five tets of a cell share the circumsphere of the cell, so the ODT target of a node is the
// volume-weighted mean of the centers of its cells: for an inner node of a regular lattice, itself.
static void OdtTargetOfLatticeNodes( void** state )
{
	(void)state;
	gelLattice lattice = MakeLattice( 1.0, 1.0, 1.0, 0.5 );
	gelTetMesh mesh = WholeMesh( &lattice );
	uint32_t* corners = malloc( 4 * (size_t)mesh.tetCount * sizeof( uint32_t ) );
	for ( uint32_t node = 0; node < mesh.nodeCount; ++node )
	{
		uint32_t count = 0;
		gelVec3d expected = { 0 };
		double volume = 0.0;
		for ( uint32_t i = 0; i < 4 * mesh.tetCount; ++i )
		{
			if ( mesh.tets[i] != node ) continue;
			corners[count++] = i;
			gelVec3d p[4];
			gelTetMesh_TetPoints( &mesh, i / 4, p );
			uint32_t cell = i / 20, nx = lattice.count[0], ny = lattice.count[1];
			uint32_t at[3] = { cell % nx, cell / nx % ny, cell / nx / ny };
			double center[3];
			for ( int axis = 0; axis < 3; ++axis )
				center[axis] = 0.5 * ( lattice.coord[axis][at[axis]] + lattice.coord[axis][at[axis] + 1] );
			double v = gelTetVolume( p );
			expected = gelMulAddD( expected, v, gelLoadVec3d( center ) );
			volume += v;
		}
		gelVec3d target = gelAddD( mesh.points[node], gelOdtDisplacement( &mesh, corners, count ) );
		gelVec3d miss = gelSubD( target, gelScaleD( 1.0 / volume, expected ) );
		assert_true( gelLengthD( miss ) < 1e-12 * 10.0 );
	}
	free( corners );
	gelFreeTetMesh( &mesh );
	gelFreeLattice( &lattice );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SplitConforms ),
		cmocka_unit_test( SplitFillsTheBox ),
		cmocka_unit_test( LatticeIsRoundedAndInflated ),
		cmocka_unit_test( TooManyCellsAreRefused ),
		cmocka_unit_test( OdtTargetOfLatticeNodes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
