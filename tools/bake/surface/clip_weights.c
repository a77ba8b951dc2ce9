// SPDX-License-Identifier: MIT
// Where a vertex is, once and for all who share it: weights of the nodes of the tet, face or edge of the cage
// that it lies in. The determinants are those whose signs made the vertex, in the order of ascending node
// and point numbers, so that nothing depends on who asks first.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

// Six times the signed volume of a tet [m^3]; its ratio to that of the whole tet is a weight.
static double Det( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d )
{
	return gelDotD( gelSubD( b, a ), gelCrossD( gelSubD( c, a ), gelSubD( d, a ) ) );
}

// A vertex that is a node to the last bit gives one unit of weight to another of its nodes: three weights of
// a record have no room for 1.
static void KeepBelowOne( uint32_t* units, int count )
{
	for ( int k = 0; k < count; ++k )
	{
		if ( units[k] < GEL_CDG_WEIGHT_SUM ) continue;
		units[k] -= 1;
		units[k == 0] += 1;
		return;
	}
}

// Weights of the pack are multiples of 2^-21 that sum to 1 exactly, by the method of largest remainders: sums
// of them are exact in float, so copies of a vertex in two cells deform to the same bits.
void gelCdgVertex_SetWeights( gelCdgVertex* vertex, const double* w, int count )
{
	GEL_ASSERT( count >= 1 && count <= 4 );
	double fraction[4], sum = 0.0;
	uint32_t units[4], missing = GEL_CDG_WEIGHT_SUM;
	for ( int k = 0; k < count; ++k )
		sum += w[k];
	for ( int k = 0; k < count; ++k )
	{
		// the quotient is at most 1, and the sum of those rounded down at most 2^21 but for the rounding of
		// the quotients, which is far below what is rounded off
		double x = w[k] / sum * (double)GEL_CDG_WEIGHT_SUM;
		units[k] = (uint32_t)x < missing ? (uint32_t)x : missing;
		fraction[k] = x - (double)units[k];
		missing -= units[k];
	}
	// the units that are missing go to those that lost most, the first of equals
	for ( ; missing > 0; --missing )
	{
		int most = 0;
		for ( int k = 1; k < count; ++k )
		{
			if ( fraction[k] > fraction[most] ) most = k;
		}
		units[most] += 1;
		fraction[most] -= 1.0;
	}
	KeepBelowOne( units, count );
	for ( int k = 0; k < 4; ++k )
	{
		vertex->weight[k] = k < count ? (float)units[k] * GEL_CDG_WEIGHT_UNIT : 0.0f;
		if ( k >= count ) vertex->node[k] = GEL_NO_INDEX;
	}
}

// The weights are known to have one sign; rounding may have turned those of small ones, which become 0.
static void SetWeights( gelCdgVertex* vertex, const double* w, int count )
{
	double sum[2] = { 0.0, 0.0 }, kept[4] = { 0.0, 0.0, 0.0, 0.0 };
	for ( int k = 0; k < count; ++k )
		sum[w[k] < 0.0] += fabs( w[k] );
	double sign = sum[0] >= sum[1] ? 1.0 : -1.0, all = sign > 0.0 ? sum[0] : sum[1];
	for ( int k = 0; k < count; ++k )
	{
		// all are 0 when even double cannot tell the place inside of an edge or face: take its middle
		double x = all > 0.0 ? sign * w[k] / all : 1.0;
		kept[k] = x > 0.0 ? x : 0.0;
	}
	gelCdgVertex_SetWeights( vertex, kept, count );
}

static void SortNodes( uint32_t* nodes, int count )
{
	for ( int i = 1; i < count; ++i )
	{
		for ( int j = i; j > 0 && nodes[j] < nodes[j - 1]; --j )
		{
			uint32_t t = nodes[j];
			nodes[j] = nodes[j - 1];
			nodes[j - 1] = t;
		}
	}
}

void gelSortNodes( uint32_t nodes[4] )
{
	SortNodes( nodes, 4 );
}

// xi = B^-1 (1, p) by Cramer's rule, with the columns (1, x_k) of B: weight k is the volume with p in place
// of node k (Civit-Flores 5.3, which prints B without the inverse).
static gelCdgVertex MakePoint( const gelCdgCage* cage, gelVec3d p, uint32_t tet )
{
	GEL_ASSERT( tet < cage->tetCount );
	gelCdgVertex vertex;
	const gelVec3d* x = cage->nodes;
	uint32_t* n = vertex.node;
	for ( int k = 0; k < 4; ++k )
		n[k] = cage->tets[tet].node[k];
	SortNodes( n, 4 );
	double w[4] = {
		Det( p, x[n[1]], x[n[2]], x[n[3]] ),
		Det( x[n[0]], p, x[n[2]], x[n[3]] ),
		Det( x[n[0]], x[n[1]], p, x[n[3]] ),
		Det( x[n[0]], x[n[1]], x[n[2]], p ),
	};
	SetWeights( &vertex, w, 4 );
	return vertex;
}

// Ends of an art edge, lower point first.
static void GetArtEdge( const gelCdgArt* art, uint32_t side, gelVec3d out[2] )
{
	uint32_t a = art->corners[side], b = art->corners[side - side % 3 + ( side % 3 + 1 ) % 3];
	out[0] = art->points[a < b ? a : b];
	out[1] = art->points[a < b ? b : a];
}

static gelCdgVertex MakeEdgeFace( const gelCdgArt* art, const gelCdgCage* cage, uint32_t side, uint32_t face )
{
	gelCdgVertex vertex;
	const gelVec3d* x = cage->nodes;
	uint32_t* n = vertex.node;
	gelVec3d p[2];
	GetArtEdge( art, side, p );
	for ( int k = 0; k < 3; ++k )
		n[k] = cage->tets[face / 4].node[GEL_CELL_FACE[face % 4][k]];
	SortNodes( n, 3 );
	double w[3];
	for ( int k = 0; k < 3; ++k )
		w[k] = Det( p[0], p[1], x[n[( k + 1 ) % 3]], x[n[( k + 2 ) % 3]] );
	SetWeights( &vertex, w, 3 );
	return vertex;
}

// Where an edge of the cage goes through a triangle of the art: in the ratio of the distances of its ends.
static gelCdgVertex MakeFaceEdge(
	const gelCdgArt* art, const gelCdgCage* cage, uint32_t triangle, uint32_t edge )
{
	gelCdgVertex vertex;
	uint32_t* n = vertex.node;
	const uint32_t* c = art->corners + 3 * (size_t)triangle;
	const gelVec3d* p = art->points;
	n[0] = cage->tets[edge / 6].node[GEL_CELL_EDGE[edge % 6][0]];
	n[1] = cage->tets[edge / 6].node[GEL_CELL_EDGE[edge % 6][1]];
	SortNodes( n, 2 );
	// distances from the triangle's plane, with opposite signs
	double w[2] = {
		-Det( p[c[0]], p[c[1]], p[c[2]], cage->nodes[n[1]] ),
		Det( p[c[0]], p[c[1]], p[c[2]], cage->nodes[n[0]] ),
	};
	SetWeights( &vertex, w, 2 );
	return vertex;
}

gelCdgVertex gelMakeCdgVertex(
	const gelCdgArt* art, const gelCdgCage* cage, gelCdgKey key, gelCdgPlace place )
{
	switch ( key.kind )
	{
		case gel_keyEdgeFace:
			return MakeEdgeFace( art, cage, place.side, place.part );
		case gel_keyFaceEdge:
			return MakeFaceEdge( art, cage, key.a, place.part );
		default:
			return MakePoint( cage, art->points[key.a], place.part );
	}
}

gelVec3d gelCdgVertex_Position( const gelCdgVertex* vertex, const gelVec3d* nodes )
{
	gelVec3d p = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 4 && vertex->node[k] != GEL_NO_INDEX; ++k )
		p = gelMulAddD( p, (double)vertex->weight[k], nodes[vertex->node[k]] );
	return p;
}

float gelCdgVertex_Weight( const gelCdgVertex* vertex, uint32_t node )
{
	for ( int k = 0; k < 4; ++k )
	{
		if ( vertex->node[k] == node ) return vertex->weight[k];
	}
	return 0.0f;
}
