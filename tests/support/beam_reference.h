// SPDX-License-Identifier: MIT
// What a body should do: its energy Psi = mu |F - R|^2 + lambda/2 (J - 1)^2 minimized in double until nothing
// is left, alone (statics) or with inertia (backward Euler). For small bodies of one material with pins whose
// elements do not invert.
#pragma once

#include "asset/asset.h"

typedef struct gelReference
{
	const gelAsset* asset;
	int n;
	double stiffnessScale;
	double gravity; // along y [m/s^2]
	const bool* isPinned;
	double *x, *v; // 3 n, state [m], [m/s]
	double* memory;
} gelReference;

/// At rest, undeformed.
gelReference gelMakeReference( const gelAsset* asset, const bool* isPinned, double gravity );
void gelFreeReference( gelReference* reference );

/// Goes to where the forces balance.
void gelReference_Settle( gelReference* reference );

/// One step of backward Euler, solved to the end.
void gelReference_Step( gelReference* reference, double h );

/// Mean displacement along y of the nodes whose rest position has x >= at [m].
double gelReference_GetSag( const gelReference* reference, double at );
