// SPDX-License-Identifier: MIT
// gel-bake as a library: art mesh + cage -> bytes of a pack. main.c is only the command line around it.
#pragma once

#include "cage/cage_io.h"
#include "common/mesh/mesh.h"
#include "common/program/program.h"
#include "common/settings/bake_settings.h"

/// Bakes. On failure errors are in program->findings and NULL is returned. The result was validated with the
/// runtime's own reader. free() it.
/// @param program findings, report and progress go there
uint8_t* gelBake( const gelMesh* mesh, const gelCage* cage, const gelBakeSettings* settings,
	gelProgram* program, size_t* outBytes );

/// Nodes of the cage inside of any of the boxes. All boxes make one pin set, so that for instance both ends
/// of a beam are held together. free() the nodes.
gelBakePinSet gelPinNodesInBoxes( const gelCage* cage, const gelPinBox* boxes, int boxCount );

/// Adds the step lengths that bodies in quality mode need, one for each given, as far as they are not there.
/// @param material in a body of several: gelGetQualityMaterial
/// @param steps [2 * count] [s]
/// @return how many there are then
int gelAddQualitySteps( const gelBakeMaterial* material, double* steps, int count );

/// The one of all tets with the largest Poisson's ratio, which decides about those steps.
/// @param tetCount of the cage; read if the settings have materials of tets
gelBakeMaterial gelGetQualityMaterial( const gelBakeSettings* settings, uint32_t tetCount );

/// Removes nodes without a tet, which mesh generators like to leave behind, with a warning. Node indices
/// change.
/// @param file that the cage came from, for the message
/// @return how many were dropped
uint32_t gelDropUnusedNodes( gelCage* cage, gelFindings* findings, const char* file );
