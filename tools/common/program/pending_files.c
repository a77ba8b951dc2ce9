// SPDX-License-Identifier: MIT
// Temporary files that a signal has to remove. No locks and no memory: a handler may run between any two
// instructions.
#include "common/program/pending_files.h"

#include <gelpack/asserts.h>

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SLOT_COUNT 24 // a chain of eight cages in pairs of files, and what else a run writes

// Global, because a signal handler has no other way to them. A slot's text is complete before its flag is
// set.
static char s_paths[SLOT_COUNT][PATH_MAX];
static volatile sig_atomic_t s_used[SLOT_COUNT];

// Only calls that POSIX allows in a handler.
void gelRemovePendingFiles( void )
{
	for ( int i = 0; i < SLOT_COUNT; ++i )
	{
		if ( s_used[i] ) unlink( s_paths[i] );
	}
}

static void RemoveAll( int signalNumber )
{
	gelRemovePendingFiles();
	// The signal once more, with its own meaning: whoever waits for the process sees that it was killed.
	signal( signalNumber, SIG_DFL );
	raise( signalNumber );
}

// Whoever ignores a signal (nohup) or handles it already keeps doing so.
static void Handle( int number, void ( *handler )( int ) )
{
	struct sigaction action;
	if ( sigaction( number, NULL, &action ) != 0 || action.sa_handler != SIG_DFL ) return;
	memset( &action, 0, sizeof( action ) );
	action.sa_handler = handler;
	sigemptyset( &action.sa_mask );
	sigaction( number, &action, NULL );
}

void gelWatchSignals( void )
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT, SIGXCPU };
	static bool s_installed;
	if ( s_installed ) return;
	s_installed = true;
	for ( size_t i = 0; i < sizeof( numbers ) / sizeof( numbers[0] ); ++i )
		Handle( numbers[i], RemoveAll );
	// A limit on file sizes then shows as an error of write, which is reported like a full disk.
	Handle( SIGXFSZ, SIG_IGN );
}

int gelAddPendingFile( const char* path )
{
	GEL_ASSERT( path != NULL );
	gelWatchSignals();
	for ( int i = 0; i < SLOT_COUNT; ++i )
	{
		if ( s_used[i] || strlen( path ) >= PATH_MAX ) continue;
		snprintf( s_paths[i], PATH_MAX, "%s", path );
		s_used[i] = 1;
		return i;
	}
	return -1;
}

void gelForgetPendingFile( int slot )
{
	GEL_ASSERT( slot < SLOT_COUNT );
	if ( slot >= 0 ) s_used[slot] = 0;
}
