// SPDX-License-Identifier: MIT
// The state of a body as a list of spans (state_span.h).
#pragma once

#include "state/state_span.h"

/// Bits of gelStateScalars.sleep. The second decides whether the body wakes those around it.
#define GEL_STATE_ASLEEP 1u
#define GEL_STATE_STILL  2u // gelBodyContact.isStill
#define GEL_STATE_MEETS  4u // gelBodyContact.meetsOthers

/// Numbers of a body that are not in arrays. No padding.
typedef struct gelStateScalars
{
	double origin[3];
	double seenOrigin[3]; // gelBodyContact.seenOrigin [m]
	float stillTime;
	uint32_t sleep; // GEL_STATE_* bits
	uint32_t wasPutBack;
	int32_t groundContactCount;
	float calmSpeed; // gelBodyContact.calmSpeed [m/s]
	uint32_t zero;   // no padding
} gelStateScalars;
