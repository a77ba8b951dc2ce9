// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_handles.h"

#include "math/dense_factor.h"
#include "simd/supernodal_solve.h"

#include <string.h>

// What a pin's point is off is taken back by this share per step, as for other solvers.
#define GEL_DRIFT_SHARE 0.3f

// Stiffness of a pin, in that of the stiffest particle.
#define GEL_PIN_RATIO 10.0f

// Pins that contradict each other would load each other for ever; a little of the load is forgotten.
#define GEL_LOAD_KEPT 0.99f

// | gelHandleSet | items | columns | matrix | work | touched |
gelHandleSet* gelHandleSet_LayOut( gelArena* arena, const gelBodyDef* def )
{
	size_t count = (size_t)def->constraintCapacity;
	const gelParticleModel* model = gelGetParticleModel( def->asset );
	if ( count == 0 ) return NULL;
	gelHandleSet part = { .capacity = def->constraintCapacity };
	gelHandleSet* set = gelArena_Take( arena, 1, sizeof( gelHandleSet ) );
	part.items = gelArena_Take( arena, count, sizeof( gelHandle ) );
	part.columns = gelArena_Take( arena, count * (size_t)model->count, sizeof( float ) );
	part.matrix = gelArena_Take( arena, count * count, sizeof( double ) );
	part.work = gelArena_Take( arena, count, sizeof( double ) );
	part.touched = gelArena_Take( arena, GEL_BLOCK_LANES * (size_t)model->blockCount, sizeof( uint8_t ) );
	if ( set != NULL ) *set = part;
	return set;
}

// ---- carriers --------------------------------------------------------------------------------------------

static void AddCarrier( gelCarriers* c, uint32_t slot, float share, gelVec3 arm )
{
	int i = 0;
	while ( i < c->count && c->slot[i] != slot )
		++i;
	if ( i == c->count )
	{
		c->slot[c->count] = slot;
		c->share[c->count] = 0.0f;
		c->arm[c->count++] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	c->share[i] += share;
	c->arm[i] = gelAdd( c->arm[i], arm );
}

gelCarriers gelFindCarriers( const gelAsset* asset, const gelEmbeddedPoint* point )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < asset->tetCount );
	const gelParticleModel* model = gelGetParticleModel( asset );
	const uint32_t* node = asset->pack.tets[point->tet].node;
	gelCarriers c = { .count = 0 };
	for ( int k = 0; k < 4; ++k )
	{
		const gelPackSkin* skin = asset->pack.particles.nodeSkins + node[k];
		gelVec3 rest = gelGetRestNode( asset->pack.nodes, node[k] );
		for ( int n = 0; n < 4; ++n )
		{
			if ( skin->weight[n] == 0 || point->weight[k] == 0.0f ) continue;
			uint32_t slot = model->particleSlots[skin->particle[n]];
			float share = point->weight[k] * ( (float)skin->weight[n] * ( 1.0f / 65535.0f ) );
			AddCarrier( &c, slot, share, gelScale( share, gelSub( rest, model->restPositions[slot] ) ) );
		}
	}
	return c;
}

static gelVec3 TurnArm( const gelVec4* poses, uint32_t slot, gelVec3 arm )
{
	const gelVec4* row = poses + 3 * (size_t)slot;
	return ( gelVec3 ){ gelDot( gelXyz( row[0] ), arm ), gelDot( gelXyz( row[1] ), arm ),
		gelDot( gelXyz( row[2] ), arm ) };
}

gelVec3 gelGetCarried( const gelCarriers* c, const gelVec4* poses )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < c->count; ++i )
	{
		const gelVec4* row = poses + 3 * (size_t)c->slot[i];
		sum = gelAdd( sum, TurnArm( poses, c->slot[i], c->arm[i] ) );
		sum = gelMulAdd( sum, c->share[i], gelMakeVec3( row[0].w, row[1].w, row[2].w ) );
	}
	return sum;
}

// Sum of R_j times the arms: of a direction handle its direction, not of unit length.
static gelVec3 GetTurned( const gelCarriers* c, const gelVec4* poses )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < c->count; ++i )
		sum = gelAdd( sum, TurnArm( poses, c->slot[i], c->arm[i] ) );
	return sum;
}

// ---- a step ----------------------------------------------------------------------------------------------

// h^2 times the stiffness of the stiffest particle [kg].
static float GetBodyPull( const gelParticleModel* model, float h )
{
	GEL_ASSERT( h > 0.0f );
	return model->maxMass + h * h * model->maxStiffness;
}

static gelHandle MakeHandle( const gelBody* body, int index, float h )
{
	GEL_ASSERT( index >= 0 && index < body->constraints->capacity && h > 0.0f );
	const gelConstraintSlot* slot = body->constraints->slots + index;
	gelEmbeddedPoint point = { slot->tet,
		{ slot->weight[0], slot->weight[1], slot->weight[2], slot->weight[3] } };
	gelHandle handle = { .slot = index, .generation = slot->generation };
	handle.carriers = gelFindCarriers( body->asset, &point );
	handle.isDirection = slot->kind == gel_constraintDirection + 1;
	float most = GEL_PIN_RATIO * GetBodyPull( gelGetParticles( body )->model, h );
	handle.weight = h * h * slot->stiffness + ( handle.isDirection ? 0.0f : h * slot->damping );
	handle.isPin = slot->kind == gel_constraintPoint + 1 || ( !handle.isDirection && handle.weight > most );
	if ( handle.isPin ) handle.weight = most;
	for ( int i = 0; i < handle.carriers.count && handle.isDirection; ++i )
		handle.carriers.arm[i] = gelScale( handle.carriers.share[i], slot->target );
	if ( handle.isPin ) handle.load = gelScale( h * h * GEL_LOAD_KEPT, slot->force );
	return handle;
}

// Y = A^-1 S^T, three points per solve.
static void SolveColumns( gelBody* body )
{
	gelParticles* p = gelGetParticles( body );
	gelHandleSet* set = p->handles;
	size_t rows = (size_t)p->model->count;
	for ( int first = 0; first < set->pointCount; first += 3 )
	{
		int count = gelMinInt( 3, set->pointCount - first );
		memset( p->y, 0, rows * sizeof( gelVec4 ) );
		for ( int c = 0; c < count; ++c )
		{
			const gelCarriers* carriers = &set->items[first + c].carriers;
			for ( int i = 0; i < carriers->count; ++i )
				( &p->y[p->slotRows[carriers->slot[i]]].x )[c] = carriers->share[i];
		}
		gelSolveFactor( body->simd, &p->factor, &p->y, 1, p->solveScratch );
		for ( int c = 0; c < count; ++c )
		{
			float* column = set->columns + (size_t)( first + c ) * rows;
			for ( size_t r = 0; r < rows; ++r )
				column[r] = ( &p->y[r].x )[c];
		}
	}
}

// S_c Y_d
static double DotColumn( const gelParticles* p, const gelCarriers* c, const float* column )
{
	double sum = 0.0;
	for ( int i = 0; i < c->count; ++i )
		sum += (double)c->share[i] * (double)column[p->slotRows[c->slot[i]]];
	return sum;
}

static void FillMatrix( gelParticles* p )
{
	gelHandleSet* set = p->handles;
	int n = set->pointCount;
	size_t rows = (size_t)p->model->count;
	double most = 0.0;
	for ( int c = 0; c < n; ++c )
	{
		double* row = set->matrix + (size_t)c * (size_t)n;
		for ( int d = 0; d <= c; ++d )
			row[d] = DotColumn( p, &set->items[c].carriers, set->columns + (size_t)d * rows );
		row[c] += 1.0 / (double)set->items[c].weight;
		most = row[c] > most ? row[c] : most;
	}
	gelFactorDense( set->matrix, n, 1.0e-14 * most );
}

void gelHandleSet_Begin( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelParticles* p = gelGetParticles( body );
	gelHandleSet* set = p->handles;
	if ( set == NULL ) return;
	int oldCount = set->pointCount, capacity = set->capacity;
	set->count = set->pointCount = 0;
	memset( set->touched, 0, GEL_BLOCK_LANES * (size_t)p->model->blockCount );
	memset( p->holds, 0, (size_t)p->model->blockCount );
	bool isSame = true;
	for ( int pass = 0; pass < 2; ++pass ) // points, then directions
	{
		for ( int i = 0; i < capacity; ++i )
		{
			const gelConstraintSlot* slot = body->constraints->slots + i;
			bool isDirection = slot->kind == gel_constraintDirection + 1;
			if ( slot->kind == 0 || isDirection != ( pass == 1 ) ) continue;
			gelHandle* item = set->items + set->count++;
			isSame = isSame &&
				( isDirection ||
					( set->pointCount < oldCount && item->slot == i &&
						item->generation == slot->generation ) );
			*item = MakeHandle( body, i, h );
			set->pointCount += !isDirection;
			for ( int c = 0; c < item->carriers.count; ++c )
			{
				uint32_t at = item->carriers.slot[c];
				set->touched[at] = 1;
				p->holds[at / GEL_BLOCK_LANES] |= (uint8_t)( 1u << at % GEL_BLOCK_LANES );
			}
		}
	}
	if ( !isSame || set->pointCount != oldCount || set->factorStep != p->factorStep ) SolveColumns( body );
	set->factorStep = p->factorStep;
	FillMatrix( p );
}

// Unit direction of a frame or of the world.
static gelVec3 GetAxis( const gelConstraintSet* constraints, const gelConstraintSlot* slot )
{
	if ( slot->frame1 == 0 ) return slot->axis;
	return gelRotateByMatrix( constraints->frames[slot->frame1 - 1].rotation, slot->axis );
}

void gelHandleSet_Aim( gelBody* body, float h, int subStep )
{
	GEL_ASSERT( h > 0.0f && subStep >= 0 );
	gelParticles* p = gelGetParticles( body );
	gelHandleSet* set = p->handles;
	int subSteps = p->def.subSteps;
	for ( int i = 0; set != NULL && i < set->count; ++i )
	{
		gelHandle* item = set->items + i;
		const gelConstraintSlot* slot = body->constraints->slots + item->slot;
		item->target = GetAxis( body->constraints, slot );
		if ( item->isDirection ) continue;
		double end[3], at[3];
		body->constraints->calls->getTarget( body->constraints, slot, end );
		for ( int k = 0; k < 3; ++k )
			at[k] = slot->previous[k] + ( end[k] - slot->previous[k] ) * ( subStep + 1 ) / subSteps -
				body->origin[k];
		gelVec3 target = { (float)at[0], (float)at[1], (float)at[2] };
		gelVec3 move = { (float)( ( end[0] - slot->previous[0] ) / subSteps ),
			(float)( ( end[1] - slot->previous[1] ) / subSteps ),
			(float)( ( end[2] - slot->previous[2] ) / subSteps ) };
		gelVec3 start = gelGetCarried( &item->carriers, p->poses ); // before the prediction moved them
		if ( item->isPin )
		{
			// A pin moves its point along; what the point is off is taken back slowly.
			gelVec3 off = gelSub( gelSub( target, move ), start );
			item->drift = gelScale( subSteps > 1 ? GEL_DRIFT_SHARE / (float)subSteps : GEL_DRIFT_SHARE, off );
			item->target = gelAdd( gelAdd( start, move ), item->drift );
			item->target = gelMulAdd( item->target, 1.0f / item->weight, item->load );
			continue;
		}
		// Force k (t - p) - c (p - start - move) / h, as one spring of weight h^2 k + h c.
		float spring = h * h * slot->stiffness / item->weight;
		gelVec3 dragged = gelAdd( start, move );
		item->target = gelMulAdd( dragged, spring, gelSub( target, dragged ) );
	}
}

// ---- rotations -------------------------------------------------------------------------------------------

static void AddOuter( gelMat3* C, gelVec3 a, gelVec3 b )
{
	C->cx = gelMulAdd( C->cx, b.x, a );
	C->cy = gelMulAdd( C->cy, b.y, a );
	C->cz = gelMulAdd( C->cz, b.z, a );
}

// What handle adds to the matrix of its carrier i, times 1 / c_i.
static void AddHandle( const gelHandle* item, int i, const gelVec4* poses, float invC, gelMat3* C )
{
	GEL_ASSERT( i >= 0 && invC >= 0.0f );
	const gelCarriers* c = &item->carriers;
	gelVec3 arm = c->arm[i], own = TurnArm( poses, c->slot[i], arm );
	if ( item->isDirection )
	{
		// with M = |sum of R_j arm_j| frozen: r rb^T, rb = arm/M, r = n - sum without i of R_j arm_j / M
		gelVec3 all = GetTurned( c, poses );
		float inv = 1.0f / gelMaxFloat( gelLength( all ), 1.0e-6f );
		gelVec3 r = gelSub( item->target, gelScale( inv, gelSub( all, own ) ) );
		AddOuter( C, gelScale( invC * item->weight * inv, r ), arm );
		return;
	}
	gelVec3 gap = gelSub( item->target, gelGetCarried( c, poses ) );
	AddOuter( C, gelScale( invC * item->weight, gelAdd( gap, own ) ), arm );
}

bool gelHandleSet_Sweep( gelBody* body, const gelParticlePass* pass )
{
	const gelParticles* p = gelGetParticles( body );
	const gelHandleSet* set = p->handles;
	bool isUsable = true;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount; ++slot )
	{
		if ( set->touched[slot] == 0 ) continue;
		gelMat3 C = gelGetParticleMatrix_Ref( pass, slot );
		gelSym3 m = p->model->moments[slot];
		float invC = 1.0f / ( m.xx + m.yy + m.zz );
		for ( int n = 0; n < set->count; ++n )
		{
			const gelHandle* item = set->items + n;
			for ( int i = 0; i < item->carriers.count; ++i )
			{
				if ( item->carriers.slot[i] == (uint32_t)slot ) AddHandle( item, i, pass->poses, invC, &C );
			}
		}
		isUsable = gelTurnParticle_Ref( pass, slot, C ) && isUsable;
	}
	return isUsable;
}

// ---- positions -------------------------------------------------------------------------------------------

static gelVec3 DotIncrement( const gelParticles* p, const gelCarriers* c )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < c->count; ++i )
		sum = gelMulAdd( sum, c->share[i], gelXyz( p->y[p->slotRows[c->slot[i]]] ) );
	return sum;
}

// y += sum of Y_c times component d of values_c
static void AddColumns( gelParticles* p, const double* values, int d, gelVec4* to )
{
	GEL_ASSERT( d >= 0 && d < 3 );
	const gelHandleSet* set = p->handles;
	size_t rows = (size_t)p->model->count;
	for ( int c = 0; c < set->pointCount; ++c )
	{
		const float* column = set->columns + (size_t)c * rows;
		float value = (float)values[c];
		for ( size_t r = 0; r < rows; ++r )
			( &to[r].x )[d] += value * column[r];
	}
}

// What the drift of pins moves is taken off the start, so that it does not become velocity.
static void TakeDriftOff( gelParticles* p, int d )
{
	GEL_ASSERT( d >= 0 && d < 3 );
	gelHandleSet* set = p->handles;
	size_t rows = (size_t)p->model->count;
	bool isMoved = false;
	for ( int c = 0; c < set->pointCount; ++c )
	{
		set->work[c] = (double)( &set->items[c].drift.x )[d];
		isMoved = isMoved || set->work[c] != 0.0;
	}
	if ( !isMoved ) return;
	gelSolveDense( set->matrix, set->pointCount, set->work );
	for ( int c = 0; c < set->pointCount; ++c )
	{
		const float* column = set->columns + (size_t)c * rows;
		float value = (float)set->work[c];
		for ( size_t r = 0; r < rows; ++r )
		{
			uint32_t slot = p->rowSlots[r];
			p->starts[slot / GEL_BLOCK_LANES].x[d][slot % GEL_BLOCK_LANES] += value * column[r];
		}
	}
}

void gelHandleSet_Solve( gelBody* body, const gelParticlePass* pass, bool isFirst )
{
	gelParticles* p = gelGetParticles( body );
	gelHandleSet* set = p->handles;
	if ( set->pointCount == 0 ) return;
	for ( int d = 0; d < 3; ++d )
	{
		if ( isFirst ) TakeDriftOff( p, d );
		for ( int c = 0; c < set->pointCount; ++c )
		{
			const gelHandle* item = set->items + c;
			gelVec3 gap = gelSub( gelSub( item->target, gelGetCarried( &item->carriers, pass->poses ) ),
				DotIncrement( p, &item->carriers ) );
			set->work[c] = (double)( &gap.x )[d];
		}
		gelSolveDense( set->matrix, set->pointCount, set->work );
		for ( int c = 0; c < set->pointCount; ++c )
			( &set->items[c].lambda.x )[d] = (float)set->work[c];
		AddColumns( p, set->work, d, p->y );
	}
}

void gelHandleSet_Tally( gelBody* body )
{
	gelHandleSet* set = gelGetParticles( body )->handles;
	for ( int i = 0; set != NULL && i < set->count; ++i )
	{
		gelHandle* item = set->items + i;
		item->sum = gelAdd( item->sum, item->lambda );
		if ( item->isPin ) item->load = item->lambda;
	}
}

void gelHandleSet_End( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelHandleSet* set = gelGetParticles( body )->handles;
	float mean = 1.0f / ( h * h * (float)gelGetParticles( body )->def.subSteps );
	for ( int i = 0; set != NULL && i < set->count; ++i )
	{
		const gelHandle* item = set->items + i;
		gelConstraintSlot* slot = body->constraints->slots + item->slot;
		body->constraints->calls->getTarget( body->constraints, slot, slot->previous );
		if ( !item->isDirection ) slot->force = gelScale( mean, item->sum );
	}
}
