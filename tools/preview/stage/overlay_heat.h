// SPDX-License-Identifier: MIT
// Strain and stress of a body as colors of its art, and tets that are turned inside out.
#pragma once

#include "preview/render/image.h"
#include "preview/render/renderer.h"

#include <gelpack/gelpack.h>

typedef enum gelHeatKind
{
	gel_heatStrain, // size of the strain (Frobenius norm): red at 0.5
	gel_heatStress, // von Mises stress: red where a strain of 0.25 makes it
} gelHeatKind;

typedef struct gelHeat
{
	gelHeatKind kind;
	gelTetState* states;      // per tet
	float* values;            // per node
	float* weights;           // per node: tets around it
	gelEmbeddedPoint* points; // per art vertex
	gelColor* colors;         // per art vertex
	float modulus;            // largest ratio of stress to strain that was seen [Pa]
} gelHeat;

/// False: out of memory.
bool gelCreateHeat( gelHeat* heat, gelHeatKind kind, const gelAsset* asset );
void gelDestroyHeat( gelHeat* heat );

/// Colors of the art vertices for the state that the body has now.
const gelColor* gelHeat_Update( gelHeat* heat, gelBodyId body );

/// Value that is red, in [Pa] for stress; 0: nothing was strained yet, and all is blue.
float gelHeat_Red( const gelHeat* heat );

/// Blue over green and yellow to red for 0 .. 1.
gelColor gelHeatColor( float value );

/// What the colors stand for: a bar from blue to red with a text above it, in the lower right corner of a
/// picture.
void gelDrawHeatLegend( gelImage* image, const char* text );
