// SPDX-License-Identifier: MIT
// Everything about the lattice is arithmetic on indices; no tet of it is stored. A cell and its corner codes:
//
//       6--------7        z   y       even cells (i + j + k even): corner tets at 1 2 4 7, center 0 3 5 6
//      /|       /|        |  /        odd cells: corner tets at 0 3 5 6, center 1 2 4 7
//     4--------5 |        | /
//     | 2------|-3        |/_____ x   tet number = 5 * cell + t, cell = i + nx (j + ny k)
//     |/       |/
//     0--------1
//
// The diagonal of a side of a cell joins the two corners that the center tet has there. Even cells take the
// corners of even bit count, odd cells the others, so the two cells at a side draw the same diagonal and the
// faces match.
#include "tetrafy/mesher/mesher_grid.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Cell corner code: x + 2y + 4z. Four corner tets of volume h^3/6 and the center tet of volume h^3/3 (last),
// all with det[b-a, c-a, d-a] > 0. Odd cells are the mirror image of even ones, so faces match across cells.
// A corner tet begins with its right-angled corner: its face 0 is the one that cuts through the cell, which
// tests best come to first.
static const uint8_t cellTets[2][5][4] = {
	{ { 1, 0, 5, 3 }, { 2, 0, 3, 6 }, { 4, 0, 6, 5 }, { 7, 3, 5, 6 }, { 0, 3, 6, 5 } },
	{ { 0, 1, 2, 4 }, { 3, 1, 7, 2 }, { 5, 1, 4, 7 }, { 6, 2, 7, 4 }, { 1, 2, 4, 7 } },
};

// Axis-aligned art would lie in lattice planes for lattices that start at the box. These fractions of a cell
// move them apart. They are constants, so the result stays deterministic; there are some to choose from
// because the number of tets that a surface cuts depends on where the lattice lies.
static const double latticeShifts[GEL_LATTICE_SHIFTS][3] = {
	{ 0.137, 0.211, 0.173 },
	{ 0.631, 0.283, 0.057 },
	{ 0.709, 0.797, 0.193 },
	{ 0.053, 0.607, 0.401 },
};

static double AxisCells( double low, double high, double cell, double shift )
{
	return ceil( ( high - low ) / cell + 1.0 + shift );
}

// Shift 1 is more than any of the shifts above: a bound for all places of the lattice. Counted in doubles,
// because the sides of a wild box overflow integers long before they are refused.
uint64_t gelLattice_CellsNeeded( const gelBox3d* box, double cell )
{
	GEL_ASSERT( cell > 0.0 );
	double x = AxisCells( box->min.x, box->max.x, cell, 1.0 );
	double y = AxisCells( box->min.y, box->max.y, cell, 1.0 );
	double z = AxisCells( box->min.z, box->max.z, cell, 1.0 );
	double cells = x * y * z;
	return cells < 1e18 ? (uint64_t)cells : UINT64_C( 1000000000000000000 );
}

// Is a cell wide enough, next to the largest coordinate, for float lattice planes? 64 float steps per cell.
// Every plane moves by half a float step at most, so a cell keeps its width to 1/64 and the tets their
// shapes. Then the nodes are floats from the start, and fitting rounds every move: the pack holds exactly
// what was proven here, and nothing has to be proven again after rounding.
static bool CanRound( const gelBox3d* box, double cell )
{
	double largest = fmax( fmax( fabs( box->min.x ), fabs( box->max.x ) ),
		fmax( fmax( fabs( box->min.y ), fabs( box->max.y ) ),
			fmax( fabs( box->min.z ), fabs( box->max.z ) ) ) );
	return cell > 64.0 * ldexp( largest + 2.0 * cell, -23 ) && cell > 1e-30 && largest < 1e37;
}

// Half a cell of room plus the shift on the low side, so that no art touches the outermost planes; the exact
// comparison at the end catches what rounding did to that.
static bool MakeAxis( gelLattice* lattice, int axis, double low, double high, double shift )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	double cell = lattice->cell;
	uint32_t count = (uint32_t)AxisCells( low, high, cell, shift );
	double origin = low - cell * ( 0.5 + shift );
	double* coord = gelTetAlloc( (size_t)count + 1, sizeof( double ) );
	bool increasing = true;
	for ( uint32_t i = 0; i <= count; ++i )
	{
		double x = origin + i * cell;
		coord[i] = lattice->rounded ? (double)(float)x : x;
		increasing = increasing && ( i == 0 || coord[i] > coord[i - 1] );
	}
	lattice->count[axis] = count;
	lattice->coord[axis] = coord;
	return increasing && coord[0] < low && coord[count] > high;
}

bool gelMakeLattice( const gelBox3d* box, double cell, int shift, gelLattice* outLattice )
{
	*outLattice = ( gelLattice ){ .cell = cell };
	if ( gelLattice_CellsNeeded( box, cell ) > GEL_GRID_MAX_CELLS ) return false;
	outLattice->rounded = CanRound( box, cell );
	const double* shifts = latticeShifts[shift];
	bool ok = MakeAxis( outLattice, 0, box->min.x, box->max.x, shifts[0] );
	ok = MakeAxis( outLattice, 1, box->min.y, box->max.y, shifts[1] ) && ok;
	ok = MakeAxis( outLattice, 2, box->min.z, box->max.z, shifts[2] ) && ok;
	if ( !ok ) gelFreeLattice( outLattice );
	return ok;
}

void gelFreeLattice( gelLattice* lattice )
{
	for ( int axis = 0; axis < 3; ++axis )
		free( lattice->coord[axis] );
	*lattice = ( gelLattice ){ 0 };
}

// Corners that the center tet does not have, in the order of the corner tets in cellTets.
const uint8_t* gelLattice_CornerCodes( uint32_t i, uint32_t j, uint32_t k )
{
	static const uint8_t codes[2][4] = { { 1, 2, 4, 7 }, { 0, 3, 5, 6 } };
	return codes[( i + j + k ) & 1];
}

uint32_t gelLattice_TetCount( const gelLattice* lattice )
{
	return 5u * lattice->count[0] * lattice->count[1] * lattice->count[2];
}

uint64_t gelLattice_NodeCount( const gelLattice* lattice )
{
	return ( lattice->count[0] + UINT64_C( 1 ) ) * ( lattice->count[1] + 1 ) * ( lattice->count[2] + 1 );
}

typedef struct CellPlace
{
	uint32_t i, j, k;
	int parity;
} CellPlace;

static CellPlace PlaceOfCell( const gelLattice* lattice, uint32_t cell )
{
	CellPlace place = { .i = cell % lattice->count[0] };
	cell /= lattice->count[0];
	place.j = cell % lattice->count[1];
	place.k = cell / lattice->count[1];
	place.parity = (int)( ( place.i + place.j + place.k ) & 1u );
	return place;
}

void gelLattice_TetNodes( const gelLattice* lattice, uint32_t tet, uint32_t outNodes[4] )
{
	GEL_ASSERT( tet < gelLattice_TetCount( lattice ) );
	CellPlace place = PlaceOfCell( lattice, tet / 5 );
	uint32_t nx = lattice->count[0] + 1, ny = lattice->count[1] + 1;
	const uint8_t* corners = cellTets[place.parity][tet % 5];
	for ( int v = 0; v < 4; ++v )
	{
		uint32_t i = place.i + ( corners[v] & 1u ), j = place.j + ( corners[v] >> 1 & 1u );
		uint32_t k = place.k + ( corners[v] >> 2 );
		outNodes[v] = i + nx * ( j + ny * k );
	}
}

gelVec3d gelLattice_NodePoint( const gelLattice* lattice, uint32_t node )
{
	GEL_ASSERT( node < gelLattice_NodeCount( lattice ) );
	uint32_t nx = lattice->count[0] + 1, ny = lattice->count[1] + 1;
	return ( gelVec3d ){ lattice->coord[0][node % nx], lattice->coord[1][node / nx % ny],
		lattice->coord[2][node / nx / ny] };
}

void gelLattice_TetPoints( const gelLattice* lattice, uint32_t tet, gelVec3d outPoints[4] )
{
	CellPlace place = PlaceOfCell( lattice, tet / 5 );
	const uint8_t* corners = cellTets[place.parity][tet % 5];
	for ( int v = 0; v < 4; ++v )
	{
		outPoints[v].x = lattice->coord[0][place.i + ( corners[v] & 1u )];
		outPoints[v].y = lattice->coord[1][place.j + ( corners[v] >> 1 & 1u )];
		outPoints[v].z = lattice->coord[2][place.k + ( corners[v] >> 2 )];
	}
}

// The side of the cell (0..5: -x +x -y +y -z +z) on which three corners lie, or -1 for a face inside the
// cell.
static int SideOfFace( uint8_t a, uint8_t b, uint8_t c )
{
	int common1 = a & b & c, common0 = ~( a | b | c ) & 7;
	for ( int axis = 0; axis < 3; ++axis )
	{
		if ( common0 >> axis & 1 ) return 2 * axis;
		if ( common1 >> axis & 1 ) return 2 * axis + 1;
	}
	return -1;
}

// Which tet of a cell of this parity has these three corners (as a set of bits), other than one?
static int TetWithCorners( int parity, int cornerBits, int except )
{
	for ( int t = 0; t < 5; ++t )
	{
		const uint8_t* c = cellTets[parity][t];
		int bits = 1 << c[0] | 1 << c[1] | 1 << c[2] | 1 << c[3];
		if ( t != except && ( bits & cornerBits ) == cornerBits ) return t;
	}
	return -1;
}

uint32_t gelLattice_Neighbor( const gelLattice* lattice, uint32_t tet, int face )
{
	GEL_ASSERT( tet < gelLattice_TetCount( lattice ) && face >= 0 && face < 4 );
	uint32_t cell = tet / 5, t = tet % 5;
	CellPlace place = PlaceOfCell( lattice, cell );
	const uint8_t* c = cellTets[place.parity][t];
	const uint8_t* f = gelTetFaces[face];
	uint8_t a = c[f[0]], b = c[f[1]], d = c[f[2]];
	int side = SideOfFace( a, b, d );
	if ( side < 0 )
		return 5 * cell + (uint32_t)TetWithCorners( place.parity, 1 << a | 1 << b | 1 << d, (int)t );

	int axis = side / 2;
	uint32_t at = axis == 0 ? place.i : axis == 1 ? place.j : place.k;
	uint32_t stride = axis == 0 ? 1 : axis == 1 ? lattice->count[0] : lattice->count[0] * lattice->count[1];
	bool up = side & 1;
	if ( up ? at + 1 == lattice->count[axis] : at == 0 ) return GEL_NO_TET;
	int flip = 1 << axis; // the same points, named as corners of the cell next door
	int bits = 1 << ( a ^ flip ) | 1 << ( b ^ flip ) | 1 << ( d ^ flip );
	uint32_t next = up ? cell + stride : cell - stride;
	return 5 * next + (uint32_t)TetWithCorners( 1 - place.parity, bits, -1 );
}
