// SPDX-License-Identifier: MIT
// Painted bodies: attributes or colors of the art's vertices that say how stiff, how heavy and where held a
// body is (docs/materials.md), carried from the surface into the tets of the cage.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"

/// What can be painted.
typedef struct gelPaintKindInfo
{
	const char* name;
	const char* attribute; // attribute that is looked for without a rule
	const char* quantity;
	double max;
} gelPaintKindInfo;

extern const gelPaintKindInfo gelPaintKinds[gel_paintKindCount];

/// "color.r" to "color.a", or an attribute: '_' and at most 62 bytes, none of them a colon.
bool gelIsPaintChannel( const char* name );

/// Whether the art has this paint.
bool gelIsPainted( const gelPaintRules* rules, const gelMesh* mesh, gelPaintKind kind );

/// Everything that painting reads.
typedef struct gelPaintInput
{
	const gelPaintRules* rules;
	const gelMesh* mesh;
	const char* file; // path of the art, for messages
	const gelCage* cage;
	const gelBakeMaterial* base; // material of vertices that are not painted
	int threads;
} gelPaintInput;

typedef struct gelPaintResult
{
	double* young;   // [tetCount] [Pa]; NULL: not painted
	double* density; // [tetCount] [kg/m^3]; NULL: not painted
	double* pin;     // [nodeCount] 0 to 1; NULL: not painted
} gelPaintResult;

/// Values of tets and nodes of the cage as it is given. Memory belongs to the pool. False: findings were
/// added.
bool gelReadPaint(
	const gelPaintInput* input, gelBakePool* pool, gelFindings* findings, gelPaintResult* out );

/// Puts painted values into settings: materials of tets, and nodes with 0.5 or more into a pin set. A body
/// that is painted with one value has one material.
/// @param pins free() the nodes; those that are there stay
void gelApplyPaint( const gelPaintResult* paint, const gelCage* cage, gelBakePool* pool,
	gelBakeSettings* settings, gelBakePinSet* pins );

// ---- paint_field.c -------------------------------------------------------------------------------------

/// A field over the cage that is as near as possible to values of art vertices on the surface between them,
/// and harmonic elsewhere.
/// @param values per art vertex
/// @param outNodes [cage->nodeCount], between the least and the largest value
void gelSpreadPaint(
	const gelMesh* mesh, const double* values, const gelCage* cage, int threads, double* outNodes );
