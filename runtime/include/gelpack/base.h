// SPDX-License-Identifier: MIT
// What every other header needs: export macro, version, result codes, and the hooks through which
// the game lends memory, threads and a log.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define GEL_EXTERN extern "C"
#else
#define GEL_EXTERN extern
#endif

#if defined( GELPACK_SHARED ) && defined( _WIN32 )
#if defined( GELPACK_EXPORTS )
#define GEL_API GEL_EXTERN __declspec( dllexport )
#else
#define GEL_API GEL_EXTERN __declspec( dllimport )
#endif
#elif defined( GELPACK_SHARED ) && defined( GELPACK_EXPORTS )
#define GEL_API GEL_EXTERN __attribute__( ( visibility( "default" ) ) )
#else
#define GEL_API GEL_EXTERN
#endif

#define GEL_VERSION_MAJOR 0
#define GEL_VERSION_MINOR 1
#define GEL_VERSION_PATCH 0

/// One number to compare with: 10203 is 1.2.3.
#define GEL_VERSION_NUMBER ( GEL_VERSION_MAJOR * 10000 + GEL_VERSION_MINOR * 100 + GEL_VERSION_PATCH )

/// "0.1.0"
#define GEL_VERSION_STRING                                                                                   \
	GEL_TEXT_OF( GEL_VERSION_MAJOR ) "." GEL_TEXT_OF( GEL_VERSION_MINOR ) "." GEL_TEXT_OF( GEL_VERSION_PATCH )
#define GEL_TEXT_OF( macro ) GEL_QUOTE( macro )
#define GEL_QUOTE( text )    #text

/// Version of a compiled library or of these headers.
typedef struct gelVersion
{
	int major, minor, patch;
} gelVersion;

/// Version of the library that is linked, to be compared with the GEL_VERSION_* macros.
GEL_API gelVersion gelGetVersion( void );

/// Outcome of a call. Permanent numbers; zero is success. Null pointers, numbers that are none, stale ids and
/// calls from inside of a step are mistakes in the code that calls: debug builds abort (gelSetAssertFcn).
typedef enum gelResult
{
	gel_success = 0,
	gel_errorArgument = 1,     ///< null pointer, NaN, wrong count, a def without its default
	gel_errorMemory = 2,       ///< the allocator returned NULL
	gel_errorIo = 3,           ///< a file could not be read
	gel_errorAlignment = 4,    ///< the buffer is not 64-byte aligned
	gel_errorTruncated = 5,    ///< the pack is shorter or longer than it says
	gel_errorNotAPack = 6,     ///< magic, byte order
	gel_errorVersion = 7,      ///< baked for another major version: bake again
	gel_errorChecksum = 8,     ///< the pack is damaged
	gel_errorCorrupt = 9,      ///< the pack breaks a rule of the format
	gel_errorNoFactor = 10,    ///< no factor is baked for this step length and pin set
	gel_errorNoPinSet = 11,    ///< the pack has no such pin set
	gel_errorFull = 12,        ///< a capacity of the def of the world or the body is used up
	gel_errorStaleId = 13,     ///< what the id was of was destroyed
	gel_errorLocked = 14,      ///< called from a callback during gelWorld_Step
	gel_errorUnsupported = 15, ///< the pack does not carry what is asked for, or the build leaves it out
} gelResult;

/// Static English text of a result, never NULL.
GEL_API const char* gelResult_String( gelResult result );

/// Hears of a mistake of the caller: gel_errorArgument, gel_errorStaleId or gel_errorLocked is about to be
/// returned, or zero in place of a result.
/// @param function that was called, or one that it has called
/// @return true: abort; false: go on as a release build does
typedef bool gelAssertFcn( gelResult result, const char* function, int line );

/// Who is asked about mistakes of callers, on all threads; NULL, the default: print and abort. Debug builds
/// of the library only (CMake: Debug, or with sanitizers); others never ask, and this does nothing.
GEL_API void gelSetAssertFcn( gelAssertFcn* fcn );

/// Memory of the game. Zero means malloc and free; else both hooks must be set.
typedef struct gelAllocator
{
	/// Returns bytes aligned to alignment (a power of two, at most 64), or NULL. Memory that is not aligned
	/// as asked is given back and counts as out of memory.
	void* ( *alloc )( void* context, size_t bytes, size_t alignment );
	/// Gets what alloc gave, with the same number of bytes.
	void ( *free )( void* context, void* memory, size_t bytes );
	/// Handed to both hooks.
	void* context;
} gelAllocator;

/// One slice [begin, end) of a parallel loop. worker is in [0, workerCount) and no two slices run on
/// one worker at the same time.
typedef void gelTaskFcn( int begin, int end, int worker, void* taskContext );

/// Threads of the game. Zero means: everything on the calling thread. Results do not depend on it.
typedef struct gelTaskSystem
{
	/// Runs task over [0, itemCount) in slices of at least minRange, in any order on any threads, and
	/// returns when all are done.
	void ( *parallelFor )( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext );
	/// Handed to parallelFor.
	void* context;
	/// >= 1 when parallelFor is set. With 1 parallelFor is not called.
	int workerCount;
} gelTaskSystem;

/// Receives one line of text (no newline) about things that the caller should fix.
typedef void gelLogFcn( void* context, const char* text );
