// SPDX-License-Identifier: MIT
// gel-bake --verify: is the pack that is there what its sources bake to now, and if not, which level of it?
#pragma once

#include "common/program/program.h"

/// Compares a pack in a file with what its sources bake to now; says so, or adds T0544 and names the levels
/// that differ.
void gelVerifyBake( const char* path, const uint8_t* bytes, size_t byteCount, gelProgram* program );
