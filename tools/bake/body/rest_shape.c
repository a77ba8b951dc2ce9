// SPDX-License-Identifier: MIT
// Rest shape of each tet: Dm = [x1-x0, x2-x0, x3-x0], V = det(Dm) / 6 [m^3], Dm^-1 [1/m]. In double, because
// the determinant of a sliver cancels badly in float; rounded once.
#include "bake/body/body_passes.h"

#include "tetrafy/geometry/tet_shape.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <string.h>

// Smallest height over longest edge. The deformation gradient is a difference of float positions divided by a
// height: at 1e-6 its rounding error alone is of the order of 1, so the tet has no usable rest shape. At 1e-3
// it still costs three digits.
#define GEL_MIN_THICKNESS  1e-6
#define GEL_THIN_THICKNESS 1e-3

typedef struct RestShape
{
	double volume;        // [m^3], negative: inverted
	gelVec3d gradient[4]; // gradients of the shape functions [1/m]; meaningful when the volume is not 0
	double thickness;     // smallest height / longest edge, 0 when flat
} RestShape;

static RestShape MeasureTet( const gelBakeCage* cage, uint32_t t )
{
	GEL_ASSERT( t < cage->tetCount );
	gelVec3d x[4];
	double longest2 = 0.0, steepest2 = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		x[k] = gelGetCorner( cage->nodes, cage->tets + t, k );
		for ( int j = 0; j < k; ++j )
		{
			gelVec3d d = gelSubD( x[k], x[j] );
			longest2 = fmax( longest2, gelDotD( d, d ) );
		}
	}
	RestShape shape = { 0 };
	double det = gelTetGradients( x, shape.gradient );
	shape.volume = det / 6.0;
	if ( !( det > 0.0 ) ) return shape;
	for ( int k = 0; k < 4; ++k )
		steepest2 = fmax( steepest2, gelDotD( shape.gradient[k], shape.gradient[k] ) );
	shape.thickness = 1.0 / sqrt( steepest2 * longest2 ); // a height is 1 / |gradient|
	return shape;
}

static bool FitsFloat( const RestShape* shape )
{
	double largest = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3d g = shape->gradient[k];
		largest = fmax( largest, fmax( fabs( g.x ), fmax( fabs( g.y ), fabs( g.z ) ) ) );
	}
	return largest < 1e18 && shape->volume > 1e-30 && shape->volume < 1e30;
}

bool gelBuildRestShapes( const gelBakeCage* cage, const uint32_t* tetMaterials, gelBakePool* pool,
	gelFindings* findings, gelBakeRest* out )
{
	out->tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelPackTetRest ) );
	out->volume = 0.0;
	out->minThickness = DBL_MAX;
	uint32_t thinCount = 0, thinnest = 0;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		RestShape shape = MeasureTet( cage, t );
		const gelPackNode* x0 = cage->nodes + cage->tets[t].node[0];
		if ( !( shape.thickness >= GEL_MIN_THICKNESS ) || !FitsFloat( &shape ) )
		{
			gelFindings_Add( findings, gel_findingBakeTetInverted, cage->file,
				"tet %u at %g %g %g has the volume %g m^3 and the thickness %g (smallest height / longest "
				"edge, at least %g) once its nodes are 32-bit floats; rebuild the cage there, or move the "
				"art to the origin",
				gelGetSourceTet( cage, t ), (double)x0->x, (double)x0->y, (double)x0->z, shape.volume,
				shape.thickness, GEL_MIN_THICKNESS );
			return false;
		}
		for ( int k = 0; k < 3; ++k )
		{
			// Rows of Dm^-1 are the gradients of shape functions 1 to 3; that of 0 is minus their sum and is
			// not stored.
			gelVec3 row = gelToFloat( shape.gradient[k + 1] );
			memcpy( out->tets[t].invDm + 3 * k, &row, sizeof( row ) );
		}
		gelCleanFloats( out->tets[t].invDm, 9 );
		out->tets[t].volume = (float)shape.volume;
		out->tets[t].material = tetMaterials != NULL ? (uint16_t)tetMaterials[t] : 0;
		out->volume += shape.volume;
		if ( shape.thickness < out->minThickness )
		{
			out->minThickness = shape.thickness;
			thinnest = t;
		}
		thinCount += shape.thickness < GEL_THIN_THICKNESS;
	}
	if ( thinCount > 0 )
	{
		gelFindings_Add( findings, gel_findingBakeTetThin, cage->file,
			"%u tets are thinner than %g of their longest edge (thinnest: tet %u, %g); they will be noisy",
			thinCount, GEL_THIN_THICKNESS, gelGetSourceTet( cage, thinnest ), out->minThickness );
	}
	return true;
}

// ---- masses ---------------------------------------------------------------------------------------------

// Lumped masses: m_i = sum over the tets of node i of rho V / 4 [kg].
bool gelBuildMasses( const gelBakeCage* cage, const gelBakeGather* gather, const gelBakeRest* rest,
	const gelPackMaterial* materials, gelBakePool* pool, gelFindings* findings, gelPackMass** outMasses )
{
	GEL_ASSERT( gather->nodeFirst[cage->nodeCount] == 4 * cage->tetCount );
	gelPackMass* masses = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( gelPackMass ) );
	*outMasses = masses;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		double mass = 0.0;
		for ( uint32_t k = gather->nodeFirst[i]; k < gather->nodeFirst[i + 1]; ++k )
		{
			const gelPackTetRest* tet = rest->tets + gather->corners[k] / 4;
			mass += 0.25 * (double)materials[tet->material].density * (double)tet->volume;
		}
		// both m and 1/m have to be normal floats: the runtime multiplies with either
		if ( !( mass > 2.0 / (double)FLT_MAX && mass < 0.5 / (double)FLT_MIN && mass < (double)FLT_MAX ) )
		{
			gelFindings_Add( findings, gel_findingFormatLimit, cage->file,
				"node %u at %g %g %g has a mass of %g kg, which a 32-bit float cannot invert; check the "
				"units of the cage and of --density",
				gelGetSourceNode( cage, i ), (double)cage->nodes[i].x, (double)cage->nodes[i].y,
				(double)cage->nodes[i].z, mass );
			return false;
		}
		masses[i].mass = (float)mass;
		masses[i].invMass = (float)( 1.0 / mass );
	}
	return true;
}
