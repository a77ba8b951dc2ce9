// SPDX-License-Identifier: MIT
#include "sample_shapes.h"

#include "samples.h"

#include <string.h>

static const gelSampleShape s_shapes[] = {
	{ "bear", "sitting teddy bear with fur, 0.5 m", gelBuildBear, 0 },
	{ "figure", "armoured creature with fingers, horns and a tail, 1 m: thin and close parts", gelBuildFigure,
		0 },
	{ "horse", "standing horse, 0.9 m", gelBuildHorse, 0 },
	{ "dragon", "winding dragon with legs and wings, 1.2 m long", gelBuildDragon, 0 },
	{ "spider", "round body on eight thin legs, 0.8 m wide", gelBuildSpider, 0 },
	{ "knot", "trefoil knot, 0.6 m", gelBuildKnot, 1 },
	{ "star", "plump star with knobs, 0.6 m", gelBuildStar, 0 },
	{ "bowl", "thick bowl with a hammered outside, 0.5 m", gelBuildBowl, 0 },
	{ "jelly", "fluted gelatin pudding, 0.4 m", gelBuildJelly, 0 },
	{ "torus", "plain ring, 0.6 m", gelBuildTorus, 1 },
	{ "three-torus", "three rings that are one, 1.1 m wide", gelBuildThreeTorus, 3 },
	{ "sphere", "plain ball, 0.5 m", gelBuildSphere, 0 },
	{ "box", "cube with round edges, 0.5 m", gelBuildBox, 0 },
};

#define SHAPE_COUNT ( (int)( sizeof( s_shapes ) / sizeof( s_shapes[0] ) ) )

const gelSampleShape* gelFindSampleShape( const char* name )
{
	for ( int i = 0; i < SHAPE_COUNT; ++i )
	{
		if ( strcmp( name, s_shapes[i].name ) == 0 ) return s_shapes + i;
	}
	return NULL;
}

const char* const* gelSampleNames( int* outCount )
{
	static const char* names[SHAPE_COUNT];
	for ( int i = 0; i < SHAPE_COUNT; ++i )
		names[i] = s_shapes[i].name;
	*outCount = SHAPE_COUNT;
	return names;
}

const char* gelSampleSummary( const char* name )
{
	const gelSampleShape* shape = gelFindSampleShape( name );
	return shape != NULL ? shape->summary : NULL;
}
