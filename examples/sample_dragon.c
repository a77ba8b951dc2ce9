// SPDX-License-Identifier: MIT
// The dragon: a long winding body on four legs, with wings that are thin sheets between finger bones.
#include "sample_shapes.h"

static const gelTubePoint s_spine[] = { { -0.06, 0.70, 0.470, 0.052 }, // head
	{ -0.04, 0.640, 0.400, 0.046 }, { 0.02, 0.500, 0.350, 0.052 }, { 0.05, 0.380, 0.260, 0.072 },
	{ 0.03, 0.320, 0.120, 0.105 }, { 0.00, 0.300, -0.040, 0.112 }, { 0.00, 0.270, -0.180, 0.090 },
	{ 0.04, 0.190, -0.310, 0.062 }, { 0.14, 0.110, -0.400, 0.046 }, { 0.27, 0.070, -0.400, 0.036 },
	{ 0.34, 0.080, -0.300, 0.028 }, { 0.32, 0.130, -0.210, 0.022 }, { 0.26, 0.190, -0.200, 0.014 } };

enum
{
	SPINE_POINTS = sizeof( s_spine ) / sizeof( s_spine[0] ),
};

static void AddLeg( gelField* field, double x, double y, double z, double size )
{
	gelField_AddCone( field, gelMakeVec3d( x, y, z ), 0.066 * size,
		gelMakeVec3d( x + 0.050, 0.150, z + 0.035 ), 0.044 * size );
	gelField_AddCone( field, gelMakeVec3d( x + 0.050, 0.150, z + 0.035 ), 0.044 * size,
		gelMakeVec3d( x + 0.060, 0.038, z - 0.010 ), 0.032 * size );
}

static void AddToes( gelField* field, double x, double z )
{
	for ( int toe = -1; toe <= 1; ++toe )
	{
		gelField_AddCone( field, gelMakeVec3d( x + 0.060 + 0.012 * toe, 0.026, z ), 0.026,
			gelMakeVec3d( x + 0.060 + 0.042 * toe, 0.016, z + 0.075 - 0.010 * toe * toe ), 0.013 );
	}
}

static void AddBody( gelField* field, int scales )
{
	gelFieldLayer* layer = gelField_AddLayer( field, scales, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.006, 0.026 };
	gelField_SetBlend( field, gel_fieldJoin, 0.03 );
	gelField_AddTube( field, s_spine, SPINE_POINTS, 4 );
	AddLeg( field, 0.085, 0.27, 0.140, 1.0 );
	AddLeg( field, 0.075, 0.24, -0.150, 1.15 );
	gelField_Mirror( field, 4 );
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
}

// Without detail: there is no room for it between toes and lips.
static void AddToesAndHead( gelField* field, int scales )
{
	gelField_AddLayer( field, scales, gel_fieldJoin, 0.015 );
	gelField_SetBlend( field, gel_fieldJoin, 0.008 );
	AddToes( field, 0.085, 0.140 );
	AddToes( field, 0.075, -0.150 );
	gelField_Mirror( field, 6 );
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
	gelField_AddLayer( field, scales, gel_fieldJoin, 0.03 );
	gelField_SetBlend( field, gel_fieldJoin, 0.03 );
	// head: skull, snout, mouth
	gelField_AddEllipsoid( field, gelMakeVec3d( -0.065, 0.715, 0.490 ), gelMakeVec3d( 0.062, 0.052, 0.075 ),
		gelMakeVec3d( 15.0, -10.0, 0.0 ) );
	gelField_AddCone(
		field, gelMakeVec3d( -0.073, 0.700, 0.540 ), 0.044, gelMakeVec3d( -0.088, 0.672, 0.625 ), 0.030 );
	gelField_SetBlend( field, gel_fieldCut, 0.008 );
	gelField_AddBox( field, gelMakeVec3d( -0.092, 0.658, 0.635 ), gelMakeVec3d( 0.070, 0.007, 0.065 ), 0.006,
		gelMakeVec3d( 20.0, -10.0, 0.0 ) );
}

// One panel of the wing membrane: a flat box hull of cones would cost too much, so a row of cones from bone
// to bone, close enough to melt into a sheet.
static void AddMembrane( gelField* field, gelVec3d root, gelVec3d a, gelVec3d b, int rows )
{
	for ( int i = 0; i <= rows; ++i )
	{
		double t = (double)i / rows;
		double sag = 1.0 - 0.22 * 4.0 * t * ( 1.0 - t ); // the free edge is scalloped
		gelVec3d tip = gelMulAddD( a, t, gelSubD( b, a ) );
		tip = gelMulAddD( root, sag, gelSubD( tip, root ) );
		gelField_AddCone( field, root, 0.0125, tip, 0.0105 );
	}
}

static void AddWing( gelField* field, int wing, int bone )
{
	gelVec3d shoulder = { 0.050, 0.400, 0.050 };
	gelVec3d wrist = { 0.210, 0.640, 0.030 };
	gelVec3d tips[4] = { { 0.520, 0.760, 0.020 }, { 0.520, 0.560, -0.100 }, { 0.400, 0.430, -0.200 },
		{ 0.170, 0.420, -0.180 } };
	gelField_AddLayer( field, wing, gel_fieldJoin, 0.01 );
	gelField_SetBlend( field, gel_fieldJoin, 0.018 );
	int first = field->primitiveCount;
	for ( int i = 0; i < 3; ++i )
		AddMembrane( field, wrist, tips[i], tips[i + 1], 12 );
	AddMembrane( field, wrist, tips[3], shoulder, 14 );
	gelField_Mirror( field, field->primitiveCount - first );
	gelField_AddLayer( field, bone, gel_fieldJoin, 0.01 );
	gelField_SetBlend( field, gel_fieldJoin, 0.01 );
	first = field->primitiveCount;
	gelField_AddCone( field, shoulder, 0.036, wrist, 0.022 );
	for ( int i = 0; i < 4; ++i )
		gelField_AddCone( field, wrist, 0.019, tips[i], 0.0115 );
	gelField_AddCone(
		field, wrist, 0.020, gelAddD( wrist, gelMakeVec3d( 0.0, 0.065, 0.030 ) ), 0.009 ); // claw
	gelField_Mirror( field, field->primitiveCount - first );
}

static void AddHornsAndPlates( gelField* field, int horn )
{
	gelField_AddLayer( field, horn, gel_fieldJoin, 0.008 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { -0.030, 0.750, 0.475, 0.020 }, { -0.005, 0.800, 0.420, 0.015 },
			{ 0.010, 0.820, 0.360, 0.009 } },
		3, 3 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { -0.092, 0.750, 0.470, 0.020 }, { -0.125, 0.800, 0.415, 0.015 },
			{ -0.145, 0.820, 0.355, 0.009 } },
		3, 3 );
	// plates along the back stand on the spine points
	for ( int i = 1; i + 1 < SPINE_POINTS; ++i )
	{
		gelTubePoint p = s_spine[i];
		gelVec3d along = gelMakeVec3d( s_spine[i + 1].x - s_spine[i - 1].x,
			s_spine[i + 1].y - s_spine[i - 1].y, s_spine[i + 1].z - s_spine[i - 1].z );
		along = gelSampleNormalize( along );
		gelVec3d side = gelSampleNormalize( gelCrossD( along, gelMakeVec3d( 0.0, 1.0, 0.0 ) ) );
		gelVec3d up = gelCrossD( side, along );
		gelVec3d root = gelMulAddD( gelMakeVec3d( p.x, p.y, p.z ), 0.85 * p.radius, up );
		gelVec3d tip =
			gelMulAddD( gelMulAddD( root, 0.03 + 0.70 * p.radius, up ), 0.01 + 0.40 * p.radius, along );
		gelField_AddCone( field, root, 0.014 + 0.18 * p.radius, tip, 0.009 );
	}
}

void gelBuildDragon( gelField* field )
{
	field->thinnest = 0.0085;
	int scales = gelField_AddPart( field, "scales", 0.12f, 0.36f, 0.16f );
	int wing = gelField_AddPart( field, "wings", 0.60f, 0.22f, 0.10f );
	int bone = gelField_AddPart( field, "wing_bones", 0.10f, 0.26f, 0.14f );
	int horn = gelField_AddPart( field, "horns", 0.85f, 0.78f, 0.60f );
	int eyes = gelField_AddPart( field, "eyes", 0.95f, 0.70f, 0.05f );
	AddBody( field, scales );
	AddToesAndHead( field, scales );
	AddWing( field, wing, bone );
	AddHornsAndPlates( field, horn );
	gelField_AddLayer( field, eyes, gel_fieldJoin, 0.003 );
	gelField_AddBall( field, gelMakeVec3d( -0.028, 0.735, 0.535 ), 0.0135 );
	gelField_AddBall( field, gelMakeVec3d( -0.118, 0.735, 0.520 ), 0.0135 );
}
