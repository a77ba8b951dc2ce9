// SPDX-License-Identifier: MIT
// Oriented particles, as one pass; particle_bake.h has its parts.
#pragma once

#include "bake/body/bake_data.h"

/// Oriented particles, if the settings ask for them. @return false: there is an error
bool gelBuildParticles( gelBakeData* data, gelFindings* findings );

/// Their sections and figures; nothing when there are none.
void gelAddParticleSections( gelPackWriter* writer, const gelBakeParticles* particles );
void gelReportParticles( const gelBakeParticles* particles, gelReport* report );
