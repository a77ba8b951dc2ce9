// SPDX-License-Identifier: MIT
// What a solver is to the rest of the runtime: a table of functions. World, contact, constraints, levels of
// detail and skinning call the table of a body and know no solver by name. A new solver is a folder with such
// a table, a row in world/solver_table.c and a value of gelSolverType; CONTRIBUTING.md walks through it.
//
// A body is stepped in two halves. step() finds candidate positions in body->x, relative to body->xOld.
// Contacts with the ground and with other bodies change them; their impulses are answered by respond(). Then
// endStep() makes the state after the step of them. Bodies whose nodes follow something else (movesNodes is
// false) do all of it in step(), the ground included.
#pragma once

#include "gelpack/debug_draw.h"
#include "gelpack/query.h"
#include "state/body_contact.h"
#include "state/state_span.h"

/// How bodies of a solver touch others.
typedef enum gelContactForm
{
	gel_contactNone,      // not at all
	gel_contactSurface,   // by the surface of the art; its nodes answer to impulses
	gel_contactParticles, // by ellipsoids (contact/particles)
} gelContactForm;

/// How a solver holds constraints.
typedef enum gelConstraintForm
{
	gel_constraintsByFactor,     // rows beside a factored matrix: Schur complement (constraint_schur.h)
	gel_constraintsByProjection, // rows that an iterative solve projects onto (constraint_rows.h)
	gel_constraintsOwn,          // by means of its own
} gelConstraintForm;

/// Kinds that rows can hold: points, lines, planes, springs.
#define GEL_ROW_CONSTRAINTS 0xFu

/// What the elastic energy takes as the change of volume of an element.
typedef enum gelDilation
{
	gel_dilationDeterminant, // det F - 1
	gel_dilationTrace,       // tr e
} gelDilation;

/// Where the art of a body goes; checked.
typedef struct gelSkinOutput
{
	char *positions, *normals; // addresses of vertex 0; NULL: not wanted
	size_t stride;             // [bytes]
	int count;                 // vertices
} gelSkinOutput;

/// Entries that say "NULL" may be left out.
typedef struct gelSolver
{
	gelSolverType type;

	/// The solver moves the nodes of the cage: x, v, q, forces and the scratch of gelBody are there. Else the
	/// body has x alone, which follows the solver's own state after every step.
	bool movesNodes;
	gelContactForm contactForm;
	gelConstraintForm constraintForm;
	uint32_t constraintKinds; // bits 1 << gelConstraintKind
	gelDilation dilation;

	// ---- before there is a body ------------------------------------------------------------------------

	/// Fills the settings of the solver in; all are zero.
	void ( *setDefaults )( gelSolverDef* def );

	/// Whether the settings are within their ranges.
	bool ( *isDefValid )( const gelBodyDef* def );

	/// Whether the pack has what these settings need.
	gelResult ( *checkAsset )( const gelBodyDef* def );

	/// Whether a body made from this def has permanent strains. NULL: never
	bool ( *isPlastic )( const gelBodyDef* def );

	/// Whether a body of valid settings can be stepped by h seconds.
	bool ( *canStep )( const gelAsset* asset, const gelBodyDef* def, float h );

	/// Floats of scratch of a worker for bodies side by side (fast/lanes.h, particles/particle_lanes.h);
	/// NULL: never side by side
	size_t ( *countLaneFloats )( const gelAsset* asset );

	// ---- life --------------------------------------------------------------------------------------------

	/// Takes what becomes body->data from the arena of a body; NULL while sizes are added up, or if there is
	/// nothing.
	void* ( *layOut )( gelArena* arena, const gelBodyDef* def );

	/// Constants, after the body has its def, pins and contact. NULL: none
	void ( *init )( gelBody* body, struct gelWorld* world );

	/// Hash of all settings that change what a step does, for saved states.
	uint64_t ( *hashSettings )( const gelBody* body );

	/// Order of two bodies of one asset and pin set; 0: they can be stepped together. NULL: always
	int ( *compare )( const gelBody* a, const gelBody* b );

	// ---- state -------------------------------------------------------------------------------------------

	/// Rest shape, turned by a unit quaternion about the origin of the body, at rest.
	void ( *place )( gelBody* body, gelQuat rotation );
	void ( *setVelocity )( gelBody* body, gelVec3 linear, gelVec3 angular );

	/// Positions and velocities turn about the origin; what was learned from earlier steps is still true, or
	/// is dropped.
	void ( *turn )( gelBody* body, gelQuat rotation );

	/// The origin moves by `shift`; nodes have moved already. NULL: they are all there is
	void ( *shiftOrigin )( gelBody* body, gelVec3 shift );

	/// Drops what elements remember of earlier steps: positions came from elsewhere. NULL: nothing
	void ( *forgetElements )( gelBody* body );

	/// Drops what the solver's matrix remembers of earlier steps. NULL: nothing
	void ( *forgetFactor )( gelBody* body );

	/// The game has moved nodes from xOld to x: elements that this turned inside out find back the way they
	/// came. NULL: they do anyway
	void ( *noteMove )( gelBody* body );

	/// Lists state beyond x, v, q, forces and pin targets. @return the number of spans. NULL: there is none
	int ( *listState )( const gelBody* body, gelStateSpan out[GEL_MAX_SOLVER_SPANS] );

	/// After that state was overwritten. NULL: nothing follows from it
	void ( *endRestore )( gelBody* body );

	/// Whether the body is slow enough to sleep (solvers/sleep.c).
	/// @param isTouched by other bodies @param isHit by particles
	bool ( *isStill )( const gelBody* body, bool isTouched, bool isHit );

	/// Velocities become zero.
	void ( *stop )( gelBody* body );

	// ---- step --------------------------------------------------------------------------------------------

	/// Finds what a step of h seconds needs; false: not baked.
	bool ( *chooseFactor )( gelBody* body, float h );

	/// Whether all threads step the body together, instead of one thread a group. NULL: never
	bool ( *isLarge )( const gelBody* body );

	/// Steps bodies for which compare() is 0, GEL_MAX_GROUP at most, up to their candidate positions.
	/// Each gets the bits that it would get alone. @param laneScratch countLaneFloats floats; NULL: none
	void ( *step )( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch );

	/// From positions after contacts to the state after the step: velocities, plastic flow, constraints.
	/// NULL if movesNodes is false
	void ( *endStep )( gelBody* body, const gelStepContext* ctx );

	// ---- contact by the surface (gel_contactSurface)
	// --------------------------------------------------------

	/// After endStep, contacts have moved nodes out of each other without velocities: mends elements that
	/// this has folded. NULL: nothing
	void ( *endPush )( gelBody* body );

	/// Replaces impulses [kg m] on body->rowNodes by displacements [m], with the matrix of the step.
	void ( *respond )( gelBody* body, gelVec3* s );

	/// Whether the step takes body->loads as they are. NULL, or false: they come as forces.
	bool ( *takesLoads )( const gelBody* body );

	/// Mass of a node in that matrix [kg].
	float ( *getNodeMass )( const gelBody* body, uint32_t node );

	// ---- embedded points ----------------------------------------------------------------------------------

	/// 1 / m_p [1/kg]; 0: cannot be moved.
	float ( *getInvPointMass )( const gelBody* body, const gelEmbeddedPoint* point );

	/// Force for the next step [N].
	void ( *addPointForce )( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force );

	/// Velocities change at once [N s]. @return false, and nothing has changed: one would leave +-1e9
	bool ( *addPointImpulse )( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );

	/// Positions change as velocities do by an impulse in one second [kg m].
	bool ( *movePoint )( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse );

	/// [m/s]
	gelVec3 ( *getPointVelocity )( const gelBody* body, const gelEmbeddedPoint* point );
	gelVec3 ( *getNodeVelocity )( const gelBody* body, uint32_t node );

	// ---- figures and art ----------------------------------------------------------------------------------

	gelBodyDynamics ( *getDynamics )( const gelBody* body );

	/// What all vertices of a body need, before any of them is skinned.
	void ( *prepareSkin )( gelBody* body, bool wantsNormals );

	/// Vertices of tiles (skin/skin_blocks.h) of a prepared body; may be called on several threads.
	void ( *skinTiles )( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd );

	/// Draws what it has in place of tets (gelDebugDraw.enableParticles). @param color of the body, 0xRRGGBB.
	/// NULL: nothing
	void ( *draw )( const gelBody* body, const gelDebugDraw* draw, uint32_t color );
} gelSolver;

/// Whether others touch the body by its surface.
static inline bool gelBody_HasContactSurface( const gelBody* body )
{
	return body->contact != NULL && body->contact->takesPart &&
		body->solver->contactForm == gel_contactSurface;
}

/// Bodies that are stepped together at most: enough to read a factor seldom, few enough for their state to
/// stay in the caches.
#define GEL_MAX_GROUP 16

// ---- what all bodies have in common ---------------------------------------------------------------------

/// From positions after contacts to the state after the step, origin and sleep included. To be called for
/// bodies whose solver moves nodes.
void gelBody_EndStep( gelBody* body, const gelStepContext* ctx );

/// Moves the origin when the body has left it by more than a few body sizes.
void gelBody_Recenter( gelBody* body );

/// Moves the origin to where positions in the world are going to be, before they are taken relative to it: a
/// float relative to a far origin would lose digits. @param positions of the nodes [m, world space]
void gelBody_MoveOrigin( gelBody* body, const gelVec3* positions );

/// After a step of h seconds: puts the body to sleep when it has been still for long enough. Bodies that
/// touch others are only watched (gelSleepTogether).
void gelBody_UpdateSleep( gelBody* body, float h );

/// Puts bodies that touch to sleep when all of them may and have been still for long enough.
void gelSleepTogether( gelBody* const* bodies, int count );
