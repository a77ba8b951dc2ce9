// SPDX-License-Identifier: MIT
#include "sample_shapes.h"

#include "samples.h"

#include <string.h>

static const gelSampleShape s_shapes[] = {
	{ "bear", "sitting teddy bear with fur, 0.5 m", gelBuildBear, false },
	{ "figure", "armoured creature with fingers, horns and a tail, 1 m: thin and close parts", gelBuildFigure,
		false },
	{ "horse", "standing horse, 0.9 m", gelBuildHorse, false },
	{ "dragon", "winding dragon with legs and wings, 1.2 m long", gelBuildDragon, false },
	{ "spider", "round body on eight thin legs, 0.8 m wide", gelBuildSpider, false },
	{ "knot", "trefoil knot, 0.6 m", gelBuildKnot, true },
	{ "star", "plump star with knobs, 0.6 m", gelBuildStar, false },
	{ "bowl", "thick bowl with a hammered outside, 0.5 m", gelBuildBowl, false },
	{ "jelly", "fluted gelatin pudding, 0.4 m", gelBuildJelly, false },
	{ "torus", "plain ring, 0.6 m", gelBuildTorus, true },
	{ "sphere", "plain ball, 0.5 m", gelBuildSphere, false },
	{ "box", "cube with round edges, 0.5 m", gelBuildBox, false },
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
