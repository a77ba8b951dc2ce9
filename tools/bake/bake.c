// SPDX-License-Identifier: MIT
#include "bake.h"
