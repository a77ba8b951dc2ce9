// SPDX-License-Identifier: MIT
// Impulses that contacts had in the last step, as the loads that the next step of their bodies begins with. A
// body that lies on something is then at rest in the eyes of its own solver, volume and all: contact has
// nothing left to do, whatever operator it would answer with. (Answers by A^-1 alone, which lacks the volume
// term, would act on a body at rest like a force h^2 K_lambda A^-1 lambda: it lost 1 to 4.5 % of its volume,
// the longer the step the more.)
//
// Loads follow the impulses slowly, so that a blow is not repeated and what swings from step to step dies
// out.
#pragma once

#include "contact/response/contact_solve.h"

struct gelWorld;

/// Finds what contacts that surfaces have now had in the last step: kept->load. @param kept contacts
/// of one pair
void gelRecallLoads( const gelBodyPair* pair, gelKeptContact* kept, float h );

/// Whether a contact of the last step with this feature carried a load.
bool gelHasLoad( const gelBodyPair* pair, uint64_t feature );

/// Hash of the features of all contacts of a pair that carried a load in the last step.
uint64_t gelHashLoads( const gelBodyPair* pair );

/// Who B is, as gelCachedContact.other has it.
uint32_t gelBodyPair_GetOther( const gelBodyPair* pair );

/// Adds the loads of contacts between bodies. @param kept contacts of one pair
void gelGivePairLoads( const gelBodyPair* pair, const gelKeptContact* kept );

/// Adds the loads of points on the ground and on shapes, and hands all loads of a body to its solver. Before
/// its step.
void gelGiveLoads( const struct gelWorld* world, gelBody* body, const gelStepContext* ctx );

/// Remembers the impulses of an island for the next step.
void gelKeepLoads( const gelIslandWork* work );
