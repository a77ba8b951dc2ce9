// SPDX-License-Identifier: MIT
// A beam in three cages: level 0 fits it, the coarser ones are larger, as those of a mesher are, so that
// nodes of each are outside of the others.
#pragma once

#include "test_bodies.h"

#include "gelpack/gelpack.h"

#define GEL_LOD_STAGE_LEVELS 3

typedef struct gelLodStageDef
{
	double youngsModulus;
	bool pinLeft;      // nodes near x = 0
	bool hasQuality;   // bake for the quality mode
	bool hasParticles; // in level 0
	int warpLevels;    // the first so many levels are baked for the warp-cancelling solver
	int levelCount;    // 1 .. 3
	int threads;
	const gelBakeAttachment* attachments;
	int attachmentCount;
	gelWorldDef world;
	gelBodyDef body; // asset and pin set are filled in
} gelLodStageDef;

typedef struct gelLodStage
{
	uint8_t* pack;
	size_t packBytes;
	gelAsset* asset;
	gelWorldId world;
	gelBodyId body;
	int vertexCount;
} gelLodStage;

/// 1 x 0.2 x 0.2 m, 1e5 Pa, 1/60 s, no gravity, no ground, all levels for the warp-cancelling solver.
gelLodStageDef gelDefaultLodStageDef( void );

/// Only the pack. free() it.
uint8_t* gelBakeLodPack( const gelLodStageDef* def, size_t* outBytes );

gelLodStage gelMakeLodStage( const gelLodStageDef* def );
void gelFreeLodStage( gelLodStage* stage );
void gelLodStage_Step( gelLodStage* stage, int count );
