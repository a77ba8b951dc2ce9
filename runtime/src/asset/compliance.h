// SPDX-License-Identifier: MIT
// What contact asks of a factor again and again: A^-1 itself. The matrix of the fast solver is one scalar
// matrix for x, y and z and never changes, so its inverse is data of the asset, shared by all bodies that are
// made from it: n^2 floats, 144 KB for 190 nodes. It is made once, when the pack is loaded, by solves with
// the factor (0.2 ms for 190 nodes); in the pack it would be as large as all the rest of the physics.
//
// Not made for cages of more than GEL_MAX_COMPLIANCE_NODES nodes, where it grows beyond what it is worth, and
// not for factors that only guide the search of the quality mode (fast/quality.h).
#pragma once

#include "pack/pack_read.h"

#define GEL_MAX_COMPLIANCE_NODES 640u

/// How nodes answer to impulses within a step, with frozen rotations.
typedef struct gelCompliance
{
	const gelPackFactor* factor; // the factor that it is the inverse of
	size_t stride;               // floats from row to row, a multiple of 16
	// [node * stride + other]: how far `other` moves by an impulse of 1 kg m on `node` [1/kg]. Symmetric;
	// rows and columns of pinned nodes are zero.
	float* rows;
} gelCompliance;

/// How many a pack gets.
uint32_t gelCountCompliances( const gelPackView* pack );

/// Floats of the rows of one.
size_t gelGetComplianceFloats( const gelPackView* pack );

/// Fills in what the arrays are for. @param compliances gelCountCompliances of them, rows are there
/// @param scratch gelGetComplianceScratch floats, aligned to 64 bytes
void gelFillCompliances(
	const gelPackView* pack, gelCompliance* compliances, float* scratch, size_t solveScratch );

/// @param solveScratch floats that a solve needs (gelAsset.solveScratch)
size_t gelGetComplianceScratch( const gelPackView* pack, size_t solveScratch );
