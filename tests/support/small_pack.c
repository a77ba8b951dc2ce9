// SPDX-License-Identifier: MIT
#include "small_pack.h"

#include "pack/pack_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NODE_COUNT     12
#define TET_COUNT      10
#define VERTEX_COUNT   9
#define PADDED_COUNT   16
#define TRIANGLE_COUNT 12
#define PIN_COUNT      4
#define MAX_ROWS       ( NODE_COUNT * NODE_COUNT )
#define MAX_VALUES     ( NODE_COUNT * ( NODE_COUNT + 8 ) * 2 )

typedef struct SmallBody
{
	gelPackNode nodes[NODE_COUNT];
	gelPackTet tets[TET_COUNT];
	gelPackTetRest rests[TET_COUNT];
	gelPackMass masses[NODE_COUNT];
	gelPackMaterial materials[2];
} SmallBody;

// Nodes 4 i + 2 k + j of the plane x = i, at y = j, z = k. Neighboring cells are mirror images, so that
// their faces match: corner (i, j, k) is "even" when i + j + k is.
static const uint32_t s_pins[PIN_COUNT] = { 0, 1, 2, 3 };

static uint32_t NodeAt( uint32_t i, uint32_t j, uint32_t k )
{
	return 4 * i + 2 * k + j;
}

static double Volume( const gelPackNode* nodes, const uint32_t n[4], double Dm[3][3] )
{
	const gelPackNode* x0 = nodes + n[0];
	for ( int c = 0; c < 3; ++c )
	{
		const gelPackNode* x = nodes + n[c + 1];
		Dm[0][c] = (double)x->x - x0->x;
		Dm[1][c] = (double)x->y - x0->y;
		Dm[2][c] = (double)x->z - x0->z;
	}
	return ( Dm[0][0] * ( Dm[1][1] * Dm[2][2] - Dm[1][2] * Dm[2][1] ) -
			   Dm[0][1] * ( Dm[1][0] * Dm[2][2] - Dm[1][2] * Dm[2][0] ) +
			   Dm[0][2] * ( Dm[1][0] * Dm[2][1] - Dm[1][1] * Dm[2][0] ) ) /
		6.0;
}

static void AddTet( SmallBody* body, uint32_t index, const uint32_t corners[4] )
{
	gelPackTet* tet = body->tets + index;
	memcpy( tet->node, corners, sizeof( tet->node ) );
	double Dm[3][3];
	if ( Volume( body->nodes, tet->node, Dm ) < 0.0 )
	{
		tet->node[2] = corners[3];
		tet->node[3] = corners[2];
	}
}

// One tet at each odd corner (its three neighbors are even), and the even corners as the middle one.
static void AddCell( SmallBody* body, uint32_t i0, uint32_t firstTet )
{
	uint32_t tet = firstTet, middle[4], middleCount = 0;
	for ( uint32_t c = 0; c < 8; ++c )
	{
		uint32_t i = c & 1u, j = ( c >> 1 ) & 1u, k = c >> 2;
		if ( ( i0 + i + j + k ) % 2 == 0 )
		{
			middle[middleCount++] = NodeAt( i0 + i, j, k );
			continue;
		}
		uint32_t corners[4] = { NodeAt( i0 + i, j, k ), NodeAt( i0 + 1 - i, j, k ),
			NodeAt( i0 + i, 1 - j, k ), NodeAt( i0 + i, j, 1 - k ) };
		AddTet( body, tet++, corners );
	}
	AddTet( body, tet, middle );
}

static void FillMaterial( gelPackMaterial* m, const char* name, double density, double E, double nu )
{
	*m = ( gelPackMaterial ){
		.density = (float)density,
		.youngsModulus = (float)E,
		.poissonsRatio = (float)nu,
		.mu = (float)( E / ( 2.0 * ( 1.0 + nu ) ) ),
		.lambda = (float)( E * nu / ( ( 1.0 + nu ) * ( 1.0 - 2.0 * nu ) ) ),
		.damping = 0.1f,
		.staticFriction = 0.6f,
		.dynamicFriction = 0.5f,
	};
	memcpy( m->name, name, strlen( name ) );
}

static void FillRests( SmallBody* body )
{
	double masses[NODE_COUNT] = { 0 };
	for ( uint32_t t = 0; t < TET_COUNT; ++t )
	{
		double D[3][3], volume = Volume( body->nodes, body->tets[t].node, D );
		gelPackTetRest* rest = body->rests + t;
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				// inverse by cofactors: entry (i, j) is cofactor (j, i) / det
				int a = ( j + 1 ) % 3, b = ( j + 2 ) % 3, c = ( i + 1 ) % 3, d = ( i + 2 ) % 3;
				rest->invDm[3 * i + j] =
					(float)( ( D[a][c] * D[b][d] - D[a][d] * D[b][c] ) / ( 6.0 * volume ) );
			}
		}
		gelCleanFloats( rest->invDm, 9 );
		rest->volume = (float)volume;
		rest->material = t >= 5;
		for ( int k = 0; k < 4; ++k )
			masses[body->tets[t].node[k]] += body->materials[rest->material].density * volume / 4.0;
	}
	for ( uint32_t i = 0; i < NODE_COUNT; ++i )
		body->masses[i] = ( gelPackMass ){ (float)masses[i], (float)( 1.0 / (double)(float)masses[i] ) };
}

static void FillBody( SmallBody* body )
{
	memset( body, 0, sizeof( *body ) );
	for ( uint32_t n = 0; n < NODE_COUNT; ++n )
		body->nodes[n] = ( gelPackNode ){ (float)( n / 4 ), (float)( n % 2 ), (float)( n / 2 % 2 ), 0.0f };
	AddCell( body, 0, 0 );
	AddCell( body, 1, 5 );
	FillMaterial( body->materials, "jelly", 1000.0, 2.0e4, 0.4 );
	FillMaterial( body->materials + 1, "rubber", 1100.0, 1.0e5, 0.33 );
	FillRests( body );
}

// ---- colors and gather lists ----------------------------------------------------------------------

static void AddColors( gelPackWriter* writer, const SmallBody* body )
{
	uint32_t color[TET_COUNT], first[TET_COUNT + 1] = { 0 }, order[TET_COUNT], count = 0, placed = 0;
	for ( uint32_t t = 0; t < TET_COUNT; ++t )
	{
		bool used[TET_COUNT] = { false };
		for ( uint32_t u = 0; u < t; ++u )
		{
			for ( int k = 0; k < 16; ++k )
			{
				if ( body->tets[t].node[k / 4] == body->tets[u].node[k % 4] ) used[color[u]] = true;
			}
		}
		color[t] = 0;
		while ( used[color[t]] )
			++color[t];
		if ( color[t] >= count ) count = color[t] + 1;
	}
	for ( uint32_t c = 0; c < count; ++c )
	{
		for ( uint32_t t = 0; t < TET_COUNT; ++t )
		{
			if ( color[t] == c ) order[placed++] = t;
		}
		first[c + 1] = placed;
	}
	gelPackColoring header = { 0 };
	gelPackInnerArray arrays[2] = { { first, count + 1, 4 }, { order, TET_COUNT, 4 } };
	gelPackWriter_AddBlob( writer, GEL_SECTION_COLR, 0, 0, &header, sizeof( header ), 0, arrays, 2 );
}

static void AddGather( gelPackWriter* writer, const SmallBody* body )
{
	uint32_t first[NODE_COUNT + 1] = { 0 }, corners[4 * TET_COUNT], count = 0;
	for ( uint32_t n = 0; n < NODE_COUNT; ++n )
	{
		for ( uint32_t c = 0; c < 4 * TET_COUNT; ++c )
		{
			if ( body->tets[c / 4].node[c % 4] == n ) corners[count++] = c;
		}
		first[n + 1] = count;
	}
	gelPackGather header = { 0 };
	gelPackInnerArray arrays[2] = { { first, NODE_COUNT + 1, 4 }, { corners, 4 * TET_COUNT, 4 } };
	gelPackWriter_AddBlob( writer, GEL_SECTION_GATH, 0, 0, &header, sizeof( header ), 0, arrays, 2 );
}

// ---- art -------------------------------------------------------------------------------------------

// Barycentric coordinates of p in a tet of the body.
static void Weights( const SmallBody* body, uint32_t t, const double p[3], double w[4] )
{
	const gelPackNode* x0 = body->nodes + body->tets[t].node[0];
	double d[3] = { p[0] - x0->x, p[1] - x0->y, p[2] - x0->z };
	w[0] = 1.0;
	for ( int k = 0; k < 3; ++k )
	{
		const float* g = body->rests[t].invDm + 3 * k;
		w[k + 1] = g[0] * d[0] + g[1] * d[1] + g[2] * d[2];
		w[0] -= w[k + 1];
	}
}

static void AddEmbedding( gelPackWriter* writer, const SmallBody* body, double positions[][3] )
{
	uint32_t tets[PADDED_COUNT], sources[VERTEX_COUNT];
	float weights[4 * PADDED_COUNT];
	for ( uint32_t i = 0; i < PADDED_COUNT; ++i )
	{
		uint32_t vertex = i < VERTEX_COUNT ? i : VERTEX_COUNT - 1;
		double w[4], best = -1e9;
		for ( uint32_t t = 0; t < TET_COUNT; ++t )
		{
			Weights( body, t, positions[vertex], w );
			double least = fmin( fmin( w[0], w[1] ), fmin( w[2], w[3] ) );
			if ( least > best )
			{
				best = least;
				tets[i] = t;
			}
		}
		Weights( body, tets[i], positions[vertex], w );
		for ( uint32_t k = 0; k < 4; ++k )
			weights[i / 8 * 32 + 8 * k + i % 8] = (float)fmin( fmax( w[k], 0.0 ), 1.0 );
		if ( i < VERTEX_COUNT ) sources[i] = i < 8 ? i : 7; // vertex 8 is the split tip
	}
	gelCleanFloats( weights, 4 * PADDED_COUNT );
	gelPackEmbedding header = { 0 };
	gelPackInnerArray arrays[3] = { { tets, PADDED_COUNT, 4 }, { weights, 4 * PADDED_COUNT, 4 },
		{ sources, VERTEX_COUNT, 4 } };
	gelPackWriter_AddBlob( writer, GEL_SECTION_VEMB, 0, 0, &header, sizeof( header ), 0, arrays, 3 );
}

static gelPackNormal EncodeNormal( const double d[3] )
{
	double scale = 32767.0 / ( fabs( d[0] ) + fabs( d[1] ) + fabs( d[2] ) );
	double u = d[0] * scale, v = d[1] * scale;
	if ( d[2] < 0.0 )
	{
		double fold = ( 32767.0 - fabs( v ) ) * ( u < 0.0 ? -1.0 : 1.0 );
		v = ( 32767.0 - fabs( u ) ) * ( v < 0.0 ? -1.0 : 1.0 );
		u = fold;
	}
	return ( gelPackNormal ){ (int16_t)lround( u ), (int16_t)lround( v ) };
}

// A hexagonal bipyramid along x: ring 0 .. 5 at x = 1, tip 6 at x = 0.2, tips 7 and 8 at x = 1.8.
static void AddArt( gelPackWriter* writer, const SmallBody* body )
{
	double positions[VERTEX_COUNT][3];
	gelPackTriangle triangles[TRIANGLE_COUNT];
	gelPackNormal normals[VERTEX_COUNT];
	for ( uint32_t i = 0; i < VERTEX_COUNT; ++i )
	{
		double angle = 3.14159265358979323846 / 3.0 * i, radius = i < 6 ? 0.35 : 0.0;
		positions[i][0] = i < 6 ? 1.0 : i == 6 ? 0.2 : 1.8;
		positions[i][1] = 0.5 + radius * cos( angle );
		positions[i][2] = 0.5 + radius * sin( angle );
		double outward[3] = { positions[i][0] - 1.0, positions[i][1] - 0.5, positions[i][2] - 0.5 };
		normals[i] = EncodeNormal( outward );
	}
	for ( uint32_t i = 0; i < 6; ++i )
	{
		uint32_t next = ( i + 1 ) % 6;
		triangles[i] = ( gelPackTriangle ){ { 6, next, i } };
		triangles[6 + i] = ( gelPackTriangle ){ { i < 3 ? 7 : 8, i, next } };
	}
	AddEmbedding( writer, body, positions );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_VIDX, 0, 0, triangles, TRIANGLE_COUNT, sizeof( triangles[0] ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_VNRM, 0, 0, normals, VERTEX_COUNT, sizeof( normals[0] ) );
}

// ---- factors ---------------------------------------------------------------------------------------

typedef struct DenseSystem
{
	uint32_t n;
	uint32_t nodes[NODE_COUNT]; // row -> node
	double A[NODE_COUNT][NODE_COUNT], L[NODE_COUNT][NODE_COUNT];
	bool pattern[NODE_COUNT][NODE_COUNT]; // where L has entries, with its fill
} DenseSystem;

// A = M + sum of 2 h^2 mu V (g_i . g_j) (Kugelstadt et al. 2018), rows in the order of system->nodes.
static void Assemble( DenseSystem* system, const SmallBody* body, double h )
{
	uint32_t rowOf[NODE_COUNT];
	memset( rowOf, 0xFF, sizeof( rowOf ) );
	for ( uint32_t i = 0; i < system->n; ++i )
	{
		rowOf[system->nodes[i]] = i;
		system->A[i][i] = body->masses[system->nodes[i]].mass;
		system->pattern[i][i] = true;
	}
	for ( uint32_t t = 0; t < TET_COUNT; ++t )
	{
		const gelPackTetRest* rest = body->rests + t;
		double g[4][3] = { { 0 } };
		for ( int k = 0; k < 9; ++k )
		{
			g[k / 3 + 1][k % 3] = rest->invDm[k];
			g[0][k % 3] -= rest->invDm[k];
		}
		double scale = 2.0 * h * h * body->materials[rest->material].mu * rest->volume;
		for ( int k = 0; k < 16; ++k )
		{
			const double *a = g[k / 4], *b = g[k % 4];
			uint32_t i = rowOf[body->tets[t].node[k / 4]], j = rowOf[body->tets[t].node[k % 4]];
			if ( i >= system->n || j >= system->n ) continue;
			system->A[i][j] += scale * ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] );
			system->pattern[i][j] = true;
		}
	}
}

static void Factorize( DenseSystem* system )
{
	for ( uint32_t j = 0; j < system->n; ++j )
	{
		for ( uint32_t i = j; i < system->n; ++i )
		{
			double sum = system->A[i][j];
			for ( uint32_t k = 0; k < j; ++k )
			{
				sum -= system->L[i][k] * system->L[j][k];
				if ( system->pattern[i][k] && system->pattern[j][k] ) system->pattern[i][j] = true;
			}
			system->L[i][j] = i == j ? sqrt( sum ) : sum / system->L[j][j];
		}
	}
}

static uint64_t PatternHash( const SmallBody* body, const bool isPinned[NODE_COUNT] )
{
	DenseSystem system = { 0 };
	for ( uint32_t i = 0; i < NODE_COUNT; ++i )
	{
		if ( !isPinned[i] ) system.nodes[system.n++] = i;
	}
	Assemble( &system, body, 1.0 );
	uint32_t first[NODE_COUNT + 1] = { 0 }, rows[MAX_ROWS], count = 0;
	for ( uint32_t j = 0; j < system.n; ++j )
	{
		for ( uint32_t i = j; i < system.n; ++i )
		{
			if ( system.pattern[i][j] ) rows[count++] = i;
		}
		first[j + 1] = count;
	}
	uint64_t hash = 0;
	return gelPackPatternHash( first, rows, system.n, &hash ) ? hash : 0;
}

static double Residual( const DenseSystem* system )
{
	double worst = 0.0, largest = 0.0;
	for ( uint32_t i = 0; i < system->n; ++i )
	{
		for ( uint32_t j = 0; j <= i; ++j )
		{
			double sum = 0.0;
			for ( uint32_t k = 0; k <= j; ++k )
				sum += (double)(float)system->L[i][k] * (double)(float)system->L[j][k];
			worst = fmax( worst, fabs( sum - system->A[i][j] ) );
			largest = fmax( largest, fabs( system->A[i][j] ) );
		}
	}
	return worst / largest;
}

typedef struct Panels
{
	uint32_t count, rowCount;
	uint32_t superFirst[NODE_COUNT + 1], rowFirst[NODE_COUNT + 1], rows[MAX_ROWS], parent[NODE_COUNT];
	uint64_t valueFirst[NODE_COUNT + 1];
	float values[MAX_VALUES];
	uint64_t nonzeroCount;
} Panels;

// Column j continues the panel of column j - 1 when both have the same rows from j on.
static bool Continues( const DenseSystem* system, uint32_t j )
{
	for ( uint32_t i = j; i < system->n; ++i )
	{
		if ( system->pattern[i][j] != system->pattern[i][j - 1] ) return false;
	}
	return true;
}

static void FormPanels( Panels* panels, const DenseSystem* system )
{
	memset( panels, 0, sizeof( *panels ) );
	for ( uint32_t j = 0; j < system->n; )
	{
		uint32_t s = panels->count++, end = j + 1;
		while ( end < system->n && Continues( system, end ) )
			++end;
		uint32_t* rows = panels->rows + panels->rowCount;
		uint32_t count = 0;
		for ( uint32_t i = j; i < system->n; ++i )
		{
			if ( system->pattern[i][j] ) rows[count++] = i;
		}
		uint32_t padded = ( count + 7 ) / 8 * 8;
		float* values = panels->values + panels->valueFirst[s];
		for ( uint32_t c = j; c < end; ++c )
		{
			for ( uint32_t r = c - j; r < count; ++r )
				values[( c - j ) * padded + r] = (float)system->L[rows[r]][c];
			panels->nonzeroCount += count - ( c - j );
		}
		panels->parent[s] = count > end - j ? rows[end - j] : UINT32_MAX; // a column for now
		panels->rowCount += count;
		panels->superFirst[s + 1] = end;
		panels->rowFirst[s + 1] = panels->rowCount;
		panels->valueFirst[s + 1] = panels->valueFirst[s] + ( ( end - j ) * padded + 15 ) / 16 * 16;
		j = end;
	}
	for ( uint32_t s = 0; s < panels->count; ++s )
	{
		uint32_t parent = 0;
		while ( parent < panels->count && panels->superFirst[parent + 1] <= panels->parent[s] )
			++parent;
		panels->parent[s] = parent;
	}
	gelCleanFloats( panels->values, panels->valueFirst[panels->count] );
}

static void AddFactor( gelPackWriter* writer, const SmallBody* body, uint64_t pinSetId )
{
	// An order with several leaves: even nodes first, then odd ones, pinned ones left out.
	DenseSystem system = { 0 };
	bool isPinned[NODE_COUNT] = { false };
	for ( uint32_t i = 0; i < PIN_COUNT && pinSetId != 0; ++i )
		isPinned[s_pins[i]] = true;
	for ( uint32_t i = 0; i < 2 * NODE_COUNT; ++i )
	{
		uint32_t node = i % NODE_COUNT, odd = ( node / 4 + node / 2 + node ) % 2;
		if ( odd == 1 - i / NODE_COUNT && !isPinned[node] ) system.nodes[system.n++] = node;
	}
	double step = (double)(float)GEL_SMALL_PACK_STEP;
	Assemble( &system, body, step );
	Factorize( &system );
	Panels panels;
	FormPanels( &panels, &system );

	float invDiagonal[NODE_COUNT];
	gelPackFactor header = { .solverKind = GEL_FACTOR_FAST,
		.blockSize = 1,
		.pinSetId = pinSetId,
		.n = system.n,
		.superCount = panels.count,
		.nonzeroCount = panels.nonzeroCount,
		.minDiagonal = (float)system.L[0][0],
		.maxDiagonal = (float)system.L[0][0],
		.residual = (float)Residual( &system ),
		.patternHash = PatternHash( body, isPinned ) };
	memcpy( &header.stepBits, &step, sizeof( step ) );
	for ( uint32_t i = 0; i < system.n; ++i )
	{
		float pivot = (float)system.L[i][i];
		invDiagonal[i] = (float)( 1.0 / system.L[i][i] );
		header.minDiagonal = fminf( header.minDiagonal, pivot );
		header.maxDiagonal = fmaxf( header.maxDiagonal, pivot );
	}
	gelPackInnerArray arrays[8] = {
		{ system.nodes, system.n, 4 },
		{ panels.superFirst, panels.count + 1, 4 },
		{ panels.rowFirst, panels.count + 1, 4 },
		{ panels.rows, panels.rowCount, 4 },
		{ panels.valueFirst, panels.count + 1, 8 },
		{ panels.values, (uint32_t)panels.valueFirst[panels.count], 4 },
		{ invDiagonal, system.n, 4 },
		{ panels.parent, panels.count, 4 },
	};
	gelPackFactorKey key = { GEL_FACTOR_FAST, 1, header.stepBits, pinSetId };
	gelPackWriter_AddBlob( writer, GEL_SECTION_FACT, XXH64( &key, sizeof( key ), 0 ), GEL_SECTION_REQUIRED,
		&header, sizeof( header ), offsetof( gelPackFactor, perm ), arrays, 8 );
}

// ---- the pack --------------------------------------------------------------------------------------

uint64_t gelSmallPackPinSetId( void )
{
	return XXH64( s_pins, sizeof( s_pins ), 0 );
}

uint8_t* gelMakeSmallPack( size_t* outBytes )
{
	SmallBody body;
	FillBody( &body );
	gelPackHeader counts = { .nodeCount = NODE_COUNT,
		.tetCount = TET_COUNT,
		.artVertexCount = VERTEX_COUNT,
		.artTriangleCount = TRIANGLE_COUNT };
	uint8_t provenance[32];
	for ( int i = 0; i < 32; ++i )
		provenance[i] = (uint8_t)( 7 * i + 1 );
	const char meta[] = "{\"name\": \"small\"}\n";

	gelPackWriter* writer = gelCreatePackWriter();
	gelPackWriter_SetCounts( writer, &counts );
	gelPackWriter_SetProvenance( writer, provenance );
	AddFactor( writer, &body, gelSmallPackPinSetId() );
	AddFactor( writer, &body, 0 );
	gelPackWriter_AddArray( writer, GEL_SECTION_META, 0, 0, meta, sizeof( meta ) - 1, 1 );
	gelPackWriter_AddArray( writer, GEL_SECTION_NODE, 0, 0, body.nodes, NODE_COUNT, sizeof( gelPackNode ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_TETS, 0, 0, body.tets, TET_COUNT, sizeof( gelPackTet ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_TREF, 0, 0, body.rests, TET_COUNT, sizeof( gelPackTetRest ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_MASS, 0, 0, body.masses, NODE_COUNT, sizeof( gelPackMass ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_MATL, 0, 0, body.materials, 2, sizeof( gelPackMaterial ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_PINS, gelSmallPackPinSetId(), 0, s_pins, PIN_COUNT, 4 );
	AddColors( writer, &body );
	AddGather( writer, &body );
	AddArt( writer, &body );
	uint8_t* bytes = gelPackWriter_Finish( writer, outBytes );
	gelDestroyPackWriter( writer );
	return bytes;
}
