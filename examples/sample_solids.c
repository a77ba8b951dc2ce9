// SPDX-License-Identifier: MIT
// Samples without limbs: knot, star, bowl, jelly and the plain solids.
#include "sample_shapes.h"

static const gelVec3d s_noRotation = { 0.0, 0.0, 0.0 };
static const gelVec3d s_up = { 0.0, 1.0, 0.0 };

void gelBuildSphere( gelField* field )
{
	field->thinnest = 0.03;
	gelField_AddLayer( field, gelField_AddPart( field, "ball", 0.80f, 0.12f, 0.10f ), gel_fieldJoin, 0.0 );
	gelField_AddBall( field, gelMakeVec3d( 0.0, 0.25, 0.0 ), 0.25 );
}

void gelBuildBox( gelField* field )
{
	field->thinnest = 0.03;
	gelField_AddLayer( field, gelField_AddPart( field, "box", 0.95f, 0.55f, 0.12f ), gel_fieldJoin, 0.0 );
	gelField_AddBox(
		field, gelMakeVec3d( 0.0, 0.25, 0.0 ), gelMakeVec3d( 0.25, 0.25, 0.25 ), 0.05, s_noRotation );
}

void gelBuildTorus( gelField* field )
{
	field->thinnest = 0.025;
	gelField_AddLayer( field, gelField_AddPart( field, "ring", 0.10f, 0.45f, 0.75f ), gel_fieldJoin, 0.0 );
	gelField_AddTorus( field, gelMakeVec3d( 0.0, 0.09, 0.0 ), 0.21, 0.09, s_up );
}

// Upright, side by side; each ring reaches into the next.
void gelBuildThreeTorus( gelField* field )
{
	field->thinnest = 0.025;
	gelField_AddLayer( field, gelField_AddPart( field, "rings", 0.30f, 0.60f, 0.25f ), gel_fieldJoin, 0.0 );
	gelField_SetBlend( field, gel_fieldJoin, 0.04 );
	for ( int i = -1; i <= 1; ++i )
		gelField_AddTorus(
			field, gelMakeVec3d( 0.36 * i, 0.2, 0.0 ), 0.15, 0.05, gelMakeVec3d( 0.0, 0.0, 1.0 ) );
}

// Trefoil standing upright: (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t).
void gelBuildKnot( gelField* field )
{
	enum
	{
		STEPS = 120
	};
	field->thinnest = 0.018;
	gelFieldLayer* layer = gelField_AddLayer(
		field, gelField_AddPart( field, "knot", 0.45f, 0.15f, 0.60f ), gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.006, 0.030 };
	gelVec3d last = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i <= STEPS; ++i )
	{
		double t = 2.0 * GEL_SAMPLE_PI * ( i % STEPS ) / STEPS;
		double x = gelSampleSin( t ) + 2.0 * gelSampleSin( 2.0 * t );
		double y = gelSampleCos( t ) - 2.0 * gelSampleCos( 2.0 * t );
		double z = -gelSampleSin( 3.0 * t );
		gelVec3d p = gelMakeVec3d( 0.095 * x, 0.3 + 0.095 * y, 0.115 * z );
		if ( i > 0 ) gelField_AddCone( field, last, 0.047, p, 0.047 );
		last = p;
	}
}

// A sea star: five arms that taper and lift a little at their tips, with rows of warts.
void gelBuildStar( gelField* field )
{
	field->thinnest = 0.015;
	int skin = gelField_AddPart( field, "skin", 0.85f, 0.30f, 0.10f );
	int warts = gelField_AddPart( field, "warts", 0.98f, 0.75f, 0.45f );
	gelFieldLayer* layer = gelField_AddLayer( field, skin, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.004, 0.022 };
	gelField_SetBlend( field, gel_fieldJoin, 0.05 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.05, 0.0 ), gelMakeVec3d( 0.12, 0.085, 0.12 ), s_noRotation );
	for ( int arm = 0; arm < 5; ++arm )
	{
		double angle = 2.0 * GEL_SAMPLE_PI * arm / 5.0;
		double s = gelSampleSin( angle ), c = gelSampleCos( angle );
		gelTubePoint points[4] = { { 0.04 * s, 0.055, 0.04 * c, 0.085 }, { 0.15 * s, 0.050, 0.15 * c, 0.065 },
			{ 0.25 * s, 0.040, 0.25 * c, 0.045 }, { 0.33 * s, 0.055, 0.33 * c, 0.024 } };
		gelField_AddTube( field, points, 4, 3 );
	}
	gelField_SetBlend( field, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
	gelField_AddLayer( field, warts, gel_fieldJoin, 0.008 );
	gelField_AddBall( field, gelMakeVec3d( 0.0, 0.135, 0.0 ), 0.026 );
	for ( int arm = 0; arm < 5; ++arm )
	{
		double angle = 2.0 * GEL_SAMPLE_PI * arm / 5.0;
		double s = gelSampleSin( angle ), c = gelSampleCos( angle );
		for ( int i = 0; i < 5; ++i )
		{
			double r = 0.075 + 0.052 * i;
			gelField_AddBall(
				field, gelMakeVec3d( r * s, 0.134 - 0.0105 * i - 0.0005 * i * i, r * c ), 0.019 - 0.002 * i );
		}
	}
}

// A shell with a rounded rim, smooth inside, hammered outside.
void gelBuildBowl( gelField* field )
{
	field->thinnest = 0.015;
	int outside = gelField_AddPart( field, "outside", 0.15f, 0.35f, 0.55f );
	int glaze = gelField_AddPart( field, "glaze", 0.90f, 0.85f, 0.75f );
	gelFieldLayer* layer = gelField_AddLayer( field, outside, gel_fieldJoin, 0.0 );
	layer->details[0] = ( gelFieldDetail ){ gel_detailKnobs, 0.008, 0.055 };
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.25, 0.0 ), gelMakeVec3d( 0.25, 0.23, 0.25 ), s_noRotation );
	gelField_SetBlend( field, gel_fieldJoin, 0.04 );
	gelField_AddTorus( field, gelMakeVec3d( 0.0, 0.022, 0.0 ), 0.10, 0.022, s_up );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.03, 0.0 ), gelMakeVec3d( 0.10, 0.02, 0.10 ), s_noRotation );
	gelField_AddLayer( field, outside, gel_fieldIntersect, 0.02 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.25, 0.0 ), s_up );
	gelField_AddLayer( field, glaze, gel_fieldCut, 0.02 );
	gelField_AddEllipsoid(
		field, gelMakeVec3d( 0.0, 0.26, 0.0 ), gelMakeVec3d( 0.212, 0.19, 0.212 ), s_noRotation );
	gelField_AddLayer( field, glaze, gel_fieldJoin, 0.012 );
	gelField_AddTorus( field, gelMakeVec3d( 0.0, 0.252, 0.0 ), 0.230, 0.023, s_up );
}

// A pudding out of a fluted mould: a ring of leaning columns around a core, a smaller crown and a cherry on
// top.
void gelBuildJelly( gelField* field )
{
	field->thinnest = 0.012;
	gelField_AddLayer( field, gelField_AddPart( field, "jelly", 0.95f, 0.35f, 0.05f ), gel_fieldJoin, 0.0 );
	gelField_SetBlend( field, gel_fieldJoin, 0.025 );
	gelField_AddCone( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), 0.165, gelMakeVec3d( 0.0, 0.13, 0.0 ), 0.12 );
	for ( int i = 0; i < 12; ++i )
	{
		double angle = 2.0 * GEL_SAMPLE_PI * i / 12.0;
		double s = gelSampleSin( angle ), c = gelSampleCos( angle );
		gelField_AddCone( field, gelMakeVec3d( 0.165 * s, 0.0, 0.165 * c ), 0.044,
			gelMakeVec3d( 0.105 * s, 0.165, 0.105 * c ), 0.032 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		double angle = 2.0 * GEL_SAMPLE_PI * ( i + 0.5 ) / 8.0;
		double s = gelSampleSin( angle ), c = gelSampleCos( angle );
		gelField_AddCone( field, gelMakeVec3d( 0.062 * s, 0.18, 0.062 * c ), 0.032,
			gelMakeVec3d( 0.045 * s, 0.245, 0.045 * c ), 0.022 );
	}
	gelField_AddCone( field, gelMakeVec3d( 0.0, 0.16, 0.0 ), 0.07, gelMakeVec3d( 0.0, 0.235, 0.0 ), 0.035 );
	gelField_SetBlend( field, gel_fieldIntersect, 0.03 );
	gelField_AddPlane( field, gelMakeVec3d( 0.0, 0.0, 0.0 ), gelMakeVec3d( 0.0, -1.0, 0.0 ) );
	gelField_AddLayer(
		field, gelField_AddPart( field, "cherry", 0.40f, 0.01f, 0.02f ), gel_fieldJoin, 0.008 );
	gelField_AddBall( field, gelMakeVec3d( 0.0, 0.292, 0.0 ), 0.034 );
	gelField_SetBlend( field, gel_fieldJoin, 0.012 );
	gelField_AddTube( field,
		( gelTubePoint[] ){
			{ 0.0, 0.320, 0.0, 0.009 }, { 0.010, 0.350, 0.0, 0.008 }, { 0.035, 0.375, 0.0, 0.008 } },
		3, 3 );
}
