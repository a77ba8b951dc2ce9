// SPDX-License-Identifier: MIT
#include "contact/response/lone_contacts.h"

#include "simd/simd.h"

#include <math.h>
#include <string.h>

static void FillColumn_W(
	const gelLoneContacts* c, const float* row, gelVec3 axis, gelVec3 turn, gelVec3 free, float* out )
{
	gelFloatW ax = gelSplatW( axis.x ), ay = gelSplatW( axis.y ), az = gelSplatW( axis.z );
	gelFloatW tx = gelSplatW( turn.x ), ty = gelSplatW( turn.y ), tz = gelSplatW( turn.z );
	gelFloatW fx = gelSplatW( free.x ), fy = gelSplatW( free.y ), fz = gelSplatW( free.z );
	for ( int group = 0; group < 3; ++group )
	{
		for ( int i = 0; i < c->stride; i += GEL_LANES )
		{
			long at = 3L * group * c->stride + i, y = c->stride, z = 2L * c->stride;
			const float *e = c->axes + at, *u = c->turns + at, *v = c->arms + at;
			gelFloatW dot =
				gelAddW( gelAddW( gelMulW( gelLoadW( e ), ax ), gelMulW( gelLoadW( e + y ), ay ) ),
					gelMulW( gelLoadW( e + z ), az ) );
			gelFloatW lean =
				gelAddW( gelAddW( gelMulW( gelLoadW( u ), tx ), gelMulW( gelLoadW( u + y ), ty ) ),
					gelMulW( gelLoadW( u + z ), tz ) );
			gelFloatW lift =
				gelAddW( gelAddW( gelMulW( gelLoadW( v ), fx ), gelMulW( gelLoadW( v + y ), fy ) ),
					gelMulW( gelLoadW( v + z ), fz ) );
			gelFloatW move = gelAddW( gelMulW( gelLoadW( row + i ), dot ), gelSubW( lean, lift ) );
			gelStoreW( out + (long)group * c->stride + i, move );
		}
	}
}

// moves += three columns of the matrix that follow each other, times impulses.
GEL_FORCE_INLINE void Push_W( const gelLoneContacts* c, const float* columns, const float impulse[3] )
{
	long length = 3L * c->stride;
	gelFloatW n = gelSplatW( impulse[0] ), t = gelSplatW( impulse[1] ), s = gelSplatW( impulse[2] );
	for ( long i = 0; i < length; i += GEL_LANES )
	{
		gelFloatW sum = gelAddW( gelMulW( n, gelLoadW( columns + i ) ),
			gelAddW( gelMulW( t, gelLoadW( columns + length + i ) ),
				gelMulW( s, gelLoadW( columns + 2 * length + i ) ) ) );
		gelStoreW( c->moves + i, gelAddW( gelLoadW( c->moves + i ), sum ) );
	}
}

// The laws of contact_force.h. @return the square of how far the change moves the contact
GEL_FORCE_INLINE float SweepContact_W( const gelLoneContacts* c, int i )
{
	float* force = c->forces + i;
	const float* move = c->moves + i;
	long t = c->stride, s = 2L * c->stride;
	float invNormal = c->invs[i], invSide = c->invs[t + i];
	if ( invNormal == 0.0f || ( move[0] >= 0.0f && force[0] == 0.0f ) ) return 0.0f;
	float push = -move[0] * invNormal;
	push = push > -force[0] ? push : -force[0];
	float pushed = force[0] + push, bound = c->mu[i] * pushed;
	float alongT = force[t] - invSide * move[t], alongS = force[s] - invSide * move[s];
	float size2 = alongT * alongT + alongS * alongS;
	if ( size2 > bound * bound )
	{
		float part = bound / sqrtf( size2 );
		alongT *= part;
		alongS *= part;
	}
	const float change[3] = { push, alongT - force[t], alongS - force[s] };
	force[0] = pushed;
	force[t] = alongT;
	force[s] = alongS;
	Push_W( c, c->matrix + 9L * c->stride * i, change );
	float height = push / invNormal, size = invSide * invSide;
	float slip2 = ( change[1] * change[1] + change[2] * change[2] ) / size;
	return height * height > slip2 ? height * height : slip2;
}

static float Sweep_W( const gelLoneContacts* c )
{
	float largest = 0.0f;
	for ( int i = 0; i < c->count; ++i )
	{
		float change = SweepContact_W( c, i );
		largest = change > largest ? change : largest;
	}
	return largest;
}

static void AddColumn_W( const gelLoneContacts* c, int column, float scale )
{
	long length = 3L * c->stride;
	const float* from = c->matrix + length * column;
	gelFloatW wide = gelSplatW( scale );
	for ( long i = 0; i < length; i += GEL_LANES )
		gelStoreW( c->moves + i, gelAddW( gelLoadW( c->moves + i ), gelMulW( wide, gelLoadW( from + i ) ) ) );
}

// to -= scale * from, from lane `first` on, and what shares a register with it.
GEL_FORCE_INLINE void Subtract_W( float* to, const float* from, float scale, int first, int stride )
{
	gelFloatW wide = gelSplatW( scale );
	for ( int i = first & ~( GEL_LANES - 1 ); i < stride; i += GEL_LANES )
		gelStoreW( to + i, gelSubW( gelLoadW( to + i ), gelMulW( wide, gelLoadW( from + i ) ) ) );
}

// Cholesky's decomposition of the upper triangle, row by row; on the diagonal is one over it.
GEL_FORCE_INLINE void Factor_W( float* u, int count, int stride )
{
	for ( int k = 0; k < count; ++k )
	{
		float *row = u + (long)k * stride, pivot = row[k];
		float inv = pivot > 0.0f ? 1.0f / sqrtf( pivot ) : 0.0f;
		gelFloatW wide = gelSplatW( inv );
		for ( int i = k & ~( GEL_LANES - 1 ); i < stride; i += GEL_LANES )
			gelStoreW( row + i, gelMulW( gelLoadW( row + i ), wide ) );
		for ( int i = k + 1; i < count; ++i )
			Subtract_W( u + (long)i * stride, row, row[i], i, stride );
		row[k] = inv;
	}
}

// Sum of products from lane `first` on, and of what shares a register with it.
GEL_FORCE_INLINE float Dot_W( const float* a, const float* b, int first, int stride )
{
	gelFloatW sum = gelSplatW( 0.0f );
	for ( int i = first & ~( GEL_LANES - 1 ); i < stride; i += GEL_LANES )
		sum = gelAddW( sum, gelMulW( gelLoadW( a + i ), gelLoadW( b + i ) ) );
	_Alignas( 32 ) float f[GEL_LANES];
	gelStoreW( f, sum );
	return ( ( f[0] + f[4] ) + ( f[1] + f[5] ) ) + ( ( f[2] + f[6] ) + ( f[3] + f[7] ) );
}

static void Solve_W( const gelLoneContacts* c, int count, int stride )
{
	float *u = c->factor, *x = c->unknowns, y[GEL_MAX_LONE_UNKNOWNS];
	Factor_W( u, count, stride );
	for ( int k = 0; k < count; ++k )
	{
		const float* row = u + (long)k * stride;
		y[k] = x[k] * row[k];
		Subtract_W( x, row, y[k], k + 1, stride );
	}
	memset( x, 0, (size_t)stride * sizeof( float ) ); // what is not known yet counts for nothing
	for ( int k = count; k-- > 0; )
	{
		const float* row = u + (long)k * stride;
		x[k] = ( y[k] - Dot_W( row, x, k, stride ) ) * row[k];
	}
}

GEL_KERNELS( gelLoneKernels, gelGetLoneKernels ) = { FillColumn_W, Sweep_W, Solve_W, AddColumn_W };
