// SPDX-License-Identifier: MIT
// Values of settings as they are written on the command line.
#pragma once

#include "bake/body/pin_box.h"

/// Parses "X0,Y0,Z0,X1,Y1,Z1"; the corners may come in any order.
bool gelParsePinBox( const char* text, gelPinBox* out );
