// SPDX-License-Identifier: MIT
#include "common/program/progress.h"

#include "common/program/report.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UPDATE_PERIOD ( 1.0 / 6.0 ) // [s]
#define BAR_CELLS     24

void gelInitProgress( gelProgress* progress, bool quiet )
{
	const char* terminal = getenv( "TERM" );
	bool dumb = terminal == NULL || strcmp( terminal, "dumb" ) == 0;
	*progress = ( gelProgress ){ 0 };
	progress->enabled = !quiet && !dumb && isatty( STDERR_FILENO );
}

void gelProgress_Update( gelProgress* progress, const char* label, double fraction )
{
	GEL_ASSERT( label != NULL );
	if ( !progress->enabled ) return;
	double now = gelNow();
	if ( progress->lastUpdate > 0.0 && now - progress->lastUpdate < UPDATE_PERIOD ) return;
	if ( !( fraction >= 0.0 ) ) fraction = 0.0; // NaN too
	if ( fraction > 1.0 ) fraction = 1.0;

	char bar[BAR_CELLS + 1];
	int full = (int)( fraction * BAR_CELLS );
	memset( bar, '#', (size_t)full );
	memset( bar + full, '.', (size_t)( BAR_CELLS - full ) );
	bar[BAR_CELLS] = 0;
	fprintf( stderr, "\r[%s] %3d %%  %.40s\033[K", bar, (int)( fraction * 100.0 ), label );
	progress->shown = true;
	progress->lastUpdate = now;
	progress->label = label;
}

void gelProgress_Clear( gelProgress* progress )
{
	if ( !progress->shown ) return;
	fputs( "\r\033[K", stderr );
	progress->shown = false;
}
