// SPDX-License-Identifier: MIT
#include "beam_reference.h"

#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 12

// What is minimized: inertia / 2 |y - target|^2_M + h2 ( E - f . y )
typedef struct Problem
{
	const gelReference* reference;
	const double* target; // NULL: statics
	double h2;
	double* factor; // dense Cholesky of M + h2 (2 mu + lambda) L, n x n
} Problem;

static double Dot( const double* a, const double* b, int n )
{
	double sum = 0.0;
	for ( int i = 0; i < n; ++i )
		sum += a[i] * b[i];
	return sum;
}

static double* Allocate( size_t count )
{
	double* memory = calloc( count, sizeof( double ) );
	assert_non_null( memory );
	return memory;
}

// Cofactors by rows, and the determinant.
static double Cofactors( const double F[9], double C[9] )
{
	for ( int r = 0; r < 3; ++r )
	{
		for ( int c = 0; c < 3; ++c )
		{
			int r1 = ( r + 1 ) % 3, r2 = ( r + 2 ) % 3, c1 = ( c + 1 ) % 3, c2 = ( c + 2 ) % 3;
			C[3 * r + c] = F[3 * r1 + c1] * F[3 * r2 + c2] - F[3 * r1 + c2] * F[3 * r2 + c1];
		}
	}
	return F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
}

// Higham 1986: R <- ( R + R^-T ) / 2, for det F > 0.
static void FindRotation( const double F[9], double R[9] )
{
	memcpy( R, F, 9 * sizeof( double ) );
	for ( int k = 0; k < 60; ++k )
	{
		double C[9], det = Cofactors( R, C ), change = 0.0;
		for ( int i = 0; i < 9; ++i )
		{
			double next = 0.5 * ( R[i] + C[i] / det );
			change = fmax( change, fabs( next - R[i] ) );
			R[i] = next;
		}
		if ( change < 1e-14 ) return;
	}
}

static void GetGradients( const gelPackTetRest* rest, double g[4][3] )
{
	for ( int d = 0; d < 3; ++d )
	{
		g[0][d] = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			g[k + 1][d] = (double)rest->invDm[3 * k + d];
			g[0][d] -= g[k + 1][d];
		}
	}
}

// Energy of a tet, its derivative added to out.
static double AddTet( const gelReference* reference, int t, const double* y, double scale, double* out )
{
	const gelPackView* pack = &reference->asset->pack;
	const gelPackTetRest* rest = pack->tetRests + t;
	const gelPackMaterial* material = pack->materials + rest->material;
	double g[4][3], F[9] = { 0.0 }, R[9], C[9], stretch2 = 0.0;
	GetGradients( rest, g );
	for ( int k = 0; k < 4; ++k )
	{
		const double* x = y + 3 * (size_t)pack->tets[t].node[k];
		for ( int i = 0; i < 9; ++i )
			F[i] += x[i / 3] * g[k][i % 3];
	}
	FindRotation( F, R );
	double J = Cofactors( F, C );
	double s = scale * reference->stiffnessScale * rest->volume;
	double mu = s * (double)material->mu, lambda = s * (double)material->lambda;
	for ( int k = 0; k < 4; ++k )
	{
		double* f = out + 3 * (size_t)pack->tets[t].node[k];
		for ( int i = 0; i < 9; ++i )
			f[i / 3] += ( 2.0 * mu * ( F[i] - R[i] ) + lambda * ( J - 1.0 ) * C[i] ) * g[k][i % 3];
	}
	for ( int i = 0; i < 9; ++i )
		stretch2 += ( F[i] - R[i] ) * ( F[i] - R[i] );
	return mu * stretch2 + 0.5 * lambda * ( J - 1.0 ) * ( J - 1.0 );
}

static double Evaluate( const Problem* problem, const double* y, double* g )
{
	const gelReference* reference = problem->reference;
	const gelPackMass* masses = reference->asset->pack.masses;
	double phi = 0.0;
	for ( int i = 0; i < 3 * reference->n; ++i )
	{
		double m = masses[i / 3].mass, weight = i % 3 == 1 ? problem->h2 * m * reference->gravity : 0.0;
		double away = problem->target ? y[i] - problem->target[i] : 0.0;
		phi += 0.5 * m * away * away - weight * y[i];
		g[i] = m * away - weight;
	}
	for ( int t = 0; t < reference->asset->tetCount; ++t )
		phi += AddTet( reference, t, y, problem->h2, g );
	for ( int i = 0; i < 3 * reference->n; ++i )
	{
		if ( reference->isPinned[i / 3] ) g[i] = 0.0;
	}
	return phi;
}

static void Factorize( Problem* problem )
{
	const gelReference* reference = problem->reference;
	const gelPackView* pack = &reference->asset->pack;
	int n = reference->n;
	double* A = problem->factor = Allocate( (size_t)n * (size_t)n );
	for ( int t = 0; t < reference->asset->tetCount; ++t )
	{
		const gelPackTetRest* rest = pack->tetRests + t;
		const gelPackMaterial* m = pack->materials + rest->material;
		double g[4][3], c = problem->h2 * reference->stiffnessScale * rest->volume;
		GetGradients( rest, g );
		c *= 2.0 * (double)m->mu + (double)m->lambda;
		for ( int i = 0; i < 16; ++i )
			A[pack->tets[t].node[i / 4] * (size_t)n + pack->tets[t].node[i % 4]] +=
				c * Dot( g[i / 4], g[i % 4], 3 );
	}
	for ( int i = 0; i < n; ++i )
	{
		double* row = A + (size_t)i * (size_t)n;
		if ( problem->target ) row[i] += pack->masses[i].mass;
		for ( int j = 0; j <= i; ++j )
		{
			if ( reference->isPinned[i] || reference->isPinned[j] ) row[j] = i == j ? 1.0 : 0.0;
			double sum = row[j] - Dot( row, A + (size_t)j * (size_t)n, j );
			row[j] = i == j ? sqrt( sum ) : sum / A[(size_t)j * (size_t)n + (size_t)j];
		}
	}
}

static void Solve( const Problem* problem, double* y )
{
	size_t n = (size_t)problem->reference->n;
	const double* L = problem->factor;
	for ( size_t i = 0; i < n; ++i )
	{
		for ( size_t d = 0; d < 3; ++d )
		{
			for ( size_t j = 0; j < i; ++j )
				y[3 * i + d] -= L[i * n + j] * y[3 * j + d];
			y[3 * i + d] /= L[i * n + i];
		}
	}
	for ( size_t i = n; i-- > 0; )
	{
		for ( size_t d = 0; d < 3; ++d )
		{
			y[3 * i + d] /= L[i * n + i];
			for ( size_t j = 0; j < i; ++j )
				y[3 * j + d] -= L[i * n + j] * y[3 * i + d];
		}
	}
}

typedef struct Pairs
{
	double *s[PAIRS], *y[PAIRS], sy[PAIRS];
	int count;
} Pairs;

static void FindDirection( const Problem* problem, const Pairs* pairs, const double* g, double* d )
{
	int n = 3 * problem->reference->n;
	double alpha[PAIRS];
	for ( int i = 0; i < n; ++i )
		d[i] = -g[i];
	for ( int k = pairs->count - 1; k >= 0; --k )
	{
		alpha[k] = Dot( pairs->s[k], d, n ) / pairs->sy[k];
		for ( int i = 0; i < n; ++i )
			d[i] -= alpha[k] * pairs->y[k][i];
	}
	Solve( problem, d );
	for ( int k = 0; k < pairs->count; ++k )
	{
		double beta = Dot( pairs->y[k], d, n ) / pairs->sy[k];
		for ( int i = 0; i < n; ++i )
			d[i] += ( alpha[k] - beta ) * pairs->s[k][i];
	}
}

static void AddPair( Pairs* pairs, const double* d, double scale, const double* g, const double* g1, int n )
{
	if ( pairs->count == PAIRS )
	{
		double *s = pairs->s[0], *y = pairs->y[0];
		for ( int k = 1; k < PAIRS; ++k )
		{
			pairs->s[k - 1] = pairs->s[k];
			pairs->y[k - 1] = pairs->y[k];
			pairs->sy[k - 1] = pairs->sy[k];
		}
		pairs->s[PAIRS - 1] = s;
		pairs->y[PAIRS - 1] = y;
		--pairs->count;
	}
	double *s = pairs->s[pairs->count], *y = pairs->y[pairs->count];
	for ( int i = 0; i < n; ++i )
	{
		s[i] = scale * d[i];
		y[i] = g1[i] - g[i];
	}
	pairs->sy[pairs->count] = Dot( s, y, n );
	if ( pairs->sy[pairs->count] > 0.0 ) ++pairs->count;
}

// Until the gradient is 1e-7 of the weight.
static void Minimize( Problem* problem, double* y )
{
	int n = 3 * problem->reference->n;
	double* memory = Allocate( (size_t)n * ( 4 + 2 * PAIRS ) );
	double *g = memory, *g1 = g + n, *d = g1 + n, *y1 = d + n;
	Pairs pairs = { .count = 0 };
	for ( int k = 0; k < PAIRS; ++k )
	{
		pairs.s[k] = y1 + ( 2 * k + 1 ) * n;
		pairs.y[k] = y1 + ( 2 * k + 2 ) * n;
	}
	Factorize( problem );
	double phi = Evaluate( problem, y, g );
	double enough = 1e-7 * problem->h2 * (double)problem->reference->asset->mass * 9.81;
	for ( int k = 0; k < 3000 && sqrt( Dot( g, g, n ) ) > enough; ++k )
	{
		FindDirection( problem, &pairs, g, d );
		double slope = Dot( g, d, n ), scale = 1.0;
		for ( int halving = 0; halving < 40; ++halving, scale *= 0.5 )
		{
			for ( int i = 0; i < n; ++i )
				y1[i] = y[i] + scale * d[i];
			double phi1 = Evaluate( problem, y1, g1 );
			bool isLevel = fabs( phi1 - phi ) < 1e-10 * fabs( phi );
			if ( !( phi1 <= phi + 1e-4 * scale * slope ) && !( isLevel && Dot( g1, d, n ) <= -slope ) )
				continue;
			AddPair( &pairs, d, scale, g, g1, n );
			memcpy( y, y1, (size_t)n * sizeof( double ) );
			memcpy( g, g1, (size_t)n * sizeof( double ) );
			phi = phi1;
			break;
		}
	}
	assert_true( sqrt( Dot( g, g, n ) ) < 1e3 * enough );
	free( problem->factor );
	free( memory );
}

gelReference gelMakeReference( const gelAsset* asset, const bool* isPinned, double gravity )
{
	gelReference reference = {
		.asset = asset, .n = asset->nodeCount, .stiffnessScale = 1.0, .gravity = gravity, .isPinned = isPinned
	};
	reference.memory = Allocate( 6 * (size_t)reference.n );
	reference.x = reference.memory;
	reference.v = reference.memory + 3 * reference.n;
	for ( int i = 0; i < 3 * reference.n; ++i )
		reference.x[i] = (double)( &asset->pack.nodes[i / 3].x )[i % 3];
	return reference;
}

void gelFreeReference( gelReference* reference )
{
	free( reference->memory );
	*reference = ( gelReference ){ 0 };
}

void gelReference_Settle( gelReference* reference )
{
	Problem problem = { .reference = reference, .h2 = 1.0 };
	Minimize( &problem, reference->x );
	memset( reference->v, 0, 3 * (size_t)reference->n * sizeof( double ) );
}

void gelReference_Step( gelReference* reference, double h )
{
	int n = 3 * reference->n;
	double *target = Allocate( 2 * (size_t)n ), *y = target + n;
	for ( int i = 0; i < n; ++i )
		y[i] = target[i] = reference->x[i] + h * reference->v[i];
	Problem problem = { .reference = reference, .target = target, .h2 = h * h };
	Minimize( &problem, y );
	for ( int i = 0; i < n; ++i )
	{
		reference->v[i] = ( y[i] - reference->x[i] ) / h;
		reference->x[i] = y[i];
	}
	free( target );
}

double gelReference_GetSag( const gelReference* reference, double at )
{
	double sum = 0.0;
	int count = 0;
	for ( int i = 0; i < reference->n; ++i )
	{
		const gelPackNode* rest = reference->asset->pack.nodes + i;
		if ( (double)rest->x < at ) continue;
		sum += reference->x[3 * i + 1] - (double)rest->y;
		++count;
	}
	return sum / count;
}
