// SPDX-License-Identifier: MIT
#include "options.h"
