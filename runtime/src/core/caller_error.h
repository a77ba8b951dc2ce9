// SPDX-License-Identifier: MIT
// Mistakes of callers: null pointers, NaN, wrong counts, stale ids, calls from inside of a step. A public
// function ends with them by GEL_CALLER_ERROR, which is the documented result in release builds and aborts in
// debug builds unless the game says otherwise (gelSetAssertFcn). What depends on data, as a pack without
// factors, a full world, or a point that cannot be moved, is a plain result in both.
#pragma once

#include "gelpack/base.h"

#ifdef GEL_ENABLE_CALLER_ASSERTS
/// Asks the function of gelSetAssertFcn, or aborts.
void gelReportCallerError( gelResult result, const char* function, int line );
#define GEL_CALLER_ERROR( result ) ( gelReportCallerError( result, __func__, __LINE__ ), result )
#else
#define GEL_CALLER_ERROR( result ) ( result )
#endif
