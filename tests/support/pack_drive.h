// SPDX-License-Identifier: MIT
// Uses a pack for all that it is worth: what hostile bytes that pass the validator must survive.
#pragma once

#include "pack/pack_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads every index and every number of a validated pack and follows the indices, so that a sanitizer sees
/// each one that is out of range. @return a number that depends on all of them
double gelTouchPack( const gelPackView* view );

/// Loads a pack with the runtime and, for every factor, lets a body fall onto the ground for two steps and
/// reads back all results, then takes it through all levels of detail. @return false when the runtime refused
/// the pack
bool gelDrivePack( const uint8_t* bytes, size_t byteCount );
