// SPDX-License-Identifier: MIT
// Which triangles of two patches cross, eight at a time; and vertices of a patch on the grid of a pair.
//
// Where bodies touch, their surfaces face each other and overlap by little. So patches are looked at along
// one direction first, that between their normals: heights of vertices follow from those of the four nodes of
// their cell, and mostly tell that the patches are apart, or which of their triangles reach into the other
// one. Only these get boxes, in units of the grid. What boxes leave waits until there are eight pairs
// (wide_crossing.h). Large patches are split by their trees before: a node is bounded along eight axes at
// once from the four nodes of its cell (cell_bounds.h, one pivot per side).
#include "contact/detect/contact_kernels.h"

#include "contact/detect/contact_find.h"
#include "contact/detect/wide_crossing.h"
#include "query/surface_query.h"
#include "simd/wide_weights.h"

// ---- vertices --------------------------------------------------------------------------------------------

// Deformed, snapped vertices of a patch: eight slots at a time, padding included.
static void DeformPatch_W(
	const gelPackView* pack, uint32_t index, const gelVec3* nodes, const gelGrid* grid, gelVec4* points )
{
	const gelPackPatch* patch = pack->patches + index;
	gelVec3W x[4];
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3 p = nodes[pack->cells[patch->cell].node[k]];
		x[k] = ( gelVec3W ){ gelSplatW( p.x ), gelSplatW( p.y ), gelSplatW( p.z ) };
	}
	uint32_t end = patch->vertexFirst + patch->vertexCount;
	for ( uint32_t slot = patch->vertexFirst; slot < end; slot += GEL_LANES )
	{
		gelFloatW w[4];
		gelLoadWeightsW( pack->cdg.fixedWeights, pack->cdg.floatWeights, slot, w );
		gelVec3W p = gelScaleVecW( w[0], x[0] );
		for ( int k = 1; k < 4; ++k )
			p = gelMulAddVecW( p, w[k], x[k] );
		gelNodesW out = { gelSnapW( p.x, grid->offset[0], grid->scale ),
			gelSnapW( p.y, grid->offset[1], grid->scale ), gelSnapW( p.z, grid->offset[2], grid->scale ),
			gelSplatW( 0.0f ) };
		gelStoreNodesW( points + slot, out );
	}
}

// ---- two patches -----------------------------------------------------------------------------------------

// A patch of 2^29 triangles has 30 levels. A node is split into its own triangle and two children, so each
// level of either tree leaves two entries behind.
#define GEL_WIDE_STACK ( 2 * 2 * 32 + 1 )

// Vertices of a patch whose heights are kept. Of larger patches all triangles count as near.
#define GEL_MAX_HEIGHTS 1024u

// What the bounds of parts of one patch are made of.
typedef struct CellAxes_W
{
	gelFloatW lowPivot, highPivot, lowSlope[4], highSlope[4], slack;
} CellAxes_W;

typedef struct Bounds_W
{
	gelFloatW low, high;
} Bounds_W;

// Two ranges of triangles that may cross.
typedef struct RangePair_W
{
	Bounds_W bounds[2];
	gelCdgRange range[2];
} RangePair_W;

// Where the corners of the triangles of a patch are: gelCdg_GetCorners with all that is the same for them.
typedef struct Corners_W
{
	const uint32_t* words; // the record of triangle 0, from its first corner on
	const gelVec4* points; // the vertex with number 0
	const float* heights;  // likewise, along two axes; NULL: not kept
	uint32_t stride, mask;
} Corners_W;

// Triangles of a range that may reach into the other patch, and their boxes, run by run.
typedef struct Near_W
{
	uint32_t triangles[GEL_MAX_LEAF];
	uint32_t count;
	_Alignas( 32 ) float low[GEL_BOX_RUNS][3][GEL_LANES], high[GEL_BOX_RUNS][3][GEL_LANES];
	gelVec3W lowest, highest; // box around all, in every lane
} Near_W;

typedef struct PatchPair_W
{
	const gelPatchSearch* search;
	const gelPackPatch* patch[2];
	Corners_W corners[2];
	float limit[2][2]; // triangles that are nowhere as low as this, along either axis, are not near [m]
	Near_W near[2];
	uint32_t queue[2][2 * GEL_LANES]; // triangles whose boxes meet
	uint32_t queueCount;
	_Alignas( 32 ) float heights[2][2][GEL_MAX_HEIGHTS]; // by side and axis
	// ---- of large patches ----
	gelVec3W axes; // one per lane
	CellAxes_W cell[2];
	RangePair_W stack[GEL_WIDE_STACK];
	int depth;
} PatchPair_W;

// ---- heights ---------------------------------------------------------------------------------------------

GEL_FORCE_INLINE float GetLeast_W( gelFloatW a )
{
	_Alignas( 16 ) float four[4];
	gelStore4( four, gelMin4( gelLowW( a ), gelHighW( a ) ) );
	return gelMinFloat( gelMinFloat( four[0], four[1] ), gelMinFloat( four[2], four[3] ) );
}

// Heights of all vertices of a patch along two directions, in the space of the pair [m]. @return the least
// and the largest of each
GEL_FORCE_INLINE void FindHeights_W( const gelContactSurface* s, const gelPackPatch* patch,
	const gelVec3 axes[2], float heights[2][GEL_MAX_HEIGHTS], float least[2], float most[2] )
{
	const gelCdgView* cdg = &s->pack->cdg;
	gelFloatW h[2][4], low[2], high[2];
	for ( int i = 0; i < 2; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3 x = gelAdd( s->nodes[s->pack->cells[patch->cell].node[k]], s->shift );
			h[i][k] = gelSplatW( gelDot( axes[i], x ) );
		}
		low[i] = gelSplatW( INFINITY );
		high[i] = gelSplatW( -INFINITY );
	}
	for ( uint32_t slot = 0; slot < patch->vertexCount; slot += GEL_LANES )
	{
		gelFloatW w[4];
		gelLoadWeightsW( cdg->fixedWeights, cdg->floatWeights, patch->vertexFirst + slot, w );
		for ( int i = 0; i < 2; ++i )
		{
			gelFloatW sum = gelWeighW( w, h[i] );
			low[i] = gelMinW( low[i], sum );
			high[i] = gelMaxW( high[i], sum );
			if ( slot < GEL_MAX_HEIGHTS ) gelStoreW( heights[i] + slot, sum );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		least[i] = GetLeast_W( low[i] );
		most[i] = -GetLeast_W( gelNegW( high[i] ) );
	}
}

// How far apart the patches are along the directions, rounding taken off; negative: they overlap [m]. Heights
// of B count against them, so that what is near is low on both sides.
GEL_FORCE_INLINE float FindGap_W( PatchPair_W* p, const gelVec3 axes[2] )
{
	const gelContactSurface *a = p->search->surface[0], *b = p->search->surface[1];
	const gelVec3 minus[2] = { gelNeg( axes[0] ), gelNeg( axes[1] ) };
	float lowA[2], highA[2], lowB[2], highB[2], gap = -INFINITY;
	FindHeights_W( a, p->patch[0], axes, p->heights[0], lowA, highA );
	FindHeights_W( b, p->patch[1], minus, p->heights[1], lowB, highB );
	for ( int i = 0; i < 2; ++i )
	{
		gelVec3 n = axes[i];
		float slack = ( a->slack + b->slack ) * ( fabsf( n.x ) + fabsf( n.y ) + fabsf( n.z ) );
		p->limit[0][i] = slack - lowB[i];
		p->limit[1][i] = slack - lowA[i];
		gap = gelMaxFloat( gap, gelMaxFloat( lowA[i] + lowB[i], -highA[i] - highB[i] ) - slack );
	}
	return gap;
}

// ---- triangles whose boxes meet --------------------------------------------------------------------------

GEL_FORCE_INLINE Corners_W MakeCorners_W(
	const gelContactSurface* s, const gelPackPatch* patch, const float* heights )
{
	const gelCdgView* cdg = &s->pack->cdg;
	heights = patch->vertexCount <= GEL_MAX_HEIGHTS ? heights : NULL;
	if ( cdg->words == GEL_CDG_SHORT_WORDS )
		return (
			Corners_W ){ cdg->triangles + 2, s->points + patch->vertexFirst, heights, cdg->words, 0xFFFFu };
	uint32_t mask = cdg->words == GEL_CDG_WIDE_WORDS ? 0x7FFFFFFFu : GEL_CDG_NARROW_NIL;
	return ( Corners_W ){ cdg->triangles, s->points, heights ? heights - patch->vertexFirst : NULL,
		cdg->words, mask };
}

GEL_FORCE_INLINE uint32_t GetCorner_W( const Corners_W* c, uint32_t triangle, uint32_t k )
{
	return c->words[(size_t)c->stride * triangle + k] & c->mask;
}

// One corner of eight triangles.
GEL_FORCE_INLINE gelVec3W GatherCorners_W(
	const Corners_W* c, const uint32_t triangles[GEL_LANES], uint32_t k )
{
	gelFloat4 parts[GEL_LANES];
	for ( int i = 0; i < GEL_LANES; ++i )
		parts[i] = gelLoad4( c->points + GetCorner_W( c, triangles[i], k ) );
	gelNodesW points = gelCollectLanesW( parts );
	return ( gelVec3W ){ points.x, points.y, points.z };
}

// Tests the first eight pairs that wait. @param lanes those that count
GEL_FORCE_INLINE void TestQueue_W( PatchPair_W* p, unsigned lanes )
{
	const uint32_t *triangleA = p->queue[0], *triangleB = p->queue[1];
	gelVec3W a[3], b[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		a[k] = GatherCorners_W( p->corners, triangleA, k );
		b[k] = GatherCorners_W( p->corners + 1, triangleB, k );
	}
	Crossings_W c = CrossTriangles_W( a, b );
	// two edges of A, two of B, or one of each
	unsigned cross =
		c.certain & ( c.edges[0][0] | c.edges[0][1] | c.edges[0][2] | c.edges[1][0] | c.edges[1][1] );
	gelCountExactTests( p->search->pairs, lanes & ~c.apart & c.certain );
	for ( unsigned rest = lanes & ~c.apart & ( ~c.certain | cross ); rest != 0; rest &= rest - 1u )
	{
		unsigned lane = gelLowestBit( rest );
		gelTriangleCrossing crossings[2];
		if ( ( c.certain >> lane & 1u ) == 0 )
			gelTestTriangles( p->search, triangleA[lane], triangleB[lane] );
		else if ( TakeCrossing_W( &c, lane, crossings ) )
			gelKeepCrossing( p->search, triangleA[lane], triangleB[lane], crossings );
	}
}

// Tests eight pairs that wait and moves the others up.
static void ShortenQueue_W( PatchPair_W* p )
{
	TestQueue_W( p, 0xFFu );
	p->queueCount -= GEL_LANES;
	for ( uint32_t i = 0; i < p->queueCount; ++i )
	{
		p->queue[0][i] = p->queue[0][GEL_LANES + i];
		p->queue[1][i] = p->queue[1][GEL_LANES + i];
	}
}

// Tests all that wait, fewer than eight at last.
static void FinishQueue_W( PatchPair_W* p )
{
	if ( p->queueCount == 0 ) return;
	for ( uint32_t i = p->queueCount; i < GEL_LANES; ++i )
	{
		p->queue[0][i] = p->queue[0][0];
		p->queue[1][i] = p->queue[1][0];
	}
	TestQueue_W( p, ( 1u << p->queueCount ) - 1u );
	p->queueCount = 0;
}

// Triangles of a range that reach beyond the limit of their side.
GEL_FORCE_INLINE void ListNear_W( PatchPair_W* p, int side, gelCdgRange range )
{
	const Corners_W c = p->corners[side];
	Near_W* near = p->near + side;
	const float limit = p->limit[side][0], limit2 = p->limit[side][1];
	uint32_t count = 0;
	for ( uint32_t i = range.first; i < range.end; ++i )
	{
		near->triangles[count] = i;
		if ( c.heights == NULL )
		{
			++count;
			continue;
		}
		const float *u = c.heights + GetCorner_W( &c, i, 0 ), *v = c.heights + GetCorner_W( &c, i, 1 ),
					*w = c.heights + GetCorner_W( &c, i, 2 );
		bool isLow = gelMinFloat( *u, gelMinFloat( *v, *w ) ) <= limit;
		u += GEL_MAX_HEIGHTS, v += GEL_MAX_HEIGHTS, w += GEL_MAX_HEIGHTS;
		count += isLow & ( gelMinFloat( *u, gelMinFloat( *v, *w ) ) <= limit2 );
	}
	near->count = count;
}

GEL_FORCE_INLINE gelVec3W SplatLeastVec_W( gelVec3W a )
{
	return ( gelVec3W ){ gelSplatW( GetLeast_W( a.x ) ), gelSplatW( GetLeast_W( a.y ) ),
		gelSplatW( GetLeast_W( a.z ) ) };
}

GEL_FORCE_INLINE gelVec3W MinVec_W( gelVec3W a, gelVec3W b )
{
	return ( gelVec3W ){ gelMinW( a.x, b.x ), gelMinW( a.y, b.y ), gelMinW( a.z, b.z ) };
}

GEL_FORCE_INLINE gelVec3W MaxVec_W( gelVec3W a, gelVec3W b )
{
	return ( gelVec3W ){ gelMaxW( a.x, b.x ), gelMaxW( a.y, b.y ), gelMaxW( a.z, b.z ) };
}

GEL_FORCE_INLINE gelVec3W LoadRun_W( const float rows[3][GEL_LANES] )
{
	return ( gelVec3W ){ gelLoadW( rows[0] ), gelLoadW( rows[1] ), gelLoadW( rows[2] ) };
}

GEL_FORCE_INLINE void StoreRun_W( float rows[3][GEL_LANES], gelVec3W a )
{
	gelStoreW( rows[0], a.x );
	gelStoreW( rows[1], a.y );
	gelStoreW( rows[2], a.z );
}

GEL_FORCE_INLINE gelVec3W SplatLane_W( const float rows[3][GEL_LANES], unsigned lane )
{
	return ( gelVec3W ){ gelSplatW( rows[0][lane] ), gelSplatW( rows[1][lane] ), gelSplatW( rows[2][lane] ) };
}

// Boxes of the triangles that are near. The last run is filled up with the last triangle.
GEL_FORCE_INLINE void BoxNear_W( PatchPair_W* p, int side )
{
	Near_W* near = p->near + side;
	const gelFloatW inf = gelSplatW( INFINITY );
	gelVec3W lowest = { inf, inf, inf }, highest = gelNegVecW( lowest );
	for ( uint32_t i = 0; i < near->count; i += GEL_LANES )
	{
		uint32_t triangles[GEL_LANES];
		for ( uint32_t k = 0; k < GEL_LANES; ++k )
			triangles[k] = near->triangles[i + k < near->count ? i + k : near->count - 1];
		gelVec3W a = GatherCorners_W( p->corners + side, triangles, 0 ),
				 b = GatherCorners_W( p->corners + side, triangles, 1 ),
				 c = GatherCorners_W( p->corners + side, triangles, 2 );
		gelVec3W low = MinVec_W( a, MinVec_W( b, c ) ), high = MaxVec_W( a, MaxVec_W( b, c ) );
		StoreRun_W( near->low[i / GEL_LANES], low );
		StoreRun_W( near->high[i / GEL_LANES], high );
		lowest = MinVec_W( lowest, low );
		highest = MaxVec_W( highest, high );
	}
	near->lowest = SplatLeastVec_W( lowest );
	near->highest = gelNegVecW( SplatLeastVec_W( gelNegVecW( highest ) ) );
}

// Lanes of the run that starts with triangle `first` that meet a box, as bits.
GEL_FORCE_INLINE unsigned MeetRun_W(
	const Near_W* near, uint32_t first, const gelVec3W* boxLow, const gelVec3W* boxHigh )
{
	gelVec3W low = LoadRun_W( near->low[first / GEL_LANES] ),
			 high = LoadRun_W( near->high[first / GEL_LANES] );
	gelFloatW x = gelMaxW( gelSubW( low.x, boxHigh->x ), gelSubW( boxLow->x, high.x ) );
	gelFloatW y = gelMaxW( gelSubW( low.y, boxHigh->y ), gelSubW( boxLow->y, high.y ) );
	gelFloatW z = gelMaxW( gelSubW( low.z, boxHigh->z ), gelSubW( boxLow->z, high.z ) );
	gelFloatW gap = gelMaxW( x, gelMaxW( y, z ) );
	uint32_t left = near->count - first;
	unsigned lanes = left >= GEL_LANES ? 0xFFu : ( 1u << left ) - 1u;
	return ~(unsigned)gelMaskBitsW( gelGreaterW( gap, gelSplatW( 0.0f ) ) ) & lanes;
}

// All triangles of one range against all of the other.
GEL_FORCE_INLINE void TestRanges_W( PatchPair_W* p, gelCdgRange rangeA, gelCdgRange rangeB )
{
	const Near_W *a = p->near, *b = p->near + 1;
	ListNear_W( p, 0, rangeA );
	ListNear_W( p, 1, rangeB );
	if ( a->count == 0 || b->count == 0 ) return;
	BoxNear_W( p, 0 );
	BoxNear_W( p, 1 );
	uint32_t tests = 0;
	for ( uint32_t i = 0; i < a->count; i += GEL_LANES )
	{
		for ( unsigned met = MeetRun_W( a, i, &b->lowest, &b->highest ); met != 0; met &= met - 1u )
		{
			unsigned lane = gelLowestBit( met );
			gelVec3W low = SplatLane_W( a->low[i / GEL_LANES], lane ),
					 high = SplatLane_W( a->high[i / GEL_LANES], lane );
			for ( uint32_t j = 0; j < b->count; j += GEL_LANES )
			{
				for ( unsigned both = MeetRun_W( b, j, &low, &high ); both != 0; both &= both - 1u )
				{
					p->queue[0][p->queueCount] = a->triangles[i + lane];
					p->queue[1][p->queueCount++] = b->triangles[j + gelLowestBit( both )];
				}
				tests += GEL_LANES;
				if ( p->queueCount >= GEL_LANES ) ShortenQueue_W( p );
			}
		}
	}
	gelCountBoxTests( p->search->pairs, tests );
}

// ---- trees of large patches ------------------------------------------------------------------------------

GEL_FORCE_INLINE gelFloatW Project_W( const gelVec3W* axes, gelFloatW x, gelFloatW y, gelFloatW z )
{
	return gelAddW( gelAddW( gelMulW( axes->x, x ), gelMulW( axes->y, y ) ), gelMulW( axes->z, z ) );
}

GEL_FORCE_INLINE CellAxes_W MakeAxes_W( const gelContactSurface* s, uint32_t cell, const gelVec3W* axes )
{
	CellAxes_W out;
	gelFloatW p[4], unit = gelSplatW( 0x1p-8f );
	float scale = (float)s->grid.scale;
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3 x = gelScale( scale, gelAdd( s->nodes[s->pack->cells[cell].node[k]], s->shift ) );
		p[k] = Project_W( axes, gelSplatW( x.x ), gelSplatW( x.y ), gelSplatW( x.z ) );
	}
	gelFloatW lowA = gelMinW( p[0], p[1] ), highA = gelMaxW( p[0], p[1] );
	gelFloatW lowB = gelMinW( p[2], p[3] ), highB = gelMaxW( p[2], p[3] );
	gelFloatW a = gelMaxW( lowA, lowB ), b = gelMinW( highA, highB );
	gelFloatW second = gelMinW( a, b ), third = gelMaxW( a, b );
	// along an axis, rounding of the coordinates adds up as their components do
	out.slack = gelMulW( gelSplatW( scale * s->slack ),
		gelAddW( gelAbsW( axes->x ), gelAddW( gelAbsW( axes->y ), gelAbsW( axes->z ) ) ) );
	out.lowPivot = gelSubW( second, out.slack );
	out.highPivot = gelAddW( third, out.slack );
	for ( int k = 0; k < 4; ++k )
	{
		out.lowSlope[k] = gelMulW( unit, gelSubW( p[k], second ) );
		out.highSlope[k] = gelMulW( unit, gelSubW( p[k], third ) );
	}
	return out;
}

GEL_FORCE_INLINE Bounds_W BoundNode_W( const CellAxes_W* axes, uint64_t bounds )
{
	static const _Alignas( 32 ) float ones[GEL_LANES] = { 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f };
	_Alignas( 32 ) float w[GEL_LANES];
	gelStoreW( w, gelAddW( gelBytesW( bounds ), gelLoadW( ones ) ) );
	Bounds_W out = { axes->lowPivot, axes->highPivot };
	for ( int k = 0; k < 4; ++k )
	{
		gelFloatW a = gelSplatW( w[k] ), b = gelSplatW( w[4 + k] );
		out.low =
			gelAddW( out.low, gelMinW( gelMulW( a, axes->lowSlope[k] ), gelMulW( b, axes->lowSlope[k] ) ) );
		out.high = gelAddW(
			out.high, gelMaxW( gelMulW( a, axes->highSlope[k] ), gelMulW( b, axes->highSlope[k] ) ) );
	}
	return out;
}

GEL_FORCE_INLINE Bounds_W BoundTriangle_W( const PatchPair_W* p, int side, uint32_t triangle )
{
	const Corners_W* c = p->corners + side;
	gelFloatW q[3], slack = p->cell[side].slack;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		const gelVec4* v = c->points + GetCorner_W( c, triangle, k );
		q[k] = Project_W( &p->axes, gelSplatW( v->x ), gelSplatW( v->y ), gelSplatW( v->z ) );
	}
	return ( Bounds_W ){ gelSubW( gelMinW( q[0], gelMinW( q[1], q[2] ) ), slack ),
		gelAddW( gelMaxW( q[0], gelMaxW( q[1], q[2] ) ), slack ) };
}

GEL_FORCE_INLINE bool AreApart_W( const Bounds_W* a, const Bounds_W* b )
{
	return ( gelMaskBitsW( gelGreaterW( a->low, b->high ) ) |
			   gelMaskBitsW( gelGreaterW( b->low, a->high ) ) ) != 0;
}

GEL_FORCE_INLINE void PushPart_W( PatchPair_W* p, const RangePair_W* top, int side, gelCdgRange range )
{
	if ( range.first == range.end ) return;
	const gelCdgView* cdg = &p->search->surface[side]->pack->cdg;
	Bounds_W bounds = range.end - range.first == 1
		? BoundTriangle_W( p, side, range.first )
		: BoundNode_W( p->cell + side, gelCdg_GetBounds( cdg, range.first ) );
	if ( AreApart_W( &bounds, top->bounds + 1 - side ) ) return;
	RangePair_W* to = p->stack + p->depth++;
	GEL_ASSERT( p->depth <= GEL_WIDE_STACK );
	to->bounds[side] = bounds;
	to->range[side] = range;
	to->bounds[1 - side] = top->bounds[1 - side];
	to->range[1 - side] = top->range[1 - side];
}

// Descends from the roots of both patches, along the directions of a gelDop and n.
static void SearchTrees_W( PatchPair_W* p, const gelCdgRange ranges[2], gelVec3 n )
{
	const gelPatchSearch* search = p->search;
	const _Alignas( 32 ) float axes[3][GEL_LANES] = { { 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, -1.0f, n.x },
		{ 0.0f, 1.0f, 0.0f, 1.0f, 1.0f, -1.0f, 1.0f, n.y },
		{ 0.0f, 0.0f, 1.0f, 1.0f, -1.0f, 1.0f, 1.0f, n.z } };
	p->axes = LoadRun_W( axes );
	for ( int side = 0; side < 2; ++side )
	{
		const gelContactSurface* s = search->surface[side];
		p->cell[side] = MakeAxes_W( s, p->patch[side]->cell, &p->axes );
		p->stack[0].range[side] = ranges[side];
		p->stack[0].bounds[side] =
			BoundNode_W( p->cell + side, gelCdg_GetBounds( &s->pack->cdg, ranges[side].first ) );
	}
	for ( p->depth = 1; p->depth > 0 && search->pairs->lostCount == 0; )
	{
		RangePair_W top = p->stack[--p->depth];
		uint32_t countA = top.range[0].end - top.range[0].first,
				 countB = top.range[1].end - top.range[1].first;
		if ( countA <= search->leafSize && countB <= search->leafSize )
		{
			TestRanges_W( p, top.range[0], top.range[1] );
			continue;
		}
		int side = countA >= countB ? 0 : 1;
		gelCdgRange range = top.range[side], left, right;
		gelCdgRange_Split( range, &left, &right );
		PushPart_W( p, &top, side, ( gelCdgRange ){ range.first, range.first + 1 } );
		PushPart_W( p, &top, side, left );
		PushPart_W( p, &top, side, right );
	}
}

static bool SearchPatches_W( const gelPatchSearch* search )
{
	PatchPair_W p;
	gelCdgRange ranges[2];
	bool isSmall = true;
	for ( int side = 0; side < 2; ++side )
	{
		p.patch[side] = search->surface[side]->pack->patches + search->patch[side];
		uint32_t first = p.patch[side]->triangleFirst;
		ranges[side] = ( gelCdgRange ){ first, first + p.patch[side]->triangleCount };
		isSmall = isSmall && p.patch[side]->triangleCount <= search->leafSize;
	}
	p.search = search;
	p.queueCount = 0;
	gelVec3 axes[2];
	gelFindPatchAxes( search, axes );
	float gap = FindGap_W( &p, axes );
	if ( gap > search->margin ) return false;
	if ( gap > 0.0f ) return true;
	for ( int side = 0; side < 2; ++side )
	{
		gelContactSurface_Deform( search->surface[side], search->patch[side] );
		p.corners[side] = MakeCorners_W( search->surface[side], p.patch[side], p.heights[side][0] );
	}
	if ( isSmall )
		TestRanges_W( &p, ranges[0], ranges[1] );
	else
		SearchTrees_W( &p, ranges, axes[0] );
	FinishQueue_W( &p );
	return true;
}

// ---- coarse trees ----------------------------------------------------------------------------------------

// Children of a node that a box meets, as bits. Twin of MeetChildren.
static unsigned MeetChildren_W( const gelCoarseBoxes* boxes, const gelContactBounds* box )
{
	gelMaskW apart = gelGreaterW( gelLoadW( boxes->low[0] ), gelSplatW( box->high[0] ) );
	int mask = gelMaskBitsW( apart );
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		mask |= gelMaskBitsW( gelGreaterW( gelLoadW( boxes->low[k] ), gelSplatW( box->high[k] ) ) );
		mask |= gelMaskBitsW( gelGreaterW( gelSplatW( box->low[k] ), gelLoadW( boxes->high[k] ) ) );
	}
	return ~(unsigned)mask & 0xFFu;
}

GEL_KERNELS( gelContactKernels, gelGetContactKernels ) = { DeformPatch_W, SearchPatches_W, MeetChildren_W };
