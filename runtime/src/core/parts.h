// SPDX-License-Identifier: MIT
// Parts that a build may leave out: GELPACK_NO_IMPLICIT, GELPACK_NO_WARP, GELPACK_NO_PARTICLES,
// GELPACK_NO_CONSTRAINTS, GELPACK_NO_LOD, GELPACK_NO_DRAW and GELPACK_NO_EXPERIMENTS. Their folders are not
// compiled then (runtime/CMakeLists.txt, scripts/amalgamate), and their rows in the table of solvers are
// empty.
#pragma once

// The implicit solver projects onto the rows of constraints, debug drawing shows attachment points.
#if defined( GELPACK_NO_CONSTRAINTS ) && !defined( GELPACK_NO_IMPLICIT )
#define GELPACK_NO_IMPLICIT
#endif
#if defined( GELPACK_NO_CONSTRAINTS ) && !defined( GELPACK_NO_DRAW )
#define GELPACK_NO_DRAW
#endif

// The warp-cancelling solver shares the step of the implicit one, and experiments are variants of it.
#if defined( GELPACK_NO_IMPLICIT ) && !defined( GELPACK_NO_WARP )
#define GELPACK_NO_WARP
#endif
#if defined( GELPACK_NO_IMPLICIT ) && !defined( GELPACK_NO_EXPERIMENTS )
#define GELPACK_NO_EXPERIMENTS
#endif
