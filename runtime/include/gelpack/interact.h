// SPDX-License-Identifier: MIT
// What a game does to a body: push and move points of it, hold it, hang it on bones and rigid bodies, grab
// it; save and restore its state; look into its tets. Included by gelpack.h. A guide is docs/interaction.md.
//
// Points are embedded points (query.h): a tet and four weights, from an art vertex (gelAsset_GetVertexPoint),
// a node (gelAsset_GetNodePoint), a ray hit (gelRayHit.point) or a position (gelBody_FindPoint). Weights must
// be within -0.1 .. 1.1 here: a point far outside of its tet would be a lever of any length.
//
// All functions of this header may be called between steps only (else gel_errorLocked). Numbers that are NaN,
// infinite or beyond +-1e9 are refused with gel_errorArgument, and a refused call changes nothing.
#pragma once

#include "base.h"
#include "query.h"
#include "types.h"

// ---- points ----------------------------------------------------------------------------------------

/// A node of the cage as an embedded point; tet -1 when there is no such node.
GEL_API gelEmbeddedPoint gelAsset_GetNodePoint( const gelAsset* asset, int node );

/// Effective mass of a point [kg], 1 / sum of w_i^2 / m_i: an impulse j changes its velocity by j over this
/// within the next instant, before the rest of the body answers. 0: the point cannot be moved, all its nodes
/// are pinned.
GEL_API gelResult gelBody_GetPointMass( gelBodyId bodyId, const gelEmbeddedPoint* point, float* outMass );

/// Adds a force to a point for the next step only [N]; forces add up. Its sum and its torque are those of the
/// same force on a rigid body.
GEL_API gelResult gelBody_AddPointForce( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 force );

/// Adds an impulse [N s] to a point, at once.
GEL_API gelResult gelBody_AddPointImpulse( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 impulse );

/// Gives a point a velocity [m/s] by the smallest impulse. gel_errorArgument when it cannot be moved.
GEL_API gelResult gelBody_SetPointVelocity(
	gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 velocity );

/// Moves a point [m]; its tet takes the strain, the rest of the body follows in the next steps.
/// gel_errorArgument when it cannot be moved.
/// @param dt 0: only positions change; > 0: velocities change by translation / dt, as if dragged [s]
GEL_API gelResult gelBody_MovePoint(
	gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 translation, float dt );

// ---- frames ----------------------------------------------------------------------------------------

/// A rigid frame that the game moves: a bone, or a body of its physics engine. Belongs to one gelpack body;
/// capacity: gelBodyDef.frameCapacity. Zero means "no frame".
typedef struct gelFrameId
{
	gelBodyId body;
	uint32_t index1; // 1-based
	uint32_t generation;
} gelFrameId;

/// Start from gelDefaultFrameDef().
typedef struct gelFrameDef
{
	/// Where it will be at the end of the next step, if nothing pulls at it: its center of mass, if it has a
	/// mass [m, world space]. Default: the world's origin and axes.
	gelTransform transform;
	/// [kg], 0 .. 1e9. Default 0: the frame moves as the game says, whatever hangs on it (one-way). > 0: the
	/// body moves it, and it moves the body (two-way): see gelFrame_GetReaction.
	float mass;
	/// Moments of inertia about its own axes [kg m^2], > 0 with a mass. Read when mass > 0. Default 0.
	gelVec3 inertia;
	/// Filled by gelDefaultFrameDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelFrameDef;

/// What a body did to a frame, or to the target of a constraint, in the last step: on the game's side of it.
typedef struct gelReaction
{
	gelVec3 force;  ///< [N, world space], mean over the step: times the step length it is the impulse
	gelVec3 torque; ///< torque on a frame about its position [N m]; else 0
} gelReaction;

/// Start of every gelFrameDef.
GEL_API gelFrameDef gelDefaultFrameDef( void );

/// Adds a frame to a body. gel_errorFull: see gelBodyDef.frameCapacity.
GEL_API gelResult gelCreateFrame( gelBodyId bodyId, const gelFrameDef* def, gelFrameId* outFrameId );

/// Removes a frame and all constraints that hang on it.
GEL_API void gelDestroyFrame( gelFrameId frameId );

/// Whether the id belongs to a frame that lives. Its world must.
GEL_API bool gelFrame_IsValid( gelFrameId frameId );

/// Where the frame is at the end of the next step [m, world space]. To be called before every step in which
/// the frame moves. For a two-way frame this is where it is after the game's own integration; after the step
/// the game adds gelFrame_GetReaction: velocity += h force / mass, and position += h^2 force / mass, turning
/// likewise. Momentum of body and frame together is kept by that.
GEL_API gelResult gelFrame_SetTransform( gelFrameId frameId, gelTransform transform );

/// Where the frame was put last [m, world space].
GEL_API gelResult gelFrame_GetTransform( gelFrameId frameId, gelTransform* outTransform );

/// Force [N] and torque [N m] of all constraints on the frame in the last step; zero before one.
GEL_API gelResult gelFrame_GetReaction( gelFrameId frameId, gelReaction* outReaction );

// ---- constraints -----------------------------------------------------------------------------------

/// A constraint on a body. Opaque; zero means "no constraint". Ids of destroyed constraints are recognized as
/// stale. Restoring a state brings the constraints of that state back, with their ids.
typedef struct gelConstraintId
{
	gelBodyId body;
	uint32_t index1; // 1-based
	uint32_t generation;
} gelConstraintId;

typedef enum gelConstraintKind
{
	gel_constraintPoint = 0,  ///< the point is at the target
	gel_constraintLine = 1,   ///< the point is on the line through the target along axis
	gel_constraintPlane = 2,  ///< the point is on the plane through the target with normal axis
	gel_constraintSpring = 3, ///< the point is pulled towards the target: a soft handle
	/// Bodies of particles only: the direction `target` of the rest shape (asset space) at the point turns to
	/// `axis`, with a torque of up to `stiffness` [N m].
	gel_constraintDirection = 4,
} gelConstraintKind;

/// How to hold a point of a body. Start from gelDefaultConstraintDef().
typedef struct gelConstraintDef
{
	/// Default gel_constraintPoint.
	gelConstraintKind kind;
	/// Required.
	gelEmbeddedPoint point;
	/// Frame of the same body that target and axis belong to and move with. Default none: the world.
	gelFrameId frame;
	/// [m, in the frame, else world space]. Default 0.
	gelVec3 target;
	/// Axis of a line, plane or direction, not zero; any length. Default (0, 1, 0).
	gelVec3 axis;
	/// Stiffness of a spring [N/m], 0 .. 1e12, or of a direction [N m]. Integrated implicitly, which is
	/// stable up to 1e9 and, with the fast solver, to the end; with the implicit solver more than that and a
	/// target metres away invert tets. Default 0.
	float stiffness;
	/// Damping of a spring: force against the velocity of the point relative to the target [N s/m],
	/// 0 .. 1e12. Default 0. Not both 0.
	float damping;
	/// Filled by gelDefaultConstraintDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelConstraintDef;

/// Start of every gelConstraintDef.
GEL_API gelConstraintDef gelDefaultConstraintDef( void );

/// Adds a constraint; it acts from the next step on. A point that is not yet at the target of a pin is pulled
/// there over some steps, without becoming fast by it. Nothing is factored anew. gel_errorFull: see
/// gelBodyDef.constraintCapacity; gel_errorMemory: none for the rows, which the first constraint of a body
/// takes; gel_errorArgument also when all nodes of the point are pinned.
GEL_API gelResult gelCreateConstraint(
	gelBodyId bodyId, const gelConstraintDef* def, gelConstraintId* outConstraintId );

/// Removes a constraint. The point keeps its velocity.
GEL_API void gelDestroyConstraint( gelConstraintId constraintId );

/// Whether the id belongs to a constraint that lives. Its world must.
GEL_API bool gelConstraint_IsValid( gelConstraintId constraintId );

/// Where the target is to be at the end of the next step [m, in the frame, else world space]; it stays there
/// until told otherwise. A pin that is moved takes the point along with the velocity of that motion; a jump
/// of more than ten body sizes in one step counts as putting it elsewhere.
GEL_API gelResult gelConstraint_SetTarget( gelConstraintId constraintId, gelVec3 target );

/// The target [m, in the frame, else world space].
GEL_API gelResult gelConstraint_GetTarget( gelConstraintId constraintId, gelVec3* outTarget );

/// Turns the axis of a line, plane or direction: not zero, any length, no unit. gel_errorArgument for other
/// kinds.
GEL_API gelResult gelConstraint_SetAxis( gelConstraintId constraintId, gelVec3 axis );

/// Its axis, of unit length; zero for other kinds.
GEL_API gelResult gelConstraint_GetAxis( gelConstraintId constraintId, gelVec3* outAxis );

/// Stiffness [N/m] and damping [N s/m] of a spring, or the torque [N m] of a direction, which has no damping.
/// gel_errorArgument for other kinds.
GEL_API gelResult gelConstraint_SetSpring( gelConstraintId constraintId, float stiffness, float damping );

/// Those two [N/m, N s/m; N m]; zeros for other kinds.
GEL_API gelResult gelConstraint_GetSpring(
	gelConstraintId constraintId, float* outStiffness, float* outDamping );

/// The point of the body that is held, to draw it or to ask where it is. It never changes.
GEL_API gelResult gelConstraint_GetPoint( gelConstraintId constraintId, gelEmbeddedPoint* outPoint );

/// Force with which the body pulled at the target in the last step [N]; zero before one.
GEL_API gelResult gelConstraint_GetReaction( gelConstraintId constraintId, gelReaction* outReaction );

/// Ids of the constraints of a body, in the order of their slots.
GEL_API int gelBody_GetConstraints( gelBodyId bodyId, gelConstraintId* out, int outCapacity );

// ---- grabbing --------------------------------------------------------------------------------------

/// How firmly to grab. Start from gelDefaultGrabDef().
typedef struct gelGrabDef
{
	/// Frequency of the whole body on the handle [Hz], 0 < f <= 1000. Default 5.
	float frequency;
	/// Share of critical damping, 0 .. 100. Default 1.
	float dampingRatio;
	/// Filled by gelDefaultGrabDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelGrabDef;

/// Start of every gelGrabDef.
GEL_API gelGrabDef gelDefaultGrabDef( void );

/// Grabs what a ray hits: a spring on the point that was hit, with its target there. Drag it with
/// gelConstraint_SetTarget, release it with gelDestroyConstraint. Succeeds also when nothing was hit:
/// outHit->isHit tells.
/// @param def NULL: defaults @param outHit NULL, or receives what was hit
GEL_API gelResult gelWorld_Grab( gelWorldId worldId, const gelRay* ray, const gelGrabDef* def,
	gelConstraintId* outConstraintId, gelRayHit* outHit );

// ---- state -----------------------------------------------------------------------------------------

/// Moves a body as it is, bent and in motion: x' = rotation x + position [m], about the world's origin.
/// Velocities turn along; pin targets, constraint targets and frames come along, too.
GEL_API gelResult gelBody_Teleport( gelBodyId bodyId, gelTransform motion );

/// Bytes that gelBody_SaveState needs; the same for the whole life of the body. 0 for a stale id.
GEL_API size_t gelBody_GetStateBytes( gelBodyId bodyId );

/// Writes the complete state: nodes, rotations, forces, targets, constraints, frames, sleep. Steps after
/// gelBody_RestoreState give the same bits as steps after gelBody_SaveState.
/// @return gel_errorFull when capacity is too small
GEL_API gelResult gelBody_SaveState( gelBodyId bodyId, void* buffer, size_t capacity );

/// Puts a body back into a saved state. The buffer may come from another body, process or machine of the same
/// byte order. gel_errorNotAPack: not a state; gel_errorVersion: of another version; gel_errorTruncated;
/// gel_errorChecksum: damaged; gel_errorCorrupt: numbers that no
/// step can go on with; gel_errorUnsupported: of another asset, solver, pin set, settings or
/// capacities; gel_errorMemory: none for the constraints that the state has.
GEL_API gelResult gelBody_RestoreState( gelBodyId bodyId, const void* buffer, size_t byteCount );

/// Bytes that gelWorld_SaveState needs, with the bodies and colliders of now. 0 for no world.
GEL_API size_t gelWorld_GetStateBytes( gelWorldId worldId );

/// Writes the state of a world: gravity, step count, all bodies, poses and targets of all colliders.
/// @return gel_errorFull when capacity is too small
GEL_API gelResult gelWorld_SaveState( gelWorldId worldId, void* buffer, size_t capacity );

/// Puts a world back into a saved state, as gelBody_RestoreState does; only while it has the bodies and
/// colliders that it had (gel_errorUnsupported): ids are not state.
GEL_API gelResult gelWorld_RestoreState( gelWorldId worldId, const void* buffer, size_t byteCount );

/// What a tet goes through. Symmetric matrices are xx, yy, zz, yz, xz, xy, along the axes of the rest shape.
typedef struct gelTetState
{
	gelQuat rotation;       ///< from the rest shape
	float strain[6];        ///< S - 1, with the deformation gradient F = R S
	float plasticStrain[6]; ///< the part of it that stays; the rest makes stress
	float stress[6];        ///< R^T P of the solver's material, P the first Piola-Kirchhoff stress [Pa]
	float vonMises;         ///< von Mises stress of it [Pa]
	float volumeRatio;      ///< deformed over rest volume; < 0: turned inside out
	bool isInverted;        ///< volumeRatio <= 0
} gelTetState;

/// All tets, in the order of gelAsset_GetTets; computed now.
GEL_API int gelBody_GetTetStates( gelBodyId bodyId, gelTetState* out, int outCapacity );
