// SPDX-License-Identifier: MIT
// A parallel-for over threads that stay and take item after item, as a game's do: starting a thread takes
// longer than most of what is shared.
#pragma once

#include <gelpack/gelpack.h>

#include <pthread.h>
#include <stdatomic.h>

#define GEL_MAX_CREW 64

typedef struct gelCrewMember
{
	struct gelCrew* crew;
	int worker;
	pthread_t thread;
} gelCrewMember;

/// gelCrew crew = { .workerCount = n }; def.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, n }; it
/// must stay where it is until gelFreeCrew.
typedef struct gelCrew
{
	int workerCount; // at most GEL_MAX_CREW
	gelTaskFcn* task;
	void* taskContext;
	int itemCount;
	atomic_int next;
	atomic_uint round; // counts calls: members wait for it to change
	atomic_int busy;   // members that are not done with the round
	atomic_bool isOver;
	int startedCount; // members beside the caller
	gelCrewMember members[GEL_MAX_CREW];
} gelCrew;

/// @param context a gelCrew
void gelCrew_ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext );

/// Sends the threads home.
void gelFreeCrew( gelCrew* crew );
