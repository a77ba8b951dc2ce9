// SPDX-License-Identifier: MIT
// A parallel-for over plain threads that take item after item.
#pragma once

#include <gelpack/gelpack.h>

#include <stdatomic.h>

#define GEL_MAX_CREW 64

/// gelCrew crew = { .workerCount = n }; def.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, n };
typedef struct gelCrew
{
	int workerCount; // at most GEL_MAX_CREW
	gelTaskFcn* task;
	void* taskContext;
	int itemCount;
	atomic_int next;
} gelCrew;

/// @param context a gelCrew
void gelCrew_ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext );
