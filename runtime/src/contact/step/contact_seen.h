// SPDX-License-Identifier: MIT
// Bodies that lie still are not looked at in every step. Each body has a place where it was seen: its nodes
// when one of them had last moved by more than a margin. Contacts are found there, by the same determination
// as ever, so they depend on nothing but the places (which are state of the bodies) and on what carried load:
// as long as neither changes, the list of the step before is the list of this one, bit for bit, and is taken
// over. What changes with every step is the depth, which follows the points of the contact.
//
// Bodies that are faster than the margin per step are seen where they are.
#pragma once

#include "contact/contact_records.h"

struct gelWorld;

/// The surface of a body where it was seen; gelBody_NeedSeenCoarse was called.
gelContactSurface gelBody_GetSeenSurface( gelBody* body );

/// Before a round of pairs is looked at: sees the bodies of its pairs that have moved, and finds out which of
/// the pairs go on as they were (gelBodyPair.seen) and which trees the others need.
void gelFindSeenPairs( struct gelWorld* world );

/// The contacts of a pair that goes on. @param out GEL_MAX_PAIR_CONTACTS @return their count
int gelTakeSeen( const gelContactStep* step, gelBodyPair* pair, gelFoundContact* out );

/// Depth of a contact that was found where its bodies were seen, where they are now [m]. It may be below
/// zero.
float gelFollowDepth( const gelBodyPair* pair, const gelFoundContact* found );

/// After all: keeps what the next step may take over.
void gelRememberSeen( gelContactStep* step );
