// SPDX-License-Identifier: MIT
// Drops files on a window of the X server, as a file manager does: the XDND protocol, version 5.
//
//     drop_files WINDOW X Y PATH...        X, Y: place on the screen; paths begin with /
//
// Exit code 0: the window has taken the files; 1: it does not want them, or says nothing.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE 20000 // [ms]

typedef struct Drop
{
	Display* display;
	Window source, target;
	Atom enter, position, status, drop, finished, selection, copy, uriList, aware;
	char list[16384]; // the files as text/uri-list
} Drop;

static Atom Name( const Drop* d, const char* name )
{
	return XInternAtom( d->display, name, False );
}

static void Send( const Drop* d, Atom type, long a, long b, long c, long e )
{
	XEvent event = { .xclient = { .type = ClientMessage,
						 .display = d->display,
						 .window = d->target,
						 .message_type = type,
						 .format = 32 } };
	const long data[5] = { (long)d->source, a, b, c, e };
	memcpy( event.xclient.data.l, data, sizeof( data ) );
	XSendEvent( d->display, d->target, False, NoEventMask, &event );
	XFlush( d->display );
}

// Hands the list to whom asks for it.
static void Answer( const Drop* d, const XSelectionRequestEvent* request )
{
	XEvent reply = { .xselection = { .type = SelectionNotify,
						 .display = d->display,
						 .requestor = request->requestor,
						 .selection = request->selection,
						 .target = request->target,
						 .property = request->property,
						 .time = request->time } };
	if ( request->target == d->uriList )
		XChangeProperty( d->display, request->requestor, request->property, d->uriList, 8, PropModeReplace,
			(const unsigned char*)d->list, (int)strlen( d->list ) );
	else
		reply.xselection.property = None;
	XSendEvent( d->display, request->requestor, False, NoEventMask, &reply );
	XFlush( d->display );
}

// Answers requests until a message of a type has come. False: it does not come.
static bool WaitFor( const Drop* d, Atom type, XClientMessageEvent* out )
{
	struct pollfd poller = { .fd = ConnectionNumber( d->display ), .events = POLLIN };
	for ( ;; )
	{
		while ( XPending( d->display ) > 0 )
		{
			XEvent event;
			XNextEvent( d->display, &event );
			if ( event.type == SelectionRequest ) Answer( d, &event.xselectionrequest );
			if ( event.type != ClientMessage || event.xclient.message_type != type ) continue;
			*out = event.xclient;
			return true;
		}
		if ( poll( &poller, 1, PATIENCE ) <= 0 ) return false;
	}
}

static bool MakeList( Drop* d, char** paths, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		size_t used = strlen( d->list );
		int written = snprintf( d->list + used, sizeof( d->list ) - used, "file://%s\r\n", paths[i] );
		if ( paths[i][0] != '/' || written < 0 || (size_t)written >= sizeof( d->list ) - used ) return false;
	}
	return true;
}

static bool IsAware( const Drop* d )
{
	Atom type;
	int format;
	unsigned long count = 0, left;
	unsigned char* version = NULL;
	XGetWindowProperty( d->display, d->target, d->aware, 0, 1, False, AnyPropertyType, &type, &format, &count,
		&left, &version );
	if ( version != NULL ) XFree( version );
	return count == 1;
}

static int Refuse( const char* why )
{
	fprintf( stderr, "drop_files: %s\n", why );
	return 1;
}

int main( int argc, char** argv )
{
	Drop d = { 0 };
	if ( argc < 5 || !MakeList( &d, argv + 4, argc - 4 ) ) return Refuse( "WINDOW X Y PATH..." );
	d.display = XOpenDisplay( NULL );
	if ( d.display == NULL ) return Refuse( "no display" );
	d.target = (Window)strtoul( argv[1], NULL, 0 );
	long place = strtol( argv[2], NULL, 10 ) << 16 | strtol( argv[3], NULL, 10 );
	d.source = XCreateSimpleWindow( d.display, DefaultRootWindow( d.display ), 0, 0, 1, 1, 0, 0, 0 );
	d.enter = Name( &d, "XdndEnter" ), d.position = Name( &d, "XdndPosition" );
	d.status = Name( &d, "XdndStatus" ), d.drop = Name( &d, "XdndDrop" );
	d.finished = Name( &d, "XdndFinished" ), d.selection = Name( &d, "XdndSelection" );
	d.copy = Name( &d, "XdndActionCopy" ), d.uriList = Name( &d, "text/uri-list" );
	d.aware = Name( &d, "XdndAware" );
	if ( !IsAware( &d ) ) return Refuse( "the window does not take files" );
	XSetSelectionOwner( d.display, d.selection, d.source, CurrentTime );
	XClientMessageEvent answer;
	Send( &d, d.enter, 5L << 24, (long)d.uriList, 0, 0 );
	Send( &d, d.position, 0, place, CurrentTime, (long)d.copy );
	if ( !WaitFor( &d, d.status, &answer ) ) return Refuse( "no status" );
	if ( ( answer.data.l[1] & 1 ) == 0 ) return Refuse( "the window does not accept" );
	Send( &d, d.drop, 0, CurrentTime, 0, 0 );
	if ( !WaitFor( &d, d.finished, &answer ) ) return Refuse( "never finished" );
	bool taken = ( answer.data.l[1] & 1 ) != 0;
	XCloseDisplay( d.display );
	return taken ? 0 : Refuse( "not taken" );
}
