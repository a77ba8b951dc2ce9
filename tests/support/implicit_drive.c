// SPDX-License-Identifier: MIT
#include "implicit_drive.h"

#include "test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gelImplicitDrive gelMakeImplicitDrive(
	const gelAsset* asset, gelDifferential differential, gelElementType element )
{
	size_t n = (size_t)asset->nodeCount + 1, blocks = (size_t)asset->blockCount;
	gelImplicitDrive drive = { .asset = asset,
		.kernels = gelGetVariantKernels( gelFindSimdLevel( gel_simdAutomatic ) ),
		.u = gelTestAlloc( n, sizeof( gelVec4 ) ),
		.x = gelTestAlloc( n, sizeof( gelVec4 ) ),
		.y = gelTestAlloc( n, sizeof( gelVec4 ) ),
		.qr = gelTestAlloc( blocks, sizeof( gelQrBlock ) ),
		.isQr = element == gel_elementQr,
		.nodeCount = asset->nodeCount };
	drive.pass = ( gelImplicitPass ){ .elements = asset->elements,
		.lambdaVolumes = asset->lambdaVolumes,
		.blockCount = asset->blockCount,
		.u = drive.u,
		.forceScale = 1.0f,
		.stiffnessScale = 1.0f,
		.differential = differential,
		.polarSteps = 40,
		.q = gelTestAlloc( 8 * blocks, sizeof( gelQuat ) ),
		.blocks = gelTestAlloc( blocks, sizeof( gelStiffnessBlock ) ),
		.forces = gelTestAlloc( n, sizeof( gelVec4 ) ),
		.leftLanes = gelTestAlloc( blocks, 1 ) };
	for ( size_t i = 0; i < blocks; ++i )
		memcpy( drive.pass.blocks[i].node, asset->elements[i].node, sizeof( asset->elements[i].node ) );
	if ( drive.isQr )
		gelFillQrBlocks( asset, drive.qr, drive.pass.blocks );
	else if ( gelHasTwistTensor( differential ) )
		drive.pass.twists = gelTestAlloc( blocks, sizeof( gelTwistBlock ) );
	return drive;
}

void gelFreeImplicitDrive( gelImplicitDrive* drive )
{
	void* blocks[] = { drive->u, drive->x, drive->y, drive->qr, drive->pass.q, drive->pass.blocks,
		drive->pass.forces, drive->pass.leftLanes, drive->pass.twists };
	for ( size_t i = 0; i < sizeof( blocks ) / sizeof( blocks[0] ); ++i )
		free( blocks[i] );
}

void gelImplicitDrive_Update( gelImplicitDrive* drive, const gelVec3* positions )
{
	const gelPackNode* rest = drive->asset->pack.nodes;
	for ( int i = 0; i < drive->nodeCount; ++i )
		drive->u[i] = gelMakeVec4( gelSub( positions[i], gelGetRestNode( rest, (uint32_t)i ) ), 0.0f );
	for ( int i = 0; i < 8 * drive->pass.blockCount; ++i )
		drive->pass.q[i] = gelIdentityQuat();
	memset( drive->pass.forces, 0, ( (size_t)drive->nodeCount + 1 ) * sizeof( gelVec4 ) );
	if ( drive->isQr )
	{
		drive->kernels->updateQr( &drive->pass, drive->qr );
		gelUpdateLeftQr( &drive->pass, drive->qr );
	}
	else
		assert_true( drive->kernels->updateVariant( &drive->pass ) );
}

gelVec3 gelImplicitDrive_GetForce( const gelImplicitDrive* drive, int node )
{
	return gelXyz( drive->pass.forces[node] );
}

void gelImplicitDrive_Multiply( gelImplicitDrive* drive, const double* x, double* y )
{
	gelTwistBlock* twists = drive->pass.twists;
	gelStiffness stiffness = { drive->pass.blocks, drive->pass.blockCount, twists,
		twists ? drive->kernels->multiplyTwisted : NULL };
	for ( int i = 0; i < drive->nodeCount; ++i )
	{
		drive->x[i] = ( gelVec4 ){ (float)x[3 * i], (float)x[3 * i + 1], (float)x[3 * i + 2], 0.0f };
		drive->y[i] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	}
	gelMultiplyStiffness( gelFindSimdLevel( gel_simdAutomatic ), &stiffness, drive->x, drive->y );
	for ( int i = 0; i < drive->nodeCount; ++i )
	{
		y[3 * i] = drive->y[i].x;
		y[3 * i + 1] = drive->y[i].y;
		y[3 * i + 2] = drive->y[i].z;
	}
}

void gelImplicitDrive_Assemble( gelImplicitDrive* drive, double* matrix )
{
	int n = 3 * drive->nodeCount;
	double* unit = calloc( (size_t)n, sizeof( double ) );
	assert_non_null( unit );
	for ( int i = 0; i < n; ++i )
	{
		unit[i] = 1.0;
		gelImplicitDrive_Multiply( drive, unit, matrix + (size_t)i * (size_t)n );
		unit[i] = 0.0;
	}
	free( unit );
}

void gelMulDense3( const double a[9], const double b[9], double out[9] )
{
	for ( int i = 0; i < 9; ++i )
		out[i] = a[3 * ( i / 3 )] * b[i % 3] + a[3 * ( i / 3 ) + 1] * b[3 + i % 3] +
			a[3 * ( i / 3 ) + 2] * b[6 + i % 3];
}

static void MulTransposedDense3( const double a[9], const double b[9], double out[9] )
{
	for ( int i = 0; i < 9; ++i )
		out[i] = a[i / 3] * b[i % 3] + a[3 + i / 3] * b[3 + i % 3] + a[6 + i / 3] * b[6 + i % 3];
}

// One Jacobi rotation that makes m[p][q] zero.
static void Rotate( int n, double* m, double* v, int p, int q )
{
	double apq = m[p * n + q];
	if ( apq == 0.0 ) return;
	double theta = ( m[q * n + q] - m[p * n + p] ) / ( 2.0 * apq );
	double t = ( theta < 0.0 ? -1.0 : 1.0 ) / ( fabs( theta ) + sqrt( theta * theta + 1.0 ) );
	double c = 1.0 / sqrt( t * t + 1.0 ), s = t * c;
	for ( int k = 0; k < n; ++k )
	{
		double a = m[k * n + p], b = m[k * n + q];
		m[k * n + p] = c * a - s * b;
		m[k * n + q] = s * a + c * b;
	}
	for ( int k = 0; k < n; ++k )
	{
		double a = m[p * n + k], b = m[q * n + k];
		m[p * n + k] = c * a - s * b;
		m[q * n + k] = s * a + c * b;
	}
	for ( int k = 0; k < n && v; ++k )
	{
		double a = v[k * n + p], b = v[k * n + q];
		v[k * n + p] = c * a - s * b;
		v[k * n + q] = s * a + c * b;
	}
}

void gelEigenDense( int n, const double* matrix, double* values, double* vectors )
{
	size_t bytes = (size_t)n * (size_t)n * sizeof( double );
	double* m = malloc( bytes );
	assert_non_null( m );
	memcpy( m, matrix, bytes );
	for ( int i = 0; i < n * n && vectors; ++i )
		vectors[i] = i / n == i % n ? 1.0 : 0.0;
	for ( int sweep = 0; sweep < 30; ++sweep )
	{
		for ( int p = 0; p < n; ++p )
		{
			for ( int q = p + 1; q < n; ++q )
				Rotate( n, m, vectors, p, q );
		}
	}
	for ( int i = 0; i < n; ++i )
		values[i] = m[i * n + i];
	free( m );
}

static double Det3( const double a[9] )
{
	return a[0] * ( a[4] * a[8] - a[5] * a[7] ) - a[1] * ( a[3] * a[8] - a[5] * a[6] ) +
		a[2] * ( a[3] * a[7] - a[4] * a[6] );
}

// U V^T with F = U S V^T. The column of U that belongs to the smallest singular value is the cross product of
// the others, which gives that value the sign of det F.
void gelPolarDense( const double F[9], double R[9] )
{
	double A[9], value[3], V[9], U[9];
	MulTransposedDense3( F, F, A );
	gelEigenDense( 3, A, value, V );
	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 2; ++i )
	{
		for ( int j = i + 1; j < 3; ++j )
		{
			if ( value[order[j]] <= value[order[i]] ) continue;
			int k = order[i];
			order[i] = order[j];
			order[j] = k;
		}
	}
	double W[9];
	for ( int i = 0; i < 9; ++i )
		W[i] = V[3 * ( i / 3 ) + order[i % 3]];
	double sign = Det3( W ) < 0.0 ? -1.0 : 1.0;
	for ( int i = 0; i < 3; ++i )
		W[3 * i + 2] *= sign;
	gelMulDense3( F, W, U );
	for ( int c = 0; c < 2; ++c )
	{
		double length = sqrt( U[c] * U[c] + U[3 + c] * U[3 + c] + U[6 + c] * U[6 + c] );
		for ( int i = 0; i < 3; ++i )
			U[3 * i + c] /= length;
	}
	U[2] = U[3] * U[7] - U[6] * U[4];
	U[5] = U[6] * U[1] - U[0] * U[7];
	U[8] = U[0] * U[4] - U[3] * U[1];
	for ( int i = 0; i < 9; ++i )
		R[i] = U[3 * ( i / 3 )] * W[3 * ( i % 3 )] + U[3 * ( i / 3 ) + 1] * W[3 * ( i % 3 ) + 1] +
			U[3 * ( i / 3 ) + 2] * W[3 * ( i % 3 ) + 2];
}

// R, e = R^T F - I, tr(e)
static double GetStrain( const double F[9], double R[9], double e[9] )
{
	gelPolarDense( F, R );
	MulTransposedDense3( R, F, e );
	for ( int i = 0; i < 3; ++i )
		e[4 * i] -= 1.0;
	return e[0] + e[4] + e[8];
}

double gelCorotatedEnergy( const double F[9], double mu, double lambda )
{
	double R[9], e[9], sum = 0.0, trace = GetStrain( F, R, e );
	for ( int i = 0; i < 9; ++i )
		sum += e[i] * e[i];
	return mu * sum + 0.5 * lambda * trace * trace;
}

void gelCorotatedStress( const double F[9], double mu, double lambda, double P[9] )
{
	double R[9], e[9], trace = GetStrain( F, R, e );
	for ( int i = 0; i < 9; ++i )
		e[i] = 2.0 * mu * e[i] + ( i % 4 == 0 ? lambda * trace : 0.0 );
	gelMulDense3( R, e, P );
}

void gelPolarDifferential( const double F[9], const double dF[9], double dR[9] )
{
	double R[9], S[9], Y[9], H[9], value[3], V[9];
	gelPolarDense( F, R );
	MulTransposedDense3( R, F, S );
	MulTransposedDense3( R, dF, Y );
	double trace = S[0] + S[4] + S[8];
	for ( int i = 0; i < 9; ++i )
		H[i] = ( i % 4 == 0 ? trace : 0.0 ) - 0.5 * ( S[i] + S[3 * ( i % 3 ) + i / 3] );
	const double axl[3] = { Y[7] - Y[5], Y[2] - Y[6], Y[3] - Y[1] };
	gelEigenDense( 3, H, value, V );
	double w[3] = { 0.0 };
	for ( int k = 0; k < 3; ++k )
	{
		double part = ( V[k] * axl[0] + V[3 + k] * axl[1] + V[6 + k] * axl[2] ) / value[k];
		for ( int i = 0; i < 3; ++i )
			w[i] += part * V[3 * i + k];
	}
	const double cross[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
	gelMulDense3( R, cross, dR );
}

void gelStressDifferential( const double F[9], const double dF[9], double mu, double lambda, double dP[9] )
{
	double R[9], e[9], Y[9], dR[9], trace = GetStrain( F, R, e );
	gelPolarDifferential( F, dF, dR );
	MulTransposedDense3( R, dF, Y );
	for ( int i = 0; i < 9; ++i )
		dP[i] =
			2.0 * mu * dF[i] + lambda * ( Y[0] + Y[4] + Y[8] ) * R[i] + ( lambda * trace - 2.0 * mu ) * dR[i];
}
