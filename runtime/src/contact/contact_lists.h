// SPDX-License-Identifier: MIT
// What is remembered of the last step: lists for the game, and loads for the next step.
#pragma once

#include "contact/contact_records.h"

struct gelWorld;

/// Takes the contacts of a body that is about to go out of the list of the last step.
void gelContactStep_Forget( gelContactStep* step, const gelBody* body );
/// The same for a collider, 1-based.
void gelContactStep_ForgetCollider( gelContactStep* step, uint32_t collider1 );

/// Forgets the contacts of the last step.
void gelContactStep_Clear( gelContactStep* step );

/// Lets all bodies forget how they touched somebody. @param other a collider, 1-based, or GEL_OTHER_BODY and
/// the slot of a body
void gelForgetLoads( struct gelWorld* world, uint32_t other );

/// Makes room for the detection of contacts on the surface of an asset. @return false: no memory
bool gelReserveContactScratch( struct gelWorld* world, const gelAsset* asset );
