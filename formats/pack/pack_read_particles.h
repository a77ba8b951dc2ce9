// SPDX-License-Identifier: MIT
// Views of the sections OPGR and OPSK of a validated pack. Part of the read side.
#pragma once

#include "pack/pack_layout.h"

/// Typed views of a particle graph; header is NULL in a pack without.
typedef struct gelParticleView
{
	const gelPackParticles* header;
	const gelPackParticle* particles;
	const uint32_t *neighborFirst, *neighbors;
	const uint32_t* batches;
	uint32_t slotCount; // entries of batches[], a multiple of 8
	const gelPackSkin *vertexSkins, *nodeSkins;
} gelParticleView;
