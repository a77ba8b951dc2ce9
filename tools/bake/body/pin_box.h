// SPDX-License-Identifier: MIT
// Pins by place: the nodes inside of boxes. All boxes of a command line make one pin set, so that for
// instance both ends of a beam are held together.
#pragma once

#include "bake/body/bake.h"

/// Nodes of the cage inside of any of the boxes. free() the nodes.
gelBakePinSet gelPinNodesInBoxes( const gelCage* cage, const gelPinBox* boxes, int boxCount );
