// SPDX-License-Identifier: MIT
#include "tetrafy.h"
