// SPDX-License-Identifier: MIT
// Which particles carry a point of the rest shape. A point belongs to the cluster of the sample nearest to
// it; a point on the surface is looked up a little inside, so that it finds its own finger and not the next.
// Its particles are the four nearest among that cluster, its neighbors and theirs: near through the
// material, not through the air.
#include "bake/particles/particle_bake.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Samples in cells of a grid, to find the nearest.
typedef struct SampleGrid
{
	const gelSampleGraph* graph;
	gelVec3d low; // [m]
	double size;  // side of a cell [m]
	int n[3];
	uint32_t *first, *samples;
} SampleGrid;

static int ClampCell( double cell, int count )
{
	return (int)fmin( fmax( floor( cell ), 0.0 ), count - 1.0 );
}

static void GetCell( const SampleGrid* grid, gelVec3d p, int out[3] )
{
	out[0] = ClampCell( ( p.x - grid->low.x ) / grid->size, grid->n[0] );
	out[1] = ClampCell( ( p.y - grid->low.y ) / grid->size, grid->n[1] );
	out[2] = ClampCell( ( p.z - grid->low.z ) / grid->size, grid->n[2] );
}

static size_t GetIndex( const SampleGrid* grid, const int at[3] )
{
	return ( (size_t)at[2] * (size_t)grid->n[1] + (size_t)at[1] ) * (size_t)grid->n[0] + (size_t)at[0];
}

static SampleGrid MakeSampleGrid( const gelSampleGraph* graph, gelBakePool* pool )
{
	GEL_ASSERT( graph->count > 0 );
	SampleGrid grid = { .graph = graph };
	gelBox3d box = gelBox3d_Empty();
	for ( uint32_t i = 0; i < graph->count; ++i )
		gelBox3d_AddPoint( &box, graph->points[i] );
	gelVec3d size = gelSubD( box.max, box.min );
	grid.low = box.min;
	grid.size = fmax( fmax( 2.0 * graph->spacing, fmax( size.x, fmax( size.y, size.z ) ) / 128.0 ), DBL_MIN );
	grid.n[0] = (int)( size.x / grid.size ) + 1;
	grid.n[1] = (int)( size.y / grid.size ) + 1;
	grid.n[2] = (int)( size.z / grid.size ) + 1;
	size_t cellCount = (size_t)grid.n[0] * (size_t)grid.n[1] * (size_t)grid.n[2];
	grid.first = gelBakePool_Alloc( pool, cellCount + 2, sizeof( uint32_t ) );
	grid.samples = gelBakePool_Alloc( pool, graph->count, sizeof( uint32_t ) );
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < graph->count; ++i )
		{
			int at[3];
			GetCell( &grid, graph->points[i], at );
			size_t cell = GetIndex( &grid, at );
			// first the counts, one place ahead; then filling moves each start to where it belongs
			if ( pass == 0 )
				grid.first[cell + 2] += 1;
			else
				grid.samples[grid.first[cell + 1]++] = i;
		}
		for ( size_t c = 2; c < cellCount + 2 && pass == 0; ++c )
			grid.first[c] += grid.first[c - 1];
	}
	return grid;
}

static void SearchCell( const SampleGrid* grid, const int at[3], gelVec3d p, uint32_t* best, double* best2 )
{
	size_t cell = GetIndex( grid, at );
	for ( uint32_t k = grid->first[cell]; k < grid->first[cell + 1]; ++k )
	{
		gelVec3d d = gelSubD( grid->graph->points[grid->samples[k]], p );
		double d2 = gelDotD( d, d );
		bool isNearer = d2 < *best2 || ( d2 == *best2 && grid->samples[k] < *best );
		if ( !isNearer ) continue;
		*best = grid->samples[k];
		*best2 = d2;
	}
}

// Shells of cells around the point, until no nearer sample can be in the next.
static uint32_t FindNearest( const SampleGrid* grid, gelVec3d p )
{
	int center[3];
	GetCell( grid, p, center );
	int most = grid->n[0] > grid->n[1] ? grid->n[0] : grid->n[1];
	most = most > grid->n[2] ? most : grid->n[2];
	gelVec3d n = { grid->n[0], grid->n[1], grid->n[2] }, high = gelMulAddD( grid->low, grid->size, n );
	gelVec3d off = gelMaxVec3d( gelSubD( grid->low, p ), gelSubD( p, high ) );
	off = gelMaxVec3d( off, ( gelVec3d ){ 0.0, 0.0, 0.0 } );
	double outside2 = gelDotD( off, off ); // square of the distance of the point from the grid
	uint32_t best = 0;
	double best2 = DBL_MAX;
	for ( int r = 0; r <= most; ++r )
	{
		// Cells of shell r are at least r - 1 cells away from a point in the center cell; a point outside of
		// the grid is farther still.
		double reach = ( r - 1.0 ) * grid->size;
		if ( best2 < DBL_MAX && r > 0 && best2 <= reach * reach + outside2 ) break;
		for ( int z = center[2] - r; z <= center[2] + r; ++z )
		{
			for ( int y = center[1] - r; y <= center[1] + r; ++y )
			{
				bool isFace = abs( z - center[2] ) == r || abs( y - center[1] ) == r;
				for ( int x = center[0] - r; x <= center[0] + r; x += isFace || r == 0 ? 1 : 2 * r )
				{
					const int at[3] = { x, y, z };
					bool isIn =
						x >= 0 && y >= 0 && z >= 0 && x < grid->n[0] && y < grid->n[1] && z < grid->n[2];
					if ( isIn ) SearchCell( grid, at, p, &best, &best2 );
				}
			}
		}
	}
	return best;
}

// A particle and how far it is.
typedef struct Candidate
{
	double distance;
	uint32_t particle;
} Candidate;

#define GEL_MAX_CANDIDATES 5

// Keeps the nearest five, sorted, each once.
static void Insert( Candidate* list, int* count, Candidate c )
{
	for ( int i = 0; i < *count; ++i )
	{
		if ( list[i].particle == c.particle ) return;
	}
	// Insertion from the end; what falls out of the list of five is gone.
	int at = *count < GEL_MAX_CANDIDATES ? ( *count )++ : GEL_MAX_CANDIDATES;
	for ( ; at > 0; --at )
	{
		const Candidate* before = list + at - 1;
		bool isAfter = before->distance > c.distance ||
			( before->distance == c.distance && before->particle > c.particle );
		if ( !isAfter ) break;
		if ( at < GEL_MAX_CANDIDATES ) list[at] = *before;
	}
	if ( at < GEL_MAX_CANDIDATES ) list[at] = c;
}

static Candidate Measure( const gelBakeParticles* p, uint32_t particle, gelVec3d x )
{
	GEL_ASSERT( particle < p->count );
	const float* center = p->particles[particle].position;
	gelVec3d from = { (double)center[0], (double)center[1], (double)center[2] };
	return ( Candidate ){ gelLengthD( gelSubD( x, from ) ), particle };
}

// Weights of 1/65535 that sum to 65535: rounded down, what is left goes to the largest.
static gelPackSkin Quantize( const Candidate* list, const double* weights, int count )
{
	GEL_ASSERT( count > 0 );
	gelPackSkin skin = { { 0 }, { 0 } };
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
		sum += weights[i];
	uint32_t left = 65535;
	for ( int i = 0; i < count; ++i )
	{
		skin.weight[i] = (uint16_t)floor( 65535.0 * weights[i] / sum );
		// Particle 0 where the weight is zero, so that equal skins have equal bytes.
		skin.particle[i] = skin.weight[i] > 0 ? (uint16_t)list[i].particle : 0;
		left -= skin.weight[i];
	}
	skin.weight[0] = (uint16_t)( skin.weight[0] + left );
	skin.particle[0] = (uint16_t)list[0].particle;
	return skin;
}

// (1 - d / dmax)^2 of the four nearest, where dmax is the distance of the fifth: weights end before a
// particle leaves the list.
static gelPackSkin MakeSkin( const gelBakeParticles* p, uint32_t owner, gelVec3d x )
{
	GEL_ASSERT( owner < p->count );
	Candidate list[GEL_MAX_CANDIDATES];
	int count = 0;
	Insert( list, &count, Measure( p, owner, x ) );
	for ( uint32_t k = p->neighborFirst[owner]; k < p->neighborFirst[owner + 1]; ++k )
	{
		uint32_t j = p->neighbors[k];
		Insert( list, &count, Measure( p, j, x ) );
		for ( uint32_t n = p->neighborFirst[j]; n < p->neighborFirst[j + 1]; ++n )
			Insert( list, &count, Measure( p, p->neighbors[n], x ) );
	}
	int used = count < 4 ? count : 4;
	// The fifth nearest is only there to say where the weights end. A body of up to four particles has none;
	// there weights fade out half as far again as its farthest.
	double reach = count > 4 ? list[4].distance : 1.5 * list[used - 1].distance, weights[4];
	for ( int i = 0; i < used; ++i )
	{
		double t = reach > 0.0 ? fmax( 0.0, 1.0 - list[i].distance / reach ) : 1.0;
		weights[i] = t * t;
	}
	if ( !( weights[0] > 1e-12 ) ) weights[0] = 1.0; // five at the same distance
	return Quantize( list, weights, used );
}

// ---- all of a body ---------------------------------------------------------------------------------------

typedef struct Skinner
{
	const gelBakeParticles* particles;
	const gelClusters* clusters;
	SampleGrid grid; // graph is NULL: particles were given
} Skinner;

static uint32_t FindOwner( const Skinner* s, gelVec3d x )
{
	if ( s->grid.graph != NULL ) return s->clusters->clusterOf[FindNearest( &s->grid, x )];
	Candidate best = Measure( s->particles, 0, x );
	for ( uint32_t i = 1; i < s->particles->count; ++i )
	{
		Candidate c = Measure( s->particles, i, x );
		best = c.distance < best.distance ? c : best;
	}
	return best.particle;
}

// Vertices at one position get the same weights, whatever their normals.
static void SkinVertices( const gelBakeData* data, const Skinner* s, gelPackSkin* out )
{
	const gelMesh* mesh = data->mesh;
	gelBakePool scratch = { NULL };
	gelPackSkin* welds = gelBakePool_Alloc( &scratch, mesh->weldCount, sizeof( gelPackSkin ) );
	bool* isDone = gelBakePool_Alloc( &scratch, mesh->weldCount, sizeof( bool ) );
	for ( uint32_t v = 0; v < mesh->vertexCount; ++v )
	{
		uint32_t weld = mesh->vertToWeld[v];
		if ( !isDone[weld] )
		{
			double depth = s->particles->kind == GEL_PARTICLES_SOLID && s->grid.graph != NULL
				? 0.5 * s->grid.graph->spacing
				: 0.0;
			const float *p = mesh->positions + 3 * (size_t)v, *n = mesh->normals + 3 * (size_t)v;
			gelVec3d x = { (double)p[0], (double)p[1], (double)p[2] };
			gelVec3d inside =
				gelMulAddD( x, -depth, ( gelVec3d ){ (double)n[0], (double)n[1], (double)n[2] } );
			welds[weld] = MakeSkin( s->particles, FindOwner( s, inside ), x );
			isDone[weld] = true;
		}
		out[v] = welds[weld];
	}
	gelFreeBakePool( &scratch );
}

void gelSkinParticles( gelBakeData* data, const gelSampleGraph* graph, const gelClusters* clusters )
{
	gelBakeParticles* p = &data->particles;
	gelBakePool scratch = { NULL };
	Skinner s = { .particles = p, .clusters = clusters };
	if ( graph != NULL ) s.grid = MakeSampleGrid( graph, &scratch );
	p->vertexSkins = gelBakePool_Alloc( &data->pool, data->mesh->vertexCount, sizeof( gelPackSkin ) );
	p->nodeSkins = gelBakePool_Alloc( &data->pool, data->cage.nodeCount, sizeof( gelPackSkin ) );
	p->vertexCount = data->mesh->vertexCount;
	p->nodeCount = data->cage.nodeCount;
	SkinVertices( data, &s, p->vertexSkins );
	for ( uint32_t i = 0; i < data->cage.nodeCount; ++i )
	{
		const gelPackNode* node = data->cage.nodes + i;
		gelVec3d x = { (double)node->x, (double)node->y, (double)node->z };
		p->nodeSkins[i] = MakeSkin( p, FindOwner( &s, x ), x );
	}
	gelFreeBakePool( &scratch );
}
