// SPDX-License-Identifier: MIT
// No tet stays inside out by the weight of its body.
//
// The energy ( det F - 1 )^2 is finite where a tet is flat, so a load that is large enough presses tets
// inside out, and a body that lies on them keeps them so: a character on legs of 100 kPa, anything of 50 m.
// So in a body on the ground or on shapes, tets below GEL_LEAST_VOLUME of their rest volume are held there by
// the move of wide_volume_moves.h without compliance, until none is below or GEL_MAX_UNFOLDS passes are done.
// That is after contacts, which fold tets, too; points that the ground and shapes carry are not moved into
// them. Constraints come last and are kept, even if they fold tets. Bodies that touch other bodies are left
// alone: unfolded against each other, thirty in a pit moved by 67 mm/s after five seconds, in place of 8.
//
// Only bodies in which a sweep has met a tet below GEL_FLAT_VOLUME are looked at; all others keep their bits.
// 112 meshes of 5 mm, 5 cm, 0.5, 1.7, 5 and 50 m, dropped from 1 m with the default material: 11,008 tets of
// 131 bodies were inside out two seconds later, now single tets of few of them.
#pragma once

/// Part of its rest volume that a tet keeps whatever lies on it.
#define GEL_LEAST_VOLUME 0.1f

/// Part of the rest volume below which a sweep tells of a tet: contacts may take the rest of it in the same
/// step.
#define GEL_FLAT_VOLUME 0.5f

/// A body of which more than one tet in so many was inside out when the step began is tangled: forces and
/// volume constraints take it apart as a whole, while moves of single tets would tie it for good. So they
/// would in a body that nothing touches, and which goes back to its shape by itself.
#define GEL_UNFOLDING_PART 64

/// Passes in a step at most. In drops of 50 m ten times as many leave no fewer tets inside out.
#define GEL_MAX_UNFOLDS 20
