// SPDX-License-Identifier: MIT
// Separating axes of a triangle and a box (Akenine-Moeller 2001): the box's axes, the triangle's normal, and
// the products of edges and axes, each with room for rounding.
#include "tri_box.h"

// Rounding of a few products and sums, relative to their largest terms; true bound below 20 * 2^-53.
#define GEL_BOX_SLACK 1e-14

gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] )
{
	gelTriangleFrame frame = { .box = gelDbox_Empty() };
	for ( int i = 0; i < 3; ++i )
	{
		frame.p[i] = p[i];
		frame.edges[i] = gelDvec_Sub( p[( i + 1 ) % 3], p[i] );
		gelDbox_AddPoint( &frame.box, p[i] );
	}
	frame.normal = gelDvec_Cross( frame.edges[0], frame.edges[1] );
	gelDvec low = frame.box.min, high = frame.box.max;
	frame.scale = fmax( fmax( fmax( fabs( low.x ), fabs( high.x ) ), fmax( fabs( low.y ), fabs( high.y ) ) ),
		fmax( fabs( low.z ), fabs( high.z ) ) );
	return frame;
}

// Is the box, with this centre and half size, out of reach along an axis? The corners of the triangle are
// relative to the centre; reach is the size of everything involved.
static bool Separates( gelDvec axis, const gelDvec v[3], gelDvec half, double reach )
{
	double a = gelDvec_Dot( axis, v[0] ), b = gelDvec_Dot( axis, v[1] ), c = gelDvec_Dot( axis, v[2] );
	double low = fmin( a, fmin( b, c ) ), high = fmax( a, fmax( b, c ) );
	double sum = fabs( axis.x ) + fabs( axis.y ) + fabs( axis.z );
	double radius = fabs( axis.x ) * half.x + fabs( axis.y ) * half.y + fabs( axis.z ) * half.z;
	radius += GEL_BOX_SLACK * sum * reach;
	return low > radius || high < -radius;
}

bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelDbox* box )
{
	if ( !gelDbox_Overlaps( &frame->box, box ) ) return false;
	gelDvec centre = gelDvec_Mul( 0.5, gelDvec_Add( box->min, box->max ) );
	gelDvec half = gelDvec_Mul( 0.5, gelDvec_Sub( box->max, box->min ) );
	gelDvec v[3];
	for ( int i = 0; i < 3; ++i )
		v[i] = gelDvec_Sub( frame->p[i], centre );
	double reach =
		frame->scale + fabs( centre.x ) + fabs( centre.y ) + fabs( centre.z ) + half.x + half.y + half.z;
	if ( Separates( frame->normal, v, half, reach ) ) return false;
	for ( int i = 0; i < 3; ++i )
	{
		gelDvec e = frame->edges[i];
		if ( Separates( ( gelDvec ){ 0.0, -e.z, e.y }, v, half, reach ) ) return false;
		if ( Separates( ( gelDvec ){ e.z, 0.0, -e.x }, v, half, reach ) ) return false;
		if ( Separates( ( gelDvec ){ -e.y, e.x, 0.0 }, v, half, reach ) ) return false;
	}
	return true;
}
