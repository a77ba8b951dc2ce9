// SPDX-License-Identifier: MIT
// A scene is a def (built in, or from a file), packs and settings made into a world. It is made anew whenever
// something changes that the runtime fixes at creation: solver, step, passes, stiffness. Motions of handles
// and colliders are functions of time, so a scene that is made anew goes on where the old one was.
#include "preview/scene/scene.h"

#include "common/program/report.h"
#include "common/program/thread_index.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_PREVIEW_FACTORS 1024 // formats/pack.md: sections of a pack
#define GEL_POINTER_CONSTRAINTS 16   // grabs and pins of a person, on top of the handles

// ---- settings of a body --------------------------------------------------------------------------------

static uint64_t FirstPinSet( const gelAsset* asset )
{
	uint64_t id = 0;
	return gelAsset_GetPinSets( asset, &id, 1 ) > 0 ? id : 0;
}

// A pack with fewer levels than asked for shows its coarsest.
static const gelAsset* ChooseLevel( const gelAsset* asset, int level )
{
	int last = gelAsset_GetLevelCount( asset ) - 1;
	return gelAsset_GetLevel( asset, level < last ? level : last );
}

static gelSolverDef MakeSolverDef(
	gelPreviewSolver solver, const gelSceneBodyDef* body, const gelSceneSettings* settings )
{
	static const gelSolverType types[] = {
		[gel_previewFast] = gel_solverFastCorotated,
		[gel_previewQuality] = gel_solverFastCorotated,
		[gel_previewImplicit] = gel_solverImplicit,
		[gel_previewWarp] = gel_solverWarpCancelling,
		[gel_previewParticles] = gel_solverOrientedParticles,
	};
	gelSolverDef def = gelDefaultSolverDef( types[solver] );
	switch ( def.type )
	{
		case gel_solverFastCorotated:
			def.fast.enableSpinKeeping = body->keepSpin;
			def.fast.mode = solver == gel_previewQuality ? gel_modeQuality : gel_modePlain;
			if ( settings->stiffnessScale > 0.0 ) def.fast.stiffnessScale = (float)settings->stiffnessScale;
			def.fast.passes = settings->passes;
			break;
		case gel_solverImplicit:
			if ( settings->passes > 0 ) def.implicit.newtonIterations = settings->passes;
			break;
		case gel_solverWarpCancelling:
			def.warp.isSheet = body->isSheet;
			break;
		case gel_solverOrientedParticles:
			def.particles.iterations = settings->passes;
			break;
	}
	return def;
}

static bool IsQuality( const gelBodyDef* def )
{
	return def->solver.type == gel_solverFastCorotated && def->solver.fast.mode == gel_modeQuality;
}

static gelBodyDef MakeBodyDef(
	const gelSceneBodyDef* body, const gelPackSet* packs, const gelSceneSettings* settings, int handles )
{
	gelBodyDef def = gelDefaultBodyDef();
	gelPreviewSolver solver = body->solver >= 0 ? (gelPreviewSolver)body->solver : settings->solver;
	def.asset = ChooseLevel( packs->assets[body->pack], settings->level );
	def.transform.rotation = body->rotation;
	def.linearVelocity = body->velocity;
	def.angularVelocity = body->spin;
	bool isParticles = solver == gel_previewParticles; // which have no pin sets
	def.pinSetId = body->pinned && !isParticles ? FirstPinSet( def.asset ) : 0;
	def.solver = MakeSolverDef( solver, body, settings );
	def.frameCapacity = handles > 0 ? handles : 1;
	// 64 is what one body takes.
	int constraints = GEL_POINTER_CONSTRAINTS + GEL_HANDLE_POINTS * handles;
	def.constraintCapacity = constraints < 64 ? constraints : 64;
	return def;
}

// Vectors that tell the shape of a body, whatever its solver: its nodes, and three per particle.
static int CountShape( const gelAsset* asset )
{
	return gelAsset_GetInfo( asset ).nodeCount + 3 * gelAsset_GetParticles( asset, NULL, 0 );
}

// ---- steps -------------------------------------------------------------------------------------------

static int GetFactors( const gelAsset* asset, gelFactorInfo* factors )
{
	int count = gelAsset_GetFactors( asset, factors, GEL_MAX_PREVIEW_FACTORS );
	return count < GEL_MAX_PREVIEW_FACTORS ? count : GEL_MAX_PREVIEW_FACTORS;
}

// The first body of the scene that cannot take the step, or -1.
static int FirstRefusal(
	const gelSceneDef* scene, const gelPackSet* packs, const gelSceneSettings* settings, float step )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelBodyDef def = MakeBodyDef( scene->bodies + i, packs, settings, 0 );
		if ( !gelAsset_CanStep( def.asset, &def, step ) ) return i;
	}
	return -1;
}

// "0.0166667, 0.01": the step lengths that a body can take, for messages.
static void ListSteps( const gelBodyDef* def, char* out, size_t capacity )
{
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	int count = GetFactors( def->asset, factors );
	size_t length = 0;
	out[0] = 0;
	for ( int i = 0; i < count && length < capacity; ++i )
	{
		if ( factors[i].pinSetId != def->pinSetId || !gelAsset_CanStep( def->asset, def, factors[i].step ) )
			continue;
		int n = snprintf(
			out + length, capacity - length, "%s%.6g", length > 0 ? ", " : "", (double)factors[i].step );
		length += n > 0 ? (size_t)n : 0;
	}
	if ( length == 0 ) snprintf( out, capacity, "none" );
}

static void SayNoStep( const gelSceneDef* scene, const gelPackSet* packs, const gelSceneSettings* settings,
	int body, double asked, gelFindings* findings )
{
	char steps[128];
	gelBodyDef def = MakeBodyDef( scene->bodies + body, packs, settings, 0 );
	ListSteps( &def, steps, sizeof( steps ) );
	const char* path = packs->paths[scene->bodies[body].pack];
	const char* quality = IsQuality( &def )              ? "; the quality solver needs gel-bake --quality"
		: def.solver.type == gel_solverOrientedParticles ? "; particles need gel-bake --particles"
		: def.solver.type == gel_solverWarpCancelling    ? "; this solver needs gel-bake --warp"
														 : "";
	if ( asked > 0.0 )
	{
		gelFindings_Add( findings, gel_findingStepNotBaked, path,
			"the step length %.6g s is not baked for this scene (baked: %s); choose one of these or bake "
			"again%s",
			asked, steps, quality );
		return;
	}
	gelFindings_Add( findings, gel_findingStepNotBaked, path,
		"no step length of this pack (%s) is baked into all packs for this scene and solver; bake them with "
		"a common one%s",
		steps, quality );
}

static int ListSceneSteps( const gelSceneDef* scene, const gelPackSet* packs,
	const gelSceneSettings* settings, float* outSteps, int outCapacity )
{
	if ( scene->bodyCount == 0 ) return 0;
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	int count = GetFactors( packs->assets[scene->bodies[0].pack], factors ), found = 0;
	// In the order of the factors without pins, which is that in which they were asked for; pin sets may have
	// another.
	for ( int i = 0; i < 2 * count && found < outCapacity; ++i )
	{
		// Two rounds over the factors: those without pins in the first, those of pin sets in the second.
		const gelFactorInfo* factor = factors + i % count;
		bool isKnown = ( factor->pinSetId == 0 ) != ( i < count );
		for ( int k = 0; k < found; ++k )
			isKnown = isKnown || outSteps[k] == factor->step;
		if ( isKnown || FirstRefusal( scene, packs, settings, factor->step ) >= 0 ) continue;
		outSteps[found++] = factor->step;
	}
	return found;
}

// The step asked for, or the first one of the first pack that all packs have.
static bool ChooseStep( const gelSceneDef* scene, const gelPackSet* packs, const gelSceneSettings* settings,
	float* outStep, gelFindings* findings )
{
	double asked = settings->step > 0.0 ? settings->step : scene->step;
	if ( asked <= 0.0 && ListSceneSteps( scene, packs, settings, outStep, 1 ) == 1 ) return true;
	*outStep = asked > 0.0 ? (float)asked : 1.0f / 60.0f;
	int refused = FirstRefusal( scene, packs, settings, *outStep );
	if ( refused < 0 ) return true;
	SayNoStep( scene, packs, settings, asked > 0.0 ? refused : 0, asked, findings );
	return false;
}

static bool MakeDef(
	gelSceneDef* def, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings );

int gelListSteps(
	const gelPackSet* packs, const gelSceneSettings* settings, float* outSteps, int outCapacity )
{
	GEL_ASSERT( outCapacity == 0 || outSteps != NULL );
	gelFindings findings = { .quiet = true };
	gelSceneDef def;
	if ( packs->count == 0 || !MakeDef( &def, packs, settings, &findings ) ) return 0;
	int count = ListSceneSteps( &def, packs, settings, outSteps, outCapacity );
	gelFreeSceneDef( &def );
	gelFreeFindings( &findings );
	return count;
}

int gelListStiffness(
	const gelPackSet* packs, const gelSceneSettings* settings, float step, float* outScales, int outCapacity )
{
	GEL_ASSERT( outCapacity == 0 || outScales != NULL );
	gelFindings findings = { .quiet = true };
	gelSceneDef def;
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	if ( packs->count == 0 || !MakeDef( &def, packs, settings, &findings ) ) return 0;
	int count = GetFactors( packs->assets[0], factors ), found = 0;
	for ( int i = 0; i < count && found < outCapacity; ++i )
	{
		gelSceneSettings scaled = *settings;
		// A factor for a step of r h is one of the step h for a body r^2 times as stiff: h^2 mu is all that
		// the matrix knows. So every baked step is also a stiffness that a slider can offer.
		float ratio = factors[i].step / step;
		scaled.stiffnessScale = (double)( ratio * ratio ); // gelBodyDef.stiffnessScale
		bool known = false;
		for ( int k = 0; k < found; ++k )
			known = known || outScales[k] == ratio * ratio;
		if ( known || FirstRefusal( &def, packs, &scaled, step ) >= 0 ) continue;
		outScales[found++] = ratio * ratio;
	}
	gelFreeSceneDef( &def );
	gelFreeFindings( &findings );
	return found;
}

// ---- bodies ------------------------------------------------------------------------------------------

// Bounds of the art vertices of a body as it is now. False: out of memory.
static bool BodyBounds( gelBodyId body, gelAabb* outBounds )
{
	int count = gelBody_GetPositions( body, NULL, 0 );
	gelVec3* positions = malloc( ( (size_t)count + 1 ) * sizeof( gelVec3 ) );
	if ( positions == NULL ) return false;
	gelBody_GetPositions( body, positions, count );
	*outBounds = gelAabb_Empty();
	for ( int i = 0; i < count; ++i )
		*outBounds = gelAabb_Add( *outBounds, positions[i] );
	free( positions );
	return true;
}

static bool SayResult( gelResult result, const char* path, const char* doing, gelFindings* findings )
{
	if ( result == gel_success ) return true;
	int number = result == gel_errorMemory ? gel_findingNoMemory : gel_findingSimulationFailed;
	gelFindings_Add( findings, number, path, "%s: %s", doing, gelResult_String( result ) );
	return false;
}

static void SayOddSize( const char* path, gelVec3 box, gelFindings* findings )
{
	float size = fmaxf( box.x, fmaxf( box.y, box.z ) );
	if ( size >= 0.01f && size <= 20.0f ) return;
	gelFindings_Add( findings, gel_findingUnusualSize, path,
		"the body is %.3g m large; lengths are in metres, so scale the art if that is not meant",
		(double)size );
}

// All particles in one point.
static gelResult Collapse( gelBodyId body, gelVec3 point )
{
	int count = gelBody_GetParticlePoses( body, NULL, 0 );
	gelParticlePose* poses = malloc( (size_t)count * sizeof( gelParticlePose ) );
	if ( poses == NULL ) return gel_errorMemory;
	gelBody_GetParticlePoses( body, poses, count );
	for ( int i = 0; i < count; ++i )
		poses[i].position = point;
	gelResult result = gelBody_SetParticlePoses( body, poses, count );
	free( poses );
	return result;
}

// A body's place is that of the box around its turned art, which is only known once it is there.
static bool PutBody( gelScene* scene, int i, gelBodyDef* def, const char* path, gelFindings* findings )
{
	GEL_ASSERT( i >= 0 && i < scene->bodyCount );
	const gelSceneBodyDef* body = scene->def.bodies + i;
	gelResult result = gelCreateBody( scene->world, def, scene->bodies + i );
	if ( !SayResult( result, path, "the body cannot be made", findings ) ) return false;
	gelAabb box;
	if ( !BodyBounds( scene->bodies[i], &box ) )
		return SayResult( gel_errorMemory, path, "the body cannot be measured", findings );
	gelDestroyBody( scene->bodies[i] );
	gelVec3 center = gelAabb_Center( box );
	// Its lowest point at the height of "at", its middle above it: a person puts bodies on things.
	def->transform.position =
		( gelVec3 ){ body->at.x - center.x, body->at.y - box.min.y, body->at.z - center.z };
	result = gelCreateBody( scene->world, def, scene->bodies + i );
	if ( !SayResult( result, path, "the body cannot be placed", findings ) ) return false;
	gelVec3 middle = { body->at.x, body->at.y + center.y - box.min.y, body->at.z };
	if ( body->isCollapsed ) result = Collapse( scene->bodies[i], middle );
	if ( !SayResult( result, path, "the body cannot be collapsed", findings ) ) return false;
	bool isFirst = true;
	for ( int k = 0; k < i; ++k )
		isFirst = isFirst && scene->packs[k] != body->pack;
	scene->packs[i] = body->pack;
	if ( isFirst ) SayOddSize( path, gelSub( box.max, box.min ), findings );
	return true;
}

static int CountHandles( const gelSceneDef* def, int body )
{
	GEL_ASSERT( body >= 0 && body < def->bodyCount );
	int count = 0;
	for ( int i = 0; i < def->handleCount; ++i )
		count += def->handles[i].body == body;
	return count;
}

static bool CreateBodies(
	gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		const gelSceneBodyDef* body = scene->def.bodies + i;
		gelBodyDef def = MakeBodyDef( body, packs, settings, CountHandles( &scene->def, i ) );
		if ( scene->def.colliderCount > 0 && gelAsset_GetInfo( def.asset ).patchCount == 0 )
		{
			gelFindings_Add( findings, gel_findingNoCollisionGeometry, packs->paths[body->pack],
				"the scene \"%s\" has colliders, which a body without collision geometry would fall through; "
				"bake it again without --no-collision",
				scene->def.name );
			return false;
		}
		if ( body->pinned && def.pinSetId == 0 )
		{
			gelFindings_Add( findings, gel_findingSceneNeedsPins, packs->paths[body->pack],
				"the scene \"%s\" needs a pin set and this pack has none; bake it with --pin-box",
				scene->def.name );
			return false;
		}
		if ( body->isCollapsed && def.solver.type != gel_solverOrientedParticles )
		{
			gelFindings_Add( findings, gel_findingSceneFileWrong, scene->def.file,
				"line %d, column %d: only bodies of particles can begin \"collapsed\", body %d has another "
				"solver",
				body->line, body->column, i );
			return false;
		}
		if ( !PutBody( scene, i, &def, packs->paths[body->pack], findings ) ) return false;
		scene->nodeCount += gelAsset_GetInfo( def.asset ).nodeCount;
		scene->shapeCount += CountShape( def.asset );
	}
	for ( int i = 0; i < scene->def.handleCount; ++i )
	{
		const gelHandleDef* def = scene->def.handles + i;
		const char* path = packs->paths[scene->packs[def->body]];
		gelResult result = gelCreateHandle( scene->handles + i, def, scene->bodies[def->body] );
		if ( result == gel_errorArgument && scene->handles[i].pointCount == 0 && scene->def.file != NULL )
		{
			gelFindings_Add( findings, gel_findingSceneFileWrong, scene->def.file,
				"line %d, column %d: the region of handle %d holds no node of the cage of %s; make it larger",
				def->line, def->column, i, path );
			return false;
		}
		if ( !SayResult( result, path, "a handle finds no cage node in its region", findings ) ) return false;
	}
	return true;
}

// ---- scenes ------------------------------------------------------------------------------------------

static bool CopyDef( gelSceneDef* to, const gelSceneDef* from )
{
	if ( !gelInitSceneDef( to, from->name, from->bodyCount, from->handleCount, from->colliderCount ) )
		return false;
	gelSceneDef made = *to;
	*to = *from;
	to->bodies = made.bodies;
	to->handles = made.handles;
	to->colliders = made.colliders;
	memcpy( to->bodies, from->bodies, (size_t)from->bodyCount * sizeof( *to->bodies ) );
	bool ok = true;
	for ( int i = 0; i < from->handleCount; ++i )
	{
		to->handles[i] = from->handles[i];
		to->handles[i].motion.keys = NULL;
		ok = ok &&
			gelMotion_Set(
				&to->handles[i].motion, from->handles[i].motion.keys, from->handles[i].motion.keyCount );
	}
	for ( int i = 0; i < from->colliderCount; ++i )
	{
		to->colliders[i] = from->colliders[i];
		to->colliders[i].motion.keys = NULL;
		ok = ok &&
			gelMotion_Set( &to->colliders[i].motion, from->colliders[i].motion.keys,
				from->colliders[i].motion.keyCount );
	}
	if ( !ok ) gelFreeSceneDef( to );
	return ok;
}

static bool MakeDef(
	gelSceneDef* def, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings )
{
	if ( settings->def == NULL )
	{
		const gelBuiltinSettings builtin = { settings->dropHeight, settings->seconds, settings->copies };
		return gelMakeBuiltinScene( def, settings->kind, packs, &builtin, findings );
	}
	if ( CopyDef( def, settings->def ) ) return true;
	gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for a scene" );
	return false;
}

static double TellTime( void* context )
{
	(void)context;
	return gelNow();
}

// Items one by one: they differ in size, the largest come first. @param context the number of threads itself:
// scenes are moved about
static void ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	int threads = (int)(intptr_t)context;
	GEL_ASSERT( threads > 1 && minRange >= 1 );
	(void)minRange;
	(void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( threads )
#endif
	for ( int i = 0; i < itemCount; ++i )
		task( i, i + 1, gelThreadIndex(), taskContext );
}

static bool MakeWorld( gelScene* scene, int threads, gelFindings* findings )
{
	const gelSceneDef* from = &scene->def;
	gelWorldDef def = gelDefaultWorldDef();
	def.gravity = from->gravity;
	def.hasGround = from->hasGround;
	def.ground.offset = from->ground;
	def.groundStaticFriction = from->groundStaticFriction;
	def.groundDynamicFriction = from->groundDynamicFriction;
	def.bodyCapacity = scene->bodyCount > 0 ? scene->bodyCount : 1;
	// One body on the ground needs no contact pipeline, and shows the plain cost of a step.
	def.enableContact = scene->bodyCount > 1 || from->colliderCount > 0;
	def.clock = TellTime;
	if ( threads > 1 && scene->bodyCount > 1 )
		def.tasks = ( gelTaskSystem ){ ParallelFor, (void*)(intptr_t)threads, threads };
	def.colliderCapacity = from->colliderCount > 0 ? from->colliderCount : 1;
	gelResult result = gelCreateWorld( &def, &scene->world );
	if ( !SayResult( result, NULL, "the world cannot be made", findings ) ) return false;
	for ( int i = 0; i < from->colliderCount; ++i )
	{
		result = gelCreateSceneCollider( scene->world, from->colliders + i, scene->colliders + i );
		if ( !SayResult( result, NULL, "a collider cannot be made", findings ) ) return false;
	}
	return true;
}

bool gelCreateScene(
	gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings )
{
	memset( scene, 0, sizeof( *scene ) );
	if ( !MakeDef( &scene->def, packs, settings, findings ) ) return false;
	scene->bodyCount = scene->def.bodyCount;
	scene->ground = scene->def.ground;
	scene->bodies = calloc( (size_t)scene->bodyCount + 1, sizeof( gelBodyId ) );
	scene->packs = calloc( (size_t)scene->bodyCount + 1, sizeof( int ) );
	scene->handles = calloc( (size_t)scene->def.handleCount + 1, sizeof( gelHandle ) );
	scene->colliders = calloc( (size_t)scene->def.colliderCount + 1, sizeof( gelColliderId ) );
	bool ok =
		scene->bodies != NULL && scene->packs != NULL && scene->handles != NULL && scene->colliders != NULL;
	if ( !ok )
		gelFindings_Add(
			findings, gel_findingNoMemory, NULL, "out of memory for %d bodies", scene->bodyCount );
	ok = ok && ChooseStep( &scene->def, packs, settings, &scene->step, findings );
	ok = ok && MakeWorld( scene, settings->threads, findings ) &&
		CreateBodies( scene, packs, settings, findings );
	if ( !ok ) gelDestroyScene( scene );
	return ok;
}

void gelDestroyScene( gelScene* scene )
{
	if ( scene->world.world != NULL ) gelDestroyWorld( scene->world );
	gelFreeSceneDef( &scene->def );
	free( scene->bodies );
	free( scene->packs );
	free( scene->handles );
	free( scene->colliders );
	memset( scene, 0, sizeof( *scene ) );
}

double gelScene_Time( const gelScene* scene )
{
	return (double)scene->stepCount * (double)scene->step;
}

gelResult gelScene_Step( gelScene* scene )
{
	// Time at the end of the step, from the count: a sum of floats would drift.
	float time = (float)( (double)( scene->stepCount + 1 ) * (double)scene->step );
	for ( int i = 0; i < scene->def.handleCount; ++i )
	{
		gelResult result = gelHandle_MoveTo( scene->handles + i, scene->def.handles + i, time );
		if ( result != gel_success ) return result;
	}
	for ( int i = 0; i < scene->def.colliderCount; ++i )
	{
		if ( scene->def.colliders[i].motion.keyCount == 0 ) continue;
		gelTransform pose = gelSceneCollider_Pose( scene->def.colliders + i, time );
		gelResult result = gelCollider_SetTarget( scene->colliders[i], pose );
		if ( result != gel_success ) return result;
	}
	double start = gelNow();
	gelResult result = gelWorld_Step( scene->world, scene->step );
	scene->stepSeconds = gelNow() - start;
	if ( result == gel_success ) scene->stepCount += 1;
	return result;
}

gelAabb gelScene_Bounds( const gelScene* scene )
{
	gelAabb box = gelAabb_Empty();
	for ( int i = 0; i < scene->bodyCount; ++i )
		box = gelAabb_Union( box, gelBody_GetBounds( scene->bodies[i] ) );
	for ( int i = 0; i < scene->def.colliderCount; ++i )
		box = gelAabb_Union(
			box, gelSceneCollider_Bounds( scene->def.colliders + i, (float)gelScene_Time( scene ) ) );
	if ( scene->bodyCount == 0 ) box = ( gelAabb ){ { -1.0f, 0.0f, -1.0f }, { 1.0f, 1.0f, 1.0f } };
	return box;
}

int gelGetContactMarks( const gelScene* scene, gelContactMark* out, int outCapacity )
{
	GEL_ASSERT( outCapacity == 0 || out != NULL );
	gelContact contacts[GEL_MAX_CONTACT_MARKS];
	int count = gelWorld_GetContacts( scene->world, contacts, GEL_MAX_CONTACT_MARKS );
	if ( count > GEL_MAX_CONTACT_MARKS ) count = GEL_MAX_CONTACT_MARKS;
	if ( count > outCapacity ) count = outCapacity;
	for ( int i = 0; i < count; ++i )
		out[i] = ( gelContactMark ){ contacts[i].pointA, contacts[i].normal };
	return count;
}

int gelScene_CountParticleBodies( const gelScene* scene )
{
	int count = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
		count += gelBody_GetParticlePoses( scene->bodies[i], NULL, 0 ) > 0;
	return count;
}

// Position, and rotation in two vectors, of each particle, if the body is made of them.
static void GetParticles( gelBodyId body, gelVec3* out )
{
	int count = gelBody_GetParticlePoses( body, NULL, 0 );
	gelParticlePose* poses = malloc( ( (size_t)count + 1 ) * sizeof( gelParticlePose ) );
	if ( poses == NULL ) count = 0;
	gelBody_GetParticlePoses( body, poses, count );
	for ( int i = 0; i < count; ++i )
	{
		out[3 * i] = poses[i].position;
		out[3 * i + 1] = poses[i].rotation.v;
		out[3 * i + 2] = ( gelVec3 ){ poses[i].rotation.s, 0.0f, 0.0f };
	}
	free( poses );
}

static gelResult SetParticles( gelBodyId body, const gelVec3* from, int count )
{
	gelParticlePose* poses = calloc( (size_t)count + 1, sizeof( gelParticlePose ) );
	if ( poses == NULL ) return gel_errorMemory;
	for ( int i = 0; i < count; ++i )
	{
		poses[i].position = from[3 * i];
		poses[i].rotation = ( gelQuat ){ from[3 * i + 1], from[3 * i + 2].x };
	}
	gelResult result = gelBody_SetParticlePoses( body, poses, count );
	free( poses );
	return result;
}

void gelScene_GetNodes( const gelScene* scene, gelVec3* outNodes )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		const gelAsset* asset = gelBody_GetAsset( scene->bodies[i] );
		int nodeCount = gelAsset_GetInfo( asset ).nodeCount;
		gelBody_GetNodePositions( scene->bodies[i], outNodes, nodeCount );
		GetParticles( scene->bodies[i], outNodes + nodeCount );
		outNodes += CountShape( asset );
	}
}

gelResult gelScene_SetNodes( gelScene* scene, const gelVec3* nodes )
{
	// For showing recorded states, not for going on from them.
	gelVec3* rest = calloc( (size_t)scene->nodeCount + 1, sizeof( gelVec3 ) ); // velocities: none
	if ( rest == NULL ) return gel_errorMemory;
	gelResult result = gel_success;
	for ( int i = 0; i < scene->bodyCount && result == gel_success; ++i )
	{
		const gelAsset* asset = gelBody_GetAsset( scene->bodies[i] );
		int nodeCount = gelAsset_GetInfo( asset ).nodeCount;
		int particles = gelBody_GetParticlePoses( scene->bodies[i], NULL, 0 );
		result = particles > 0 ? SetParticles( scene->bodies[i], nodes + nodeCount, particles )
							   : gelBody_SetNodeState( scene->bodies[i], nodes, rest, nodeCount );
		nodes += CountShape( asset );
	}
	free( rest );
	return result;
}
