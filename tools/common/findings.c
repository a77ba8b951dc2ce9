// SPDX-License-Identifier: MIT
#include "findings.h"
