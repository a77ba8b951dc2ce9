// SPDX-License-Identifier: MIT
// The elements of the implicit solver against differences: stress is the gradient of the energy,
// differentials are those of rotation and stress, the float code is the double formula; symmetry, signs of
// eigenvalues, rigid motion, and the torque that gradients of the rest shape would have.
#include "test_support.h"

#include "asset/blocks.h"
#include "implicit_drive.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void RandomRotation( gelRandom* random, double R[9] )
{
	double q[4], length = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = gelRandom_Normal( random );
		length += q[i] * q[i];
	}
	for ( int i = 0; i < 4; ++i )
		q[i] /= sqrt( length );
	double x = q[0], y = q[1], z = q[2], s = q[3];
	const double m[9] = { 1 - 2 * ( y * y + z * z ), 2 * ( x * y - z * s ), 2 * ( x * z + y * s ),
		2 * ( x * y + z * s ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - x * s ), 2 * ( x * z - y * s ),
		2 * ( y * z + x * s ), 1 - 2 * ( x * x + y * y ) };
	memcpy( R, m, sizeof( m ) );
}

// Rotation times noise.
static void RandomDeformation( gelRandom* random, double noise, double F[9] )
{
	double R[9], S[9];
	RandomRotation( random, R );
	for ( int i = 0; i < 9; ++i )
		S[i] = ( i % 4 == 0 ? 1.0 : 0.0 ) + noise * gelRandom_Normal( random );
	gelMulDense3( R, S, F );
}

static double MaxDifference( const double* a, const double* b, int n )
{
	double largest = 0.0;
	for ( int i = 0; i < n; ++i )
		largest = fmax( largest, fabs( a[i] - b[i] ) );
	return largest;
}

static double MaxSize( const double* a, int n )
{
	double largest = 0.0;
	for ( int i = 0; i < n; ++i )
		largest = fmax( largest, fabs( a[i] ) );
	return largest;
}

// P, dR and dP of the formulas against central differences, in double.
static void TestDifferences( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	const double mu = 0.7, lambda = 1.3, h = 1e-5;
	for ( int trial = 0; trial < 100; ++trial )
	{
		double F[9], dF[9], P[9], expected[9], up[9], down[9];
		RandomDeformation( &random, 0.15, F );
		gelCorotatedStress( F, mu, lambda, P );
		for ( int i = 0; i < 9; ++i )
		{
			double a[9], b[9];
			memcpy( a, F, sizeof( a ) );
			memcpy( b, F, sizeof( b ) );
			a[i] += h;
			b[i] -= h;
			expected[i] =
				( gelCorotatedEnergy( a, mu, lambda ) - gelCorotatedEnergy( b, mu, lambda ) ) / ( 2.0 * h );
			dF[i] = gelRandom_Normal( &random );
		}
		assert_true( MaxDifference( P, expected, 9 ) < 1e-6 );

		double dR[9], dP[9], plus[9], minus[9];
		for ( int i = 0; i < 9; ++i )
		{
			plus[i] = F[i] + h * dF[i];
			minus[i] = F[i] - h * dF[i];
		}
		gelPolarDense( plus, up );
		gelPolarDense( minus, down );
		gelPolarDifferential( F, dF, dR );
		for ( int i = 0; i < 9; ++i )
			expected[i] = ( up[i] - down[i] ) / ( 2.0 * h );
		assert_true( MaxDifference( dR, expected, 9 ) < 1e-6 );
		gelCorotatedStress( plus, mu, lambda, up );
		gelCorotatedStress( minus, mu, lambda, down );
		gelStressDifferential( F, dF, mu, lambda, dP );
		for ( int i = 0; i < 9; ++i )
			expected[i] = ( up[i] - down[i] ) / ( 2.0 * h );
		assert_true( MaxDifference( dP, expected, 9 ) < 1e-6 );
	}
}

// F, row by row, of tet 0 for positions.
static void GetDeformation( const gelAsset* asset, const gelVec3* x, double F[9] )
{
	const gelPackTetRest* rest = asset->pack.tetRests;
	const uint32_t* node = asset->pack.tets[0].node;
	memset( F, 0, 9 * sizeof( double ) );
	for ( int k = 0; k < 3; ++k )
	{
		const float *p = &x[node[k + 1]].x, *o = &x[node[0]].x;
		for ( int i = 0; i < 9; ++i )
			F[i] += ( (double)p[i / 3] - o[i / 3] ) * rest->invDm[3 * k + i % 3];
	}
}

typedef struct OneTet
{
	gelCage cage;
	uint8_t* pack;
	gelAsset* asset;
	gelVec3 rest[4], x[4];
	double mu, lambda, volume;
} OneTet;

static OneTet MakeOneTet( double poissonsRatio )
{
	OneTet tet = { .cage = gelMakeTetCage( 0.5 ) };
	gelBakeMaterial material = gelDefaultBakeSettings().material;
	material.youngsModulus = 1.0;
	material.poissonsRatio = poissonsRatio;
	size_t bytes;
	tet.pack = gelBakeTestBody( &tet.cage, &material, NULL, 0, NULL, 0, &bytes );
	assert_int_equal( gelOpenAsset( tet.pack, bytes, NULL, &tet.asset, NULL ), gel_success );
	gelAsset_GetRestNodes( tet.asset, tet.rest, 4 );
	const gelPackView* pack = &tet.asset->pack;
	tet.mu = pack->materials[pack->tetRests[0].material].mu;
	tet.lambda = pack->materials[pack->tetRests[0].material].lambda;
	tet.volume = pack->tetRests[0].volume;
	return tet;
}

static void FreeOneTet( OneTet* tet )
{
	gelDestroyAsset( tet->asset );
	gelFreeCage( &tet->cage );
	free( tet->pack );
}

static void Deform( OneTet* tet, const double F[9] )
{
	for ( int i = 0; i < 4; ++i )
	{
		const float* X = &tet->rest[i].x;
		float* x = &tet->x[i].x;
		for ( int k = 0; k < 3; ++k )
			x[k] = (float)( F[3 * k] * X[0] + F[3 * k + 1] * X[1] + F[3 * k + 2] * X[2] );
	}
}

// Forces and products of the float code against the formulas in double: -V P g, V dP g.
static void TestElementMatchesFormulas( void** state )
{
	(void)state;
	const double ratios[] = { 0.0, 0.3, 0.45 };
	gelRandom random = { 2 };
	for ( int r = 0; r < 3; ++r )
	{
		OneTet tet = MakeOneTet( ratios[r] );
		gelImplicitDrive drive = gelMakeImplicitDrive( tet.asset, gel_differentialExact, gel_elementPolar );
		const gelPackTetRest* rest = tet.asset->pack.tetRests;
		const uint32_t* node = tet.asset->pack.tets[0].node;
		for ( int trial = 0; trial < 50; ++trial )
		{
			double F[9], P[9], dP[9], dF[9] = { 0.0 }, dx[12], df[12], wanted[12] = { 0.0 }, force[12];
			RandomDeformation( &random, 0.15, F );
			Deform( &tet, F );
			GetDeformation( tet.asset, tet.x, F ); // as float has it
			gelImplicitDrive_Update( &drive, tet.x );
			gelCorotatedStress( F, tet.mu, tet.lambda, P );
			for ( int i = 0; i < 12; ++i )
				dx[i] = gelRandom_Normal( &random );
			gelImplicitDrive_Multiply( &drive, dx, df );
			for ( int k = 0; k < 3; ++k )
				for ( int i = 0; i < 9; ++i )
					dF[i] += ( dx[3 * node[k + 1] + i / 3] - dx[3 * node[0] + i / 3] ) *
						rest->invDm[3 * k + i % 3];
			gelStressDifferential( F, dF, tet.mu, tet.lambda, dP );
			const double* tensors[] = { P, dP };
			for ( int t = 0; t < 2; ++t )
			{
				memset( wanted, 0, sizeof( wanted ) );
				for ( int k = 0; k < 3; ++k )
					for ( int i = 0; i < 9; ++i )
					{
						double part = tet.volume * tensors[t][i] * rest->invDm[3 * k + i % 3];
						wanted[3 * node[k + 1] + i / 3] += part;
						wanted[3 * node[0] + i / 3] -= part;
					}
				for ( int i = 0; i < 12 && t == 0; ++i )
					force[i] = -( &drive.pass.forces[i / 3].x )[i % 3];
				assert_true( MaxDifference( wanted, t == 0 ? force : df, 12 ) < 3e-6 * tet.volume *
						( t == 0 ? 1.0 : 1.0 + MaxSize( dF, 9 ) ) * 4.0 * ( tet.mu + tet.lambda ) );
			}
		}
		gelFreeImplicitDrive( &drive );
		FreeOneTet( &tet );
	}
}

// K0_ij = V [ lambda g_i g_j^T + mu g_j g_i^T + mu (g_i . g_j) I ], turned: what variant 2 is.
static void TestTwoIsTurnedRest( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	OneTet tet = MakeOneTet( 0.3 );
	gelImplicitDrive drive = gelMakeImplicitDrive( tet.asset, gel_differentialTwo, gel_elementPolar );
	double F[9], R[9], K[144], g[12];
	RandomDeformation( &random, 0.2, F );
	Deform( &tet, F );
	GetDeformation( tet.asset, tet.x, F );
	gelPolarDense( F, R );
	gelImplicitDrive_Update( &drive, tet.x );
	gelImplicitDrive_Assemble( &drive, K );
	const uint32_t* node = tet.asset->pack.tets[0].node;
	for ( int d = 0; d < 3; ++d )
	{
		double sum = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			g[3 * node[k + 1] + d] = tet.asset->pack.tetRests[0].invDm[3 * k + d];
			sum += g[3 * node[k + 1] + d];
		}
		g[3 * node[0] + d] = -sum;
	}
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			double block[9], turned[9], dot = 0.0;
			for ( int d = 0; d < 3; ++d )
				dot += g[3 * i + d] * g[3 * j + d];
			for ( int k = 0; k < 9; ++k )
				block[k] = tet.volume *
					( tet.lambda * g[3 * i + k / 3] * g[3 * j + k % 3] +
						tet.mu * g[3 * j + k / 3] * g[3 * i + k % 3] + ( k % 4 == 0 ? tet.mu * dot : 0.0 ) );
			gelMulDense3( R, block, turned );
			for ( int k = 0; k < 9; ++k )
			{
				double wanted = turned[3 * ( k / 3 )] * R[3 * ( k % 3 )] +
					turned[3 * ( k / 3 ) + 1] * R[3 * ( k % 3 ) + 1] +
					turned[3 * ( k / 3 ) + 2] * R[3 * ( k % 3 ) + 2];
				double is = K[( 3 * j + k % 3 ) * 12 + 3 * i + k / 3];
				assert_true( fabs( is - wanted ) < 1e-6 * ( tet.mu + tet.lambda ) );
			}
		}
	}
	gelFreeImplicitDrive( &drive );
	FreeOneTet( &tet );
}

// All variants are symmetric; all but the exact one have no negative eigenvalue, on states of every kind; the
// exact one often has.
static void TestEigenvalues( void** state )
{
	(void)state;
	const double noises[] = { 0.05, 0.3, 1.0 };
	int negativeCount = 0, trialCount = 0;
	for ( int element = 0; element < 2; ++element )
	{
		for ( int d = gel_differentialX; d <= gel_differentialExact; ++d )
		{
			OneTet tet = MakeOneTet( d % 2 == 0 ? 0.1 : 0.4 );
			gelImplicitDrive drive =
				gelMakeImplicitDrive( tet.asset, (gelDifferential)d, (gelElementType)element );
			gelRandom random = { 4 };
			for ( int trial = 0; trial < 60; ++trial )
			{
				double F[9], K[144], values[12];
				RandomDeformation( &random, noises[trial % 3], F );
				Deform( &tet, F );
				gelImplicitDrive_Update( &drive, tet.x );
				gelImplicitDrive_Assemble( &drive, K );
				double size = MaxSize( K, 144 ), lowest = size;
				for ( int i = 0; i < 144; ++i )
					assert_true( fabs( K[i] - K[12 * ( i % 12 ) + i / 12] ) < 2e-6 * size );
				gelEigenDense( 12, K, values, NULL );
				for ( int i = 0; i < 12; ++i )
					lowest = fmin( lowest, values[i] );
				bool isNegative = lowest < -1e-5 * size;
				if ( d == gel_differentialExact && element == 0 )
				{
					negativeCount += isNegative;
					++trialCount;
				}
				else
					assert_false( isNegative );
			}
			gelFreeImplicitDrive( &drive );
			FreeOneTet( &tet );
		}
	}
	assert_true( negativeCount > trialCount / 4 );
}

// Turned as a whole, an undeformed body has no forces, and K turns with it: K(Q) = Q K Q^T.
static void TestRigidMotion( void** state )
{
	(void)state;
	for ( int element = 0; element < 2; ++element )
	{
		gelRandom random = { 5 };
		OneTet tet = MakeOneTet( 0.3 );
		gelImplicitDrive drive =
			gelMakeImplicitDrive( tet.asset, gel_differentialX, (gelElementType)element );
		double Q[9], stretch[9] = { 1.1, 0.02, 0.0, 0.0, 0.95, 0.03, 0.04, 0.0, 1.0 }, turned[9];
		RandomRotation( &random, Q );
		Deform( &tet, Q );
		gelImplicitDrive_Update( &drive, tet.x );
		for ( int i = 0; i < 4; ++i )
			assert_true( gelLength( gelImplicitDrive_GetForce( &drive, i ) ) < 3e-7f );
		double K[144], turnedK[144];
		Deform( &tet, stretch );
		gelImplicitDrive_Update( &drive, tet.x );
		gelImplicitDrive_Assemble( &drive, K );
		gelMulDense3( Q, stretch, turned );
		Deform( &tet, turned );
		gelImplicitDrive_Update( &drive, tet.x );
		gelImplicitDrive_Assemble( &drive, turnedK );
		double size = MaxSize( K, 144 );
		for ( int i = 0; i < 4; ++i )
		{
			for ( int j = 0; j < 4; ++j )
			{
				double block[9], half[9], is[9];
				for ( int k = 0; k < 9; ++k )
				{
					block[k] = K[( 3 * j + k % 3 ) * 12 + 3 * i + k / 3];
					is[k] = turnedK[( 3 * j + k % 3 ) * 12 + 3 * i + k / 3];
				}
				gelMulDense3( Q, block, half );
				for ( int k = 0; k < 9; ++k )
				{
					double wanted = half[3 * ( k / 3 )] * Q[3 * ( k % 3 )] +
						half[3 * ( k / 3 ) + 1] * Q[3 * ( k % 3 ) + 1] +
						half[3 * ( k / 3 ) + 2] * Q[3 * ( k % 3 ) + 2];
					assert_true( fabs( is[k] - wanted ) < 3e-6 * size );
				}
			}
		}
		gelFreeImplicitDrive( &drive );
		FreeOneTet( &tet );
	}
}

// Sum and torque of forces on the corners, relative to their size.
static void GetSums( const OneTet* tet, const gelVec3 f[4], double* outForce, double* outTorque )
{
	double force[3] = { 0.0 }, torque[3] = { 0.0 }, size = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		gelVec3 x = tet->x[i];
		size = fmax( size, gelLength( f[i] ) );
		force[0] += f[i].x, force[1] += f[i].y, force[2] += f[i].z;
		torque[0] += (double)x.y * f[i].z - (double)x.z * f[i].y;
		torque[1] += (double)x.z * f[i].x - (double)x.x * f[i].z;
		torque[2] += (double)x.x * f[i].y - (double)x.y * f[i].x;
	}
	*outForce = MaxSize( force, 3 ) / size;
	*outTorque = MaxSize( torque, 3 ) / size;
}

// Forces that the QR frame would give with gradients of the rest shape: sigma B_rest. Corners in the order of
// the pack, frame along the first edges.
static void GetRestQrForces( const OneTet* tet, gelVec3 f[4] )
{
	const uint32_t* node = tet->asset->pack.tets[0].node;
	gelVec3 e[3], E[3];
	gelMat3 frames[2];
	for ( int k = 0; k < 3; ++k )
	{
		e[k] = gelSub( tet->x[node[k + 1]], tet->x[node[0]] );
		E[k] = gelSub( tet->rest[node[k + 1]], tet->rest[node[0]] );
	}
	for ( int i = 0; i < 2; ++i )
	{
		const gelVec3* edge = i == 0 ? e : E;
		gelMat3* A = frames + i;
		A->cx = gelScale( 1.0f / gelLength( edge[0] ), edge[0] );
		gelVec3 t = gelMulAdd( edge[1], -gelDot( A->cx, edge[1] ), A->cx );
		A->cy = gelScale( 1.0f / gelLength( t ), t );
		A->cz = gelCross( A->cx, A->cy );
	}
	gelMat3 L = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	gelVec3 g[3];
	for ( int k = 0; k < 3; ++k )
	{
		const gelMat3 *a = frames, *A = frames + 1;
		gelVec3 G = gelGetGradient( tet->asset->pack.tetRests, k );
		g[k] = gelMakeVec3( gelDot( A->cx, G ), gelDot( A->cy, G ), gelDot( A->cz, G ) );
		gelVec3 u = { gelDot( a->cx, e[k] ) - gelDot( A->cx, E[k] ),
			gelDot( a->cy, e[k] ) - gelDot( A->cy, E[k] ), gelDot( a->cz, e[k] ) - gelDot( A->cz, E[k] ) };
		L.cx = gelMulAdd( L.cx, g[k].x, u );
		L.cy = gelMulAdd( L.cy, g[k].y, u );
		L.cz = gelMulAdd( L.cz, g[k].z, u );
	}
	gelSym3 strain = { L.cx.x, L.cy.y, L.cz.z, 0.5f * ( L.cx.y + L.cy.x ), 0.5f * ( L.cx.z + L.cz.x ),
		0.5f * ( L.cy.z + L.cz.y ) };
	gelSym3 Z =
		gelScaleSymAdd( (float)( 2.0 * tet->mu ), strain, (float)tet->lambda * gelSymTrace( strain ) );
	f[node[0]] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	for ( int k = 0; k < 3; ++k )
	{
		f[node[k + 1]] = gelScale( (float)-tet->volume, gelMulMV( frames[0], gelMulSymV( Z, g[k] ) ) );
		f[node[0]] = gelSub( f[node[0]], f[node[k + 1]] );
	}
}

// Polar frames with gradients of the rest shape and QR frames with current ones pull without net force and
// torque. QR frames with gradients of the rest shape turn the element: that is why they are not used.
static void TestTorque( void** state )
{
	(void)state;
	double worstControl = 0.0;
	OneTet tet = MakeOneTet( 0.3 );
	for ( int element = 0; element < 2; ++element )
	{
		gelRandom random = { 6 };
		gelImplicitDrive drive =
			gelMakeImplicitDrive( tet.asset, gel_differentialX, (gelElementType)element );
		for ( int trial = 0; trial < 50; ++trial )
		{
			double F[9], force, torque;
			gelVec3 f[4];
			RandomDeformation( &random, 0.2, F );
			Deform( &tet, F );
			gelImplicitDrive_Update( &drive, tet.x );
			for ( int i = 0; i < 4; ++i )
				f[i] = gelImplicitDrive_GetForce( &drive, i );
			GetSums( &tet, f, &force, &torque );
			assert_true( force < 1e-6 && torque < 5e-6 );
			GetRestQrForces( &tet, f );
			GetSums( &tet, f, &force, &torque );
			assert_true( force < 1e-6 );
			worstControl = fmax( worstControl, torque );
		}
		gelFreeImplicitDrive( &drive );
	}
	assert_true( worstControl > 0.02 );
	FreeOneTet( &tet );
}

// Corners of the QR element in the order that its header promises: the longest edge first, the larger face
// beside it, and d on the side of the frame where healthy elements have it. Forces do not tell the last,
// since gradients come in twice, but coordinates do: zd < 0 means inverted.
static void TestQrCorners( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	const double sizes[3] = { 1.0, 0.7, 1.6 };
	memcpy( def.size, sizes, sizeof( sizes ) );
	for ( int split = 0; split < 2; ++split )
	{
		def.split = split == 0 ? gel_boxSplitFive : gel_boxSplitSix;
		gelStage stage = gelMakeStage( &def );
		gelImplicitDrive drive = gelMakeImplicitDrive( stage.asset, gel_differentialX, gel_elementQr );
		int firstIsLower = 0, count = 0;
		for ( int slot = 0; slot < GEL_BLOCK_LANES * stage.asset->blockCount; ++slot )
		{
			if ( stage.asset->slotTets[slot] == GEL_NO_TET ) continue;
			int lane = slot % GEL_BLOCK_LANES;
			const gelQrBlock* qr = drive.qr + slot / GEL_BLOCK_LANES;
			const gelStiffnessBlock* block = drive.pass.blocks + slot / GEL_BLOCK_LANES;
			gelVec3 x[4];
			for ( int k = 0; k < 4; ++k )
				x[k] = stage.rest[block->node[k][lane] / sizeof( gelVec4 )];
			float base = gelLength( gelSub( x[1], x[0] ) );
			for ( int i = 0; i < 4; ++i )
				for ( int j = 0; j < i; ++j )
					assert_true( gelLength( gelSub( x[i], x[j] ) ) < 1.0001f * base );
			float yd = qr->local[4][lane], zd = qr->local[5][lane];
			assert_true( fabsf( qr->local[0][lane] - base ) < 1e-5f );
			assert_true( hypotf( yd, zd ) < 1.0001f * qr->local[2][lane] ); // height of the other face
			assert_true( zd > 0.0f );
			firstIsLower += block->node[0][lane] < block->node[1][lane];
			count += 1;
		}
		assert_true( firstIsLower > 0 && firstIsLower < count ); // some have to be turned round
		gelFreeImplicitDrive( &drive );
		gelFreeStage( &stage );
	}
}

// The mean twist stiffness of X and H against their formulas in double: gamma = max( 0, 1 - ( 2 - lambda
// tr(e) / mu ) 3 / ( 2 tr S ) ), and the mean size of the strain along the axes. Wide and slow loops share
// the code, and an error of it would only cost iterations.
static void TestMeanTwist( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	int positive = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		float e[6];
		for ( int k = 0; k < 6; ++k )
			e[k] = (float)gelRandom_Uniform( &random, -0.6, 0.8 );
		gelSym3 strain = { e[0], e[1], e[2], e[3], e[4], e[5] };
		double mu = gelRandom_Uniform( &random, 0.5, 2 ), lambda = gelRandom_Uniform( &random, 0, 9 );
		double trace = (double)e[0] + e[1] + e[2];
		double gamma = fmax( 0.0, 1.0 - ( 2.0 - lambda * trace / mu ) * 3.0 / ( 2.0 * ( 3.0 + trace ) ) );
		positive += gamma > 0.0;
		double x = gelVariantTwist( gel_differentialX, strain, (float)mu, (float)lambda );
		assert_true( fabs( x - mu * gamma ) < 1e-5 * ( mu + lambda ) );
		double mean = fmin( 1.0, ( fabs( e[0] ) + fabs( e[1] ) + fabs( e[2] ) ) / 3.0 );
		double h = gelVariantTwist( gel_differentialH, strain, (float)mu, (float)lambda );
		assert_true( fabs( h - mu * mean ) < 1e-5 * mu );
	}
	assert_true( positive > 300 && positive < 900 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDifferences ),
		cmocka_unit_test( TestElementMatchesFormulas ),
		cmocka_unit_test( TestTwoIsTurnedRest ),
		cmocka_unit_test( TestEigenvalues ),
		cmocka_unit_test( TestRigidMotion ),
		cmocka_unit_test( TestTorque ),
		cmocka_unit_test( TestQrCorners ),
		cmocka_unit_test( TestMeanTwist ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
