// SPDX-License-Identifier: MIT
#include "pack_write.h"
