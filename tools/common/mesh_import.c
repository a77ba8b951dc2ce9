// SPDX-License-Identifier: MIT
#include "mesh_import.h"
