// SPDX-License-Identifier: MIT
#include "cage/whole_file.h"

#include "gelpack/asserts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* KindOf( mode_t mode )
{
	return S_ISDIR( mode ) ? "is a folder"
		: S_ISFIFO( mode ) ? "is a pipe"
		: S_ISSOCK( mode ) ? "is a socket"
						   : "is a device";
}

// Reads to the end, whatever size was promised: files in /proc say 0, and a file may grow meanwhile. Stops
// after maxBytes + 1. errno is 0 unless something failed.
static uint8_t* ReadToEnd( int descriptor, size_t expected, size_t maxBytes, size_t* outUsed )
{
	size_t capacity = expected + 2, used = 0; // one for the zero, one to see the end
	uint8_t* bytes = malloc( capacity );
	errno = bytes == NULL ? ENOMEM : 0;
	while ( bytes != NULL && used <= maxBytes )
	{
		if ( used + 1 == capacity )
		{
			uint8_t* larger = realloc( bytes, 2 * capacity + 4096 );
			if ( larger == NULL )
			{
				errno = ENOMEM;
				break;
			}
			bytes = larger;
			capacity = 2 * capacity + 4096;
		}
		ssize_t got = read( descriptor, bytes + used, capacity - 1 - used );
		if ( got < 0 && errno == EINTR ) continue;
		if ( got <= 0 ) break;
		used += (size_t)got;
	}
	if ( bytes != NULL ) bytes[used] = 0;
	*outUsed = used;
	return bytes;
}

static gelReadResult ReadOpened( int descriptor, size_t maxBytes, uint8_t** outBytes, size_t* outByteCount,
	char* outReason, size_t reasonCapacity )
{
	struct stat status;
	if ( fstat( descriptor, &status ) != 0 )
	{
		snprintf( outReason, reasonCapacity, "cannot be read: %s", strerror( errno ) );
		return gel_readFailed;
	}
	if ( !S_ISREG( status.st_mode ) )
	{
		snprintf( outReason, reasonCapacity, "%s; a regular file is needed", KindOf( status.st_mode ) );
		return gel_readFailed;
	}
	uint8_t* bytes = NULL;
	size_t used = 0;
	errno = 0;
	bool tooLarge = (uint64_t)status.st_size > maxBytes;
	if ( !tooLarge ) bytes = ReadToEnd( descriptor, (size_t)status.st_size, maxBytes, &used );
	int error = errno;
	tooLarge = tooLarge || used > maxBytes;
	if ( error == 0 && !tooLarge )
	{
		*outBytes = bytes;
		*outByteCount = used;
		return gel_readOk;
	}
	free( bytes );
	if ( tooLarge )
		snprintf( outReason, reasonCapacity, "is larger than the limit of %zu bytes", maxBytes );
	else if ( error == ENOMEM )
		snprintf(
			outReason, reasonCapacity, "there is no memory for its %lld bytes", (long long)status.st_size );
	else
		snprintf( outReason, reasonCapacity, "cannot be read: %s", strerror( error ) );
	return error == ENOMEM ? gel_readNoMemory : gel_readFailed;
}

gelReadResult gelReadWholeFile( const char* path, size_t maxBytes, uint8_t** outBytes, size_t* outByteCount,
	char* outReason, size_t reasonCapacity )
{
	GEL_ASSERT( path != NULL && reasonCapacity > 0 );
	*outBytes = NULL;
	*outByteCount = 0;
	// Not blocking, so that a pipe without a writer is noticed instead of waited for.
	int descriptor = open( path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC );
	if ( descriptor < 0 )
	{
		snprintf( outReason, reasonCapacity, "cannot be read: %s", strerror( errno ) );
		return gel_readFailed;
	}
	gelReadResult result =
		ReadOpened( descriptor, maxBytes, outBytes, outByteCount, outReason, reasonCapacity );
	close( descriptor );
	return result;
}
