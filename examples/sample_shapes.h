// SPDX-License-Identifier: MIT
// The catalogue of samples: each entry builds a field.
#pragma once

#include "sample_field.h"

typedef struct gelSampleShape
{
	const char* name;
	const char* summary;
	void ( *build )( gelField* field );
	int holes; // through it
} gelSampleShape;

/// NULL for an unknown name.
const gelSampleShape* gelFindSampleShape( const char* name );

// sample_creatures.c, sample_figure.c, sample_dragon.c, sample_solids.c
void gelBuildBear( gelField* field );
void gelBuildFigure( gelField* field );
void gelBuildHorse( gelField* field );
void gelBuildDragon( gelField* field );
void gelBuildSpider( gelField* field );
void gelBuildKnot( gelField* field );
void gelBuildStar( gelField* field );
void gelBuildBowl( gelField* field );
void gelBuildTorus( gelField* field );
void gelBuildThreeTorus( gelField* field );
void gelBuildSphere( gelField* field );
void gelBuildBox( gelField* field );
void gelBuildJelly( gelField* field );
