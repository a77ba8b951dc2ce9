// SPDX-License-Identifier: MIT
// The trees of two patches against each other: lanes are axes. And vertices of a patch on the grid of a pair.
//
// Everything is in units of the grid. A node of a tree is bounded along all axes at once from the four nodes
// of its cell (cell_bounds.h, one pivot per side); a triangle from its corners. Ranges with few pairs of
// triangles are not split any more: their triangles get boxes, [ low, -high ] on one side and [ high, -low ]
// on the other, so that one comparison tells whether two of them are apart. What is left waits until there
// are eight pairs (wide_crossing.h).
#include "contact/detect/contact_kernels.h"

#include "contact/detect/contact_find.h"
#include "query/surface_query.h"
#include "contact/detect/wide_crossing.h"

// ---- vertices --------------------------------------------------------------------------------------------

// Deformed, snapped vertices of a patch: eight slots at a time, padding included.
static void DeformPatch_W(
	const gelPackView* pack, uint32_t index, const gelVec3* nodes, const gelGrid* grid, gelVec4* points )
{
	static const uint32_t lanes[GEL_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
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
		if ( pack->cdg.fixedWeights != NULL )
		{
			gelFloatW unit = gelSplatW( GEL_CDG_WEIGHT_UNIT );
			gelUnpackWeightsW( pack->cdg.fixedWeights + slot, lanes, w );
			// integers below 2^22: exact
			w[3] = gelSubW( gelSubW( gelSubW( gelSplatW( (float)GEL_CDG_WEIGHT_SUM ), w[0] ), w[1] ), w[2] );
			for ( int k = 0; k < 4; ++k )
				w[k] = gelMulW( w[k], unit );
		}
		else
		{
			for ( uint32_t k = 0; k < 4; ++k )
				w[k] = gelLoadW( pack->cdg.floatWeights + 4u * (size_t)slot + GEL_PACK_LANES * k );
		}
		gelVec3W p = gelScaleVecW( w[0], x[0] );
		for ( int k = 1; k < 4; ++k )
			p = gelMulAddVecW( p, w[k], x[k] );
		gelNodesW out = { gelSnapW( p.x, grid->offset[0], grid->scale ),
			gelSnapW( p.y, grid->offset[1], grid->scale ), gelSnapW( p.z, grid->offset[2], grid->scale ),
			gelSplatW( 0.0f ) };
		gelStoreNodesW( points + slot, out );
	}
}

// ---- bounds ----------------------------------------------------------------------------------------------

// What the bounds of parts of one patch are made of.
typedef struct CellAxes_W
{
	gelFloatW lowPivot, highPivot, lowSlope[4], highSlope[4];
} CellAxes_W;

typedef struct Bounds_W
{
	gelFloatW low, high;
} Bounds_W;

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
	gelFloatW slack = gelMulW( gelSplatW( scale * s->slack ),
		gelAddW( gelAbsW( axes->x ), gelAddW( gelAbsW( axes->y ), gelAbsW( axes->z ) ) ) );
	out.lowPivot = gelSubW( second, slack );
	out.highPivot = gelAddW( third, slack );
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

// ---- two patches -----------------------------------------------------------------------------------------

// A patch of 2^29 triangles has 30 levels. A node is split into its own triangle and two children, so each
// level of either tree leaves two entries behind.
#define GEL_WIDE_STACK ( 2 * 2 * 32 + 1 )

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
	uint32_t stride, mask;
} Corners_W;

// Two runs can add so many pairs to fewer than eight that are left.
#define GEL_PAIR_QUEUE ( GEL_BOX_RUN * GEL_BOX_RUN + GEL_LANES )

typedef struct PatchPair_W
{
	const gelPatchSearch* search;
	const gelCdgView* cdg[2];
	const gelPackPatch* patch[2];
	Corners_W corners[2];
	uint32_t queue[2][GEL_PAIR_QUEUE]; // triangles whose boxes meet
	uint32_t queueCount;
	gelVec3W axes; // one per lane
	CellAxes_W cell[2];
	gelFloatW slack; // how far a triangle may be off
	RangePair_W stack[GEL_WIDE_STACK];
	int depth;
} PatchPair_W;

GEL_FORCE_INLINE Corners_W MakeCorners_W( const gelContactSurface* s, const gelPackPatch* patch )
{
	const gelCdgView* cdg = &s->pack->cdg;
	if ( cdg->words == GEL_CDG_SHORT_WORDS )
		return ( Corners_W ){ cdg->triangles + 2, s->points + patch->vertexFirst, cdg->words, 0xFFFFu };
	uint32_t mask = cdg->words == GEL_CDG_WIDE_WORDS ? 0x7FFFFFFFu : GEL_CDG_NARROW_NIL;
	return ( Corners_W ){ cdg->triangles, s->points, cdg->words, mask };
}

GEL_FORCE_INLINE const gelVec4* GetCorner_W( const Corners_W* c, uint32_t triangle, uint32_t k )
{
	return c->points + ( c->words[(size_t)c->stride * triangle + k] & c->mask );
}

GEL_FORCE_INLINE Bounds_W BoundTriangle_W( const PatchPair_W* p, int side, uint32_t triangle )
{
	gelFloatW q[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		const gelVec4* v = GetCorner_W( p->corners + side, triangle, k );
		q[k] = Project_W( &p->axes, gelSplatW( v->x ), gelSplatW( v->y ), gelSplatW( v->z ) );
	}
	return ( Bounds_W ){ gelSubW( gelMinW( q[0], gelMinW( q[1], q[2] ) ), p->slack ),
		gelAddW( gelMaxW( q[0], gelMaxW( q[1], q[2] ) ), p->slack ) };
}

GEL_FORCE_INLINE bool AreApart_W( const Bounds_W* a, const Bounds_W* b )
{
	return ( gelMaskBitsW( gelGreaterW( a->low, b->high ) ) |
			   gelMaskBitsW( gelGreaterW( b->low, a->high ) ) ) != 0;
}

// Boxes of a run of triangles. The last run is filled up with empty ones.
GEL_FORCE_INLINE gelFloatW BoxRun_W(
	const PatchPair_W* p, int side, gelCdgRange range, gelBoxBlock* block, uint32_t run )
{
	gelFloat4 low[GEL_BOX_RUN], high[GEL_BOX_RUN];
	gelFloat4 lowest = gelSplat4( INFINITY ), highest = gelSplat4( -INFINITY );
	uint32_t first = range.first + GEL_BOX_RUN * run;
	const Corners_W corners = p->corners[side];
	for ( uint32_t i = 0; i < GEL_BOX_RUN; ++i )
	{
		low[i] = gelSplat4( INFINITY );
		high[i] = gelSplat4( -INFINITY );
		if ( first + i >= range.end ) continue;
		gelFloat4 a = gelLoad4( GetCorner_W( &corners, first + i, 0 ) ),
				  b = gelLoad4( GetCorner_W( &corners, first + i, 1 ) ),
				  c = gelLoad4( GetCorner_W( &corners, first + i, 2 ) );
		low[i] = gelMin4( a, gelMin4( b, c ) );
		high[i] = gelMax4( a, gelMax4( b, c ) );
		lowest = gelMin4( lowest, low[i] );
		highest = gelMax4( highest, high[i] );
	}
	gelNodesW l = gelCollectLanesW( low ), h = gelCollectLanesW( high );
	gelStoreW( block->low[run][0], l.x );
	gelStoreW( block->low[run][1], l.y );
	gelStoreW( block->low[run][2], l.z );
	gelStoreW( block->high[run][0], h.x );
	gelStoreW( block->high[run][1], h.y );
	gelStoreW( block->high[run][2], h.z );
	gelFloatW box =
		side == 0 ? gelJoinW( lowest, gelNeg4( highest ) ) : gelJoinW( highest, gelNeg4( lowest ) );
	gelStoreW( block->runs[run], box );
	return box;
}

// Boxes of a range, which may be remembered.
GEL_FORCE_INLINE const gelBoxBlock* NeedBlock_W( const PatchPair_W* p, int side, gelCdgRange range )
{
	const gelContactSurface* surface = p->search->surface[side];
	uint32_t place = range.first * 0x9E3779B1u >> 25, count = range.end - range.first;
	gelBoxBlock* block = p->search->pairs->blocks + GEL_BOX_BLOCKS * (uint32_t)side + place;
	if ( block->first == range.first && block->count == count && block->stamp == surface->stamp )
		return block;
	block->first = range.first;
	block->count = count;
	block->stamp = surface->stamp;
	gelFloatW none = gelSplatW( side == 0 ? INFINITY : -INFINITY ), all = none, group = none;
	for ( uint32_t i = 0; i < count; i += GEL_BOX_RUN )
	{
		gelFloatW run = BoxRun_W( p, side, range, block, i / GEL_BOX_RUN );
		if ( i % GEL_BOX_GROUP == 0 ) group = none;
		group = side == 0 ? gelMinW( group, run ) : gelMaxW( group, run );
		all = side == 0 ? gelMinW( all, run ) : gelMaxW( all, run );
		gelStoreW( block->groups[i / GEL_BOX_GROUP], group );
	}
	gelStoreW( block->all, all );
	return block;
}

GEL_FORCE_INLINE bool DoBoxesMeet_W( const float* a, const float* b )
{
	return gelMaskBitsW( gelGreaterW( gelLoadW( a ), gelLoadW( b ) ) ) == 0;
}

// ---- triangles whose boxes meet ----

// One corner of eight triangles that wait.
GEL_FORCE_INLINE gelVec3W GatherCorners_W(
	const Corners_W* c, const uint32_t triangles[GEL_LANES], uint32_t k )
{
	gelFloat4 parts[GEL_LANES];
	for ( int i = 0; i < GEL_LANES; ++i )
		parts[i] = gelLoad4( GetCorner_W( c, triangles[i], k ) );
	gelNodesW points = gelCollectLanesW( parts );
	return ( gelVec3W ){ points.x, points.y, points.z };
}

// Tests eight pairs that wait. @param lanes those that count
GEL_FORCE_INLINE void TestQueue_W( const PatchPair_W* p, uint32_t first, unsigned lanes )
{
	const uint32_t *triangleA = p->queue[0] + first, *triangleB = p->queue[1] + first;
	const Corners_W cornersA = p->corners[0], cornersB = p->corners[1];
	gelVec3W a[3], b[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		a[k] = GatherCorners_W( &cornersA, triangleA, k );
		b[k] = GatherCorners_W( &cornersB, triangleB, k );
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

// Tests all that wait, fewer than eight at last.
static void FinishQueue_W( PatchPair_W* p )
{
	if ( p->queueCount == 0 ) return;
	for ( uint32_t i = p->queueCount; i < GEL_LANES; ++i )
	{
		p->queue[0][i] = p->queue[0][0];
		p->queue[1][i] = p->queue[1][0];
	}
	TestQueue_W( p, 0, ( 1u << p->queueCount ) - 1u );
	p->queueCount = 0;
}

// Tests pairs as long as there are eight.
static void ShortenQueue_W( PatchPair_W* p )
{
	uint32_t first = 0;
	for ( ; first + GEL_LANES <= p->queueCount; first += GEL_LANES )
		TestQueue_W( p, first, 0xFFu );
	p->queueCount -= first;
	for ( uint32_t i = 0; i < p->queueCount; ++i )
	{
		p->queue[0][i] = p->queue[0][first + i];
		p->queue[1][i] = p->queue[1][first + i];
	}
}

// Lanes of a run that meet a box, as bits.
GEL_FORCE_INLINE unsigned MeetRun_W(
	const gelVec3W* low, const gelVec3W* high, const gelVec3W* boxLow, const gelVec3W* boxHigh )
{
	gelFloatW x = gelMaxW( gelSubW( low->x, boxHigh->x ), gelSubW( boxLow->x, high->x ) );
	gelFloatW y = gelMaxW( gelSubW( low->y, boxHigh->y ), gelSubW( boxLow->y, high->y ) );
	gelFloatW z = gelMaxW( gelSubW( low->z, boxHigh->z ), gelSubW( boxLow->z, high->z ) );
	gelFloatW gap = gelMaxW( x, gelMaxW( y, z ) );
	return ~(unsigned)gelMaskBitsW( gelGreaterW( gap, gelSplatW( 0.0f ) ) ) & 0xFFu;
}

GEL_FORCE_INLINE gelVec3W LoadRun_W( const float rows[3][GEL_BOX_RUN] )
{
	return ( gelVec3W ){ gelLoadW( rows[0] ), gelLoadW( rows[1] ), gelLoadW( rows[2] ) };
}

GEL_FORCE_INLINE gelVec3W SplatLane_W( const float rows[3][GEL_BOX_RUN], unsigned lane )
{
	return ( gelVec3W ){ gelSplatW( rows[0][lane] ), gelSplatW( rows[1][lane] ), gelSplatW( rows[2][lane] ) };
}

// Triangles of two runs.
GEL_FORCE_INLINE void TestRuns_W(
	PatchPair_W* p, const gelBoxBlock* a, uint32_t runA, const gelBoxBlock* b, uint32_t runB )
{
	const float* box = b->runs[runB]; // high, 0, -low, 0
	gelVec3W high = { gelSplatW( box[0] ), gelSplatW( box[1] ), gelSplatW( box[2] ) };
	gelVec3W low = { gelSplatW( -box[4] ), gelSplatW( -box[5] ), gelSplatW( -box[6] ) };
	gelVec3W lowA = LoadRun_W( a->low[runA] ), highA = LoadRun_W( a->high[runA] );
	gelVec3W lowB = LoadRun_W( b->low[runB] ), highB = LoadRun_W( b->high[runB] );
	uint32_t firstA = a->first + GEL_BOX_RUN * runA, firstB = b->first + GEL_BOX_RUN * runB;
	uint32_t count = p->queueCount, tests = 0;
	for ( unsigned near = MeetRun_W( &lowA, &highA, &low, &high ); near != 0; near &= near - 1u )
	{
		unsigned i = gelLowestBit( near );
		low = SplatLane_W( a->low[runA], i );
		high = SplatLane_W( a->high[runA], i );
		tests += GEL_BOX_RUN;
		for ( unsigned met = MeetRun_W( &lowB, &highB, &low, &high ); met != 0; met &= met - 1u )
		{
			p->queue[0][count] = firstA + i;
			p->queue[1][count++] = firstB + gelLowestBit( met );
		}
	}
	p->queueCount = count;
	gelCountBoxTests( p->search->pairs, tests );
	if ( count >= GEL_LANES ) ShortenQueue_W( p );
}

// Runs of two groups.
GEL_FORCE_INLINE void TestGroups_W(
	PatchPair_W* p, const gelBoxBlock* a, uint32_t groupA, const gelBoxBlock* b, uint32_t groupB )
{
	const uint32_t step = GEL_BOX_GROUP / GEL_BOX_RUN;
	for ( uint32_t i = step * groupA; i < step * ( groupA + 1 ) && GEL_BOX_RUN * i < a->count; ++i )
	{
		if ( !DoBoxesMeet_W( a->runs[i], b->groups[groupB] ) ) continue;
		for ( uint32_t j = step * groupB; j < step * ( groupB + 1 ) && GEL_BOX_RUN * j < b->count; ++j )
		{
			if ( DoBoxesMeet_W( a->runs[i], b->runs[j] ) ) TestRuns_W( p, a, i, b, j );
		}
	}
}

// All triangles of one range against all of the other.
GEL_FORCE_INLINE void TestRanges_W( PatchPair_W* p, gelCdgRange rangeA, gelCdgRange rangeB )
{
	const gelBoxBlock *a = NeedBlock_W( p, 0, rangeA ), *b = NeedBlock_W( p, 1, rangeB );
	if ( !DoBoxesMeet_W( a->all, b->all ) ) return;
	for ( uint32_t i = 0; GEL_BOX_GROUP * i < a->count; ++i )
	{
		if ( !DoBoxesMeet_W( a->groups[i], b->all ) ) continue;
		for ( uint32_t j = 0; GEL_BOX_GROUP * j < b->count; ++j )
		{
			if ( DoBoxesMeet_W( a->groups[i], b->groups[j] ) ) TestGroups_W( p, a, i, b, j );
		}
	}
}

GEL_FORCE_INLINE void PushPart_W( PatchPair_W* p, const RangePair_W* top, int side, gelCdgRange range )
{
	if ( range.first == range.end ) return;
	Bounds_W bounds = range.end - range.first == 1
		? BoundTriangle_W( p, side, range.first )
		: BoundNode_W( p->cell + side, gelCdg_GetBounds( p->cdg[side], range.first ) );
	if ( AreApart_W( &bounds, top->bounds + 1 - side ) ) return;
	RangePair_W* to = p->stack + p->depth++;
	GEL_ASSERT( p->depth <= GEL_WIDE_STACK );
	to->bounds[side] = bounds;
	to->range[side] = range;
	to->bounds[1 - side] = top->bounds[1 - side];
	to->range[1 - side] = top->range[1 - side];
}

static void SearchPatches_W( const gelPatchSearch* search )
{
	PatchPair_W p;
	p.search = search;
	p.axes =
		( gelVec3W ){ gelLoadW( search->axes[0] ), gelLoadW( search->axes[1] ), gelLoadW( search->axes[2] ) };
	p.slack = gelSplatW( 0.0f );
	RangePair_W root;
	for ( int side = 0; side < 2; ++side )
	{
		const gelContactSurface* s = search->surface[side];
		p.cdg[side] = &s->pack->cdg;
		p.patch[side] = s->pack->patches + search->patch[side];
		p.corners[side] = MakeCorners_W( s, p.patch[side] );
		p.cell[side] = MakeAxes_W( s, p.patch[side]->cell, &p.axes );
		// projections of grid points round, too
		p.slack = gelAddW( p.slack,
			gelMulW( gelSplatW( GEL_BOUND_SLACK ),
				gelMaxW( gelAbsW( p.cell[side].lowPivot ), gelAbsW( p.cell[side].highPivot ) ) ) );
		uint32_t first = p.patch[side]->triangleFirst;
		root.range[side] = ( gelCdgRange ){ first, first + p.patch[side]->triangleCount };
		root.bounds[side] = BoundNode_W( p.cell + side, gelCdg_GetBounds( p.cdg[side], first ) );
	}
	if ( AreApart_W( root.bounds, root.bounds + 1 ) ) return;
	for ( int side = 0; side < 2; ++side )
		gelContactSurface_Deform( search->surface[side], search->patch[side] );
	p.stack[0] = root;
	p.depth = 1;
	p.queueCount = 0;
	while ( p.depth > 0 && search->pairs->lostCount == 0 )
	{
		RangePair_W top = p.stack[--p.depth];
		uint32_t countA = top.range[0].end - top.range[0].first,
				 countB = top.range[1].end - top.range[1].first;
		if ( countA <= search->leafSize && countB <= search->leafSize )
		{
			TestRanges_W( &p, top.range[0], top.range[1] );
			continue;
		}
		int side = countA >= countB ? 0 : 1;
		gelCdgRange range = top.range[side], left, right;
		gelCdgRange_Split( range, &left, &right );
		PushPart_W( &p, &top, side, ( gelCdgRange ){ range.first, range.first + 1 } );
		PushPart_W( &p, &top, side, left );
		PushPart_W( &p, &top, side, right );
	}
	FinishQueue_W( &p );
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
