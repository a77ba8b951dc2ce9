// SPDX-License-Identifier: MIT
// Separating axes of a triangle and a box: the box's axes, the triangle's normal and the normals of its
// sides. The nine products of edges and axes that would make the test sharp cost more than the few boxes that
// they sort out.
#include "tri_box.h"

// Rounding of a few products and sums, relative to their largest terms; the true bound is below 20 * 2^-53.
#define GEL_BOX_SLACK 1e-14

static double SumOfSizes( gelDvec a )
{
	return fabs( a.x ) + fabs( a.y ) + fabs( a.z );
}

gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] )
{
	gelTriangleFrame frame = { .origin = p[0], .box = gelDbox_Empty() };
	gelDvec b = gelDvec_Sub( p[1], p[0] ), c = gelDvec_Sub( p[2], p[0] );
	frame.axes[0] = gelDvec_Cross( b, c );
	frame.axes[1] = gelDvec_Cross( b, frame.axes[0] );
	frame.axes[2] = gelDvec_Cross( gelDvec_Sub( c, b ), frame.axes[0] );
	frame.axes[3] = gelDvec_Cross( frame.axes[0], c );
	for ( int i = 0; i < 4; ++i )
	{
		double along = gelMax( gelDvec_Dot( frame.axes[i], b ), gelDvec_Dot( frame.axes[i], c ) );
		frame.reach[i] = gelMax( 0.0, along );
		frame.sum[i] = SumOfSizes( frame.axes[i] );
	}
	for ( int i = 0; i < 3; ++i )
		gelDbox_AddPoint( &frame.box, p[i] );
	frame.scale = SumOfSizes( frame.box.min ) + SumOfSizes( frame.box.max );
	return frame;
}

static double ReachOfBox( gelDvec axis, gelDvec half )
{
	return fabs( axis.x ) * half.x + fabs( axis.y ) * half.y + fabs( axis.z ) * half.z;
}

bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelDbox* box )
{
	if ( !gelDbox_Overlaps( &frame->box, box ) ) return false;
	gelDvec middle = gelDvec_Mul( 0.5, gelDvec_Add( box->min, box->max ) );
	gelDvec half = gelDvec_Mul( 0.5, gelDvec_Sub( box->max, box->min ) );
	gelDvec d = gelDvec_Sub( middle, frame->origin );
	double slack = GEL_BOX_SLACK * ( frame->scale + SumOfSizes( middle ) + half.x + half.y + half.z );
	double above = fabs( gelDvec_Dot( frame->axes[0], d ) );
	double room = ReachOfBox( frame->axes[0], half ) + slack * frame->sum[0] + frame->reach[0];
	if ( above > room ) return false;
	for ( int i = 1; i < 4; ++i )
	{
		room = ReachOfBox( frame->axes[i], half ) + slack * frame->sum[i] + frame->reach[i];
		if ( gelDvec_Dot( frame->axes[i], d ) > room ) return false;
	}
	return true;
}
