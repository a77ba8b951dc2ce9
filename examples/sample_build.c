// SPDX-License-Identifier: MIT
// Builders of implicit shapes: append primitives to a field.
#include "sample_field.h"

#include <assert.h>

int gelField_AddPart( gelField* field, const char* name, float red, float green, float blue )
{
	assert( field->partCount < GEL_FIELD_MAX_PARTS );
	field->parts[field->partCount] = ( gelFieldPart ){ name, { red, green, blue, 1.0f } };
	return field->partCount++;
}

gelFieldLayer* gelField_AddLayer( gelField* field, int part, gelFieldOp op, double blend )
{
	assert( field->layerCount < GEL_FIELD_MAX_LAYERS );
	gelFieldLayer* layer = field->layers + field->layerCount++;
	*layer = ( gelFieldLayer ){ .first = field->primitiveCount, .op = op, .blend = blend, .part = part };
	gelField_SetBlend( field, gel_fieldJoin, 0.0 );
	return layer;
}

void gelField_SetBlend( gelField* field, gelFieldOp op, double blend )
{
	field->op = op;
	field->blend = blend;
}

static gelFieldPrimitive* AddPrimitive( gelField* field, gelFieldKind kind )
{
	assert( field->primitiveCount < GEL_FIELD_MAX_PRIMITIVES && field->layerCount > 0 );
	gelFieldPrimitive* primitive = field->primitives + field->primitiveCount++;
	*primitive =
		( gelFieldPrimitive ){ .kind = kind, .op = field->op, .blend = field->blend, .run = field->run };
	primitive->axes[0] = gelMakeVec3d( 1.0, 0.0, 0.0 );
	primitive->axes[1] = gelMakeVec3d( 0.0, 1.0, 0.0 );
	primitive->axes[2] = gelMakeVec3d( 0.0, 0.0, 1.0 );
	field->layers[field->layerCount - 1].count += 1;
	field->run += 1;
	return primitive;
}

static gelVec3d RotateXYZ( gelVec3d v, gelVec3d degrees )
{
	double toRadians = GEL_SAMPLE_PI / 180.0;
	double s = gelSampleSin( degrees.x * toRadians ), c = gelSampleCos( degrees.x * toRadians );
	v = gelMakeVec3d( v.x, c * v.y - s * v.z, s * v.y + c * v.z );
	s = gelSampleSin( degrees.y * toRadians ), c = gelSampleCos( degrees.y * toRadians );
	v = gelMakeVec3d( c * v.x + s * v.z, v.y, -s * v.x + c * v.z );
	s = gelSampleSin( degrees.z * toRadians ), c = gelSampleCos( degrees.z * toRadians );
	return gelMakeVec3d( c * v.x - s * v.y, s * v.x + c * v.y, v.z );
}

// A local axis in world coordinates is a row of the matrix from world to local.
static void SetRotation( gelFieldPrimitive* primitive, gelVec3d degrees )
{
	for ( int i = 0; i < 3; ++i )
		primitive->axes[i] = RotateXYZ( primitive->axes[i], degrees );
}

static void SetThirdAxis( gelFieldPrimitive* primitive, gelVec3d axis )
{
	gelVec3d w = gelSampleNormalize( axis );
	gelVec3d helper = fabs( w.x ) < 0.6 ? gelMakeVec3d( 1.0, 0.0, 0.0 ) : gelMakeVec3d( 0.0, 1.0, 0.0 );
	gelVec3d u = gelSampleNormalize( gelCrossD( helper, w ) );
	primitive->axes[0] = u;
	primitive->axes[1] = gelCrossD( w, u );
	primitive->axes[2] = w;
}

void gelField_AddBall( gelField* field, gelVec3d center, double radius )
{
	gelField_AddEllipsoid(
		field, center, gelMakeVec3d( radius, radius, radius ), gelMakeVec3d( 0.0, 0.0, 0.0 ) );
}

void gelField_AddEllipsoid( gelField* field, gelVec3d center, gelVec3d radii, gelVec3d rotation )
{
	gelFieldPrimitive* primitive = AddPrimitive( field, gel_fieldEllipsoid );
	primitive->a = center;
	primitive->b = radii;
	SetRotation( primitive, rotation );
}

void gelField_AddCone( gelField* field, gelVec3d a, double r1, gelVec3d b, double r2 )
{
	// The formula needs two spheres of which none holds the other.
	double length = gelLengthD( gelSubD( b, a ) );
	if ( length <= 1.001 * fabs( r1 - r2 ) )
	{
		gelField_AddBall( field, r1 > r2 ? a : b, r1 > r2 ? r1 : r2 );
		return;
	}
	gelFieldPrimitive* primitive = AddPrimitive( field, gel_fieldCone );
	primitive->a = a;
	primitive->b = b;
	primitive->r1 = r1;
	primitive->r2 = r2;
}

void gelField_AddTorus( gelField* field, gelVec3d center, double ring, double tube, gelVec3d axis )
{
	gelFieldPrimitive* primitive = AddPrimitive( field, gel_fieldTorus );
	primitive->a = center;
	primitive->r1 = ring;
	primitive->r2 = tube;
	SetThirdAxis( primitive, axis );
}

void gelField_AddBox(
	gelField* field, gelVec3d center, gelVec3d halfSizes, double rounding, gelVec3d rotation )
{
	gelFieldPrimitive* primitive = AddPrimitive( field, gel_fieldBox );
	primitive->a = center;
	primitive->b = halfSizes;
	primitive->r1 = rounding;
	SetRotation( primitive, rotation );
}

void gelField_AddPlane( gelField* field, gelVec3d point, gelVec3d normal )
{
	gelFieldPrimitive* primitive = AddPrimitive( field, gel_fieldPlane );
	primitive->a = point;
	SetThirdAxis( primitive, normal );
}

// Catmull-Rom spline through p1 and p2 at t in [0, 1].
static double Spline( double p0, double p1, double p2, double p3, double t )
{
	return p1 +
		0.5 * t *
		( p2 - p0 + t * ( 2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3 + t * ( 3.0 * ( p1 - p2 ) + p3 - p0 ) ) );
}

static gelTubePoint TubeAt( const gelTubePoint* points, int count, int segment, double t )
{
	const gelTubePoint* p1 = points + segment;
	const gelTubePoint* p2 = points + segment + 1;
	const gelTubePoint* p0 = segment > 0 ? p1 - 1 : p1;
	const gelTubePoint* p3 = segment + 2 < count ? p2 + 1 : p2;
	// Radii run linearly: a spline could overshoot below zero.
	return ( gelTubePoint ){ Spline( p0->x, p1->x, p2->x, p3->x, t ), Spline( p0->y, p1->y, p2->y, p3->y, t ),
		Spline( p0->z, p1->z, p2->z, p3->z, t ), p1->radius + t * ( p2->radius - p1->radius ) };
}

void gelField_AddTube( gelField* field, const gelTubePoint* points, int count, int steps )
{
	int run = field->run;
	gelTubePoint last = points[0];
	for ( int segment = 0; segment + 1 < count; ++segment )
	{
		for ( int step = 1; step <= steps; ++step )
		{
			gelTubePoint next = TubeAt( points, count, segment, (double)step / steps );
			gelField_AddCone( field, gelMakeVec3d( last.x, last.y, last.z ), last.radius,
				gelMakeVec3d( next.x, next.y, next.z ), next.radius );
			field->primitives[field->primitiveCount - 1].run = run;
			last = next;
		}
	}
}

void gelField_Mirror( gelField* field, int count )
{
	int first = field->primitiveCount - count;
	for ( int i = 0; i < count; ++i )
	{
		gelFieldPrimitive* copy = AddPrimitive( field, gel_fieldEllipsoid );
		int run = i > 0 && field->primitives[first + i].run == field->primitives[first + i - 1].run
			? copy[-1].run
			: copy->run;
		*copy = field->primitives[first + i];
		copy->run = run;
		copy->a.x = -copy->a.x;
		if ( copy->kind == gel_fieldCone ) copy->b.x = -copy->b.x;
		for ( int axis = 0; axis < 3; ++axis )
			copy->axes[axis].x = -copy->axes[axis].x;
	}
}
