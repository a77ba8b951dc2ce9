// SPDX-License-Identifier: MIT
// What the two versions of Gmsh's MSH format share.
#pragma once

#include "cage/cage_formats.h"

/// The physical group of each volume (MSH 4.1, section $Entities), and the volume of each tet.
typedef struct gelMshVolumes
{
	struct gelMshVolume* items; // sorted by tag when all were read
	uint32_t count, capacity;
} gelMshVolumes;

/// What to do with an element of this type: a tet is taken (outIsTet), points, lines and faces are passed
/// over, other volumes and curved tets are refused.
bool gelCheckMshElementType( gelCageText* text, uint64_t type, bool* outIsTet );

bool gelReadMsh4Entities( gelCageText* text, gelMshVolumes* volumes );
bool gelReadMsh4Nodes( gelCageText* text, gelCageBuilder* builder );
/// Regions are set to the tags of volumes, which gelResolveMsh4Regions replaces by physical groups.
bool gelReadMsh4Elements( gelCageText* text, gelCageBuilder* builder );
void gelResolveMsh4Regions( gelCageBuilder* builder, gelMshVolumes* volumes );
