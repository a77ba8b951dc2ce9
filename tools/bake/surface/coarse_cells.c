// SPDX-License-Identifier: MIT
// Fewer cells for art of few triangles. Where triangles are larger than tets, the cuts outnumber the art; a
// coarser cage over the same nodes makes fewer of them. Nodes are merged into a neighbor one by one, the one
// that saves most cuts first, as long as the tets that are left are positive, well shaped and free of overlap
// and the art stays strictly inside; all of that is decided exactly. The cells are still deformed by nodes
// that are simulated. What is lost: inside a cell the surface no longer follows each tet of the cage, so when
// the body bends, collision and picture differ by as much as one linear function differs from several.
#include "bake/surface/coarse_mesh.h"

#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <string.h>

// How bad tets may get, 1 for a regular one; thinner ones only where the cage has them too. One merge bars
// another, so a limit that allows more can end with more cuts: the best of several is taken.
static const double s_limits[] = { 0.05, 0.03, 0.02 };

// Triangles that cuts are counted on; of larger art every so many.
#define GEL_COARSE_SAMPLES 8192

typedef struct Coarsener
{
	gelCoarseMesh mesh;
	const gelCdgArt* art;
	uint32_t* cells;        // cell of each art point
	gelCoarseList* content; // per tet: art triangles in it
	uint32_t* stamps;       // per art triangle
	uint32_t stamp, stride;
	uint32_t* gathered; // [triangleCount] art triangles around the present node
	uint32_t gatheredCount;
	int32_t* gain;  // per node: cuts that its best merge saves; 0: none
	uint32_t* into; // per node: the node to merge it into
	bool* known;    // per node: gain is up to date
	double leastQuality;
	int64_t saved; // cuts
	gelBakePool* pool;
} Coarsener;

static void GetTriangle( const Coarsener* c, uint32_t triangle, gelVec3d out[3] )
{
	for ( int k = 0; k < 3; ++k )
		out[k] = c->art->points[c->art->corners[3 * (size_t)triangle + (size_t)k]];
}

// Six times the signed volume of a tet [m^3].
static double Volume( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d )
{
	return gelDotD( gelSubD( b, a ), gelCrossD( gelSubD( c, a ), gelSubD( d, a ) ) );
}

// Does the line through p and q pass through the triangle? Rounded: it decides the order of merges only.
static bool Pierces( gelVec3d p, gelVec3d q, const gelVec3d f[3] )
{
	bool a = Volume( p, q, f[0], f[1] ) > 0.0, b = Volume( p, q, f[1], f[2] ) > 0.0;
	return a == b && ( Volume( p, q, f[2], f[0] ) > 0.0 ) == a;
}

// The same between two points. A point in the plane counts as below it.
static bool SegmentPierces( gelVec3d p, gelVec3d q, const gelVec3d f[3] )
{
	return ( Volume( f[0], f[1], f[2], p ) > 0.0 ) != ( Volume( f[0], f[1], f[2], q ) > 0.0 ) &&
		Pierces( p, q, f );
}

// Sides of gathered triangles through a face: each crossing counts once for each triangle at it.
static int32_t CountOnFace( const Coarsener* c, uint32_t n0, uint32_t n1, uint32_t n2 )
{
	const gelVec3d f[3] = { c->mesh.nodes[n0], c->mesh.nodes[n1], c->mesh.nodes[n2] };
	gelVec3d normal = gelCrossD( gelSubD( f[1], f[0] ), gelSubD( f[2], f[0] ) );
	double offset = gelDotD( normal, f[0] );
	int32_t count = 0;
	for ( uint32_t i = 0; i < c->gatheredCount; ++i )
	{
		gelVec3d s[3];
		GetTriangle( c, c->gathered[i], s );
		bool side[3];
		for ( int k = 0; k < 3; ++k )
			side[k] = gelDotD( normal, s[k] ) > offset;
		for ( int k = 0; k < 3; ++k )
			count += side[k] != side[( k + 1 ) % 3] && Pierces( s[k], s[( k + 1 ) % 3], f );
	}
	return count;
}

// Gathered triangles that an edge goes through, counted twice like the crossings of faces.
static int32_t CountOnEdge( const Coarsener* c, uint32_t n0, uint32_t n1 )
{
	int32_t count = 0;
	for ( uint32_t i = 0; i < c->gatheredCount; ++i )
	{
		gelVec3d s[3];
		GetTriangle( c, c->gathered[i], s );
		count += 2 * SegmentPierces( c->mesh.nodes[n0], c->mesh.nodes[n1], s );
	}
	return count;
}

// Art triangles in the tets around a node, each once; with a stride only every so many, for counts.
static void Gather( Coarsener* c, uint32_t node, uint32_t stride )
{
	c->stamp += 1;
	c->gatheredCount = 0;
	const gelCoarseList* around = c->mesh.around + node;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		const gelCoarseList* content = c->content + around->items[i];
		for ( uint32_t j = 0; j < content->count; ++j )
		{
			uint32_t triangle = content->items[j];
			if ( triangle % stride != 0 || c->stamps[triangle] == c->stamp ) continue;
			c->stamps[triangle] = c->stamp;
			c->gathered[c->gatheredCount++] = triangle;
		}
	}
}

// Cuts on the faces and edges at a node.
static int32_t CountAround(
	const Coarsener* c, uint32_t node, const uint32_t* neighbors, uint32_t neighborCount )
{
	int32_t count = 0;
	const gelCoarseList* around = c->mesh.around + node;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		const uint32_t* n = c->mesh.tets[around->items[i]].node;
		for ( int f = 0; f < 4; ++f )
		{
			const uint8_t* k = GEL_CELL_FACE[f];
			if ( n[f] != node ) count += CountOnFace( c, n[k[0]], n[k[1]], n[k[2]] );
		}
	}
	count /= 2; // each inner face was met in two tets; nothing crosses the others
	for ( uint32_t i = 0; i < neighborCount; ++i )
		count += CountOnEdge( c, node, neighbors[i] );
	return count;
}

// Cuts on the faces and edges that the move would make; those that it leaves alone are not counted before
// either, so the difference is what is saved.
static int32_t CountAfter( const Coarsener* c, const gelCoarseMove* move, const uint32_t* neighbors,
	uint32_t neighborCount, const uint32_t* toNeighbors, uint32_t toCount )
{
	int32_t count = 0;
	for ( uint32_t i = 0; i < move->freshCount; ++i )
		count += CountOnFace( c, move->to, move->fresh[i][0], move->fresh[i][1] );
	for ( uint32_t i = 0, j = 0; i < neighborCount; ++i )
	{
		while ( j < toCount && toNeighbors[j] < neighbors[i] )
			++j;
		if ( neighbors[i] == move->to || ( j < toCount && toNeighbors[j] == neighbors[i] ) ) continue;
		count += CountOnEdge( c, move->to, neighbors[i] );
	}
	return count;
}

// The kept tet that an art point is in after the move, GEL_NO_INDEX: none.
static uint32_t FindKept( const Coarsener* c, const gelCoarseMove* move, gelVec3d p )
{
	const gelVec3d* x = c->mesh.nodes;
	for ( uint32_t i = 0; i < move->keptCount; ++i )
	{
		const uint32_t* n = move->kept[i].node;
		bool inside = true;
		for ( int f = 0; f < 4 && inside; ++f )
		{
			const uint8_t* k = GEL_CELL_FACE[f];
			inside = gelArtSideOfFace( x[n[k[0]]], x[n[k[1]]], x[n[k[2]]], p ) < 0;
		}
		if ( inside ) return i;
	}
	return GEL_NO_INDEX;
}

// Exact: a triangle that touches the new outside in one point is too much.
static bool BareFaceMeets( const Coarsener* c, const gelCoarseFace* face )
{
	const gelVec3d f[3] = { c->mesh.nodes[face->node[0]], c->mesh.nodes[face->node[1]],
		c->mesh.nodes[face->node[2]] };
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 3; ++k )
		gelBox3d_AddPoint( &box, f[k] );
	for ( uint32_t i = 0; i < c->gatheredCount; ++i )
	{
		gelVec3d s[3];
		GetTriangle( c, c->gathered[i], s );
		gelBox3d own = gelBox3d_Empty();
		for ( int k = 0; k < 3; ++k )
			gelBox3d_AddPoint( &own, s[k] );
		if ( gelBox3d_Overlaps( &box, &own ) && gelTriangleMeetsTriangle( s, f ) ) return true;
	}
	return false;
}

// Is all art around the node still inside? No triangle meets the new outside, and every point that was in a
// tet around the node is in one that is left: so no part of the art is left outside as a whole.
static bool KeepsArt( Coarsener* c, const gelCoarseMove* move )
{
	if ( move->bareCount == 0 ) return true; // the same outside
	Gather( c, move->node, 1 );
	for ( uint32_t i = 0; i < move->bareCount; ++i )
	{
		if ( BareFaceMeets( c, move->bare + i ) ) return false;
	}
	const gelCoarseMesh* mesh = &c->mesh;
	for ( uint32_t i = 0; i < 3 * c->gatheredCount; ++i )
	{
		uint32_t point = c->art->corners[3 * (size_t)c->gathered[i / 3] + i % 3];
		const uint32_t* n = mesh->tets[c->cells[point]].node;
		bool around = n[0] == move->node || n[1] == move->node || n[2] == move->node || n[3] == move->node;
		if ( around && FindKept( c, move, c->art->points[point] ) == GEL_NO_INDEX ) return false;
	}
	return true;
}

typedef struct Candidate
{
	uint32_t to;
	int32_t gain;
} Candidate;

#define MAX_NEIGHBORS ( 2 * GEL_COARSE_STAR )

// Candidates by what they save, most first. Only those that keep tets positive are rated; the dear tests of
// the outside and of the art come later, for the best ones.
static uint32_t RateMerges( Coarsener* c, uint32_t node, gelCoarseMove* move, Candidate* out )
{
	GEL_ASSERT( node < c->mesh.nodeCount );
	uint32_t neighbors[MAX_NEIGHBORS], toNeighbors[MAX_NEIGHBORS], count = 0;
	uint32_t neighborCount = gelCoarseMesh_Neighbors( &c->mesh, node, neighbors, MAX_NEIGHBORS );
	Gather( c, node, c->stride );
	int32_t before = CountAround( c, node, neighbors, neighborCount );
	for ( uint32_t i = 0; i < neighborCount && before > 0; ++i )
	{
		uint32_t to = neighbors[i];
		if ( !gelPlanCoarseMove( &c->mesh, node, to, c->leastQuality, move ) ) continue;
		uint32_t toCount = gelCoarseMesh_Neighbors( &c->mesh, to, toNeighbors, MAX_NEIGHBORS );
		int32_t gain = before - CountAfter( c, move, neighbors, neighborCount, toNeighbors, toCount );
		if ( gain <= 0 ) continue;
		uint32_t at = count++;
		for ( ; at > 0 && out[at - 1].gain < gain; --at )
			out[at] = out[at - 1];
		out[at] = ( Candidate ){ to, gain };
	}
	return count;
}

// The best merge of a node that is allowed.
static void FindMerge( Coarsener* c, uint32_t node, gelCoarseMove* move )
{
	Candidate candidates[MAX_NEIGHBORS];
	uint32_t count = RateMerges( c, node, move, candidates );
	c->gain[node] = 0;
	c->known[node] = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !gelPlanCoarseMove( &c->mesh, node, candidates[i].to, c->leastQuality, move ) ) continue;
		if ( !gelCoarseMove_KeepsOutside( &c->mesh, move ) || !KeepsArt( c, move ) ) continue;
		c->gain[node] = candidates[i].gain;
		c->into[node] = candidates[i].to;
		return;
	}
}

// The art around the node is dealt out to the tets that are left, and all nodes of these are rated anew.
static void Merge( Coarsener* c, const gelCoarseMove* move )
{
	Gather( c, move->node, 1 );
	const gelCoarseMesh* mesh = &c->mesh;
	const gelCoarseList* around = mesh->around + move->node;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		c->content[around->items[i]].count = 0;
		for ( int k = 0; k < 4; ++k )
			c->known[mesh->tets[around->items[i]].node[k]] = false;
	}
	for ( uint32_t i = 0; i < c->gatheredCount; ++i )
	{
		gelVec3d s[3];
		GetTriangle( c, c->gathered[i], s );
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t point = c->art->corners[3 * (size_t)c->gathered[i] + (size_t)k];
			uint32_t kept = FindKept( c, move, s[k] );
			if ( kept != GEL_NO_INDEX ) c->cells[point] = move->keptTet[kept];
		}
		for ( uint32_t t = 0; t < move->keptCount; ++t )
		{
			gelVec3d tet[4];
			for ( int k = 0; k < 4; ++k )
				tet[k] = mesh->nodes[move->kept[t].node[k]];
			if ( gelTriangleMeetsTet( s, tet ) )
				gelCoarseList_Add( c->content + move->keptTet[t], c->gathered[i], c->pool );
		}
	}
	gelMakeCoarseMove( &c->mesh, move );
}

// Greedy: the merge that saves most, again and again. A queue would be faster than looking at all nodes; with
// cages of some hundred nodes the rating takes nearly all of the time.
static void MergeAll( Coarsener* c )
{
	gelCoarseMove* move = gelBakePool_Alloc( c->pool, 1, sizeof( gelCoarseMove ) );
	for ( ;; )
	{
		uint32_t best = GEL_NO_INDEX;
		for ( uint32_t node = 0; node < c->mesh.nodeCount; ++node )
		{
			if ( c->mesh.around[node].count == 0 ) continue;
			if ( !c->known[node] ) FindMerge( c, node, move );
			if ( c->gain[node] > 0 && ( best == GEL_NO_INDEX || c->gain[node] > c->gain[best] ) ) best = node;
		}
		if ( best == GEL_NO_INDEX ) return;
		// what was merged since may be in the way: the outside moves, while the tets around did not change
		bool allowed = gelPlanCoarseMove( &c->mesh, best, c->into[best], c->leastQuality, move ) &&
			gelCoarseMove_KeepsOutside( &c->mesh, move ) && KeepsArt( c, move );
		c->known[best] = false;
		if ( !allowed )
			FindMerge( c, best, move );
		else
		{
			c->saved += c->gain[best];
			Merge( c, move );
		}
	}
}

// The cut surface knows its tets, so no triangle has to be searched for. Its pieces follow each other by
// source, so that a triangle is in a list once.
static void ListContent( Coarsener* c, const gelCdgSurface* surface )
{
	const gelCdgArt* art = c->art;
	uint32_t* ofSource =
		gelBakePool_Alloc( c->pool, art->sources[art->triangleCount - 1] + (size_t)1, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < art->triangleCount; ++i )
		ofSource[art->sources[i]] = i;
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
	{
		gelCoarseList* content = c->content + surface->triangles[i].tet;
		uint32_t triangle = ofSource[surface->triangles[i].source];
		if ( content->count > 0 && content->items[content->count - 1] == triangle ) continue;
		gelCoarseList_Add( content, triangle, c->pool );
	}
}

// The tets that are left, and the points by their numbers.
static gelCoarseCells TakeCells( const Coarsener* c, gelBakePool* pool )
{
	gelCoarseCells out = { .pointCells = c->cells };
	out.tets = gelBakePool_Alloc( pool, c->mesh.tetCount, sizeof( gelPackTet ) );
	uint32_t* newIndex = gelBakePool_Alloc( c->pool, c->mesh.tetCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < c->mesh.tetCount; ++i )
	{
		if ( !c->mesh.alive[i] ) continue;
		newIndex[i] = out.tetCount;
		out.tets[out.tetCount++] = c->mesh.tets[i];
	}
	for ( uint32_t i = 0; i < c->art->pointCount; ++i )
	{
		if ( c->cells[i] != GEL_NO_INDEX ) out.pointCells[i] = newIndex[c->cells[i]];
	}
	return out;
}

// One try with one limit for the shape of tets.
static gelCoarseCells CoarsenTo( double leastQuality, const gelCdgArt* art, const gelCdgCage* cage,
	const gelCdgSurface* surface, gelBakePool* pool, int64_t* outSaved )
{
	gelBakePool scratch = { NULL };
	Coarsener c = { .art = art, .pool = &scratch, .mesh = gelMakeCoarseMesh( cage, &scratch ) };
	c.cells = gelBakePool_Alloc( pool, art->pointCount, sizeof( uint32_t ) );
	memcpy( c.cells, surface->pointCells, art->pointCount * sizeof( uint32_t ) );
	c.content = gelBakePool_Alloc( &scratch, cage->tetCount, sizeof( gelCoarseList ) );
	c.stamps = gelBakePool_Alloc( &scratch, art->triangleCount, sizeof( uint32_t ) );
	c.gathered = gelBakePool_Alloc( &scratch, art->triangleCount, sizeof( uint32_t ) );
	c.gain = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( int32_t ) );
	c.into = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( uint32_t ) );
	c.known = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( bool ) );
	c.stride = art->triangleCount / GEL_COARSE_SAMPLES + 1;
	c.leastQuality = leastQuality;
	ListContent( &c, surface );
	MergeAll( &c );
	gelCoarseCells out = TakeCells( &c, pool );
	*outSaved = c.saved;
	gelFreeBakePool( &scratch );
	return out;
}

gelCoarseCells gelCoarsenCells(
	const gelCdgArt* art, const gelCdgCage* cage, const gelCdgSurface* surface, gelBakePool* pool )
{
	gelCoarseCells best = { 0 };
	int64_t mostSaved = -1;
	for ( size_t i = 0; i < sizeof( s_limits ) / sizeof( s_limits[0] ); ++i )
	{
		int64_t saved;
		gelCoarseCells cells = CoarsenTo( s_limits[i], art, cage, surface, pool, &saved );
		if ( saved <= mostSaved ) continue;
		best = cells;
		mostSaved = saved;
	}
	return best;
}
