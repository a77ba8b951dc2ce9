// SPDX-License-Identifier: MIT
// The command line that bakes a pack again, out of the pack itself: its own cage and materials as files, and
// for each setting what META, the asset or the factors say. Which of them is asked stands in the table of
// settings (rebake), so that a new setting needs no code here.
#include "preview/app/rebake_options.h"

#include "common/mesh/cage_file.h"
#include "common/settings/setting_format.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_REBAKE_STEPS 8
#define GEL_MAX_KNOWN_STEPS  64
#define GEL_MAX_REBAKE_PARTS 4096 // regions that gel-bake --materials reads

// A word.
static void AddWord( gelRebakeOptions* o, const char* text )
{
	if ( o->count + 1 >= o->capacity )
	{
		int capacity = o->capacity > 0 ? 2 * o->capacity : 32;
		char** items = realloc( o->items, (size_t)capacity * sizeof( char* ) );
		if ( items == NULL )
		{
			o->isIncomplete = true;
			return;
		}
		o->items = items;
		o->capacity = capacity;
	}
	o->items[o->count] = strdup( text );
	if ( o->items[o->count] == NULL )
		o->isIncomplete = true;
	else
		o->items[++o->count] = NULL;
}

// "--warp", "--step" "0.01", "--pin-box=-1,0,0,1,1,1": what may begin with a dash stands behind a sign.
static void AddWords( gelRebakeOptions* o, const gelSetting* setting, const char* text )
{
	bool isJoined = setting->kind == gel_settingBoxes || setting->kind == gel_settingPoints;
	char words[GEL_SETTING_TEXT_BYTES + 40];
	snprintf(
		words, sizeof( words ), "--%s%s%s", setting->option, isJoined ? "=" : "", isJoined ? text : "" );
	AddWord( o, words );
	if ( !isJoined && text[0] != 0 ) AddWord( o, text );
}

void gelRebakeOptions_AddSetting( gelRebakeOptions* o, const char* option, const void* value )
{
	const gelSetting* setting = gelFindSetting( option );
	char text[GEL_SETTING_TEXT_BYTES];
	gelFormatSetting( setting, value, text );
	AddWords( o, setting, text );
}

void gelRebakeOptions_AddReal( gelRebakeOptions* o, const char* option, double value )
{
	gelRebakeOptions_AddSetting( o, option, &value );
}

void gelFreeRebakeOptions( gelRebakeOptions* o )
{
	for ( int i = 0; i < o->count; ++i )
		free( o->items[i] );
	free( o->items );
	*o = ( gelRebakeOptions ){ 0 };
}

// ---- cage and materials ------------------------------------------------------------------------------

bool gelSaveCageOf( const gelAsset* asset, const char* path )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelVec3* nodes = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( gelVec3 ) );
	double* positions = malloc( ( 3 * (size_t)info.nodeCount + 1 ) * sizeof( double ) );
	uint32_t* tets = malloc( ( 4 * (size_t)info.tetCount + 1 ) * sizeof( uint32_t ) );
	int* materials = malloc( ( (size_t)info.tetCount + 1 ) * sizeof( int ) );
	uint32_t* regions = malloc( ( (size_t)info.tetCount + 1 ) * sizeof( uint32_t ) );
	bool ok = nodes != NULL && positions != NULL && tets != NULL && materials != NULL && regions != NULL;
	if ( ok )
	{
		gelAsset_GetTetMaterials( asset, materials, info.tetCount );
		for ( int t = 0; t < info.tetCount; ++t )
			regions[t] = (uint32_t)materials[t];
		gelAsset_GetRestNodes( asset, nodes, info.nodeCount );
		for ( int i = 0; i < info.nodeCount; ++i )
			positions[3 * i] = nodes[i].x, positions[3 * i + 1] = nodes[i].y,
						  positions[3 * i + 2] = nodes[i].z;
		memcpy( tets, gelAsset_GetTets( asset ), 4 * (size_t)info.tetCount * sizeof( uint32_t ) );
		const gelCage cage = { positions, (uint32_t)info.nodeCount, tets, (uint32_t)info.tetCount, regions };
		gelFindings findings = { 0 };
		ok = gelSaveCage( &cage, path, &findings );
		gelFreeFindings( &findings );
	}
	free( nodes );
	free( positions );
	free( tets );
	free( materials );
	free( regions );
	return ok;
}

// Values of a material. Poisson's ratio as float may be above the limit by a rounding.
static json_t* MakeMaterial( const gelMaterialInfo* m )
{
	return json_pack( "{s:f, s:f, s:f, s:f, s:f, s:f}", "young", (double)m->youngsModulus, "poisson",
		fmin( (double)m->poissonsRatio, 0.4999 ), "density", (double)m->density, "damping",
		(double)m->damping, "static_friction", (double)m->staticFriction, "dynamic_friction",
		(double)m->dynamicFriction );
}

bool gelSaveMaterialsOf( const gelAsset* asset, const char* path )
{
	int count = gelAsset_GetInfo( asset ).materialCount;
	if ( count > GEL_MAX_REBAKE_PARTS ) return false;
	json_t *materials = json_object(), *regions = json_array();
	bool ok = materials != NULL && regions != NULL;
	for ( int i = 1; i < count && ok; ++i )
	{
		gelMaterialInfo m = gelAsset_GetMaterial( asset, i );
		char name[24]; // its own, or if another one has it, as those of soft borders do, its number
		snprintf( name, sizeof( name ), "%s", m.name );
		if ( json_object_get( materials, name ) != NULL ) snprintf( name, sizeof( name ), "#%d", i );
		ok = json_object_get( materials, name ) == NULL &&
			json_object_set_new( materials, name, MakeMaterial( &m ) ) == 0 &&
			json_array_append_new( regions, json_pack( "{s:s, s:i}", "material", name, "cage_region", i ) ) ==
				0;
	}
	json_t* root = json_pack( "{s:o, s:o}", "materials", materials, "regions", regions );
	ok = ok && root != NULL && json_dump_file( root, path, JSON_REAL_PRECISION( 9 ) ) == 0;
	json_decref( root );
	return ok;
}

// ---- steps -------------------------------------------------------------------------------------------

static bool CanDo( const gelAsset* asset, gelSolverMode mode, float step )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver.fast.mode = mode;
	return gelAsset_CanStep( asset, &def, step );
}

// Each step length once. gel-bake --quality adds longer ones of its own: where the pack has the quality mode,
// those it was asked for are the ones that can be stepped with in it.
static void AddSteps( gelRebakeOptions* o, const gelAsset* asset )
{
	gelFactorInfo factors[GEL_MAX_KNOWN_STEPS];
	int count = gelAsset_GetFactors( asset, factors, GEL_MAX_KNOWN_STEPS ), added = 0;
	count = count < GEL_MAX_KNOWN_STEPS ? count : GEL_MAX_KNOWN_STEPS;
	bool hasQuality = false;
	for ( int i = 0; i < count; ++i )
		hasQuality = hasQuality || CanDo( asset, gel_modeQuality, factors[i].step );
	for ( int i = 0; i < count && added < GEL_MAX_REBAKE_STEPS; ++i )
	{
		// A step that the quality mode cannot take was added by it: b = h sqrt( 1 + lambda / (2 mu) ), see
		// bake_inputs.c.
		bool known = hasQuality && !CanDo( asset, gel_modeQuality, factors[i].step );
		for ( int k = 0; k < i; ++k )
			known = known || factors[k].step == factors[i].step;
		if ( known ) continue;
		gelRebakeOptions_AddReal( o, "step", (double)factors[i].step );
		added += 1;
	}
	if ( hasQuality ) gelRebakeOptions_AddSetting( o, "quality", NULL );
}

// ---- pins --------------------------------------------------------------------------------------------

static void AddBox( gelRebakeOptions* o, gelAabb box, float border )
{
	GEL_ASSERT( border >= 0.0f );
	const gelPinBox grown = { { (double)( box.min.x - border ), (double)( box.min.y - border ),
								  (double)( box.min.z - border ) },
		{ (double)( box.max.x + border ), (double)( box.max.y + border ), (double)( box.max.z + border ) } };
	gelRebakeOptions_AddSetting( o, "pin-box", &grown );
}

static bool Contains( gelAabb box, float border, gelVec3 p )
{
	return p.x >= box.min.x - border && p.x <= box.max.x + border && p.y >= box.min.y - border &&
		p.y <= box.max.y + border && p.z >= box.min.z - border && p.z <= box.max.z + border;
}

// One box where it holds the pinned nodes and no others, else a small one around each.
static void AddPinBoxes(
	gelRebakeOptions* o, const gelVec3* rest, int nodeCount, const int* pinned, int pinnedCount )
{
	GEL_ASSERT( pinnedCount <= nodeCount );
	gelAabb all = gelAabb_Empty(), box = gelAabb_Empty();
	int inside = 0;
	for ( int i = 0; i < nodeCount; ++i )
		all = gelAabb_Add( all, rest[i] );
	for ( int i = 0; i < pinnedCount; ++i )
		box = gelAabb_Add( box, rest[pinned[i]] );
	float border = 1e-5f * gelAabb_Radius( all ); // far above rounding, far below an edge
	for ( int i = 0; i < nodeCount; ++i )
		inside += Contains( box, border, rest[i] );
	if ( inside == pinnedCount )
	{
		AddBox( o, box, border );
		return;
	}
	for ( int i = 0; i < pinnedCount; ++i )
		AddBox( o, ( gelAabb ){ rest[pinned[i]], rest[pinned[i]] }, border );
}

// The first pin set: gel-bake makes one.
static void AddPins( gelRebakeOptions* o, const gelAsset* asset )
{
	uint64_t set = 0;
	if ( gelAsset_GetPinSets( asset, &set, 1 ) == 0 ) return;
	int nodeCount = gelAsset_GetInfo( asset ).nodeCount;
	int pinnedCount = gelAsset_GetPinnedNodes( asset, set, NULL, 0 );
	gelVec3* rest = malloc( ( (size_t)nodeCount + 1 ) * sizeof( gelVec3 ) );
	int* pinned = malloc( ( (size_t)pinnedCount + 1 ) * sizeof( int ) );
	if ( rest != NULL && pinned != NULL )
	{
		gelAsset_GetRestNodes( asset, rest, nodeCount );
		gelAsset_GetPinnedNodes( asset, set, pinned, pinnedCount );
		AddPinBoxes( o, rest, nodeCount, pinned, pinnedCount );
	}
	else
		o->isIncomplete = true;
	free( rest );
	free( pinned );
}

// ---- attachment points -------------------------------------------------------------------------------

static void AddAttachments( gelRebakeOptions* o, const gelAsset* asset )
{
	for ( int i = 0; i < gelAsset_GetAttachmentCount( asset ); ++i )
	{
		gelAttachmentInfo a = gelAsset_GetAttachment( asset, i );
		gelVec3 p = a.rest.position;
		gelQuat q = a.rest.rotation;
		gelBakeAttachment point = { .position = { (double)p.x, (double)p.y, (double)p.z },
			.rotation = { (double)q.v.x, (double)q.v.y, (double)q.v.z, (double)q.s },
			.radius = (double)a.radius };
		snprintf( point.name, sizeof( point.name ), "%s", a.name );
		gelRebakeOptions_AddSetting( o, "attach", &point );
	}
}

// ---- all of it ---------------------------------------------------------------------------------------

static void AddParticles( gelRebakeOptions* o, const gelAsset* asset )
{
	gelParticleSettings particles = { .count = gelAsset_GetParticles( asset, NULL, 0 ) };
	if ( particles.count == 0 ) return;
	particles.kind = (gelParticleKind)( gel_particlesSolid + (int)gelAsset_GetParticleShape( asset ) );
	gelRebakeOptions_AddSetting( o, "particles", &particles );
}

// Settings that META has, and that nothing but META is asked for.
static void AddMeta( gelRebakeOptions* o, const gelAsset* asset )
{
	size_t bytes = 0;
	const char* text = gelAsset_GetMeta( asset, &bytes );
	json_t* meta = text != NULL ? json_loadb( text, bytes, 0, NULL ) : NULL;
	const json_t* settings = json_object_get( meta, "settings" );
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		char value[GEL_SETTING_TEXT_BYTES];
		const gelSetting* setting = gelSettings + i;
		bool isOfMeta = setting->option != NULL && setting->meta != NULL && setting->rebake == gel_rebakeMeta;
		if ( isOfMeta && gelFormatMetaSetting( setting, settings, value ) ) AddWords( o, setting, value );
	}
	json_decref( meta );
}

void gelRebakeOptions_AddPack( gelRebakeOptions* o, const gelAsset* asset, double artSize )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelVec3 side = gelSub( info.restBounds.max, info.restBounds.min );
	// Art in centimetres and a pack in metres: the scale of the first bake, found by comparing sizes.
	double scale = artSize > 0.0 ? (double)fmaxf( side.x, fmaxf( side.y, side.z ) ) / artSize : 1.0;
	if ( fabs( scale - 1.0 ) > 1e-5 ) gelRebakeOptions_AddReal( o, "scale", scale );
	if ( info.patchCount == 0 ) gelRebakeOptions_AddSetting( o, "no-collision", NULL );
	AddSteps( o, asset );
	AddMeta( o, asset );
	AddPins( o, asset );
	AddAttachments( o, asset );
	AddParticles( o, asset );
	if ( info.materialCount == 0 ) return;
	// presets say nothing about these
	gelMaterialInfo base = gelAsset_GetMaterial( asset, 0 );
	gelRebakeOptions_AddReal( o, "damping", (double)base.damping );
	gelRebakeOptions_AddReal( o, "static-friction", (double)base.staticFriction );
	gelRebakeOptions_AddReal( o, "dynamic-friction", (double)base.dynamicFriction );
}
