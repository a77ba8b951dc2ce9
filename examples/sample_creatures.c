// SPDX-License-Identifier: MIT
// Bear, horse and spider. Lengths in metres; left is +X, limbs are built on the left and mirrored.
#include "sample_shapes.h"

static const gelVec3d s_noRotation = { 0.0, 0.0, 0.0 };

static void CutAtGround( gelField* field )
{
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
}

void gelBuildBear( gelField* field )
{
	field->thinnest = 0.0125;
	int fur = gelField_AddPart( field, "fur", 0.42f, 0.22f, 0.09f );
	int light = gelField_AddPart( field, "light_fur", 0.80f, 0.58f, 0.34f );
	int dark = gelField_AddPart( field, "eyes_and_nose", 0.02f, 0.015f, 0.012f );
	gelFieldDetail tufts = { gel_detailNoise, 0.0035, 0.034 };
	gelFieldDetail hair = { gel_detailStrands, 0.0035, 0.016 };

	gelFieldLayer* layer = gelField_AddLayer( field, fur, gel_fieldJoin, 0.0 );
	layer->details[0] = tufts;
	layer->details[1] = hair;
	gelField_SetBlend( field, gel_fieldJoin, 0.045 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.165, 0.0 ), gelMakeVec3d( 0.135, 0.165, 0.120 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.395, 0.015 ), gelMakeVec3d( 0.125, 0.108, 0.110 ), s_noRotation );
	// arm: shoulder, elbow, paw
	gelField_AddTube( field,
		( gelTubePoint[] ){
			{ 0.100, 0.265, 0.020, 0.050 }, { 0.192, 0.212, 0.050, 0.044 }, { 0.235, 0.190, 0.110, 0.047 } },
		3, 3 );
	gelField_Mirror( field, 6 );
	// leg: hip, ankle, foot
	gelField_AddCone(
		field, gelMakeVec3d( 0.080, 0.075, 0.040 ), 0.075, gelMakeVec3d( 0.150, 0.062, 0.185 ), 0.056 );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.165, 0.085, 0.225 ), gelMakeVec3d( 0.056, 0.082, 0.045 ),
		gelMakeVec3d( -12.0, 18.0, 0.0 ) );
	gelField_Mirror( field, 2 );
	gelField_AddBall( field, gelMakeVec3d( 0.0, 0.080, -0.130 ), 0.042 ); // tail
	// ears: discs with a hollow in front
	gelField_SetBlend( field, gel_fieldJoin, 0.025 );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.092, 0.490, 0.005 ), gelMakeVec3d( 0.050, 0.050, 0.028 ),
		gelMakeVec3d( 0.0, 15.0, 0.0 ) );
	gelField_Mirror( field, 1 );
	CutAtGround( field );

	layer = gelField_AddLayer( field, light, gel_fieldJoin, 0.015 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailNoise, 0.002, 0.022 };
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.370, 0.110 ), gelMakeVec3d( 0.060, 0.048, 0.050 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.165, 0.050 ), gelMakeVec3d( 0.092, 0.112, 0.082 ), s_noRotation );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.173, 0.086, 0.252 ), gelMakeVec3d( 0.038, 0.056, 0.026 ),
		gelMakeVec3d( -12.0, 18.0, 0.0 ) );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.096, 0.492, 0.022 ), gelMakeVec3d( 0.030, 0.030, 0.016 ),
		gelMakeVec3d( 0.0, 15.0, 0.0 ) );
	gelField_Mirror( field, 2 );

	gelField_AddLayer( field, dark, gel_fieldJoin, 0.004 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.394, 0.155 ), gelMakeVec3d( 0.024, 0.017, 0.016 ), s_noRotation );
	gelField_AddBall( field, gelMakeVec3d( 0.047, 0.425, 0.108 ), 0.0165 );
	gelField_Mirror( field, 1 );
}

void gelBuildHorse( gelField* field )
{
	field->thinnest = 0.0125;
	int coat = gelField_AddPart( field, "coat", 0.50f, 0.24f, 0.10f );
	int mane = gelField_AddPart( field, "mane", 0.12f, 0.06f, 0.03f );
	int hoof = gelField_AddPart( field, "hooves_and_eyes", 0.03f, 0.025f, 0.02f );

	gelFieldLayer* layer = gelField_AddLayer( field, coat, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailNoise, 0.0015, 0.05 };
	gelField_SetBlend( field, gel_fieldJoin, 0.05 );
	// barrel, chest, rump
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.52, -0.02 ), gelMakeVec3d( 0.118, 0.130, 0.23 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.54, 0.17 ), gelMakeVec3d( 0.105, 0.135, 0.11 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.55, -0.21 ), gelMakeVec3d( 0.120, 0.130, 0.12 ), s_noRotation );
	// neck
	gelField_AddTube( field,
		( gelTubePoint[] ){
			{ 0.0, 0.58, 0.19, 0.105 }, { 0.0, 0.70, 0.29, 0.080 }, { 0.0, 0.82, 0.34, 0.062 } },
		3, 3 );
	gelField_SetBlend( field, gel_fieldJoin, 0.035 );
	// head: cheek to muzzle
	gelField_AddCone(
		field, gelMakeVec3d( 0.0, 0.835, 0.365 ), 0.062, gelMakeVec3d( 0.0, 0.745, 0.500 ), 0.040 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.735, 0.515 ), gelMakeVec3d( 0.036, 0.036, 0.040 ), s_noRotation );
	gelField_AddCone( field, gelMakeVec3d( 0.032, 0.885, 0.340 ), 0.022, gelMakeVec3d( 0.042, 0.945, 0.338 ),
		0.010 ); // ear
	// front leg and hind leg: shoulder, knee, fetlock
	gelField_AddCone(
		field, gelMakeVec3d( 0.062, 0.48, 0.185 ), 0.066, gelMakeVec3d( 0.070, 0.270, 0.195 ), 0.034 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.070, 0.270, 0.195 ), 0.034, gelMakeVec3d( 0.070, 0.070, 0.190 ), 0.024 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.066, 0.51, -0.215 ), 0.090, gelMakeVec3d( 0.078, 0.320, -0.235 ), 0.046 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.078, 0.320, -0.235 ), 0.046, gelMakeVec3d( 0.078, 0.245, -0.285 ), 0.034 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.078, 0.245, -0.285 ), 0.034, gelMakeVec3d( 0.078, 0.070, -0.265 ), 0.024 );
	gelField_Mirror( field, 6 );

	layer = gelField_AddLayer( field, mane, gel_fieldJoin, 0.01 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailStrands, 0.008, 0.035 };
	gelField_SetBlend( field, gel_fieldJoin, 0.02 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.0, 0.905, 0.395, 0.022 }, { 0.0, 0.905, 0.325, 0.030 },
			{ 0.0, 0.83, 0.275, 0.034 }, { 0.0, 0.74, 0.215, 0.034 }, { 0.0, 0.665, 0.13, 0.024 } },
		5, 3 );
	gelField_AddTube( field,
		( gelTubePoint[] ){ { 0.0, 0.610, -0.310, 0.024 }, { 0.0, 0.590, -0.375, 0.034 },
			{ 0.0, 0.470, -0.425, 0.046 }, { 0.0, 0.330, -0.425, 0.036 }, { 0.0, 0.230, -0.410, 0.016 } },
		5, 3 );

	gelField_AddLayer( field, hoof, gel_fieldJoin, 0.006 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.070, 0.062, 0.196 ), 0.027, gelMakeVec3d( 0.070, 0.012, 0.206 ), 0.040 );
	gelField_AddCone(
		field, gelMakeVec3d( 0.078, 0.062, -0.262 ), 0.027, gelMakeVec3d( 0.078, 0.012, -0.252 ), 0.040 );
	gelField_AddBall( field, gelMakeVec3d( 0.052, 0.845, 0.392 ), 0.014 );
	gelField_Mirror( field, 3 );
	CutAtGround( field );
}

// Hip, knee and toe of one leg; angle from the front.
static void AddSpiderLeg( gelField* field, double degrees, double length )
{
	double s = gelSampleSin( degrees * ( GEL_SAMPLE_PI / 180.0 ) );
	double c = gelSampleCos( degrees * ( GEL_SAMPLE_PI / 180.0 ) );
	gelTubePoint points[5] = { { 0.06 * s, 0.17, 0.06 * c + 0.05, 0.024 },
		{ 0.45 * length * s, 0.31, 0.45 * length * c + 0.05, 0.019 },
		{ 0.62 * length * s, 0.30, 0.62 * length * c + 0.05, 0.019 },
		{ 0.90 * length * s, 0.10, 0.90 * length * c + 0.05, 0.014 },
		{ length * s, 0.012, length * c + 0.05, 0.012 } };
	gelField_AddTube( field, points, 5, 3 );
	gelField_Mirror( field, 12 );
}

void gelBuildSpider( gelField* field )
{
	field->thinnest = 0.0125;
	int skin = gelField_AddPart( field, "body", 0.16f, 0.12f, 0.10f );
	int mark = gelField_AddPart( field, "markings", 0.70f, 0.30f, 0.05f );
	int eyes = gelField_AddPart( field, "eyes", 0.60f, 0.02f, 0.02f );

	gelFieldLayer* layer = gelField_AddLayer( field, skin, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.003, 0.016 };
	gelField_SetBlend( field, gel_fieldJoin, 0.02 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.175, 0.06 ), gelMakeVec3d( 0.085, 0.062, 0.095 ), s_noRotation );
	gelField_AddEllipsoid( field, gelMakeVec3d( 0.0, 0.215, -0.155 ), gelMakeVec3d( 0.125, 0.115, 0.150 ),
		gelMakeVec3d( 12.0, 0.0, 0.0 ) );
	gelField_AddCone( field, gelMakeVec3d( 0.022, 0.155, 0.150 ), 0.026, gelMakeVec3d( 0.026, 0.105, 0.175 ),
		0.013 ); // fang
	gelField_Mirror( field, 1 );
	gelField_SetBlend( field, gel_fieldJoin, 0.012 );
	AddSpiderLeg( field, 28.0, 0.40 );
	AddSpiderLeg( field, 66.0, 0.37 );
	AddSpiderLeg( field, 104.0, 0.37 );
	AddSpiderLeg( field, 140.0, 0.43 );

	gelField_AddLayer( field, mark, gel_fieldJoin, 0.01 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.316, -0.100 ), gelMakeVec3d( 0.046, 0.026, 0.032 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.318, -0.170 ), gelMakeVec3d( 0.056, 0.026, 0.032 ), s_noRotation );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.290, -0.238 ), gelMakeVec3d( 0.042, 0.026, 0.028 ), s_noRotation );

	gelField_AddLayer( field, eyes, gel_fieldJoin, 0.003 );
	gelField_AddBall( field, gelMakeVec3d( 0.022, 0.205, 0.138 ), 0.015 );
	gelField_AddBall( field, gelMakeVec3d( 0.050, 0.205, 0.115 ), 0.011 );
	gelField_Mirror( field, 2 );
}
