// SPDX-License-Identifier: MIT
// Boxes of the coarse tree, and the search of a ray through it and through the trees of patches. Twins of
// gelRefitCoarse_Ref and gelSearchSurface_Ref. The search finds the same hit on every machine, because nodes
// are only left out when they cannot hold it, and triangles are tested by the same operations.
//
// Why no hit is ever lost. Let P be a hit as computed: a convex combination of three computed vertices, at a
// distance t. P is within `slack` of the point of the trace at t, because the test of the triangle is exact
// but for the rounding of sheared coordinates; and its weights are within rounding of the stored intervals.
// So each slab, widened by slack (in a cell: times the gradient of the weight), contains t by itself,
// whatever the other axes say. Hence the entry of the node is at most t and its exit at least t. Errors, in
// units of 2^-24 M for coordinates up to M: vertex 4 + 4, shear 2 + 2 + 4, three times that on a diagonal
// axis, and as much again for the projections of the trace itself: below 128, which is GEL_RAY_SLACK.
#pragma once

#include "simd.h"
#include "surface_query.h"

// Relative to weights of 1: rounding of the weights of a trace and of distances inside a cell.
#define GEL_WEIGHT_SLACK 1.0e-6

// A cell so flat that rounding moves weights by this is searched triangle by triangle.
#define GEL_FLAT_CELL 0.25

// A patch of 2^29 triangles has 30 levels.
#define GEL_TREE_STACK 32

// ---- coarse boxes --------------------------------------------------------------------------------------

// Components of the axes of a gelDop.
static const struct
{
	_Alignas( 32 ) float x[8], y[8], z[8];
} dopAxes = {
	{ 1, 0, 0, 1, 1, 1, -1, 0 },
	{ 0, 1, 0, 1, 1, -1, 1, 0 },
	{ 0, 0, 1, 1, -1, 1, 1, 0 },
};

static inline gelFloat4 Abs4( gelFloat4 a )
{
	return gelMax4( a, gelNeg4( a ) );
}

// Twin of gelBoundCell_Ref: every pair of nodes once, since the two are each other's pivots with opposite
// signs.
static void BoundCell_W( const gelVec3* nodes, const gelPackCell* cell, gelDop* out )
{
	gelFloatW axisX = gelLoadW( dopAxes.x ), axisY = gelLoadW( dopAxes.y ), axisZ = gelLoadW( dopAxes.z );
	gelFloatW x[4], low[4], high[4];
	gelFloat4 largest = gelSplat4( 0.0f );
	float bounds[8];
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3 p = nodes[cell->node[k]];
		largest = gelMax4( largest, Abs4( gelLoad3( nodes + cell->node[k] ) ) );
		x[k] = gelAddW( gelMulW( axisX, gelSplatW( p.x ) ), gelMulW( axisY, gelSplatW( p.y ) ) );
		x[k] = gelAddW( x[k], gelMulW( axisZ, gelSplatW( p.z ) ) );
		low[k] = high[k] = x[k];
		bounds[k] = (float)cell->low[k] * 0x1p-8f;
		bounds[4 + k] = (float)( cell->high[k] + 1 ) * 0x1p-8f;
	}
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			gelFloatW d = gelSubW( x[j], x[i] ), e = gelNegW( d );
			gelFloatW aj = gelMulW( gelSplatW( bounds[j] ), d ),
					  bj = gelMulW( gelSplatW( bounds[4 + j] ), d );
			gelFloatW ai = gelMulW( gelSplatW( bounds[i] ), e ),
					  bi = gelMulW( gelSplatW( bounds[4 + i] ), e );
			low[i] = gelAddW( low[i], gelMinW( aj, bj ) );
			high[i] = gelAddW( high[i], gelMaxW( aj, bj ) );
			low[j] = gelAddW( low[j], gelMinW( ai, bi ) );
			high[j] = gelAddW( high[j], gelMaxW( ai, bi ) );
		}
	}
	gelFloatW slack = gelSplatW( GEL_BOUND_SLACK * gelMaxLanes4( largest ) );
	gelFloatW lowest = gelMaxW( gelMaxW( low[0], low[1] ), gelMaxW( low[2], low[3] ) );
	gelFloatW highest = gelMinW( gelMinW( high[0], high[1] ), gelMinW( high[2], high[3] ) );
	gelStoreW( out->low, gelSubW( lowest, slack ) );
	gelStoreW( out->high, gelAddW( highest, slack ) );
}

// Children stand behind their parent, so one sweep from the end is enough.
static void RefitCoarse_W( const gelPackView* pack, const gelVec3* nodes, gelDop* boxes )
{
	for ( size_t i = 2 * (size_t)pack->header->cdgTetCount - 1; i-- > 0; )
	{
		const gelPackBvhNode* node = pack->bvh + i;
		if ( node->left == GEL_CDG_NIL )
		{
			BoundCell_W( nodes, pack->cells + node->right, boxes + i );
			continue;
		}
		const gelDop *left = boxes + node->left, *right = boxes + node->right;
		gelStoreW( boxes[i].low, gelMinW( gelLoadW( left->low ), gelLoadW( right->low ) ) );
		gelStoreW( boxes[i].high, gelMaxW( gelLoadW( left->high ), gelLoadW( right->high ) ) );
	}
}

// ---- a cell as the ray sees it ---------------------------------------------------------------------------

// Weights are in units of 1/256, as stored, and distances from `base` on. The nodes' components are in the
// order kx, ky, kz of the trace: what is done with them is done with each one alone.
typedef struct gelCellView
{
	_Alignas( 32 ) float origin[8], inverse[8]; // low and high bounds of four weights
	gelFloat4 x[4];
	const gelCdgView* cdg; // of the pack
	float base;
	uint32_t patch; // that is being searched
} gelCellView;

static inline gelFloat4 Permute( const gelTrace* trace, gelVec3 p )
{
	_Alignas( 16 ) float c[4] = { gelComponent( p, trace->kx ), gelComponent( p, trace->ky ),
		gelComponent( p, trace->kz ), 0.0f };
	return gelLoad4( c );
}

// The ray in the weights of a cell. False: the cell is too flat for that.
static bool MakeCellView( const gelSurfaceSearch* s, const gelPackCell* cell, float base, gelCellView* view )
{
	const gelTrace* trace = &s->ray->trace;
	const gelVec3 x0 = s->nodes[cell->node[0]];
	double e[3][3], g[3][3], sum[3] = { 0.0, 0.0, 0.0 };
	view->cdg = &s->pack->cdg;
	view->base = base;
	view->x[0] = Permute( trace, x0 );
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 x = s->nodes[cell->node[k + 1]];
		view->x[k + 1] = Permute( trace, x );
		e[k][0] = (double)x.x - (double)x0.x;
		e[k][1] = (double)x.y - (double)x0.y;
		e[k][2] = (double)x.z - (double)x0.z;
	}
	const double d[3] = { (double)trace->direction.x, (double)trace->direction.y,
		(double)trace->direction.z };
	const double o[3] = { (double)trace->origin.x + (double)base * d[0] - (double)x0.x,
		(double)trace->origin.y + (double)base * d[1] - (double)x0.y,
		(double)trace->origin.z + (double)base * d[2] - (double)x0.z };
	// g[k] / det is the gradient of weight k + 1
	for ( int k = 0; k < 3; ++k )
	{
		const double *p = e[( k + 1 ) % 3], *q = e[( k + 2 ) % 3];
		g[k][0] = p[1] * q[2] - p[2] * q[1];
		g[k][1] = p[2] * q[0] - p[0] * q[2];
		g[k][2] = p[0] * q[1] - p[1] * q[0];
		for ( int i = 0; i < 3; ++i )
			sum[i] -= g[k][i];
	}
	double det = e[0][0] * g[0][0] + e[0][1] * g[0][1] + e[0][2] * g[0][2];
	double inv = 1.0 / det, slack = (double)s->ray->slack * fabs( inv );
	bool isFlat = false;
	for ( int i = 0; i < 4; ++i )
	{
		const double* h = i == 0 ? sum : g[i - 1];
		double wo = ( h[0] * o[0] + h[1] * o[1] + h[2] * o[2] ) * inv + ( i == 0 ? 1.0 : 0.0 );
		double wd = ( h[0] * d[0] + h[1] * d[1] + h[2] * d[2] ) * inv;
		double steep = fabs( h[0] ) + fabs( h[1] ) + fabs( h[2] );
		double pad = slack * steep + GEL_WEIGHT_SLACK * ( 1.0 + fabs( wo ) );
		isFlat = isFlat || !( pad < GEL_FLAT_CELL ); // also when det is 0
		view->origin[i] = (float)( 256.0 * ( wo + pad ) );
		view->origin[4 + i] = (float)( 256.0 * ( wo - pad ) - 1.0 );
		view->inverse[i] = view->inverse[4 + i] = gelInverseDirection( (float)( 256.0 * wd ) );
	}
	return !isFlat;
}

// ---- triangles -------------------------------------------------------------------------------------------

static inline gelShearedPoint ShearVertex( const gelSurfaceSearch* s, const gelCellView* view, uint32_t slot )
{
	const gelTrace* trace = &s->ray->trace;
	float w[4];
	gelCdg_GetWeights( view->cdg, slot, w );
	gelFloat4 p = gelMul4( gelSplat4( w[0] ), view->x[0] );
	p = gelAdd4( p, gelMul4( gelSplat4( w[1] ), view->x[1] ) );
	p = gelAdd4( p, gelMul4( gelSplat4( w[2] ), view->x[2] ) );
	p = gelAdd4( p, gelMul4( gelSplat4( w[3] ), view->x[3] ) );
	_Alignas( 16 ) float a[4];
	gelStore4( a, gelSub4( p, gelLoad4( s->ray->origin ) ) );
	return (
		gelShearedPoint ){ a[0] - trace->shearX * a[2], a[1] - trace->shearY * a[2], trace->signZ * a[2] };
}

static inline void VisitTriangle( gelSurfaceSearch* s, const gelCellView* view, uint32_t triangle )
{
	uint32_t v[3];
	gelCdg_GetCorners( view->cdg, s->pack->patches + view->patch, triangle, v );
	gelShearedPoint a = ShearVertex( s, view, v[0] ), b = ShearVertex( s, view, v[1] ),
					c = ShearVertex( s, view, v[2] );
	// Rounding is monotonous: where two floats differ, the exact products differ the same way.
	float p = b.x * c.y - b.y * c.x, q = c.x * a.y - c.y * a.x, r = a.x * b.y - a.y * b.x;
	if ( ( p < 0.0f || q < 0.0f || r < 0.0f ) && ( p > 0.0f || q > 0.0f || r > 0.0f ) ) return;
	gelSurfaceSearch_Test( s, triangle, view->patch, a, b, c );
}

static void VisitAllOfCell( gelSurfaceSearch* s, gelCellView* view, const gelPackCell* cell )
{
	for ( uint32_t i = 0; i < cell->patchCount; ++i )
	{
		const gelPackPatch* patch = s->pack->patches + cell->patchFirst + i;
		view->patch = cell->patchFirst + i;
		for ( uint32_t t = 0; t < patch->triangleCount; ++t )
			VisitTriangle( s, view, patch->triangleFirst + t );
	}
}

// ---- trees of patches ------------------------------------------------------------------------------------

// Distance behind base at which the ray enters a node; INFINITY: it does not before the limit.
static inline float EnterNode( const gelSurfaceSearch* s, const gelCellView* view, uint32_t triangle )
{
	uint64_t bounds = gelCdg_GetBounds( view->cdg, triangle );
	gelFloatW t =
		gelMulW( gelSubW( gelBytesW( bounds ), gelLoadW( view->origin ) ), gelLoadW( view->inverse ) );
	float in = gelMaxLanes4( gelMin4( gelLowW( t ), gelHighW( t ) ) );
	float out = gelMinLanes4( gelMax4( gelLowW( t ), gelHighW( t ) ) );
	float limit = s->limit - view->base;
	in = in > 0.0f ? in : 0.0f;
	out = out < limit ? out : limit;
	return in <= out ? in : INFINITY;
}

typedef struct gelTreeEntry
{
	gelCdgRange range;
	float near;
} gelTreeEntry;

static void VisitTree( gelSurfaceSearch* s, const gelCellView* view, gelCdgRange range )
{
	gelTreeEntry stack[GEL_TREE_STACK];
	int depth = 0;
	if ( EnterNode( s, view, range.first ) == INFINITY ) return;
	for ( ;; )
	{
		gelCdgRange left, right;
		gelCdgRange_Split( range, &left, &right );
		// children first: their records are on the way while the triangle is tested
		float nearLeft = left.first < left.end ? EnterNode( s, view, left.first ) : INFINITY;
		float nearRight = right.first < right.end ? EnterNode( s, view, right.first ) : INFINITY;
		VisitTriangle( s, view, range.first );
		if ( nearLeft != INFINITY && nearRight != INFINITY )
		{
			bool leftFirst = nearLeft <= nearRight;
			stack[depth++] =
				leftFirst ? ( gelTreeEntry ){ right, nearRight } : ( gelTreeEntry ){ left, nearLeft };
			range = leftFirst ? left : right;
			continue;
		}
		if ( nearLeft != INFINITY || nearRight != INFINITY )
		{
			range = nearLeft != INFINITY ? left : right;
			continue;
		}
		do
		{
			if ( depth == 0 ) return;
			range = stack[--depth].range;
		} while ( stack[depth].near > s->limit - view->base );
	}
}

static void VisitCell( gelSurfaceSearch* s, const gelPackCell* cell, float base )
{
	gelCellView view;
	if ( !MakeCellView( s, cell, base, &view ) )
	{
		VisitAllOfCell( s, &view, cell );
		return;
	}
	for ( uint32_t i = 0; i < cell->patchCount; ++i )
	{
		const gelPackPatch* patch = s->pack->patches + cell->patchFirst + i;
		view.patch = cell->patchFirst + i;
		VisitTree(
			s, &view, ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount } );
	}
}

// ---- coarse tree -----------------------------------------------------------------------------------------

// Distance at which the ray enters a box; INFINITY: it does not before the limit.
static inline float EnterBox( const gelBodyRay* ray, const gelDop* box, float limit )
{
	gelFloatW inverse = gelLoadW( ray->inverse );
	gelFloatW a = gelMulW( gelSubW( gelLoadW( box->low ), gelLoadW( ray->originLow ) ), inverse );
	gelFloatW b = gelMulW( gelSubW( gelLoadW( box->high ), gelLoadW( ray->originHigh ) ), inverse );
	gelFloatW near = gelMinW( a, b ), far = gelMaxW( a, b );
	float in = gelMaxLanes4( gelMax4( gelLowW( near ), gelHighW( near ) ) );
	float out = gelMinLanes4( gelMin4( gelLowW( far ), gelHighW( far ) ) );
	in = in > 0.0f ? in : 0.0f;
	out = out < limit ? out : limit;
	return in <= out ? in : INFINITY;
}

typedef struct gelCoarseEntry
{
	uint32_t node;
	float near;
} gelCoarseEntry;

static void SearchSurface_W( gelSurfaceSearch* s )
{
	gelCoarseEntry stack[GEL_CDG_MAX_DEPTH + 1];
	const gelPackBvhNode* bvh = s->pack->bvh;
	int depth = 0;
	gelCoarseEntry entry = { 0, EnterBox( s->ray, s->boxes, s->limit ) };
	if ( entry.near == INFINITY ) return;
	for ( ;; )
	{
		const gelPackBvhNode* node = bvh + entry.node;
		if ( node->left == GEL_CDG_NIL )
		{
			VisitCell( s, s->pack->cells + node->right, entry.near );
		}
		else
		{
			gelCoarseEntry a = { node->left, EnterBox( s->ray, s->boxes + node->left, s->limit ) };
			gelCoarseEntry b = { node->right, EnterBox( s->ray, s->boxes + node->right, s->limit ) };
			if ( b.near < a.near )
			{
				gelCoarseEntry c = a;
				a = b;
				b = c;
			}
			if ( b.near != INFINITY ) stack[depth++] = b;
			if ( a.near != INFINITY )
			{
				entry = a;
				continue;
			}
		}
		do
		{
			if ( depth == 0 ) return;
			entry = stack[--depth];
		} while ( entry.near > s->limit );
	}
}
