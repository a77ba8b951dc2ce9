// SPDX-License-Identifier: MIT
#include "common/settings/setting_table.h"

#include "common/program/program.h"
#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <string.h>

#define AT( member ) .offset = offsetof( gelBakeRequest, member )

// In the order of the help. Recipes are read in the same order: a preset stands before what it sets.
const gelSetting gelSettings[] = {
	{ "output", 'o', gel_settingFile, AT( outputPath ), .value = "FILE", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitBatch,
		.help = "pack to write (to a temporary name first, then renamed)" },
	{ "cage", 'c', gel_settingFile, AT( cagePath ), .value = "FILE", .group = "cage", .recipe = "file",
		.extra = { { "gelpack_cage", NULL } }, .about = "A cage, relative to the recipe.", .rival = "tets",
		.rebake = gel_rebakeAsset, .traits = gel_traitAside,
		.help = "cage to use: .msh .node .ele .veg [made from the art]" },
	{ "recipe", 0, gel_settingFile, AT( recipePath ), .value = "FILE.json", .rebake = gel_rebakeNot,
		.traits = gel_traitAside,
		.help = "settings of the body, see docs/recipes.md; what the command line says wins" },
	{ "tets", 0, gel_settingCount, AT( targetTets ), .value = "N", .min = 5, .max = 5000000, .group = "cage",
		.recipe = "tets", .extra = { { "gelpack_tets", NULL } }, .about = "Tets to aim at.", .rival = "cage",
		.rebake = gel_rebakeNot,
		.help = "tets to aim at when the cage is made from the art, 5 to 5000000 [500]" },
	{ "lod", 0, gel_settingLevels, AT( levels ), .value = "TETS", .min = 5, .max = 5000000, .group = "cage",
		.recipe = "levels", .extra = { { "gelpack_levels", NULL } },
		.about = "Tets of coarser levels of detail, each fewer than the one before.", .rebake = gel_rebakeNot,
		.traits = gel_traitPhysics,
		.help = "also bake a coarser level of about so many tets, for bodies that are far away, see "
				"docs/lod.md; may be repeated, from fine to coarse, up to 7 times" },
	{ "scale", 0, gel_settingReal, AT( settings.scale ), .value = "S", .min = 1e-12, .max = 1e12,
		.recipe = "scale", .extra = { { "gelpack_scale", NULL } }, .meta = "scale",
		.about = "Metres per unit of the art.", .rebake = gel_rebakeAsset, .traits = gel_traitAlwaysMeta,
		.help = "metres per unit of the art, such as 0.01 for centimetres; a cage is in metres already [1]" },
	{ "node", 0, gel_settingText, AT( settings.nodes ), .value = "NAMES", .max = 300, .recipe = "nodes",
		.meta = "nodes",
		.about = "Parts of the art that are the body: names or globs, with commas between them.",
		.help =
			"take only these nodes of the art, and what is below them: names or globs, such as 'Body,Arm*' "
			"[all but levels of detail, collision hulls and what is hidden]" },
	{ "exclude", 0, gel_settingText, AT( settings.excluded ), .value = "NAMES", .max = 300,
		.recipe = "exclude", .meta = "exclude", .about = "Parts of the art to leave out, likewise.",
		.help = "leave out these nodes of the art, and what is below them" },
	{ "project", 0, gel_settingText, AT( projectPath ), .value = "FOLDER", .max = 1000,
		.rebake = gel_rebakeNot, .traits = gel_traitAside,
		.help = "folder in which a glTF file may name buffers, such as ../bin/a.bin [that of the art]" },
	{ "animation", 0, gel_settingText, AT( settings.animation ), .value = "NAME", .max = 200,
		.recipe = "animation", .meta = "animation",
		.about = "Animation of the art, by name or number, whose pose is baked as the rest pose.",
		.help = "bake the art in the pose of this animation, by name or number [its rest pose]" },
	{ "time", 0, gel_settingReal, AT( settings.animationTime ), .value = "S", .min = 0.0, .max = 1e6,
		.recipe = "animation_time", .meta = "animationTime", .about = "Moment of the animation [s].",
		.needs = "animation",
		.help = "moment of the animation, 0 to 1e6 s; behind its end the end counts [0]" },
	{ "step", 0, gel_settingSteps, AT( steps ), .value = "S", .min = 1e-6, .max = 1.0, .recipe = "steps",
		.extra = { { "gelpack_steps", NULL } }, .about = "Step lengths [s].", .rebake = gel_rebakeAsset,
		.traits = gel_traitPhysics | gel_traitFreeRange,
		.help = "step length to bake for, 1e-6 to 1 s; may be repeated [1/60]" },
	{ "quality", 0, gel_settingFlag, AT( forQuality ), .recipe = "quality",
		.extra = { { "gelpack_quality", NULL } }, .about = "Also bake what the quality mode needs.",
		.rebake = gel_rebakeAsset, .traits = gel_traitPhysics,
		.help = "also bake what the quality mode of the runtime needs: one more, longer step length for "
				"each, and none if Poisson's ratio is 0" },
	{ "static", 0, gel_settingFlag, AT( settings.isStatic ), .recipe = "static",
		.extra = { { "gelpack_static", NULL } }, .about = "A surface without physics.",
		.rebake = gel_rebakeNot,
		.help = "bake a surface that others touch and that moves as a rigid whole: collision geometry, no "
				"physics" },
	{ .kind = gel_settingPreset,
		.group = "material",
		.recipe = "preset",
		.extra = { { "gelpack_preset", NULL } } },
	{ "young", 0, gel_settingReal, AT( settings.material.youngsModulus ), .value = "PA",
		.min = GEL_ABOVE_ZERO, .max = 1e15, .group = "material", .recipe = "young",
		.extra = { { "gelpack_young", NULL } }, .meta = "material.youngsModulus",
		.about = "Young's modulus [Pa].", .rebake = gel_rebakeChosen,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta,
		.help = "Young's modulus, above 0 up to 1e15 Pa [1e5]" },
	{ "poisson", 0, gel_settingReal, AT( settings.material.poissonsRatio ), .value = "NU", .min = 0.0,
		.max = 0.4999, .group = "material", .recipe = "poisson", .extra = { { "gelpack_poisson", NULL } },
		.meta = "material.poissonsRatio", .about = "Poisson's ratio.", .rebake = gel_rebakeChosen,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta, .help = "Poisson's ratio, 0 to 0.4999 [0.33]" },
	{ "density", 0, gel_settingReal, AT( settings.material.density ), .value = "RHO", .min = GEL_ABOVE_ZERO,
		.max = 1e9, .group = "material", .recipe = "density", .extra = { { "gelpack_density", NULL } },
		.meta = "material.density", .about = "[kg/m^3]", .rebake = gel_rebakeChosen,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta,
		.help = "density, above 0 up to 1e9 kg/m^3 [1000]" },
	{ "damping", 0, gel_settingReal, AT( settings.material.damping ), .value = "D", .min = 0.0, .max = 1e6,
		.group = "material", .recipe = "damping", .extra = { { "gelpack_damping", NULL } },
		.meta = "material.damping", .about = "[1/s]", .rebake = gel_rebakeAsset,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta,
		.help = "extra velocity damping, 0 to 1e6 1/s [0]" },
	{ "static-friction", 0, gel_settingReal, AT( settings.material.staticFriction ), .value = "F", .min = 0.0,
		.max = 1e3, .group = "material", .recipe = "static_friction",
		.extra = { { "gelpack_static_friction", NULL } }, .meta = "material.staticFriction",
		.about = "Friction coefficient at rest.", .rebake = gel_rebakeAsset,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta,
		.help = "friction coefficient at rest, 0 to 1000 [0.6]" },
	{ "dynamic-friction", 0, gel_settingReal, AT( settings.material.dynamicFriction ), .value = "F",
		.min = 0.0, .max = 1e3, .group = "material", .recipe = "dynamic_friction",
		.extra = { { "gelpack_dynamic_friction", NULL } }, .meta = "material.dynamicFriction",
		.about = "Friction coefficient while sliding.", .rebake = gel_rebakeAsset,
		.traits = gel_traitFreeRange | gel_traitAlwaysMeta,
		.help = "friction coefficient while sliding, 0 to 1000 [0.5]" },
	{ "material", 0, gel_settingText, AT( settings.material.name ), .value = "NAME",
		.max = sizeof( ( (gelPackMaterial*)NULL )->name ) - 1, .group = "material", .recipe = "name",
		.extra = { { "gelpack_material", NULL } }, .about = "Its name.", .rebake = gel_rebakeChosen,
		.help = "name of the material, at most 23 bytes [rubber]" },
	{ "materials", 0, gel_settingFile, AT( materialsPath ), .value = "FILE.json", .rebake = gel_rebakeAsset,
		.traits = gel_traitAside,
		.help = "further materials and the regions of the body that have them, see docs/materials.md; the "
				"rest has the material of the options above" },
	{ .kind = gel_settingRegions,
		.recipe = "materials",
		.about = "Further materials by name; what one does not say is that of the whole body." },
	{ .kind = gel_settingRegions,
		.recipe = "regions",
		.about = "Where these materials are; later ones win.",
		.traits = gel_traitPhysics },
	{ "pin-box", 0, gel_settingBoxes, AT( pinBoxes ), .value = "X0,Y0,Z0,X1,Y1,Z1", .recipe = "pins",
		.extra = { { "gelpack_pin_box", NULL } },
		.about = "Nodes of the cage inside of any of the boxes follow the game.", .rebake = gel_rebakeAsset,
		.traits = gel_traitPhysics,
		.help = "pin the cage nodes inside; coordinates are metres of the art, after --scale; several boxes "
				"make one pin set" },
	{ "attach", 0, gel_settingPoints, AT( attachments ), .value = "NAME=X,Y,Z", .recipe = "attachments",
		.about = "Named points that a game can ask for, and hang things on, see docs/recipes.md; false: none "
				 "of the art.",
		.rebake = gel_rebakeAsset,
		.help = "a named attachment point at so many metres, and :QX,QY,QZ,QW for its axes or :RADIUS behind "
				"that, see docs/recipes.md; may be repeated" },
	{ "paint", 0, gel_settingPaint, AT( paint ), .value = "KIND=CHANNEL", .recipe = "paint",
		.about =
			"Where stiffness, density and pins are painted on the art's vertices; false: no paint counts.",
		.rebake = gel_rebakeNot, .traits = gel_traitPhysics,
		.help = "where stiffness, density or pin is painted: color.r to color.a or an attribute, and "
				":LOW:HIGH or :LOW:HIGH:log for 0 to 1; 'none' for nothing [stiffness=_STIFFNESS "
				"density=_DENSITY pin=_PIN, where the art has them]" },
	{ .kind = gel_settingCollision,
		AT( settings.collision ),
		.choices = "auto|none|fine|coarse",
		.recipe = "collision",
		.extra = { { "gelpack_collision", NULL } },
		.meta = "collision",
		.about = "Whether, and along which cells the surface is cut.",
		.traits = gel_traitAlwaysMeta },
	{ "no-collision", 0, gel_settingFlag, AT( noCollision ), .rival = "collision-cells",
		.rebake = gel_rebakeAsset, .traits = gel_traitPhysics, .help = "leave out the collision geometry" },
	{ "collision-cells", 0, gel_settingChoice, AT( collisionCells ), .value = "CELLS",
		.choices = "fine|coarse|auto", .rival = "no-collision", .rebake = gel_rebakeNot,
		.help = "cut the surface for collision along the tets of the cage, or of a coarser cage over the "
				"same nodes: fewer pieces for art of few triangles [auto]" },
	{ "particles", 0, gel_settingParticles, AT( settings.particles ), .value = "N|KIND[:N]", .min = 1,
		.max = GEL_PACK_MAX_PARTICLES, .choices = "auto|solid|sheet|rod", .recipe = "particles",
		.extra = { { "gelpack_particles", "kind" }, { "gelpack_particle_count", "count" } },
		.about = "Also bake oriented particles.", .rebake = gel_rebakeAsset, .traits = gel_traitPhysics,
		.help = "also bake oriented particles: so many, or 'auto', 'solid', 'sheet' or 'rod', each with a "
				"count if wanted, such as rod:20 [none]" },
	{ "warp", 0, gel_settingFlag, AT( settings.hasWarp ), .recipe = "warp",
		.extra = { { "gelpack_warp", NULL } }, .meta = "warp",
		.about = "Also bake for the warp-cancelling solver.", .traits = gel_traitPhysics,
		.help = "also bake for the warp-cancelling solver: fronts of its factor, for each pin set" },
	{ "name", 0, gel_settingText, AT( settings.name ), .value = "NAME", .max = 200, .recipe = "name",
		.extra = { { "gelpack_name", NULL } }, .meta = "name", .about = "Of the asset.",
		.rebake = gel_rebakeNot, .traits = gel_traitAlwaysMeta,
		.help = "name of the asset [that of the input file]" },
	{ "jobs", 0, gel_settingCount, AT( jobs ), .value = "N", .min = 1, .max = GEL_MAX_THREADS,
		.rebake = gel_rebakeNot, .traits = gel_traitAside | gel_traitBatch,
		.help = "with --manifest: bakes that run at once, each on one thread unless --threads is given [all "
				"cores]; else the same as --threads" },
	{ "manifest", 0, gel_settingFile, AT( manifestPath ), .value = "FILE.json", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitBatch, .help = "bake many assets, see docs/build_systems.md" },
	{ "shard", 0, gel_settingText, AT( shardText ), .value = "K/N", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitBatch,
		.help = "of a manifest: only every N-th asset, from the K-th on [1/1]" },
	{ "cache", 0, gel_settingFile, AT( cachePath ), .value = "FOLDER", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitBatch,
		.help = "take the pack from there if it was baked before from the same bytes and options, else put "
				"it there" },
	{ "force", 0, gel_settingFlag, AT( force ), .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitBatch, .help = "bake even if the pack is in the cache" },
	{ "max-bytes", 0, gel_settingReal, AT( gates.maxBytes ), .value = "N", .min = 1.0, .max = 1e15,
		.group = "limits", .recipe = "max_bytes", .extra = { { "gelpack_max_bytes", NULL } },
		.about = "Of the pack.", .rebake = gel_rebakeNot, .traits = gel_traitAside,
		.help = "write no pack that is larger (exit 5) [no limit]" },
	{ "max-runtime-bytes", 0, gel_settingReal, AT( gates.maxRuntimeBytes ), .value = "N", .min = 1.0,
		.max = 1e15, .group = "limits", .recipe = "max_runtime_bytes",
		.extra = { { "gelpack_max_runtime_bytes", NULL } }, .about = "Of one body in a game.",
		.rebake = gel_rebakeNot, .traits = gel_traitAside | gel_traitPhysics,
		.help = "write no pack of which a body takes more memory in a game (exit 5), see docs/memory.md [no "
				"limit]" },
	{ "max-step-us", 0, gel_settingReal, AT( gates.maxStepMicros ), .value = "US", .min = 1e-3, .max = 1e12,
		.group = "limits", .recipe = "max_step_us", .extra = { { "gelpack_max_step_us", NULL } },
		.about = "Estimated time of a step [us].", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitPhysics,
		.help = "write no pack whose step is estimated to take longer on one thread of this machine (exit "
				"5), see docs/gates.md [no limit]" },
	{ "soak", 0, gel_settingFlag, AT( gates.soak ), .group = "limits", .recipe = "soak",
		.extra = { { "gelpack_soak", NULL } }, .about = "Try the body out.", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitPhysics,
		.help = "drop, squash, stretch, twist and spin the body with the runtime; write no pack that fails "
				"(exit 5), but a picture OUT.gel.soak-SCENE.png" },
	{ "max-strain", 0, gel_settingReal, AT( gates.maxStrain ), .value = "X", .min = 1e-6, .max = 1e6,
		.group = "limits", .recipe = "max_strain", .extra = { { "gelpack_max_strain", NULL } },
		.about = "Largest principal strain in the soak.", .needs = "soak", .rebake = gel_rebakeNot,
		.traits = gel_traitAside | gel_traitPhysics,
		.help = "largest principal strain that the soak allows [no limit]" },
	{ "verify", 0, gel_settingFlag, AT( verify ), .rebake = gel_rebakeNot, .traits = gel_traitAside,
		.help = "bake, but write nothing: compare with the pack that is there (exit 5 if bytes differ)" },
	{ "depfile", 0, gel_settingFile, AT( depfilePath ), .value = "FILE", .rebake = gel_rebakeNot,
		.traits = gel_traitAside, .help = "write a Make rule with every file that was read" },
};
const int gelSettingCount = (int)( sizeof( gelSettings ) / sizeof( gelSettings[0] ) );
_Static_assert(
	sizeof( gelSettings ) / sizeof( gelSettings[0] ) <= GEL_MAX_SETTINGS, "room in GEL_MAX_SETTINGS" );

// ---- access ---------------------------------------------------------------------------------------------

const gelSetting* gelFindSetting( const char* option )
{
	GEL_ASSERT( option != NULL );
	int i = 0;
	while ( i < gelSettingCount - 1 &&
		( gelSettings[i].option == NULL || strcmp( gelSettings[i].option, option ) != 0 ) )
		i += 1;
	GEL_ASSERT( strcmp( gelSettings[i].option, option ) == 0 );
	return gelSettings + i;
}

int gelGetSettingIndex( const gelSetting* setting )
{
	GEL_ASSERT( setting >= gelSettings && setting < gelSettings + gelSettingCount );
	return (int)( setting - gelSettings );
}

void* gelGetSettingValue( gelBakeRequest* request, const gelSetting* setting )
{
	GEL_ASSERT(
		request != NULL && setting->kind != gel_settingPreset && setting->kind != gel_settingRegions );
	return (char*)request + setting->offset;
}

bool gelIsListSetting( const gelSetting* setting )
{
	return setting->kind >= gel_settingLevels && setting->kind <= gel_settingPoints;
}

size_t gelGetSettingBytes( const gelSetting* setting )
{
	switch ( setting->kind )
	{
		case gel_settingFlag:
			return sizeof( bool );
		case gel_settingReal:
		case gel_settingSteps:
			return sizeof( double );
		case gel_settingText:
		case gel_settingFile:
			return sizeof( const char* );
		case gel_settingBoxes:
			return sizeof( gelPinBox );
		case gel_settingPoints:
			return sizeof( gelBakeAttachment );
		case gel_settingPaint:
			return sizeof( gelPaintRules );
		case gel_settingParticles:
			return sizeof( gelParticleSettings );
		default:
			return sizeof( int );
	}
}

// ---- defaults -------------------------------------------------------------------------------------------

static const double s_defaultStep = 1.0 / 60.0;

gelBakeSettings gelDefaultBakeSettings( void )
{
	gelBakeSettings settings = { 0 };
	settings.material = ( gelBakeMaterial ){
		.name = "rubber",
		.density = 1000.0,
		.youngsModulus = 1e5,
		.poissonsRatio = 0.33,
		.damping = 0.0,
		.staticFriction = 0.6,
		.dynamicFriction = 0.5,
	};
	settings.steps = &s_defaultStep;
	settings.stepCount = 1;
	settings.threads = 1;
	settings.name = "body";
	settings.scale = 1.0;
	return settings;
}

gelGates gelDefaultGates( void )
{
	return ( gelGates ){ .maxPenetration = 0.02, .maxEnergyGrowth = 0.05 };
}

gelBakeRequest gelDefaultBakeRequest( void )
{
	gelBakeRequest request = {
		.settings = gelDefaultBakeSettings(), .gates = gelDefaultGates(), .targetTets = 500
	};
	request.settings.name = NULL; // the name of the input file
	return request;
}
