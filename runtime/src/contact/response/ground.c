// SPDX-License-Identifier: MIT
#include "contact/response/ground.h"

#include "asset/coarse_nodes.h"
#include "constraints/constraint_schur.h"
#include "contact/response/contact_response.h"

#include <string.h>

// Solves with the factor per step in contact at most, normal and friction in turns. On level ground 6 to 12
// are needed; on a slope that friction holds, boxes of 1e6 to 1e9 Pa tremble by 12 mm/s with 8, and with 16
// by less than 0.1 mm/s rms, but small ones of the implicit solver (0.1 m) by 4 mm/s.
#define GEL_GROUND_ITERATIONS 16

// What is wanted of a node, in body sizes, that is not worth a solve.
#define GEL_GROUND_TOLERANCE 1.0e-6

// Bodies that start a step deeper than this were put there, in their sizes. (What is less deep rises at once:
// by 6 cm/s at most, if the body is of 1 m.)
#define GEL_SUNK_DEPTH 1.0e-3f

// Sweeps in the metric of the lumped masses per iteration.
#define GEL_GROUND_SWEEPS 4

// What the loops share; the plane is in coordinates of the body.
typedef struct gelGroundFrame
{
	gelBody* body;
	gelVec3 normal;
	float offset; // [m]
	float h;      // [s]
	float rise;   // what starts below the plane rises by that in this step, and gets faster by it [m]
	// what touches: collision vertices by cell, else (cdg is NULL) art vertices by tet
	const gelCdgView* cdg;
	const float* weights;
	uint32_t cellCount;
} gelGroundFrame;

// Vertices that one tet deforms.
typedef struct gelGroundCell
{
	const uint32_t* node;
	uint32_t begin, end; // positions in list, or vertices if that is NULL
	const uint32_t* list;
} gelGroundCell;

static bool IsHeld( const gelBody* body )
{
	return body->pinCount > 0 || gelConstraintSet_IsActive( body->constraints );
}

static gelGroundFrame MakeFrame( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->hasGround && ctx->h > 0.0f );
	gelVec3 n = ctx->ground.normal;
	// in double: far from the world's origin the two terms nearly cancel
	double offset =
		ctx->ground.offset - ( n.x * body->origin[0] + n.y * body->origin[1] + n.z * body->origin[2] );
	const gelPackView* pack = &body->asset->pack;
	bool hasCells = pack->cells != NULL;
	return ( gelGroundFrame ){ body, n, (float)offset, ctx->h, GEL_DEPENETRATION_SPEED * ctx->h,
		hasCells ? &pack->cdg : NULL, pack->embedWeights,
		hasCells ? pack->header->cdgTetCount : (uint32_t)body->asset->tetCount };
}

static gelGroundCell GetCell( const gelGroundFrame* frame, uint32_t index )
{
	const gelAsset* asset = frame->body->asset;
	const gelPackView* pack = &asset->pack;
	if ( pack->cells == NULL )
	{
		const uint32_t* first = asset->tetVertexFirst + index;
		return ( gelGroundCell ){ pack->tets[index].node, first[0], first[1], asset->tetVertices };
	}
	// vertices of a patch stand behind those of the patch before, and the padding between repeats one
	const gelPackCell* cell = pack->cells + index;
	const gelPackPatch *front = pack->patches + cell->patchFirst, *back = front + cell->patchCount - 1;
	return ( gelGroundCell ){ cell->node, front->vertexFirst, back->vertexFirst + back->vertexCount, NULL };
}

static inline void GetWeights( const gelGroundFrame* frame, uint32_t vertex, float w[4] )
{
	if ( frame->cdg != NULL )
		gelCdg_GetWeights( frame->cdg, vertex, w );
	else
		gelGetWeights( frame->weights, vertex, w );
}

static uint32_t GetVertex( const gelGroundCell* cell, uint32_t i )
{
	return cell->list ? cell->list[i] : i;
}

// A cell of a coarser cage has no tet of its own: the tet of an art vertex of its surface stands for it.
static const gelPackMaterial* GetMaterial( const gelGroundFrame* frame, uint32_t index )
{
	const gelPackView* pack = &frame->body->asset->pack;
	if ( pack->cells ) return gelGetCellMaterial( pack, index );
	return pack->materials + pack->tetRests[index].material;
}

static float GetHeight( const gelGroundFrame* frame, gelVec3 p )
{
	return gelDot( frame->normal, p ) - frame->offset;
}

static gelVec3 Interpolate( const gelGroundContact* c, const gelVec3* x )
{
	gelVec3 p = gelScale( c->w[0], x[c->node[0]] );
	for ( int k = 1; k < 4; ++k )
		p = gelMulAdd( p, c->w[k], x[c->node[k]] );
	return p;
}

static gelGroundContact MakeContact( const gelGroundFrame* frame, const gelGroundCell* cell, uint32_t vertex )
{
	const gelBody* body = frame->body;
	gelGroundContact c = { .node = cell->node };
	GetWeights( frame, vertex, c.w );
	for ( int k = 0; k < 4; ++k )
		c.invMass += c.w[k] * c.w[k] * body->invMasses[c.node[k]];
	float oldHeight = GetHeight( frame, Interpolate( &c, body->xOld ) );
	c.allowedHeight = fminf( 0.0f, oldHeight + frame->rise );
	return c;
}

static void ApplyImpulse(
	const gelGroundFrame* frame, const gelGroundContact* c, gelVec3 impulse, gelVec3* x )
{
	for ( int k = 0; k < 4; ++k )
		x[c->node[k]] = gelMulAdd( x[c->node[k]], c->w[k] * frame->body->invMasses[c->node[k]], impulse );
}

// A vertex is a convex combination of its cell's nodes: none is below the lowest node.
static bool IsAbove( const gelGroundFrame* frame, const gelGroundCell* cell, const gelVec3* x )
{
	bool above = true;
	for ( int k = 0; k < 4; ++k )
		above = above && GetHeight( frame, x[cell->node[k]] ) > 0.0f;
	return above;
}

// Picks the vertices that stand for a cell: for each corner the one where depth times weight is largest, so
// that they are deep and spread. Returns their number; each is listed once.
static int PickVertices(
	const gelGroundFrame* frame, const gelGroundCell* cell, const gelVec3* x, uint32_t out[4] )
{
	uint32_t best[4] = { 0, 0, 0, 0 };
	float score[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	for ( uint32_t i = cell->begin; i < cell->end; ++i )
	{
		float w[4], depth = 0.0f;
		GetWeights( frame, GetVertex( cell, i ), w );
		for ( int k = 0; k < 4; ++k )
			depth -= w[k] * GetHeight( frame, x[cell->node[k]] );
		for ( int k = 0; k < 4; ++k )
		{
			if ( depth * w[k] <= score[k] ) continue;
			score[k] = depth * w[k];
			best[k] = GetVertex( cell, i );
		}
	}
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		bool isNew = score[k] > 0.0f;
		for ( int j = 0; j < count; ++j )
			isNew = isNew && out[j] != best[k];
		if ( isNew ) out[count++] = best[k];
	}
	return count;
}

static float GetFriction( const gelGroundFrame* frame, const gelStepContext* ctx,
	const gelPackMaterial* material, const gelGroundContact* c )
{
	gelVec3 slide = gelTangential( Interpolate( c, frame->body->v ), frame->normal );
	float fixed = 0.5f * ( ctx->staticFriction + material->staticFriction );
	float moving = fminf( fixed, 0.5f * ( ctx->dynamicFriction + material->dynamicFriction ) );
	return gelLengthSquared( slide ) > GEL_STICK_SPEED * GEL_STICK_SPEED ? moving : fixed;
}

// The next node from k on that a contact acts on; 4: none.
static int NextNode( const gelGroundContact* c, int k )
{
	while ( k < 4 && c->w[k] == 0.0f )
		++k;
	return k;
}

// Whether two contacts are copies of one vertex, which cells that meet there have each. Such cells list the
// nodes that they share in the same order, and the others have weight zero.
static bool IsSameVertex( const gelGroundContact* a, const gelGroundContact* b )
{
	int i = NextNode( a, 0 ), j = NextNode( b, 0 );
	while ( i < 4 && j < 4 && a->node[i] == b->node[j] && a->w[i] == b->w[j] )
	{
		i = NextNode( a, i + 1 );
		j = NextNode( b, j + 1 );
	}
	return i == 4 && j == 4;
}

// Adds a contact unless it is there. Contacts are listed by the first node that they act on.
static void AddContact( gelBody* body, const gelGroundContact* c, uint32_t* heads )
{
	uint32_t* head = heads + c->node[NextNode( c, 0 )];
	for ( uint32_t i = *head; i != GEL_CDG_NIL; i = body->groundContacts[i].next )
	{
		if ( IsSameVertex( body->groundContacts + i, c ) ) return;
	}
	gelGroundContact* added = body->groundContacts + body->groundContactCount;
	*added = *c;
	added->next = *head;
	*head = (uint32_t)body->groundContactCount++;
}

static void CollectContacts( const gelGroundFrame* frame, const gelStepContext* ctx, const gelVec3* x )
{
	gelBody* body = frame->body;
	uint32_t* heads = (uint32_t*)body->b;
	memset( heads, 0xFF, (size_t)body->asset->nodeCount * sizeof( uint32_t ) ); // GEL_CDG_NIL
	body->groundContactCount = 0;
	int limit = (int)gelGetGroundCapacity( body->asset ) - 4;
	for ( uint32_t index = 0; index < frame->cellCount && body->groundContactCount <= limit; ++index )
	{
		gelGroundCell cell = GetCell( frame, index );
		if ( IsAbove( frame, &cell, x ) ) continue;
		uint32_t picked[4];
		int pickedCount = PickVertices( frame, &cell, x, picked );
		const gelPackMaterial* material = GetMaterial( frame, index );
		for ( int k = 0; k < pickedCount; ++k )
		{
			gelGroundContact c = MakeContact( frame, &cell, picked[k] );
			if ( c.invMass <= 0.0f ) continue; // all its nodes are pinned
			c.force.mu = GetFriction( frame, ctx, material, &c );
			AddContact( body, &c, heads );
		}
	}
}

// Displacement of a vertex since the start of the step, from those of the nodes: the difference of positions
// would lose digits.
static gelVec3 GetMove( const gelGroundFrame* frame, const gelGroundContact* c, const gelVec3* x )
{
	const gelVec3* xOld = frame->body->xOld;
	gelVec3 move = gelScale( c->w[0], gelSub( x[c->node[0]], xOld[c->node[0]] ) );
	for ( int k = 1; k < 4; ++k )
		move = gelMulAdd( move, c->w[k], gelSub( x[c->node[k]], xOld[c->node[k]] ) );
	return move;
}

// One sweep in the metric of the lumped masses (contact_force.h).
static void SweepNormals( const gelGroundFrame* frame, int count, gelVec3* x )
{
	GEL_ASSERT( count >= 0 );
	for ( int i = 0; i < count; ++i )
	{
		gelGroundContact* c = frame->body->groundContacts + i;
		float height = GetHeight( frame, Interpolate( c, x ) ) - c->allowedHeight;
		float push = gelContactForce_Push( &c->force, height, c->invMass, 1.0f );
		ApplyImpulse( frame, c, gelScale( push, frame->normal ), x );
	}
}

// The same for friction. The body as a whole is massRatio times heavier than the nodes alone, and impulses
// will be scaled by that.
static void SweepFriction( const gelGroundFrame* frame, int count, float massRatio, gelVec3* x )
{
	GEL_ASSERT( count >= 0 && massRatio >= 0.0f );
	for ( int i = 0; i < count; ++i )
	{
		gelGroundContact* c = frame->body->groundContacts + i;
		if ( c->force.lambda <= 0.0f ) continue;
		gelVec3 slip = gelTangential( GetMove( frame, c, x ), frame->normal );
		ApplyImpulse( frame, c, gelContactForce_Rub( &c->force, slip, c->invMass, massRatio ), x );
	}
}

// The answer of the body to the displacements moved - x of its nodes, taken as impulses: fills body->b, as
// gelVec3. Returns how far to go along it: with r = moved - x the line search of a quadratic energy gives (r
// . M r) / (r . M y), where y is the answer; 0: there is nothing to do.
// @param at positions that the response was made for. With those of the last iterate the answer would neither
//        be symmetric nor keep momentum: flat bodies were thrown to many times the height of their fall
static float FindAnswer( const gelGroundFrame* frame, const gelContactResponse* response, const gelVec3* at,
	const gelVec3* moved, const gelVec3* x )
{
	gelBody* body = frame->body;
	const gelPackMass* masses = body->asset->pack.masses;
	uint32_t n = body->rowCount;
	gelVec3* rhs = (gelVec3*)body->b;
	double wanted = 0.0, given = 0.0;
	for ( uint32_t row = 0; row < n; ++row )
	{
		uint32_t node = body->rowNodes[row];
		gelVec3 r = gelSub( moved[node], x[node] );
		wanted += (double)masses[node].mass * gelDot( r, r );
		rhs[row] = gelScale( masses[node].mass, r );
	}
	double tolerance = GEL_GROUND_TOLERANCE * body->asset->restSize; // rms
	if ( wanted <= tolerance * tolerance * body->asset->mass ) return 0.0f;

	gelContactResponse_Apply( response, body, at, rhs );
	for ( uint32_t row = 0; row < n; ++row )
	{
		uint32_t node = body->rowNodes[row];
		given += (double)masses[node].mass * gelDot( gelSub( moved[node], x[node] ), rhs[row] );
	}
	return given > 0.0 ? (float)( wanted / given ) : 0.0f;
}

// Moves the body along the answer and keeps the books of the contacts.
static void Advance( const gelGroundFrame* frame, int count, float scale, gelVec3* x )
{
	GEL_ASSERT( scale >= 0.0f );
	gelBody* body = frame->body;
	const gelVec3* answer = (const gelVec3*)body->b;
	for ( uint32_t row = 0; row < body->rowCount; ++row )
	{
		uint32_t node = body->rowNodes[row];
		x[node] = gelMulAdd( x[node], scale, answer[row] );
	}
	gelSchur_Accept( body, scale );
	for ( int i = 0; i < count; ++i )
	{
		gelGroundContact* c = body->groundContacts + i;
		gelContactForce_Accept( &c->force, scale );
	}
}

// The longest scale that leaves no normal impulse negative; >= 1, since no change is below -lambda.
static float LimitScale( const gelGroundFrame* frame, int count, float scale )
{
	for ( int i = 0; i < count; ++i )
	{
		const gelContactForce* c = &frame->body->groundContacts[i].force;
		if ( c->lambdaChange < 0.0f ) scale = fminf( scale, c->lambda / -c->lambdaChange );
	}
	return scale;
}

static void SolveContacts( const gelGroundFrame* frame, int count, gelVec3* x )
{
	gelBody* body = frame->body;
	gelVec3 *moved = (gelVec3*)body->xTilde, *at = (gelVec3*)body->p;
	memcpy( at, x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	gelContactResponse response = gelMakeContactResponse( body, at );
	float massRatio = 1.0f;
	int idle = 0;
	for ( int iteration = 0; iteration < GEL_GROUND_ITERATIONS; ++iteration )
	{
		bool isNormal = iteration % 2 == 0;
		memcpy( moved, x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
		for ( int sweep = 0; sweep < GEL_GROUND_SWEEPS; ++sweep )
		{
			if ( isNormal )
				SweepNormals( frame, count, moved );
			else
				SweepFriction( frame, count, massRatio, moved );
		}
		float scale = FindAnswer( frame, &response, at, moved, x );
		idle = scale == 0.0f ? idle + 1 : 0;
		if ( idle == 2 ) break; // neither wants anything
		if ( isNormal )
		{
			scale = LimitScale( frame, count, scale );
			massRatio = fmaxf( massRatio, scale );
		}
		else
			scale = fminf( scale, massRatio );
		Advance( frame, count, scale, x );
	}
}

// The iterations leave a little slip, always downhill: a body that friction can hold would creep by
// millimetres per second. What is left in the mean, weighted by normal impulse, is taken from the body as a
// whole, as far as the friction of all contacts together still allows.
static void HoldAgainstCreep( const gelGroundFrame* frame, int count, gelVec3* x )
{
	gelBody* body = frame->body;
	if ( IsHeld( body ) ) return;
	gelVec3 slip = { 0.0f, 0.0f, 0.0f }, friction = slip;
	float lambda = 0.0f, bound = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		const gelGroundContact* c = body->groundContacts + i;
		slip = gelMulAdd( slip, c->force.lambda, gelTangential( GetMove( frame, c, x ), frame->normal ) );
		friction = gelAdd( friction, c->force.friction );
		lambda += c->force.lambda;
		bound += c->force.mu * c->force.lambda;
	}
	if ( !( lambda > 0.0f ) ) return;
	gelVec3 wanted = gelScale( -body->asset->mass / lambda, slip ); // impulse [kg m]
	gelVec3 total = gelAdd( friction, wanted );
	float length = gelLength( total );
	if ( length > bound ) total = gelScale( bound / length, total );
	gelVec3 move = gelScale( 1.0f / body->asset->mass, gelSub( total, friction ) );
	if ( gelDot( move, wanted ) <= 0.0f ) return;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		x[i] = gelAdd( x[i], move );
}

// Every vertex, once: what the chosen ones and the iterations have left.
static void LiftAll( const gelGroundFrame* frame, gelVec3* x )
{
	for ( uint32_t index = 0; index < frame->cellCount; ++index )
	{
		gelGroundCell cell = GetCell( frame, index );
		if ( IsAbove( frame, &cell, x ) ) continue;
		for ( uint32_t i = cell.begin; i < cell.end; ++i )
		{
			uint32_t vertex = GetVertex( &cell, i );
			gelGroundContact c = { .node = cell.node };
			GetWeights( frame, vertex, c.w );
			float height = GetHeight( frame, Interpolate( &c, x ) );
			if ( height >= 0.0f ) continue; // nearly all
			c = MakeContact( frame, &cell, vertex );
			height -= c.allowedHeight;
			if ( height >= 0.0f || c.invMass <= 0.0f ) continue;
			ApplyImpulse( frame, &c, gelScale( -height / c.invMass, frame->normal ), x );
		}
	}
}

// How deep a contact is at the start of the step.
static float GetStartDepth( const gelGroundFrame* frame, const gelGroundContact* c )
{
	return -GetHeight( frame, Interpolate( c, frame->body->xOld ) );
}

// What moves down as fast as it is deep was pushed there within the last step, as particles do it.
static float GetFall( const gelGroundFrame* frame, const gelGroundContact* c )
{
	return fmaxf( 0.0f, -frame->h * gelDot( frame->normal, Interpolate( c, frame->body->v ) ) );
}

// How deep a body is that was put into the ground; 0: it was not. Then velocities lift nothing but what they
// have pushed there.
static float FindSunk( gelGroundFrame* frame )
{
	gelBody* body = frame->body;
	float deepest = 0.0f;
	for ( int i = 0; i < body->groundContactCount; ++i )
	{
		const gelGroundContact* c = body->groundContacts + i;
		deepest = fmaxf( deepest, GetStartDepth( frame, c ) - GetFall( frame, c ) );
	}
	if ( IsHeld( body ) || !( deepest > GEL_SUNK_DEPTH * body->asset->restSize ) ) return 0.0f;
	frame->rise = 0.0f;
	for ( int i = 0; i < body->groundContactCount; ++i )
	{
		gelGroundContact* c = body->groundContacts + i;
		float fall = fminf( GetFall( frame, c ), GEL_DEPENETRATION_SPEED * frame->h );
		c->isSunk = GetStartDepth( frame, c ) > 0.0f;
		c->allowedHeight = fminf( 0.0f, fall - GetStartDepth( frame, c ) );
	}
	return deepest;
}

// Puts the whole body higher, with where it was at the start of the step: no velocity comes of it.
static void Raise( const gelGroundFrame* frame, float depth, gelVec3* x )
{
	GEL_ASSERT( depth >= 0.0f );
	gelBody* body = frame->body;
	float way = fminf( GEL_PUSH_RATE * depth, GEL_MAX_PUSH * body->asset->restSize );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		x[i] = gelMulAdd( x[i], way, frame->normal );
		body->xOld[i] = gelMulAdd( body->xOld[i], way, frame->normal );
	}
	for ( int i = 0; i < body->groundContactCount; ++i )
	{
		gelGroundContact* c = body->groundContacts + i;
		c->allowedHeight = fminf( 0.0f, c->allowedHeight + way );
	}
	body->stillTime = 0.0f;
}

void gelSolveGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* x )
{
	gelGroundFrame frame = MakeFrame( body, ctx );
	CollectContacts( &frame, ctx, x );
	if ( body->groundContactCount == 0 ) return;
	float sunk = FindSunk( &frame );
	if ( sunk > 0.0f ) Raise( &frame, sunk, x );
	SolveContacts( &frame, body->groundContactCount, x );
	LiftAll( &frame, x );
	HoldAgainstCreep( &frame, body->groundContactCount, x );
}

void gelGround_Collect( gelBody* body, const gelStepContext* ctx, const gelVec3* x )
{
	gelGroundFrame frame = MakeFrame( body, ctx );
	CollectContacts( &frame, ctx, x );
	FindSunk( &frame );
}

float gelGround_GetDepth(
	gelBody* body, const gelStepContext* ctx, const gelGroundContact* contact, const gelVec3* x )
{
	gelGroundFrame frame = MakeFrame( body, ctx );
	return -GetHeight( &frame, Interpolate( contact, x ) );
}

void gelGround_Lift( gelBody* body, const gelStepContext* ctx, gelVec3* x )
{
	gelGroundFrame frame = MakeFrame( body, ctx );
	FindSunk( &frame );
	LiftAll( &frame, x );
}
