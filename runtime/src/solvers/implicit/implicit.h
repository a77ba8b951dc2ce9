// SPDX-License-Identifier: MIT
// The solver family "implicit": corotated FEM by Newton steps on backward Euler, whose linear systems are
// solved iteratively and never assembled (Civit-Flores, chapter 3).
//
// Energy density  Psi = mu |e|^2 + lambda/2 tr(e)^2, e = sym(R^T F) - I: mu and lambda act together, so
// statics are those of the material. One step from x^n, v^n solves for the displacements D = x - x^n:
//     for k = 0 .. newtonIterations - 1, x_k = x^n + D
//         1  R of every element at x_k, its forces and its stiffness K      implicit_elements.h
//         2  b = M ( h v^n - D ) + h^2 ( f(x_k) + f_ext ) - h a_M M D - h b_K K D
//         3  ( ( 1 + a_M h ) M + ( b_K h + h^2 ) K ) d = b                  linear_solve.h
//         4  D += d
//     contacts, the ground among them                                       contact/
//     v = D / h
// D starts at 0, or with the motion of a rigid body if the step turns this one (rigid_start.h): the damping
// forces of the first iteration are 0 and not those of v^n. The linear solver starts from h v^n in the first
// iteration, from 0 afterwards and after a rigid motion.
//
// Contacts act once, at the end: what follows them would be undone by a further Newton iteration, which
// knows nothing of them. Their answer (contact_response.h) uses the matrix of the last iteration, so that the
// body gives way as a whole and not only where it is touched.
#pragma once

#include "gelpack/experimental.h"
#include "solvers/implicit/implicit_elements.h"
#include "solvers/implicit/linear_solve.h"
#include "solvers/implicit/rigid_modes.h"
#include "solvers/solver.h"

/// What a solver puts in place of the preconditioner that shares this step (solvers/warp): a factor that it
/// keeps up to date by itself.
typedef struct gelImplicitFactor
{
	/// After the rotations of a step were found. @param scale of the stiffness [s^2]
	void ( *refresh )( gelBody* body, float h, float scale );

	/// z = A^-1 r, nearly, for the free nodes, else zero. Vectors have `count` nodes.
	void ( *solve )( gelBody* body, const gelVec4* r, int count, gelVec4* z );

	/// What a solve has left of its right-hand side, relative.
	void ( *judge )( gelBody* body, float residual );

	/// After the last Newton iteration.
	void ( *finish )( gelBody* body );
} gelImplicitFactor;

/// What a body with this solver has in addition.
typedef struct gelImplicit
{
	gelImplicitDef def;                 // def.variant is NULL
	gelImplicitVariant variant;         // the normal one has no code
	const gelImplicitFactor* ownFactor; // NULL: def.preconditioner
	void* factorData;                   // memory of ownFactor
	gelStiffnessBlock* blocks;          // per block of the asset
	gelNodeBlock* inverses;             // inverse diagonal blocks of the preconditioner, per eight nodes
	gelVec4* sums;         // scratch: blocks before they are inverted, two per node and for the padding node
	gelSym3* softBlocks;   // scratch: those of springs, per node
	uint8_t* leftLanes;    // scratch: per block
	float* masses;         // diagonal of the matrix [kg], padded
	uint32_t* freeNodes;   // ascending
	int vectorCount;       // nodes in vectors: a multiple of eight, more than nodes
	gelVec4* u;            // displacements from rest at x_k; with constraints later b - A d
	gelVec4* moved;        // D
	gelVec4 *rhs, *change; // b and then the residual; d
	gelVec4* work[8];      // vectors of the linear solver
	gelRigidModes modes;
	float stiffness; // mean of modulus / ( density * cell^2 ) [1/s^2]

	gelStrainBlock* strains; // scratch: total strains at x_k; NULL: nobody asks
	bool hasConstraints;     // in this step
	bool usesModes;          // in this step
	bool isMoved;            // in this step: the first iteration starts from a rigid motion (rigid_start.h)
	bool isStatic;           // in this step: inertia is left out of the matrix

	// ---- what experiments replace (gelVariantCode) ----
	gelRotationParams rotation; // how rotations of degenerate elements are found
	bool keepsWitnesses;        // rotation reads them
	bool ( *updateElements )( gelBody* body, const gelImplicitPass* pass );
	void ( *iterate )( gelBody* body, const gelStepContext* ctx, bool isFirst ); // one Newton iteration
	gelSolveFcn* solve;
	void ( *multiply )(
		const gelStiffness* stiffness, const gelVec4* x, gelVec4* y ); // with twists, else NULL
	gelTwistBlock* twists;                                             // NULL: none
	void* variantMemory;                                               // theirs

	// ---- state, as that of gelBody ----
	uint8_t* witnesses; // per slot, gelRotationState

	// ---- outcome of the last step ----
	int linearIterations;     // sum over all Newton iterations
	float linearResidual;     // relative, of the last one
	float newtonResiduals[2]; // |b| of the first and of the last Newton iteration [kg m]
} gelImplicit;

static inline gelImplicit* gelGetImplicit( const gelBody* body )
{
	return body->data;
}

/// The way into the code of experiments (solvers/experiments), which nothing else refers to: the linker drops
/// it from programs that make no variant.
struct gelVariantCode
{
	/// Whether the settings are within their ranges.
	bool ( *isValid )( const gelImplicitVariant* variant );

	/// Takes more memory, for what init() replaces.
	void ( *layOut )( gelArena* arena, const gelBodyDef* def, const gelImplicitDef* settings,
		const gelImplicitVariant* variant, gelImplicit* part );

	/// At the end of gelImplicit_Init.
	void ( *init )( gelBody* body );
};

/// The variant that settings ask for, or the normal one, which has no code.
gelImplicitVariant gelGetVariant( const gelImplicitVariant* variant );
bool gelImplicitVariant_IsValid( const gelImplicitVariant* variant );

/// Takes the memory from the arena of a body; NULL while sizes are added up.
gelImplicit* gelImplicit_LayOut( gelArena* arena, const gelBodyDef* def, const gelImplicitDef* settings,
	const gelImplicitVariant* variant );

/// Constants, after the body has its asset and pins. @param variant copied
void gelImplicit_Init( gelBody* body, const gelImplicitDef* settings, const gelImplicitVariant* variant );

/// Which pair of features has passed through each other on straight ways from xOld to x, of elements that are
/// degenerate now.
void gelImplicit_UpdateWitnesses( gelBody* body );

/// Before rotations are found anew.
void gelImplicit_ForgetWitnesses( gelBody* body );

gelImplicitDef gelDefaultImplicitDef( void );

bool gelImplicitDef_IsValid( const gelImplicitDef* def );
uint64_t gelImplicit_HashSettings( const gelImplicit* implicit );

/// Advances a body to its candidate positions. body->factor must be the one for ctx->h with
/// gel_preconditionFactor.
void gelStepImplicit( gelBody* body, const gelStepContext* ctx );

// ---- parts of a step ------------------------------------------------------------------------------------

/// What gelVariantCode.init() may replace.
void gelImplicit_ResetMethods( gelImplicit* implicit );

/// Nothing holds the body.
bool gelImplicit_IsFree( const gelBody* body );

/// x_k from D. Pinned nodes are at their targets to the bit.
void gelImplicit_UpdatePositions( gelBody* body );

/// Displacements from rest at x_k.
void gelImplicit_UpdateDisplacements( gelBody* body, gelVec4* u );

/// Rotations q, stiffness, and b = h^2 f, at displacements u from rest.
void gelImplicit_UpdateElements(
	gelBody* body, float h, gelDifferential differential, const gelVec4* u, gelQuat* q );

/// The rest of a Newton iteration, after the elements at x_k. @param isRepeated the second try of the same
/// one
void gelImplicit_SolveNewton( gelBody* body, const gelStepContext* ctx, bool isFirst, bool isRepeated );

// ---- entries of the table (solver.h), also of solvers that share the step -------------------------------

void gelEndImplicitStep( gelBody* body, const gelStepContext* ctx );

/// With the matrix of the last Newton iteration; body->rowNodes are the free nodes, ascending.
void gelImplicit_Respond( gelBody* body, gelVec3* s );
float gelImplicit_GetNodeMass( const gelBody* body, uint32_t node );
