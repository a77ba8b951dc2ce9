// SPDX-License-Identifier: MIT
// The passes of a bake, one file each, in the order in which gelBake runs them. Every pass reads what the
// passes before it made and allocates its result from the bake's pool.
//
// Numbers that the runtime will see are rounded to float as early as possible, and later passes compute in
// double from the rounded numbers. So the pack agrees with itself: its system matrix is that of its own
// nodes, masses and materials, and can be rebuilt from it.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"
#include "pack/pack_layout.h"
#include "pack/pack_write.h"

// ---- cage_check.c: is it a cage at all -----------------------------------------------------------

/// Nodes and tets as they go into the pack.
typedef struct gelBakeCage
{
	const char* file; // that it came from, for messages; NULL: none
	uint32_t nodeCount, tetCount;
	gelPackNode* nodes;
	gelPackTet* tets;
	uint32_t partCount;    // parts that share no node
	double maxCoordinate;  // largest absolute coordinate [m]; its float rounding is the cage's resolution
	uint32_t* sourceNodes; // node -> node of the cage as it was given; NULL: the same
	uint32_t* sourceTets;  // tet -> tet of the cage as it was given; NULL: the same
} gelBakeCage;

/// Checks indices, numbers and faces of a cage from anywhere and rounds the nodes to float.
bool gelCheckCage(
	const gelCage* cage, const char* file, gelBakePool* pool, gelFindings* findings, gelBakeCage* out );

// ---- layout.c: nodes and tets in an order that a step reads fast -----------------------------------

/// Renumbers nodes and tets, unless the order of the cage is as good. Later passes know no other numbering;
/// only messages speak of the one that was given.
void gelOrderCage( gelBakeCage* cage, gelBakePool* pool );

/// Pins of the cage as it was given, in range -> pins of the ordered cage, ascending.
gelBakePinSet gelOrderPins( const gelBakeCage* cage, const gelBakePinSet* pins, gelBakePool* pool );

/// For messages: the number that a tet or node has in the cage as it was given.
uint32_t gelGetSourceTet( const gelBakeCage* cage, uint32_t tet );
uint32_t gelGetSourceNode( const gelBakeCage* cage, uint32_t node );

// ---- gather.c: tets around each node -------------------------------------------------------------

typedef struct gelBakeGather
{
	uint32_t* nodeFirst; // [nodeCount + 1]
	uint32_t* corners;   // [4 * tetCount]: 4 * tet + corner, ascending inside a node
} gelBakeGather;

gelBakeGather gelBuildGather( const gelBakeCage* cage, gelBakePool* pool );

// ---- materials.c -----------------------------------------------------------------------------------

/// Checks ranges and computes the Lame parameters.
bool gelBuildMaterial( const gelBakeMaterial* material, gelFindings* findings, gelPackMaterial* out );

// ---- tet_materials.c: the table of all materials of a body -------------------------------------------

typedef struct gelBakeMaterials
{
	gelPackMaterial* items; // the first is that of the settings, whether or not a tet has it
	uint32_t count;
	uint32_t* tets; // tet of the ordered cage -> item
} gelBakeMaterials;

/// Tets of equal materials, names included, share an entry. False: a value is out of range, or there are too
/// many.
bool gelBuildMaterials( const gelBakeSettings* settings, const gelBakeCage* cage, gelBakePool* pool,
	gelFindings* findings, gelBakeMaterials* out );

// ---- rest_shape.c: inverse rest matrices and volumes ---------------------------------------------

typedef struct gelBakeRest
{
	gelPackTetRest* tets;
	double volume;       // of all tets [m^3]
	double minThickness; // worst ratio of smallest height to longest edge
} gelBakeRest;

/// @param tetMaterials numbers of materials to put into the shapes; NULL: all 0
bool gelBuildRestShapes( const gelBakeCage* cage, const uint32_t* tetMaterials, gelBakePool* pool,
	gelFindings* findings, gelBakeRest* out );

// ---- mass.c ----------------------------------------------------------------------------------------

/// Lumped masses: a quarter of the mass of each tet to each of its nodes.
/// @param materials that the rest shapes refer to
bool gelBuildMasses( const gelBakeCage* cage, const gelBakeGather* gather, const gelBakeRest* rest,
	const gelPackMaterial* materials, gelBakePool* pool, gelFindings* findings, gelPackMass** outMasses );

// ---- color.c: tets that can be solved at the same time ---------------------------------------------

typedef struct gelBakeColoring
{
	uint32_t colorCount;
	uint32_t* colorFirst; // [colorCount + 1]
	uint32_t* tets;       // [tetCount], ascending inside a color
} gelBakeColoring;

bool gelColorTets( const gelBakeCage* cage, gelBakePool* pool, gelFindings* findings, gelBakeColoring* out );

// ---- batches.c: the order of the volume sweep --------------------------------------------------------

typedef struct gelBakeBatches
{
	uint32_t slotCount; // a multiple of 8
	uint32_t* slots;    // tets, GEL_PACK_NO_TET in empty slots
} gelBakeBatches;

/// Batches of eight tets without common nodes, neighbours in space close together in the order.
gelBakeBatches gelBuildBatches( const gelBakeCage* cage, gelBakePool* pool );

// ---- embed.c: art vertices in cage tets ------------------------------------------------------------

typedef struct gelBakeEmbedding
{
	uint32_t* tets;   // per render vertex
	float* weights;   // 4 per render vertex, in [0, 1], sum 1
	uint32_t snapped; // positions that were outside by no more than rounding, and were moved in
	double maxError;  // farthest that an embedded vertex is from its art vertex at rest [m]
} gelBakeEmbedding;

/// @param file that the mesh came from, for messages; NULL: none
bool gelEmbedVertices( const gelMesh* mesh, const char* file, const gelBakeCage* cage, int threads,
	gelBakePool* pool, gelFindings* findings, gelBakeEmbedding* out );

/// The same for points: the tet that holds each, or GEL_NO_INDEX, and its four weights.
/// @param points 3 each [m]
void gelPlacePoints( const float* points, uint32_t count, const gelBakeCage* cage, int threads,
	uint32_t* outTets, float* outWeights );

// ---- attachment_bake.c: points that have names ---------------------------------------------------------

typedef struct gelBakeAttachments
{
	gelPackAttachment* items; // by name
	uint32_t count;
} gelBakeAttachments;

// ---- order.c: fill-reducing order of the free nodes --------------------------------------------------

/// Which nodes touch: the pattern of the system matrix over the free nodes of one pin set. Free nodes are
/// numbered 0 .. n - 1 in ascending node order.
typedef struct gelBakeGraph
{
	uint32_t n;
	uint32_t* freeToNode;    // [n]
	uint32_t* nodeToFree;    // [nodeCount], GEL_NO_INDEX: pinned
	uint32_t* neighborFirst; // [n + 1]
	uint32_t* neighbors;     // ascending inside a node, without the node itself
	uint64_t patternHash;    // as formats/pack.md defines it
} gelBakeGraph;

gelBakeGraph gelBuildGraph( const gelBakeCage* cage, const gelBakeGather* gather, const uint32_t* pins,
	uint32_t pinCount, gelBakePool* pool );

/// Hash of a graph as formats/pack.md defines it.
uint64_t gelHashPattern( const gelBakeGraph* graph );

/// Nested dissection (METIS) of every connected part. @return [n], position -> free node; NULL: METIS failed
uint32_t* gelOrderNodes( const gelBakeGraph* graph, gelBakePool* pool );

// ---- factor.c, supernodes.c, factor_check.c ----------------------------------------------------------

/// Lower triangle of the system matrix by columns, over the free nodes in ascending node order.
typedef struct gelBakeMatrix
{
	uint32_t n;
	int* columnFirst; // [n + 1]
	int* rows;        // diagonal first, then ascending
	double* values;
} gelBakeMatrix;

/// A_ij = delta_ij m_i + sum over tets of 2 h^2 mu V (g_i . g_j) [kg].
/// @param materials that the rest shapes refer to
gelBakeMatrix gelAssembleMatrix( const gelBakeCage* cage, const gelBakeGather* gather,
	const gelBakeRest* rest, const gelPackMaterial* materials, const gelPackMass* masses,
	const gelBakeGraph* graph, double step, gelBakePool* pool );

/// A factor in supernodal panels, as the FACT section stores it.
typedef struct gelBakeFactor
{
	double step; // [s], exactly a float
	uint64_t pinSetId;
	uint32_t n, superCount;
	uint32_t* perm; // row of L -> node
	uint32_t *superFirst, *rowFirst, *rows, *parent;
	uint64_t* valueFirst;
	float *values, *invDiagonal;
	uint64_t nonzeroCount;
	double minDiagonal, maxDiagonal;
	double residual;
	uint64_t patternHash;
} gelBakeFactor;

typedef enum gelFactorStatus
{
	gel_factorOk,
	gel_factorNotPositive, // a pivot was zero, negative or not a number
	gel_factorConditioned, // smallest pivot / largest pivot < 1e-7, or the residual > 1e-5
	gel_factorTooLarge,    // over a limit of the pack format
	gel_factorLibrary,     // CHOLMOD failed
} gelFactorStatus;

/// Factors in double with CHOLMOD's simplicial part, forms panels, rounds to float, measures the residual.
/// @param order from gelOrderNodes
gelFactorStatus gelFactorMatrix( const gelBakeMatrix* matrix, const gelBakeGraph* graph,
	const uint32_t* order, gelBakePool* pool, gelBakeFactor* out );

/// A sparse lower triangular factor by columns: diagonal first, then rows ascending.
typedef struct gelBakeColumns
{
	uint32_t n;
	const int* columnFirst;
	const int* columnCount;
	const int* rows;
	const double* values;
} gelBakeColumns;

/// Widest panel. Its diagonal block in float fills half of a common first-level cache.
#define GEL_BAKE_MAX_PANEL_WIDTH 64u

/// Fills n, superCount, superFirst .. invDiagonal, nonzeroCount and the diagonal's range. False: over a
/// limit.
bool gelFormSupernodes( const gelBakeColumns* L, gelBakePool* pool, gelBakeFactor* out );

/// max |L L^T - P A P^T| / max |A| over all entries, with the rounded L.
/// @param rowToFree row of L -> free node
double gelMeasureResidual(
	const gelBakeFactor* factor, const gelBakeMatrix* matrix, const uint32_t* rowToFree );

// ---- collide.c and the passes of cdg.h; cdg_out.c -----------------------------------------------------

/// Contents of the sections CTET .. CBVH.
typedef struct gelBakeCdg
{
	uint32_t cellCount, patchCount, slotCount, triangleCount, weldCount, borderCount, linkCount;
	gelPackCell* cells;
	gelPackPatch* patches;
	uint64_t* weights;   // [slotCount]
	uint32_t* welds;     // [weldCount]
	uint32_t* borders;   // [borderCount], none but for short records
	uint32_t* triangles; // [words * triangleCount]
	uint32_t words;      // per triangle
	uint32_t* sources;   // [triangleCount]
	gelPackLink* links;
	gelPackBvhNode* bvh;
	// figures for the report
	uint32_t vertexCount; // without padding
	uint32_t cutCount, bvhDepth, treeDepth, openEdges;
	double area; // [m^2]
} gelBakeCdg;

// ---- solved_panels.c: the form in which the runtime reads a factor -----------------------------------

/// G11 = L11^-1 and G21 = L21 L11^-1 of every panel in double, rounded once, in tiles of 8 rows and up to 4
/// columns: values[] of version 2 of FACT, as many as the factor has.
/// @param outInvDiagonal [n]: the diagonal of G
float* gelSolvePanels( const gelBakeFactor* factor, gelBakePool* pool, float** outInvDiagonal );

// ---- particle_*.c -----------------------------------------------------------------------------------

/// Contents of the sections OPGR, OPSK and OPFA.
typedef struct gelBakeParticles
{
	uint32_t count, edgeCount, kind; // count 0: there are none
	float stiffness;                 // k [J/m^5]
	gelPackParticle* particles;
	uint32_t *neighborFirst, *neighbors;
	uint32_t slotCount;
	uint32_t* batches;
	gelPackSkin *vertexSkins, *nodeSkins;
	uint32_t vertexCount, nodeCount;
	gelBakeFactor* factors;
	int factorCount;
} gelBakeParticles;

// ---- level_map.c: levels of detail ---------------------------------------------------------------------

/// Contents of one LMAP: nodes of two neighbouring levels in each other's cage.
typedef struct gelBakeLevelMap
{
	uint32_t fineCount, coarseCount;    // nodes
	uint32_t *coarseTets, *fineTets;    // of the other cage
	float *coarseWeights, *fineWeights; // 4 per node
} gelBakeLevelMap;

// ---- factor_jobs.c, meta.c, stable_json.c, provenance.c, pack_out.c
// ----------------------------------------------------------------

/// Everything that goes into a pack.
typedef struct gelBakeData
{
	gelBakePool pool;
	const gelMesh* mesh;
	const gelBakeSettings* settings;
	gelBakeCage cage;
	gelBakeGather gather;
	gelBakeRest rest;
	gelBakeMaterials materials;
	gelPackMass* masses;
	gelBakeColoring coloring;
	gelBakeBatches batches;
	gelBakeEmbedding embedding;
	gelBakeAttachments attachments;
	gelBakeCdg cdg;
	gelBakeParticles particles;
	gelBakeFactor* factors;
	int factorCount;
	struct gelBakeWarp* warps; // of the warp-cancelling solver, per pin set and without pins; NULL: none
	int warpCount;
	gelBakeLevelMap* levelMaps; // [settings->levelCount]
	uint64_t* pinSetIds;        // [settings->pinSetCount]
	gelBakePinSet* pinSets;     // [settings->pinSetCount], by the nodes of the ordered cage
} gelBakeData;

/// Attachment points of the settings in the cage; a warning for each that is outside. @return false: too many
bool gelBuildAttachments( gelBakeData* data, gelFindings* findings );
void gelReportAttachments( const gelBakeData* data, gelReport* report );

/// The collision geometry. Without it (settings, or the art does not allow it and it was not asked for)
/// out->cellCount is 0. @return false: there is an error
bool gelBuildCdg( const gelBakeData* data, gelBakePool* pool, gelFindings* findings, gelBakeCdg* out );

/// Its sections, counts of the header, and figures; nothing when there is none.
void gelAddCdgSections( gelPackWriter* writer, const gelBakeCdg* cdg, uint32_t artTriangleCount );
void gelSetCdgCounts( const gelBakeCdg* cdg, gelPackHeader* header );
void gelReportCdg( const gelBakeCdg* cdg, gelReport* report );

/// Oriented particles, if the settings ask for them. @return false: there is an error
bool gelBuildParticles( gelBakeData* data, gelFindings* findings );

/// Their sections and figures; nothing when there are none.
void gelAddParticleSections( gelPackWriter* writer, const gelBakeParticles* particles );
void gelReportParticles( const gelBakeParticles* particles, gelReport* report );

/// Maps between the levels of the settings; their sections and figures; nothing without levels.
bool gelBuildLevels( gelBakeData* data, gelFindings* findings );
void gelAddLevelSections( gelPackWriter* writer, const gelBakeData* data );
void gelReportLevels( const gelBakeSettings* settings, gelReport* report );

/// A factor as FACT or OPFA. @param solverKind GEL_FACTOR_*
void gelAddFactorSection(
	gelPackWriter* writer, uint32_t fourcc, uint32_t solverKind, const gelBakeFactor* factor );

/// Whether the step lengths are in range, each there once, and not too many. Needs nothing but the settings.
bool gelCheckSteps( const gelBakeSettings* settings, gelFindings* findings );

/// Checks step lengths and pin sets and fills pinSetIds, factors and factorCount.
bool gelBuildFactors( gelBakeData* data, gelProgram* program );

/// META: one line of JSON with sorted keys, nothing in it that changes from run to run or machine to machine.
/// free() the result.
char* gelBuildMeta( const gelBakeData* data, const gelFindings* findings );

/// JSON text with sorted keys, no spaces, and reals in the shortest form that reads back to the same double.
/// free() the result.
char* gelFormatStableJson( const json_t* value );

/// What was asked for, in a form in which equal requests are equal texts. The caller owns the reference.
json_t* gelBuildSettingsJson( const gelBakeData* data );

/// Versions of the libraries that decide about factors. The caller owns the reference.
json_t* gelBuildLibrariesJson( void );

/// Warnings so far: numbers, how often, titles. The caller owns the reference.
json_t* gelBuildWarningsJson( const gelFindings* findings );

/// SHA-256 of input hash, cage, settings, versions of tool, format and libraries, and of the warnings, if
/// there are any: META has them, and a cage that is made may give some that the same cage from a file does
/// not.
void gelBuildProvenance(
	const gelBakeData* data, const gelCage* cage, const gelFindings* findings, uint8_t out[32] );

/// Lays out the pack. NULL: over a cap. free() the result.
uint8_t* gelWritePack(
	const gelBakeData* data, const char* meta, const uint8_t provenance[32], size_t* outBytes );
