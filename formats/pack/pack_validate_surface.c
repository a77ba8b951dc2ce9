// SPDX-License-Identifier: MIT
// Collision triangles (formats/pack.md section 10): records, neighbors, the implicit trees over the
// triangles of a patch, and the links between patches that follow from them.
//
// Patch by patch, in the order of memory. An edge between two triangles is looked at from the later one,
// when the earlier one is known to be sound: it must point back. What the earlier one says about the later
// is only counted. Each edge that holds has one half of each kind, so if there are as many of both kinds in
// the end, none of the earlier halves is left without an answer. Inside of a patch with short records both
// look at each other: that takes no more than comparing words.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

typedef struct Surface
{
	gelPackChecker* checker;
	const gelPackSection* section; // CTRI
	gelCdgView cdg;
	const gelPackLink* links;
	const gelPackPatch* patch;            // the present one
	uint32_t triangleCount;               // art triangles in the pack
	uint32_t borderCapacity;              // borders that the section has room for
	uint32_t borderCount;                 // seen so far
	uint32_t openCount;                   // edges without a neighbor
	uint64_t forwardCount, backwardCount; // halves of edges that lead to later and to earlier triangles
} Surface;

static bool Fail( const Surface* surface, gelPackCode code, uint32_t triangle, const char* text )
{
	const uint32_t* words = surface->cdg.triangles + (uint64_t)surface->cdg.words * triangle;
	return gelPackChecker_FailAt( surface->checker, code, surface->section, triangle, words, text );
}

static bool HasTriangle( const gelPackPatch* patch, uint32_t triangle )
{
	return triangle - patch->triangleFirst < patch->triangleCount; // wraps below the first
}

// ---- bounds --------------------------------------------------------------------------------------

#define EVEN_BYTES 0x00FF00FF00FF00FFu
#define LOW_BYTES  ( (uint64_t)0xFFFFFFFFu )

// Lows of the inner one are not below, highs not above: eight bytes compared in four lanes of 16 bits, twice.
static inline bool Contains( uint64_t outer, uint64_t inner )
{
	const uint64_t carry = 0x0100010001000100u;
	uint64_t least = ( outer & LOW_BYTES ) | ( inner & ~LOW_BYTES );
	uint64_t most = ( inner & LOW_BYTES ) | ( outer & ~LOW_BYTES );
	uint64_t even = ( ( most & EVEN_BYTES ) | carry ) - ( least & EVEN_BYTES );
	uint64_t odd = ( ( most >> 8 & EVEN_BYTES ) | carry ) - ( least >> 8 & EVEN_BYTES );
	return ( even & odd & carry ) == carry;
}

// Weights as integers of 2^-21 each. Of floats, what is below that counts as one more where it makes the
// difference to a bound, which is a multiple of 2^-8.
static inline void GetUnits( const gelCdgView* cdg, uint32_t slot, int32_t units[4] )
{
	if ( cdg->fixedWeights != NULL )
	{
		uint64_t x = cdg->fixedWeights[slot];
		units[0] = (int32_t)( x & 0x1FFFFFu );
		units[1] = (int32_t)( x >> 21 & 0x1FFFFFu );
		units[2] = (int32_t)( x >> 42 );
		units[3] = (int32_t)GEL_CDG_WEIGHT_SUM - units[0] - units[1] - units[2];
		return;
	}
	float w[4];
	gelCdg_GetWeights( cdg, slot, w );
	for ( int k = 0; k < 4; ++k )
	{
		float scaled = w[k] * (float)GEL_CDG_WEIGHT_SUM;
		units[k] = (int32_t)scaled;
		units[k] += (float)units[k] < scaled && ( units[k] & 0x1FFF ) == 0;
	}
}

// Three corners at once, by the sign of all differences.
static inline bool Holds( const gelCdgView* cdg, uint64_t bounds, const uint32_t slots[3] )
{
	int32_t a[4], b[4], c[4], fault = 0;
	GetUnits( cdg, slots[0], a );
	GetUnits( cdg, slots[1], b );
	GetUnits( cdg, slots[2], c );
	for ( int k = 0; k < 4; ++k )
	{
		int32_t low = (int32_t)( bounds >> 8 * k & 0xFFu ) << 13;
		int32_t high = (int32_t)( ( bounds >> ( 32 + 8 * k ) & 0xFFu ) + 1u ) << 13;
		fault |= ( a[k] - low ) | ( b[k] - low ) | ( c[k] - low );
		fault |= ( high - a[k] ) | ( high - b[k] ) | ( high - c[k] );
	}
	return fault >= 0;
}

static const char s_holdsRange[] = "the bounds of a tree node hold all triangles of its range";

static bool IsEmpty( uint64_t bounds )
{
	bool isEmpty = false;
	for ( int k = 0; k < 4; ++k )
	{
		// low <= high + 1: a flat b-DOP has low = high + 1
		isEmpty = isEmpty || gelCdg_Low( bounds, k ) > gelCdg_High( bounds, k );
	}
	return isEmpty;
}

// A node holds its own triangle. Corners are known to be in the patch.
static bool CheckOwnBounds( const Surface* surface )
{
	const gelPackPatch* patch = surface->patch;
	const uint32_t end = patch->triangleFirst + patch->triangleCount;
	for ( uint32_t i = patch->triangleFirst; i < end; ++i )
	{
		uint32_t slots[3];
		uint64_t bounds = gelCdg_GetBounds( &surface->cdg, i );
		gelCdg_GetCorners( &surface->cdg, patch, i, slots );
		if ( Holds( &surface->cdg, bounds, slots ) ) continue;
		if ( IsEmpty( bounds ) )
			return Fail( surface, gel_packValue, i, "the bounds of a collision triangle are not empty" );
		return Fail( surface, gel_packStructure, i, s_holdsRange );
	}
	return true;
}

// A node holds the nodes below it, and by induction all triangles of its range. Ranges of less than four are
// done at once: (i), (i, i + 1) and (i, i + 1, i + 2), where the first holds the others.
static bool CheckTree( const Surface* surface )
{
	const gelCdgView* cdg = &surface->cdg;
	gelCdgRange stack[GEL_CDG_MAX_DEPTH]; // one waits on each level; 2^29 triangles have 30 levels
	gelCdgRange range = { surface->patch->triangleFirst,
		surface->patch->triangleFirst + surface->patch->triangleCount };
	uint32_t top = 0;
	for ( ;; )
	{
		uint32_t i = range.first, count = range.end - i;
		gelCdgRange left, right;
		gelCdgRange_Split( range, &left, &right );
		uint32_t a = count < 4 ? i + ( count > 1 ) : left.first, b = count < 4 ? range.end - 1 : right.first;
		uint64_t bounds = gelCdg_GetBounds( cdg, i );
		if ( !Contains( bounds, gelCdg_GetBounds( cdg, a ) ) ||
			!Contains( bounds, gelCdg_GetBounds( cdg, b ) ) )
			return Fail( surface, gel_packStructure, i, s_holdsRange );
		if ( count >= 4 )
		{
			stack[top++] = right;
			range = left;
			continue;
		}
		if ( top == 0 ) return true;
		range = stack[--top];
	}
}

// ---- records -------------------------------------------------------------------------------------

static const char s_another[] = "a neighbor is another collision triangle, or none";

static bool CheckTwice( const Surface* surface, uint32_t i, const uint32_t n[3] )
{
	if ( ( n[0] != n[1] || n[0] == GEL_CDG_NIL ) && ( n[1] != n[2] || n[1] == GEL_CDG_NIL ) &&
		( n[2] != n[0] || n[2] == GEL_CDG_NIL ) )
		return true;
	return Fail( surface, gel_packStructure, i, "two triangles share one edge at most" );
}

static bool CheckRecord( Surface* surface, uint32_t i, const gelCdgTriangle* t )
{
	const gelPackPatch* patch = surface->patch;
	const uint32_t *v = t->vertex, *n = t->neighbor;
	for ( int k = 0; k < 3; ++k )
	{
		if ( v[k] - patch->vertexFirst >= patch->vertexCount )
			return Fail( surface, gel_packIndex, i, "corners of a collision triangle are in its patch" );
		if ( n[k] != GEL_CDG_NIL && ( n[k] >= surface->triangleCount || n[k] == i ) )
			return Fail( surface, gel_packIndex, i, s_another );
		surface->openCount += n[k] == GEL_CDG_NIL;
	}
	if ( v[0] == v[1] || v[1] == v[2] || v[2] == v[0] )
		return Fail( surface, gel_packStructure, i, "corners of a collision triangle are different" );
	if ( !CheckTwice( surface, i, n ) ) return false;
	bool border = !HasTriangle( patch, n[0] ) || !HasTriangle( patch, n[1] ) || !HasTriangle( patch, n[2] );
	if ( t->flags != ( border ? GEL_CDG_TRIANGLE_BORDER : 0 ) )
	{
		return Fail( surface, gel_packValue, i,
			"the border flag says whether an edge has no neighbor in the patch; the other flag is 0" );
	}
	return true;
}

// ---- neighbors ----------------------------------------------------------------------------------

// The patch of a neighbor, which is one of those that the present patch has links to; NULL: it has none.
// Links ascend, and with them the first triangles of their patches: a patch may have as many links as there
// are patches, and as many borders, so that looking at all links for each border would take for ever.
static const gelPackPatch* FindNeighborPatch( const Surface* surface, uint32_t triangle )
{
	const gelPackPatch *patch = surface->patch, *patches = surface->checker->view->patches;
	if ( HasTriangle( patch, triangle ) ) return patch;
	const gelPackLink* links = surface->links + patch->linkFirst;
	uint32_t low = 0, high = patch->linkCount; // links before low start no later, those from high on later
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( patches[links[middle].patch].triangleFirst <= triangle )
			low = middle + 1;
		else
			high = middle;
	}
	if ( low == 0 ) return NULL;
	const gelPackPatch* other = patches + links[low - 1].patch;
	return HasTriangle( other, triangle ) ? other : NULL;
}

// Whether a neighbor points back across the same edge, which both know by the same two welds.
static bool PointsBack(
	const Surface* surface, uint32_t i, const gelCdgTriangle* t, int k, const gelPackPatch* otherPatch )
{
	GEL_ASSERT( k >= 0 && k < 3 );
	const gelCdgView* cdg = &surface->cdg;
	const uint32_t a = t->vertex[k], b = t->vertex[k == 2 ? 0 : k + 1], n = t->neighbor[k];
	int j = 0;
	while ( j < 3 && gelCdg_GetNeighbor( cdg, otherPatch, n, j ) != i )
		++j;
	if ( j == 3 ) return false;
	uint32_t corners[3];
	gelCdg_GetCorners( cdg, otherPatch, n, corners );
	const uint32_t c = corners[j], d = corners[j == 2 ? 0 : j + 1];
	if ( a == d && b == c ) return true;
	return gelCdg_GetWeld( cdg, surface->patch, a ) == gelCdg_GetWeld( cdg, otherPatch, d ) &&
		gelCdg_GetWeld( cdg, surface->patch, b ) == gelCdg_GetWeld( cdg, otherPatch, c );
}

static const char s_pointsBack[] = "a neighbor has the same edge, in the other direction, and points back";

static bool CheckNeighbors( Surface* surface, uint32_t i, const gelCdgTriangle* t )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( t->neighbor[k] == GEL_CDG_NIL ) continue;
		const gelPackPatch* other = FindNeighborPatch( surface, t->neighbor[k] );
		if ( other == NULL )
			return Fail( surface, gel_packStructure, i, "a patch has a link to every patch that it touches" );
		if ( t->neighbor[k] > i )
		{
			surface->forwardCount += 1;
			continue;
		}
		surface->backwardCount += 1;
		if ( !PointsBack( surface, i, t, k, other ) )
			return Fail( surface, gel_packStructure, i, s_pointsBack );
	}
	return true;
}

// All records are sound, but some triangle has a neighbor that does not know it.
static bool FailUnanswered( Surface* surface )
{
	const gelPackView* view = surface->checker->view;
	uint32_t p = 0;
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
	{
		p += i - view->patches[p].triangleFirst == view->patches[p].triangleCount;
		surface->patch = view->patches + p;
		gelCdgTriangle t = gelCdg_GetTriangle( &surface->cdg, surface->patch, i );
		for ( int k = 0; k < 3; ++k )
		{
			const gelPackPatch* other = FindNeighborPatch( surface, t.neighbor[k] );
			if ( t.neighbor[k] != GEL_CDG_NIL && !PointsBack( surface, i, &t, k, other ) )
				return Fail( surface, gel_packStructure, i, s_pointsBack );
		}
	}
	return Fail( surface, gel_packStructure, 0, s_pointsBack );
}

static bool CheckLongRecords( Surface* surface )
{
	const gelPackPatch* patch = surface->patch;
	for ( uint32_t i = patch->triangleFirst; i < patch->triangleFirst + patch->triangleCount; ++i )
	{
		gelCdgTriangle t = gelCdg_GetTriangle( &surface->cdg, patch, i );
		if ( !CheckRecord( surface, i, &t ) || !CheckNeighbors( surface, i, &t ) ) return false;
	}
	return true;
}

// ---- short records -------------------------------------------------------------------------------

// Borders are numbered in the order in which they are met, so that none can be wild.
static bool CheckBorder( Surface* surface, uint32_t i, uint32_t code, uint32_t* outNeighbor )
{
	const gelPackPatch* patch = surface->patch;
	if ( code - patch->triangleCount != surface->borderCount - patch->borderFirst ||
		surface->borderCount == surface->borderCapacity )
	{
		return Fail(
			surface, gel_packIndex, i, "borders of a patch are numbered behind its triangles, in order" );
	}
	*outNeighbor = gelBitArray_Get( surface->cdg.borders, surface->borderCount++ );
	if ( *outNeighbor >= surface->triangleCount ) return Fail( surface, gel_packIndex, i, s_another );
	if ( HasTriangle( patch, *outNeighbor ) )
		return Fail( surface, gel_packStructure, i, "a border leads to another patch" );
	return true;
}

// Edges of a triangle that leave the patch.
static bool CheckBorders( Surface* surface, uint32_t i, const uint32_t codes[3] )
{
	gelCdgTriangle t = { .neighbor = { GEL_CDG_NIL, GEL_CDG_NIL, GEL_CDG_NIL } }; // but for those edges
	gelCdg_GetCorners( &surface->cdg, surface->patch, i, t.vertex );
	for ( int k = 0; k < 3; ++k )
	{
		if ( codes[k] < surface->patch->triangleCount ) continue;
		surface->openCount += codes[k] == GEL_CDG_SHORT_NIL;
		if ( codes[k] != GEL_CDG_SHORT_NIL && !CheckBorder( surface, i, codes[k], t.neighbor + k ) )
			return false;
	}
	return CheckTwice( surface, i, t.neighbor ) && CheckNeighbors( surface, i, &t );
}

// Whether the other triangle of a patch has the edge (b, a) and across it this one: one word has both. Which
// of its edges it is, nobody can guess: so there are no branches.
static inline uint32_t HasEdge( const uint32_t* other, uint32_t a, uint32_t b, uint32_t local )
{
	const uint64_t wanted = (uint64_t)a << 32 | ( b | local << 16 );
	uint64_t edge[2]; // a word and the next, of which only the corner counts
	memcpy( edge, other + 2, sizeof( edge[0] ) );
	memcpy( edge + 1, other + 3, sizeof( edge[1] ) );
	uint64_t last = (uint64_t)other[2] << 32 | other[4];
	return (uint32_t)( ( edge[0] ^ wanted ) << 16 == 0 ) | (uint32_t)( ( edge[1] ^ wanted ) << 16 == 0 ) |
		(uint32_t)( ( last ^ wanted ) << 16 == 0 );
}

// What is wrong with a record and its edges inside of the patch, as a number other than 0. There an edge is
// known by its slots, and the words across are looked at before anything is known about them: they are in
// the patch, whatever they are.
static inline uint32_t FindShortFault( const gelPackPatch* patch, const uint32_t* first, uint32_t local )
{
	const uint32_t* w = first + (uint64_t)GEL_CDG_SHORT_WORDS * local + 2;
	uint32_t fault = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t next = w[k == 2 ? 0 : k + 1], a = w[k] & 0xFFFFu, b = next & 0xFFFFu, code = w[k] >> 16;
		uint32_t isInside = code < patch->triangleCount, across = isInside ? code : local;
		uint32_t hasEdge = HasEdge( first + (uint64_t)GEL_CDG_SHORT_WORDS * across, a, b, local );
		fault |= (uint32_t)( a >= patch->vertexCount ) | (uint32_t)( a == b );
		fault |=
			isInside & ( ( hasEdge ^ 1u ) | (uint32_t)( code == next >> 16 ) | (uint32_t)( code == local ) );
	}
	return fault;
}

static bool FailShort( Surface* surface, const uint32_t* first )
{
	uint32_t local = 0;
	while ( FindShortFault( surface->patch, first, local ) == 0 )
		++local;
	uint32_t i = surface->patch->triangleFirst + local;
	gelCdgTriangle t = gelCdg_GetTriangle( &surface->cdg, surface->patch, i );
	return CheckRecord( surface, i, &t ) && Fail( surface, gel_packStructure, i, s_pointsBack );
}

static bool CheckShortRecords( Surface* surface )
{
	const gelPackPatch* patch = surface->patch;
	const uint32_t* first = surface->cdg.triangles + (uint64_t)GEL_CDG_SHORT_WORDS * patch->triangleFirst;
	uint32_t fault = 0;
	if ( patch->triangleCount > GEL_CDG_SHORT_NIL || patch->vertexCount > GEL_CDG_SHORT_VERTICES )
	{
		return Fail( surface, gel_packSize, patch->triangleFirst,
			"patches with short records have at most 65535 triangles and 65536 vertices" );
	}
	if ( patch->borderFirst != surface->borderCount )
	{
		return Fail( surface, gel_packIndex, patch->triangleFirst,
			"patches have borders, one patch's behind another's" );
	}
	for ( uint32_t local = 0; local < patch->triangleCount; ++local )
	{
		const uint32_t* w = first + (uint64_t)GEL_CDG_SHORT_WORDS * local + 2;
		const uint32_t codes[3] = { w[0] >> 16, w[1] >> 16, w[2] >> 16 };
		fault |= FindShortFault( patch, first, local );
		if ( codes[0] < patch->triangleCount && codes[1] < patch->triangleCount &&
			codes[2] < patch->triangleCount )
			continue;
		if ( !CheckBorders( surface, patch->triangleFirst + local, codes ) ) return false;
	}
	return fault == 0 || FailShort( surface, first );
}

// ---- links ---------------------------------------------------------------------------------------

static bool CheckLinkPatches( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackView* view = checker->view;
	const gelPackLink* links = gelPackView_Bytes( view, s );
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = patch->linkFirst; i < patch->linkFirst + patch->linkCount; ++i )
		{
			const gelPackLink* link = links + i;
			if ( link->patch >= view->header->cdgPatchCount || link->patch == p ||
				( i > patch->linkFirst && link->patch <= links[i - 1].patch ) )
				return FAIL( gel_packIndex, s, i, link, "links lead to other patches, ascending" );
			if ( !HasTriangle( view->patches + link->patch, link->entry ) )
				return FAIL( gel_packIndex, s, i, link, "the entry of a link is in the patch of the link" );
		}
	}
	return true;
}

static bool CheckLinkEntries( gelPackChecker* checker, const gelPackSection* s, const gelCdgView* cdg )
{
	const gelPackView* view = checker->view;
	const gelPackLink* links = gelPackView_Bytes( view, s );
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = patch->linkFirst; i < patch->linkFirst + patch->linkCount; ++i )
		{
			gelCdgTriangle t = gelCdg_GetTriangle( cdg, view->patches + links[i].patch, links[i].entry );
			if ( !HasTriangle( patch, t.neighbor[0] ) && !HasTriangle( patch, t.neighbor[1] ) &&
				!HasTriangle( patch, t.neighbor[2] ) )
				return FAIL( gel_packStructure, s, i, links + i, "the entry of a link touches the patch" );
		}
	}
	return true;
}

// ---- all -----------------------------------------------------------------------------------------

static bool CheckTriangles( Surface* surface )
{
	const gelPackView* view = surface->checker->view;
	const bool isShort = surface->cdg.words == GEL_CDG_SHORT_WORDS;
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		surface->patch = view->patches + p;
		if ( !( isShort ? CheckShortRecords( surface ) : CheckLongRecords( surface ) ) ) return false;
		if ( !CheckOwnBounds( surface ) || !CheckTree( surface ) ) return false;
	}
	return surface->forwardCount == surface->backwardCount || FailUnanswered( surface );
}

// Borders are those that the triangles refer to, no more.
static bool CheckBorderArray( const Surface* surface, uint32_t words )
{
	gelPackChecker* checker = surface->checker;
	const gelPackSection* s = gelPack_FindSection( checker->view, GEL_SECTION_CVTX, 0 );
	if ( words != gelBitArray_Words( surface->cdg.borders.bits, surface->borderCount ) )
	{
		return FAIL( gel_packSize, s, 2, surface->cdg.borders.data,
			"there are as many borders as edges that leave a patch" );
	}
	return gelPackChecker_CheckBits( checker, s, surface->cdg.borders, surface->borderCount );
}

bool gelPackChecker_CheckSurface( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_CTRI, 0 );
	const gelPackSection* linkSection = gelPack_FindSection( view, GEL_SECTION_CADJ, 0 );
	Surface surface = { .checker = checker, .section = s, .cdg = view->cdg, .triangleCount = s->count };
	surface.cdg.triangles = gelPackView_Bytes( view, s );
	surface.cdg.words = s->stride / (uint32_t)sizeof( uint32_t );
	surface.links = gelPackView_Bytes( view, linkSection );
	if ( surface.cdg.words == GEL_CDG_NARROW_WORDS &&
		( view->header->cdgVertexCount > GEL_CDG_NARROW_NIL || s->count > GEL_CDG_NARROW_NIL ) )
	{
		return Fail( &surface, gel_packSize, 0, "narrow triangles need counts below 2^21" );
	}
	const gelPackSection* vertexSection = gelPack_FindSection( view, GEL_SECTION_CVTX, 0 );
	const gelPackCdgVertices* vertices = gelPackView_Bytes( view, vertexSection );
	const uint32_t borderWords = vertices->borders.count;
	if ( view->cdg.fixedWeights != NULL )
	{
		const uint32_t bits = gelBitArray_Width( s->count );
		surface.cdg.borders =
			( gelBitArray ){ gelPackView_Array( view, vertexSection, vertices->borders ), bits };
		// room behind the last integer is checked at the end, reads before that must not go beyond
		if ( borderWords > 2 )
			surface.borderCapacity = (uint32_t)( ( borderWords - 2 ) * (uint64_t)32 / bits );
	}
	if ( !CheckLinkPatches( checker, linkSection ) || !CheckTriangles( &surface ) ) return false;
	if ( view->cdg.fixedWeights != NULL && !CheckBorderArray( &surface, borderWords ) ) return false;
	if ( !CheckLinkEntries( checker, linkSection, &surface.cdg ) ) return false;
	view->cdg = surface.cdg;
	view->cdgOpenEdges = surface.openCount;
	view->links = surface.links;
	view->linkCount = linkSection->count;
	return true;
}
