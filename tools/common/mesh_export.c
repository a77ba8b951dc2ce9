// SPDX-License-Identifier: MIT
#include "mesh_export.h"
