// SPDX-License-Identifier: MIT
// Plasticity of a whole body: only for bodies that have it enabled.
#pragma once

#include "state/body.h"

gelPlasticityDef gelDefaultPlasticityDef( void );

bool gelPlasticityDef_IsValid( const gelPlasticityDef* def );

/// Whether plasticity is asked for.
static inline bool gelIsPlastic( const gelBodyDef* def )
{
	return def->plasticity.enableYield;
}

/// Hash of the settings, for saved states; 0 for a body without plastic strains.
uint64_t gelHashPlasticity( const gelBody* body );

/// For the fast solver: makes R'(I + e_p) of the R in the right-hand sides b (plasticity.h). Its matrix does
/// not change.
/// @param u displacements from rest that the rotations were found at
void gelAddPlasticCorners( gelBody* body, const gelVec4* u, float h );

/// After a step of h seconds: lets the plastic strains flow. Tets that are inside out stay as they are: their
/// strain says more about how they were turned over than about their shape.
void gelFlowPlasticStrains( gelBody* body, float h );
