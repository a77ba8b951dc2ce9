// SPDX-License-Identifier: MIT
// Collects nodes and tets with the numbers that a file gives them, then checks everything and makes a cage.
#pragma once

#include "cage/cage_text.h"

typedef struct gelCageBuilder
{
	gelCageError* error;
	char nodeFile[512]; // for messages; TetGen keeps nodes and tets in two files
	char tetFile[512];

	double* positions; // 3 per node
	uint64_t* nodeIds; // as in the file
	uint32_t* nodeLines;
	uint32_t nodeCount, nodeCapacity;

	uint64_t* tetNodes; // 4 node ids per tet
	uint64_t* tetIds;
	uint32_t* tetLines;
	uint32_t* regions;
	uint32_t tetCount, tetCapacity;
} gelCageBuilder;

bool gelCageBuilder_AddNode( gelCageBuilder* builder, uint64_t id, const double* position, uint64_t line );
bool gelCageBuilder_AddTet(
	gelCageBuilder* builder, uint64_t id, const uint64_t* nodeIds, uint32_t region, uint64_t line );

/// Checks ids, uses and volumes, turns negative tets round, and moves everything into outCage.
bool gelCageBuilder_Finish( gelCageBuilder* builder, gelCage* outCage, uint32_t* outTurned );
void gelFreeCageBuilder( gelCageBuilder* builder );
