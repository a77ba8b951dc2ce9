// SPDX-License-Identifier: MIT
// Parts of gelWorld_Draw. Each looks at its own switch, and draws nothing where it is off.
#pragma once

#include "gelpack/debug_draw.h"
#include "state/world.h"

/// Draws a line, if somebody does. Positions are in world space [m].
static inline void gelDraw_Segment( const gelDebugDraw* draw, gelVec3 from, gelVec3 to, uint32_t color )
{
	if ( draw->drawSegment ) draw->drawSegment( from, to, color, draw->context );
}

/// Draws a point, if somebody does.
static inline void gelDraw_Point( const gelDebugDraw* draw, gelVec3 position, uint32_t color )
{
	if ( draw->drawPoint ) draw->drawPoint( position, color, draw->context );
}

/// Draws axes, if somebody does.
static inline void gelDraw_Transform( const gelDebugDraw* draw, gelTransform transform )
{
	if ( draw->drawTransform ) draw->drawTransform( transform, draw->context );
}

/// Draws the twelve edges of a box.
void gelDraw_Box( const gelDebugDraw* draw, gelAabb box, uint32_t color );

/// One of the colors that neighbors hardly share by chance.
uint32_t gelDraw_PickColor( uint32_t index );

/// Draws patches, and boxes of the coarse tree (draw_surface.c).
void gelDraw_Surface( const gelDebugDraw* draw, const gelBody* body );

/// Draws the shapes of all colliders (draw_colliders.c).
void gelDraw_Colliders( const gelDebugDraw* draw, const struct gelWorld* world );
