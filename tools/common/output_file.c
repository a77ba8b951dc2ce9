// SPDX-License-Identifier: MIT
#include "output_file.h"
