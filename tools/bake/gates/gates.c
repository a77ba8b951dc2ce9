// SPDX-License-Identifier: MIT
#include "bake/gates/gates.h"

#include "bake/gates/runtime_bytes.h"
#include "bake/gates/soak.h"
#include "bake/gates/soak_picture.h"
#include "bake/gates/step_cost.h"
#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- size and time -------------------------------------------------------------------------------

// All levels of detail are in one file, and so count together.
static void CheckBytes( const gelGates* gates, const gelAsset* asset, gelProgram* program )
{
	size_t all = gelAsset_GetInfo( asset ).packBytes, coarser = 0;
	if ( gates->maxBytes <= 0.0 || (double)all <= gates->maxBytes ) return;
	for ( int level = 1; level < gelAsset_GetLevelCount( asset ); ++level )
		coarser += gelAsset_GetInfo( gelAsset_GetLevel( asset, level ) ).packBytes;
	char levels[64] = "";
	if ( coarser > 0 ) snprintf( levels, sizeof( levels ), " (%zu of them for coarser levels)", coarser );
	gelFindings_Add( &program->findings, gel_findingPackTooLarge, NULL,
		"the pack has %zu bytes%s, %.0f are allowed; fewer tets (--tets), fewer step lengths or pin sets, or "
		"--no-collision make it smaller",
		all, levels, gates->maxBytes );
}

// "", or " of level 2": those of a pack without levels are not told.
static const char* NameLevel( char out[32], const gelAsset* root, int level )
{
	out[0] = 0;
	if ( gelAsset_GetLevelCount( root ) > 1 ) snprintf( out, 32, " of level %d", level );
	return out;
}

// @return NULL: no memory
static json_t* CheckRuntimeBytes(
	const gelGates* gates, const gelAsset* root, int level, gelProgram* program )
{
	gelRuntimeBytes bytes;
	char name[32];
	if ( !gelMeasureRuntimeBytes( gelAsset_GetLevel( root, level ), &bytes ) ) return NULL;
	if ( gates->maxRuntimeBytes > 0.0 )
		gelProgram_Say(
			program, "a body%s takes %zu bytes in a game", NameLevel( name, root, level ), bytes.body );
	if ( gates->maxRuntimeBytes > 0.0 && (double)bytes.body > gates->maxRuntimeBytes )
		gelFindings_Add( &program->findings, gel_findingBodyTooLarge, NULL,
			"a body%s takes %zu bytes in a game, %.0f are allowed; fewer tets (%s) make it smaller",
			NameLevel( name, root, level ), bytes.body, gates->maxRuntimeBytes,
			level == 0 ? "--tets" : "--lod" );
	return json_pack( "{s:I, s:I, s:I}", "body_bytes", (json_int_t)bytes.body, "asset_bytes",
		(json_int_t)bytes.asset, "world_bytes", (json_int_t)bytes.world );
}

static void CheckRuntime( const gelGates* gates, const gelAsset* root, gelProgram* program )
{
	json_t* coarser = json_array();
	for ( int level = 0; level < gelAsset_GetLevelCount( root ); ++level )
	{
		json_t* json = CheckRuntimeBytes( gates, root, level, program );
		if ( json == NULL )
			gelFindings_Add(
				&program->findings, gel_findingNoMemory, NULL, "no memory for a body of the pack" );
		else if ( level == 0 )
			gelReport_SetJson( &program->report, "runtime", json );
		else
			json_array_append_new( coarser, json );
	}
	if ( json_array_size( coarser ) > 0 )
		gelReport_SetJson( &program->report, "runtime_levels", coarser );
	else
		json_decref( coarser );
}

// @param speed NULL: not measured
static json_t* MakeCost( gelStepCost cost, const gelMachineSpeed* speed )
{
	json_t* json = json_pack( "{s:f, s:f}", "step_flops", cost.flops, "step_bytes", cost.bytes );
	if ( speed == NULL ) return json;
	json_object_set_new( json, "machine_flops_per_second", json_real( speed->flopsPerSecond ) );
	json_object_set_new( json, "machine_bytes_per_second", json_real( speed->bytesPerSecond ) );
	json_object_set_new( json, "step_us", json_real( 1e6 * gelEstimateStepTime( cost, *speed ) ) );
	return json;
}

static void CheckStepTime( const gelGates* gates, const gelAsset* root, int level, gelStepCost cost,
	const gelMachineSpeed* speed, gelProgram* program )
{
	char name[32];
	NameLevel( name, root, level );
	double micros = 1e6 * gelEstimateStepTime( cost, *speed );
	gelProgram_Say( program, "a step%s takes about %.3g us on one thread of this machine", name, micros );
	if ( micros <= gates->maxStepMicros ) return;
	gelFindings_Add( &program->findings, gel_findingStepTooSlow, NULL,
		"a step%s takes about %.3g us on one thread of this machine, %.6g are allowed; fewer tets (%s) make "
		"it faster",
		name, micros, gates->maxStepMicros, level == 0 ? "--tets" : "--lod" );
}

static void CheckStepTimes( const gelGates* gates, const gelAsset* root, gelProgram* program )
{
	gelMachineSpeed speed;
	bool isTimed = gates->maxStepMicros > 0.0;
	if ( isTimed ) gelReport_Phase( &program->report, "calibrate" );
	if ( isTimed && !gelMeasureMachine( &speed ) )
	{
		gelFindings_Add(
			&program->findings, gel_findingNoMemory, NULL, "the machine's speed cannot be measured" );
		return;
	}
	json_t* coarser = json_array();
	for ( int level = 0; level < gelAsset_GetLevelCount( root ); ++level )
	{
		gelStepCost cost = gelCountStepCost( gelAsset_GetLevel( root, level ) );
		json_t* json = MakeCost( cost, isTimed ? &speed : NULL );
		if ( level == 0 )
			gelReport_SetJson( &program->report, "cost", json );
		else
			json_array_append_new( coarser, json );
		if ( isTimed ) CheckStepTime( gates, root, level, cost, &speed, program );
	}
	if ( json_array_size( coarser ) > 0 )
		gelReport_SetJson( &program->report, "cost_levels", coarser );
	else
		json_decref( coarser );
}

// ---- soak ----------------------------------------------------------------------------------------

// The body as it was at the worst moment: the art follows the nodes.
static bool WritePicture( const gelAsset* asset, const gelVec3* nodes, const char* path, gelProgram* program )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	const uint32_t* tets = gelAsset_GetTets( asset );
	float* vertices = gelTakeZeroed( 3 * (size_t)info.vertexCount + 1, sizeof( float ) );
	for ( int i = 0; i < info.vertexCount; ++i )
	{
		gelEmbeddedPoint point = gelAsset_GetVertexPoint( asset, i );
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3 corner = nodes[tets[4 * (size_t)point.tet + (size_t)k]];
			vertices[3 * i] += point.weight[k] * corner.x;
			vertices[3 * i + 1] += point.weight[k] * corner.y;
			vertices[3 * i + 2] += point.weight[k] * corner.z;
		}
	}
	gelPosedBody body = { &nodes->x, vertices, tets, gelAsset_GetTriangles( asset ), info.nodeCount,
		info.vertexCount, info.tetCount, info.triangleCount };
	bool ok = gelWriteSoakPicture( path, &body, &program->findings );
	free( vertices );
	return ok;
}

// Part of the tets that may be flat when a scene is over: a character that lies on its folded legs has up to
// 5 %, a body that cannot carry itself 20 % and more.
#define GEL_MAX_FLAT 0.1

// What a scene did wrong, or NULL.
static const char* FindFault( const gelGates* gates, const gelSoakResult* r, char* out, size_t capacity )
{
	if ( r->result != gel_success )
		snprintf( out, capacity, "the runtime says: %s", gelResult_String( r->result ) );
	else if ( r->putBacks > 0 )
		snprintf(
			out, capacity, "a step was not finite, and the body had to be put back (%d times)", r->putBacks );
	else if ( r->leftInversions > 0 )
		snprintf( out, capacity, "%d tets stay inside out", r->leftInversions );
	else if ( r->leftFlat > GEL_MAX_FLAT )
		snprintf( out, capacity, "%.3g %% of the tets stay pressed flat", 100.0 * r->leftFlat );
	else if ( r->energyGrowth > gates->maxEnergyGrowth )
		snprintf(
			out, capacity, "a body that nothing moves gained %.3g %% of energy", 100.0 * r->energyGrowth );
	else if ( r->penetration > gates->maxPenetration )
		snprintf( out, capacity, "it sank %.3g %% of its size into the ground", 100.0 * r->penetration );
	else if ( gates->maxStrain > 0.0 && r->worstStrain > gates->maxStrain )
		snprintf( out, capacity, "a strain of %.3g, %.3g is allowed", r->worstStrain, gates->maxStrain );
	else
		return NULL;
	return out;
}

static json_t* MakeScene( const gelSoakResult* r, bool isGood )
{
	return json_pack( "{s:b, s:f, s:i, s:i, s:f, s:f, s:i}", "passed", isGood, "worst_strain", r->worstStrain,
		"worst_inversions", r->worstInversions, "left_inversions", r->leftInversions, "energy_growth",
		r->energyGrowth, "penetration", r->penetration, "put_backs", r->putBacks );
}

// One level in all scenes. @param label of the level, in lines and in names of pictures; "": level 0
static json_t* SoakLevel(
	const gelGates* gates, const gelAsset* asset, const char* label, const char* path, gelProgram* program )
{
	json_t* scenes = json_object();
	for ( int scene = 0; scene < GEL_SOAK_SCENES; ++scene )
	{
		char text[160], picturePath[4096];
		const char* name = gelSoakSceneNames[scene];
		gelSoakResult r = gelRunSoakScene( asset, (gelSoakScene)scene );
		const char* fault = FindFault( gates, &r, text, sizeof( text ) );
		json_object_set_new( scenes, name, MakeScene( &r, fault == NULL ) );
		gelProgram_Say( program, "soak %s%-8s strain up to %.3g, %d tets inside out at most, %d at the end",
			label, name, r.worstStrain, r.worstInversions, r.leftInversions );
		if ( fault != NULL )
		{
			snprintf( picturePath, sizeof( picturePath ), "%s.soak-%s%s.png", path, label, name );
			for ( char* blank = picturePath + strlen( path ); ( blank = strchr( blank, ' ' ) ) != NULL; )
				*blank = '-';
			bool hasPicture =
				r.worstStrain > 0.0 && WritePicture( asset, r.worstNodes, picturePath, program );
			gelFindings_Add( &program->findings, gel_findingSoakFailed, NULL, "%s%s: %s%s%s", label, name,
				fault, hasPicture ? "; see " : "", hasPicture ? picturePath : "" );
		}
		free( r.worstNodes );
	}
	return scenes;
}

static void Soak( const gelGates* gates, const gelAsset* root, const char* path, gelProgram* program )
{
	gelReport_Phase( &program->report, "soak" );
	gelReport_SetJson( &program->report, "soak", SoakLevel( gates, root, "", path, program ) );
	if ( gelAsset_GetLevelCount( root ) == 1 ) return;
	json_t* coarser = json_array();
	for ( int level = 1; level < gelAsset_GetLevelCount( root ); ++level )
	{
		char label[32];
		snprintf( label, sizeof( label ), "level %d ", level );
		json_array_append_new(
			coarser, SoakLevel( gates, gelAsset_GetLevel( root, level ), label, path, program ) );
	}
	gelReport_SetJson( &program->report, "soak_levels", coarser );
}

bool gelPassGates(
	const gelGates* gates, const uint8_t* bytes, size_t byteCount, const char* path, gelProgram* program )
{
	GEL_ASSERT( bytes != NULL && path != NULL );
	int before = program->findings.errorCount;
	bool isAsked = gates->maxBytes > 0.0 || gates->maxRuntimeBytes > 0.0 || gates->maxStepMicros > 0.0 ||
		gates->soak || program->jsonPath != NULL;
	if ( !isAsked ) return true; // the bake has checked the pack
	gelAsset* asset;
	gelResult result = gelLoadAsset( bytes, byteCount, NULL, &asset, NULL );
	if ( result == gel_errorMemory ) gelExitWithoutMemory( byteCount, "use a coarser cage" );
	if ( result != gel_success )
	{
		gelFindings_Add(
			&program->findings, gel_findingInternal, NULL, "the runtime does not load the pack" );
		return false;
	}
	CheckBytes( gates, asset, program );
	if ( gelAsset_GetInfo( asset ).factorCount > 0 ) CheckRuntime( gates, asset, program );
	CheckStepTimes( gates, asset, program );
	if ( gates->soak ) Soak( gates, asset, path, program );
	gelDestroyAsset( asset );
	return program->findings.errorCount == before;
}
