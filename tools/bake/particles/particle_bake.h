// SPDX-License-Identifier: MIT
// Oriented particles at bake time, one file per pass:
//
//   art ──particle_voxels.c, particle_strands.c──► samples ──particle_cluster.c──► clusters
//       ──particle_shape.c──► ellipsoids, graph ──particle_factor.c──► batches, factors
//       ──particle_skin.c──► weights of art and cage ──particle_out.c──► sections
//
// Samples are linked to their neighbors inside of the material only, and everything after them follows
// links: clusters, edges and skin weights never jump across the air between two fingers.
#pragma once

#include "bake/body/body_passes.h"
#include "bake/factor/factor_passes.h"
#include "bake/particles/particle_passes.h"

/// Points that stand for the material around them.
typedef struct gelSampleGraph
{
	uint32_t count;
	gelVec3d* points;    // [m]
	double* weights;     // volume [m^3], area [m^2] or length [m]
	uint32_t* linkFirst; // [count + 1]
	uint32_t* links;     // both directions
	double variance;     // variance of the material around a sample, per axis [m^2]
	double spacing;      // between linked samples [m]
	uint32_t partCount;  // parts that no link joins
	uint32_t* partOf;    // per sample
} gelSampleGraph;

/// The inside of a surface, by voxels; those whose link would cross the surface are not linked.
gelSampleGraph gelSampleVolume( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool );

/// The surface itself, by its triangles, cut until there are enough.
gelSampleGraph gelSampleSurface( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool );

/// The polylines of the art.
gelSampleGraph gelSampleLines( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool );

/// Fills partOf and partCount.
void gelFindParts( gelSampleGraph* graph, gelBakePool* pool );

/// Which cluster each sample belongs to. Clusters are connected and not empty.
typedef struct gelClusters
{
	uint32_t count;
	uint32_t* clusterOf; // per sample
} gelClusters;

/// Lloyd's method: seeds far from each other, then growth and centering by turns.
gelClusters gelClusterSamples( const gelSampleGraph* graph, uint32_t wanted, gelBakePool* pool );

/// A chain: samples by their distance from one end, through the links.
gelClusters gelChainSamples( const gelSampleGraph* graph, uint32_t wanted, gelBakePool* pool );

/// Ellipsoids and edges of clusters.
/// @param kind GEL_PARTICLES_*
void gelShapeParticles( const gelSampleGraph* graph, const gelClusters* clusters, uint32_t kind,
	const gelPackMaterial* material, gelBakePool* pool, gelBakeParticles* out );

/// Fills the neighbors from edgeCount distinct pairs of particles.
void gelSetParticleEdges( gelBakeParticles* particles, const uint32_t* pairs, gelBakePool* pool );

/// k from Young's modulus: a uniform stretch in a random direction of the body has the energy of the
/// material. [J/m^5]
double gelFitStiffness( const gelBakeParticles* particles, double youngsModulus );

/// Batches of eight particles that are not neighbors.
void gelBatchParticles( gelBakeParticles* particles, gelBakePool* pool );

/// One factor for every step length and number of sub-steps.
bool gelFactorParticles( gelBakeData* data, gelFindings* findings );

/// Weights of art vertices and cage nodes.
/// @param graph NULL: particles were given; then owners are the nearest particles
void gelSkinParticles( gelBakeData* data, const gelSampleGraph* graph, const gelClusters* clusters );
