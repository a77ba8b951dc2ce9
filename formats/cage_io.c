// SPDX-License-Identifier: MIT
#include "cage_io.h"
