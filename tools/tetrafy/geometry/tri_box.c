// SPDX-License-Identifier: MIT
// Separating axes of a triangle and a box: the box's axes, the triangle's normal and the normals of its
// sides. The nine products of edges and axes that would make the test sharp cost more than the few boxes that
// they sort out.
#include "tetrafy/geometry/tri_box.h"

// Rounding of a few products and sums, relative to their largest terms; the true bound is below 20 * 2^-53.
#define GEL_BOX_SLACK 1e-14

static double SumOfSizes( gelVec3d a )
{
	return fabs( a.x ) + fabs( a.y ) + fabs( a.z );
}

static void ChooseAxes( gelTriangleFrame* frame, gelVec3d b, gelVec3d c )
{
	gelVec3d normal = gelCrossD( b, c ), opposite = gelSubD( c, b ), longest = b;
	if ( gelDotD( c, c ) > gelDotD( longest, longest ) ) longest = c;
	if ( gelDotD( opposite, opposite ) > gelDotD( longest, longest ) ) longest = opposite;
	// A needle's normal is rounding, and axes made from it would separate nothing: its box would visit every
	// cell of the grid. A segment has the three products of its direction with the coordinate axes instead;
	// the fourth axis stays zero and separates nothing.
	if ( gelLengthD( normal ) > 1e-6 * gelDotD( longest, longest ) )
	{
		frame->axes[0] = normal;
		frame->axes[1] = gelCrossD( b, normal );
		frame->axes[2] = gelCrossD( opposite, normal );
		frame->axes[3] = gelCrossD( normal, c );
		return;
	}
	frame->axes[0] = ( gelVec3d ){ 0.0, longest.z, -longest.y };
	frame->axes[1] = ( gelVec3d ){ -longest.z, 0.0, longest.x };
	frame->axes[2] = ( gelVec3d ){ longest.y, -longest.x, 0.0 };
}

gelTriangleFrame gelMakeTriangleFrame( const gelVec3d p[3] )
{
	gelTriangleFrame frame = { .origin = p[0], .box = gelBox3d_Empty() };
	gelVec3d b = gelSubD( p[1], p[0] ), c = gelSubD( p[2], p[0] );
	ChooseAxes( &frame, b, c );
	for ( int i = 0; i < 4; ++i )
	{
		double alongB = gelDotD( frame.axes[i], b ), alongC = gelDotD( frame.axes[i], c );
		frame.low[i] = gelMinDouble( 0.0, gelMinDouble( alongB, alongC ) );
		frame.high[i] = gelMaxDouble( 0.0, gelMaxDouble( alongB, alongC ) );
		frame.sum[i] = SumOfSizes( frame.axes[i] );
	}
	for ( int i = 0; i < 3; ++i )
		gelBox3d_AddPoint( &frame.box, p[i] );
	frame.scale = SumOfSizes( frame.box.min ) + SumOfSizes( frame.box.max );
	return frame;
}

static double ReachOfBox( gelVec3d axis, gelVec3d half )
{
	return fabs( axis.x ) * half.x + fabs( axis.y ) * half.y + fabs( axis.z ) * half.z;
}

bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelBox3d* box )
{
	if ( !gelBox3d_Overlaps( &frame->box, box ) ) return false;
	gelVec3d middle = gelScaleD( 0.5, gelAddD( box->min, box->max ) );
	gelVec3d half = gelScaleD( 0.5, gelSubD( box->max, box->min ) );
	gelVec3d d = gelSubD( middle, frame->origin );
	double slack = GEL_BOX_SLACK * ( frame->scale + SumOfSizes( middle ) + half.x + half.y + half.z );
	for ( int i = 0; i < 4; ++i )
	{
		double at = gelDotD( frame->axes[i], d );
		double room = ReachOfBox( frame->axes[i], half ) + slack * frame->sum[i];
		if ( at - room > frame->high[i] || at + room < frame->low[i] ) return false;
	}
	return true;
}
