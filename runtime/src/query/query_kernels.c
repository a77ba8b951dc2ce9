// SPDX-License-Identifier: MIT
// The search of a ray through the coarse tree and through the trees of patches. Twin of gelSearchSurface_Ref.
// It finds the same hit on every machine, because nodes are only left out when they cannot hold it, and
// triangles are tested by the same operations.
//
// Why no hit is ever lost. Let P be a hit as computed: a convex combination of three computed vertices, at a
// distance t. P is within `slack` of the point of the trace at t, because the test of the triangle is exact
// but for the rounding of sheared coordinates; and its weights are within rounding of the stored intervals.
// So each slab, widened by slack (in a cell: times the gradient of the weight), contains t by itself,
// whatever the other axes say. Hence the entry of the node is at most t and its exit at least t. Errors, in
// units of 2^-24 M for coordinates up to M: vertex 4 + 4, shear 2 + 2 + 4, three times that on a diagonal
// axis, and as much again for the projections of the trace itself: below 128, which is GEL_RAY_SLACK.
#include "query/cell_frame.h"
#include "query/surface_query.h"

#include "simd/simd.h"

// Relative to weights of 1: rounding of the weights of a trace and of distances inside a cell.
#define GEL_WEIGHT_SLACK 1.0e-6

// A cell so flat that rounding moves weights by this is searched triangle by triangle.
#define GEL_FLAT_CELL 0.25

// Beyond this the weights of a cell are computed in double.
#define GEL_FLAT_FRAME 0x1p-6f

// A patch of 2^29 triangles has 30 levels; two of them leave at most three nodes behind.
#define GEL_TREE_STACK 48

// Every level leaves at most seven children behind.
#define GEL_COARSE_STACK ( 7 * GEL_CDG_MAX_DEPTH + 8 )

static inline gelFloat4 Abs4( gelFloat4 a )
{
	return gelMax4( a, gelNeg4( a ) );
}

// ---- a cell as the ray sees it ---------------------------------------------------------------------------

// Weights are in units of 1/256, as stored, and distances from `base` on.
typedef struct gelCellView
{
	_Alignas( 32 ) float origin[8], inverse[8]; // low and high bounds of four weights
	// Corners where the ray is the origin: those of 0, 1 and 2 relative to 3, times the unit of weights; 3
	float planeX[4], planeY[4];
	const gelCdgView* cdg;     // collision geometry of the pack
	const gelPackPatch* patch; // the patch that is being searched
	bool isShort;              // triangles have short records, weights 21 bits
	float base;
} gelCellView;

// The ray in the weights of a cell, from its frame.
static inline void ViewCell( const gelBodyRay* ray, const gelCellFrame* frame, gelCellView* view )
{
	static const _Alignas( 16 ) float first[4] = { 1.0f, 0.0f, 0.0f, 0.0f };
	const gelTrace* trace = &ray->trace;
	gelVec3 d = trace->direction, o = gelMulAdd( trace->origin, view->base, d );
	gelFloat4 gx = gelLoad4( frame->gx ), gy = gelLoad4( frame->gy ), gz = gelLoad4( frame->gz );
	gelFloat4 wo = gelAdd4( gelLoad4( first ), gelMul4( gx, gelSplat4( o.x - frame->x0[0] ) ) );
	wo = gelAdd4( wo, gelMul4( gy, gelSplat4( o.y - frame->x0[1] ) ) );
	wo = gelAdd4( wo, gelMul4( gz, gelSplat4( o.z - frame->x0[2] ) ) );
	gelFloat4 wd = gelAdd4( gelMul4( gx, gelSplat4( d.x ) ), gelMul4( gy, gelSplat4( d.y ) ) );
	wd = gelAdd4( wd, gelMul4( gz, gelSplat4( d.z ) ) );
	gelFloat4 steep = gelAdd4( gelAdd4( Abs4( gx ), Abs4( gy ) ), Abs4( gz ) );
	gelFloat4 error = gelMul4(
		gelSplat4( frame->flatness + (float)GEL_WEIGHT_SLACK ), gelAdd4( gelSplat4( 1.0f ), Abs4( wo ) ) );
	gelFloat4 pad = gelAdd4( gelMul4( gelSplat4( ray->slack ), steep ), error ), unit = gelSplat4( 256.0f );
	gelFloat4 high = gelSub4( gelMul4( unit, gelSub4( wo, pad ) ), gelSplat4( 1.0f ) );
	gelStoreW( view->origin, gelJoinW( gelMul4( unit, gelAdd4( wo, pad ) ), high ) );

	gelFloat4 scaled = gelMul4( unit, wd );
	gelFloatW direction = gelJoinW( scaled, scaled );
	gelFloatW size = gelMaxW( gelAbsW( direction ), gelSplatW( GEL_TINY_DIRECTION ) );
	gelFloatW inverse = gelDivW( gelSplatW( 1.0f ), size );
	gelFloatW isNegative = gelGreaterW( gelSplatW( 0.0f ), direction );
	gelStoreW( view->inverse, gelSelectW( isNegative, gelNegW( inverse ), inverse ) );
}

// The same for a cell that is too flat for float. False: also for double.
static bool ViewFlatCell( const gelSurfaceSearch* s, const gelPackCell* cell, gelCellView* view )
{
	const gelTrace* trace = &s->ray->trace;
	const gelVec3 x0 = s->nodes[cell->node[0]];
	double e[3][3], g[3][3], sum[3] = { 0.0, 0.0, 0.0 }, base = (double)view->base;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 x = s->nodes[cell->node[k + 1]];
		e[k][0] = (double)x.x - (double)x0.x;
		e[k][1] = (double)x.y - (double)x0.y;
		e[k][2] = (double)x.z - (double)x0.z;
	}
	const double d[3] = { (double)trace->direction.x, (double)trace->direction.y,
		(double)trace->direction.z };
	const double o[3] = { (double)trace->origin.x + base * d[0] - (double)x0.x,
		(double)trace->origin.y + base * d[1] - (double)x0.y,
		(double)trace->origin.z + base * d[2] - (double)x0.z };
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

// Corners k of eight triangles, seen along the ray.
typedef struct gelPlaneW
{
	gelFloatW x, y;
} gelPlaneW;

// Where the corners of a cell are in the plane across the ray.
static void ViewPlane( const gelSurfaceSearch* s, gelCellView* view )
{
	const gelPackCell* cell = s->pack->cells + view->patch->cell;
	const gelBodyRay* ray = s->ray;
	int kx = ray->trace.kx, ky = ray->trace.ky, kz = ray->trace.kz;
	float x[4], y[4], unit = view->isShort ? GEL_CDG_WEIGHT_UNIT : 1.0f;
	for ( int k = 0; k < 4; ++k )
	{
		const float* node = &s->nodes[cell->node[k]].x;
		float z = node[kz] - ray->origin[2];
		x[k] = node[kx] - ray->origin[0] - ray->trace.shearX * z;
		y[k] = node[ky] - ray->origin[1] - ray->trace.shearY * z;
	}
	for ( int k = 0; k < 3; ++k )
	{
		view->planeX[k] = unit * ( x[k] - x[3] );
		view->planeY[k] = unit * ( y[k] - y[3] );
	}
	view->planeX[3] = x[3];
	view->planeY[3] = y[3];
}

// The first three weights of corner k of eight triangles, in the unit of the view.
GEL_FORCE_INLINE void GetWeights_W(
	const gelCellView* view, const uint32_t triangles[GEL_LANES], int k, gelFloatW w[3] )
{
	if ( view->isShort )
	{
		// not a loop: compilers would make a gather of it, which is slower
		const uint32_t* record = view->cdg->triangles + 2 + k;
#define GEL_LOCAL( lane ) ( record[GEL_CDG_SHORT_WORDS * (size_t)triangles[lane]] & 0xFFFFu )
		const uint32_t local[GEL_LANES] = { GEL_LOCAL( 0 ), GEL_LOCAL( 1 ), GEL_LOCAL( 2 ), GEL_LOCAL( 3 ),
			GEL_LOCAL( 4 ), GEL_LOCAL( 5 ), GEL_LOCAL( 6 ), GEL_LOCAL( 7 ) };
#undef GEL_LOCAL
		gelUnpackWeightsW( view->cdg->fixedWeights + view->patch->vertexFirst, local, w );
		return;
	}
	_Alignas( 32 ) float rows[3][GEL_LANES];
	for ( int lane = 0; lane < GEL_LANES; ++lane )
	{
		uint32_t slots[3];
		float v[4];
		gelCdg_GetCorners( view->cdg, view->patch, triangles[lane], slots );
		gelCdg_GetWeights( view->cdg, slots[k], v );
		for ( int i = 0; i < 3; ++i )
			rows[i][lane] = v[i];
	}
	for ( int i = 0; i < 3; ++i )
		w[i] = gelLoadW( rows[i] );
}

GEL_FORCE_INLINE gelFloatW Mix_W( const gelFloatW w[3], const float x[4] )
{
	gelFloatW p = gelAddW( gelSplatW( x[3] ), gelMulW( w[0], gelSplatW( x[0] ) ) );
	p = gelAddW( p, gelMulW( w[1], gelSplatW( x[1] ) ) );
	return gelAddW( p, gelMulW( w[2], gelSplatW( x[2] ) ) );
}

GEL_FORCE_INLINE gelPlaneW ViewVertices_W(
	const gelCellView* view, const uint32_t triangles[GEL_LANES], int k )
{
	gelFloatW w[3];
	GetWeights_W( view, triangles, k, w );
	return ( gelPlaneW ){ Mix_W( w, view->planeX ), Mix_W( w, view->planeY ) };
}

GEL_FORCE_INLINE gelFloatW EdgeFunction_W( gelPlaneW a, gelPlaneW b )
{
	return gelSubW( gelMulW( a.x, b.y ), gelMulW( a.y, b.x ) );
}

GEL_FORCE_INLINE gelFloatW Length_W( gelPlaneW a )
{
	return gelAddW( gelAbsW( a.x ), gelAbsW( a.y ) );
}

// One triangle that the ray meets, or nearly.
static void TestTriangle( gelSurfaceSearch* s, const gelCellView* view, uint32_t triangle )
{
	uint32_t slots[3];
	gelShearedPoint v[3];
	gelVec3 x[4];
	gelGetCellNodes( s->nodes, s->pack->cells + view->patch->cell, x );
	gelCdg_GetCorners( view->cdg, view->patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
		v[k] = gelShear( &s->ray->trace, gelDeformVertex( view->cdg, slots[k], x ) );
	gelSurfaceSearch_Test( s, triangle, (uint32_t)( view->patch - s->pack->patches ), v[0], v[1], v[2] );
}

// The first `count` of eight triangles. Most are missed so clearly that the plane across the ray tells it: a
// corner there is within slack of the one that the exact test would compute, so an edge function is within
// twice slack times the size of its corners, and slack once more.
static void VisitTriangles_W(
	gelSurfaceSearch* s, const gelCellView* view, const uint32_t triangles[GEL_LANES], int count )
{
	gelPlaneW a = ViewVertices_W( view, triangles, 0 ), b = ViewVertices_W( view, triangles, 1 ),
			  c = ViewVertices_W( view, triangles, 2 );
	gelFloatW u = EdgeFunction_W( b, c ), v = EdgeFunction_W( c, a ), t = EdgeFunction_W( a, b );
	gelFloatW least = gelMinW( gelMinW( u, v ), t ), most = gelMaxW( gelMaxW( u, v ), t );
	gelFloatW slack = gelSplatW( s->ray->slack );
	gelFloatW size = gelAddW( gelAddW( Length_W( a ), Length_W( b ) ), gelAddW( Length_W( c ), slack ) );
	gelFloatW error = gelMulW( gelAddW( slack, slack ), size );
	gelFloatW isMissed = gelAndW( gelGreaterW( gelNegW( error ), least ), gelGreaterW( most, error ) );
	unsigned met = ~(unsigned)gelMaskBitsW( isMissed ) & ( ( 1u << count ) - 1u );
	for ( int lane = 0; met != 0; ++lane, met >>= 1 )
	{
		if ( met & 1u ) TestTriangle( s, view, triangles[lane] );
	}
}

static void VisitAllOfPatch( gelSurfaceSearch* s, gelCellView* view )
{
	uint32_t end = view->patch->triangleFirst + view->patch->triangleCount;
	ViewPlane( s, view );
	for ( uint32_t t = view->patch->triangleFirst; t < end; t += GEL_LANES )
	{
		uint32_t triangles[GEL_LANES];
		for ( uint32_t k = 0; k < GEL_LANES; ++k )
			triangles[k] = t + k < end ? t + k : t;
		VisitTriangles_W( s, view, triangles, gelMinInt( GEL_LANES, (int)( end - t ) ) );
	}
}

// ---- trees of patches ------------------------------------------------------------------------------------

static inline bool EntersNode( const gelSurfaceSearch* s, const gelCellView* view, uint32_t triangle )
{
	gelFloatW t = gelSubW( gelBytesW( gelCdg_GetBounds( view->cdg, triangle ) ), gelLoadW( view->origin ) );
	t = gelMulW( t, gelLoadW( view->inverse ) );
	float in = gelMaxLanes4( gelMin4( gelLowW( t ), gelHighW( t ) ) );
	float out = gelMinLanes4( gelMax4( gelLowW( t ), gelHighW( t ) ) );
	return in <= out && in <= s->limit - view->base && out >= 0.0f;
}

// Nodes as arrays of their parts: what has been written in parts is not read as a whole, for which a
// processor would have to wait.
typedef struct gelRanges
{
	uint32_t first[4], end[4];
	int count;
} gelRanges;

// Distances behind base at which the ray enters four nodes. Returns those that it enters before the limit.
static inline unsigned EnterNodes_W(
	const gelSurfaceSearch* s, const gelCellView* view, const gelRanges* ranges, float near[4] )
{
	gelFloatW origin = gelLoadW( view->origin ), inverse = gelLoadW( view->inverse );
	gelFloat4 in[4], out[4];
	for ( int i = 0; i < 4; ++i )
	{
		uint64_t bounds = gelCdg_GetBounds( view->cdg, ranges->first[i] );
		gelFloatW t = gelMulW( gelSubW( gelBytesW( bounds ), origin ), inverse );
		in[i] = gelMin4( gelLowW( t ), gelHighW( t ) );
		out[i] = gelMax4( gelLowW( t ), gelHighW( t ) );
	}
	gelTranspose4( in, in + 1, in + 2, in + 3 );
	gelTranspose4( out, out + 1, out + 2, out + 3 );
	gelFloat4 enter = gelMax4( gelMax4( in[0], in[1] ), gelMax4( in[2], in[3] ) );
	gelFloat4 leave = gelMin4( gelMin4( out[0], out[1] ), gelMin4( out[2], out[3] ) );
	enter = gelMax4( enter, gelSplat4( 0.0f ) );
	leave = gelMin4( leave, gelSplat4( s->limit - view->base ) );
	gelStore4( near, enter );
	gelFloatW isMissed = gelGreaterW( gelJoinW( enter, enter ), gelJoinW( leave, leave ) );
	return ~(unsigned)gelMaskBitsW( isMissed ) & ( ( 1u << ranges->count ) - 1u );
}

// Nodes that are to be visited, the nearest on top, and triangles that are to be tested.
typedef struct gelTreeWalk
{
	uint32_t first[GEL_TREE_STACK], end[GEL_TREE_STACK];
	float near[GEL_TREE_STACK];
	uint32_t queue[2 * GEL_LANES];
	int depth, queued;
} gelTreeWalk;

// Tests the last ones, which are the nearest.
static inline void TestQueue( gelSurfaceSearch* s, const gelCellView* view, gelTreeWalk* walk )
{
	int count = gelMinInt( walk->queued, GEL_LANES );
	walk->queued -= count;
	uint32_t* last = walk->queue + walk->queued;
	for ( int i = count; i < GEL_LANES; ++i )
		last[i] = last[0];
	VisitTriangles_W( s, view, last, count );
}

// The children of a range, or the range itself if it is short.
static inline void AddHalf( gelTreeWalk* walk, gelRanges* ranges, gelCdgRange range )
{
	int i = ranges->count;
	if ( range.end - range.first <= GEL_LANES )
	{
		ranges->first[i] = range.first;
		ranges->end[i] = range.end;
		ranges->count = i + 1;
		return;
	}
	gelCdgRange left, right;
	gelCdgRange_Split( range, &left, &right );
	walk->queue[walk->queued++] = range.first;
	ranges->first[i] = left.first;
	ranges->end[i] = left.end;
	ranges->first[i + 1] = right.first;
	ranges->end[i + 1] = right.end;
	ranges->count = i + 2;
}

// Two levels below a node, of which only the last can be left out: its own triangle and those of its children
// go into the queue.
static inline void Descend( gelTreeWalk* walk, gelCdgRange range, gelRanges* ranges )
{
	gelCdgRange left, right;
	ranges->count = 0;
	walk->queue[walk->queued++] = range.first;
	gelCdgRange_Split( range, &left, &right );
	AddHalf( walk, ranges, left );
	AddHalf( walk, ranges, right );
	for ( int i = ranges->count; i < 4; ++i )
		ranges->first[i] = left.first;
}

static inline void PushNodes(
	gelTreeWalk* walk, const gelRanges* ranges, unsigned entered, const float near[4] )
{
	int bottom = walk->depth;
	for ( int k = 0; entered != 0; ++k, entered >>= 1 )
	{
		if ( ( entered & 1u ) == 0 ) continue;
		int i = walk->depth++;
		for ( ; i > bottom && walk->near[i - 1] < near[k]; --i )
		{
			walk->first[i] = walk->first[i - 1];
			walk->end[i] = walk->end[i - 1];
			walk->near[i] = walk->near[i - 1];
		}
		walk->first[i] = ranges->first[k];
		walk->end[i] = ranges->end[k];
		walk->near[i] = near[k];
	}
}

static void VisitTree( gelSurfaceSearch* s, gelCellView* view )
{
	gelTreeWalk walk;
	gelRanges ranges;
	_Alignas( 16 ) float near[4];
	if ( !EntersNode( s, view, view->patch->triangleFirst ) ) return;
	ViewPlane( s, view );
	walk.first[0] = view->patch->triangleFirst;
	walk.end[0] = view->patch->triangleFirst + view->patch->triangleCount;
	walk.near[0] = 0.0f;
	walk.depth = 1;
	walk.queued = 0;
	while ( walk.depth > 0 )
	{
		int top = --walk.depth;
		uint32_t first = walk.first[top], end = walk.end[top];
		if ( walk.near[top] > s->limit - view->base ) continue;
		if ( end - first <= GEL_LANES )
		{
			for ( uint32_t t = first; t < end; ++t )
				walk.queue[walk.queued++] = t;
			TestQueue( s, view, &walk );
			continue;
		}
		Descend( &walk, ( gelCdgRange ){ first, end }, &ranges );
		PushNodes( &walk, &ranges, EnterNodes_W( s, view, &ranges, near ), near );
		if ( walk.queued >= GEL_LANES ) TestQueue( s, view, &walk );
	}
	if ( walk.queued > 0 ) TestQueue( s, view, &walk );
}

static void VisitCell( gelSurfaceSearch* s, uint32_t index, float base )
{
	const gelPackCell* cell = s->pack->cells + index;
	gelVec3 x[4];
	for ( int k = 0; k < 4; ++k )
		x[k] = s->nodes[cell->node[k]];
	const gelCellFrame frame = gelMakeCellFrame( x );
	gelCellView view;
	view.base = base;
	view.cdg = &s->pack->cdg;
	view.isShort = view.cdg->words == GEL_CDG_SHORT_WORDS && view.cdg->fixedWeights != NULL;
	bool isFlat = !( frame.flatness < GEL_FLAT_FRAME );
	if ( !isFlat ) ViewCell( s->ray, &frame, &view );
	bool isBlind = isFlat && !ViewFlatCell( s, cell, &view );
	for ( uint32_t i = 0; i < cell->patchCount; ++i )
	{
		view.patch = s->pack->patches + cell->patchFirst + i;
		if ( isBlind )
			VisitAllOfPatch( s, &view );
		else
			VisitTree( s, &view );
	}
}

// ---- coarse tree -----------------------------------------------------------------------------------------

// Children that are to be visited, the nearest on top.
typedef struct gelCoarseWalk
{
	uint32_t child[GEL_COARSE_STACK]; // as in gelCoarseNode
	float near[GEL_COARSE_STACK];
	int depth;
} gelCoarseWalk;

// Distances at which the ray enters the children of a node. Returns those that it enters before the limit.
static inline unsigned EnterBoxes_W(
	const gelBodyRay* ray, const gelCoarseBoxes* boxes, float limit, float near[GEL_LANES] )
{
	gelFloatW in = gelSplatW( 0.0f ), out = gelSplatW( limit );
	const float* rows = boxes->low[0];
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		const gelSlab* slab = ray->slabs + k;
		gelFloatW inverse = gelSplatW( slab->inverse );
		gelFloatW a = gelSubW( gelLoadW( rows + slab->nearRow ), gelSplatW( slab->nearOrigin ) );
		gelFloatW b = gelSubW( gelLoadW( rows + slab->farRow ), gelSplatW( slab->farOrigin ) );
		in = gelMaxW( gelMulW( a, inverse ), in );
		out = gelMinW( gelMulW( b, inverse ), out );
	}
	gelStoreW( near, in );
	return ~(unsigned)gelMaskBitsW( gelGreaterW( in, out ) ) & 0xFFu;
}

static inline void PushChildren(
	gelCoarseWalk* walk, const gelCoarseNode* node, unsigned entered, const float near[GEL_LANES] )
{
	int bottom = walk->depth;
	for ( int lane = 0; entered != 0; ++lane, entered >>= 1 )
	{
		if ( ( entered & 1u ) == 0 ) continue;
		int i = walk->depth++;
		for ( ; i > bottom && walk->near[i - 1] < near[lane]; --i )
		{
			walk->child[i] = walk->child[i - 1];
			walk->near[i] = walk->near[i - 1];
		}
		walk->child[i] = node->child[lane];
		walk->near[i] = near[lane];
	}
}

static void SearchSurface_W( gelSurfaceSearch* s )
{
	gelCoarseWalk walk;
	walk.child[0] = s->root;
	walk.near[0] = 0.0f;
	walk.depth = 1;
	while ( walk.depth > 0 )
	{
		int top = --walk.depth;
		uint32_t child = walk.child[top];
		if ( walk.near[top] > s->limit ) continue;
		if ( gelIsCell( child ) )
		{
			VisitCell( s, child & ~GEL_COARSE_CELL, walk.near[top] );
			continue;
		}
		_Alignas( 32 ) float near[GEL_LANES];
		unsigned entered = EnterBoxes_W( s->ray, s->boxes + child, s->limit, near );
		PushChildren( &walk, s->tree + child, entered, near );
	}
}

GEL_KERNELS( gelQueryKernels, gelGetQueryKernels ) = { SearchSurface_W };
