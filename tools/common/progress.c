// SPDX-License-Identifier: MIT
#include "progress.h"
