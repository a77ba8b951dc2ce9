// SPDX-License-Identifier: MIT
// Constraints and frames as a game sees them: ids, targets, poses.
#include "constraints/constraint_set.h"

#include "constraints/constraint_schur.h"
#include "solvers/interact_points.h"
#include "state/world.h"

#include <float.h>
#include <string.h>

// Stiffness and damping beyond this [N/m, N s/m] are a mistake: times h^2 they leave float.
#define GEL_MAX_SPRING 1.0e12f

// ---- memory --------------------------------------------------------------------------------------------

// | gelConstraintSet | slots | frames |
static gelConstraintSet* LayOut( gelArena* arena, const gelBodyDef* def )
{
	if ( def->constraintCapacity == 0 ) return NULL;
	gelConstraintSet part = { .calls = &gel_constraintCalls,
		.capacity = def->constraintCapacity,
		.frameCapacity = def->frameCapacity };
	gelConstraintSet* set = gelArena_Take( arena, 1, sizeof( gelConstraintSet ) );
	part.slots = gelArena_Take( arena, (size_t)part.capacity, sizeof( gelConstraintSlot ) );
	part.frames = gelArena_Take( arena, (size_t)part.frameCapacity, sizeof( gelFrameSlot ) );
	if ( set != NULL ) *set = part;
	return set;
}

// | points | clusters | rowPoints | rowScales | impulses | work | nodes | sums | matrix | gelSchur |
static void LayOutRows( gelArena* arena, const gelBody* body, gelConstraintSet* out )
{
	size_t count = (size_t)out->capacity, rows = 3 * count;
	out->points = gelArena_Take( arena, count, sizeof( gelConstraintPoint ) );
	out->clusters = gelArena_Take( arena, count, sizeof( gelConstraintCluster ) );
	out->rowPoints = gelArena_Take( arena, rows, sizeof( int ) );
	out->rowScales = gelArena_Take( arena, rows, sizeof( double ) );
	out->impulses = gelArena_Take( arena, rows, sizeof( double ) );
	out->work = gelArena_Take( arena, rows, sizeof( double ) );
	out->nodes = gelArena_Take( arena, 4 * count, sizeof( uint32_t ) );
	out->sums = gelArena_Take( arena, 4 * count, sizeof( *out->sums ) );
	out->matrix = gelArena_Take( arena, rows * rows, sizeof( double ) );
	if ( body->solver->constraintForm == gel_constraintsByFactor )
		out->schur = gelSchur_LayOut( arena, body->asset, (int)count );
}

static bool Reserve( const gelAllocator* allocator, gelBody* body )
{
	gelConstraintSet* set = body->constraints;
	GEL_ASSERT( set != NULL );
	if ( set->rowMemory != NULL || body->solver->constraintForm == gel_constraintsOwn ) return true;
	gelConstraintSet grown = *set;
	gelArena arena = { 0 };
	LayOutRows( &arena, body, &grown );
	void* memory = arena.overflow ? NULL : gelAllocate( allocator, arena.bytes );
	if ( memory == NULL ) return false;
	grown.rowMemory = memory;
	grown.rowBytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	LayOutRows( &arena, body, &grown );
	*set = grown;
	return true;
}

static void Release( const gelAllocator* allocator, gelConstraintSet* set )
{
	gelFree( allocator, set->rowMemory, set->rowBytes );
}

static bool ReserveFor( const gelAllocator* allocator, gelBody* body, const void* slots )
{
	for ( int i = 0; i < body->constraints->capacity; ++i )
	{
		gelConstraintSlot slot;
		memcpy( &slot, (const uint8_t*)slots + (size_t)i * sizeof( slot ), sizeof( slot ) );
		if ( slot.kind != 0 ) return Reserve( allocator, body );
	}
	return true;
}

// ---- ids -----------------------------------------------------------------------------------------------

// The slot of a constraint that lives; NULL: it does not.
static gelConstraintSlot* FindSlot( gelConstraintId id )
{
	const gelBody* body = gelGetBody( id.body );
	gelConstraintSet* set = body ? body->constraints : NULL;
	if ( set == NULL || id.index1 == 0 || id.index1 > (uint32_t)set->capacity ) return NULL;
	gelConstraintSlot* slot = set->slots + ( id.index1 - 1 );
	return slot->kind != 0 && slot->generation == id.generation ? slot : NULL;
}

static gelFrameSlot* FindFrame( gelFrameId id )
{
	const gelBody* body = gelGetBody( id.body );
	gelConstraintSet* set = body ? body->constraints : NULL;
	if ( set == NULL || id.index1 == 0 || id.index1 > (uint32_t)set->frameCapacity ) return NULL;
	gelFrameSlot* frame = set->frames + ( id.index1 - 1 );
	return frame->isUsed != 0 && frame->generation == id.generation ? frame : NULL;
}

static gelResult GetSlot( gelConstraintId id, gelBody** outBody, gelConstraintSlot** outSlot )
{
	*outSlot = FindSlot( id );
	gelResult result = gelUseBody( id.body, outBody );
	if ( result != gel_success ) return result;
	return *outSlot ? gel_success : GEL_CALLER_ERROR( gel_errorStaleId );
}

static gelResult GetFrame( gelFrameId id, gelBody** outBody, gelFrameSlot** outFrame )
{
	*outFrame = FindFrame( id );
	gelResult result = gelUseBody( id.body, outBody );
	if ( result != gel_success ) return result;
	return *outFrame ? gel_success : GEL_CALLER_ERROR( gel_errorStaleId );
}

// ---- targets -------------------------------------------------------------------------------------------

gelVec3 gelConstraintSet_GetArm( const gelConstraintSet* set, const gelConstraintSlot* slot )
{
	GEL_ASSERT( slot->frame1 >= 1 && slot->frame1 <= (uint32_t)set->frameCapacity );
	return gelRotateByMatrix( set->frames[slot->frame1 - 1].rotation, slot->target );
}

void gelConstraintSet_GetTarget( const gelConstraintSet* set, const gelConstraintSlot* slot, double out[3] )
{
	GEL_ASSERT( slot->kind != 0 && slot->frame1 <= (uint32_t)set->frameCapacity );
	gelVec3 offset = slot->target, from = { 0.0f, 0.0f, 0.0f };
	if ( slot->frame1 > 0 )
	{
		offset = gelConstraintSet_GetArm( set, slot );
		from = set->frames[slot->frame1 - 1].position;
	}
	out[0] = (double)from.x + (double)offset.x;
	out[1] = (double)from.y + (double)offset.y;
	out[2] = (double)from.z + (double)offset.z;
}

static void Follow( gelBody* body )
{
	gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->capacity; ++i )
	{
		gelConstraintSlot* slot = set->slots + i;
		if ( slot->kind == 0 ) continue;
		slot->force = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( slot->frame1 == 0 && slot->kind != gel_constraintDirection + 1 )
			slot->target = gelToWorld(
				body, gelInterpolate( body->asset->pack.tets[slot->tet].node, slot->weight, body->x ) );
		gelConstraintSet_GetTarget( set, slot, slot->previous );
	}
}

static gelVec3 CarryPoint( gelQuat rotation, const double translation[3], gelVec3 a )
{
	gelVec3 r = gelRotateByMatrix( rotation, a );
	return ( gelVec3 ){ (float)( r.x + translation[0] ), (float)( r.y + translation[1] ),
		(float)( r.z + translation[2] ) };
}

static void Carry( gelBody* body, gelQuat rotation, const double translation[3] )
{
	GEL_ASSERT( gelIsUnitQuat( rotation ) );
	gelConstraintSet* set = body->constraints;
	if ( set == NULL ) return;
	for ( int i = 0; i < set->frameCapacity; ++i )
	{
		gelFrameSlot* frame = set->frames + i;
		if ( frame->isUsed == 0 ) continue;
		frame->position = CarryPoint( rotation, translation, frame->position );
		frame->rotation = gelMulQuat( rotation, frame->rotation );
	}
	for ( int i = 0; i < set->capacity; ++i )
	{
		gelConstraintSlot* slot = set->slots + i;
		if ( slot->kind == 0 ) continue;
		if ( slot->frame1 == 0 )
		{
			if ( slot->kind != gel_constraintDirection + 1 )
				slot->target = CarryPoint( rotation, translation, slot->target );
			slot->axis = gelRotateByMatrix( rotation, slot->axis );
		}
		gelConstraintSet_GetTarget( set, slot, slot->previous );
	}
}

// ---- saved states ----------------------------------------------------------------------------------------

static bool IsSpring( float stiffness, float damping )
{
	return stiffness >= 0.0f && stiffness <= GEL_MAX_SPRING && damping >= 0.0f && damping <= GEL_MAX_SPRING &&
		stiffness + damping >= 1.0e-6f;
}

static bool IsUnitVec3( gelVec3 a )
{
	return fabsf( gelLengthSquared( a ) - 1.0f ) < 1.0e-3f; // false for NaN
}

static bool SlotHasAxis( const gelConstraintSlot* slot )
{
	return slot->kind == gel_constraintLine + 1 || slot->kind == gel_constraintPlane + 1 ||
		slot->kind == gel_constraintDirection + 1;
}

static bool IsSlot( const gelBody* body, const gelConstraintSlot* slot )
{
	if ( slot->kind == 0 ) return slot->tet == 0 && slot->frame1 == 0;
	gelEmbeddedPoint point = { slot->tet,
		{ slot->weight[0], slot->weight[1], slot->weight[2], slot->weight[3] } };
	bool isKnown = slot->kind <= gel_constraintDirection + 1 &&
		( body->solver->constraintKinds >> ( slot->kind - 1 ) & 1 ) != 0;
	if ( !isKnown || !gelIsHandle( body, &point ) ) return false;
	if ( slot->frame1 > (uint32_t)body->constraints->frameCapacity || !gelIsUsable( slot->target ) )
		return false;
	if ( SlotHasAxis( slot ) && !IsUnitVec3( slot->axis ) ) return false;
	if ( slot->kind >= gel_constraintSpring + 1 && !IsSpring( slot->stiffness, slot->damping ) ) return false;
	bool isUsable = gelLengthSquared( slot->force ) <= FLT_MAX;
	for ( int k = 0; k < 3; ++k )
		isUsable = isUsable && fabs( slot->previous[k] ) <= 1.0e12;
	return isUsable;
}

static bool AreSlots( const gelBody* body, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( bytes == (size_t)body->constraints->capacity * sizeof( gelConstraintSlot ) );
	(void)bytes;
	for ( int i = 0; i < body->constraints->capacity; ++i )
	{
		gelConstraintSlot slot;
		memcpy( &slot, data + (size_t)i * sizeof( slot ), sizeof( slot ) );
		if ( !IsSlot( body, &slot ) ) return false;
	}
	return true;
}

static bool AreFrames( const gelBody* body, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( bytes == (size_t)body->constraints->frameCapacity * sizeof( gelFrameSlot ) );
	const gelConstraintSet* set = body->constraints;
	GEL_ASSERT( bytes == (size_t)set->frameCapacity * sizeof( gelFrameSlot ) );
	(void)bytes;
	for ( int i = 0; i < set->frameCapacity; ++i )
	{
		gelFrameSlot frame;
		memcpy( &frame, data + (size_t)i * sizeof( frame ), sizeof( frame ) );
		if ( frame.isUsed == 0 ) continue;
		gelTransform pose = { frame.position, frame.rotation };
		gelVec3 inv = frame.invInertia;
		bool isHeavy = frame.invMass > 0.0f && frame.invMass <= 1.0e9f && inv.x > 0.0f && inv.y > 0.0f &&
			inv.z > 0.0f && inv.x <= 1.0e12f && inv.y <= 1.0e12f && inv.z <= 1.0e12f;
		if ( frame.isUsed != 1 || !gelIsTransform( pose ) || ( frame.invMass != 0.0f && !isHeavy ) )
			return false;
		if ( !( gelLengthSquared( frame.force ) + gelLengthSquared( frame.torque ) <= FLT_MAX ) )
			return false;
	}
	return true;
}

static int ListState( const gelConstraintSet* set, gelStateSpan* out )
{
	out[0] = ( gelStateSpan ){ set->slots, (size_t)set->capacity * sizeof( gelConstraintSlot ), AreSlots };
	out[1] = ( gelStateSpan ){ set->frames, (size_t)set->frameCapacity * sizeof( gelFrameSlot ), AreFrames };
	return 2;
}

// ---- frames --------------------------------------------------------------------------------------------

gelFrameDef gelDefaultFrameDef( void )
{
	return ( gelFrameDef ){ .transform.rotation = gelIdentityQuat(), .cookie = GEL_COOKIE };
}

static bool FrameDefIsValid( const gelFrameDef* def )
{
	if ( def == NULL || def->cookie != GEL_COOKIE || !gelIsTransform( def->transform ) ) return false;
	if ( !( def->mass >= 0.0f && def->mass <= 1.0e9f ) ) return false;
	if ( def->mass == 0.0f ) return true;
	gelVec3 i = def->inertia;
	return def->mass > 1.0e-9f && gelIsUsable( i ) && i.x > 1.0e-12f && i.y > 1.0e-12f && i.z > 1.0e-12f;
}

static void SetTransform( gelFrameSlot* frame, gelTransform transform )
{
	frame->position = transform.position;
	frame->rotation = gelNormalizeQuat( transform.rotation );
}

gelResult gelCreateFrame( gelBodyId bodyId, const gelFrameDef* def, gelFrameId* outFrameId )
{
	if ( outFrameId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outFrameId = ( gelFrameId ){ 0 };
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( !FrameDefIsValid( def ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	int count = body->constraints != NULL ? body->constraints->frameCapacity : 0, index = 0;
	while ( index < count && body->constraints->frames[index].isUsed != 0 )
		++index;
	if ( index == count ) return gel_errorFull;
	gelFrameSlot* frame = body->constraints->frames + index;
	*frame = ( gelFrameSlot ){ .isUsed = 1, .generation = frame->generation + 1 };
	SetTransform( frame, def->transform );
	if ( def->mass > 0.0f )
	{
		frame->invMass = 1.0f / def->mass;
		frame->invInertia =
			gelMakeVec3( 1.0f / def->inertia.x, 1.0f / def->inertia.y, 1.0f / def->inertia.z );
	}
	*outFrameId = ( gelFrameId ){ bodyId, (uint32_t)index + 1, frame->generation };
	return gel_success;
}

static void FreeSlot( gelConstraintSlot* slot )
{
	GEL_ASSERT( slot->kind != 0 );
	*slot = ( gelConstraintSlot ){ .generation = slot->generation };
}

void gelDestroyFrame( gelFrameId frameId )
{
	gelFrameSlot* frame = FindFrame( frameId );
	gelBody* body = gelGetBody( frameId.body );
	if ( frame == NULL || frameId.body.world->isLocked ) return;
	for ( int i = 0; i < body->constraints->capacity; ++i )
	{
		gelConstraintSlot* slot = body->constraints->slots + i;
		if ( slot->kind == 0 || slot->frame1 != frameId.index1 ) continue;
		FreeSlot( slot );
		gelBody_Wake( body );
	}
	*frame = ( gelFrameSlot ){ .generation = frame->generation };
}

bool gelFrame_IsValid( gelFrameId frameId )
{
	return FindFrame( frameId ) != NULL;
}

gelResult gelFrame_SetTransform( gelFrameId frameId, gelTransform transform )
{
	gelBody* body;
	gelFrameSlot* frame;
	gelResult result = GetFrame( frameId, &body, &frame );
	if ( result != gel_success ) return result;
	if ( !gelIsTransform( transform ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelFrameSlot old = *frame;
	SetTransform( frame, transform );
	if ( memcmp( &old, frame, sizeof( old ) ) != 0 ) gelBody_Wake( body );
	return gel_success;
}

gelResult gelFrame_GetTransform( gelFrameId frameId, gelTransform* outTransform )
{
	if ( outTransform == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outTransform = ( gelTransform ){ .rotation = gelIdentityQuat() };
	gelBody* body;
	gelFrameSlot* frame;
	gelResult result = GetFrame( frameId, &body, &frame );
	if ( result == gel_success ) *outTransform = ( gelTransform ){ frame->position, frame->rotation };
	return result;
}

gelResult gelFrame_GetReaction( gelFrameId frameId, gelReaction* outReaction )
{
	if ( outReaction == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outReaction = ( gelReaction ){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	gelBody* body;
	gelFrameSlot* frame;
	gelResult result = GetFrame( frameId, &body, &frame );
	if ( result == gel_success ) *outReaction = ( gelReaction ){ frame->force, frame->torque };
	return result;
}

// ---- constraints ---------------------------------------------------------------------------------------

gelConstraintDef gelDefaultConstraintDef( void )
{
	return ( gelConstraintDef ){ .point.tet = -1, .axis = { 0.0f, 1.0f, 0.0f }, .cookie = GEL_COOKIE };
}

// A unit vector, or false: not finite, or zero.
static bool Normalize( gelVec3 a, gelVec3* out )
{
	if ( !gelIsUsable( a ) ) return false;
	float largest = fmaxf( fabsf( a.x ), fmaxf( fabsf( a.y ), fabsf( a.z ) ) );
	if ( largest < 1.0e-30f ) return false;
	gelVec3 scaled = gelMakeVec3( a.x / largest, a.y / largest, a.z / largest );
	*out = gelScale( 1.0f / gelLength( scaled ), scaled );
	return true;
}

static bool HasAxis( gelConstraintKind kind )
{
	return kind == gel_constraintLine || kind == gel_constraintPlane || kind == gel_constraintDirection;
}

static bool ConstraintDefIsValid( const gelBody* body, gelBodyId bodyId, const gelConstraintDef* def )
{
	gelVec3 axis;
	if ( def == NULL || def->cookie != GEL_COOKIE || !gelIsUsable( def->target ) ) return false;
	if ( !gelIsHandle( body, &def->point ) ) return false;
	bool hasAxis = HasAxis( def->kind );
	if ( hasAxis && !Normalize( def->axis, &axis ) ) return false;
	bool isDirection = def->kind == gel_constraintDirection;
	if ( isDirection && ( !Normalize( def->target, &axis ) || !IsSpring( def->stiffness, 0.0f ) ) )
		return false;
	if ( def->kind == gel_constraintSpring && !IsSpring( def->stiffness, def->damping ) ) return false;
	if ( !hasAxis && def->kind != gel_constraintSpring && def->kind != gel_constraintPoint ) return false;
	if ( def->frame.index1 == 0 ) return true;
	return def->frame.body.world == bodyId.world && def->frame.body.index1 == bodyId.index1 &&
		gelFrame_IsValid( def->frame );
}

// Whether the solver has such constraints. Those with means of their own do not move frames.
static bool CanHold( const gelBody* body, const gelConstraintDef* def )
{
	const gelConstraintSet* set = body->constraints;
	bool hasFrame = set != NULL && def->frame.index1 > 0 && def->frame.index1 <= (uint32_t)set->frameCapacity;
	bool isTwoWay = hasFrame && set->frames[def->frame.index1 - 1].invMass > 0.0f;
	if ( isTwoWay && body->solver->constraintForm == gel_constraintsOwn ) return false;
	bool isKind = (unsigned)def->kind <= gel_constraintDirection;
	return !isKind || ( body->solver->constraintKinds >> def->kind & 1 ) != 0;
}

gelResult gelCreateConstraint(
	gelBodyId bodyId, const gelConstraintDef* def, gelConstraintId* outConstraintId )
{
	if ( outConstraintId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outConstraintId = ( gelConstraintId ){ 0 };
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( def != NULL && !CanHold( body, def ) ) return gel_errorUnsupported;
	if ( !ConstraintDefIsValid( body, bodyId, def ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( body->solver->getInvPointMass( body, &def->point ) <= 0.0f ) return gel_errorArgument; // pinned
	gelConstraintSet* set = body->constraints;
	int count = set != NULL ? set->capacity : 0, index = 0;
	while ( index < count && set->slots[index].kind != 0 )
		++index;
	if ( index == count ) return gel_errorFull;
	if ( !Reserve( &bodyId.world->def.allocator, body ) ) return gel_errorMemory;
	gelConstraintSlot* slot = set->slots + index;
	*slot = ( gelConstraintSlot ){ .kind = (uint32_t)def->kind + 1,
		.generation = slot->generation + 1,
		.frame1 = def->frame.index1,
		.tet = def->point.tet,
		.target = def->target };
	memcpy( slot->weight, def->point.weight, sizeof( slot->weight ) );
	if ( HasAxis( def->kind ) ) Normalize( def->axis, &slot->axis );
	if ( def->kind == gel_constraintDirection ) Normalize( def->target, &slot->target );
	if ( def->kind == gel_constraintSpring || def->kind == gel_constraintDirection )
		slot->stiffness = def->stiffness;
	if ( def->kind == gel_constraintSpring ) slot->damping = def->damping;
	gelConstraintSet_GetTarget( set, slot, slot->previous );
	gelBody_Wake( body );
	*outConstraintId = ( gelConstraintId ){ bodyId, (uint32_t)index + 1, slot->generation };
	return gel_success;
}

void gelDestroyConstraint( gelConstraintId constraintId )
{
	gelConstraintSlot* slot = FindSlot( constraintId );
	if ( slot == NULL || constraintId.body.world->isLocked ) return;
	FreeSlot( slot );
	gelBody_Wake( gelGetBody( constraintId.body ) );
}

bool gelConstraint_IsValid( gelConstraintId constraintId )
{
	return FindSlot( constraintId ) != NULL;
}

gelResult gelConstraint_SetTarget( gelConstraintId constraintId, gelVec3 target )
{
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result != gel_success ) return result;
	if ( !gelIsUsable( target ) || slot->kind == gel_constraintDirection + 1 )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( gelLengthSquared( gelSub( target, slot->target ) ) > 0.0f ) gelBody_Wake( body );
	slot->target = target;
	return gel_success;
}

gelResult gelConstraint_GetTarget( gelConstraintId constraintId, gelVec3* outTarget )
{
	if ( outTarget == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outTarget = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result == gel_success ) *outTarget = slot->target;
	return result;
}

gelResult gelConstraint_SetAxis( gelConstraintId constraintId, gelVec3 axis )
{
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result != gel_success ) return result;
	gelVec3 unit;
	if ( !SlotHasAxis( slot ) || !Normalize( axis, &unit ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	slot->axis = unit;
	gelBody_Wake( body );
	return gel_success;
}

gelResult gelConstraint_GetAxis( gelConstraintId constraintId, gelVec3* outAxis )
{
	if ( outAxis == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outAxis = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result == gel_success && SlotHasAxis( slot ) ) *outAxis = slot->axis;
	return result;
}

gelResult gelConstraint_SetSpring( gelConstraintId constraintId, float stiffness, float damping )
{
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result != gel_success ) return result;
	bool isSpring = slot->kind == gel_constraintSpring + 1;
	bool isDirection = slot->kind == gel_constraintDirection + 1 && damping == 0.0f;
	if ( ( !isSpring && !isDirection ) || !IsSpring( stiffness, damping ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	slot->stiffness = stiffness;
	slot->damping = damping;
	gelBody_Wake( body );
	return gel_success;
}

gelResult gelConstraint_GetSpring( gelConstraintId constraintId, float* outStiffness, float* outDamping )
{
	if ( outStiffness == NULL || outDamping == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outStiffness = *outDamping = 0.0f;
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result != gel_success ) return result;
	*outStiffness = slot->stiffness;
	*outDamping = slot->damping;
	return gel_success;
}

gelResult gelConstraint_GetPoint( gelConstraintId constraintId, gelEmbeddedPoint* outPoint )
{
	if ( outPoint == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outPoint = ( gelEmbeddedPoint ){ .tet = -1 };
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result != gel_success ) return result;
	outPoint->tet = slot->tet;
	memcpy( outPoint->weight, slot->weight, sizeof( slot->weight ) );
	return gel_success;
}

gelResult gelConstraint_GetReaction( gelConstraintId constraintId, gelReaction* outReaction )
{
	if ( outReaction == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outReaction = ( gelReaction ){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	gelBody* body;
	gelConstraintSlot* slot;
	gelResult result = GetSlot( constraintId, &body, &slot );
	if ( result == gel_success ) outReaction->force = gelNeg( slot->force );
	return result;
}

int gelBody_GetConstraints( gelBodyId bodyId, gelConstraintId* out, int outCapacity )
{
	const gelBody* body = gelAskBody( bodyId );
	int count = 0;
	for ( int i = 0; body != NULL && body->constraints != NULL && i < body->constraints->capacity; ++i )
	{
		const gelConstraintSlot* slot = body->constraints->slots + i;
		if ( slot->kind == 0 ) continue;
		if ( out != NULL && count < outCapacity )
			out[count] = ( gelConstraintId ){ bodyId, (uint32_t)i + 1, slot->generation };
		++count;
	}
	return count;
}

const gelConstraintCalls gel_constraintCalls = { LayOut, Reserve, ReserveFor, Release, Follow, Carry,
	ListState, gelConstraintSet_GetTarget, gelSchur_Solve, gelSchur_Filter, gelSchur_Accept,
	gelSchur_Finish };
