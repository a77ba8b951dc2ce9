// SPDX-License-Identifier: MIT
#include "gelpack/gelpack.h"
