// SPDX-License-Identifier: MIT
// Oriented particles (Choi and Lee 2017, "Real-time simulation of deformable models with an embedded graph of
// oriented particles"): a body as a graph of ellipsoids with positions x_i and rotations R_i from rest. With
//
//   V_i volume, m_i mass, rho_i = m_i / V_i, Ab_i = V_i/5 Eb diag(a^2, b^2, c^2) Eb^T moment matrix [m^5],
//   xb_i rest center, d_ij = xb_j - xb_i, N(i) neighbors, k stiffness [J/m^5], h step length
//
// a step minimizes, over all x and R,
//
//   E = 1/(2 h^2) sum_i { rho_i tr[ (R_i - Rs_i) Ab_i (R_i - Rs_i)^T ] + m_i |x_i - xs_i|^2 }
//     + k/2 sum_i sum_{j in N(i)} { tr[ (R_i - R_j) Ab_j (R_i - R_j)^T ] + V_j |R_i d_ij - (x_j - x_i)|^2 }
//
// The second line is the paper's Eq. 3, integrated over the ellipsoids. By turns: rotations one after another
// (sweep, Eq. 5), then all positions by one linear system (residual, solve, Eq. 7 and 12).
// The density of the first term is missing in the paper's Eq. 10 and 11; without it particles would have the
// rotary inertia of a material of 1 kg/m^3.
//
// Particles stand in slots: batches of eight of which no two are neighbors, as the bake ordered them. Slots
// that no particle fills are inert. Lanes of a block are its slots.
#pragma once

#include "asset/asset.h"
#include "asset/asset_model.h"
#include "solvers/particles/skin_blocks.h"
#include "solvers/particles/particle_kernels.h"

/// One neighbor of each of eight particles. Lanes with fewer neighbors have their own slot and zeros.
typedef struct gelParticleLink
{
	_Alignas( 64 ) uint32_t pose[GEL_BLOCK_LANES]; // byte offset of the neighbor's pose
	float moment[6][GEL_BLOCK_LANES];              // k (Ab_i + Ab_j) / c_i [1/s^2]; xx yy zz xy xz yz
	float lever[3][GEL_BLOCK_LANES];               // k V_j d_ij / c_i [1/(m s^2)]
	float stiffness[GEL_BLOCK_LANES];              // k (V_i + V_j) [N/m]
	float arm[3][GEL_BLOCK_LANES];                 // k V_i d_ij [N]
} gelParticleLink;

/// Eight particles. c_i = rho_i tr Ab_i [kg m^2] makes the matrices of the sweep free of scale.
typedef struct gelParticleBlock
{
	_Alignas( 64 ) uint32_t pose[GEL_BLOCK_LANES]; // byte offsets of their own poses
	float inertia[6][GEL_BLOCK_LANES];             // Ab_i / tr Ab_i; empty slots: a third of the identity
	float mass[GEL_BLOCK_LANES];                   // [kg]; 0 in empty slots
	float armSum[3][GEL_BLOCK_LANES];              // sum over neighbors of k V_j d_ij [N]
	uint32_t linkFirst, linkCount;
} gelParticleBlock;

/// What is derived from a pack once. Arrays over slots have 8 * blockCount elements.
typedef struct gelParticleModel
{
	int count, blockCount, linkCount;
	gelParticleBlock* blocks;
	gelParticleLink* links;
	uint32_t* particleSlots; // per particle
	uint32_t* slotParticles; // per slot; GEL_PACK_NO_PARTICLE: empty
	gelVec3* restPositions;  // per slot [m]
	gelSym3* shapes;         // per slot: Eb diag(a^2, b^2, c^2) Eb^T [m^2]
	gelSym3* moments;        // per slot: rho_i Ab_i [kg m^2]
	float* radii;            // per slot: the longest [m]
	float* stiffness;        // per slot: what neighbors hold it with, k sum of (V_i + V_j) [N/m]
	float* turnStiffness;    // per slot: what neighbors hold its rotation with, mean over axes [N m]
	gelSkinModel skin;       // how the art follows the particles
	gelVec3 restCenter;      // center of mass [m]
	float mass;              // [kg]
	float maxMass;           // mass of the heaviest particle [kg]
	float maxStiffness;      // largest k sum over neighbors of (V_i + V_j) [N/m]
	float damping;           // damping rate of the material [1/s]
} gelParticleModel;

extern const gelAssetModel gel_particleAssetModel;

/// NULL: the asset has no particles.
static inline const gelParticleModel* gelGetParticleModel( const gelAsset* asset )
{
	return asset->models[gel_solverOrientedParticles];
}

/// Eight particles in motion; x and v along the axes of the world, relative to the origin of the body.
typedef struct gelParticleState
{
	_Alignas( 64 ) float x[3][GEL_BLOCK_LANES]; // [m]
	float q[4][GEL_BLOCK_LANES];                // rotation from rest: x y z w
	float v[3][GEL_BLOCK_LANES];                // [m/s]
	float w[3][GEL_BLOCK_LANES];                // [rad/s]
} gelParticleState;

/// Where eight particles were at the start of a sub-step.
typedef struct gelParticleStart
{
	_Alignas( 64 ) float x[3][GEL_BLOCK_LANES];
	float q[4][GEL_BLOCK_LANES];
} gelParticleStart;

/// Where inertia alone would take eight particles.
typedef struct gelParticleTarget
{
	_Alignas( 64 ) float x[3][GEL_BLOCK_LANES]; // xs [m]
	float c[9][GEL_BLOCK_LANES];                // Rs Ab / tr Ab, by rows
} gelParticleTarget;

/// One sub-step of a body. Poses are three rows [R | x] per slot: what neighbors read.
typedef struct gelParticlePass
{
	const gelParticleBlock* blocks;
	const gelParticleLink* links;
	int blockCount;
	float h;         // [s]
	gelVec3 gravity; // [m/s^2]
	float keep;      // share of the velocities that damping leaves
	// The paper's prediction of rotations, Rs = R + h [w]x R, which loses spin: a free particle that turned
	// by 15 degrees turns by 14 in the next step, one that turned by 60 by 30.
	bool isLinear;
	int polarSteps; // Newton steps per rotation and sweep
	gelParticleState* states;
	gelParticleStart* starts;
	gelParticleTarget* targets;
	gelVec4* poses;       // 3 per slot
	gelVec4* rhs;         // per slot [kg m]
	const uint8_t* holds; // per block: bits of lanes that the sweep leaves alone; NULL: none
} gelParticlePass;

#define GEL_POSE_BYTES 48u // size of one slot's pose

// ---- scalar reference: one slot at a time, the same bits as the kernels ------------------------------

/// Targets, start values and poses from the state. The search starts without gravity: a body in equilibrium
/// is there already, and stays whatever the number of iterations.
void gelPredictParticle_Ref( const gelParticlePass* pass, int slot );

/// C of a particle has the size of its moments of inertia: times this, a power of two, particles from the
/// size of peas to that of boulders are within the bounds of polar.h.
#define GEL_PARTICLE_MATRIX_SCALE 1024.0f

/// C of section "rotations": R_i is the rotation part of its polar decomposition. In units of c_i / h^2.
gelMat3 gelGetParticleMatrix_Ref( const gelParticlePass* pass, int slot );

/// The rotation of a slot from its matrix. @return false when it is no longer near unit length
bool gelTurnParticle_Ref( const gelParticlePass* pass, int slot, gelMat3 C );

/// Right-hand side of the increment of positions: h^2 times minus the gradient of E.
void gelSumParticle_Ref( const gelParticlePass* pass, int slot );

/// State after the sub-step, from poses and starts.
void gelFinishParticle_Ref( const gelParticlePass* pass, int slot );
