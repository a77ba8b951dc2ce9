// SPDX-License-Identifier: MIT
// The figure: a creature in armour that stands upright with raised hands, every finger apart. Thin and close
// parts make it the hard case for cage meshers.
#include "sample_shapes.h"

static const gelSampleVec s_noRotation = { 0.0, 0.0, 0.0 };

static void AddHand( gelField* field )
{
	// palm faces forward; four fingers spread like a fan, the thumb inwards
	gelField_AddEllipsoid(
		field, gelSV( 0.335, 0.700, 0.085 ), gelSV( 0.046, 0.046, 0.028 ), gelSV( 0.0, 0.0, -15.0 ) );
	for ( int i = 0; i < 4; ++i )
	{
		double angle = ( -36.0 + 21.0 * i ) * ( GEL_SAMPLE_PI / 180.0 );
		double s = gelSampleSin( angle + 0.20 ), c = gelSampleCos( angle + 0.20 );
		double length = i == 0 || i == 3 ? 0.100 : 0.115;
		gelSampleVec root = gelSV( 0.335 + 0.030 * s, 0.700 + 0.030 * c, 0.085 );
		gelSampleVec joint = gelSV( 0.335 + 0.075 * s, 0.700 + 0.075 * c, 0.092 );
		gelSampleVec tip = gelSV( 0.335 + length * s, 0.700 + length * c, 0.108 );
		gelField_AddCone( field, root, 0.0130, joint, 0.0115 );
		gelField_AddCone( field, joint, 0.0115, tip, 0.0085 );
	}
	gelField_AddCone( field, gelSV( 0.310, 0.690, 0.090 ), 0.016, gelSV( 0.268, 0.708, 0.118 ), 0.0105 );
}

static void AddSkin( gelField* field, int skin )
{
	gelFieldLayer* layer = gelField_AddLayer( field, skin, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailNoise, 0.003, 0.030 };
	layer->details[1] = ( gelFieldDetail ){ gel_detailKnobs, 0.0025, 0.014 };
	gelField_SetBlend( field, gel_fieldJoin, 0.04 );
	gelField_AddEllipsoid( field, gelSV( 0.0, 0.44, 0.0 ), gelSV( 0.130, 0.165, 0.105 ), s_noRotation );
	gelField_AddEllipsoid( field, gelSV( 0.0, 0.55, 0.0 ), gelSV( 0.140, 0.090, 0.095 ), s_noRotation );
	gelField_AddCone( field, gelSV( 0.0, 0.62, 0.0 ), 0.065, gelSV( 0.0, 0.73, 0.035 ), 0.062 );
	// head with a long snout
	gelField_AddEllipsoid( field, gelSV( 0.0, 0.785, 0.050 ), gelSV( 0.078, 0.080, 0.090 ), s_noRotation );
	gelField_AddCone( field, gelSV( 0.0, 0.765, 0.100 ), 0.052, gelSV( 0.0, 0.742, 0.190 ), 0.030 );
	// leg: hip, knee, ankle, foot
	gelField_AddCone( field, gelSV( 0.085, 0.350, 0.000 ), 0.088, gelSV( 0.118, 0.215, 0.050 ), 0.060 );
	gelField_AddCone( field, gelSV( 0.118, 0.215, 0.050 ), 0.060, gelSV( 0.125, 0.060, -0.010 ), 0.040 );
	gelField_Mirror( field, 2 );
	gelField_SetBlend( field, gel_fieldJoin, 0.03 );
	// arm: shoulder, elbow, wrist
	gelField_AddCone( field, gelSV( 0.135, 0.590, 0.000 ), 0.055, gelSV( 0.270, 0.530, 0.010 ), 0.040 );
	gelField_AddCone( field, gelSV( 0.270, 0.530, 0.010 ), 0.040, gelSV( 0.325, 0.655, 0.075 ), 0.029 );
	gelField_Mirror( field, 2 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.0, 0.36, -0.07, 0.078 }, { 0.0, 0.22, -0.17, 0.056 },
			{ 0.02, 0.10, -0.27, 0.042 }, { 0.07, 0.055, -0.37, 0.031 }, { 0.15, 0.060, -0.43, 0.022 },
			{ 0.21, 0.085, -0.42, 0.013 } },
		6, 4 );
	gelField_SetBlend( field, gel_fieldJoin, 0.010 );
	AddHand( field );
	gelField_Mirror( field, 10 );
	// foot with three toes
	gelField_AddEllipsoid( field, gelSV( 0.128, 0.032, 0.030 ), gelSV( 0.048, 0.034, 0.070 ), s_noRotation );
	gelField_AddCone( field, gelSV( 0.098, 0.024, 0.070 ), 0.024, gelSV( 0.084, 0.018, 0.125 ), 0.017 );
	gelField_AddCone( field, gelSV( 0.130, 0.026, 0.080 ), 0.024, gelSV( 0.132, 0.018, 0.142 ), 0.017 );
	gelField_AddCone( field, gelSV( 0.160, 0.024, 0.070 ), 0.024, gelSV( 0.180, 0.018, 0.122 ), 0.017 );
	gelField_Mirror( field, 4 );
	gelField_SetBlend( field, gel_fieldCut, 0.010 ); // mouth
	gelField_AddBox(
		field, gelSV( 0.0, 0.735, 0.200 ), gelSV( 0.070, 0.006, 0.060 ), 0.005, gelSV( 12.0, 0.0, 0.0 ) );
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelSV( 0.0, 0.0, 0.0 ), gelSV( 0.0, -1.0, 0.0 ) );
}

// Scutes: rows of flat knobs over the back, the shoulders and down the tail.
static void AddArmour( gelField* field, int armour )
{
	gelFieldLayer* layer = gelField_AddLayer( field, armour, gel_fieldJoin, 0.012 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.009, 0.034 };
	gelField_SetBlend( field, gel_fieldJoin, 0.03 );
	gelField_AddEllipsoid(
		field, gelSV( 0.0, 0.47, -0.045 ), gelSV( 0.128, 0.180, 0.088 ), gelSV( -6.0, 0.0, 0.0 ) );
	gelField_AddEllipsoid( field, gelSV( 0.0, 0.805, 0.020 ), gelSV( 0.070, 0.068, 0.078 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelSV( 0.150, 0.605, 0.000 ), gelSV( 0.062, 0.050, 0.060 ), gelSV( 0.0, 0.0, -25.0 ) );
	gelField_AddEllipsoid( field, gelSV( 0.118, 0.225, 0.068 ), gelSV( 0.044, 0.048, 0.048 ), s_noRotation );
	gelField_Mirror( field, 2 );
}

static void AddHorn( gelField* field, int horn )
{
	gelField_AddLayer( field, horn, gel_fieldJoin, 0.008 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.050, 0.840, 0.020, 0.026 }, { 0.105, 0.885, 0.000, 0.021 },
			{ 0.140, 0.945, 0.015, 0.015 }, { 0.140, 1.000, 0.045, 0.009 } },
		4, 4 );
	gelField_AddCone( field, gelSV( 0.0, 0.775, 0.175 ), 0.018, gelSV( 0.0, 0.815, 0.205 ), 0.009 );
	gelField_Mirror( field, 12 + 1 );
	// spikes along the tail
	for ( int i = 0; i < 4; ++i )
	{
		double t = i / 3.0;
		gelSampleVec root = gelSV( 0.015 * t * t, 0.325 - 0.20 * t + 0.02 * t * t, -0.185 - 0.125 * t );
		gelField_AddCone( field, root, 0.018, gelSVAdd( root, gelSV( 0.0, 0.040, -0.035 ) ), 0.009 );
	}
}

void gelBuildFigure( gelField* field )
{
	field->thinnest = 0.0105;
	int skin = gelField_AddPart( field, "skin", 0.55f, 0.38f, 0.20f );
	int armour = gelField_AddPart( field, "armour", 0.24f, 0.22f, 0.16f );
	int horn = gelField_AddPart( field, "horns", 0.85f, 0.78f, 0.62f );
	int eyes = gelField_AddPart( field, "eyes", 0.02f, 0.02f, 0.02f );
	AddSkin( field, skin );
	AddArmour( field, armour );
	AddHorn( field, horn );
	gelField_AddLayer( field, eyes, gel_fieldJoin, 0.003 );
	gelField_AddBall( field, gelSV( 0.052, 0.795, 0.112 ), 0.0135 );
	gelField_Mirror( field, 1 );
}
