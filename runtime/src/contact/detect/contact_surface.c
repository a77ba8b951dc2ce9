// SPDX-License-Identifier: MIT
#include "contact/detect/contact_surface.h"

#include "query/surface_query.h"

gelContactSurface gelMakeContactSurface( const gelPackView* pack, const gelCoarseNode* tree, int treeCount,
	const gelVec3* nodes, const gelCoarseBoxes* boxes, const gelCellFrame* frames, const double* origin )
{
	GEL_ASSERT( treeCount > 0 );
	return ( gelContactSurface ){
		.pack = pack,
		.tree = tree,
		.treeCount = treeCount,
		.nodes = nodes,
		.boxes = boxes,
		.frames = frames,
		.origin = { origin[0], origin[1], origin[2] },
	};
}

// Range of the body's box along axis k in the world [m].
static void GetRange( const gelContactSurface* s, int k, double* low, double* high )
{
	GEL_ASSERT( k >= 0 && k < 3 );
	const gelDop* box = gelContactSurface_GetBox( s );
	*low = s->origin[k] + box->low[k];
	*high = s->origin[k] + box->high[k];
}

static double GetReach( const gelContactSurface* s, const double center[3] )
{
	double reach = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double low, high;
		GetRange( s, k, &low, &high );
		reach = fmax( reach, fmax( fabs( low - center[k] ), fabs( high - center[k] ) ) );
	}
	return reach;
}

static void TakeGrid( gelContactSurface* s, const double center[3], double scale )
{
	GEL_ASSERT( scale > 0.0 );
	const gelDop* box = gelContactSurface_GetBox( s );
	float largest = 0.0f, shift[3];
	for ( int k = 0; k < 3; ++k )
	{
		s->grid.offset[k] = s->origin[k] - center[k];
		shift[k] = (float)s->grid.offset[k];
		largest = fmaxf( largest, fmaxf( fabsf( box->low[k] ), fabsf( box->high[k] ) ) );
		largest = fmaxf( largest, fabsf( shift[k] ) );
	}
	s->grid.scale = scale;
	s->shift = gelMakeVec3( shift[0], shift[1], shift[2] );
	// boxes hold a slack for vertices already; this one is for the way to the grid, on three axes at once
	s->slack = GEL_BOUND_SLACK * largest + (float)( 2.0 / scale );
}

bool gelContactSurface_Pair( gelContactSurface* a, gelContactSurface* b )
{
	double center[3];
	for ( int k = 0; k < 3; ++k )
	{
		double lowA, highA, lowB, highB;
		GetRange( a, k, &lowA, &highA );
		GetRange( b, k, &lowB, &highB );
		double low = fmax( lowA, lowB ), high = fmin( highA, highB );
		if ( !( low <= high ) ) return false;
		center[k] = 0.5 * ( low + high );
	}
	double reach = fmax( GetReach( a, center ), GetReach( b, center ) );
	if ( !( reach <= (double)GEL_MAX_COORDINATE ) ) return false; // a body that has been lost
	int exponent;                                                 // reach < 2^exponent
	(void)frexp( reach, &exponent );
	double scale = ldexp( GEL_GRID_LIMIT / 2, -exponent );
	TakeGrid( a, center, scale );
	TakeGrid( b, center, scale );
	return true;
}

void gelContactSurface_Deform( gelContactSurface* s, uint32_t index )
{
	GEL_ASSERT( index < s->pack->header->cdgPatchCount );
	if ( s->patchStamps[index] == s->stamp ) return;
	s->patchStamps[index] = s->stamp;
	if ( s->deform != NULL )
	{
		s->deform( s->pack, index, s->nodes, &s->grid, s->points );
		return;
	}
	const gelPackPatch* patch = s->pack->patches + index;
	gelVec3 x[4];
	gelGetCellNodes( s->nodes, s->pack->cells + patch->cell, x );
	for ( uint32_t slot = patch->vertexFirst; slot < patch->vertexFirst + patch->vertexCount; ++slot )
	{
		gelVec3 p = gelDeformVertex( &s->pack->cdg, slot, x );
		gelGridPoint q = gelSnap( &s->grid, p.x, p.y, p.z );
		s->points[slot] = ( gelVec4 ){ (float)q.x, (float)q.y, (float)q.z, 0.0f };
	}
}

// Second and third of four numbers: pivots with which the bounds are exact most of the time.
static void FindPivots( const float x[4], float* second, float* third )
{
	float lowA = fminf( x[0], x[1] ), highA = fmaxf( x[0], x[1] );
	float lowB = fminf( x[2], x[3] ), highB = fmaxf( x[2], x[3] );
	float a = fmaxf( lowA, lowB ), b = fminf( highA, highB );
	*second = fminf( a, b );
	*third = fmaxf( a, b );
}

gelCellAxes gelContactSurface_GetAxes( const gelContactSurface* s, uint32_t cell )
{
	GEL_ASSERT( cell < s->pack->header->cdgTetCount );
	gelCellAxes axes;
	float projections[4][8];
	for ( int i = 0; i < 4; ++i )
		gelProjectOnDop( gelAdd( s->nodes[s->pack->cells[cell].node[i]], s->shift ), projections[i] );
	for ( int k = 0; k < 8; ++k )
	{
		float x[4] = { projections[0][k], projections[1][k], projections[2][k], projections[3][k] };
		float second, third;
		FindPivots( x, &second, &third );
		float slack = k < 3 ? s->slack : 3.0f * s->slack;
		axes.lowPivot[k] = second - slack;
		axes.highPivot[k] = third + slack;
		for ( int i = 0; i < 4; ++i )
		{
			axes.lowSlope[i][k] = 0x1p-8f * ( x[i] - second );
			axes.highSlope[i][k] = 0x1p-8f * ( x[i] - third );
		}
	}
	return axes;
}

gelContactBounds gelContactSurface_BoundTriangle( const gelContactSurface* s, const gelGridPoint p[3] )
{
	gelContactBounds out;
	float unit = (float)( 1.0 / s->grid.scale ), projections[3][8];
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3 v = { unit * (float)p[i].x, unit * (float)p[i].y, unit * (float)p[i].z };
		gelProjectOnDop( v, projections[i] );
	}
	for ( int k = 0; k < 8; ++k )
	{
		out.low[k] = fminf( projections[0][k], fminf( projections[1][k], projections[2][k] ) ) - s->slack;
		out.high[k] = fmaxf( projections[0][k], fmaxf( projections[1][k], projections[2][k] ) ) + s->slack;
	}
	return out;
}
