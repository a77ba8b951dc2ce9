// SPDX-License-Identifier: MIT
// What spares the search of the cells of a body for where a shape touches it (collider_contacts.h).
#pragma once

#include "contact/shapes/collider_contacts.h"

/// The side of a box that a body cannot get around in this step, as a plane: where everything that is swept
/// is over that side, and nearer to it than to any other, the box is not to be told from a half-space. A
/// floor made of boxes costs what the ground does then.
/// @param swept all places of the nodes in this step [m, body space] @return false: there is none
bool gelFindColliderSide(
	const gelBody* body, const gelAabb* swept, const gelColliderMotion* collider, gelColliderMotion* out );

/// Whether a plane between them keeps a body and a shape apart in this step. False tells nothing.
/// @param startCenter, endCenter of the shape [m, body space]
bool gelIsColliderApart(
	const gelBody* body, const gelColliderMotion* collider, gelVec3 startCenter, gelVec3 endCenter );
