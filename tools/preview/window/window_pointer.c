// SPDX-License-Identifier: MIT
// Mouse and keys: what they do to camera and scene, and what of them belongs to the panels.
#include "preview/window/window_app.h"

#include <gelpack/asserts.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string.h>

#define GEL_ORBIT_SPEED 0.008f // [rad per window unit]
#define GEL_ZOOM_STEP   0.9f   // factor of the distance, per notch of the wheel
#define GEL_MAX_PITCH   1.48f  // [rad]

static gelWindowApp* AppOf( GLFWwindow* window )
{
	return glfwGetWindowUserPointer( window );
}

// By the place: nuklear knows only where the mouse was in the last picture.
bool gelWindow_IsOverPanel( gelWindowApp* app )
{
	return app->showPanel &&
		( app->pointer.x < (double)GEL_PANEL_WIDTH || nk_item_is_any_active( &app->ui.context ) );
}

// ---- rays --------------------------------------------------------------------------------------------

// Direction from the eye through a place of the window [window units], of unit length. Pictures are in
// pixels, of which a window unit is `scale`.
static gelVec3 RayThrough( const gelWindowApp* app, double x, double y )
{
	GEL_ASSERT( app->width > 0 && app->height > 0 && app->scale > 0.0f );
	float width = (float)app->width / app->scale, height = (float)app->height / app->scale;
	float a = 2.0f * (float)x / width - 1.0f, b = 1.0f - 2.0f * (float)y / height;
	gelVec3 look[3];
	gelCamera_Rays( &app->camera, width / height, look );
	return gelNormalize( gelAdd( look[0], gelAdd( gelScale( a, look[1] ), gelScale( b, look[2] ) ) ) );
}

static gelInput RayInput( const gelWindowApp* app, gelInputKind kind )
{
	return ( gelInput ){ .kind = kind,
		.v = { gelCamera_Eye( &app->camera ), RayThrough( app, app->pointer.x, app->pointer.y ) } };
}

// Where the mouse points to in the plane that the grabbed point moves in: across the view, through the point
// where it was grabbed. At the depth that it has now it would run away from the mouse, or towards the eye, as
// the body turns.
static gelVec3 PlanePoint( const gelWindowApp* app )
{
	gelVec3 eye = gelCamera_Eye( &app->camera ), look[3];
	gelCamera_Rays( &app->camera, 1.0f, look );
	gelVec3 ray = RayThrough( app, app->pointer.x, app->pointer.y );
	float depth = gelDot( gelSub( app->pointer.plane, eye ), look[0] );
	GEL_ASSERT( gelDot( ray, look[0] ) > 0.0f ); // it is in the picture, so in front of the eye
	return gelAdd( eye, gelScale( depth / gelDot( ray, look[0] ), ray ) );
}

// ---- mouse -------------------------------------------------------------------------------------------

// Every change goes through gelSession_Input, which recordings note with its tick, so that a replay does the
// same.
static void PressLeft( gelWindowApp* app, int mods )
{
	gelPointer* p = &app->pointer;
	if ( mods & GLFW_MOD_CONTROL )
	{
		gelSession_Input( &app->session, RayInput( app, gel_inputPin ) );
		return;
	}
	if ( mods & GLFW_MOD_SHIFT )
	{
		gelSession_Input( &app->session, RayInput( app, gel_inputPush ) );
		return;
	}
	p->mode = gel_pointerOrbit;
	if ( !gelSession_Input( &app->session, RayInput( app, gel_inputGrab ) ) ) return;
	p->mode = gel_pointerGrab;
	p->plane = app->session.grabTarget;
}

static void OnButton( GLFWwindow* window, int button, int action, int mods )
{
	gelWindowApp* app = AppOf( window );
	gelPointer* p = &app->pointer;
	glfwGetCursorPos( window, &p->x, &p->y );
	app->needsPicture = true;
	if ( action == GLFW_RELEASE )
	{
		if ( p->mode == gel_pointerGrab )
			gelSession_Input( &app->session, ( gelInput ){ .kind = gel_inputRelease } );
		if ( p->mode == gel_pointerOrbit ) p->orbits += 1;
		if ( p->mode == gel_pointerPan ) p->pans += 1;
		p->mode = gel_pointerIdle;
		return;
	}
	if ( gelWindow_IsOverPanel( app ) )
	{
		p->mode = gel_pointerPanel;
		if ( button == GLFW_MOUSE_BUTTON_LEFT ) p->presses += 1;
	}
	else if ( button == GLFW_MOUSE_BUTTON_LEFT )
		PressLeft( app, mods );
	else if ( button == GLFW_MOUSE_BUTTON_RIGHT && !( mods & GLFW_MOD_SHIFT ) )
		p->mode = gel_pointerOrbit;
	else
		p->mode = gel_pointerPan;
}

// Straight from above there is no up in the picture, so it stops before.
static void Orbit( gelWindowApp* app, float dx, float dy )
{
	app->camera.yaw -= GEL_ORBIT_SPEED * dx;
	app->camera.pitch =
		fminf( fmaxf( app->camera.pitch + GEL_ORBIT_SPEED * dy, -GEL_MAX_PITCH ), GEL_MAX_PITCH );
}

// The target follows the mouse as if it were held at its depth.
static void Pan( gelWindowApp* app, float dx, float dy )
{
	gelVec3 look[3];
	float height = (float)app->height / app->scale;
	gelCamera_Rays( &app->camera, (float)app->width / (float)app->height, look );
	gelVec3 right = gelNormalize( look[1] );
	float unit = 2.0f * app->camera.distance * sqrtf( gelDot( look[2], look[2] ) ) / height;
	gelVec3 up = gelNormalize( look[2] );
	app->camera.target =
		gelAdd( app->camera.target, gelAdd( gelScale( -unit * dx, right ), gelScale( unit * dy, up ) ) );
}

static void OnMove( GLFWwindow* window, double x, double y )
{
	gelWindowApp* app = AppOf( window );
	gelPointer* p = &app->pointer;
	float dx = (float)( x - p->x ), dy = (float)( y - p->y );
	p->x = x;
	p->y = y;
	if ( p->mode == gel_pointerOrbit ) Orbit( app, dx, dy );
	if ( p->mode == gel_pointerPan ) Pan( app, dx, dy );
	app->needsPicture = true;
}

static void OnScroll( GLFWwindow* window, double x, double y )
{
	(void)x;
	gelWindowApp* app = AppOf( window );
	app->needsPicture = true;
	if ( gelWindow_IsOverPanel( app ) )
	{
		app->pointer.scroll += (float)y;
		return;
	}
	float size = fmaxf( gelAabb_Radius( app->stageBox ), 1e-4f );
	// a factor looks like the same step from near and from far; limits are sizes of what is shown
	float distance = app->camera.distance * powf( GEL_ZOOM_STEP, (float)y );
	app->camera.distance = fminf( fmaxf( distance, 0.05f * size ), 200.0f * size );
	app->pointer.zooms += 1;
}

// ---- keys --------------------------------------------------------------------------------------------

static void CycleOverlay( gelWindowApp* app )
{
	gelOverlaySettings next = { ( app->overlay.kind + 1 ) % gel_overlayKinds, -1 };
	if ( next.kind == gel_overlayTree ) next.level = 3;
	const gelSession* s = &app->session;
	if ( s->hasScene && !gelCanShowOverlay( &s->scene, next.kind ) ) next.kind = gel_overlayNone;
	gelWindow_SetOverlay( app, next );
}

// A number is being typed into the panel: keys are its.
static bool IsTyping( const struct nk_context* nk )
{
	const int editing = 1; // NK_PROPERTY_EDIT, which nuklear keeps to itself
	for ( const struct nk_window* w = nk->begin; w != NULL; w = w->next )
	{
		if ( w->edit.active || ( w->property.active && w->property.state == editing ) ) return true;
	}
	return false;
}

static void OnKey( GLFWwindow* window, int key, int scancode, int action, int mods )
{
	(void)scancode;
	(void)mods;
	gelWindowApp* app = AppOf( window );
	gelSession* session = &app->session;
	app->needsPicture = true;
	if ( action == GLFW_RELEASE || IsTyping( &app->ui.context ) ) return;
	switch ( key )
	{
		case GLFW_KEY_ESCAPE:
		case GLFW_KEY_Q:
			glfwSetWindowShouldClose( window, GLFW_TRUE );
			break;
		case GLFW_KEY_SPACE:
			session->playing = !session->playing;
			break;
		case GLFW_KEY_PERIOD:
			session->playing = false;
			if ( !gelSession_ReplayEnded( session ) ) gelSession_Step( session );
			break;
		case GLFW_KEY_R:
			gelSession_Input( session, ( gelInput ){ .kind = gel_inputReset } );
			break;
		case GLFW_KEY_S:
			session->speed = session->speed < 1.0 ? 1.0 : 0.2;
			break;
		case GLFW_KEY_U:
			gelSession_Input( session, ( gelInput ){ .kind = gel_inputUnpin } );
			break;
		case GLFW_KEY_F:
			gelWindow_FrameScene( app );
			break;
		case GLFW_KEY_O:
			CycleOverlay( app );
			break;
		case GLFW_KEY_TAB:
			app->showPanel = !app->showPanel;
			break;
		case GLFW_KEY_F12:
			gelWindow_Screenshot( app );
			break;
		case GLFW_KEY_1:
		case GLFW_KEY_2:
		case GLFW_KEY_3:
		case GLFW_KEY_4:
		case GLFW_KEY_5:
			gelSession_Input( session, ( gelInput ){ .kind = gel_inputSolver, .value = key - GLFW_KEY_1 } );
			break;
		default:
			break;
	}
}

static void OnText( GLFWwindow* window, unsigned character )
{
	gelPointer* p = &AppOf( window )->pointer;
	// more than fits into one picture is nobody's typing
	if ( p->textCount < (int)( sizeof( p->text ) / sizeof( p->text[0] ) ) )
		p->text[p->textCount++] = character;
}

static void OnDrop( GLFWwindow* window, int count, const char** paths )
{
	gelWindow_AddFiles( AppOf( window ), count, paths );
}

static void OnChange( GLFWwindow* window )
{
	AppOf( window )->needsPicture = true;
}

// ---- every picture -----------------------------------------------------------------------------------

void gelWindow_ListenToPointer( gelWindowApp* app )
{
	GLFWwindow* window = app->window.handle;
	glfwSetWindowUserPointer( window, app );
	glfwGetCursorPos( window, &app->pointer.x, &app->pointer.y );
	glfwSetMouseButtonCallback( window, OnButton );
	glfwSetCursorPosCallback( window, OnMove );
	glfwSetScrollCallback( window, OnScroll );
	glfwSetKeyCallback( window, OnKey );
	glfwSetCharCallback( window, OnText );
	glfwSetDropCallback( window, OnDrop );
	glfwSetWindowRefreshCallback( window, OnChange );
}

// Every press is down for one layout of the panels and up for another, however short it was.
static bool IsDownForPanels( gelWindowApp* app )
{
	gelPointer* p = &app->pointer;
	bool isHeld = p->mode == gel_pointerPanel &&
		glfwGetMouseButton( app->window.handle, GLFW_MOUSE_BUTTON_LEFT ) == GLFW_PRESS;
	if ( p->isShownDown )
		p->isShownDown = isHeld && p->presses == 0;
	else if ( p->presses > 0 )
	{
		p->presses -= 1;
		p->isShownDown = true;
	}
	if ( p->presses > 0 || p->isShownDown ) app->needsPicture = true;
	return p->isShownDown;
}

// The picture stands beside the panel, and the eye above the ground, which hides everything from below.
static void LimitCamera( gelWindowApp* app )
{
	gelCamera* c = &app->camera;
	c->shift = gelWindow_CoveredPart( app );
	const gelScene* scene = &app->session.scene;
	if ( !app->session.hasScene || !scene->def.hasGround ) return;
	GEL_ASSERT( c->distance > 0.0f );
	c->target.y = fmaxf( c->target.y, scene->ground );
	float lowest = ( scene->ground - c->target.y ) / c->distance + 0.01f;
	c->pitch = fmaxf( c->pitch, asinf( fmaxf( lowest, -1.0f ) ) );
}

void gelWindow_UpdatePointer( gelWindowApp* app )
{
	gelPointer* p = &app->pointer;
	LimitCamera( app );
	if ( p->mode == gel_pointerGrab )
	{
		// a mouse that stands still is no input: recordings stay short
		gelVec3 target = PlanePoint( app );
		if ( memcmp( &target, &app->session.grabTarget, sizeof( target ) ) != 0 )
			gelSession_Input( &app->session, ( gelInput ){ .kind = gel_inputDrag, .v = { target } } );
	}
	GLFWwindow* window = app->window.handle;
	struct nk_context* nk = &app->ui.context;
	int x = (int)p->x, y = (int)p->y;
	nk_input_begin( nk );
	nk_input_motion( nk, x, y );
	nk_input_button( nk, NK_BUTTON_LEFT, x, y, IsDownForPanels( app ) );
	nk_input_scroll( nk, nk_vec2( 0.0f, p->scroll ) );
	nk_input_key( nk, NK_KEY_BACKSPACE, glfwGetKey( window, GLFW_KEY_BACKSPACE ) == GLFW_PRESS );
	nk_input_key( nk, NK_KEY_ENTER, glfwGetKey( window, GLFW_KEY_ENTER ) == GLFW_PRESS );
	nk_input_key( nk, NK_KEY_LEFT, glfwGetKey( window, GLFW_KEY_LEFT ) == GLFW_PRESS );
	nk_input_key( nk, NK_KEY_RIGHT, glfwGetKey( window, GLFW_KEY_RIGHT ) == GLFW_PRESS );
	for ( int i = 0; i < p->textCount; ++i )
		nk_input_unicode( nk, p->text[i] );
	nk_input_end( nk );
	p->textCount = 0;
	p->scroll = 0.0f;
}
