// SPDX-License-Identifier: MIT
#include "contact/detect/contact_clip.h"

void gelAddEnds( const gelContactScratch* s, int side, uint32_t pair, gelEdgeSums* sums )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount && pair < s->pairs.count );
	for ( int end = 0; end < 2; ++end )
	{
		gelTriangleCrossing crossing = s->pairs.items[pair].crossings[end];
		if ( crossing.isEdgeOfB != side ) continue;
		double lambda = s->segments[pair].lambda[end], sign = crossing.enters ? -1.0 : 1.0;
		sums->net[crossing.edge] += crossing.enters ? 1 : -1;
		sums->first[crossing.edge] += sign * lambda;
		sums->second[crossing.edge] += sign * lambda * lambda;
		sums->crossed |= 1u << crossing.edge;
	}
}

gelEdgeSums gelSumEdges( const gelContactScratch* s, int side, const gelCutTriangle* cut )
{
	gelEdgeSums sums = { 0 };
	for ( uint32_t i = cut->first; i < cut->first + cut->count; ++i )
		gelAddEnds( s, side, s->side[side].order[i], &sums );
	return sums;
}

static void Cross( const double a[3], const double b[3], double out[3] )
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static double Dot( const double a[3], const double b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

gelClipFrame gelMakeClipFrame( const gelContactSurface* surface, const gelCutTriangle* cut )
{
	gelGridPoint p[3];
	gelContactSurface_GetCorners( surface, cut->patch, cut->triangle, p );
	gelClipFrame frame = { { p[0].x, p[0].y, p[0].z }, { p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z },
		{ p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z }, { 0 }, 0.0 };
	Cross( frame.e1, frame.e2, frame.normal );
	double square = Dot( frame.normal, frame.normal );
	frame.inverse = square > 0.0 ? 1.0 / square : 0.0;
	return frame;
}

// Coordinates of an end of a segment: from the fraction where the triangle's own edge crosses, else from the
// place, along the normal.
static void Locate( const gelClipFrame* frame, const gelSegment* segment, int end,
	gelTriangleCrossing crossing, int side, double uv[2] )
{
	double t = segment->lambda[end];
	if ( crossing.isEdgeOfB == side )
	{
		uv[0] = crossing.edge == 0 ? t : crossing.edge == 1 ? 1.0 - t : 0.0;
		uv[1] = crossing.edge == 0 ? 0.0 : crossing.edge == 1 ? t : 1.0 - t;
		return;
	}
	double d[3] = { segment->q[end][0] - frame->origin[0], segment->q[end][1] - frame->origin[1],
		segment->q[end][2] - frame->origin[2] };
	double u[3], v[3];
	Cross( d, frame->e2, u );
	Cross( frame->e1, d, v );
	uv[0] = Dot( u, frame->normal ) * frame->inverse;
	uv[1] = Dot( v, frame->normal ) * frame->inverse;
}

gelClip gelClipSegment( const gelContactScratch* s, const gelClipFrame* frame, int side, uint32_t pair )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount && pair < s->pairs.count );
	const gelTriangleCrossing* crossings = s->pairs.items[pair].crossings;
	double q[2][2]; // curves run the other way on B
	Locate( frame, s->segments + pair, 0, crossings[0], side, q[side] );
	Locate( frame, s->segments + pair, 1, crossings[1], side, q[1 - side] );
	double area = q[0][0] * q[1][1] - q[0][1] * q[1][0];
	double u = area * ( q[0][0] + q[1][0] ) / 3.0, v = area * ( q[0][1] + q[1][1] ) / 3.0;
	return ( gelClip ){ area, { area - u - v, u, v } };
}

gelClip gelClipEdges( const gelEdgeSums* edges, bool isLastCornerInside )
{
	double inside = isLastCornerInside ? 1.0 : 0.0;
	double first = edges->first[1] + inside, second = edges->second[1] + inside;
	double u = ( 2.0 * first - second ) / 3.0, v = second / 3.0;
	return ( gelClip ){ first, { first - u - v, u, v } };
}

static double Clamp( double x )
{
	return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

gelClip gelTidyClip( gelClip clip )
{
	gelClip out = { Clamp( clip.area ), { 1.0, 0.0, 0.0 } };
	double sum = 1.0;
	if ( clip.area > 0.0 )
	{
		sum = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			out.weight[k] = Clamp( clip.weight[k] / clip.area );
			sum += out.weight[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
		out.weight[k] *= out.area / sum;
	return out;
}
