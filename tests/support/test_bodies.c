// SPDX-License-Identifier: MIT
#include "test_bodies.h"

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

static void* Allocate( size_t count, size_t bytes )
{
	void* memory = calloc( count > 0 ? count : 1, bytes );
	assert_non_null( memory );
	return memory;
}

// Six times the signed volume.
static double Determinant( const double* p, const uint32_t* t )
{
	double e[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		for ( int c = 0; c < 3; ++c )
			e[k][c] = p[3 * t[k + 1] + c] - p[3 * t[0] + c];
	}
	return e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) -
		e[0][1] * ( e[1][0] * e[2][2] - e[1][2] * e[2][0] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
}

static void AddTet( gelCage* cage, uint32_t a, uint32_t b, uint32_t c, uint32_t d )
{
	uint32_t tet[4] = { a, b, c, d };
	if ( Determinant( cage->positions, tet ) < 0.0 )
	{
		tet[2] = d;
		tet[3] = c;
	}
	memcpy( cage->tets + 4 * (size_t)cage->tetCount, tet, sizeof( tet ) );
	cage->tetCount += 1;
}

// Corner k of a cell has the offsets (k & 1, k >> 1 & 1, k >> 2 & 1).
static void SplitFive( gelCage* cage, const uint32_t corner[8], bool odd )
{
	// the middle tet takes every second corner; an odd cell takes the other four, so that the diagonals of
	// a shared face agree
	uint32_t flip = odd ? 1 : 0;
	AddTet( cage, corner[0 ^ flip], corner[3 ^ flip], corner[5 ^ flip], corner[6 ^ flip] );
	for ( uint32_t k = 0; k < 8; ++k )
	{
		bool isMiddle = ( ( ( k ^ ( k >> 1 ) ^ ( k >> 2 ) ) & 1 ) != 0 ) == odd;
		if ( !isMiddle ) AddTet( cage, corner[k], corner[k ^ 1], corner[k ^ 2], corner[k ^ 4] );
	}
}

static void SplitSix( gelCage* cage, const uint32_t corner[8] )
{
	static const uint32_t order[6][2] = { { 1, 3 }, { 1, 5 }, { 2, 3 }, { 2, 6 }, { 4, 5 }, { 4, 6 } };
	for ( int i = 0; i < 6; ++i )
		AddTet( cage, corner[0], corner[order[i][0]], corner[order[i][1]], corner[7] );
}

gelCage gelMakeBoxCage( int nx, int ny, int nz, double sx, double sy, double sz, gelBoxSplit split )
{
	size_t nodeCount = (size_t)( nx + 1 ) * (size_t)( ny + 1 ) * (size_t)( nz + 1 );
	size_t tetCount = (size_t)nx * (size_t)ny * (size_t)nz * ( split == gel_boxSplitFive ? 5 : 6 );
	gelCage cage = { 0 };
	cage.positions = Allocate( 3 * nodeCount, sizeof( double ) );
	cage.tets = Allocate( 4 * tetCount, sizeof( uint32_t ) );
	for ( int k = 0; k <= nz; ++k )
	{
		for ( int j = 0; j <= ny; ++j )
		{
			for ( int i = 0; i <= nx; ++i )
			{
				double* p = cage.positions + 3 * (size_t)cage.nodeCount++;
				p[0] = sx * i / nx;
				p[1] = sy * j / ny;
				p[2] = sz * k / nz;
			}
		}
	}
	for ( int c = 0; c < nx * ny * nz; ++c )
	{
		int i = c % nx, j = c / nx % ny, k = c / nx / ny;
		uint32_t corner[8];
		for ( int v = 0; v < 8; ++v )
		{
			int x = i + ( v & 1 ), y = j + ( v >> 1 & 1 ), z = k + ( v >> 2 & 1 );
			corner[v] = (uint32_t)( x + ( nx + 1 ) * ( y + ( ny + 1 ) * z ) );
		}
		if ( split == gel_boxSplitFive ) SplitFive( &cage, corner, ( ( i + j + k ) & 1 ) != 0 );
		if ( split == gel_boxSplitSix ) SplitSix( &cage, corner );
	}
	return cage;
}

gelCage gelMakeTetCage( double size )
{
	gelCage cage = { 0 };
	cage.positions = Allocate( 12, sizeof( double ) );
	cage.tets = Allocate( 4, sizeof( uint32_t ) );
	cage.nodeCount = 4;
	for ( int k = 0; k < 3; ++k )
		cage.positions[3 * ( k + 1 ) + k] = size;
	AddTet( &cage, 0, 1, 2, 3 );
	return cage;
}

gelCage gelJoinCages( const gelCage* a, const gelCage* b, const double offset[3] )
{
	gelCage cage = { 0 };
	cage.nodeCount = a->nodeCount + b->nodeCount;
	cage.tetCount = a->tetCount + b->tetCount;
	cage.positions = Allocate( 3 * (size_t)cage.nodeCount, sizeof( double ) );
	cage.tets = Allocate( 4 * (size_t)cage.tetCount, sizeof( uint32_t ) );
	memcpy( cage.positions, a->positions, 3 * (size_t)a->nodeCount * sizeof( double ) );
	memcpy( cage.tets, a->tets, 4 * (size_t)a->tetCount * sizeof( uint32_t ) );
	for ( size_t i = 0; i < 3 * (size_t)b->nodeCount; ++i )
		cage.positions[3 * (size_t)a->nodeCount + i] = b->positions[i] + offset[i % 3];
	for ( size_t i = 0; i < 4 * (size_t)b->tetCount; ++i )
		cage.tets[4 * (size_t)a->tetCount + i] = b->tets[i] + a->nodeCount;
	return cage;
}

typedef struct Face
{
	uint32_t sorted[3]; // ascending, for the comparison
	uint32_t node[3];   // counter-clockwise from outside of its tet
} Face;

static int CompareFaces( const void* a, const void* b )
{
	// faces with the same nodes come from two tets and cancel, so their order does not matter
	return memcmp(
		( (const Face*)a )->sorted, ( (const Face*)b )->sorted, sizeof( ( (const Face*)a )->sorted ) );
}

static void Sort2( uint32_t* a, uint32_t* b )
{
	uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
	*a = low;
	*b = high;
}

static Face* MakeSortedFaces( const gelCage* cage )
{
	// face k lies opposite of corner k and is seen counter-clockwise from outside of a positive tet
	static const int corner[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	Face* faces = Allocate( 4 * (size_t)cage->tetCount, sizeof( Face ) );
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
	{
		for ( int c = 0; c < 3; ++c )
		{
			faces[i].node[c] = cage->tets[i / 4 * 4 + (size_t)corner[i % 4][c]];
			faces[i].sorted[c] = faces[i].node[c];
		}
		Sort2( faces[i].sorted, faces[i].sorted + 1 );
		Sort2( faces[i].sorted + 1, faces[i].sorted + 2 );
		Sort2( faces[i].sorted, faces[i].sorted + 1 );
	}
	qsort( faces, 4 * (size_t)cage->tetCount, sizeof( Face ), CompareFaces );
	return faces;
}

// Vertices of the mesh are the boundary nodes in the order of the nodes.
static void AddBoundaryVertices( gelMesh* mesh, const gelCage* cage, uint32_t* nodeToVert, double shrink )
{
	double middle[3] = { 0.0, 0.0, 0.0 };
	for ( size_t i = 0; i < 3 * (size_t)cage->nodeCount; ++i )
		middle[i % 3] += cage->positions[i] / cage->nodeCount;
	for ( size_t i = 0; i < cage->nodeCount; ++i )
	{
		if ( nodeToVert[i] == GEL_NO_INDEX ) continue;
		nodeToVert[i] = mesh->vertexCount;
		mesh->vertToSource[mesh->vertexCount] = mesh->vertexCount;
		for ( int c = 0; c < 3; ++c )
		{
			double x = cage->positions[3 * i + (size_t)c];
			double shrunk = shrink == 0.0 ? x : middle[c] + ( 1.0 - shrink ) * ( x - middle[c] );
			mesh->positions[3 * (size_t)mesh->vertexCount + (size_t)c] = (float)shrunk;
		}
		mesh->vertexCount += 1;
	}
}

gelMesh gelMeshFromCageBoundary( const gelCage* cage, double shrink )
{
	size_t faceCount = 4 * (size_t)cage->tetCount;
	Face* faces = MakeSortedFaces( cage );
	uint32_t* nodeToVert = Allocate( cage->nodeCount, sizeof( uint32_t ) );
	memset( nodeToVert, 0xFF, cage->nodeCount * sizeof( uint32_t ) );

	gelMesh mesh = { 0 };
	mesh.indices = Allocate( 3 * faceCount, sizeof( uint32_t ) );
	for ( size_t i = 0; i < faceCount; ++i )
	{
		bool inner = ( i > 0 && CompareFaces( &faces[i - 1], &faces[i] ) == 0 ) ||
			( i + 1 < faceCount && CompareFaces( &faces[i + 1], &faces[i] ) == 0 );
		for ( int c = 0; c < 3 && !inner; ++c )
		{
			mesh.indices[3 * (size_t)mesh.triangleCount + (size_t)c] = faces[i].node[c];
			nodeToVert[faces[i].node[c]] = 0;
		}
		mesh.triangleCount += inner ? 0 : 1;
	}

	mesh.positions = Allocate( 3 * (size_t)cage->nodeCount, sizeof( float ) );
	mesh.vertToSource = Allocate( cage->nodeCount, sizeof( uint32_t ) );
	AddBoundaryVertices( &mesh, cage, nodeToVert, shrink );
	for ( size_t i = 0; i < 3 * (size_t)mesh.triangleCount; ++i )
		mesh.indices[i] = nodeToVert[mesh.indices[i]];
	mesh.triMaterial = Allocate( mesh.triangleCount, sizeof( uint32_t ) );
	memset( mesh.triMaterial, 0xFF, mesh.triangleCount * sizeof( uint32_t ) );
	gelMesh_Weld( &mesh );
	gelMesh_ComputeNormals( &mesh );
	gelMesh_ComputeBounds( &mesh );
	free( nodeToVert );
	free( faces );
	return mesh;
}

void gelInitTestProgram( gelProgram* program )
{
	memset( program, 0, sizeof( *program ) );
	gelInitReport( &program->report, "test" );
	gelInitProgress( &program->progress, true );
	program->findings.quiet = true;
	program->threads = 1;
	program->quiet = true;
	program->parsed = true;
}

void gelFreeTestProgram( gelProgram* program )
{
	gelFreeFindings( &program->findings );
	gelFreeReport( &program->report );
}

gelBakePinSet gelPinNodesInSlab( const gelCage* cage, int axis, double low, double high )
{
	gelBakePinSet pins = { Allocate( cage->nodeCount, sizeof( uint32_t ) ), 0 };
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		double x = cage->positions[3 * (size_t)i + (size_t)axis];
		if ( low <= x && x <= high ) pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}

gelBakeMaterial* gelPaintCage( const gelCage* cage, const gelBakeMaterial* base,
	void ( *paint )( const double centroid[3], gelBakeMaterial* material ) )
{
	if ( paint == NULL ) return NULL;
	gelBakeMaterial* tets = Allocate( cage->tetCount, sizeof( gelBakeMaterial ) );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		double centroid[3] = { 0.0, 0.0, 0.0 };
		for ( uint32_t k = 0; k < 12; ++k )
			centroid[k % 3] += 0.25 * cage->positions[3 * (size_t)cage->tets[4 * (size_t)t + k / 3] + k % 3];
		tets[t] = *base;
		paint( centroid, tets + t );
	}
	return tets;
}

uint8_t* gelBakeTestBody( const gelCage* cage, const gelBakeMaterial* material, const double* steps,
	int stepCount, const gelBakePinSet* pinSets, int pinSetCount, size_t* outBytes )
{
	gelBakeSettings settings = gelDefaultBakeSettings();
	if ( material != NULL ) settings.material = *material;
	if ( steps != NULL )
	{
		settings.steps = steps;
		settings.stepCount = stepCount;
	}
	settings.pinSets = pinSets;
	settings.pinSetCount = pinSetCount;
	return gelBakeTestBodyAs( cage, &settings, outBytes );
}

uint8_t* gelBakeTestBodyAs( const gelCage* cage, const gelBakeSettings* settings, size_t* outBytes )
{
	gelMesh mesh = gelMeshFromCageBoundary( cage, 0.0 );
	gelProgram program;
	gelInitTestProgram( &program );
	uint8_t* bytes = gelBake( &mesh, cage, settings, &program, outBytes );
	if ( bytes == NULL ) fail_msg( "the test body does not bake: %s", program.findings.items[0].text );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	return bytes;
}

uint8_t* gelBakeTestBox(
	int nx, int ny, int nz, double sx, double sy, double sz, bool pinLeft, size_t* outBytes )
{
	gelCage cage = gelMakeBoxCage( nx, ny, nz, sx, sy, sz, gel_boxSplitSix );
	gelBakePinSet pins = gelPinNodesInSlab( &cage, 0, 0.0, 0.0 );
	uint8_t* bytes = gelBakeTestBody( &cage, NULL, NULL, 0, &pins, pinLeft ? 1 : 0, outBytes );
	free( pins.nodes );
	gelFreeCage( &cage );
	return bytes;
}
