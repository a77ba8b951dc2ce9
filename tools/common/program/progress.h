// SPDX-License-Identifier: MIT
// A progress line on stderr, for terminals only: at most six updates a second, erased at the end.
#pragma once

#include <stdbool.h>

/// Zero bits: no progress is shown.
typedef struct gelProgress
{
	bool enabled;
	bool shown;
	double lastUpdate; // [s]
	const char* label;
} gelProgress;

/// Enabled when stderr is a terminal and quiet is false.
void gelInitProgress( gelProgress* progress, bool quiet );
/// fraction in [0,1].
void gelProgress_Update( gelProgress* progress, const char* label, double fraction );
void gelProgress_Clear( gelProgress* progress );
