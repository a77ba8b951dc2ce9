// SPDX-License-Identifier: MIT
// From vertices that are inside of something to the points that stand for them (touch_point.h). Points that
// carried load in the last step are points of this one, whatever has become of them: contacts that change
// places from step to step would never calm. In addition each node of the cage takes the vertex around it
// that is deepest, weighted by how much the node moves it. So a body that comes to rest gathers the few
// vertices that it needs to stand on, one per node and step.
#pragma once

#include "asset/surface_cells.h"
#include "contact/contact_records.h"
#include "state/touch_point.h"

/// What a node has chosen so far.
typedef struct gelPick
{
	float score; // depth times weight [m]; 0: nothing
	float w[4];
	float depth;    // at the end of the step [m]; < 0: apart
	gelVec3 normal; // in the space of what is touched
	gelVec3 place;  // there too: where the point is at the start of the step, or where it came in
	uint32_t slot, cell;
} gelPick;

/// The choices of all nodes of one body.
typedef struct gelPickSheet
{
	gelPick* picks;    // by node
	uint32_t* touched; // nodes that have chosen, in the order in which they did
	int touchedCount;
	float* heights; // by node, scratch of half-spaces [m]
	uint8_t* sides; // by node, scratch of other shapes
} gelPickSheet;

/// Vertices of a cell that are looked at, at most; of more, the first.
#define GEL_MAX_CELL_POINTS 256

/// Offers a point to the four nodes of its cell. @param point the score does not count
void gelPickSheet_Offer( gelPickSheet* sheet, const uint32_t node[4], const gelPick* point );

/// Brings the nodes that have chosen into their order; of more than `most` the best are kept.
void gelPickSheet_Sort( gelPickSheet* sheet, int most );

/// Forgets the choices.
void gelPickSheet_Clear( gelPickSheet* sheet );

/// Whether a point is on the vertex that a pick is, or on a copy of it in another cell.
bool gelIsSameVertex( const gelAsset* asset, const gelTouchPoint* point, const gelPick* pick );

/// Offers the vertices of a body that are below a plane at its candidate positions: normal . x < offset.
/// Normals and places of the picks are left to the caller.
void gelOfferHalfSpace( const gelBody* body, gelVec3 normal, float offset, gelPickSheet* sheet );

struct gelWorld;

/// Lists where a body touches the ground and shapes at its candidate positions: body->contact->points. All
/// that loads of this step were given for are among them.
void gelFindTouchPoints(
	const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, gelPickSheet* sheet );

/// Adds points to those that gelFindTouchPoints has listed: where the body touches now that it has been moved
/// on.
void gelFindMorePoints(
	const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, gelPickSheet* sheet );
