// SPDX-License-Identifier: MIT
#include "core/caller_error.h"

#ifdef GEL_ENABLE_CALLER_ASSERTS
#include <stdio.h>
#include <stdlib.h>

// The only variable of the library, in debug builds only. Set before threads ask.
static gelAssertFcn* s_assertFcn;

void gelSetAssertFcn( gelAssertFcn* fcn )
{
	s_assertFcn = fcn;
}

void gelReportCallerError( gelResult result, const char* function, int line )
{
	if ( s_assertFcn != NULL && !s_assertFcn( result, function, line ) ) return;
	fprintf( stderr, "gelpack: %s line %d: %s\n", function, line, gelResult_String( result ) );
	abort();
}
#else
void gelSetAssertFcn( gelAssertFcn* fcn )
{
	(void)fcn;
}
#endif
