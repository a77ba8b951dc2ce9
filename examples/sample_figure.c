// SPDX-License-Identifier: MIT
// The figure: an armoured creature that stands upright with raised hands, every finger apart. Thin and close
// parts make it the hard case for cage meshers.
#include "sample_shapes.h"

static const gelVec3d s_noRotation = { 0.0, 0.0, 0.0 };

// The palm faces forward; four fingers spread like a fan, the thumb inwards. Ten primitives.
static void AddHand( gelField* field )
{
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.335, 0.700, 0.085 ), gelMakeVec3d( 0.046, 0.048, 0.028 ),
		gelMakeVec3d( 0.0, 0.0, -15.0 ) );
	for ( int i = 0; i < 4; ++i )
	{
		double angle = ( -31.0 + 25.0 * i ) * ( GEL_SAMPLE_PI / 180.0 );
		double s = gelSampleSin( angle ), c = gelSampleCos( angle );
		double length = i == 0 || i == 3 ? 0.118 : 0.134;
		gelTubePoint joints[3] = { { 0.335 + 0.030 * s, 0.700 + 0.030 * c, 0.085, 0.0130 },
			{ 0.335 + 0.082 * s, 0.700 + 0.082 * c, 0.090, 0.0118 },
			{ 0.335 + length * s, 0.700 + length * c, 0.112, 0.0090 } };
		gelField_AddTube( field, joints, 3, 1 );
	}
	gelField_AddCone(
		field, gelMakeVec3d( 0.310, 0.690, 0.090 ), 0.016, gelMakeVec3d( 0.262, 0.706, 0.122 ), 0.0105 );
}

static void AddTrunkAndLegs( gelField* field )
{
	gelField_SetBlend( field, gel_fieldJoin, 0.04 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.42, 0.010 ), gelMakeVec3d( 0.135, 0.150, 0.115 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.55, 0.0 ), gelMakeVec3d( 0.135, 0.100, 0.095 ), s_noRotation );
	gelField_AddCone( field, gelMakeVec3d( 0.0, 0.62, 0.0 ), 0.065, gelMakeVec3d( 0.0, 0.73, 0.030 ), 0.060 );
	// head and upper jaw
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.790, 0.045 ), gelMakeVec3d( 0.076, 0.076, 0.090 ), s_noRotation );
	gelField_AddCone(
		field, gelMakeVec3d( 0.0, 0.775, 0.100 ), 0.050, gelMakeVec3d( 0.0, 0.752, 0.205 ), 0.030 );
	// leg: hip, knee, ankle
	gelField_AddCone(
		field, gelMakeVec3d( 0.085, 0.350, 0.000 ), 0.088, gelMakeVec3d( 0.118, 0.215, 0.050 ), 0.060 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.118, 0.215, 0.050 ), 0.060, gelMakeVec3d( 0.125, 0.060, -0.010 ), 0.040 );
	gelField_Mirror( field, 2 );
}

static void AddSkin( gelField* field, int skin )
{
	gelFieldLayer* layer = gelField_AddLayer( field, skin, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailNoise, 0.003, 0.030 };
	layer->details[1] = ( gelFieldDetail ){ gel_detailKnobs, 0.0025, 0.014 };
	AddTrunkAndLegs( field );
	gelField_SetBlend( field, gel_fieldJoin, 0.03 );
	// arm: shoulder, elbow, wrist
	gelField_AddCone(
		field, gelMakeVec3d( 0.135, 0.590, 0.000 ), 0.055, gelMakeVec3d( 0.270, 0.530, 0.010 ), 0.042 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.270, 0.530, 0.010 ), 0.042, gelMakeVec3d( 0.325, 0.655, 0.075 ), 0.030 );
	gelField_Mirror( field, 2 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.0, 0.36, -0.07, 0.082 }, { 0.0, 0.22, -0.17, 0.058 },
			{ 0.02, 0.10, -0.27, 0.044 }, { 0.07, 0.055, -0.37, 0.032 }, { 0.15, 0.060, -0.43, 0.022 },
			{ 0.21, 0.085, -0.42, 0.012 } },
		6, 4 );
}

// Without detail: between fingers and toes there is no room for it.
static void AddHandsAndFeet( gelField* field, int skin )
{
	gelField_AddLayer( field, skin, gel_fieldJoin, 0.015 );
	gelField_SetBlend( field, gel_fieldJoin, 0.010 );
	AddHand( field );
	gelField_Mirror( field, 10 );
	// foot with three toes
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.128, 0.032, 0.030 ), gelMakeVec3d( 0.050, 0.036, 0.070 ), s_noRotation );
	gelField_AddCone(
		field, gelMakeVec3d( 0.100, 0.024, 0.070 ), 0.023, gelMakeVec3d( 0.078, 0.018, 0.128 ), 0.017 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.130, 0.026, 0.080 ), 0.023, gelMakeVec3d( 0.132, 0.018, 0.148 ), 0.017 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.158, 0.024, 0.070 ), 0.023, gelMakeVec3d( 0.186, 0.018, 0.124 ), 0.017 );
	gelField_Mirror( field, 4 );
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
}

// Plates with knobs: shell over the back, cap, shoulders, forearms, thighs, knees and the tail.
static void AddArmour( gelField* field, int armour )
{
	gelFieldLayer* layer = gelField_AddLayer( field, armour, gel_fieldJoin, 0.010 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.010, 0.036 };
	gelField_SetBlend( field, gel_fieldJoin, 0.02 );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.0, 0.455, -0.055 ), gelMakeVec3d( 0.142, 0.205, 0.092 ),
		gelMakeVec3d( -6.0, 0.0, 0.0 ) );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.812, 0.015 ), gelMakeVec3d( 0.074, 0.068, 0.082 ), s_noRotation );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.0, 0.330, -0.125, 0.058 }, { 0.0, 0.235, -0.185, 0.050 },
			{ 0.015, 0.125, -0.278, 0.037 }, { 0.062, 0.075, -0.370, 0.024 } },
		4, 4 );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.155, 0.608, 0.000 ), gelMakeVec3d( 0.070, 0.054, 0.066 ),
		gelMakeVec3d( 0.0, 0.0, -25.0 ) );
	gelField_AddCone(
		field, gelMakeVec3d( 0.292, 0.545, 0.000 ), 0.038, gelMakeVec3d( 0.332, 0.625, 0.045 ), 0.030 );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.138, 0.330, 0.000 ), gelMakeVec3d( 0.056, 0.085, 0.078 ),
		gelMakeVec3d( 0.0, 0.0, 12.0 ) );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.122, 0.215, 0.078 ), gelMakeVec3d( 0.048, 0.056, 0.046 ), s_noRotation );
	gelField_Mirror( field, 4 );
}

static void AddHorns( gelField* field, int horn )
{
	gelField_AddLayer( field, horn, gel_fieldJoin, 0.008 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.050, 0.845, 0.020, 0.028 }, { 0.110, 0.885, 0.000, 0.022 },
			{ 0.145, 0.945, 0.015, 0.016 }, { 0.140, 1.000, 0.050, 0.009 } },
		4, 4 );
	// tusk
	gelField_AddCone(
		field, gelMakeVec3d( 0.022, 0.722, 0.150 ), 0.014, gelMakeVec3d( 0.066, 0.748, 0.176 ), 0.009 );
	gelField_Mirror( field, 12 + 1 );
	// spikes along the tail
	for ( int i = 0; i < 4; ++i )
	{
		double t = i / 3.0;
		gelVec3d root = gelMakeVec3d( 0.015 * t * t, 0.335 - 0.20 * t + 0.02 * t * t, -0.190 - 0.125 * t );
		gelField_AddCone( field, root, 0.020, gelAddD( root, gelMakeVec3d( 0.0, 0.044, -0.038 ) ), 0.009 );
	}
}

static void AddFace( gelField* field, int skin, int eyes )
{
	gelField_AddLayer( field, skin, gel_fieldJoin, 0.006 );
	gelField_AddCone( field, gelMakeVec3d( 0.0, 0.742, 0.080 ), 0.042, gelMakeVec3d( 0.0, 0.712, 0.170 ),
		0.022 ); // lower jaw
	gelField_SetBlend( field, gel_fieldJoin, 0.008 );
	gelField_AddBall( field, gelMakeVec3d( 0.014, 0.778, 0.214 ), 0.012 ); // nostril
	// ear: a leaf that points outwards
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.100, 0.800, 0.005 ), gelMakeVec3d( 0.052, 0.028, 0.015 ),
		gelMakeVec3d( 0.0, 25.0, 14.0 ) );
	gelField_Mirror( field, 2 );
	gelField_AddLayer( field, eyes, gel_fieldJoin, 0.003 );
	gelField_AddBall( field, gelMakeVec3d( 0.055, 0.802, 0.105 ), 0.0150 );
	gelField_Mirror( field, 1 );
}

void gelBuildFigure( gelField* field )
{
	field->thinnest = 0.0085;
	int skin = gelField_AddPart( field, "skin", 0.55f, 0.38f, 0.20f );
	int armour = gelField_AddPart( field, "armour", 0.24f, 0.20f, 0.13f );
	int horn = gelField_AddPart( field, "horns", 0.85f, 0.78f, 0.62f );
	int eyes = gelField_AddPart( field, "eyes", 0.02f, 0.02f, 0.02f );
	AddSkin( field, skin );
	AddHandsAndFeet( field, skin );
	AddArmour( field, armour );
	AddHorns( field, horn );
	AddFace( field, skin, eyes );
}
