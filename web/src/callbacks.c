// SPDX-License-Identifier: MIT
// Functions that C calls and JavaScript answers. The module imports the js... ones below; their context is a
// number by which the page finds who is meant. gelWebGetCallback gives the page what it writes into a def.
#include <gelpack/gelpack.h>

#define GEL_IMPORT( name ) __attribute__( ( import_module( "gelpack" ), import_name( name ) ) )
#define GEL_EXPORT( name ) __attribute__( ( export_name( name ) ) )

GEL_IMPORT( "log" ) void jsLog( void* context, const char* text );
GEL_IMPORT( "now" ) double jsNow( void );
GEL_IMPORT( "filter" ) int jsFilter( void* context, const gelBodyId* bodyId );
GEL_IMPORT( "segment" ) void jsSegment( void* context, const gelVec3* fromTo, uint32_t color );
GEL_IMPORT( "point" ) void jsPoint( void* context, const gelVec3* position, uint32_t color );
GEL_IMPORT( "triangle" ) void jsTriangle( void* context, const gelVec3* corners, uint32_t color );
GEL_IMPORT( "transform" ) void jsTransform( void* context, const gelTransform* transform );
GEL_IMPORT( "ellipsoid" )
void jsEllipsoid( void* context, const gelTransform* transform, const gelVec3* radius, uint32_t color );

// Seconds since any moment, see gelWorldDef.clock.
static double Now( void* context )
{
	(void)context;
	return jsNow();
}

static bool Filter( gelBodyId bodyId, void* context )
{
	return jsFilter( context, &bodyId ) != 0;
}

static void DrawSegment( gelVec3 from, gelVec3 to, uint32_t color, void* context )
{
	const gelVec3 fromTo[2] = { from, to };
	jsSegment( context, fromTo, color );
}

static void DrawPoint( gelVec3 position, uint32_t color, void* context )
{
	jsPoint( context, &position, color );
}

static void DrawTriangle( const gelVec3 corners[3], uint32_t color, void* context )
{
	jsTriangle( context, corners, color );
}

static void DrawTransform( gelTransform transform, void* context )
{
	jsTransform( context, &transform );
}

static void DrawEllipsoid( gelTransform transform, gelVec3 radius, uint32_t color, void* context )
{
	jsEllipsoid( context, &transform, &radius, color );
}

/// What to write into the field of a def that holds a callback, by the name of the field. NULL: there is none.
GEL_EXPORT( "gelWebGetLog" ) gelLogFcn* gelWebGetLog( void )
{
	return jsLog;
}

GEL_EXPORT( "gelWebGetClock" ) void* gelWebGetClock( void )
{
	return (void*)Now;
}

GEL_EXPORT( "gelWebGetFilter" ) gelRayFilterFcn* gelWebGetFilter( void )
{
	return Filter;
}

/// Fills the callbacks of a gelDebugDraw that was made by gelDefaultDebugDraw.
GEL_EXPORT( "gelWebPrepareDraw" ) void gelWebPrepareDraw( gelDebugDraw* draw )
{
	*draw = gelDefaultDebugDraw();
	draw->drawSegment = DrawSegment;
	draw->drawPoint = DrawPoint;
	draw->drawTriangle = DrawTriangle;
	draw->drawTransform = DrawTransform;
	draw->drawEllipsoid = DrawEllipsoid;
}
