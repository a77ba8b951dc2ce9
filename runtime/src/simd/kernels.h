// SPDX-License-Identifier: MIT
// The inner loops of the solver, in one version per instruction set. All versions give the same bits; a world
// picks one when it is made and keeps it.
#pragma once

#include "pack/pack_read.h"
#include "math/vec4.h"

#define GEL_BLOCK_LANES 8

/// Squared lengths of deformed normals outside of this are those of an element squeezed flat or gone wild.
#define GEL_MIN_NORMAL2 1.0e-24f
#define GEL_MAX_NORMAL2 1.0e24f

struct gelCellFrame;
struct gelCoarseBoxes;
struct gelCoarseNode;
struct gelSurfaceSearch;

/// A search of a ray through the collision geometry of a body, see surface_query.h.
typedef void gelSearchFcn( struct gelSurfaceSearch* search );

/// Constants of eight tets without common nodes, for the element loop. Nodes are byte offsets into arrays of
/// gelVec4. Empty slots have no stiffness and the padding node behind the last one.
typedef struct gelElementBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float gradient[9][GEL_BLOCK_LANES]; // [3 k + d]: component d of the gradient of corner k + 1 [1/m]
	float muVolume[GEL_BLOCK_LANES];    // mu V [J]
} gelElementBlock;

/// Columns of the mean cofactor matrix at a node, x y z each, in a cache line of their own.
typedef struct gelCofactors
{
	_Alignas( 64 ) gelVec4 column[4]; // the last one is padding
} gelCofactors;

/// The same tets for the volume sweep. Empty slots are inert constraints on the padding node.
typedef struct gelVolumeBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float restDet[GEL_BLOCK_LANES];    // 6 V [m^3]
	float compliance[GEL_BLOCK_LANES]; // (6 V)^2 / (lambda V) [m^6/J]
	float maxMove2[GEL_BLOCK_LANES];   // square of the longest move of a node in one projection [m^2]
} gelVolumeBlock;

/// Eight tets as the implicit solver sees them in one Newton iteration, in the terms of differential.h and
/// scaled as the pass asks. Empty slots are zero but for their nodes.
typedef struct gelStiffnessBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float gradient[9][GEL_BLOCK_LANES]; // [3 k + d]: component d of h of corner k + 1 [1/m]
	float a[GEL_BLOCK_LANES], b[GEL_BLOCK_LANES], c[GEL_BLOCK_LANES];
	float twist[6][GEL_BLOCK_LANES]; // xx yy zz xy xz yz of T'; read with gelStiffness.hasTwist
} gelStiffnessBlock;

/// The stiffness matrix of a body without its entries.
typedef struct gelStiffness
{
	gelStiffnessBlock* blocks;
	int blockCount;
	bool hasTwist;
} gelStiffness;

/// Plastic or total strain of eight tets: xx yy zz xy xz yz in the frame of the element.
typedef struct gelStrainBlock
{
	_Alignas( 64 ) float e[6][GEL_BLOCK_LANES];
} gelStrainBlock;

/// Eight tets of the element of Nesme et al. (qr_element.h).
typedef struct gelQrBlock
{
	_Alignas( 64 ) float edge[9][GEL_BLOCK_LANES]; // [3 k + d]: from corner 0 to corner k + 1 at rest [m]
	float local[6][GEL_BLOCK_LANES];               // xb xc yc xd yd zd at rest [m]
	float axis[6][GEL_BLOCK_LANES];                // the first two axes at rest
	float invSixVolume[GEL_BLOCK_LANES];           // 1 / (6 V) [1/m^3]
	float muVolume[GEL_BLOCK_LANES];               // mu V [J]
	float minBase[GEL_BLOCK_LANES],
		minHeight[GEL_BLOCK_LANES]; // of xb and yc: below, axes are not taken from edges
} gelQrBlock;

struct gelImplicitPass;

/// Eight 3x3 blocks of a matrix, symmetric: xx yy zz xy xz yz.
typedef struct gelNodeBlock
{
	_Alignas( 64 ) float m[6][GEL_BLOCK_LANES];
} gelNodeBlock;

/// Loops of the iterative solvers over vectors of nodes. Vectors have a multiple of eight nodes, those behind
/// the last one are zero. Sums are taken in double, by eight accumulators and a fixed tree.
typedef struct gelVectorKernels
{
	/// sum of a_i . b_i; w takes part
	double ( *dot )( const gelVec4* a, const gelVec4* b, int count );
	/// d += s p, r -= s q. @return r . r
	double ( *advance )( float s, const gelVec4* p, const gelVec4* q, int count, gelVec4* d, gelVec4* r );
	/// out = a x + b y + c z; out may be one of them
	void ( *combine )( float a, const gelVec4* x, float b, const gelVec4* y, float c, const gelVec4* z,
		int count, gelVec4* out );
	/// y = z + s y
	void ( *turn )( const gelVec4* z, float s, int count, gelVec4* y );
	/// y_i = m_i x_i
	void ( *multiplyMasses )( const float* m, const gelVec4* x, int count, gelVec4* y );
	/// z_i = B_i r_i. @return r . z
	double ( *multiplyBlocks )( const gelNodeBlock* blocks, const gelVec4* r, int count, gelVec4* z );
} gelVectorKernels;

/// Loops of the quality mode (quality.h). Vectors of nodes have a multiple of eight, those behind the last
/// one are zero.
typedef struct gelQualityKernels
{
	/// One step of the polar decomposition at displacements u, then the gradient of h^2 times the elastic
	/// energy, added to gradient, and the energy, added to energy. @return false when a quaternion is no
	/// longer near unit length
	bool ( *differentiate )( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
		const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy );
	/// gradient = m (u - target), component by component. @return sum of m (u - target)^2
	double ( *inertia )(
		const gelVec4* masses, const gelVec4* u, const gelVec4* target, int count, gelVec4* gradient );
	/// out[k] = a[k] . b
	void ( *dots )( const gelVec4* const* a, int vectorCount, const gelVec4* b, int count, double* out );
	/// out = scale base + sum of c[k] a[k]; out may be one of them
	void ( *combine )( float scale, const gelVec4* base, const gelVec4* const* a, const float* c,
		int vectorCount, int count, gelVec4* out );
} gelQualityKernels;

/// What the prediction of a step reads.
typedef struct gelNodePass
{
	const gelVec3 *x, *v, *forces;
	const float* invMasses;
	const gelPackNode* rest;
	int count;
	float h; // [s]
	gelVec3 gravity;
} gelNodePass;

/// Loops over nodes before and after a solve.
typedef struct gelNodeKernels
{
	/// x~ = x + h (v + h g + h w f), u~ = x~ - rest; w of x~ is the inverse mass
	void ( *predict )( const gelNodePass* pass, gelVec4* xTilde, gelVec4* uTilde );
	/// y[row] = b[rowNodes[row]]
	void ( *gatherRows )( const uint32_t* rowNodes, uint32_t count, const gelVec4* b, gelVec4* y );
	/// p = x~ + y for the nodes of the rows; w of y is zero
	void ( *addRows )(
		const uint32_t* rowNodes, uint32_t count, const gelVec4* xTilde, const gelVec4* y, gelVec4* p );
	/// u = p - rest; w is of no use
	void ( *subtractRest )( const gelVec4* p, const gelPackNode* rest, int count, gelVec4* u );
	/// x = p
	void ( *store )( const gelVec4* p, int count, gelVec3* x );
	/// v = ( x - xOld ) / h. @return whether all coordinates of x are numbers between
	/// -limit and limit
	bool ( *difference )(
		const gelVec3* x, const gelVec3* xOld, int count, float invH, float limit, gelVec3* v );
	/// Least and greatest coordinates of finite positions.
	void ( *bound )( const gelVec3* x, int count, gelVec3* outLow, gelVec3* outHigh );
} gelNodeKernels;

struct gelLanes;

/// Loops over bodies side by side (lanes.h); the steps are those of fast_corotated.h.
typedef struct gelLaneKernels
{
	int laneCount; // 8 or 16 bodies; 0: none
	/// x~ and its displacements
	void ( *predict )( const struct gelLanes* lanes );
	/// b += 2 h^2 mu V (R - F(u~)) g with the R of F(u). @return a bit per lane whose rotations are usable
	int ( *updateElements )( const struct gelLanes* lanes, float* u );
	/// y = A^-1 b by rows, then p = x~ + y for the free nodes
	void ( *solve )( const struct gelLanes* lanes, const gelPackFactorView* factor );
	/// u = p - rest
	void ( *subtractRest )( const struct gelLanes* lanes, float* u );
	/// One volume sweep over p. @param kappa NULL in a single sweep
	void ( *sweepVolume )( const struct gelLanes* lanes, float* kappa );
	/// out = p
	void ( *store )( const struct gelLanes* lanes );
} gelLaneKernels;

struct gelParticleLanes;

/// Iterations of oriented particles of bodies side by side (particle_lanes.h).
typedef struct gelParticleLaneKernels
{
	int laneCount; // 8 or 16 bodies; 0: none
	/// Rotations, right-hand sides and positions, so many times, of one sub-step.
	/// @return a bit per lane whose rotations are usable
	int ( *iterate )( const struct gelParticleLanes* lanes, const gelPackFactorView* factor, int iterations );
} gelParticleLaneKernels;

struct gelContactBounds;
struct gelGrid;
struct gelPatchSearch;

/// Vertices of a patch on the grid of a pair of bodies, see contact_surface.h.
typedef void gelDeformPatchFcn( const gelPackView* pack, uint32_t patch, const gelVec3* nodes,
	const struct gelGrid* grid, gelVec4* points );

/// Loops of contact determination.
typedef struct gelContactKernels
{
	gelDeformPatchFcn* deformPatch;
	/// Finds the triangles of two patches that cross (contact_find.h).
	void ( *searchPatches )( const struct gelPatchSearch* search );
	/// Children of a node of the coarse tree that a box meets, as bits.
	unsigned ( *meetChildren )( const struct gelCoarseBoxes* boxes, const struct gelContactBounds* box );
} gelContactKernels;

struct gelParticlePass;
struct gelSkinPass;
struct gelWarpPass;

/// Loops of the oriented particles (particle_model.h), with the bits of the functions for one slot there.
typedef struct gelParticleKernels
{
	void ( *predict )( const struct gelParticlePass* pass );
	/// Rotations, one block after another. @return false when a quaternion is no longer near unit length
	bool ( *sweep )( const struct gelParticlePass* pass, bool isBackward );
	void ( *sum )( const struct gelParticlePass* pass );
	void ( *finish )( const struct gelParticlePass* pass );
	/// Nodes of the cage by their skins. @param palette four columns per particle: rotation, then translation
	void ( *skinNodes )(
		const gelVec4* palette, const gelPackSkin* skins, const gelVec4* rest, int count, gelVec3* out );
	/// Art vertices (skin_blocks.h). Unit normals; zero where the blended rotations cancel.
	void ( *skinVertices )( const struct gelSkinPass* pass );
} gelParticleKernels;

/// Arrays of nodes have one more element than nodes: the padding node, which is zero and stays zero.
typedef struct gelKernels
{
	const char* name;

	/// One step of the polar decomposition at displacements uRotation, then rhs += 2 h^2 mu V (R - F) g with
	/// the F of uTilde. @return false when a quaternion is no longer near unit length
	bool ( *updateElements )( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
		const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs );

	/// One sweep of volume constraints over positions (w: inverse masses).
	/// @param kappa 8 per block; NULL in a single sweep, for which all are zero
	void ( *sweepVolume )( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x );

	/// Solves for the bodies' right-hand sides, in the row order of a factor of version 2. Each panel is read
	/// once for all of them. @param scratch gelGetSolveScratch floats, aligned to 64 bytes
	void ( *solvePanels )(
		const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch );

	/// Deformed art vertices first .. first + count - 1. @param origin of the body, three doubles and a zero
	void ( *skinPositions )( const gelPackView* pack, const gelVec4* x, const double origin[4], int first,
		int count, gelVec3* out );

	/// Polar decomposition alone, for measurements and tests. @param F columns of eight matrices per block
	void ( *polarSteps )(
		const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations );

	/// What queries need of the coarse tree over the cells, from the deformed nodes.
	void ( *refitCoarse )( const struct gelCoarseNode* tree, int treeCount, const gelVec3* nodes,
		struct gelCoarseBoxes* boxes, struct gelCellFrame* frames );

	/// Finds the same as gelSearchSurface_Ref, which tests every triangle.
	gelSearchFcn* searchSurface;

	/// Rotations, forces and stiffness of all elements, see implicit_elements.h, with polar frames or frames
	/// along edges. @return false when a quaternion is no longer near unit length
	bool ( *updateImplicit )( const struct gelImplicitPass* pass );
	bool ( *updateQr )( const struct gelImplicitPass* pass );

	/// One bit per lane: det F is not above a limit.
	void ( *findFlat )(
		const gelElementBlock* blocks, int blockCount, const gelVec4* u, float limit, uint8_t* lanes );

	/// Adds the 3x3 blocks on the diagonal of the stiffness matrix: xx yy zz 0, xy xz yz 0 per node. Byte
	/// offsets of nodes count double.
	void ( *addDiagonal )( const gelStiffness* stiffness, gelVec4* blocks );

	/// y += K x
	void ( *multiplyStiffness )( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y );

	gelVectorKernels vectors;
	gelQualityKernels quality;
	/// Cofactors of the deformation gradients, averaged by volume over the tets around each node; one record
	/// more than nodes, for padding.
	void ( *averageCofactors )(
		const gelElementBlock* blocks, int blockCount, const gelVec4* x, int nodeCount, gelCofactors* nodes );

	/// Deformed normals of art vertices first .. first + count - 1 by the cofactors of the nodes; first is a
	/// multiple of eight. Those that have no length are zero. @return 0 when there are none of them
	int ( *skinNormals )(
		const gelPackView* pack, const gelCofactors* nodes, int first, int count, gelVec3* out );

	gelNodeKernels nodes;
	gelContactKernels contact;
	gelLaneKernels lanes, wideLanes;
	gelParticleKernels particles;
	gelParticleLaneKernels particleLanes, wideParticleLanes;

	/// What the stale matrix of the warp-cancelling solver does wrong (warp_errors.h).
	void ( *warpErrors )( const struct gelWarpPass* pass );
} gelKernels;

/// Kernels of one instruction set; name is NULL when this build has none for it. The processor is not asked.
gelKernels gelGetKernels_Plain( void );
gelKernels gelGetKernels_Sse2( void );
gelKernels gelGetKernels_Avx2( void );
gelKernels gelGetKernels_Avx512( void );
gelKernels gelGetKernels_Neon( void );

/// updateElements, differentiate and polarSteps of AVX-512 for a multiple of four blocks.
bool gelUpdateElementQuads_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs );
bool gelDifferentiateQuads_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy );
void gelPolarQuads_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations );

/// Loops over sixteen bodies.
gelLaneKernels gelGetWideLanes_Avx512( void );
gelParticleLaneKernels gelGetWideParticleLanes_Avx512( void );

/// Sixteen vertices at a time.
void gelSkinVertices_Avx512( const struct gelSkinPass* pass );

/// Kernels for a level that this processor and this build have; name is NULL when they do not.
/// gel_simdAutomatic: the fastest.
gelKernels gelFindKernels( gelSimdLevel level );

#define GEL_SOLVE_SCRATCH_PER_BLOCK 56u // x y z of eight rows, twice: by lanes and by rows

/// Floats of scratch memory for solving with a factor whose longest panel has rowCount rows.
static inline size_t gelGetSolveScratch( size_t rowCount )
{
	size_t blocks = ( rowCount + 7 ) / 8;
	return GEL_SOLVE_SCRATCH_PER_BLOCK * blocks;
}
