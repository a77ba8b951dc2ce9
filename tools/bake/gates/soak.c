// SPDX-License-Identifier: MIT
#include "bake/gates/soak.h"

#include "common/program/memory.h"
#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>

const char* const gelSoakSceneNames[GEL_SOAK_SCENES] = { "drop", "squash", "stretch", "twist", "spin" };

#define GEL_MAX_HELD   24      // points of each end that are held
#define GEL_SHORT_STEP 0.0005f // [s]
#define GEL_MAX_STEPS  10000
#define GEL_GRAVITY    9.81f // [m/s^2]
#define GEL_MAX_FALL   60.0  // [s]

// A running scene.
typedef struct Soak
{
	const gelAsset* asset;
	gelSoakScene scene;
	gelWorldId world;
	gelBodyId body;
	float h;               // [s]
	float low[3], high[3]; // box around the rest shape [m]
	int axis;              // its longest
	gelFrameId ends[2];
	gelVec3* nodes;    // [nodeCount]
	gelTetState* tets; // [tetCount]
	double energyFree; // when nothing moved the body any more [J]; < 0: not yet
	gelSoakResult out;
} Soak;

static float* Axis( gelVec3* v, int axis )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static float GetSize( const Soak* soak )
{
	return soak->high[soak->axis] - soak->low[soak->axis];
}

// ---- setting up ----------------------------------------------------------------------------------

// The shortest step, but none so short that a scene would take for ever if there is a longer one.
static bool FindStep( const gelAsset* asset, float* outStep )
{
	gelFactorInfo factors[GEL_PACK_MAX_SECTIONS];
	int count = gelAsset_GetFactors( asset, factors, GEL_PACK_MAX_SECTIONS );
	float best = 0.0f;
	for ( int i = 0; i < count && i < (int)GEL_PACK_MAX_SECTIONS; ++i )
	{
		if ( factors[i].pinSetId != 0 ) continue;
		float step = factors[i].step;
		bool isBetter = best < GEL_SHORT_STEP ? step > best : step >= GEL_SHORT_STEP && step < best;
		if ( isBetter ) best = step;
	}
	*outStep = best;
	return best > 0.0f;
}

static void MeasureRest( Soak* soak, int nodeCount )
{
	gelAsset_GetRestNodes( soak->asset, soak->nodes, nodeCount );
	for ( int k = 0; k < 3; ++k )
	{
		soak->low[k] = soak->high[k] = *Axis( soak->nodes, k );
		for ( int i = 1; i < nodeCount; ++i )
		{
			soak->low[k] = fminf( soak->low[k], *Axis( soak->nodes + i, k ) );
			soak->high[k] = fmaxf( soak->high[k], *Axis( soak->nodes + i, k ) );
		}
		if ( soak->high[k] - soak->low[k] > GetSize( soak ) ) soak->axis = k;
	}
}

static bool IsHeld( const Soak* soak )
{
	return soak->scene == gel_soakSquash || soak->scene == gel_soakStretch || soak->scene == gel_soakTwist;
}

static gelResult CreateScene( Soak* soak )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.bodyCapacity = 1;
	worldDef.hasGround = soak->scene == gel_soakDrop;
	worldDef.gravity = ( gelVec3 ){ 0.0f, soak->scene == gel_soakDrop ? -GEL_GRAVITY : 0.0f, 0.0f };
	gelResult result = gelCreateWorld( &worldDef, &soak->world );
	if ( result != gel_success ) return result;
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = soak->asset;
	def.constraintCapacity = 2 * GEL_MAX_HELD;
	def.frameCapacity = 2;
	if ( soak->scene == gel_soakDrop ) def.transform.position.y = soak->high[1] - 2.0f * soak->low[1];
	if ( soak->scene == gel_soakSpin ) def.angularVelocity = ( gelVec3 ){ 3.0f, 12.0f, 1.0f };
	return gelCreateBody( soak->world, &def, &soak->body );
}

// Every so-many-th node of an end of the body hangs on a frame in its middle.
static gelResult HoldEnd( Soak* soak, int end, int nodeCount )
{
	GEL_ASSERT( end == 0 || end == 1 );
	gelFrameDef frameDef = gelDefaultFrameDef();
	gelResult result = gelCreateFrame( soak->body, &frameDef, soak->ends + end );
	float from = soak->low[soak->axis], size = GetSize( soak );
	int found = 0, taken = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		int total = found, every = total / GEL_MAX_HELD + 1;
		found = 0;
		for ( int i = 0; i < nodeCount && result == gel_success; ++i )
		{
			float at = ( *Axis( soak->nodes + i, soak->axis ) - from ) / size;
			if ( end == 0 ? at > 0.15f : at < 0.85f ) continue;
			if ( pass == 1 && found % every == 0 && taken < GEL_MAX_HELD )
			{
				gelConstraintDef def = gelDefaultConstraintDef();
				gelConstraintId id;
				def.point = gelAsset_GetNodePoint( soak->asset, i );
				def.frame = soak->ends[end];
				def.target = soak->nodes[i];
				result = gelCreateConstraint( soak->body, &def, &id );
				++taken;
			}
			++found;
		}
	}
	return result;
}

// ---- running -------------------------------------------------------------------------------------

// Where the ends are after `done` of the motion, 0 .. 1.
static void MoveEnds( Soak* soak, double done )
{
	double smooth = done * done * ( 3.0 - 2.0 * done );
	double scale = soak->scene == gel_soakSquash ? 0.6 : soak->scene == gel_soakStretch ? 1.5 : 1.0;
	for ( int end = 0; end < 2; ++end )
	{
		gelTransform pose = { { 0.0f, 0.0f, 0.0f }, { { 0.0f, 0.0f, 0.0f }, 1.0f } };
		double side = end == 0 ? -1.0 : 1.0;
		*Axis( &pose.position, soak->axis ) =
			(float)( 0.5 * side * GetSize( soak ) * ( scale - 1.0 ) * smooth );
		if ( soak->scene == gel_soakTwist )
		{
			// about the line along the axis through the middle, a quarter turn at each end
			double half = 0.25 * 3.14159265358979 * side * smooth, c = cos( 2.0 * half ),
				   s = sin( 2.0 * half );
			int u = ( soak->axis + 1 ) % 3, v = ( soak->axis + 2 ) % 3;
			double mu = 0.5 * ( (double)soak->low[u] + soak->high[u] ),
				   mv = 0.5 * ( (double)soak->low[v] + soak->high[v] );
			pose.rotation.s = (float)cos( half );
			*Axis( &pose.rotation.v, soak->axis ) = (float)sin( half );
			*Axis( &pose.position, u ) = (float)( mu - ( c * mu - s * mv ) );
			*Axis( &pose.position, v ) = (float)( mv - ( s * mu + c * mv ) );
		}
		gelFrame_SetTransform( soak->ends[end], pose );
	}
}

static void Release( Soak* soak )
{
	for ( int end = 0; end < 2; ++end )
		gelDestroyFrame( soak->ends[end] );
}

// Largest eigenvalue of a symmetric matrix (xx, yy, zz, yz, xz, xy) by magnitude, in closed form.
static double FindPrincipal( const float m[6] )
{
	double mean = ( (double)m[0] + m[1] + m[2] ) / 3.0, a = m[0] - mean, b = m[1] - mean, c = m[2] - mean;
	double off = (double)m[3] * m[3] + (double)m[4] * m[4] + (double)m[5] * m[5];
	double p = sqrt( ( a * a + b * b + c * c + 2.0 * off ) / 6.0 );
	if ( p < 1e-12 ) return fabs( mean );
	double det = a * ( b * c - (double)m[3] * m[3] ) - m[5] * ( m[5] * c - (double)m[3] * m[4] ) +
		m[4] * ( (double)m[5] * m[3] - b * m[4] );
	double angle = acos( fmax( -1.0, fmin( 1.0, det / ( 2.0 * p * p * p ) ) ) ) / 3.0;
	double high = mean + 2.0 * p * cos( angle ), low = mean + 2.0 * p * cos( angle + 2.0943951023931953 );
	return fmax( fabs( high ), fabs( low ) );
}

static void Measure( Soak* soak, int step, bool isFree )
{
	gelSoakResult* out = &soak->out;
	gelAssetInfo info = gelAsset_GetInfo( soak->asset );
	int inverted = 0, flat = 0;
	double worst = 0.0;
	gelBody_GetTetStates( soak->body, soak->tets, info.tetCount );
	for ( int i = 0; i < info.tetCount; ++i )
	{
		inverted += soak->tets[i].isInverted;
		flat += soak->tets[i].volumeRatio < GEL_FLAT_TET;
		worst = fmax( worst, FindPrincipal( soak->tets[i].strain ) );
	}
	if ( worst > out->worstStrain )
	{
		out->worstStrain = worst;
		out->worstStep = step;
		gelBody_GetNodePositions( soak->body, out->worstNodes, info.nodeCount );
	}
	if ( inverted > out->worstInversions ) out->worstInversions = inverted;
	out->leftInversions = inverted;
	out->leftFlat = (double)flat / info.tetCount;
	if ( !isFree ) return;
	gelBodyDynamics d = gelBody_GetDynamics( soak->body );
	double energy = (double)d.kineticEnergy + (double)d.elasticEnergy;
	if ( soak->energyFree < 0.0 )
		soak->energyFree = energy;
	else if ( soak->energyFree > 0.0 )
		out->energyGrowth = fmax( out->energyGrowth, energy / soak->energyFree - 1.0 );
}

// How deep the lowest node is below the ground; the art lies inside of the cage, hence this is more than that
// of the art by up to the gap between them, which is why the art is asked where there is one.
static double MeasurePenetration( const Soak* soak )
{
	gelAssetInfo info = gelAsset_GetInfo( soak->asset );
	gelVec3* positions = gelTake( (size_t)( info.vertexCount + 1 ) * sizeof( gelVec3 ) );
	double lowest = 0.0;
	gelBody_GetPositions( soak->body, positions, info.vertexCount );
	for ( int i = 0; i < info.vertexCount; ++i )
		lowest = fmin( lowest, (double)positions[i].y );
	free( positions );
	return lowest < 0.0 ? -lowest / (double)GetSize( soak ) : 0.0;
}

// How long a body falls from its own height, however large it is [s]; damped by d it gets no faster than g /
// d.
static double GetFallTime( const Soak* soak )
{
	double height = (double)soak->high[1] - soak->low[1], damping = 0.0;
	int count = gelAsset_GetInfo( soak->asset ).materialCount;
	for ( int i = 0; i < count; ++i )
		damping = fmax( damping, (double)gelAsset_GetMaterial( soak->asset, i ).damping );
	return fmin( GEL_MAX_FALL, sqrt( 2.0 * height / GEL_GRAVITY ) + height * damping / GEL_GRAVITY );
}

// Held scenes: half a second of motion, a quarter of holding, one and a quarter of freedom; all of it slower
// for steps that are a large part of that. A drop: until the body is down, and two seconds.
static gelResult Simulate( Soak* soak )
{
	double slow = fmax( 1.0, 20.0 * (double)soak->h );
	double seconds = 2.0 * slow + ( soak->scene == gel_soakDrop ? GetFallTime( soak ) : 0.0 );
	int stepCount = (int)fmin( GEL_MAX_STEPS, ceil( seconds / (double)soak->h ) );
	bool isFree = soak->scene == gel_soakSpin, isHeld = IsHeld( soak );
	for ( int step = 0; step < stepCount; ++step )
	{
		double time = ( step + 1 ) * (double)soak->h / slow;
		if ( isHeld && time > 0.75 )
		{
			Release( soak );
			isHeld = false;
			isFree = true;
		}
		if ( isHeld ) MoveEnds( soak, fmin( 1.0, time / 0.5 ) );
		gelResult result = gelWorld_Step( soak->world, soak->h );
		if ( result != gel_success ) return result;
		Measure( soak, step, isFree );
	}
	soak->out.putBacks = gelWorld_GetCounters( soak->world ).nonFiniteBodyCount;
	if ( soak->scene == gel_soakDrop ) soak->out.penetration = MeasurePenetration( soak );
	return gel_success;
}

gelSoakResult gelRunSoakScene( const gelAsset* asset, gelSoakScene scene )
{
	GEL_ASSERT( asset != NULL && scene < GEL_SOAK_SCENES );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	Soak soak = { .asset = asset, .scene = scene, .energyFree = -1.0 };
	soak.nodes = gelTake( (size_t)info.nodeCount * sizeof( gelVec3 ) );
	soak.tets = gelTake( (size_t)info.tetCount * sizeof( gelTetState ) );
	soak.out.worstNodes = gelTakeZeroed( (size_t)info.nodeCount, sizeof( gelVec3 ) );
	MeasureRest( &soak, info.nodeCount );
	gelResult result = FindStep( asset, &soak.h ) ? CreateScene( &soak ) : gel_errorNoFactor;
	for ( int end = 0; end < 2 && result == gel_success && IsHeld( &soak ); ++end )
		result = HoldEnd( &soak, end, info.nodeCount );
	if ( result == gel_success ) result = Simulate( &soak );
	gelDestroyWorld( soak.world );
	if ( result == gel_errorMemory )
		gelExitWithoutMemory( (size_t)info.nodeCount * 64, "use a coarser cage" );
	free( soak.nodes );
	free( soak.tets );
	soak.out.result = result;
	return soak.out;
}
