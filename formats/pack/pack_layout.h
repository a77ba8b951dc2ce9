// SPDX-License-Identifier: MIT
// The bytes of a pack (*.gel) as C structs. The document is formats/pack.md; this file and that one
// change in the same commit. Everything is little-endian, IEEE-754, without implicit padding, and a
// section starts at a multiple of 64 bytes, so that a validated pack is used in place.
#pragma once

#include <assert.h>
#include <stdint.h>

#define GEL_PACK_VERSION_MAJOR 0
#define GEL_PACK_VERSION_MINOR 5
#define GEL_PACK_ENDIAN_TAG    0x01020304u
#define GEL_PACK_ALIGNMENT     64u
#define GEL_PACK_LANES         8u // vertices per block in VEMB and CVTX, rows padded per panel in FACT

// Caps, checked before any arithmetic with a value from the file.
#define GEL_PACK_MAX_SECTIONS  1024u
#define GEL_PACK_MAX_NODES     ( 1u << 24 )
#define GEL_PACK_MAX_TETS      ( 1u << 24 )
#define GEL_PACK_MAX_TRIANGLES ( 1u << 29 ) // 3 * count is an int
#define GEL_PACK_MAX_VERTICES  ( 1u << 28 ) // 4 * padded count is an int
#define GEL_PACK_MAX_MATERIALS 65536u
#define GEL_PACK_MAX_COLORS    4096u
#define GEL_PACK_MAX_VALUES    ( 1u << 31 )
#define GEL_PACK_MIN_STEP      ( (double)1e-6f )      // [s], as steps are stored
#define GEL_PACK_MAX_STEP      1.0                    // [s]
#define GEL_PACK_MAX_META      ( 1u << 20 )           // bytes
#define GEL_PACK_MAX_BYTES     ( (uint64_t)16 << 30 ) // whole file

#define GEL_PACK_MAX_ATTACHMENTS 1024u
#define GEL_PACK_MAX_LEVELS      7u // coarser ones, behind the pack itself, which is level 0

// Collision geometry.
#define GEL_CDG_MAX_VERTICES  ( 1u << 28 ) // slots; 4 * count is an int
#define GEL_CDG_MAX_TRIANGLES ( 1u << 29 )
#define GEL_CDG_NARROW_NIL    0x1FFFFFu // 2^21 - 1; narrow records need counts of at most this
#define GEL_CDG_MAX_DEPTH     64u       // levels of CBVH, and of the tree of a patch

#define GEL_FOURCC( a, b, c, d )                                                                             \
	( (uint32_t)( a ) | ( (uint32_t)( b ) << 8 ) | ( (uint32_t)( c ) << 16 ) | ( (uint32_t)( d ) << 24 ) )

#define GEL_SECTION_META GEL_FOURCC( 'M', 'E', 'T', 'A' )
#define GEL_SECTION_NODE GEL_FOURCC( 'N', 'O', 'D', 'E' )
#define GEL_SECTION_TETS GEL_FOURCC( 'T', 'E', 'T', 'S' )
#define GEL_SECTION_TREF GEL_FOURCC( 'T', 'R', 'E', 'F' )
#define GEL_SECTION_MASS GEL_FOURCC( 'M', 'A', 'S', 'S' )
#define GEL_SECTION_MATL GEL_FOURCC( 'M', 'A', 'T', 'L' )
#define GEL_SECTION_PINS GEL_FOURCC( 'P', 'I', 'N', 'S' )
#define GEL_SECTION_COLR GEL_FOURCC( 'C', 'O', 'L', 'R' )
#define GEL_SECTION_GATH GEL_FOURCC( 'G', 'A', 'T', 'H' )
#define GEL_SECTION_VEMB GEL_FOURCC( 'V', 'E', 'M', 'B' )
#define GEL_SECTION_VIDX GEL_FOURCC( 'V', 'I', 'D', 'X' )
#define GEL_SECTION_VNRM GEL_FOURCC( 'V', 'N', 'R', 'M' )
#define GEL_SECTION_FACT GEL_FOURCC( 'F', 'A', 'C', 'T' )
#define GEL_SECTION_VBAT GEL_FOURCC( 'V', 'B', 'A', 'T' )
#define GEL_SECTION_NSRC GEL_FOURCC( 'N', 'S', 'R', 'C' )
#define GEL_SECTION_TSRC GEL_FOURCC( 'T', 'S', 'R', 'C' )
#define GEL_SECTION_ATCH GEL_FOURCC( 'A', 'T', 'C', 'H' )
// The collision group: all of these or none.
#define GEL_SECTION_CTET GEL_FOURCC( 'C', 'T', 'E', 'T' )
#define GEL_SECTION_CPAT GEL_FOURCC( 'C', 'P', 'A', 'T' )
#define GEL_SECTION_CVTX GEL_FOURCC( 'C', 'V', 'T', 'X' )
#define GEL_SECTION_CTRI GEL_FOURCC( 'C', 'T', 'R', 'I' )
#define GEL_SECTION_CSRC GEL_FOURCC( 'C', 'S', 'R', 'C' )
#define GEL_SECTION_CADJ GEL_FOURCC( 'C', 'A', 'D', 'J' )
#define GEL_SECTION_CBVH GEL_FOURCC( 'C', 'B', 'V', 'H' )
// Only beside the collision group.
#define GEL_SECTION_SUPP GEL_FOURCC( 'S', 'U', 'P', 'P' )

// Oriented particles: all of these or none; OPFA once per step length.
#define GEL_SECTION_OPGR GEL_FOURCC( 'O', 'P', 'G', 'R' )
#define GEL_SECTION_OPSK GEL_FOURCC( 'O', 'P', 'S', 'K' )
#define GEL_SECTION_OPFA GEL_FOURCC( 'O', 'P', 'F', 'A' )
// The warp-cancelling solver: UPDT once per pin set, WFAC once per step length and pin set.
#define GEL_SECTION_UPDT GEL_FOURCC( 'U', 'P', 'D', 'T' )
#define GEL_SECTION_WFAC GEL_FOURCC( 'W', 'F', 'A', 'C' )
// Levels of detail: LODP and LMAP with the keys 1, 2, ... in pairs.
#define GEL_SECTION_LODP GEL_FOURCC( 'L', 'O', 'D', 'P' )
#define GEL_SECTION_LMAP GEL_FOURCC( 'L', 'M', 'A', 'P' )

static const uint8_t GEL_PACK_MAGIC[8] = { 0x89, 'G', 'E', 'L', '\r', '\n', 0x1A, '\n' };

/// Offset 0 of the file.
typedef struct gelPackHeader
{
	uint8_t magic[8];
	uint16_t versionMajor, versionMinor;
	uint32_t endianTag;
	uint64_t fileBytes;
	uint32_t sectionCount, headerFlags; // flags: 0
	uint64_t tableHash;                 // XXH64, seed 0, of the section table
	uint64_t headerHash;                // XXH64, seed 0, of these 128 bytes with this field 0
	uint8_t provenance[32];             // SHA-256 of what the pack was baked from
	uint32_t nodeCount, tetCount;
	uint32_t artVertexCount, artTriangleCount;
	uint32_t cdgVertexCount; // slots of CVTX: every patch is padded to a multiple of 8
	uint32_t cdgTriangleCount, cdgPatchCount, cdgTetCount;
	uint32_t scalarKind;  // 0: f32
	uint8_t reserved[12]; // 0
} gelPackHeader;
static_assert( sizeof( gelPackHeader ) == 128, "on-disk size" );

#define GEL_PACK_SECTION_VERSION 1u // the one version of every section known so far, but some may also have
#define GEL_PACK_FACTOR_VERSION  2u // solved columns in tiles instead of L by columns
#define GEL_PACK_CDG_VERSION     2u // CPAT CVTX CTRI CSRC: short records, weights and indices of few bits

#define GEL_SECTION_REQUIRED 1u // a reader that does not know this section must refuse the pack

/// The section table follows the header; sorted by (fourcc, key), each pair once.
typedef struct gelPackSection
{
	uint32_t fourcc;
	uint16_t flags, version;
	uint64_t key;           // tells sections with one fourcc apart: pin set id, factor key; else 0
	uint64_t offset, bytes; // bytes == count * stride
	uint32_t count, stride;
	uint32_t alignment; // 64 or 4096
	uint32_t reserved0;
	uint64_t hash; // XXH64, seed 0, of the section's bytes
	uint64_t reserved1;
} gelPackSection;
static_assert( sizeof( gelPackSection ) == 64, "on-disk size" );

/// Where an array starts inside a section with several arrays (stride 1): the inner header is one of
/// these per array, in a fixed order. Arrays ascend, do not overlap, and the gaps are zero bytes < 64.
typedef struct gelPackArray
{
	uint32_t offset64; // from the start of the section, in units of 64 bytes
	uint32_t count;    // elements
} gelPackArray;
static_assert( sizeof( gelPackArray ) == 8, "on-disk size" );

/// NODE: rest position of a cage node [m].
typedef struct gelPackNode
{
	float x, y, z, zero;
} gelPackNode;
static_assert( sizeof( gelPackNode ) == 16, "on-disk size" );

/// TETS: positive orientation, det[x1-x0, x2-x0, x3-x0] > 0.
typedef struct gelPackTet
{
	uint32_t node[4];
} gelPackTet;
static_assert( sizeof( gelPackTet ) == 16, "on-disk size" );

/// TREF: rest shape of a tet.
typedef struct gelPackTetRest
{
	float invDm[9]; // row-major inverse of [x1-x0, x2-x0, x3-x0]; row k is the gradient of node k+1 [1/m]
	float volume;   // [m^3], > 0
	uint16_t material, flags; // flags: 0
	uint32_t zero;
} gelPackTetRest;
static_assert( sizeof( gelPackTetRest ) == 48, "on-disk size" );

/// MASS: lumped mass of a node [kg] and its inverse. Pinned nodes keep theirs.
typedef struct gelPackMass
{
	float mass, invMass;
} gelPackMass;
static_assert( sizeof( gelPackMass ) == 8, "on-disk size" );

/// MATL
typedef struct gelPackMaterial
{
	char name[24];                         // UTF-8, zero padded, always ends in at least one zero byte
	float density;                         // [kg/m^3], > 0
	float youngsModulus;                   // [Pa], > 0
	float poissonsRatio;                   // [0, 0.4999]
	float mu, lambda;                      // Lame parameters [Pa]; mu > 0, lambda >= 0
	float damping;                         // extra velocity damping [1/s], >= 0
	float staticFriction, dynamicFriction; // >= 0
	uint64_t zero;
} gelPackMaterial;
static_assert( sizeof( gelPackMaterial ) == 64, "on-disk size" );

/// PINS: plain array of uint32_t node indices, strictly ascending. The key is the pin set's id: the
/// XXH64 (seed 0) of that array. Id 0 always means "no pins" and has no section.

/// COLR: order of the volume sweep. Tets of one color share no node.
typedef struct gelPackColoring
{
	gelPackArray colorFirst; // uint32_t [colors + 1], from 0 to tetCount, strictly increasing
	gelPackArray tets;       // uint32_t [tetCount], a permutation
	uint8_t zero[48];
} gelPackColoring;
static_assert( sizeof( gelPackColoring ) == 64, "on-disk size" );

/// VBAT: plain array of uint32_t, a multiple of 8: tets in the order of the volume sweep, in batches of 8
/// that share no node. GEL_PACK_NO_TET fills batches up.
#define GEL_PACK_NO_TET 0xFFFFFFFFu

// NSRC, TSRC: plain arrays of uint32_t, the node and the tet of the cage that was baked for each node and tet
// of the pack; permutations.

/// ATCH: a point of the body that has a name. It moves with its place in the cage; what is missing from there
/// to `position` is turned as the body is turned there.
typedef struct gelPackAttachment
{
	char name[64];     // UTF-8, zero padded, ends in a zero byte, not empty; ascending
	float position[3]; // at rest [m]
	float radius;      // >= 0 [m]: how much of the body belongs to it; 0: the point alone
	float rotation[4]; // unit quaternion x y z w: from its axes to those of the asset
	uint32_t tet;
	float weight[4]; // barycentric, one per corner of the tet: in [0, 1], |sum - 1| <= 2^-22
	uint32_t zero[3];
} gelPackAttachment;
static_assert( sizeof( gelPackAttachment ) == 128, "on-disk size" );

/// GATH: the (tet, corner) pairs around each node, so that forces are gathered instead of scattered.
typedef struct gelPackGather
{
	gelPackArray nodeFirst; // uint32_t [nodeCount + 1], from 0 to 4 * tetCount, strictly increasing
	gelPackArray corners;   // uint32_t [4 * tetCount], 4 * tet + corner, ascending inside a node
	uint8_t zero[48];
} gelPackGather;
static_assert( sizeof( gelPackGather ) == 64, "on-disk size" );

/// VEMB: every art vertex inside a cage tet. Padded to a multiple of 8 vertices by repeating the last.
typedef struct gelPackEmbedding
{
	gelPackArray tets;    // uint32_t [padded]
	gelPackArray weights; // float [4 * padded]: blocks w0[8] w1[8] w2[8] w3[8]; in [0,1], |sum - 1| <= 2^-22
	gelPackArray sources; // uint32_t [artVertexCount]: the vertex of the art file that it came from, < 2^31
	uint8_t zero[40];
} gelPackEmbedding;
static_assert( sizeof( gelPackEmbedding ) == 64, "on-disk size" );

/// VIDX: art triangle, counter-clockwise seen from outside.
typedef struct gelPackTriangle
{
	uint32_t vertex[3];
} gelPackTriangle;
static_assert( sizeof( gelPackTriangle ) == 12, "on-disk size" );

/// VNRM: rest normal of an art vertex, octahedral, each component snorm16 (-32768 is not used).
typedef struct gelPackNormal
{
	int16_t u, v;
} gelPackNormal;
static_assert( sizeof( gelPackNormal ) == 4, "on-disk size" );

#define GEL_FACTOR_FAST      1u // mass + 2 h^2 mu V (g_i . g_j), Kugelstadt et al. 2018
#define GEL_FACTOR_PARTICLES 2u // mass + h^2 k (V_i + V_j) over edges, Choi and Lee 2017; section OPFA
#define GEL_FACTOR_WARP      3u // mass + h^2 K, Hecht et al. 2012; section WFAC

/// FACT: sparse Cholesky factor L L^T = P A P^T in supernodal panels, for one (solver, step, pin set).
/// Panel s: columns superFirst[s] .. superFirst[s+1]-1 (width w), rows rows[rowFirst[s]] ..
/// rows[rowFirst[s+1]-1] (count r, strictly ascending, the first w are its own columns). Values are
/// column-major with leading dimension r rounded up to 8; unused entries are exactly 0.
/// Version 2 of the section stores the solved columns G = [L11^-1; L21 L11^-1] instead of L = [L11; L21], in
/// as many values: columns in groups of 4 (the last may be narrower), a group in tiles of 8 rows, a tile by
/// columns.
typedef struct gelPackFactor
{
	uint32_t solverKind; // GEL_FACTOR_*
	uint32_t blockSize;  // 1: one scalar factor serves x, y and z
	uint64_t stepBits;   // IEEE-754 bits of the step length [s] as a double that is exactly a float
	uint64_t pinSetId;   // 0: no pins
	uint32_t n;          // free nodes
	uint32_t superCount;
	uint64_t nonzeroCount; // entries of L by its pattern: no padding, no zeros that merging columns added
	float regularisation;  // added to the diagonal of A, relative; 0
	float minDiagonal, maxDiagonal; // extremes of the diagonal of L
	float residual;                 // |L L^T - P A P^T| / |A| at bake, max norm, L rounded to float
	uint64_t patternHash;           // XXH64 of A's lower pattern, see pack.md
	gelPackArray perm;              // uint32_t [n]: row of L -> node
	gelPackArray superFirst;        // uint32_t [superCount + 1]
	gelPackArray rowFirst;          // uint32_t [superCount + 1]
	gelPackArray rows;              // uint32_t [rowFirst[superCount]]
	gelPackArray valueFirst;        // uint64_t [superCount + 1], multiples of 16
	gelPackArray values;            // float [valueFirst[superCount]]
	gelPackArray invDiagonal;       // float [n]: 1 / L_jj
	gelPackArray parent;            // uint32_t [superCount]: > own index; roots: superCount
} gelPackFactor;
static_assert( sizeof( gelPackFactor ) == 128, "on-disk size" );

/// Key of a FACT section: XXH64 (seed 0) of these 24 bytes.
typedef struct gelPackFactorKey
{
	uint32_t solverKind, blockSize;
	uint64_t stepBits, pinSetId;
} gelPackFactorKey;
static_assert( sizeof( gelPackFactorKey ) == 24, "on-disk size" );

// ---- collision geometry (CDG): the art surface, cut along the inner faces of the cage ----------------
//
//   CBVH ──► CTET ──► CPAT ──► CTRI (tree order) ──► CSRC
//                       ├────► CVTX (weights in the cell's nodes)
//                       └────► CADJ (patches across the boundary)
//
// A patch is a connected part of the surface inside one cell, so one tet deforms all of it. Nothing in
// these sections changes when the body deforms.

#define GEL_CDG_NIL 0xFFFFFFFFu

#define GEL_CDG_WEIGHT_SUM  0x200000u // 2^21: weights in CVTX version 2 are integers of this unit
#define GEL_CDG_WEIGHT_UNIT 0x1p-21f

#define GEL_CDG_CELL_ODD 1u // det[x1-x0, x2-x0, x3-x0] of the ascending nodes is negative at rest

/// CTET: a cell, that is a tet with surface inside.
typedef struct gelPackCell
{
	uint32_t tet;     // the cage tet with these corners; GEL_CDG_NIL: a cell that is not a tet of the cage
	uint32_t node[4]; // ascending
	uint32_t flags;   // GEL_CDG_CELL_ODD
	uint8_t low[4], high[4]; // b-DOP of all vertices: low / 256 <= weight of node k <= (high + 1) / 256
	uint32_t patchFirst, patchCount;
} gelPackCell;
static_assert( sizeof( gelPackCell ) == 40, "on-disk size" );

/// CPAT. Vectors are those of the undeformed surface; N_s = cof(F) N_m holds for the deformed one.
typedef struct gelPackPatch
{
	uint32_t triangleFirst, triangleCount;
	uint32_t vertexFirst, vertexCount; // slots of CVTX; vertexFirst is a multiple of 8
	uint32_t weldFirst, weldCount;     // the first weldCount vertices have copies in other patches
	uint32_t cell;                     // CTET
	uint32_t linkFirst, linkCount;     // CADJ
	uint32_t borderFirst;              // CVTX borders; 0 in section version 1
	float centroid[4];                 // weights of the area centroid
	float vectorArea[3];               // N_m = 1/2 sum (v2-v1) x (v3-v1) [m^2]
	float area;                        // S_m [m^2]
	float areaTensor[6];               // T_m = sum s n n^T [m^2]: xx yy zz xy xz yz
} gelPackPatch;
static_assert( sizeof( gelPackPatch ) == 96, "on-disk size" );

/// CVTX: vertices as weights of the four ascending nodes of their cell. Copies of one vertex in other
/// patches have the same bits for the same nodes, and zero for the nodes that the cells do not share.
/// Patches are padded to 8 slots by their last vertex.
typedef struct gelPackCdgVertices
{
	// version 2: uint64_t [slots], 21 bits for each of the first three weights; the fourth is what is missing
	// to GEL_CDG_WEIGHT_SUM. Version 1: float [4 * slots] in blocks w0[8] w1[8] w2[8] w3[8]
	gelPackArray weights;
	// lowest slot among the copies, for the first weldCount vertices of each patch, as few bits as slots
	// need; version 1: uint32_t
	gelPackArray welds;
	// version 2: triangle across each edge that leaves its patch, by patch, triangle and edge, as few bits as
	// triangles need
	gelPackArray borders;
	uint8_t zero[40];
} gelPackCdgVertices;
static_assert( sizeof( gelPackCdgVertices ) == 64, "on-disk size" );

/// CTRI: five, six or eight words per triangle; formats/pack/pack_read_cdg.h takes them apart.
#define GEL_CDG_SHORT_WORDS  5u // section version 2
#define GEL_CDG_NARROW_WORDS 6u
#define GEL_CDG_WIDE_WORDS   8u

#define GEL_CDG_SHORT_NIL      0xFFFFu // triangles and borders of a patch with short records are fewer
#define GEL_CDG_SHORT_VERTICES 0x10000u

#define GEL_CDG_TRIANGLE_BORDER 1u // some edge has no neighbor in the patch

/// CSRC: per triangle the art triangle (VIDX) that it was cut from; as few bits as art triangles need.
/// Version 1: uint32_t.

/// CADJ: one neighbor of a patch; ascending inside a patch.
typedef struct gelPackLink
{
	uint32_t patch;
	uint32_t entry; // the lowest triangle of that patch that touches this one
} gelPackLink;
static_assert( sizeof( gelPackLink ) == 8, "on-disk size" );

/// CBVH: binary tree over the cells, 2 * cells - 1 nodes, the root first, children behind their parent.
typedef struct gelPackBvhNode
{
	uint32_t left;  // GEL_CDG_NIL: a leaf
	uint32_t right; // second child; in a leaf: the cell
} gelPackBvhNode;
static_assert( sizeof( gelPackBvhNode ) == 8, "on-disk size" );

#define GEL_SUPPORT_MAX_SLACK 0.0625f // distance in weights

/// SUPP: which vertices are on the convex hull of the vertices of their cell, in the space of weights: those
/// that can be the lowest in some direction, however the cell is deformed.
typedef struct gelPackSupports
{
	float slack; // how far other vertices may be from the hull of those, in weights
	uint32_t zero0;
	gelPackArray bits; // uint32_t [slots / 32, rounded up]: bit k of word i is slot 32 * i + k
	uint8_t zero[48];
} gelPackSupports;
static_assert( sizeof( gelPackSupports ) == 64, "on-disk size" );

// ---- oriented particles (Choi and Lee 2017) ------------------------------------------------------------
//
//   OPGR ──► graph of ellipsoids, OPFA ──► its factor per step length, OPSK ──► art and cage on particles

#define GEL_PACK_MAX_PARTICLES 4096u // 16-bit ids in OPSK; the method is for tens to hundreds
#define GEL_PACK_NO_PARTICLE   0xFFFFFFFFu

#define GEL_PARTICLES_SOLID 0u // in a volume
#define GEL_PARTICLES_SHEET 1u // on an open surface
#define GEL_PARTICLES_ROD   2u // along a curve

/// One ellipsoid at rest.
typedef struct gelPackParticle
{
	float position[3]; // center [m]
	float volume;      // V > 0 [m^3]: weight in the elastic energy
	float rotation[4]; // unit quaternion x y z w: from the axes of the ellipsoid to those of the asset
	float radius[3];   // a, b, c > 0 [m]
	float mass;        // > 0 [kg]
	uint32_t zero[4];
} gelPackParticle;
static_assert( sizeof( gelPackParticle ) == 64, "on-disk size" );

/// OPGR: particles, graph, and the order of the sweep over rotations.
typedef struct gelPackParticles
{
	uint32_t particleCount; // 1 .. GEL_PACK_MAX_PARTICLES
	uint32_t edgeCount;     // undirected
	uint32_t kind;          // GEL_PARTICLES_*
	float stiffness;        // k > 0 [J/m^5]
	gelPackArray particles; // gelPackParticle [particleCount]
	// uint32_t [particleCount + 1], from 0 to 2 * edgeCount, not falling
	gelPackArray neighborFirst;
	gelPackArray neighbors; // uint32_t [2 * edgeCount]: ascending inside a particle, both directions
	// uint32_t, a multiple of 8: every particle once, in batches of 8 of which no two are neighbors;
	// GEL_PACK_NO_PARTICLE fills batches up
	gelPackArray batches;
	uint8_t zero[16];
} gelPackParticles;
static_assert( sizeof( gelPackParticles ) == 64, "on-disk size" );

/// OPSK: a point of the rest shape on up to four particles; weights of 1/65535 sum to 65535.
typedef struct gelPackSkin
{
	uint16_t particle[4]; // unused: 0
	uint16_t weight[4];   // unused: 0
} gelPackSkin;
static_assert( sizeof( gelPackSkin ) == 16, "on-disk size" );

typedef struct gelPackSkins
{
	gelPackArray vertices; // gelPackSkin [artVertexCount]
	gelPackArray nodes;    // gelPackSkin [nodeCount]: the cage follows as well, for queries and constraints
	uint8_t zero[48];
} gelPackSkins;
static_assert( sizeof( gelPackSkins ) == 64, "on-disk size" );

// ---- warp-cancelling corotation (Hecht, Lee, Shewchuk, O'Brien 2012) -------------------------------------
//
//   UPDT ──► elimination tree and fronts (pack_read_warp.h), WFAC ──► their factor at rest per step length

#define GEL_WARP_PINNED 0xFFFFu // in corners: a node that is no column

/// UPDT: the fronts of one pin set, which is the key of the section.
typedef struct gelPackWarp
{
	uint64_t pinSetId;
	uint32_t n, superCount;  // columns, one per node that is not pinned; supernodes
	gelPackArray perm;       // uint32_t [n]: column -> node
	gelPackArray superFirst; // uint32_t [superCount + 1]: columns, from 0 to n, strictly increasing
	gelPackArray rowFirst;   // uint32_t [superCount + 1]: rows, not falling
	gelPackArray rows;       // uint32_t: columns behind those of the supernode, ascending
	gelPackArray places;     // uint32_t: per row, which node of the parent's front it is
	gelPackArray parents;    // uint32_t [superCount]: supernode of the first row; roots: superCount
	gelPackArray tetFirst;   // uint32_t [superCount + 1]: tets, not falling
	gelPackArray tets;       // uint32_t: every tet with a column, by the supernode of its first one
	gelPackArray corners;    // uint16_t [4 * tets]: nodes of the front, or GEL_WARP_PINNED
	gelPackArray costs;      // uint64_t [superCount]: operations, see gelGetWarpCost
	uint8_t zero[32];
} gelPackWarp;
static_assert( sizeof( gelPackWarp ) == 128, "on-disk size" );

/// WFAC: numbers of a factor. The key is that of FACT.
typedef struct gelPackWarpFactor
{
	uint32_t solverKind; // GEL_FACTOR_WARP
	uint32_t blockSize;  // 3
	uint64_t stepBits;   // as in FACT
	uint64_t pinSetId;
	gelPackArray panels;  // float
	gelPackArray updates; // float
	gelPackArray tiles;   // float
	uint8_t zero[16];
} gelPackWarpFactor;
static_assert( sizeof( gelPackWarpFactor ) == 64, "on-disk size" );

// ---- levels of detail ------------------------------------------------------------------------------------
//
//   LODP ──► a whole pack of the same art in a coarser cage, LMAP ──► where the nodes of each cage are in the
//   other

// LODP: the bytes of a pack without levels of its own. The key is the level, 1 .. GEL_PACK_MAX_LEVELS.

/// LMAP: between level key - 1 ("fine") and level key ("coarse"), at rest. Weights of a node are in [0, 1]
/// and sum to 1 within 2^-22; those of a node outside of the other cage name a point of it that is near.
typedef struct gelPackLevelMap
{
	gelPackArray coarseTets;    // uint32_t [coarse nodes]: tet of the fine cage
	gelPackArray coarseWeights; // float [4 * coarse nodes]: of its corners
	gelPackArray fineTets;      // uint32_t [fine nodes]: tet of the coarse cage
	gelPackArray fineWeights;   // float [4 * fine nodes]
	uint8_t zero[32];
} gelPackLevelMap;
static_assert( sizeof( gelPackLevelMap ) == 64, "on-disk size" );
