// SPDX-License-Identifier: MIT
// Gauss-Seidel over the nodes in index order. The target of a node is the volume-weighted mean of the
// circumcenters of its tets, the minimizer of the optimal Delaunay triangulation energy for an inner node
// (Chen and Xu 2004; Alliez et al. 2005). For a node on the outside the same expression points inwards, and
// that pull, stopped before contact, is what fits the cage to the art.
//
// A move reads only the tets around its node. So threads may make moves side by side and the result stays
// that of the plain order, as long as of two nodes with a common tet the lower one moves first (FitPass).
//
// How a node moves, from the outside in:
//
//     GuardedPass    a pass over all nodes; taken back and repeated carefully if any boundary face meets the
//     art
//       FitNode      target by ODT, times the rate
//         SlideNode  up to three moves: where the art stops one, the rest goes on along the contact plane
//           MoveNode shortened by volumes (linear), contact (linear) and then by halves until the angles are
//           kept
//
// Without sliding the fit jams: a cage of the Armadillo with 460 tets stays at 1.85 times the volume of the
// art instead of 1.57. Passes and rate go together; four passes at 0.7 fit as well as six at 0.5.
#include "tetrafy/mesher/odt_fit.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/geometry/tet_shape.h"
#include "tetrafy/geometry/tri_tri.h"
#include "tetrafy/surface/sweep.h"

#include <gelpack/asserts.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define GEL_RADIANS 0.017453292519943295769

// Share of the way to a contact that is taken: what is left shrinks geometrically over the passes.
#define GEL_CONTACT_SHARE 0.9

// Moves shorter than this many cells are not worth a test; it also keeps a gap to the surface that floats can
// resolve.
#define GEL_SMALLEST_MOVE 1e-3

#define GEL_MAX_HALVINGS 6
#define GEL_MAX_SLIDES   3

gelFitSettings gelDefaultFitSettings( void )
{
	return (
		gelFitSettings ){ .passes = 4, .boundary = true, .rate = 0.7, .dihedralGuard = 20.0, .threads = 1 };
}

typedef struct Fit
{
	gelTetMesh* mesh;
	const gelSurfaceTree* tree;
	gelFitSettings settings;
	gelTetFacesInfo faces;
	uint32_t* starts;  // corners of node i: corners[starts[i]] .. corners[starts[i + 1] - 1]
	uint32_t* corners; // 4 * tet + k
	uint32_t* order;   // nodes in order: each behind all lower ones that it shares a tet with
	double cosGuard;
	double minVolume; // [m^3]
	bool careful;     // test every move exactly, not only the pass as a whole
	gelTreeCut cut;   // around the node that moves
	gelFitStats stats;
	const uint8_t* onBoundary; // per node
	atomic_int* movedIn;       // per node: the last sweep over the nodes that is done with it
	int sweep;                 // the present one, from 1
} Fit;

// Counting sort by node. The counts are written two places further on, so that after filling starts[i] is the
// first corner of node i and no second array is needed.
static void MakeCornerLists( Fit* fit )
{
	const gelTetMesh* mesh = fit->mesh;
	uint32_t cornerCount = 4 * mesh->tetCount;
	fit->starts = gelTetAlloc( (size_t)mesh->nodeCount + 2, sizeof( uint32_t ) );
	fit->corners = gelTetAlloc( cornerCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cornerCount; ++i )
		fit->starts[mesh->tets[i] + 2] += 1;
	for ( uint32_t i = 0; i < mesh->nodeCount; ++i )
		fit->starts[i + 2] += fit->starts[i + 1];
	for ( uint32_t i = 0; i < cornerCount; ++i )
		fit->corners[fit->starts[mesh->tets[i] + 1]++] = i;
}

// Nodes by their level, which is one above that of the highest lower neighbor: neighbors in the order share
// no tet and can move at the same time.
static void MakeOrder( Fit* fit )
{
	const uint32_t nodeCount = fit->mesh->nodeCount, *tets = fit->mesh->tets;
	uint32_t* levels = gelTetAlloc( nodeCount, sizeof( uint32_t ) );
	uint32_t* starts = gelTetAlloc( (size_t)nodeCount + 2, sizeof( uint32_t ) );
	fit->order = gelTetAlloc( nodeCount, sizeof( uint32_t ) );
	for ( uint32_t node = 0; node < nodeCount; ++node )
	{
		for ( uint32_t i = 4 * fit->starts[node]; i < 4 * fit->starts[node + 1]; ++i )
		{
			uint32_t other = tets[fit->corners[i / 4] / 4 * 4 + i % 4];
			if ( other < node && levels[other] >= levels[node] ) levels[node] = levels[other] + 1;
		}
		starts[levels[node] + 1] += 1;
	}
	for ( uint32_t i = 0; i < nodeCount; ++i )
		starts[i + 1] += starts[i];
	for ( uint32_t node = 0; node < nodeCount; ++node )
		fit->order[starts[levels[node]]++] = node;
	free( starts );
	free( levels );
}

// The other three vertices of a corner's tet, so that (a - x) . ((b - x) x (c - x)) > 0.
static void OtherPoints( const gelTetMesh* mesh, uint32_t corner, gelVec3d out[3] )
{
	GEL_ASSERT( corner < 4 * mesh->tetCount );
	gelTetMesh_FacePoints( mesh, corner / 4, (int)( corner % 4 ), out );
}

gelVec3d gelOdtDisplacement( const gelTetMesh* mesh, const uint32_t* corners, uint32_t cornerCount )
{
	GEL_ASSERT( cornerCount > 0 );
	// x* - x = sum( |a|^2 (b x c) + |b|^2 (c x a) + |c|^2 (a x b) ) / ( 12 sum |T| ), a, b, c relative to x:
	// no division by the volume of a single tet, so slivers are harmless.
	gelVec3d sum = { 0 };
	double volume6 = 0.0;
	gelVec3d x = mesh->points[mesh->tets[corners[0]]];
	for ( uint32_t i = 0; i < cornerCount; ++i )
	{
		gelVec3d p[3];
		OtherPoints( mesh, corners[i], p );
		gelVec3d a = gelSubD( p[0], x ), b = gelSubD( p[1], x ), c = gelSubD( p[2], x );
		gelVec3d bc = gelCrossD( b, c );
		sum = gelMulAddD( sum, gelDotD( a, a ), bc );
		sum = gelMulAddD( sum, gelDotD( b, b ), gelCrossD( c, a ) );
		sum = gelMulAddD( sum, gelDotD( c, c ), gelCrossD( a, b ) );
		volume6 += gelDotD( a, bc );
	}
	return volume6 > 0.0 ? gelScaleD( 0.5 / volume6, sum ) : ( gelVec3d ){ 0 };
}

// Boundary faces at a corner, as the two fixed points of each. @return how many, at most 3
static int BoundaryFaces( const Fit* fit, uint32_t corner, gelVec3d out[3][2] )
{
	GEL_ASSERT( corner < 4 * fit->mesh->tetCount );
	const gelTetMesh* mesh = fit->mesh;
	uint32_t tet = corner / 4, k = corner % 4;
	int count = 0;
	for ( uint32_t face = 0; face < 4; ++face )
	{
		if ( face == k || fit->faces.neighbors[4 * tet + face] != GEL_NO_TET ) continue;
		int n = 0;
		for ( int v = 0; v < 3; ++v )
			if ( gelTetFaces[face][v] != k )
				out[count][n++] = mesh->points[mesh->tets[4 * tet + gelTetFaces[face][v]]];
		count += 1;
	}
	return count;
}

// The longest share of the move that keeps every tet's volume; linear in the share.
static double VolumeLimit( const Fit* fit, uint32_t node, gelVec3d x0, gelVec3d x1 )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	double limit = 1.0;
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		gelVec3d p[3];
		OtherPoints( fit->mesh, fit->corners[i], p );
		gelVec3d n = gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) );
		double v0 = gelDotD( n, gelSubD( p[0], x0 ) ) / 6.0, v1 = gelDotD( n, gelSubD( p[0], x1 ) ) / 6.0;
		// A tet that is too small already may grow, however little; it never blocks a move that makes it
		// larger.
		if ( v1 >= fit->minVolume || v1 >= v0 ) continue;
		limit = v0 <= fit->minVolume ? 0.0 : gelMinDouble( limit, ( v0 - fit->minVolume ) / ( v0 - v1 ) );
	}
	return limit;
}

// All boundary faces at the node move with it; the earliest contact of any of them counts.
static void FirstContact( const Fit* fit, uint32_t node, gelVec3d x0, gelVec3d x1, gelContact* contact )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		gelVec3d ends[3][2];
		int count = BoundaryFaces( fit, fit->corners[i], ends );
		for ( int f = 0; f < count; ++f )
			gelSweepFace( fit->tree, &fit->cut, x0, x1, ends[f][0], ends[f][1], contact );
	}
}

// Does no tet around the node get an angle below the guard, or one smaller than it had?
// Inversion is decided exactly here, so no tet is ever turned over by rounding. Cosines are compared, not
// angles: a larger cosine is a smaller angle, and no arccosine is needed.
static bool KeepsAngles( const Fit* fit, uint32_t node, gelVec3d x0, gelVec3d x1 )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		uint32_t corner = fit->corners[i];
		gelVec3d p[4];
		gelTetMesh_TetPoints( fit->mesh, corner / 4, p );
		p[corner % 4] = x1;
		if ( gelOrient3d( p[0], p[1], p[2], p[3] ) <= 0 ) return false;
		double now, before, unused;
		gelTetDihedrals( p, &now, &unused );
		if ( now <= fit->cosGuard ) continue;
		p[corner % 4] = x0;
		gelTetDihedrals( p, &before, &unused );
		if ( now > before ) return false;
	}
	return true;
}

// The guarantee: no boundary face at the node meets the surface, exactly.
static bool StaysClear( const Fit* fit, uint32_t node, gelVec3d x )
{
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		gelVec3d ends[3][2];
		int count = BoundaryFaces( fit, fit->corners[i], ends );
		for ( int f = 0; f < count; ++f )
		{
			gelVec3d face[3] = { x, ends[f][0], ends[f][1] };
			if ( gelSurfaceTree_MeetsTriangle( fit->tree, face, NULL ) ) return false;
		}
	}
	return true;
}

// Does not change during a fit, because no face is cut or glued.
static bool IsOnBoundary( const Fit* fit, uint32_t node )
{
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		gelVec3d unused[3][2];
		if ( BoundaryFaces( fit, fit->corners[i], unused ) > 0 ) return true;
	}
	return false;
}

// Rounded before the tests, so that what is tested is what is kept.
static gelVec3d RoundPoint( const Fit* fit, gelVec3d p )
{
	return fit->mesh->rounded ? ( gelVec3d ){ (float)p.x, (float)p.y, (float)p.z } : p;
}

// Moves a node as far towards x0 + move as all guards allow. @return the share of the move that was made
static double MoveNode( Fit* fit, uint32_t node, gelVec3d move, bool onBoundary, gelContact* contact )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	gelVec3d x0 = fit->mesh->points[node];
	double length = gelLengthD( move ), smallest = GEL_SMALLEST_MOVE * fit->mesh->cell;
	if ( length < smallest ) return 0.0;
	gelVec3d x1 = gelAddD( x0, move );
	double limit = VolumeLimit( fit, node, x0, x1 );
	if ( onBoundary && limit > 0.0 )
	{
		FirstContact( fit, node, x0, x1, contact );
		// Contact time is a guide in floating point; what makes the cage safe is the exact test of the pass
		// (PassStaysClear), or of the move when careful.
		limit = gelMinDouble( limit, contact->time < 1.0 ? GEL_CONTACT_SHARE * contact->time : 1.0 );
	}
	for ( int i = 0; i <= GEL_MAX_HALVINGS && limit * length >= smallest; ++i, limit *= 0.5 )
	{
		gelVec3d x = RoundPoint( fit, gelMulAddD( x0, limit, move ) );
		if ( !KeepsAngles( fit, node, x0, x ) ) continue;
		if ( onBoundary && fit->careful && !StaysClear( fit, node, x ) )
		{
			fit->stats.refused += 1;
			continue;
		}
		fit->mesh->points[node] = x;
		fit->stats.moves += 1;
		return limit;
	}
	return 0.0;
}

// The part of the surface that a node and its outer faces can reach: slides are no longer than what is left
// of the move, and rounding to floats moves a node by less than a fiftieth of a cell.
static void LookAround( Fit* fit, uint32_t node, double reach )
{
	GEL_ASSERT( node < fit->mesh->nodeCount && reach >= 0.0 );
	gelVec3d x = fit->mesh->points[node], r = { reach, reach, reach };
	gelBox3d region = { gelSubD( x, r ), gelAddD( x, r ) };
	for ( uint32_t i = fit->starts[node]; i < fit->starts[node + 1]; ++i )
	{
		gelVec3d p[3];
		OtherPoints( fit->mesh, fit->corners[i], p );
		for ( int k = 0; k < 3; ++k )
			gelBox3d_AddPoint( &region, p[k] );
	}
	fit->cut = gelSurfaceTree_Cut( fit->tree, &region );
}

// Where the surface stops a move, the rest of it goes on along the plane of the contact.
static double SlideNode( Fit* fit, uint32_t node, gelVec3d move, bool onBoundary )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	gelVec3d start = fit->mesh->points[node];
	if ( onBoundary ) LookAround( fit, node, gelLengthD( move ) + 0.05 * fit->mesh->cell );
	for ( int i = 0; i < GEL_MAX_SLIDES; ++i )
	{
		gelContact contact = { .time = 1.0 };
		double share = MoveNode( fit, node, move, onBoundary, &contact );
		double size = gelDotD( contact.normal, contact.normal );
		if ( contact.time >= 1.0 || size == 0.0 ) break;
		fit->stats.contacts += 1;
		// What is left of the move, without its part along the contact normal; the sign of the normal does
		// not matter for that.
		move = gelScaleD( 1.0 - share, move );
		move = gelMulAddD( move, -gelDotD( move, contact.normal ) / size, contact.normal );
	}
	return gelLengthD( gelSubD( fit->mesh->points[node], start ) );
}

// Until all lower neighbors have moved. They stand before the node in the order, so others are at work on
// them.
static void WaitForLower( const Fit* fit, uint32_t node )
{
	for ( uint32_t i = 4 * fit->starts[node]; i < 4 * fit->starts[node + 1]; ++i )
	{
		uint32_t other = fit->mesh->tets[fit->corners[i / 4] / 4 * 4 + i % 4];
		while (
			other < node && atomic_load_explicit( fit->movedIn + other, memory_order_acquire ) != fit->sweep )
			sched_yield();
	}
}

static double FitNode( Fit* fit, uint32_t node )
{
	GEL_ASSERT( node < fit->mesh->nodeCount );
	bool onBoundary = fit->onBoundary[node];
	if ( onBoundary && !fit->settings.boundary ) return 0.0;
	uint32_t first = fit->starts[node], count = fit->starts[node + 1] - first;
	gelVec3d move = gelOdtDisplacement( fit->mesh, fit->corners + first, count );
	move = gelScaleD( fit->settings.rate, move );
	return SlideNode( fit, node, move, onBoundary );
}

static void AddStats( gelFitStats* stats, const gelFitStats* other )
{
	stats->moves += other->moves;
	stats->contacts += other->contacts;
	stats->refused += other->refused;
}

// Threads take the nodes in their order, one at a time.
static double FitPass( Fit* fit )
{
	double largest = 0.0;
	atomic_uint next = 0;
	fit->sweep += 1;
#pragma omp parallel num_threads( fit->settings.threads ) reduction( max : largest )
	{
		// Cut, stats and flags are private; points, marks and lists are shared. A node's points are written
		// by one thread, and read by others only after its mark is set (release, acquire).
		Fit own = *fit;
		own.stats = ( gelFitStats ){ 0 };
		for ( uint32_t i; ( i = atomic_fetch_add( &next, 1 ) ) < own.mesh->nodeCount; )
		{
			uint32_t node = own.order[i];
			WaitForLower( &own, node );
			largest = gelMaxDouble( largest, FitNode( &own, node ) );
			atomic_store_explicit( own.movedIn + node, own.sweep, memory_order_release );
		}
#pragma omp critical( gelFitStats )
		AddStats( &fit->stats, &own.stats );
	}
	return largest;
}

// Do the boundary faces that moved since before stay clear of the surface?
static bool PassStaysClear( const Fit* fit, const gelVec3d* before )
{
	const gelTetMesh* mesh = fit->mesh;
	bool clear = true;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( fit->settings.threads ) reduction( && : clear )
	for ( uint32_t i = 0; i < 4 * mesh->tetCount; ++i )
	{
		// The first face that meets the art ends the work of this thread; the answer is the same for any
		// order.
		if ( !clear || fit->faces.neighbors[i] != GEL_NO_TET ) continue;
		bool moved = false;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t node = mesh->tets[i / 4 * 4 + gelTetFaces[i % 4][k]];
			moved = moved || memcmp( mesh->points + node, before + node, sizeof( gelVec3d ) ) != 0;
		}
		gelVec3d face[3];
		gelTetMesh_FacePoints( mesh, i / 4, (int)( i % 4 ), face );
		if ( moved && gelSurfaceTree_MeetsTriangle( fit->tree, face, NULL ) ) clear = false;
	}
	return clear;
}

// The guarantee is exact: a pass after which a boundary face meets the surface is taken back and made again
// with an exact test of every single move. The sweep makes that rare.
static double GuardedPass( Fit* fit, gelVec3d* before )
{
	memcpy( before, fit->mesh->points, fit->mesh->nodeCount * sizeof( gelVec3d ) );
	fit->careful = false;
	double largest = FitPass( fit );
	if ( !fit->settings.boundary || PassStaysClear( fit, before ) ) return largest;
	memcpy( fit->mesh->points, before, fit->mesh->nodeCount * sizeof( gelVec3d ) );
	fit->careful = true;
	return FitPass( fit );
}

gelFitStats gelFitCage( gelTetMesh* mesh, const gelSurfaceTree* tree, const gelFitSettings* settings )
{
	Fit fit = { .mesh = mesh, .tree = tree, .settings = *settings };
	fit.faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	fit.cosGuard = cos( GEL_RADIANS * settings->dihedralGuard );
	// 2 % of a corner tet of the lattice: far from flat, and small enough to let slivers of thin art be.
	fit.minVolume = 0.02 * mesh->cell * mesh->cell * mesh->cell / 6.0;
	MakeCornerLists( &fit );
	MakeOrder( &fit );
	fit.movedIn = gelTetAlloc( mesh->nodeCount, sizeof( atomic_int ) );
	uint8_t* onBoundary = gelTetAlloc( mesh->nodeCount, 1 );
	for ( uint32_t node = 0; node < mesh->nodeCount; ++node )
		onBoundary[node] = IsOnBoundary( &fit, node );
	fit.onBoundary = onBoundary;

	gelVec3d* before = gelTetAlloc( mesh->nodeCount, sizeof( gelVec3d ) );
	for ( int pass = 0; pass < settings->passes; ++pass )
	{
		fit.stats.lastMove = GuardedPass( &fit, before );
		fit.stats.passes += 1;
		if ( fit.stats.lastMove < 1e-3 * mesh->cell ) break;
	}
	free( before );
	free( onBoundary );
	free( fit.starts );
	free( fit.corners );
	free( fit.order );
	free( fit.movedIn );
	gelFreeTetFaces( &fit.faces );
	return fit.stats;
}
