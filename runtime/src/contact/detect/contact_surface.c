// SPDX-License-Identifier: MIT
#include "contact/detect/contact_surface.h"

#include "query/surface_query.h"

gelContactSurface gelMakeContactSurface( const gelPackView* pack, const gelCoarseNode* tree, int treeCount,
	const gelVec3* nodes, const gelCoarseBoxes* boxes, const double* origin )
{
	GEL_ASSERT( treeCount > 0 );
	return ( gelContactSurface ){
		.pack = pack,
		.tree = tree,
		.treeCount = treeCount,
		.nodes = nodes,
		.boxes = boxes,
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
	s->deform( s->pack, index, s->nodes, &s->grid, s->points );
}
