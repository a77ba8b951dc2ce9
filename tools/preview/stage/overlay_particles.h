// SPDX-License-Identifier: MIT
// Oriented particles of a body: an ellipsoid for each, in eight fields of two shades so that its turns are
// seen, and lines along the edges of their graph.
#pragma once

#include "preview/render/renderer.h"

#include <gelpack/gelpack.h>

typedef struct gelParticleView
{
	int count;         // particles; 0: the body has none, and nothing is drawn
	gelParticle* rest; //
	gelParticlePose* poses;
	int surface, lines;           // in the renderer
	gelVec3 *positions, *normals; // surfaces of the ellipsoids
	gelVec3* centers;
} gelParticleView;

/// Whether a body is simulated as particles.
bool gelHasParticles( gelBodyId body );

/// False: out of memory, and nothing is left.
bool gelCreateParticleView( gelParticleView* view, gelBodyId body, gelColor color, gelRenderer* renderer );
void gelDestroyParticleView( gelParticleView* view );

/// Takes over where the particles are now.
void gelParticleView_Update( gelParticleView* view, gelBodyId body, gelRenderer* renderer );
