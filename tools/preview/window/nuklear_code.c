// SPDX-License-Identifier: MIT
// The one place where nuklear is compiled. Built without our warnings: not our code.
#define NK_IMPLEMENTATION
#include "preview/window/nuklear_setup.h"
