// SPDX-License-Identifier: MIT
// Embedding: each art vertex gets the cage tet that contains it and its barycentric weights there.
//
// Tolerances, all as distances [m] from the planes of a tet, so that thin tets need no special case:
//   tie   2^-40 * s   a vertex this close to a shared face counts as inside of both tets; the lowest tet wins
//   reach 2^-22 * s   a vertex outside of every tet by no more than this is moved in: cage nodes were rounded
//   to
//                     float, which moves a face by up to 2^-24 * s * sqrt(3), and a cage may touch its art
// with s the largest coordinate of the cage. Anything farther out is an error: a vertex that is extrapolated
// would swing wildly. Weights come from the rounded nodes in double and are rounded once.
#include "bake/body/body_passes.h"

#include "tetrafy/geometry/tet_shape.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GEL_EMBED_TIE   0x1p-40
#define GEL_EMBED_REACH 0x1p-22
#define GEL_EMBED_LEAF  4u // tets per leaf

// What a containment test needs, side by side in memory.
typedef struct EmbedTet
{
	gelVec3d origin;      // node 0 [m]
	gelVec3d gradient[4]; // gradients of the weights [1/m]
	double steepness[4];  // |gradient|, turns a weight into a distance
	uint32_t tet;
} EmbedTet;

// A complete binary tree over the tets in Morton order: children of node i are 2i and 2i + 1, the root is 1,
// leaves start at leafFirst. Balanced for any cage, however uneven, and the same for any thread count.
typedef struct EmbedTree
{
	EmbedTet* tets;
	uint32_t tetCount;
	gelAabb* boxes;     // [2 * leafFirst]
	uint32_t leafFirst; // a power of two
	double tie, reach;  // [m]
} EmbedTree;

typedef struct MortonKey
{
	uint64_t code;
	uint32_t tet;
} MortonKey;

static int CompareKeys( const void* a, const void* b )
{
	// Keys of tets in the same place are told apart by number, so that the tree does not depend on qsort.
	const MortonKey *x = a, *y = b;
	if ( x->code != y->code ) return x->code < y->code ? -1 : 1;
	return x->tet < y->tet ? -1 : 1;
}

// Two zero bits after each of the low 21 bits.
static uint64_t SpreadBits( uint64_t x )
{
	x &= 0x1FFFFF;
	x = ( x | x << 32 ) & 0x1F00000000FFFFu;
	x = ( x | x << 16 ) & 0x1F0000FF0000FFu;
	x = ( x | x << 8 ) & 0x100F00F00F00F00Fu;
	x = ( x | x << 4 ) & 0x10C30C30C30C30C3u;
	return ( x | x << 2 ) & 0x1249249249249249u;
}

static gelAabb GetTetBox( const gelBakeCage* cage, uint32_t tet )
{
	GEL_ASSERT( tet < cage->tetCount );
	gelAabb box = gelAabb_Empty();
	for ( int k = 0; k < 4; ++k )
		box = gelAabb_Add( box, gelToFloat( gelGetCorner( cage->nodes, cage->tets + tet, k ) ) );
	return box;
}

// Where the middle of a range is in another one, as 21 bits, each with two zero bits behind it.
static uint64_t GetMortonBits( float low, float high, float min, float max )
{
	double middle = 0.5 * ( (double)low + (double)high ) - (double)min;
	return SpreadBits( (uint64_t)( 2097151.0 * ( middle / ( (double)max - (double)min ) ) ) );
}

static MortonKey* SortTets( const gelBakeCage* cage, gelBakePool* pool )
{
	GEL_ASSERT( cage->tetCount > 0 );
	gelAabb bounds = gelAabb_Empty();
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
		bounds = gelAabb_Union( bounds, GetTetBox( cage, t ) );
	MortonKey* keys = gelBakePool_Alloc( pool, cage->tetCount, sizeof( MortonKey ) );
	const gelVec3 low = bounds.min, high = bounds.max;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		gelAabb box = GetTetBox( cage, t );
		keys[t].tet = t;
		keys[t].code = GetMortonBits( box.min.x, box.max.x, low.x, high.x ) |
			GetMortonBits( box.min.y, box.max.y, low.y, high.y ) << 1 |
			GetMortonBits( box.min.z, box.max.z, low.z, high.z ) << 2;
	}
	qsort( keys, cage->tetCount, sizeof( MortonKey ), CompareKeys );
	return keys;
}

// The gradients are computed again in double: those of the pack are rounded, and a rounding of 2^-24 of a
// weight would move a vertex visibly.
static EmbedTet MakeEmbedTet( const gelBakeCage* cage, uint32_t t )
{
	GEL_ASSERT( t < cage->tetCount );
	EmbedTet out = { .tet = t };
	gelVec3d x[4];
	for ( int k = 0; k < 4; ++k )
		x[k] = gelGetCorner( cage->nodes, cage->tets + t, k );
	out.origin = x[0];
	gelTetGradients( x, out.gradient );
	for ( int k = 0; k < 4; ++k )
		out.steepness[k] = gelLengthD( out.gradient[k] );
	return out;
}

static EmbedTree BuildTree( const gelBakeCage* cage, gelBakePool* pool )
{
	EmbedTree tree = { 0 };
	tree.tetCount = cage->tetCount;
	tree.tie = GEL_EMBED_TIE * cage->maxCoordinate;
	tree.reach = GEL_EMBED_REACH * cage->maxCoordinate;
	tree.leafFirst = 1;
	while ( (uint64_t)tree.leafFirst * GEL_EMBED_LEAF < cage->tetCount )
		tree.leafFirst *= 2;
	tree.tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( EmbedTet ) );
	tree.boxes = gelBakePool_Alloc( pool, 2 * (size_t)tree.leafFirst, sizeof( gelAabb ) );
	for ( uint32_t i = 0; i < 2 * tree.leafFirst; ++i )
		tree.boxes[i] = gelAabb_Empty();
	MortonKey* keys = SortTets( cage, pool );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		tree.tets[i] = MakeEmbedTet( cage, keys[i].tet );
		gelAabb* leaf = tree.boxes + tree.leafFirst + i / GEL_EMBED_LEAF;
		*leaf = gelAabb_Union( *leaf, GetTetBox( cage, keys[i].tet ) );
	}
	for ( uint32_t i = tree.leafFirst - 1; i > 0; --i )
		tree.boxes[i] = gelAabb_Union( tree.boxes[2 * i], tree.boxes[2 * i + 1] );
	return tree;
}

static bool BoxContains( const gelAabb* box, gelVec3d p, double reach )
{
	gelVec3d low = gelToDouble( box->min ), high = gelToDouble( box->max );
	return p.x >= low.x - reach && p.x <= high.x + reach && p.y >= low.y - reach && p.y <= high.y + reach &&
		p.z >= low.z - reach && p.z <= high.z + reach;
}

// Distance [m] by which p is outside of the farthest plane; negative: inside.
static double GetWeights( const EmbedTet* tet, gelVec3d p, double w[4] )
{
	gelVec3d d = gelSubD( p, tet->origin );
	double outside = -DBL_MAX;
	w[0] = 1.0;
	for ( int k = 1; k < 4; ++k )
	{
		w[k] = gelDotD( tet->gradient[k], d );
		w[0] -= w[k];
	}
	for ( int k = 0; k < 4; ++k )
		outside = fmax( outside, -w[k] / tet->steepness[k] );
	return outside;
}

// How far a point with these weights is from p [m].
static double GetMiss( const gelPackNode* nodes, const gelPackTet* tet, gelVec3d p, const double w[4] )
{
	gelVec3d d = { -p.x, -p.y, -p.z };
	for ( int k = 0; k < 4; ++k )
		d = gelMulAddD( d, w[k], gelGetCorner( nodes, tet, k ) );
	return gelLengthD( d );
}

// A weight below 2^-32 is far below what the others are rounded to; making it 0 keeps denormals out of the
// runtime.
double gelClampWeights( const gelPackNode* nodes, const gelPackTet* tet, gelVec3d p, double w[4] )
{
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		w[k] = w[k] < 0x1p-32 ? 0.0 : w[k];
		sum += w[k];
	}
	for ( int k = 0; k < 4; ++k )
		w[k] /= sum;
	return GetMiss( nodes, tet, p, w );
}

typedef struct Placement
{
	uint32_t tet; // GEL_NO_INDEX: outside of the cage
	bool snapped;
	float weights[4];
} Placement;

typedef struct Search
{
	double weights[4];
	uint32_t tet;
	double distance; // 0: inside; else how far the vertex has to be moved [m]
} Search;

static void VisitTet(
	const EmbedTree* tree, const gelBakeCage* cage, const EmbedTet* tet, gelVec3d p, Search* best )
{
	double w[4], outside = GetWeights( tet, p, w );
	// Reach is measured from planes. Near a sharp edge of a tet the clamped point may be farther away than
	// that, which is why the search starts with four times the reach.
	if ( outside > tree->reach ) return;
	double distance = gelClampWeights( cage->nodes, cage->tets + tet->tet, p, w );
	if ( outside <= tree->tie ) distance = 0.0;
	// Smallest distance, then lowest tet: the answer does not depend on the order in which the tree is
	// walked.
	if ( distance > best->distance || ( distance == best->distance && tet->tet > best->tet ) ) return;
	best->distance = distance;
	best->tet = tet->tet;
	memcpy( best->weights, w, sizeof( w ) );
}

static Placement PlaceVertex( const EmbedTree* tree, const gelBakeCage* cage, const float* position )
{
	gelVec3d p = gelMakeVec3d( (double)position[0], (double)position[1], (double)position[2] );
	Search best = { .tet = GEL_NO_INDEX, .distance = 4.0 * tree->reach };
	uint32_t stack[64], top = 0; // two entries per level at most, and 24 levels
	stack[top++] = 1;
	while ( top > 0 )
	{
		uint32_t node = stack[--top];
		if ( !BoxContains( tree->boxes + node, p, tree->reach ) ) continue;
		if ( node < tree->leafFirst )
		{
			stack[top++] = 2 * node;
			stack[top++] = 2 * node + 1;
			continue;
		}
		uint32_t first = ( node - tree->leafFirst ) * GEL_EMBED_LEAF;
		for ( uint32_t i = first; i < first + GEL_EMBED_LEAF && i < tree->tetCount; ++i )
			VisitTet( tree, cage, tree->tets + i, p, &best );
	}
	Placement placement = { .tet = best.tet, .snapped = best.distance > 0.0 };
	for ( int k = 0; k < 4 && best.tet != GEL_NO_INDEX; ++k )
		placement.weights[k] = (float)best.weights[k];
	return placement;
}

// One vertex per weld, so that all copies of a split vertex get the same bits.
static uint32_t* CollectWelds( const gelMesh* mesh, gelBakePool* pool )
{
	uint32_t* weldToVert = gelBakePool_Alloc( pool, mesh->weldCount, sizeof( uint32_t ) );
	for ( uint32_t v = mesh->vertexCount; v-- > 0; )
		weldToVert[mesh->vertToWeld[v]] = v;
	return weldToVert;
}

static bool CheckPlacements( const gelMesh* mesh, const char* file, const uint32_t* weldToVert,
	const Placement* placements, gelFindings* findings )
{
	uint32_t outsideCount = 0, first = 0;
	for ( uint32_t i = mesh->weldCount; i-- > 0; )
	{
		if ( placements[i].tet != GEL_NO_INDEX ) continue;
		outsideCount += 1;
		first = weldToVert[i];
	}
	if ( outsideCount == 0 ) return true;
	const float* p = mesh->positions + 3 * (size_t)first;
	gelFindings_Add( findings, gel_findingArtNotEmbedded, file,
		"%u of %u art vertices are outside of the cage (first: vertex %u of the file at %g %g %g); make the "
		"cage with gel-tetrafy from this art, or leave out --cage",
		outsideCount, mesh->weldCount, mesh->vertToSource[first], (double)p[0], (double)p[1], (double)p[2] );
	return false;
}

bool gelEmbedVertices( const gelMesh* mesh, const char* file, const gelBakeCage* cage, int threads,
	gelBakePool* pool, gelFindings* findings, gelBakeEmbedding* out )
{
	GEL_ASSERT( threads >= 1 && mesh->weldCount <= mesh->vertexCount );
	memset( out, 0, sizeof( *out ) );
	gelBakePool scratch = { NULL };
	EmbedTree tree = BuildTree( cage, &scratch );
	uint32_t* weldToVert = CollectWelds( mesh, &scratch );
	Placement* placements = gelBakePool_Alloc( &scratch, mesh->weldCount, sizeof( Placement ) );
	const int weldCount = (int)mesh->weldCount;
	(void)threads;
#pragma omp parallel for schedule( dynamic, 1024 ) num_threads( threads > 0 ? threads : 1 )
	for ( int i = 0; i < weldCount; ++i )
		placements[i] = PlaceVertex( &tree, cage, mesh->positions + 3 * (size_t)weldToVert[i] );

	bool ok = CheckPlacements( mesh, file, weldToVert, placements, findings );
	out->tets = gelBakePool_Alloc( pool, mesh->vertexCount, sizeof( uint32_t ) );
	out->weights = gelBakePool_Alloc( pool, 4 * (size_t)mesh->vertexCount, sizeof( float ) );
	const uint32_t vertexCount = ok ? mesh->vertexCount : 0;
	uint32_t snapped = 0;
	double maxError = 0.0;
#pragma omp parallel for num_threads( threads > 0 ? threads : 1 ) reduction( + : snapped ) reduction( max : maxError )
	for ( uint32_t v = 0; v < vertexCount; ++v )
	{
		const Placement* placement = placements + mesh->vertToWeld[v];
		const float* x = mesh->positions + 3 * (size_t)v;
		gelVec3d p = gelMakeVec3d( (double)x[0], (double)x[1], (double)x[2] );
		const float* f = placement->weights;
		const double w[4] = { (double)f[0], (double)f[1], (double)f[2], (double)f[3] };
		out->tets[v] = placement->tet;
		memcpy( out->weights + 4 * (size_t)v, placement->weights, sizeof( placement->weights ) );
		snapped += placement->snapped && weldToVert[mesh->vertToWeld[v]] == v;
		maxError = fmax( maxError, GetMiss( cage->nodes, cage->tets + placement->tet, p, w ) );
	}
	out->snapped = snapped;
	out->maxError = maxError;
	gelFreeBakePool( &scratch );
	return ok;
}

void gelPlacePoints( const float* points, uint32_t count, const gelBakeCage* cage, int threads,
	uint32_t* outTets, float* outWeights )
{
	GEL_ASSERT( threads >= 1 && ( count == 0 || points != NULL ) );
	gelBakePool scratch = { NULL };
	EmbedTree tree = BuildTree( cage, &scratch );
	const int pointCount = (int)count;
	(void)threads;
#pragma omp parallel for schedule( dynamic, 1024 ) num_threads( threads > 0 ? threads : 1 )
	for ( int i = 0; i < pointCount; ++i )
	{
		Placement placement = PlaceVertex( &tree, cage, points + 3 * (size_t)i );
		outTets[i] = placement.tet;
		memcpy( outWeights + 4 * (size_t)i, placement.weights, sizeof( placement.weights ) );
	}
	gelFreeBakePool( &scratch );
}
