// SPDX-License-Identifier: MIT
#include "solvers/fast/quality.h"

#include "asset/blocks.h"
#include "solvers/fast/factor_choice.h"
#include "solvers/fast/fast_corotated.h"
#include "solvers/fast/spin_keeper.h"
#include "simd/supernodal_solve.h"
#include "simd/node_kernels.h"

#include <math.h>
#include <string.h>

// How often a move is shortened.
#define GEL_QUALITY_HALVINGS 2

// Energy from which on a body is too far from rest, in units of mu V: a mean |F - R|^2 of this.
#define GEL_WILD_STRAIN2 0.5

// Vectors of larger bodies [tets] do not fit into the caches: they get one iteration less, to cost no more
// than three times as much as in plain mode.
#define GEL_QUALITY_LARGE 30000

// Bodies that touch something and have more than this part of it are pressed into another shape. Contact
// moves their nodes after the search, by answers that know nothing of the volume term: every search starts
// far from its end then, and where it ends must not depend on how far it got. A ball of 1e5 Pa pressed to
// half of its height trembled by 5 to 350 mm/s with a third of the iterations.
#define GEL_STRAINED_PART  0.1
#define GEL_STRAINED_TIMES 3

// A search that fails although it promised to lower phi by this part of it is lost.
#define GEL_WILD_GAIN 1.0e-3

// Sums of a few thousand floats are only so good: a rise of phi by less than this, relative, decides nothing,
// and the slopes at both ends do (Hager, Zhang 2005, "approximate Wolfe conditions").
#define GEL_QUALITY_ROUNDING 4.0e-6

gelQuality* gelQuality_LayOut( gelArena* arena, const gelAsset* asset )
{
	size_t count = ( (size_t)asset->nodeCount + 1 + 7 ) / 8 * 8;
	gelQuality* quality = gelArena_Take( arena, 1, sizeof( gelQuality ) );
	gelVec4* vectors = gelArena_Take( arena, 7 * count, sizeof( gelVec4 ) );
	gelVec4* state = gelArena_Take( arena, 4 + 2 * GEL_QUALITY_PAIRS * count, sizeof( gelVec4 ) );
	if ( quality == NULL ) return NULL;
	gelVec4** parts[] = { &quality->masses, &quality->target, &quality->u, &quality->uTrial, &quality->g,
		&quality->gTrial, &quality->d };
	for ( int i = 0; i < 7; ++i )
		*parts[i] = vectors + (size_t)i * count;
	quality->state = state + 3; // vectors behind the first one are aligned as those above
	quality->vectorCount = (int)count;
	gelQuality_ListPairs( quality );
	return quality;
}

void gelQuality_Init( gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	gelGetQuality( body )->guideRatio = gelGetGuideRatio( body->asset );
	for ( int t = 0; t < body->asset->tetCount; ++t )
		gelGetQuality( body )->wildEnergy +=
			GEL_WILD_STRAIN2 * (double)body->stiffnessScale * (double)gelGetMuVolume( pack, (uint32_t)t );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float m = body->invMasses[i] > 0.0f ? body->asset->pack.masses[i].mass : 0.0f;
		gelGetQuality( body )->masses[i] = ( gelVec4 ){ m, m, m, 0.0f };
	}
}

size_t gelQuality_GetStateBytes( const gelQuality* quality )
{
	return ( 1 + 2 * GEL_QUALITY_PAIRS * (size_t)quality->vectorCount ) * sizeof( gelVec4 );
}

// In front of the vectors, so that they are saved together.
static void NotePairs( gelQuality* quality )
{
	quality->state->x = (float)quality->oldest;
	quality->state->y = (float)quality->pairCount;
}

void gelQuality_Forget( gelBody* body )
{
	if ( gelGetQuality( body ) == NULL ) return;
	gelGetQuality( body )->pairCount = 0;
	NotePairs( gelGetQuality( body ) );
}

void gelQuality_Restore( gelBody* body )
{
	gelQuality* quality = gelGetQuality( body );
	gelVec4 head = *quality->state;
	bool isValid =
		head.x >= 0.0f && head.x < GEL_QUALITY_PAIRS && head.y >= 0.0f && head.y <= GEL_QUALITY_PAIRS;
	quality->oldest = isValid ? (int)head.x : 0;
	quality->pairCount = isValid ? (int)head.y : 0;
	gelQuality_ListPairs( quality );
	for ( int i = 0; i < quality->pairCount; ++i )
	{
		double products[GEL_QUALITY_PAIRS];
		gelGetQualityKernels( body->simd )
			->dots( (const gelVec4* const*)quality->s, i + 1, quality->y[i], quality->vectorCount, products );
		for ( int j = 0; j <= i; ++j )
			quality->sy[j][i] = products[j];
		if ( !( products[i] > 0.0 ) ) quality->pairCount = 0; // not a pair of ours
	}
	NotePairs( quality );
}

// Iterations per step, far from rest more (GEL_STRAINED_TIMES): as many as make a beam swing as a converged
// step would, within a few percent (docs/solvers.md). Near incompressibility, and in longer steps, the factor
// is a worse guess.
static int GetIterationCount( const gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( body->def.solver.fast.passes > 0 )
		return body->def.solver.fast.passes < 2
			? 2
			: body->def.solver.fast.passes; // the last move needs one before it
	float nu = body->asset->maxPoisson;
	int count = nu <= 0.4f ? 3 : nu <= 0.45f ? 4 : 6;
	if ( body->asset->tetCount > GEL_QUALITY_LARGE ) --count;
	return count + ( h <= 0.0101f ? 0 : h <= 0.0168f ? 2 : 4 );
}

// Acceleration that the body as a whole gets [m/s^2]. A free body starts with it: the moves of the search
// then have no part that moves the center, whatever the pairs are, and momentum is kept to rounding.
static gelVec3 GetCommonAcceleration( const gelBody* body, gelVec3 gravity )
{
	gelVec3 none = { 0.0f, 0.0f, 0.0f };
	if ( body->pinCount > 0 ) return none;
	double f[3] = { 0.0 };
	for ( int i = 0; i < body->asset->nodeCount && body->hasForces; ++i )
	{
		f[0] += body->forces[i].x;
		f[1] += body->forces[i].y;
		f[2] += body->forces[i].z;
	}
	double inv = 1.0 / body->asset->mass;
	gelVec3 common = { (float)( inv * f[0] ), (float)( inv * f[1] ), (float)( inv * f[2] ) };
	return gelAdd( gravity, common );
}

// Start and target of the search, as displacements.
static void Predict( gelBody* body, const gelStepContext* ctx )
{
	gelQuality* quality = gelGetQuality( body );
	float h = ctx->h;
	gelVec3 common = GetCommonAcceleration( body, ctx->gravity );
	gelSpinKeeper_Begin( body, h );
	memcpy( body->xOld, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	const gelPackNode* nodes = body->asset->pack.nodes;
	const gelVec3 *x = body->x, *v = body->v, *forces = body->forces;
	gelVec3 gravity = ctx->gravity;
	gelVec4 *target = quality->target, *u = quality->u;
	for ( int i = 0, count = body->asset->nodeCount; i < count; ++i )
	{
		gelVec3 away = gelSub( x[i], gelGetRestNode( nodes, (uint32_t)i ) );
		gelVec3 free = gelMulAdd( v[i], h, gravity );
		free = gelMulAdd( free, h * body->invMasses[i], forces[i] );
		target[i] = gelMakeVec4( gelMulAdd( away, h, free ), 0.0f );
		u[i] = gelMakeVec4( gelMulAdd( away, h, gelMulAdd( v[i], h, common ) ), 0.0f );
	}
	for ( int k = 0; k < body->pinCount; ++k )
	{
		uint32_t i = body->pins[k];
		gelVec3 rest = gelGetRestNode( body->asset->pack.nodes, i );
		quality->u[i] = quality->target[i] = gelMakeVec4( gelSub( body->pinTargets[k], rest ), 0.0f );
	}
}

// phi and its gradient at displacements u. @param outEnergy NULL, or receives the part of phi that is elastic
static double Evaluate( gelBody* body, const gelVec4* u, gelVec4* gradient, double* outEnergy )
{
	const gelAsset* asset = body->asset;
	const gelQuality* quality = gelGetQuality( body );
	const gelQualityKernels* kernels = gelGetQualityKernels( body->simd );
	double energy = 0.0;
	double inertia = kernels->inertia( quality->masses, u, quality->target, quality->vectorCount, gradient );
	body->isUsable = gelGetElementKernels( body->simd )
						 ->differentiate( asset->elements, asset->lambdaVolumes, asset->blockCount, u,
							 body->elasticStep, body->q, gradient, &energy );
	gelVec4 zero = { 0.0f, 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < body->pinCount; ++k )
		gradient[body->pins[k]] = zero;
	gradient[asset->nodeCount] = zero;
	if ( outEnergy ) *outEnergy = energy;
	return 0.5 * inertia + energy;
}

static void Begin( gelBody* body, const gelStepContext* ctx )
{
	gelQuality* quality = gelGetQuality( body );
	Predict( body, ctx );
	if ( quality->state->z != body->elasticStep ) quality->pairCount = 0;
	quality->state->z = body->elasticStep;
	quality->lastGain = 0.0;
	double energy, h = (double)body->elasticStep;
	quality->phi = Evaluate( body, quality->u, quality->g, &energy );
	quality->isDone = quality->isWild = !( energy < h * h * quality->wildEnergy ); // true for NaN
	bool isTouched = body->contact && ( gelBody_IsTouched( body ) || body->contact->cachedCount > 0 );
	quality->isStrained = isTouched && energy > GEL_STRAINED_PART * h * h * quality->wildEnergy;
}

static void ScatterRows( const gelPackFactorView* factor, const gelVec4* y, gelVec4* nodes )
{
	GEL_ASSERT( factor->header != NULL );
	const uint32_t *perm = factor->perm, count = factor->header->n;
	for ( uint32_t row = 0; row < count; ++row )
		nodes[perm[row]] = y[row];
}

// Directions of a group; each panel of the factor is read once for all.
static void FindDirections( gelBody* const* bodies, int count )
{
	GEL_ASSERT( count >= 1 && count <= GEL_MAX_GROUP );
	gelVec4* y[GEL_MAX_GROUP];
	int active = 0;
	for ( int i = 0; i < count; ++i )
	{
		gelBody* body = bodies[i];
		if ( gelGetQuality( body )->isDone ) continue;
		gelQuality_BeginDirection( gelGetQuality( body ), gelGetQualityKernels( body->simd ) );
		const gelPackFactorView* guide = &gelGetQuality( body )->guide;
		gelGetNodeKernels( body->simd )
			->gatherRows( guide->perm, guide->header->n, gelGetQuality( body )->d, body->y );
		y[active++] = body->y;
	}
	if ( active == 0 ) return;
	gelSolveFactor( bodies[0]->simd, &gelGetQuality( bodies[0] )->guide, y, active, bodies[0]->solveScratch );
	for ( int i = 0; i < count; ++i )
	{
		gelBody* body = bodies[i];
		if ( gelGetQuality( body )->isDone ) continue;
		ScatterRows( &gelGetQuality( body )->guide, body->y, gelGetQuality( body )->d );
		gelQuality_EndDirection( gelGetQuality( body ), gelGetQualityKernels( body->simd ) );
	}
}

// Whether to go along d at all. -g . d is |d|^2 in the metric of the (positive definite) Hessian, which is at
// least that of the masses: below the rounding of the coordinates there is nothing to gain.
static bool IsWorthwhile( gelBody* body )
{
	gelQuality* quality = gelGetQuality( body );
	double tolerance = 1.0e-8 * body->asset->restSize;
	if ( -quality->slope > tolerance * tolerance * body->asset->mass && -quality->slope < (double)INFINITY )
		return true;
	if ( !( -quality->slope >= 0.0 ) && quality->pairCount > 0 )
		quality->pairCount = 0; // pairs that have lost their meaning: the next try goes without
	else
		quality->isDone = true;
	return false;
}

// The longest step along d that moves nodes by no more than a body size in the mean: beyond that no quadratic
// model says anything. Again -g . d stands for |d|^2 in a metric that is at least that of the masses.
static float LimitScale( const gelBody* body )
{
	double longest2 = (double)body->asset->mass * body->asset->restSize * body->asset->restSize;
	double length2 = -gelGetQuality( body )->slope;
	return length2 > longest2 ? (float)sqrt( longest2 / length2 ) : 1.0f;
}

// After a trial at u + scale d with phi1 and slope1 was accepted: takes it, or the minimum of the parabola
// through both ends if the energy follows one.
static void Accept( gelBody* body, float scale, double phi1, double slope1 )
{
	GEL_ASSERT( scale >= 0.0f );
	gelQuality* quality = gelGetQuality( body );
	const gelQualityKernels* kernels = gelGetQualityKernels( body->simd );
	double first = scale * quality->slope, last = scale * slope1; // by the whole move
	bool isParabola = fabs( phi1 - quality->phi - 0.5 * ( first + last ) ) <= -0.1 * first;
	double a = last > first ? first / ( first - last ) : 2.0;
	a = a < 0.5 ? 0.5 : a > 2.0 ? 2.0 : a;
	bool isKept = gelQuality_AddPair( quality, kernels, scale, slope1 );
	if ( isKept && isParabola )
	{
		const gelVec4 *s = quality->s[quality->pairCount - 1], *y = quality->y[quality->pairCount - 1];
		float c = (float)a;
		kernels->combine( 1.0f, quality->u, &s, &c, 1, quality->vectorCount, quality->u );
		kernels->combine( 1.0f, quality->g, &y, &c, 1, quality->vectorCount, quality->g );
		quality->phi += a * first + 0.5 * a * a * ( last - first );
		return;
	}
	gelVec4 *u = quality->u, *g = quality->g;
	quality->u = quality->uTrial;
	quality->g = quality->gTrial;
	quality->uTrial = u;
	quality->gTrial = g;
	quality->phi = phi1;
}

static void Search( gelBody* body )
{
	gelQuality* quality = gelGetQuality( body );
	if ( quality->isDone || !IsWorthwhile( body ) ) return;
	const gelQualityKernels* kernels = gelGetQualityKernels( body->simd );
	const gelVec4* d = quality->d;
	float scale = LimitScale( body );
	for ( int halving = 0; halving <= GEL_QUALITY_HALVINGS; ++halving )
	{
		kernels->combine( 1.0f, quality->u, &d, &scale, 1, quality->vectorCount, quality->uTrial );
		double slope1, phi1 = Evaluate( body, quality->uTrial, quality->gTrial, NULL );
		kernels->dots( &d, 1, quality->gTrial, quality->vectorCount, &slope1 );
		bool isLevel = phi1 - quality->phi <= GEL_QUALITY_ROUNDING * quality->phi;
		if ( phi1 <= quality->phi || ( isLevel && quality->slope + slope1 <= 0.0 ) )
		{
			quality->lastGain = halving == 0 ? -scale * quality->slope : 0.0;
			Accept( body, scale, phi1, slope1 );
			return;
		}
		double a = slope1 > quality->slope ? quality->slope / ( quality->slope - slope1 ) : 0.5;
		scale *= (float)( a > 0.5 ? 0.5 : a > 0.1 ? a : 0.1 ); // 0.1 for NaN
	}
	// near equilibrium this is rounding, and nothing to worry about
	quality->pairCount = 0;
	quality->isDone = true;
	quality->isWild = !( -quality->slope <= GEL_WILD_GAIN * quality->phi );
}

// The last move of a step, which nobody looks at: only when the moves before it went well and promised more.
static void MakeLastMove( gelBody* body )
{
	gelQuality* quality = gelGetQuality( body );
	if ( quality->isDone || !IsWorthwhile( body ) || -quality->slope > quality->lastGain ) return;
	const gelVec4* d = quality->d;
	const float one = 1.0f;
	gelGetQualityKernels( body->simd )
		->combine( 1.0f, quality->u, &d, &one, 1, quality->vectorCount, quality->u );
}

static void End( gelBody* body, const gelStepContext* ctx )
{
	if ( gelGetQuality( body )->isWild )
	{
		gelQuality_Forget( body );
		gelStepFastCorotated( &body, 1, ctx, NULL );
		return;
	}
	NotePairs( gelGetQuality( body ) );
	const gelPackNode* nodes = body->asset->pack.nodes;
	const gelVec4* u = gelGetQuality( body )->u;
	for ( int i = 0, count = body->asset->nodeCount; i < count; ++i )
		body->p[i] =
			gelMakeVec4( gelAdd( gelGetRestNode( nodes, (uint32_t)i ), gelXyz( u[i] ) ), body->invMasses[i] );
	for ( int k = 0; k < body->pinCount; ++k )
		body->p[body->pins[k]] = gelMakeVec4( body->pinTargets[k], 0.0f );
	body->p[body->asset->nodeCount] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	body->isFolding = false;
	gelFinishFastStep( body, ctx );
}

void gelStepQuality( gelBody* const* bodies, int count, const gelStepContext* ctx )
{
	GEL_ASSERT( count >= 1 && count <= GEL_MAX_GROUP && ctx->h > 0.0f );
	GEL_ASSERT( count <= GEL_MAX_GROUP );
	for ( int i = 0; i < count; ++i )
		Begin( bodies[i], ctx );
	int iterationCount = GetIterationCount( bodies[0], ctx->h );
	for ( int iteration = 1; iteration <= GEL_STRAINED_TIMES * iterationCount; ++iteration )
	{
		FindDirections( bodies, count );
		for ( int i = 0; i < count; ++i )
		{
			int last = iterationCount * ( gelGetQuality( bodies[i] )->isStrained ? GEL_STRAINED_TIMES : 1 );
			if ( iteration < last ) Search( bodies[i] );
			if ( iteration != last ) continue;
			MakeLastMove( bodies[i] );
			gelGetQuality( bodies[i] )->isDone = true;
		}
	}
	for ( int i = 0; i < count; ++i )
		End( bodies[i], ctx );
}
