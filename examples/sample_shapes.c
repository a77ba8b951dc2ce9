// SPDX-License-Identifier: MIT
#include "mesh.h"
