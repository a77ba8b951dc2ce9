// SPDX-License-Identifier: MIT
// Gelpack runtime: loads baked packs (*.gel) and simulates them as deformable bodies.
//
//     gelAsset* asset;                                       // once per art asset
//     gelLoadAssetFile( "bear.gel", NULL, &asset, NULL );
//     gelWorldDef worldDef = gelDefaultWorldDef();
//     worldDef.hasGround = true;
//     gelWorldId world;
//     gelCreateWorld( &worldDef, &world );
//     gelBodyDef bodyDef = gelDefaultBodyDef();
//     bodyDef.asset = asset;
//     bodyDef.transform.position.y = 2.0f;
//     gelBodyId body;
//     gelCreateBody( world, &bodyDef, &body );
//     while ( playing )
//     {
//         gelWorld_Step( world, 1.0f / 60.0f );              // a step length that was baked
//         gelBody_GetPositions( body, vertices, vertexCount ); // upload and draw
//     }
//
// Parameters run: object, inputs, in/out, outputs, capacity. Functions that can fail return a
// gelResult; a failed call changes nothing. Functions without a result give zero for a null or stale id, and
// those that destroy ignore it. Nothing allocates after a world and its bodies exist,
// but the first constraint of a body (interact.h) and changes of level (lod.h).
// Different worlds may be used from different threads at the same time; one world may not, but for the
// questions of query.h, which any number of threads may ask while nobody steps or changes the world. During
// gelWorld_Step its callbacks may neither change nor ask the world, on whatever thread they run
// (gel_errorLocked).
// Every function that takes a count and a capacity returns the full count and writes at most capacity
// elements; NULL and 0 ask for the count.
// Positions inside are relative to an origin that each body has of its own and that follows it, so a body
// far from the world's origin is simulated as precisely as one near it; only what is handed out in world
// space is rounded to float there.
// Same pack, same calls, same machine: same bits, for any number of threads.
#pragma once

#include "attach.h"
#include "base.h"
#include "collider.h"
#include "contact.h"
#include "debug_draw.h"
#include "interact.h"
#include "lod.h"
#include "math_float.h"
#include "particles.h"
#include "query.h"
#include "types.h"
#include "warp.h"

// ---- assets ------------------------------------------------------------------------------------

/// Start of every gelAssetDef.
GEL_API gelAssetDef gelDefaultAssetDef( void );

/// Validates a pack that is in memory and uses it in place. The buffer must be 64-byte aligned, must
/// not change, and must outlive the asset.
/// @param def NULL: defaults
/// @param outError NULL, or receives where and why the pack was refused
GEL_API gelResult gelOpenAsset( const void* bytes, size_t byteCount, const gelAssetDef* def,
	gelAsset** outAsset, gelLoadError* outError );

/// As gelOpenAsset, from a private copy: the buffer may have any alignment and may go afterwards.
GEL_API gelResult gelLoadAsset( const void* bytes, size_t byteCount, const gelAssetDef* def,
	gelAsset** outAsset, gelLoadError* outError );

/// As gelLoadAsset, from a file. A convenience: games usually have a file system of their own.
GEL_API gelResult gelLoadAssetFile(
	const char* path, const gelAssetDef* def, gelAsset** outAsset, gelLoadError* outError );

/// Frees an asset. No body may use it or a level of it any more. NULL is allowed; so is a level, which stays.
GEL_API void gelDestroyAsset( gelAsset* asset );

/// Counts, mass, bounds. Zeros for NULL.
GEL_API gelAssetInfo gelAsset_GetInfo( const gelAsset* asset );

/// The (step length, pin set) pairs that this asset was baked for.
GEL_API int gelAsset_GetFactors( const gelAsset* asset, gelFactorInfo* out, int outCapacity );

/// Whether a body with this def could be made and stepped by dt [s]: its pin set is there, and a factor for
/// its mode and stiffness scale.
GEL_API bool gelAsset_CanStep( const gelAsset* asset, const gelBodyDef* def, float dt );

/// Ids of the pin sets.
GEL_API int gelAsset_GetPinSets( const gelAsset* asset, uint64_t* out, int outCapacity );

/// Nodes of a pin set, ascending. None for an id that the asset does not have.
GEL_API int gelAsset_GetPinnedNodes( const gelAsset* asset, uint64_t pinSetId, int* out, int outCapacity );

/// Art triangles: 3 * triangleCount vertex indices, owned by the asset.
GEL_API const uint32_t* gelAsset_GetTriangles( const gelAsset* asset );

/// For each art vertex the vertex of the art file that it came from, owned by the asset.
GEL_API const uint32_t* gelAsset_GetVertexSources( const gelAsset* asset );

/// What the pack says about itself (META): JSON in UTF-8, not zero terminated, owned by the asset. A game can
/// see from it whether a pack is stale: "input.sha256" is that of the art files, "version" that of the tool,
/// "settings" are the options, "libraries" the versions of those that decide about bytes.
/// @param outBytes its length
GEL_API const char* gelAsset_GetMeta( const gelAsset* asset, size_t* outBytes );

/// Cage tets: 4 * tetCount node indices, owned by the asset.
GEL_API const uint32_t* gelAsset_GetTets( const gelAsset* asset );

/// For each node its number in the cage that was baked (without nodes of no tet), owned by the asset. The
/// bake may renumber a cage so that steps are fast. NULL: it did not, the numbers are the same.
GEL_API const uint32_t* gelAsset_GetSourceNodes( const gelAsset* asset );

/// For each tet its number in the cage that was baked, likewise.
GEL_API const uint32_t* gelAsset_GetSourceTets( const gelAsset* asset );

/// One of the materials of an asset, 0 .. materialCount - 1. Zeros, and an empty name, for any other index.
GEL_API gelMaterialInfo gelAsset_GetMaterial( const gelAsset* asset, int index );

/// The material of each tet.
GEL_API int gelAsset_GetTetMaterials( const gelAsset* asset, int* out, int outCapacity );

/// Rest positions of the cage nodes [m, asset space].
GEL_API int gelAsset_GetRestNodes( const gelAsset* asset, gelVec3* out, int outCapacity );

// ---- worlds ------------------------------------------------------------------------------------

/// Start of every gelWorldDef.
GEL_API gelWorldDef gelDefaultWorldDef( void );

/// Threads of OpenMP for gelWorldDef.tasks, for games without a task system of their own. In a library that
/// was built without GELPACK_RUNTIME_OPENMP (the default) it is zero: everything on the calling thread.
/// @param workerCount threads, 0: as many as OpenMP would use
GEL_API gelTaskSystem gelGetOpenMpTasks( int workerCount );

/// Makes a world, in one block of memory.
GEL_API gelResult gelCreateWorld( const gelWorldDef* def, gelWorldId* outWorldId );

/// Destroys a world and its bodies. No id of it may be used any more.
GEL_API void gelDestroyWorld( gelWorldId worldId );

/// Whether the id is that of a world: not zero. A world that was destroyed cannot be told from one that
/// lives, as its memory is gone; put zero in its place.
GEL_API bool gelWorld_IsValid( gelWorldId worldId );

/// Puts another pointer in place of gelWorldDef.userData. gel_errorArgument: no world.
GEL_API gelResult gelWorld_SetUserData( gelWorldId worldId, void* userData );

/// The pointer that the game left there.
GEL_API void* gelWorld_GetUserData( gelWorldId worldId );

/// Advances all bodies by dt [s]. dt must be a step length that every body's asset was baked for:
/// else gel_errorNoFactor, and nothing has moved. Bodies with gel_solverImplicit take any length
/// within 1e-6 .. 100 s; what is outside of that is a gel_errorArgument.
GEL_API gelResult gelWorld_Step( gelWorldId worldId, float dt );

/// The same several times, 1 .. 1000, for contacts that one long step would miss: count steps of dt [s] each.
/// Colliders reach their targets at the end of the last one, on a straight way; contact events compare the
/// end with what was before the first. Pin targets and frames are reached in the first.
GEL_API gelResult gelWorld_StepMany( gelWorldId worldId, float dt, int count );

/// Where the time of the last step went [s], or of all of the last gelWorld_StepMany.
GEL_API gelStepTimes gelWorld_GetStepTimes( gelWorldId worldId );

/// What the world has taken from its allocator [bytes], with all of its bodies. It grows when bodies and
/// colliders come, and with the first constraint of a body; never in a step.
GEL_API gelWorldMemory gelWorld_GetMemory( gelWorldId worldId );

/// Memory of a body [bytes], without the rows of its constraints. 0 for a stale id.
GEL_API size_t gelBody_GetBytes( gelBodyId bodyId );

/// Sets gravity [m/s^2] from the next step on, and wakes all bodies if it changes.
GEL_API gelResult gelWorld_SetGravity( gelWorldId worldId, gelVec3 gravity );

/// Gravity [m/s^2].
GEL_API gelVec3 gelWorld_GetGravity( gelWorldId worldId );

/// What the last step did, and how often bodies had to be put back.
GEL_API gelWorldCounters gelWorld_GetCounters( gelWorldId worldId );

/// 64-bit hash of gravity and of the states of all bodies (gelBody_HashState) in the order of their ids.
/// Equal bits, equal hash: what two machines compare to see whether they have drifted apart. 0 for no world.
GEL_API uint64_t gelWorld_HashState( gelWorldId worldId );

// ---- bodies ------------------------------------------------------------------------------------

/// Start of every gelBodyDef.
GEL_API gelBodyDef gelDefaultBodyDef( void );

/// Start of every gelSolverDef: the defaults of a solver. Zeros for a value that is none.
GEL_API gelSolverDef gelDefaultSolverDef( gelSolverType type );

/// Places an asset in a world, in one block of memory. gel_errorNoPinSet: the asset has no such pin set;
/// gel_errorUnsupported: it was baked without what the solver needs; gel_errorNoFactor: there is no step
/// length of the pack for which mode and stiffness scale are baked with this pin set; gel_errorFull: see
/// bodyCapacity.
GEL_API gelResult gelCreateBody( gelWorldId worldId, const gelBodyDef* def, gelBodyId* outBodyId );

/// Gives the memory of a body back; its id is stale from now on.
GEL_API void gelDestroyBody( gelBodyId bodyId );

/// Whether the id belongs to a body that lives. Its world must.
GEL_API bool gelBody_IsValid( gelBodyId bodyId );

/// As given in the def, or the level of it that the body has now (lod.h); NULL for a stale id.
GEL_API const gelAsset* gelBody_GetAsset( gelBodyId bodyId );

/// Puts another pointer in place of gelBodyDef.userData. gel_errorStaleId.
GEL_API gelResult gelBody_SetUserData( gelBodyId bodyId, void* userData );

/// The pointer that the game left there; NULL for a stale id.
GEL_API void* gelBody_GetUserData( gelBodyId bodyId );

/// Mass of the body [kg], pinned nodes included; 0 for a stale id.
GEL_API float gelBody_GetMass( gelBodyId bodyId );

/// Where the body is as a whole [m, world space], as gelBodyDef.transform and gelBody_Reset say it: of all
/// ways to put the rest shape somewhere, the one nearest to the nodes by the sum of mass times distance
/// squared. The center of mass is that of the body exactly. Of the two quaternions of the rotation it is the
/// one with a scalar part >= 0. It depends on the shape of now alone; where no rotation is better than others
/// (a rod about itself) it may jump. A pass over all nodes. Identity for a stale id.
GEL_API gelTransform gelBody_GetTransform( gelBodyId bodyId );

/// Deformed art vertices [m, world space].
GEL_API int gelBody_GetPositions( gelBodyId bodyId, gelVec3* out, int outCapacity );

/// Normals of the deformed art vertices, of unit length: the rest normals of the art turned and sheared with
/// the body (exactly for affine deformations), so that hard edges stay hard. 0 when the pack has none.
GEL_API int gelBody_GetNormals( gelBodyId bodyId, gelVec3* out, int outCapacity );

/// Positions and normals of several bodies of a world at once, each body once, on the threads of the world;
/// the same bits as from the two functions above. For one body as well: both together are cheaper than one
/// after the other. Not during a step. gel_errorStaleId, gel_errorArgument (a body twice or of another world,
/// a negative capacity, a stride that is not allowed) and gel_errorUnsupported (normals that a pack does not
/// have): nothing was written.
GEL_API gelResult gelWorld_GetVertices( gelWorldId worldId, const gelVertexTarget* targets, int count );

/// Positions of the cage nodes [m, world space].
GEL_API int gelBody_GetNodePositions( gelBodyId bodyId, gelVec3* out, int outCapacity );

/// Velocities of the cage nodes [m/s].
GEL_API int gelBody_GetNodeVelocities( gelBodyId bodyId, gelVec3* out, int outCapacity );

/// Overwrites the state of all cage nodes [m, world space; m/s]; rotations are found anew, pin targets become
/// the given positions. count must be the node count, all numbers within +-1e9.
GEL_API gelResult gelBody_SetNodeState(
	gelBodyId bodyId, const gelVec3* positions, const gelVec3* velocities, int count );

/// Where a pinned node is to be at the end of the next step [m, world space]; it stays there until told
/// otherwise. gel_errorArgument when the node is not in the body's pin set.
GEL_API gelResult gelBody_SetPinTarget( gelBodyId bodyId, int node, gelVec3 target );

/// Target of a pinned node [m, world space]. gel_errorArgument when the node is not in the body's pin set.
GEL_API gelResult gelBody_GetPinTarget( gelBodyId bodyId, int node, gelVec3* outTarget );

/// Adds a force to a node for the next step only [N]; forces add up. No effect on a pinned node.
GEL_API gelResult gelBody_AddNodeForce( gelBodyId bodyId, int node, gelVec3 force );

/// Whether the body is simulated. A sleeping body wakes up when it is given a force, a state, a place, or a
/// pin target where it is not, when gravity changes, and when it is told to.
GEL_API bool gelBody_IsAwake( gelBodyId bodyId );

/// Wakes a body up, or puts it to sleep where it is, at rest; the latter only if its def allowed it
/// (gel_errorArgument).
GEL_API gelResult gelBody_SetAwake( gelBodyId bodyId, bool awake );

/// Puts the body back to its rest shape at a place [m, world space], at rest; pin targets go there, too, and
/// so do the targets of constraints that hang on no frame.
GEL_API gelResult gelBody_Reset( gelBodyId bodyId, gelTransform transform );

/// Energies and momenta, computed now (a pass over all nodes and tets).
GEL_API gelBodyDynamics gelBody_GetDynamics( gelBodyId bodyId );

/// 64-bit hash of the complete state: equal bits, equal hash. 0 for a stale id.
GEL_API uint64_t gelBody_HashState( gelBodyId bodyId );
