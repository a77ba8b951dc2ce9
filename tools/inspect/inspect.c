// SPDX-License-Identifier: MIT
#include "pack_read.h"
