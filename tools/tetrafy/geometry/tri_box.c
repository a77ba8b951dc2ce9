// SPDX-License-Identifier: MIT
// Separating axes of a triangle and a box: the box's axes, the triangle's normal and the normals of its
// sides. The nine products of edges and axes that would make the test sharp cost more than the few boxes that
// they sort out.
#include "tetrafy/geometry/tri_box.h"

// Rounding of a few products and sums, relative to their largest terms; the true bound is below 20 * 2^-53.
#define GEL_BOX_SLACK 1e-14

static double SumOfSizes( gelDvec a )
{
	return fabs( a.x ) + fabs( a.y ) + fabs( a.z );
}

static void ChooseAxes( gelTriangleFrame* frame, gelDvec b, gelDvec c )
{
	gelDvec normal = gelDvec_Cross( b, c ), opposite = gelDvec_Sub( c, b ), longest = b;
	if ( gelDvec_Dot( c, c ) > gelDvec_Dot( longest, longest ) ) longest = c;
	if ( gelDvec_Dot( opposite, opposite ) > gelDvec_Dot( longest, longest ) ) longest = opposite;
	if ( gelDvec_Length( normal ) > 1e-6 * gelDvec_Dot( longest, longest ) )
	{
		frame->axes[0] = normal;
		frame->axes[1] = gelDvec_Cross( b, normal );
		frame->axes[2] = gelDvec_Cross( opposite, normal );
		frame->axes[3] = gelDvec_Cross( normal, c );
		return;
	}
	frame->axes[0] = ( gelDvec ){ 0.0, longest.z, -longest.y };
	frame->axes[1] = ( gelDvec ){ -longest.z, 0.0, longest.x };
	frame->axes[2] = ( gelDvec ){ longest.y, -longest.x, 0.0 };
}

gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] )
{
	gelTriangleFrame frame = { .origin = p[0], .box = gelDbox_Empty() };
	gelDvec b = gelDvec_Sub( p[1], p[0] ), c = gelDvec_Sub( p[2], p[0] );
	ChooseAxes( &frame, b, c );
	for ( int i = 0; i < 4; ++i )
	{
		double alongB = gelDvec_Dot( frame.axes[i], b ), alongC = gelDvec_Dot( frame.axes[i], c );
		frame.low[i] = gelMin( 0.0, gelMin( alongB, alongC ) );
		frame.high[i] = gelMax( 0.0, gelMax( alongB, alongC ) );
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
	for ( int i = 0; i < 4; ++i )
	{
		double at = gelDvec_Dot( frame->axes[i], d );
		double room = ReachOfBox( frame->axes[i], half ) + slack * frame->sum[i];
		if ( at - room > frame->high[i] || at + room < frame->low[i] ) return false;
	}
	return true;
}
