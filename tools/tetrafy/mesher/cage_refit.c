// SPDX-License-Identifier: MIT
#include "tetrafy/mesher/cage_refit.h"

#include "tetrafy/geometry/tet_shape.h"
#include "tetrafy/mesher/shared_tets.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

static bool IsFloat( double x )
{
	return x == (double)(float)x;
}

// A tet that meets no triangle is called Internal although it may lie in a hollow: for the fit the class only
// says that its faces need not be split, and a cage from elsewhere is never split.
void gelAdoptCage( gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( mesh->tetCount > 0 && threads > 0 );
	(void)threads;
	mesh->rounded = true;
	for ( uint32_t i = 0; i < mesh->nodeCount; ++i )
	{
		gelVec3d p = mesh->points[i];
		mesh->rounded = mesh->rounded && IsFloat( p.x ) && IsFloat( p.y ) && IsFloat( p.z );
	}
	double volume = 0.0;
	for ( uint32_t tet = 0; tet < mesh->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( mesh, tet, p );
		volume += gelTetVolume( p );
	}
	mesh->cell = cbrt( 5.0 * volume / mesh->tetCount ); // a cell has five tets
#pragma omp parallel num_threads( threads )
	{
		gelSlotList list = { 0 };
#pragma omp for schedule( dynamic, 64 )
		for ( int64_t tet = 0; tet < (int64_t)mesh->tetCount; ++tet )
		{
			gelVec3d p[4];
			gelTetMesh_TetPoints( mesh, (uint32_t)tet, p );
			gelFindSlotsInTet( tree, p, &list );
			mesh->classes[tet] = list.count > 0 ? gel_tetPiercing : gel_tetInternal;
		}
		free( list.slots );
	}
}
