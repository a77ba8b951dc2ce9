// SPDX-License-Identifier: MIT
// The exact signs under contact, and that they make intersection curves close whatever touches whatever.
#include "test_support.h"

#include "contact/detect/contact_predicates.h"

static int32_t RandomInt( gelRandom* random, int32_t low, int32_t high )
{
	return low + (int32_t)gelRandom_Uniform( random, 0.0, (double)( high - low ) + 0.999999 );
}

static gelGridPoint RandomPoint( gelRandom* random, int32_t low, int32_t high )
{
	gelGridPoint p;
	p.x = RandomInt( random, low, high );
	p.y = RandomInt( random, low, high );
	p.z = RandomInt( random, low, high );
	return p;
}

static gelGridPoint Affine( gelGridPoint p, int32_t scale, gelGridPoint shift )
{
	return ( gelGridPoint ){ scale * p.x + shift.x, scale * p.y + shift.y, scale * p.z + shift.z };
}

static int64_t SmallDeterminant( const gelGridPoint p[4] )
{
	int64_t u[3] = { p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z };
	int64_t v[3] = { p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z };
	int64_t w[3] = { p[3].x - p[0].x, p[3].y - p[0].y, p[3].z - p[0].z };
	return u[0] * ( v[1] * w[2] - v[2] * w[1] ) - u[1] * ( v[0] * w[2] - v[2] * w[0] ) +
		u[2] * ( v[0] * w[1] - v[1] * w[0] );
}

static int SignOf( int64_t a )
{
	return ( a > 0 ) - ( a < 0 );
}

// Scaling and shifting keeps the sign; the numbers then fill both grids.
static void TestSignsAreExact( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	int zeros = 0;
	for ( int round = 0; round < 200000; ++round )
	{
		gelGridPoint p[4], fine[4], wide[4];
		gelGridPoint fineShift = RandomPoint( &random, -1000, 1000 );
		gelGridPoint wideShift = RandomPoint( &random, -1000000, 1000000 );
		for ( int k = 0; k < 4; ++k )
		{
			p[k] = RandomPoint( &random, -6, 6 );
			fine[k] = Affine( p[k], ( GEL_GRID_LIMIT - 2000 ) / 6, fineShift );
			wide[k] = Affine( p[k], ( GEL_WIDE_GRID_LIMIT - 2000000 ) / 6, wideShift );
		}
		int sign = SignOf( SmallDeterminant( p ) );
		zeros += sign == 0;
		assert_int_equal( gelOrientExact( fine[0], fine[1], fine[2], fine[3], 0 ), sign );
		assert_int_equal( gelOrientExact( wide[0], wide[1], wide[2], wide[3], 0 ), sign );
		assert_int_equal( gelOrient( fine[0], fine[1], fine[2], fine[3], 0 ), sign );
	}
	assert_true( zeros > 1000 );
}

// One unit beside a plane through far points: the filter cannot tell, the exact way can.
static void TestNearlyFlat( void** state )
{
	(void)state;
	gelRandom random = { 12 };
	for ( int round = 0; round < 20000; ++round )
	{
		gelGridPoint a = RandomPoint( &random, -4000000, 0 ), b = RandomPoint( &random, 0, 4000000 ),
					 c = RandomPoint( &random, -4000000, 4000000 );
		// a + ( b - a ) + ( c - a ) is in the plane; the point beside it is not, but for planes along z
		gelGridPoint d = { b.x + c.x - a.x, b.y + c.y - a.y, b.z + c.z - a.z };
		gelGridPoint e = { d.x, d.y, d.z + 1 };
		int64_t normal = (int64_t)( b.x - a.x ) * ( c.y - a.y ) - (int64_t)( b.y - a.y ) * ( c.x - a.x );
		assert_int_equal( gelOrientExact( a, b, c, d, 0 ), 0 );
		assert_int_equal( gelOrientExact( a, b, c, e, 0 ), SignOf( normal ) );
	}
}

// Exchanging two points turns the sign round, ties included: the bit of a point goes with it.
static void TestOrderOfPoints( void** state )
{
	(void)state;
	gelRandom random = { 13 };
	for ( int round = 0; round < 100000; ++round )
	{
		gelGridPoint p[4];
		for ( int k = 0; k < 4; ++k )
			p[k] = RandomPoint( &random, 0, 2 );
		unsigned moved = (unsigned)RandomInt( &random, 1, 14 );
		int sign = gelOrient( p[0], p[1], p[2], p[3], moved );
		int i = RandomInt( &random, 0, 2 ), j = RandomInt( &random, i + 1, 3 );
		gelGridPoint swap = p[i];
		p[i] = p[j];
		p[j] = swap;
		unsigned bits = ( moved >> i & 1u ) | ( moved >> j & 1u ) << 1;
		moved &= ~( 1u << i | 1u << j );
		moved |= ( bits & 1u ) << j | ( bits >> 1 ) << i;
		assert_int_equal( gelOrient( p[0], p[1], p[2], p[3], moved ), -sign );
	}
}

// ---- crossings ----

static const uint8_t s_tetFaces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };

static void GetFace( const gelGridPoint tet[4], int face, gelGridPoint out[3] )
{
	for ( int k = 0; k < 3; ++k )
		out[k] = tet[s_tetFaces[face][k]];
}

// The infinitely small move of B made finite: what is decided by the symbol is what is then found.
static void TestTiesAreThoseOfATranslation( void** state )
{
	(void)state;
	gelRandom random = { 14 };
	const int32_t scale = 1 << 20;
	const gelGridPoint zero = { 0, 0, 0 }, shift = { 8192, 64, 1 };
	int crossings = 0;
	for ( int round = 0; round < 100000; ++round )
	{
		gelGridPoint a[3], b[3], moved[3];
		for ( int k = 0; k < 3; ++k )
		{
			a[k] = Affine( RandomPoint( &random, 0, 3 ), scale, zero );
			gelGridPoint p = RandomPoint( &random, 0, 3 );
			b[k] = Affine( p, scale, zero );
			moved[k] = Affine( p, scale, shift );
		}
		gelTriangleCrossing tie[2], plain[2];
		int count = gelCrossTriangles( a, b, false, tie );
		assert_int_equal( count, gelCrossTriangles( a, moved, false, plain ) );
		assert_int_equal( count, gelCrossTriangles( a, b, true, plain ) );
		gelCrossTriangles( a, moved, true, plain );
		if ( count == 2 ) assert_memory_equal( tie, plain, sizeof( tie ) );
		crossings += count;
	}
	assert_true( crossings > 10000 );
}

// An end of a segment: an edge of one tet through a face of the other. Two segments meet there, since an edge
// has two faces: one ends, one starts.
typedef struct EndCounts
{
	int starts[2][4][4][4], ends[2][4][4][4]; // [side][corner][corner][crossed face]
} EndCounts;

static void CountEnds( gelGridPoint tets[2][4], EndCounts* counts )
{
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			gelGridPoint a[3], b[3];
			GetFace( tets[0], i, a );
			GetFace( tets[1], j, b );
			gelTriangleCrossing c[2];
			int count = gelCrossTriangles( a, b, false, c );
			assert_true( count == 0 || count == 2 );
			for ( int k = 0; k < count; ++k )
			{
				assert_int_equal( c[k].isStart, k == 0 );
				const uint8_t* face = s_tetFaces[c[k].isEdgeOfB ? j : i];
				int p = face[c[k].edge], q = face[( c[k].edge + 1 ) % 3];
				int low = p < q ? p : q, high = p < q ? q : p, crossed = c[k].isEdgeOfB ? i : j;
				int( *table )[4][4][4] = c[k].isStart ? counts->starts : counts->ends;
				++table[c[k].isEdgeOfB][low][high][crossed];
			}
		}
	}
}

static void TestCurvesOfLatticeTetsClose( void** state )
{
	(void)state;
	gelRandom random = { 15 };
	int ends = 0;
	for ( int round = 0; round < 20000; ++round )
	{
		gelGridPoint tets[2][4];
		for ( int k = 0; k < 8; ++k )
			tets[k / 4][k % 4] = RandomPoint( &random, 0, 3 );
		for ( int k = 0; k < 2; ++k )
		{
			// outwards, as far as it has an inside; flat ones stay as they are
			if ( SmallDeterminant( tets[k] ) >= 0 ) continue;
			gelGridPoint swap = tets[k][2];
			tets[k][2] = tets[k][3];
			tets[k][3] = swap;
		}
		EndCounts counts = { 0 };
		CountEnds( tets, &counts );
		const int *starts = &counts.starts[0][0][0][0], *last = &counts.ends[0][0][0][0];
		for ( int k = 0; k < 2 * 4 * 4 * 4; ++k )
		{
			assert_int_equal( starts[k], last[k] );
			assert_true( starts[k] <= 1 );
			ends += starts[k];
		}
	}
	assert_true( ends > 20000 );
}

// Triangles in general position, by the formula of the schoolbook: an edge meets a plane inside of the
// triangle.
static bool SegmentMeets( const double p[3], const double q[3], double t[3][3] )
{
	double e1[3], e2[3], d[3], s[3];
	for ( int k = 0; k < 3; ++k )
	{
		e1[k] = t[1][k] - t[0][k];
		e2[k] = t[2][k] - t[0][k];
		d[k] = q[k] - p[k];
		s[k] = p[k] - t[0][k];
	}
	double h[3] = { d[1] * e2[2] - d[2] * e2[1], d[2] * e2[0] - d[0] * e2[2], d[0] * e2[1] - d[1] * e2[0] };
	double det = e1[0] * h[0] + e1[1] * h[1] + e1[2] * h[2];
	double u = ( s[0] * h[0] + s[1] * h[1] + s[2] * h[2] ) / det;
	double c[3] = { s[1] * e1[2] - s[2] * e1[1], s[2] * e1[0] - s[0] * e1[2], s[0] * e1[1] - s[1] * e1[0] };
	double v = ( d[0] * c[0] + d[1] * c[1] + d[2] * c[2] ) / det;
	double at = ( e2[0] * c[0] + e2[1] * c[1] + e2[2] * c[2] ) / det;
	return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && at >= 0.0 && at <= 1.0;
}

static void TestGeneralPosition( void** state )
{
	(void)state;
	gelRandom random = { 16 };
	gelGrid grid = { { 0.25, -0.5, 0.125 }, 0x1p22 };
	int hits = 0;
	for ( int round = 0; round < 50000; ++round )
	{
		double t[2][3][3];
		gelGridPoint g[2][3];
		for ( int k = 0; k < 6; ++k )
		{
			float x[3];
			for ( int d = 0; d < 3; ++d )
				x[d] = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
			g[k / 3][k % 3] = gelSnap( &grid, x[0], x[1], x[2] );
			for ( int d = 0; d < 3; ++d )
				t[k / 3][k % 3][d] = (double)x[d] + grid.offset[d];
		}
		int expected = 0;
		for ( int k = 0; k < 6; ++k )
			expected += SegmentMeets( t[k / 3][k % 3], t[k / 3][( k + 1 ) % 3], t[1 - k / 3] );
		gelTriangleCrossing c[2];
		assert_int_equal( gelCrossTriangles( g[0], g[1], false, c ), expected );
		if ( expected == 0 ) continue;
		++hits;
		const gelGridPoint *own = g[c[0].isEdgeOfB], *other = g[1 - c[0].isEdgeOfB];
		gelGridPoint p = own[c[0].edge], q = own[( c[0].edge + 1 ) % 3];
		double at = gelCrossingFraction( p, q, other[0], other[1], other[2] );
		// the point is in the plane of the other
		double back = gelCrossingFraction( q, p, other[0], other[1], other[2] );
		assert_true( fabs( at + back - 1.0 ) < 1.0e-9 );
		bool enters = gelOrientValue( other[0], other[1], other[2], p ) > 0.0;
		assert_int_equal( c[0].enters, enters );
		assert_int_equal( c[0].isStart, enters == ( c[0].isEdgeOfB == 1 ) );
	}
	assert_true( hits > 5000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSignsAreExact ),
		cmocka_unit_test( TestNearlyFlat ),
		cmocka_unit_test( TestOrderOfPoints ),
		cmocka_unit_test( TestTiesAreThoseOfATranslation ),
		cmocka_unit_test( TestCurvesOfLatticeTetsClose ),
		cmocka_unit_test( TestGeneralPosition ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
