// SPDX-License-Identifier: MIT
// A camera that looks at a target: yaw about the vertical, pitch above the horizon [rad], distance [m].
// Right-handed, y up, matrices by columns as OpenGL wants them, depth from -1 to 1.
#include "preview/render/camera.h"

#include <gelpack/asserts.h>

// A long lens: bodies of any size look the same and verticals stay nearly parallel.
#define GEL_CAMERA_FOV_Y ( 28.0f * 3.14159265f / 180.0f )

// Axes of the camera in the world: right, up, and back (from the target towards the eye).
typedef struct Axes
{
	gelVec3 right, up, back;
} Axes;

static Axes CameraAxes( float yaw, float pitch )
{
	float cy = cosf( yaw ), sy = sinf( yaw ), cp = cosf( pitch ), sp = sinf( pitch );
	return ( Axes ){ { cy, 0.0f, -sy }, { -sy * sp, cp, -cy * sp }, { sy * cp, sp, cy * cp } };
}

static gelVec3 BoxCorner( gelAabb box, int i )
{
	GEL_ASSERT( i >= 0 && i < 8 );
	return ( gelVec3 ){ i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
		i & 4 ? box.max.z : box.min.z };
}

gelCamera gelFrameBox( gelAabb box, float yaw, float pitch, float aspect, float margin )
{
	GEL_ASSERT( aspect > 0.0f );
	gelCamera camera = { gelAabb_Center( box ), yaw, pitch, 1.0f, GEL_CAMERA_FOV_Y, 0.0f };
	Axes axes = CameraAxes( yaw, pitch );
	float tanY = tanf( 0.5f * camera.fovY ) * ( 1.0f - margin );
	float tanX = tanY * aspect;
	float radius = fmaxf( gelAabb_Radius( box ), 1e-4f );

	// Perspective makes the near side larger, so the middle of the box is not the middle of its picture:
	// back off until everything fits, then center the picture, a few times.
	for ( int round = 0; round < 4; ++round )
	{
		float distance = 0.1f * radius;
		for ( int i = 0; i < 8; ++i )
		{
			gelVec3 d = gelSub( BoxCorner( box, i ), camera.target );
			float z = gelDot( d, axes.back );
			distance = fmaxf( distance, z + fabsf( gelDot( d, axes.right ) ) / tanX );
			distance = fmaxf( distance, z + fabsf( gelDot( d, axes.up ) ) / tanY );
		}
		camera.distance = distance;

		float minX = 1e30f, maxX = -1e30f, minY = 1e30f, maxY = -1e30f;
		for ( int i = 0; i < 8; ++i )
		{
			gelVec3 d = gelSub( BoxCorner( box, i ), camera.target );
			float scale = 1.0f / fmaxf( distance - gelDot( d, axes.back ), 1e-6f );
			float x = gelDot( d, axes.right ) * scale, y = gelDot( d, axes.up ) * scale;
			minX = fminf( minX, x ), maxX = fmaxf( maxX, x );
			minY = fminf( minY, y ), maxY = fmaxf( maxY, y );
		}
		gelVec3 shift = gelAdd( gelScale( 0.5f * distance * ( minX + maxX ), axes.right ),
			gelScale( 0.5f * distance * ( minY + maxY ), axes.up ) );
		if ( round < 3 ) camera.target = gelAdd( camera.target, shift );
	}
	return camera;
}

gelVec3 gelCamera_Eye( const gelCamera* camera )
{
	Axes axes = CameraAxes( camera->yaw, camera->pitch );
	return gelAdd( camera->target, gelScale( camera->distance, axes.back ) );
}

void gelCamera_Rays( const gelCamera* camera, float aspect, gelVec3 outLook[3] )
{
	GEL_ASSERT( aspect > 0.0f );
	Axes axes = CameraAxes( camera->yaw, camera->pitch );
	float tangent = tanf( 0.5f * camera->fovY );
	outLook[1] = gelScale( tangent * aspect, axes.right );
	// A pixel (x, y) in [-1, 1]^2 is seen along look[0] + x look[1] + y look[2].
	outLook[0] = gelScale( -1.0f, gelAdd( axes.back, gelScale( camera->shift, outLook[1] ) ) );
	outLook[2] = gelScale( tangent, axes.up );
}

// Rows of the rotation are the axes; the translation brings the eye to the origin.
static gelMat4 ViewMatrix( gelVec3 eye, Axes a )
{
	return (
		gelMat4 ){ { a.right.x, a.up.x, a.back.x, 0.0f, a.right.y, a.up.y, a.back.y, 0.0f, a.right.z, a.up.z,
		a.back.z, 0.0f, -gelDot( a.right, eye ), -gelDot( a.up, eye ), -gelDot( a.back, eye ), 1.0f } };
}

gelMat4 gelCamera_ViewProjection( const gelCamera* camera, float aspect, gelVec3 center, float radius )
{
	GEL_ASSERT( aspect > 0.0f && radius > 0.0f );
	Axes axes = CameraAxes( camera->yaw, camera->pitch );
	gelVec3 eye = gelCamera_Eye( camera );
	float depth = gelDot( gelSub( eye, center ), axes.back );
	// The far plane lies well behind the bodies, because the ground reaches to the horizon.
	// The near plane lies in front of the ground that is seen below bodies that are flat.
	float near = fmaxf( fminf( depth - 1.5f * radius, 0.2f * camera->distance ), 0.02f * camera->distance );
	float far = near + 100.0f * ( radius + camera->distance );
	float f = 1.0f / tanf( 0.5f * camera->fovY );
	gelMat4 projection = { { f / aspect, 0.0f, 0.0f, 0.0f, 0.0f, f, 0.0f, 0.0f, -camera->shift, 0.0f,
		( far + near ) / ( near - far ), -1.0f, 0.0f, 0.0f, 2.0f * far * near / ( near - far ), 0.0f } };
	return gelMat4_Mul( projection, ViewMatrix( eye, axes ) );
}

gelMat4 gelParallelProjection( gelVec3 center, float radius, gelVec3 axis, gelVec3 up )
{
	GEL_ASSERT( radius > 0.0f );
	gelVec3 back = gelNormalize( axis );
	gelVec3 right = gelNormalize( gelCross( up, back ) );
	Axes axes = { right, gelCross( back, right ), back };
	float s = 1.0f / radius;
	// Depth falls along the axis: what is nearer to the light has the smaller value.
	gelMat4 projection = { { s, 0.0f, 0.0f, 0.0f, 0.0f, s, 0.0f, 0.0f, 0.0f, 0.0f, -s, 0.0f, 0.0f, 0.0f, 0.0f,
		1.0f } };
	return gelMat4_Mul( projection, ViewMatrix( center, axes ) );
}
