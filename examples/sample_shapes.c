// SPDX-License-Identifier: MIT
#include "sample_shapes.h"

#include "samples.h"

#include <string.h>

static const gelSampleShape s_shapes[] = {
	{ "bear", "sitting teddy bear with fur, 0.5 m", gelBuildBear },
	{ "figure", "armoured creature with fingers, horns and a tail, 1 m: thin and close parts",
		gelBuildFigure },
	{ "horse", "standing horse, 0.9 m", gelBuildHorse },
	{ "dragon", "winding dragon with legs and wings, 1.2 m long", gelBuildDragon },
	{ "spider", "round body on eight thin legs, 0.8 m wide", gelBuildSpider },
	{ "knot", "trefoil knot, 0.6 m", gelBuildKnot },
	{ "star", "plump star with knobs, 0.6 m", gelBuildStar },
	{ "bowl", "thick bowl with a hammered outside, 0.5 m", gelBuildBowl },
	{ "jelly", "fluted gelatin pudding, 0.4 m", gelBuildJelly },
	{ "torus", "plain ring, 0.6 m", gelBuildTorus },
	{ "sphere", "plain ball, 0.5 m", gelBuildSphere },
	{ "box", "cube with round edges, 0.5 m", gelBuildBox },
};

#define SHAPE_COUNT ( (int)( sizeof( s_shapes ) / sizeof( s_shapes[0] ) ) )

const gelSampleShape* gelFindSampleShape( const char* name )
{
	for ( int i = 0; i < SHAPE_COUNT; ++i )
	{
		if ( strcmp( name, s_shapes[i].name ) == 0 )
		{
			return s_shapes + i;
		}
	}
	return NULL;
}

const char* const* gelSampleNames( int* outCount )
{
	static const char* names[SHAPE_COUNT];
	for ( int i = 0; i < SHAPE_COUNT; ++i )
	{
		names[i] = s_shapes[i].name;
	}
	*outCount = SHAPE_COUNT;
	return names;
}

const char* gelSampleSummary( const char* name )
{
	const gelSampleShape* shape = gelFindSampleShape( name );
	return shape != NULL ? shape->summary : NULL;
}
