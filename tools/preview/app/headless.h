// SPDX-License-Identifier: MIT
// gel-preview without a window: simulate, then write what was asked for.
#pragma once

#include "preview/app/preview_options.h"

/// Everything that goes wrong becomes a finding. Says on stdout what it wrote.
void gelRunHeadless( const gelPreviewOptions* options, gelProgram* program );
