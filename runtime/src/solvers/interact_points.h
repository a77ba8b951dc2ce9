// SPDX-License-Identifier: MIT
// Embedded points as handles. With weights w_i (sum 1) on the corners of a tet and node masses m_i
//     p = sum w_i x_i,   force or impulse at p -> w_i f on node i,   1/m_p = sum w_i^2 / m_i
//     a wanted change dp -> dx_i = ( w_i m_p / m_i ) dp,  so that sum w_i dx_i = dp and sum m_i dx_i = m_p
//     dp:
// the change of one impulse m_p dp at p, which keeps angular momentum as well. (Civit-Flores, section 3.4,
// whose Eq. 3.29 should end in f_p / m_p.) Spreading dp by w_i / sum w_j^2 instead would be wrong for nodes
// of unequal mass.
#pragma once

#include "state/body.h"

/// Whether a point may be acted on: a tet of the asset, and weights of sum 1 within -0.1 .. 1.1.
bool gelIsHandle( const gelBody* body, const gelEmbeddedPoint* point );
