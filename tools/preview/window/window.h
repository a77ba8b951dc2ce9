// SPDX-License-Identifier: MIT
#pragma once

#include "preview/app/preview_options.h"

/// Shows the packs in a window and stays until it is closed. Errors are in the program's findings.
void gelRunWindow( const gelPreviewOptions* options, gelProgram* program );
