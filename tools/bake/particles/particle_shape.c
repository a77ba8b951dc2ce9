// SPDX-License-Identifier: MIT
// Clusters into ellipsoids and a graph. An ellipsoid has the axes of the second moments of its cluster: those
// of a solid ellipsoid with radius a are a^2 / 5. Edges join clusters that have linked samples.
#include "bake/particles/particle_bake.h"

#include "common/program/union_find.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Particles of a straight chain carry twist and bending by their own moments only, so none may be flat.
// Share of the mean distance of neighbors.
#define GEL_MIN_RADIUS 0.25

// Clusters that touch with less than this share of the widest contact of either are no neighbors: the
// motion does not miss them, and half of the edges of a solid are such.
#define GEL_MIN_CONTACT 0.15

#define GEL_PI 3.14159265358979323846

typedef struct Edge
{
	uint32_t a, b;    // a < b
	uint32_t contact; // links between the two
} Edge;

static int CompareEdges( const void* x, const void* y )
{
	const Edge *a = x, *b = y;
	if ( a->a != b->a ) return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

static int CompareContacts( const void* x, const void* y )
{
	const Edge *a = x, *b = y;
	if ( a->contact != b->contact ) return a->contact > b->contact ? -1 : 1;
	return CompareEdges( x, y );
}

// All pairs of clusters with a link between them, sorted. @return their number
static uint32_t CollectEdges( const gelSampleGraph* graph, const gelClusters* clusters, Edge* edges )
{
	uint32_t count = 0, kept = 0;
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		for ( uint32_t k = graph->linkFirst[i]; k < graph->linkFirst[i + 1]; ++k )
		{
			uint32_t a = clusters->clusterOf[i], b = clusters->clusterOf[graph->links[k]];
			if ( a < b ) edges[count++] = ( Edge ){ a, b, 1 };
		}
	}
	if ( count > 1 ) qsort( edges, count, sizeof( Edge ), CompareEdges );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( kept > 0 && CompareEdges( edges + kept - 1, edges + i ) == 0 )
			edges[kept - 1].contact += 1;
		else
			edges[kept++] = edges[i];
	}
	return kept;
}

// Drops weak contacts, but never one that holds the graph together: the strongest come first.
static uint32_t DropWeak( uint32_t clusterCount, Edge* edges, uint32_t count )
{
	gelBakePool scratch = { NULL };
	uint32_t* widest = gelBakePool_Alloc( &scratch, clusterCount, sizeof( uint32_t ) );
	uint32_t* parents = gelBakePool_Alloc( &scratch, clusterCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < clusterCount; ++i )
		parents[i] = i;
	// As in Kruskal's method: an edge that joins two sets is kept however weak it is, so that the graph stays
	// in one piece.
	if ( count > 1 ) qsort( edges, count, sizeof( Edge ), CompareContacts );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		Edge e = edges[i];
		if ( widest[e.a] == 0 ) widest[e.a] = e.contact;
		if ( widest[e.b] == 0 ) widest[e.b] = e.contact;
		uint32_t most = widest[e.a] > widest[e.b] ? widest[e.a] : widest[e.b];
		uint32_t a = gelFindRoot( parents, e.a ), b = gelFindRoot( parents, e.b );
		if ( a == b && e.contact < GEL_MIN_CONTACT * most ) continue;
		parents[a > b ? a : b] = a > b ? b : a;
		edges[kept++] = e;
	}
	if ( kept > 1 ) qsort( edges, kept, sizeof( Edge ), CompareEdges );
	gelFreeBakePool( &scratch );
	return kept;
}

static void FillNeighbors( const Edge* edges, gelBakePool* pool, gelBakeParticles* out )
{
	gelBakePool scratch = { NULL };
	out->neighborFirst = gelBakePool_Alloc( pool, (size_t)out->count + 1, sizeof( uint32_t ) );
	out->neighbors = gelBakePool_Alloc( pool, 2 * (size_t)out->edgeCount + 1, sizeof( uint32_t ) );
	uint32_t* at = gelBakePool_Alloc( &scratch, out->count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < out->edgeCount; ++i )
	{
		out->neighborFirst[edges[i].a + 1] += 1;
		out->neighborFirst[edges[i].b + 1] += 1;
	}
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		out->neighborFirst[i + 1] += out->neighborFirst[i];
		at[i] = out->neighborFirst[i];
	}
	// edges are sorted: lower neighbors come first, and both ascend
	for ( uint32_t i = 0; i < out->edgeCount; ++i )
		out->neighbors[at[edges[i].b]++] = edges[i].a;
	for ( uint32_t i = 0; i < out->edgeCount; ++i )
		out->neighbors[at[edges[i].a]++] = edges[i].b;
	gelFreeBakePool( &scratch );
}

void gelSetParticleEdges( gelBakeParticles* particles, const uint32_t* pairs, gelBakePool* pool )
{
	GEL_ASSERT( particles->edgeCount == 0 || pairs != NULL );
	gelBakePool scratch = { NULL };
	Edge* edges = gelBakePool_Alloc( &scratch, particles->edgeCount, sizeof( Edge ) );
	for ( uint32_t i = 0; i < particles->edgeCount; ++i )
	{
		uint32_t a = pairs[2 * i], b = pairs[2 * i + 1];
		edges[i] = ( Edge ){ a < b ? a : b, a < b ? b : a, 1 };
	}
	if ( particles->edgeCount > 1 ) qsort( edges, particles->edgeCount, sizeof( Edge ), CompareEdges );
	FillNeighbors( edges, pool, particles );
	gelFreeBakePool( &scratch );
}

// Eigenvectors of a symmetric matrix by Jacobi rotations: columns of e; a becomes diagonal.
static void Diagonalize( double a[3][3], double e[3][3] )
{
	static const int pairs[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
	memset( e, 0, 9 * sizeof( double ) );
	e[0][0] = e[1][1] = e[2][2] = 1.0;
	for ( int n = 0; n < 3 * 16; ++n )
	{
		int p = pairs[n % 3][0], q = pairs[n % 3][1];
		if ( a[p][q] == 0.0 ) continue;
		// The smaller of the two angles that clear a[p][q] (Golub and Van Loan, 8.5); 16 sweeps are far more
		// than 3 x 3 needs, and a fixed number has the same bits everywhere.
		double theta = ( a[q][q] - a[p][p] ) / ( 2.0 * a[p][q] );
		double t = copysign( 1.0, theta ) / ( fabs( theta ) + sqrt( theta * theta + 1.0 ) );
		double c = 1.0 / sqrt( t * t + 1.0 ), s = t * c;
		for ( int k = 0; k < 3; ++k )
		{
			double x = a[k][p], y = a[k][q];
			a[k][p] = c * x - s * y;
			a[k][q] = s * x + c * y;
		}
		for ( int k = 0; k < 3; ++k )
		{
			double x = a[p][k], y = a[q][k], u = e[k][p], v = e[k][q];
			a[p][k] = c * x - s * y;
			a[q][k] = s * x + c * y;
			e[k][p] = c * u - s * v;
			e[k][q] = s * u + c * v;
		}
	}
}

// Quaternion of a rotation whose columns are e; the third is turned round if they are left-handed.
static void MakeQuat( double e[3][3], float out[4] )
{
	double det = e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) -
		e[0][1] * ( e[1][0] * e[2][2] - e[1][2] * e[2][0] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
	for ( int k = 0; k < 3 && det < 0.0; ++k )
		e[k][2] = -e[k][2];
	// each of the four comes with its own square; the largest is the safe one to divide by
	double q[4];
	const double squares[4] = { 1.0 + e[0][0] - e[1][1] - e[2][2], 1.0 - e[0][0] + e[1][1] - e[2][2],
		1.0 - e[0][0] - e[1][1] + e[2][2], 1.0 + e[0][0] + e[1][1] + e[2][2] };
	int best = 0;
	for ( int k = 1; k < 4; ++k )
		best = squares[k] > squares[best] ? k : best;
	double r = sqrt( squares[best] ), s = 0.5 / r;
	const double products[4][4] = {
		{ 0.5 * r, s * ( e[0][1] + e[1][0] ), s * ( e[0][2] + e[2][0] ), s * ( e[2][1] - e[1][2] ) },
		{ s * ( e[0][1] + e[1][0] ), 0.5 * r, s * ( e[1][2] + e[2][1] ), s * ( e[0][2] - e[2][0] ) },
		{ s * ( e[0][2] + e[2][0] ), s * ( e[1][2] + e[2][1] ), 0.5 * r, s * ( e[1][0] - e[0][1] ) },
		{ s * ( e[2][1] - e[1][2] ), s * ( e[0][2] - e[2][0] ), s * ( e[1][0] - e[0][1] ), 0.5 * r },
	};
	memcpy( q, products[best], sizeof( q ) );
	for ( int k = 0; k < 4; ++k )
		out[k] = (float)( q[3] < 0.0 ? -q[k] : q[k] ) + 0.0f;
}

// Weight, center and second moments of a cluster.
typedef struct Moments
{
	double weight;
	gelVec3d center;
	double m[3][3];
} Moments;

static void SumMoments( const gelSampleGraph* graph, const gelClusters* clusters, Moments* out )
{
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		Moments* m = out + clusters->clusterOf[i];
		m->weight += graph->weights[i];
		m->center = gelMulAddD( m->center, graph->weights[i], graph->points[i] );
	}
	for ( uint32_t c = 0; c < clusters->count; ++c )
	{
		gelVec3d sum = out[c].center;
		double weight = out[c].weight;
		out[c].center = ( gelVec3d ){ sum.x / weight, sum.y / weight, sum.z / weight };
	}
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		Moments* m = out + clusters->clusterOf[i];
		gelVec3d from = gelSubD( graph->points[i], m->center );
		const double d[3] = { from.x, from.y, from.z };
		for ( int k = 0; k < 9; ++k )
			m->m[k / 3][k % 3] += graph->weights[i] * d[k / 3] * d[k % 3];
	}
	for ( uint32_t c = 0; c < clusters->count; ++c )
	{
		for ( int k = 0; k < 9; ++k )
			out[c].m[k / 3][k % 3] /= out[c].weight;
		for ( int k = 0; k < 3; ++k )
			// Samples stand for the material around them: without its own spread a cluster of few samples
			// would be too thin.
			out[c].m[k][k] += graph->variance;
	}
}

// Mean distance of neighbors; without any, the size of the largest cluster [m].
static double GetSpacing( const gelBakeParticles* p, const Moments* moments )
{
	double sum = 0.0, most = 0.0;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		most = fmax( most, moments[i].m[0][0] + moments[i].m[1][1] + moments[i].m[2][2] );
		for ( uint32_t k = p->neighborFirst[i]; k < p->neighborFirst[i + 1]; ++k )
			sum += gelLengthD( gelSubD( moments[i].center, moments[p->neighbors[k]].center ) );
	}
	return p->edgeCount > 0 ? sum / ( 2.0 * p->edgeCount ) : 2.0 * sqrt( most );
}

static gelPackParticle MakeParticle(
	Moments* m, uint32_t kind, double spacing, const gelPackMaterial* material )
{
	GEL_ASSERT( spacing > 0.0 );
	gelPackParticle p;
	memset( &p, 0, sizeof( p ) );
	double e[3][3], r[3];
	Diagonalize( m->m, e );
	MakeQuat( e, p.rotation );
	for ( int k = 0; k < 3; ++k )
		// Second moment a^2 / 5 of a solid ellipsoid, turned round. Sheets and rods get the same, and then
		// the minimum below.
		r[k] = sqrt( 5.0 * fmax( m->m[k][k], 0.0 ) );
	// A cube has the moments of an ellipsoid of 1.13 times its volume; a solid keeps its volume.
	double volume = 4.0 / 3.0 * GEL_PI * r[0] * r[1] * r[2];
	double scale = kind == GEL_PARTICLES_SOLID && volume > 0.0 ? cbrt( m->weight / volume ) : 1.0;
	scale = fmin( fmax( scale, 0.8 ), 1.25 );
	double longest = fmax( r[0], fmax( r[1], r[2] ) );
	for ( int k = 0; k < 3; ++k )
	{
		// No radius below a quarter of the spacing: particles of a straight rod resist twist and bending by
		// their own moments alone (Choi and Lee 2017, the tr[(R_i - R_j) A (R_i - R_j)^T] of the elastic
		// energy).
		r[k] = fmax( scale * r[k], fmax( GEL_MIN_RADIUS * spacing, 2e-3 * longest ) );
		p.radius[k] = (float)r[k];
	}
	p.position[0] = (float)m->center.x + 0.0f;
	p.position[1] = (float)m->center.y + 0.0f;
	p.position[2] = (float)m->center.z + 0.0f;
	p.volume =
		(float)( 4.0 / 3.0 * GEL_PI * (double)p.radius[0] * (double)p.radius[1] * (double)p.radius[2] );
	p.mass = (float)( (double)material->density * (double)p.volume );
	return p;
}

void gelShapeParticles( const gelSampleGraph* graph, const gelClusters* clusters, uint32_t kind,
	const gelPackMaterial* material, gelBakePool* pool, gelBakeParticles* out )
{
	GEL_ASSERT( clusters->count > 0 );
	gelBakePool scratch = { NULL };
	Edge* edges = gelBakePool_Alloc( &scratch, graph->linkFirst[graph->count], sizeof( Edge ) );
	Moments* moments = gelBakePool_Alloc( &scratch, clusters->count, sizeof( Moments ) );
	out->kind = kind;
	out->count = clusters->count;
	out->edgeCount = CollectEdges( graph, clusters, edges );
	if ( kind == GEL_PARTICLES_SOLID ) out->edgeCount = DropWeak( out->count, edges, out->edgeCount );
	FillNeighbors( edges, pool, out );
	SumMoments( graph, clusters, moments );
	double spacing = GetSpacing( out, moments );
	out->particles = gelBakePool_Alloc( pool, out->count, sizeof( gelPackParticle ) );
	for ( uint32_t i = 0; i < out->count; ++i )
		out->particles[i] = MakeParticle( moments + i, kind, spacing, material );
	gelFreeBakePool( &scratch );
}

// Uniform displacement gradient H without rotation: an edge has the energy k/2 (V_i + V_j) |H d|^2. For a
// stretch e along a random direction of the body's dimension D the mean of |H d|^2 is e^2 d^2 / D, and the
// material has E/2 e^2 V. For a chain of equal particles this is k = E area / (2 V d).
double gelFitStiffness( const gelBakeParticles* p, double youngsModulus )
{
	GEL_ASSERT( p->count > 0 && youngsModulus > 0.0 );
	double sum = 0.0, volume = 0.0;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		const gelPackParticle* a = p->particles + i;
		volume += a->volume;
		for ( uint32_t k = p->neighborFirst[i]; k < p->neighborFirst[i + 1]; ++k )
		{
			const gelPackParticle* b = p->particles + p->neighbors[k];
			double d2 = 0.0;
			for ( int c = 0; c < 3; ++c )
				d2 += ( (double)a->position[c] - (double)b->position[c] ) *
					( (double)a->position[c] - (double)b->position[c] );
			sum += (double)b->volume * d2; // both directions of an edge: V_i + V_j
		}
	}
	double dimension = p->kind == GEL_PARTICLES_ROD ? 1.0 : p->kind == GEL_PARTICLES_SHEET ? 2.0 : 3.0;
	return sum > 0.0 ? dimension * youngsModulus * volume / sum : youngsModulus;
}
