// SPDX-License-Identifier: MIT
// An allocator that counts its calls, to show when memory is taken and when not.
#pragma once

#include "gelpack/base.h"

/// @param calls grows with each block that is taken or given back; must outlive the world
gelAllocator gelMakeCountingAllocator( int* calls );
