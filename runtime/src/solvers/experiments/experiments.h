// SPDX-License-Identifier: MIT
// What experiments put in place of parts of an implicit step (gelpack/experimental.h). Nothing but
// gelDefaultImplicitVariant refers to this folder, so a game that does not call it does not have its code.
#pragma once

#include "solvers/experiments/qr_element.h"
#include "solvers/implicit/implicit.h"

/// What a body with a variant has in addition.
typedef struct gelVariantMemory
{
	gelQrBlock* qr;      // constants of gel_elementQr, else NULL
	gelQuat* trialQ;     // rotations at x_k + d, while d of gel_differentialExact is judged; else NULL
	gelVec4* trialMoved; // D before that
} gelVariantMemory;

static inline gelVariantMemory* gelGetVariantMemory( const gelBody* body )
{
	return gelGetImplicit( body )->variantMemory;
}

/// By minimal residuals, also for indefinite matrices; the tolerance is measured in the norm of the
/// preconditioner. All eight work vectors are used.
gelLinearResult gelSolveMinres( const gelLinearSystem* system, int maxIterations, float tolerance,
	double reference, gelVec4* r, gelVec4* d );

/// gelImplicitPass.findTwist for any differential.
float gelFindVariantTwist( const gelImplicitPass* pass, int slot, gelMat3 R, gelSym3 e, float mean );
