// SPDX-License-Identifier: MIT
// Projection of hard rows and products of soft ones, for solvers that iterate.
#include "constraints/constraint_rows.h"
#include "math/dense_factor.h"

#include <float.h>
#include <string.h>

// Part of the mean diagonal that is added to G: duplicate rows become harmless.
#define GEL_REGULARIZATION 1.0e-8

// Row a times row b over the nodes that they share.
static double MultiplyRows( const gelConstraintSet* set, int rowA, int rowB )
{
	GEL_ASSERT( rowA >= 0 && rowA < set->rowCount && rowB >= 0 && rowB < set->rowCount );
	const gelConstraintPoint *a = set->points + set->rowPoints[rowA], *b = set->points + set->rowPoints[rowB];
	double sum = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			if ( a->node[i] == b->node[j] ) sum += (double)a->freeWeight[i] * b->freeWeight[j];
		}
	}
	return sum * gelDotDouble( gelGetRowAxis( set, rowA ), gelGetRowAxis( set, rowB ) ) *
		set->rowScales[rowA] * set->rowScales[rowB];
}

static void FillCluster( const gelBody* body, const gelConstraintCluster* cluster, double* matrix )
{
	GEL_ASSERT(
		cluster->rowFirst >= 0 && cluster->rowFirst + cluster->rowCount <= body->constraints->rowCount );
	const gelConstraintSet* set = body->constraints;
	int count = cluster->rowCount;
	for ( int i = 0; i < count; ++i )
	{
		int row = cluster->rowFirst + i;
		for ( int j = 0; j <= i; ++j )
		{
			matrix[i * count + j] = cluster->isSoft
				? gelConstraintRows_GetCompliance( set, row, cluster->rowFirst + j )
				: MultiplyRows( set, row, cluster->rowFirst + j );
		}
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		if ( cluster->isSoft && point->frame >= 0 )
			matrix[i * count + i] += gelGetFrameSoftness( body, point );
		if ( !cluster->isSoft ) matrix[i * count + i] += GEL_REGULARIZATION; // rows have unit length
	}
}

void gelConstraintRows_FactorClusters( gelBody* body )
{
	gelConstraintSet* set = body->constraints;
	int used = 0;
	for ( int i = 0; set != NULL && i < set->clusterCount; ++i )
	{
		gelConstraintCluster* cluster = set->clusters + i;
		cluster->matrixFirst = used;
		used += cluster->rowCount * cluster->rowCount;
		FillCluster( body, cluster, set->matrix + cluster->matrixFirst );
		gelFactorDense( set->matrix + cluster->matrixFirst, cluster->rowCount, DBL_MIN );
	}
}

// H y of the rows of a cluster, scaled.
void gelConstraintRows_Gather(
	const gelConstraintSet* set, const gelConstraintCluster* cluster, const gelVec4* y, double* out )
{
	GEL_ASSERT( cluster->rowCount > 0 && out != NULL );
	for ( int i = 0; i < cluster->rowCount; ++i )
	{
		int row = cluster->rowFirst + i;
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		gelVec3 axis = gelGetRowAxis( set, row );
		double sum = 0.0;
		for ( int k = 0; k < 4; ++k )
			sum += (double)point->freeWeight[k] * gelDotDouble( axis, gelXyz( y[point->node[k]] ) );
		out[i] = sum * set->rowScales[row];
	}
}

// Sum over the rows of a point of s times axis, scaled.
static void SumRows(
	const gelConstraintSet* set, const gelConstraintPoint* point, const double* s, double out[3] )
{
	out[0] = out[1] = out[2] = 0.0;
	for ( int k = 0; k < point->rowCount; ++k )
	{
		double scaled = s[k] * set->rowScales[point->rowFirst + k];
		out[0] += scaled * point->axis[k].x;
		out[1] += scaled * point->axis[k].y;
		out[2] += scaled * point->axis[k].z;
	}
}

// set->sums = factor H^T s, for the listed nodes of a cluster.
static void Scatter(
	const gelConstraintSet* set, const gelConstraintCluster* cluster, double factor, const double* s )
{
	GEL_ASSERT( cluster->nodeFirst + cluster->nodeCount <= 4 * set->capacity );
	memset( set->sums + cluster->nodeFirst, 0, (size_t)cluster->nodeCount * sizeof( *set->sums ) );
	for ( int row = cluster->rowFirst; row < cluster->rowFirst + cluster->rowCount; )
	{
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		double sum[3];
		SumRows( set, point, s + ( row - cluster->rowFirst ), sum );
		for ( int k = 0; k < 4; ++k )
		{
			double* to = set->sums[point->listed[k]];
			double w = factor * (double)point->freeWeight[k];
			to[0] += w * sum[0];
			to[1] += w * sum[1];
			to[2] += w * sum[2];
		}
		row += point->rowCount;
	}
}

// y += factor H^T s
static void AddScattered( const gelConstraintSet* set, const gelConstraintCluster* cluster, double factor,
	const double* s, gelVec4* y )
{
	Scatter( set, cluster, factor, s );
	for ( int i = cluster->nodeFirst; i < cluster->nodeFirst + cluster->nodeCount; ++i )
	{
		gelVec4* to = y + set->nodes[i];
		to->x = (float)( to->x + set->sums[i][0] );
		to->y = (float)( to->y + set->sums[i][1] );
		to->z = (float)( to->z + set->sums[i][2] );
	}
}

// The next cluster of a kind from i on; NULL: no more.
static const gelConstraintCluster* NextCluster( const gelConstraintSet* set, bool isSoft, int* i )
{
	while ( set != NULL && *i < set->clusterCount )
	{
		const gelConstraintCluster* cluster = set->clusters + ( *i )++;
		if ( cluster->isSoft == isSoft ) return cluster;
	}
	return NULL;
}

void gelConstraintRows_Project( const gelBody* body, gelVec4* y )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		gelConstraintRows_Gather( set, cluster, y, set->work );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		AddScattered( set, cluster, -1.0, set->work, y );
	}
}

void gelConstraintRows_Prescribe( const gelBody* body, const gelVec3* x, gelVec4* d )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		gelConstraintRows_Gather( set, cluster, d, set->work );
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			int row = cluster->rowFirst + k;
			set->work[k] =
				set->rowScales[row] * gelConstraintRows_GetError( body, row, x, true ) - set->work[k];
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		AddScattered( set, cluster, 1.0, set->work, d );
	}
}

void gelConstraintRows_RemoveDrift( const gelBody* body, float h, gelVec3* v )
{
	GEL_ASSERT( h > 0.0f );
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, false, &i ) ) != NULL; )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
		{
			int row = cluster->rowFirst + k;
			const gelConstraintPoint* point = set->points + set->rowPoints[row];
			set->work[k] = set->rowScales[row] * gelDotDouble( gelGetRowAxis( set, row ), point->drift );
		}
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		Scatter( set, cluster, -1.0 / (double)h, set->work );
		for ( int k = cluster->nodeFirst; k < cluster->nodeFirst + cluster->nodeCount; ++k )
		{
			gelVec3 change = { (float)set->sums[k][0], (float)set->sums[k][1], (float)set->sums[k][2] };
			v[set->nodes[k]] = gelAdd( v[set->nodes[k]], change );
		}
	}
}

// ---- soft rows -----------------------------------------------------------------------------------------

void gelConstraintRows_AddSoftForces( const gelBody* body, const gelVec3* x, gelVec4* b )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, true, &i ) ) != NULL; )
	{
		for ( int k = 0; k < cluster->rowCount; ++k )
			set->work[k] = gelConstraintRows_GetError( body, cluster->rowFirst + k, x, true );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		AddScattered( set, cluster, 1.0, set->work, b );
	}
}

void gelConstraintRows_AddSoftProduct( const gelBody* body, const gelVec4* p, gelVec4* q )
{
	const gelConstraintSet* set = body->constraints;
	const gelConstraintCluster* cluster;
	for ( int i = 0; ( cluster = NextCluster( set, true, &i ) ) != NULL; )
	{
		gelConstraintRows_Gather( set, cluster, p, set->work );
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		AddScattered( set, cluster, 1.0, set->work, q );
	}
}

// The inverse of C for the rows of one point, column by column.
static void AddPointBlocks( const gelConstraintSet* set, const gelConstraintCluster* cluster,
	const gelConstraintPoint* point, gelSym3* blocks )
{
	gelMat3 block = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	int first = point->rowFirst - cluster->rowFirst;
	for ( int k = 0; k < point->rowCount; ++k )
	{
		memset( set->work, 0, (size_t)cluster->rowCount * sizeof( double ) );
		set->work[first + k] = 1.0;
		gelSolveDense( set->matrix + cluster->matrixFirst, cluster->rowCount, set->work );
		double sum[3];
		SumRows( set, point, set->work + first, sum );
		gelVec3 a = { (float)sum[0], (float)sum[1], (float)sum[2] };
		block.cx = gelMulAdd( block.cx, point->axis[k].x, a );
		block.cy = gelMulAdd( block.cy, point->axis[k].y, a );
		block.cz = gelMulAdd( block.cz, point->axis[k].z, a );
	}
	for ( int k = 0; k < 4; ++k )
	{
		float w2 = point->freeWeight[k] * point->freeWeight[k];
		gelSym3* to = blocks + point->node[k];
		to->xx += w2 * block.cx.x;
		to->yy += w2 * block.cy.y;
		to->zz += w2 * block.cz.z;
		to->xy += w2 * block.cy.x;
		to->xz += w2 * block.cz.x;
		to->yz += w2 * block.cz.y;
	}
}

void gelConstraintRows_AddSoftBlocks( const gelBody* body, gelSym3* blocks )
{
	const gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->pointCount; ++i )
	{
		const gelConstraintCluster* cluster = set->clusters + set->points[i].cluster;
		if ( cluster->isSoft ) AddPointBlocks( set, cluster, set->points + i, blocks );
	}
}
