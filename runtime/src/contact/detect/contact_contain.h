// SPDX-License-Identifier: MIT
// A body inside of another one: no triangles cross, and still there is something to push out.
//
// Some vertices tell, when no curves are there: the surface of the other body winds around all of them, or it
// does not. (Bodies of several closed surfaces have to be inside with all of them.) Out is the shortest of 14
// directions, those of the faces of a gelDop: from the middle of the inner body to where a ray leaves the
// outer one, and as far again as the inner body reaches back. Then patches of the inner body are given
// contacts along it.
#pragma once

#include "contact/detect/contact_rays.h"

/// Contacts on their way out: the deepest are kept when there is no room.
typedef struct gelContactList
{
	gelFoundContact* items;
	int count, capacity;
	uint32_t droppedCount;
} gelContactList;

void gelContactList_Add( gelContactList* list, const gelFoundContact* contact );

/// The side that is inside of the other one; -1: none. Only if no triangles cross.
int gelFindContained( gelRayCaster* caster );

/// Adds contacts that push one body out of the other, if it is inside.
/// @param isForced the smaller one is pushed in any case: too many triangles cross to find out more
void gelPushOut( gelRayCaster* caster, gelContactList* list, bool isForced );
