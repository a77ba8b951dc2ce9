// SPDX-License-Identifier: MIT
// gel-bake as another process: a bake that crashes or runs out of memory takes no window with it, and
// cancelling is a signal. What it says is read from a pseudo terminal, because progress is shown on terminals
// only.
#define _XOPEN_SOURCE 700 // pseudo terminals
#include "preview/app/bake_job.h"

#include <gelpack/asserts.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

// gel-bake beside this program, else by its name on the PATH.
static void FindBaker( char* out, size_t capacity )
{
	char own[4096];
	ssize_t length = readlink( "/proc/self/exe", own, sizeof( own ) - 1 );
	if ( length > 0 )
	{
		own[length] = 0;
		char* slash = strrchr( own, '/' );
		if ( slash != NULL ) *slash = 0;
		int n = snprintf( out, capacity, "%s/gel-bake", own );
		if ( n > 0 && (size_t)n < capacity && access( out, X_OK ) == 0 ) return;
	}
	snprintf( out, capacity, "gel-bake" );
}

// Progress is only shown on a terminal, so it gets one. False: there is none to be had.
static bool OpenTerminal( gelBakeJob* job, char* slave, size_t capacity )
{
	job->terminal = posix_openpt( O_RDWR | O_NOCTTY | O_CLOEXEC );
	const char* name = NULL;
	if ( job->terminal >= 0 && grantpt( job->terminal ) == 0 && unlockpt( job->terminal ) == 0 )
		name = ptsname( job->terminal );
	if ( name == NULL )
	{
		if ( job->terminal >= 0 ) close( job->terminal );
		job->terminal = -1;
		return false;
	}
	snprintf( slave, capacity, "%s", name );
	// Polled between two pictures, never waited for: a window that waits is one that hangs.
	fcntl( job->terminal, F_SETFL, O_NONBLOCK );
	return true;
}

// The environment with a terminal that can show progress. free() it; NULL: out of memory.
static char** MakeEnvironment( void )
{
	static char terminal[] = "TERM=xterm";
	size_t count = 0, kept = 0;
	while ( environ[count] != NULL )
		count += 1;
	char** copy = malloc( ( count + 2 ) * sizeof( char* ) );
	if ( copy == NULL ) return NULL;
	for ( size_t i = 0; i < count; ++i )
	{
		if ( strncmp( environ[i], "TERM=", 5 ) != 0 ) copy[kept++] = environ[i];
	}
	copy[kept++] = terminal;
	copy[kept] = NULL;
	return copy;
}

// The command line, which ends with NULL. free() it; NULL: out of memory.
static const char** MakeArguments( const char* art, const char* pack, const char* const* options )
{
	GEL_ASSERT( art != NULL && pack != NULL && options != NULL );
	size_t count = 0;
	while ( options[count] != NULL )
		count += 1;
	const char** arguments = calloc( count + 6, sizeof( char* ) );
	if ( arguments == NULL ) return NULL;
	arguments[0] = "gel-bake";
	arguments[1] = "-o";
	arguments[2] = pack;
	memcpy( arguments + 3, options, count * sizeof( char* ) );
	arguments[count + 3] = "--"; // a name may start with a dash
	arguments[count + 4] = art;
	return arguments;
}

bool gelStartBake( gelBakeJob* job, const char* art, const char* pack, const char* const* options )
{
	*job = ( gelBakeJob ){ .terminal = -1, .label = "start" };
	char baker[4096], slave[128];
	const char** arguments = MakeArguments( art, pack, options );
	FindBaker( baker, sizeof( baker ) );
	char** environment = MakeEnvironment();
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init( &actions );
	posix_spawn_file_actions_addopen( &actions, 0, "/dev/null", O_RDONLY, 0 );
	posix_spawn_file_actions_addopen( &actions, 1, "/dev/null", O_WRONLY, 0 );
	bool hasTerminal = OpenTerminal( job, slave, sizeof( slave ) );
	posix_spawn_file_actions_addopen(
		&actions, 2, hasTerminal ? slave : "/dev/null", O_WRONLY | O_NOCTTY, 0 );
	pid_t process = 0;
	// posix_spawnp takes strings that are not const, but changes none.
	char* const* list = (char* const*)(uintptr_t)arguments;
	int error = ENOMEM;
	if ( environment != NULL && arguments != NULL )
		error = posix_spawnp( &process, baker, &actions, NULL, list, environment );
	posix_spawn_file_actions_destroy( &actions );
	free( environment );
	free( arguments );
	if ( error != 0 )
	{
		snprintf(
			job->error, sizeof( job->error ), "%.100s cannot be started: %.60s", baker, strerror( error ) );
		if ( job->terminal >= 0 ) close( job->terminal );
		job->terminal = -1;
		job->state = gel_bakeFailed;
		return false;
	}
	job->process = (int)process;
	job->state = gel_bakeRunning;
	return true;
}

// "[####....]  37 %  label" or a message.
static void ReadLine( gelBakeJob* job )
{
	GEL_ASSERT( job->lineLength >= 0 && job->lineLength < (int)sizeof( job->line ) );
	job->line[job->lineLength] = 0;
	job->lineLength = 0;
	const char* bar = strchr( job->line, ']' );
	int percent = 0;
	char label[48];
	if ( job->line[0] == '[' && bar != NULL && sscanf( bar, "] %d %% %47[^\033\n]", &percent, label ) == 2 )
	{
		job->progress = 0.01 * percent;
		snprintf( job->label, sizeof( job->label ), "%s", label );
		return;
	}
	const char* error = strstr( job->line, "error: " );
	if ( error != NULL && job->error[0] == 0 )
		snprintf( job->error, sizeof( job->error ), "%.*s", (int)strcspn( error, "\033" ), error );
}

static void Hear( gelBakeJob* job )
{
	char bytes[512];
	ssize_t count;
	while ( job->terminal >= 0 && ( count = read( job->terminal, bytes, sizeof( bytes ) ) ) > 0 )
	{
		for ( ssize_t i = 0; i < count; ++i )
		{
			bool ends = bytes[i] == '\r' || bytes[i] == '\n';
			if ( !ends && job->lineLength + 1 < (int)sizeof( job->line ) )
				job->line[job->lineLength++] = bytes[i];
			// A bar ends with "erase to the end of the line".
			bool erases = job->lineLength >= 3 && memcmp( job->line + job->lineLength - 3, "\033[K", 3 ) == 0;
			if ( ends || erases ) ReadLine( job );
		}
	}
}

gelBakeState gelBakeJob_Poll( gelBakeJob* job )
{
	if ( job->state != gel_bakeRunning ) return job->state;
	GEL_ASSERT( job->process > 0 ); // 0 and below are groups of processes, which waitpid would wait for
	Hear( job );
	int status = 0;
	pid_t ended = waitpid( job->process, &status, WNOHANG );
	if ( ended == 0 ) return job->state;
	// what it said between the last look and its end: that is where errors are
	Hear( job );
	if ( job->terminal >= 0 ) close( job->terminal );
	job->terminal = -1;
	bool ok = ended == job->process && WIFEXITED( status ) && WEXITSTATUS( status ) == 0;
	job->state = ok ? gel_bakeDone : gel_bakeFailed;
	if ( !ok && job->error[0] == 0 )
		snprintf( job->error, sizeof( job->error ), "gel-bake ended with %s %d",
			WIFEXITED( status ) ? "exit code" : "signal",
			WIFEXITED( status ) ? WEXITSTATUS( status ) : WTERMSIG( status ) );
	return job->state;
}

void gelBakeJob_Cancel( gelBakeJob* job )
{
	if ( job->state == gel_bakeRunning )
	{
		GEL_ASSERT( job->process > 0 ); // kill() takes 0 for our own group
		kill( job->process, SIGTERM );
		// SIGTERM removes the temporary files of the bake (pending_files.c) before it ends.
		waitpid( job->process, NULL, 0 );
		if ( job->terminal >= 0 ) close( job->terminal );
	}
	*job = ( gelBakeJob ){ .terminal = -1 };
}
