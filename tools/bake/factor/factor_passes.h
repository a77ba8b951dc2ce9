// SPDX-License-Identifier: MIT
// The passes that make the factors of the system matrix, one for each step length and pin set.
#pragma once

#include "bake/body/bake_data.h"

// ---- order.c: fill-reducing order of the free nodes -------------------------------------------------------

/// Which nodes touch: the pattern of the system matrix over the free nodes of one pin set. Free nodes are
/// numbered 0 .. n - 1 in ascending node order.
typedef struct gelBakeGraph
{
	uint32_t n;
	uint32_t* freeToNode;    // [n]
	uint32_t* nodeToFree;    // [nodeCount], GEL_NO_INDEX: pinned
	uint32_t* neighborFirst; // [n + 1]
	uint32_t* neighbors;     // ascending inside a node, without the node itself
	uint64_t patternHash;    // as formats/pack.md defines it
} gelBakeGraph;

gelBakeGraph gelBuildGraph( const gelBakeCage* cage, const gelBakeGather* gather, const uint32_t* pins,
	uint32_t pinCount, gelBakePool* pool );

/// Hash of a graph as formats/pack.md defines it.
uint64_t gelHashPattern( const gelBakeGraph* graph );

/// Nested dissection (METIS) of every connected part. @return [n], position -> free node; NULL: METIS failed
uint32_t* gelOrderNodes( const gelBakeGraph* graph, gelBakePool* pool );

// ---- factor.c, supernodes.c, factor_check.c ---------------------------------------------------------------

/// Lower triangle of the system matrix by columns, over the free nodes in ascending node order.
typedef struct gelBakeMatrix
{
	uint32_t n;
	int* columnFirst; // [n + 1]
	int* rows;        // diagonal first, then ascending
	double* values;
} gelBakeMatrix;

/// A_ij = delta_ij m_i + sum over tets of 2 h^2 mu V (g_i . g_j) [kg].
/// @param materials that the rest shapes refer to
gelBakeMatrix gelAssembleMatrix( const gelBakeCage* cage, const gelBakeGather* gather,
	const gelBakeRest* rest, const gelPackMaterial* materials, const gelPackMass* masses,
	const gelBakeGraph* graph, double step, gelBakePool* pool );

typedef enum gelFactorStatus
{
	gel_factorOk,
	gel_factorNotPositive, // a pivot was zero, negative or not a number
	gel_factorConditioned, // smallest pivot / largest pivot < 1e-7, or the residual > 1e-5
	gel_factorTooLarge,    // over a limit of the pack format
	gel_factorLibrary,     // CHOLMOD failed
} gelFactorStatus;

/// Factors in double with CHOLMOD's simplicial part, forms panels, rounds to float, measures the residual.
/// @param order from gelOrderNodes
gelFactorStatus gelFactorMatrix( const gelBakeMatrix* matrix, const gelBakeGraph* graph,
	const uint32_t* order, gelBakePool* pool, gelBakeFactor* out );

/// A sparse lower triangular factor by columns: diagonal first, then rows ascending.
typedef struct gelBakeColumns
{
	uint32_t n;
	const int* columnFirst;
	const int* columnCount;
	const int* rows;
	const double* values;
} gelBakeColumns;

/// Widest panel. Its diagonal block in float fills half of a common first-level cache.
#define GEL_BAKE_MAX_PANEL_WIDTH 64u

/// Fills n, superCount, superFirst .. invDiagonal, nonzeroCount and the diagonal's range. False: over a
/// limit.
bool gelFormSupernodes( const gelBakeColumns* L, gelBakePool* pool, gelBakeFactor* out );

/// max |L L^T - P A P^T| / max |A| over all entries, with the rounded L.
/// @param rowToFree row of L -> free node
double gelMeasureResidual(
	const gelBakeFactor* factor, const gelBakeMatrix* matrix, const uint32_t* rowToFree );

// ---- factor_out.c: the form in which the runtime reads a factor -----------------------------------------

/// A factor as FACT or OPFA. @param solverKind GEL_FACTOR_*
void gelAddFactorSection(
	gelPackWriter* writer, uint32_t fourcc, uint32_t solverKind, const gelBakeFactor* factor );

// ---- factor_jobs.c: all factors of a bake ---------------------------------------------------------------

/// Whether the step lengths are in range, each there once, and not too many. Needs nothing but the settings.
bool gelCheckSteps( const gelBakeSettings* settings, gelFindings* findings );

/// Checks step lengths and pin sets and fills pinSetIds, factors and factorCount.
bool gelBuildFactors( gelBakeData* data, gelProgram* program );
