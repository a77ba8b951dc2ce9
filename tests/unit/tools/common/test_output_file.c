// SPDX-License-Identifier: MIT
// Whole files in, whole files out: an output is complete or it is not there.
#include "test_support.h"

#include "capture.h"
#include "common/program/memory.h"
#include "common/program/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* s_folder;
static gelFindings s_findings;
static gelCapture s_capture;

static int SetUp( void** state )
{
	(void)state;
	s_folder = gelMakeFolder();
	gelCapture_Begin( &s_capture, 2 );
	return 0;
}

static int TearDown( void** state )
{
	(void)state;
	free( gelCapture_End( &s_capture ) );
	gelFreeFindings( &s_findings );
	gelRemoveFolder( s_folder );
	return 0;
}

static const char* In( const char* name )
{
	static char paths[4][600];
	static int next;
	char* path = paths[next++ % 4];
	snprintf( path, sizeof( paths[0] ), "%s/%s", s_folder, name );
	return path;
}

static void WritePlain( const char* path, const char* text )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	fclose( file );
}

static void AssertContents( const char* path, const char* text )
{
	size_t bytes;
	uint8_t* read = gelReadFile( path, 1000000, &bytes, &s_findings );
	assert_non_null( read );
	assert_int_equal( bytes, strlen( text ) );
	assert_string_equal( (const char*)read, text ); // also: a zero follows
	free( read );
}

static void AssertLastError( int number, const char* part )
{
	assert_true( s_findings.count > 0 );
	const gelFinding* last = s_findings.items + s_findings.count - 1;
	assert_int_equal( last->number, number );
	if ( strstr( last->text, part ) == NULL ) fail_msg( "'%s' does not say '%s'", last->text, part );
}

static void RoundTrip( void** state )
{
	(void)state;
	assert_true( gelWriteFile( In( "a" ), "hello", 5, &s_findings ) );
	AssertContents( In( "a" ), "hello" );
	assert_true( gelWriteFile( In( "a" ), "", 0, &s_findings ) );
	AssertContents( In( "a" ), "" );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
	assert_int_equal( s_findings.count, 0 );
}

static void OddThingsAreNotRead( void** state )
{
	(void)state;
	size_t bytes;
	alarm( 20 ); // a hang fails the test
	assert_null( gelReadFile( In( "missing" ), 100, &bytes, &s_findings ) );
	AssertLastError( 1, "No such file" );
	assert_null( gelReadFile( s_folder, 100, &bytes, &s_findings ) );
	AssertLastError( 1, "folder" );
	assert_null( gelReadFile( "/dev/zero", 100, &bytes, &s_findings ) );
	AssertLastError( 1, "device" );
	assert_int_equal( mkfifo( In( "pipe" ), 0600 ), 0 );
	assert_null( gelReadFile( In( "pipe" ), 100, &bytes, &s_findings ) );
	AssertLastError( 1, "pipe" );
	alarm( 0 );
	assert_int_equal( s_findings.exitCode, gel_exitIo );
}

static void LimitsAreExact( void** state )
{
	(void)state;
	size_t bytes;
	WritePlain( In( "ten" ), "0123456789" );
	uint8_t* read = gelReadFile( In( "ten" ), 10, &bytes, &s_findings );
	assert_non_null( read );
	free( read );
	assert_null( gelReadFile( In( "ten" ), 9, &bytes, &s_findings ) );
	AssertLastError( 1, "limit of 9 bytes" );
	// a file whose size is not known beforehand
	if ( access( "/proc/self/status", R_OK ) != 0 ) return;
	assert_null( gelReadFile( "/proc/self/status", 10, &bytes, &s_findings ) );
	read = gelReadFile( "/proc/self/status", 100000, &bytes, &s_findings );
	assert_non_null( read );
	assert_true( bytes > 10 );
	free( read );
}

static void ImpossiblePathsAreErrors( void** state )
{
	(void)state;
	assert_false( gelWriteFile( In( "no/such/file" ), "x", 1, &s_findings ) );
	AssertLastError( 2, "No such file" );
	assert_false( gelWriteFile( s_folder, "x", 1, &s_findings ) );
	AssertLastError( 2, "directory" );
	assert_false( gelWriteFile( In( "new/" ), "x", 1, &s_findings ) );
	assert_false( gelWriteFile( "", "x", 1, &s_findings ) );
	assert_int_equal( mkfifo( In( "pipe" ), 0600 ), 0 );
	alarm( 20 );
	assert_false( gelWriteFile( In( "pipe" ), "x", 1, &s_findings ) ); // nobody reads
	alarm( 0 );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
}

static void DevicesAreWrittenToDirectly( void** state )
{
	(void)state;
	assert_true( gelWriteFile( "/dev/null", "x", 1, &s_findings ) );
	struct stat status;
	assert_int_equal( stat( "/dev/null", &status ), 0 );
	assert_true( S_ISCHR( status.st_mode ) );
	if ( access( "/dev/full", W_OK ) != 0 ) return;
	assert_false( gelWriteFile( "/dev/full", "x", 1, &s_findings ) );
	AssertLastError( 2, "No space left" );
}

// The limit of the file size stands for a full disk: write fails half way.
static void AFailureLeavesTheOldFile( void** state )
{
	(void)state;
	WritePlain( In( "a" ), "old" );
	struct rlimit old, small;
	getrlimit( RLIMIT_FSIZE, &old );
	small = ( struct rlimit ){ 4096, old.rlim_max };
	char* large = calloc( 1, 100000 );
	assert_int_equal( setrlimit( RLIMIT_FSIZE, &small ), 0 );
	bool written = gelWriteFile( In( "a" ), large, 100000, &s_findings );
	bool writtenNew = gelWriteFile( In( "b" ), large, 100000, &s_findings );
	setrlimit( RLIMIT_FSIZE, &old );
	free( large );
	assert_false( written || writtenNew );
	AssertLastError( 2, "File too large" );
	AssertContents( In( "a" ), "old" );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
}

static void LinksStayLinks( void** state )
{
	(void)state;
	struct stat status;
	WritePlain( In( "real" ), "old" );
	assert_int_equal( symlink( "real", In( "link" ) ), 0 );
	assert_int_equal( symlink( "link", In( "link2" ) ), 0 );
	assert_true( gelWriteFile( In( "link2" ), "new", 3, &s_findings ) );
	AssertContents( In( "real" ), "new" );
	assert_int_equal( lstat( In( "link" ), &status ), 0 );
	assert_true( S_ISLNK( status.st_mode ) );
	assert_int_equal( symlink( "later", In( "dangling" ) ), 0 );
	assert_true( gelWriteFile( In( "dangling" ), "there", 5, &s_findings ) );
	AssertContents( In( "later" ), "there" );
	assert_int_equal( symlink( "loop", In( "loop" ) ), 0 );
	assert_false( gelWriteFile( In( "loop" ), "x", 1, &s_findings ) );
}

static void ModesAreKept( void** state )
{
	(void)state;
	struct stat status;
	WritePlain( In( "a" ), "old" );
	chmod( In( "a" ), 0640 );
	assert_true( gelWriteFile( In( "a" ), "new", 3, &s_findings ) );
	assert_int_equal( stat( In( "a" ), &status ), 0 );
	assert_int_equal( status.st_mode & 0777, 0640 );
	mode_t mask = umask( 027 );
	assert_true( gelWriteFile( In( "b" ), "new", 3, &s_findings ) );
	umask( mask );
	assert_int_equal( stat( In( "b" ), &status ), 0 );
	assert_int_equal( status.st_mode & 0777, 0640 );
}

static void StreamsAppearOnCommit( void** state )
{
	(void)state;
	gelOutputFile file;
	assert_true( gelOutputFile_Begin( &file, In( "a" ), &s_findings ) );
	fputs( "text", file.stream );
	fflush( file.stream );
	assert_int_not_equal( access( In( "a" ), F_OK ), 0 );
	assert_true( gelOutputFile_Commit( &file, &s_findings ) );
	AssertContents( In( "a" ), "text" );
	assert_true( gelOutputFile_Begin( &file, In( "a" ), &s_findings ) );
	fputs( "other", file.stream );
	gelOutputFile_Abort( &file );
	AssertContents( In( "a" ), "text" );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
}

static void DraftsAppearOnCommit( void** state )
{
	(void)state;
	gelOutputFile draft;
	WritePlain( In( "a" ), "old" );
	chmod( In( "a" ), 0640 );
	assert_true( gelDraftFile( &draft, In( "a" ), "new", 3 ) );
	AssertContents( draft.temporaryPath, "new" ); // all of it, before it has its name
	AssertContents( In( "a" ), "old" );
	gelOutputFile_Abort( &draft );
	AssertContents( In( "a" ), "old" );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
	assert_true( gelDraftFile( &draft, In( "a" ), "new", 3 ) );
	assert_true( gelOutputFile_Commit( &draft, &s_findings ) );
	gelOutputFile_Abort( &draft ); // does nothing any more
	AssertContents( In( "a" ), "new" );
	struct stat status;
	assert_int_equal( stat( In( "a" ), &status ), 0 );
	assert_int_equal( status.st_mode & 0777, 0640 );
	assert_int_equal( gelCountFiles( s_folder ), 1 );
	assert_int_equal( s_findings.count, 0 );
}

// Not a byte where it could not be taken back, and nothing left of what did not fit.
static void DraftsFailInSilence( void** state )
{
	(void)state;
	gelOutputFile draft;
	assert_int_equal( mkfifo( In( "pipe" ), 0600 ), 0 );
	int reader = open( In( "pipe" ), O_RDONLY | O_NONBLOCK );
	assert_true( reader >= 0 );
	assert_false( gelDraftFile( &draft, In( "pipe" ), "x", 1 ) );
	char byte;
	assert_int_equal( read( reader, &byte, 1 ), 0 );
	close( reader );
	assert_false( gelDraftFile( &draft, "/dev/null", "x", 1 ) );
	assert_false( gelDraftFile( &draft, In( "no/such/file" ), "x", 1 ) );
	struct rlimit old, small;
	getrlimit( RLIMIT_FSIZE, &old );
	small = ( struct rlimit ){ 4096, old.rlim_max };
	char* large = calloc( 1, 100000 );
	assert_int_equal( setrlimit( RLIMIT_FSIZE, &small ), 0 );
	bool written = gelDraftFile( &draft, In( "b" ), large, 100000 );
	setrlimit( RLIMIT_FSIZE, &old );
	free( large );
	assert_false( written );
	assert_null( draft.temporaryPath );
	assert_int_equal( gelCountFiles( s_folder ), 1 ); // the pipe
}

// Who gets no memory ends the process, wherever that is.
static void ALackOfMemoryLeavesNothing( void** state )
{
	(void)state;
	fflush( NULL );
	pid_t child = fork();
	assert_true( child >= 0 );
	if ( child == 0 )
	{
		gelOutputFile draft;
		if ( gelDraftFile( &draft, In( "a" ), "x", 1 ) && gelCountFiles( s_folder ) == 1 )
			gelExitWithoutMemory( 1, "ask for less" );
		_exit( 99 );
	}
	int status;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_true( WIFEXITED( status ) && WEXITSTATUS( status ) == gel_exitInternal );
	assert_int_equal( gelCountFiles( s_folder ), 0 );
}

static void DieBy( int number )
{
	fflush( NULL );
	pid_t child = fork();
	assert_true( child >= 0 );
	if ( child == 0 )
	{
		gelOutputFile file;
		bool ok = gelOutputFile_Begin( &file, In( "a" ), &s_findings ) && gelCountFiles( s_folder ) == 1;
		if ( ok && number == SIGABRT ) abort();
		if ( ok ) raise( number );
		_exit( 99 );
	}
	int status;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_true( WIFSIGNALED( status ) && WTERMSIG( status ) == number );
	assert_int_equal( gelCountFiles( s_folder ), 0 );
}

static void ASignalLeavesNothing( void** state )
{
	(void)state;
	static const int numbers[] = { SIGTERM, SIGQUIT, SIGABRT, SIGPIPE };
	for ( int i = 0; i < 4; ++i )
		DieBy( numbers[i] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( RoundTrip, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( OddThingsAreNotRead, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( LimitsAreExact, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( ImpossiblePathsAreErrors, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( DevicesAreWrittenToDirectly, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( AFailureLeavesTheOldFile, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( LinksStayLinks, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( ModesAreKept, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( StreamsAppearOnCommit, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( DraftsAppearOnCommit, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( DraftsFailInSilence, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( ALackOfMemoryLeavesNothing, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( ASignalLeavesNothing, SetUp, TearDown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
