// SPDX-License-Identifier: MIT
// What the runtime does not need to check: whether a pack says what its cage, art and materials give. Its
// files are verify.c and verify_*.c.
#pragma once

#include "inspect/inspect.h"

/// The checks that need more than the reader: META is JSON, names are UTF-8, masses and factors are those of
/// this cage and these materials. false: findings say what is wrong.
bool gelVerifyPack( const gelInspectedPack* pack, gelProgram* program );

/// Whether the collision geometry is that of the art (verify_surface.c).
void gelVerifySurface( const gelInspectedPack* pack, gelProgram* program );

/// Whether the vertices listed in SUPP are all that can be the lowest of their cell (verify_support.c).
void gelVerifySupports( const gelInspectedPack* pack, gelFindings* findings );

/// Whether the factors of the warp-cancelling solver are those of the body (verify_warp.c).
void gelVerifyWarp( const gelInspectedPack* pack, gelProgram* program );

/// What a factor is worth, measured.
typedef struct gelFactorCheck
{
	uint64_t patternHash; // hash of the pattern of the matrix rebuilt from TETS and PINS
	double residual;      // largest row of |A x - L L^T x| / ( |L| |L^T| |x| ) over random x
	uint32_t worstNode;   // node of that row
	bool outOfMemory;
} gelFactorCheck;

/// What rounding L to float explains: 2^-23 of |L| |L^T| |x| (see verify_factor.c), and as much again.
#define GEL_FACTOR_TOLERANCE 0x1p-22

/// The same for solved columns: rounding G = L^-1 moves L by the condition of a diagonal block more.
#define GEL_SOLVED_TOLERANCE 0x1p-17

gelFactorCheck gelCheckFactor( const gelPackView* view, const gelPackFactorView* factor );

/// The same for a factor of particles (section OPFA); worstNode is a particle.
gelFactorCheck gelCheckParticleFactor( const gelPackView* view, const gelPackFactorView* factor );
