// SPDX-License-Identifier: MIT
// Touches of the last two steps, from which events are made (gelWorld_GetContactEvents).
#pragma once

#include "contact/contact_records.h"

struct gelWorld;

/// After a step: what touches now, and what did before.
void gelContactEvents_Update( struct gelWorld* world );
