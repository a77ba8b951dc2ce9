// SPDX-License-Identifier: MIT
// Pictures and figures without a window. A take is one simulation with its recording; lanes are takes side by
// side (two packs, or two solvers), and one more lane for their difference. Everything is simulated before
// anything is drawn, so that one camera can see all of it.
#include "preview/app/headless.h"

#include "common/program/clean_text.h"
#include "preview/app/take.h"
#include "preview/out/compare.h"
#include "preview/out/contact_sheet.h"
#include "preview/out/gif_out.h"
#include "preview/out/glb_out.h"
#include "preview/render/gl_context.h"
#include "preview/render/label.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_SHEET_PIXELS ( (int64_t)100 * 1000 * 1000 )
#define GEL_PICTURE_MARGIN   0.06f
#define GEL_COMPARE_NOISE    6 // steps of a channel that are no difference
#define GEL_GIF_SAMPLES      6 // pictures that the palette is chosen from
#define GEL_GIF_FASTEST      2 // hundredths of a second: viewers slow down what is shorter

// What all pictures of a run share.
typedef struct Studio
{
	const gelPreviewOptions* options;
	gelProgram* program;
	gelTake takes[2];
	int takeCount;
	gelRenderer* renderers[2];
	gelRenderTarget target;
	gelRenderView view;
	json_t* outputs;
	gelImageDifference worst; // largest of all pictures that were compared
} Studio;

static void NoteOutput( Studio* studio, const char* path )
{
	json_array_append_new( studio->outputs, json_string( path ) );
	gelProgram_Say( studio->program, "%s", path );
}

// ---- one picture -------------------------------------------------------------------------------------

// With --compare the third lane is the difference of the two.
static int LaneCount( const gelPreviewOptions* o )
{
	GEL_ASSERT( o->laneCount == 1 || o->laneCount == 2 );
	return o->laneCount + ( o->compare ? 1 : 0 );
}

// By the height of the picture, so that it can be read on small ones, and in the upper left corner, where
// bodies that fall do not end up.
static void WriteCaption( gelImage* image, const char* text, int x )
{
	GEL_ASSERT( text != NULL && x >= 0 && x < image->width );
	float size = fmaxf( 6.0f, 0.032f * (float)image->height );
	gelLabelStyle style = { size, fmaxf( 1.2f, 0.115f * size ), { 38, 46, 58 }, 0.85f };
	gelDrawLabel( image, text, (float)x + 1.2f * size, 2.2f * size, &style );
}

// The worst of all pictures: --max-difference is to hold for each of them, and a mean over the film would
// hide one frame that is wrong.
static void NoteDifference( Studio* studio, const gelImageDifference* d )
{
	gelImageDifference* worst = &studio->worst;
	worst->largest = d->largest > worst->largest ? d->largest : worst->largest;
	worst->changedPixels = d->changedPixels > worst->changedPixels ? d->changedPixels : worst->changedPixels;
	worst->mean = fmax( worst->mean, d->mean );
	worst->changedPart = fmax( worst->changedPart, d->changedPart );
}

// Draws all takes at a moment, side by side, and with --compare how they differ. False: a finding was added.
static bool DrawMoment( Studio* studio, int moment, gelImage* outImage )
{
	GEL_ASSERT( moment >= 0 );
	const gelPreviewOptions* o = studio->options;
	// The third is the difference.
	gelImage lanes[3] = { 0 };
	GEL_ASSERT( studio->takeCount == o->laneCount );
	bool ok = true;
	for ( int i = 0; ok && i < studio->takeCount; ++i )
		ok = gelTake_Draw(
			studio->takes + i, moment, &studio->view, &studio->target, lanes + i, studio->program );
	if ( ok && studio->takeCount == 1 )
	{
		*outImage = lanes[0];
		return true;
	}
	bool memory = ok && gelCreateImage( outImage, LaneCount( o ) * o->width, o->height );
	if ( memory && o->compare )
	{
		gelImageDifference d = gelCompareImages( lanes, lanes + 1, GEL_COMPARE_NOISE );
		NoteDifference( studio, &d );
		memory = gelDrawDifference( lanes, lanes + 1, lanes + 2 );
		if ( !memory ) gelFreeImage( outImage );
	}
	for ( int i = 0; memory && i < LaneCount( o ); ++i )
	{
		gelImage_Paste( outImage, lanes + i, i * o->width, 0 );
		WriteCaption( outImage, i < 2 ? studio->takes[i].caption : "DIFFERENCE", i * o->width );
	}
	for ( int i = 0; i < 3; ++i )
		gelFreeImage( lanes + i );
	if ( ok && !memory )
		gelFindings_Add(
			&studio->program->findings, gel_findingNoMemory, NULL, "out of memory for a picture" );
	return memory;
}

// ---- files -------------------------------------------------------------------------------------------

static void ShowProgress( Studio* studio, int done, int count )
{
	gelProgress_Update( &studio->program->progress, "draw", (double)done / count );
}

static void WriteSheet( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	const gelRecording* r = &studio->takes[0].recording;
	GEL_ASSERT( r->momentCount >= 1 );
	gelContactSheet sheet;
	if ( !gelCreateContactSheet( &sheet, r->momentCount, LaneCount( o ) * o->width, o->height ) )
	{
		gelFindings_Add(
			&studio->program->findings, gel_findingNoMemory, NULL, "out of memory for the contact sheet" );
		return;
	}
	bool ok = true;
	for ( int i = 0; ok && i < r->momentCount; ++i )
	{
		gelImage picture;
		ok = DrawMoment( studio, i, &picture );
		if ( !ok ) break;
		char caption[32];
		snprintf( caption, sizeof( caption ), "t = %.2f s", r->times[r->momentFrames[i]] );
		gelContactSheet_Set( &sheet, i, &picture, caption );
		gelFreeImage( &picture );
		ShowProgress( studio, i + 1, r->momentCount );
	}
	if ( ok && gelWritePng( &sheet.image, o->outPath, &studio->program->findings ) )
		NoteOutput( studio, o->outPath );
	gelFreeContactSheet( &sheet );
}

static void WriteSequence( Studio* studio )
{
	const gelRecording* r = &studio->takes[0].recording;
	bool ok = true;
	for ( int i = 0; ok && i < r->momentCount; ++i )
	{
		gelImage picture;
		if ( !DrawMoment( studio, i, &picture ) ) return;
		char* path = gelSequencePath( studio->options->outPath, r->momentFrames[i] );
		if ( path == NULL )
		{
			gelFindings_Add(
				&studio->program->findings, gel_findingNoMemory, NULL, "out of memory for a path" );
		}
		ok = path != NULL && gelWritePng( &picture, path, &studio->program->findings );
		if ( ok ) NoteOutput( studio, path );
		free( path );
		gelFreeImage( &picture );
		ShowProgress( studio, i + 1, r->momentCount );
	}
}

static bool ChoosePalette( Studio* studio, gelGifPalette* palette )
{
	// Six pictures spread over the film are enough for a palette; drawing all of them twice would take twice
	// as long.
	int last = studio->takes[0].recording.momentCount - 1;
	GEL_ASSERT( last >= 0 );
	for ( int i = 0; i < GEL_GIF_SAMPLES; ++i )
	{
		gelImage picture;
		if ( !DrawMoment( studio, i * last / ( GEL_GIF_SAMPLES - 1 ), &picture ) ) return false;
		gelGifPalette_Count( palette, &picture );
		gelFreeImage( &picture );
	}
	gelGifPalette_Choose( palette );
	return true;
}

// Hundredths of a second until a picture; rounded sums, so that the whole has the right length.
static int GifTime( const gelPreviewOptions* o, int frame )
{
	GEL_ASSERT( frame >= 0 && o->frameRate > 0.0 );
	return (int)( 100.0 * frame / o->frameRate + 0.5 );
}

static bool AddGifPictures( Studio* studio, gelGif* gif )
{
	const gelPreviewOptions* o = studio->options;
	int count = studio->takes[0].recording.momentCount;
	// Pictures shorter than 1/50 s are left out, others get their time.
	int stride = (int)ceil( GEL_GIF_FASTEST * o->frameRate / 100.0 );
	for ( int i = 0; i < count; i += stride )
	{
		gelImage picture;
		if ( !DrawMoment( studio, i, &picture ) ) return false;
		bool ok = gelGif_Add( gif, &picture, GifTime( o, i + stride ) - GifTime( o, i ) );
		gelFreeImage( &picture );
		if ( !ok )
		{
			gelFindings_Add( &studio->program->findings, gel_findingCannotWrite, o->outPath,
				"a picture cannot be written" );
			return false;
		}
		ShowProgress( studio, i + 1, count );
	}
	return true;
}

static void WriteGif( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	gelFindings* findings = &studio->program->findings;
	gelGifPalette* palette = calloc( 1, sizeof( gelGifPalette ) );
	gelGif gif;
	if ( palette == NULL )
	{
		gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for a palette" );
		return;
	}
	if ( ChoosePalette( studio, palette ) &&
		gelGif_Begin( &gif, o->outPath, LaneCount( o ) * o->width, o->height, palette, findings ) )
	{
		bool ok = AddGifPictures( studio, &gif );
		if ( gelGif_End( &gif, ok, findings ) ) NoteOutput( studio, o->outPath );
	}
	free( palette );
}

// ---- drawing -----------------------------------------------------------------------------------------

// The camera sees everything over the whole time, and the ground under it; the same for all takes. It does
// not follow: one that did would hide how far a body moves, and two lanes could not be compared.
static void AimCamera( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	const gelScene* scene = &studio->takes[0].session.scene;
	GEL_ASSERT( studio->takeCount >= 1 && studio->takes[0].recording.frameCount >= 1 );
	gelAabb framed = studio->takes[0].recording.stage;
	for ( int i = 1; i < studio->takeCount; ++i )
		framed = gelAabb_Union( framed, studio->takes[i].recording.stage );
	const gelRecording* r = &studio->takes[0].recording;
	float end = (float)r->times[r->frameCount - 1];
	const gelAabb bodies = framed;
	for ( int i = 0; i < scene->def.colliderCount; ++i )
		framed =
			gelAabb_Union( framed, gelSceneCollider_ShownBounds( scene->def.colliders + i, end, bodies ) );
	if ( scene->def.hasGround ) framed.min.y = fminf( framed.min.y, scene->ground );
	float aspect = (float)o->width / (float)o->height;
	const gelSceneCamera* own = &scene->def.camera;
	float yaw = own->isSet ? own->yaw : o->yaw, pitch = own->isSet ? own->pitch : o->pitch;
	gelCamera camera = gelFrameBox( framed, yaw, pitch, aspect, GEL_PICTURE_MARGIN );
	if ( own->hasTarget )
	{
		camera.target = own->target;
		camera.distance = own->distance;
	}
	studio->view = ( gelRenderView ){
		.camera = camera,
		.framebuffer = studio->target.framebuffer,
		.width = o->width,
		.height = o->height,
		.stage = framed,
		.groundHeight = scene->ground,
		.showGround = scene->def.hasGround,
	};
}

static bool HasLook( const gelTake* take )
{
	return take->looks != NULL && take->looks[0].isLoaded;
}

static void WritePictures( Studio* studio )
{
	switch ( studio->options->outKind )
	{
		case gel_outputSheet:
			WriteSheet( studio );
			break;
		case gel_outputGif:
			WriteGif( studio );
			break;
		default:
			WriteSequence( studio );
			break;
	}
}

// Colors that only one of two packs has would look like a difference between them.
static void WarnOfPlainLane( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	if ( studio->takeCount < 2 || o->versus >= 0 || o->plain ) return;
	bool first = HasLook( studio->takes ), second = HasLook( studio->takes + 1 );
	if ( first == second ) return;
	gelFindings_Add( &studio->program->findings, gel_findingPictureKindsDiffer,
		studio->takes[first ? 1 : 0].packs.paths[0],
		"the art of this pack is not at hand, so it is shown in one color, the other pack in those of its "
		"art; name the art with --art, or compare them --plain" );
}

static void DrawAll( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	gelFindings* findings = &studio->program->findings;
	if ( !gelCreateRenderTarget( &studio->target, o->width, o->height, GEL_PICTURE_SAMPLES ) )
	{
		gelFindings_Add( findings, gel_findingDrawingFailed, NULL,
			"pictures of %d x %d are too large for this OpenGL driver", o->width, o->height );
		return;
	}
	bool ok = true;
	for ( int i = 0; ok && i < studio->takeCount; ++i )
	{
		studio->renderers[i] = gelMakeRenderer( gel_renderPicture, findings );
		ok = studio->renderers[i] != NULL &&
			gelTake_Show( studio->takes + i, studio->renderers[i], o, studio->program );
	}
	if ( ok )
	{
		WarnOfPlainLane( studio );
		AimCamera( studio );
		WritePictures( studio );
	}
	for ( int i = 0; i < 2; ++i )
		gelDestroyRenderer( studio->renderers[i] );
	gelDestroyRenderTarget( &studio->target );
}

static void ReportDifference( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	const gelImageDifference* d = &studio->worst;
	GEL_ASSERT( d->changedPart >= 0.0 && d->changedPart <= 1.0 );
	gelReport* report = &studio->program->report;
	gelReport_SetInt( report, "difference.changed_pixels", d->changedPixels );
	gelReport_SetReal( report, "difference.changed_part", d->changedPart );
	gelReport_SetInt( report, "difference.largest", d->largest );
	gelReport_SetReal( report, "difference.mean", d->mean );
	gelProgram_Say( studio->program, "at most %.2f %% of the pixels differ, by up to %d of 255",
		100.0 * d->changedPart, d->largest );
	if ( o->maxDifference >= 0.0 && 100.0 * d->changedPart > o->maxDifference )
		gelFindings_Add( &studio->program->findings, gel_findingPicturesDiffer, NULL,
			"%.2f %% of the pixels differ, more than --max-difference %g", 100.0 * d->changedPart,
			o->maxDifference );
}

// ---- the whole run -----------------------------------------------------------------------------------

static void WriteOutputs( Studio* studio, gelGlContext* context )
{
	const gelPreviewOptions* o = studio->options;
	gelReport* report = &studio->program->report;
	gelTake* take = studio->takes;
	studio->outputs = json_array();
	gelReport_Phase( report, gelOutputNeedsGl( o->outKind ) ? "render" : "write" );
	if ( o->outKind == gel_outputTable )
	{
		if ( gelWriteCsv( &take->recording, o->outPath, &studio->program->findings ) )
			NoteOutput( studio, o->outPath );
	}
	else if ( o->outKind == gel_outputGlb )
	{
		gelTake_LoadLooks( take, o, &studio->program->findings );
		if ( gelWriteAnimatedGlb(
				 &take->recording, &take->session.scene, take->looks, o->outPath, studio->program ) )
			NoteOutput( studio, o->outPath );
	}
	else
	{
		gelReport_SetString( report, "render.driver", context->renderer );
		gelReport_SetInt( report, "render.width", o->width );
		gelReport_SetInt( report, "render.height", o->height );
		gelReport_SetInt( report, "render.pictures", take->recording.momentCount );
		DrawAll( studio );
		if ( o->compare ) ReportDifference( studio );
	}
	gelReport_SetJson( report, "outputs", studio->outputs );
	gelReport_Phase( report, NULL );
}

// A take for each lane: all packs, one pack each, or all packs with another solver. False: a finding was
// added.
static bool MakeTakes( Studio* studio, const gelPackSet* packs )
{
	const gelPreviewOptions* o = studio->options;
	for ( int i = 0; i < o->laneCount; ++i )
	{
		bool single = o->laneCount == 2 && o->versus < 0;
		GEL_ASSERT( !single || packs->count == 2 ); // ChooseLanes has refused others
		gelPackSet own = *packs;
		if ( single ) own = ( gelPackSet ){ packs->assets + i, packs->paths + i, 1 };
		gelPreviewSolver solver = i == 1 && o->versus >= 0 ? (gelPreviewSolver)o->versus : o->scene.solver;
		if ( !gelCreateTake( studio->takes + i, o, &own, solver, studio->program ) ) return false;
		studio->takeCount += 1;
		const char* name = single ? own.paths[0] : gelPreviewSolver_Name( solver );
		const char* slash = strrchr( name, '/' );
		snprintf( studio->takes[i].caption, sizeof( studio->takes[i].caption ), "%s",
			slash != NULL ? slash + 1 : name );
	}
	return true;
}

static void Simulate(
	const gelPreviewOptions* o, gelProgram* program, const gelPackSet* packs, gelGlContext* context )
{
	Studio studio = { .options = o, .program = program };
	gelReport_Phase( &program->report, "simulate" );
	if ( MakeTakes( &studio, packs ) )
	{
		gelReport_SetString( &program->report, "scene.name", studio.takes[0].session.scene.def.name );
		gelReportRecording( &studio.takes[0].recording, &studio.takes[0].session.scene, &program->report );
		WriteOutputs( &studio, context );
	}
	for ( int i = 0; i < studio.takeCount; ++i )
		gelDestroyTake( studio.takes + i );
}

static bool CheckSheetSize( const gelPreviewOptions* o, gelFindings* findings )
{
	int width, height;
	gelContactSheetSize( o->moments, LaneCount( o ) * o->width, o->height, &width, &height );
	if ( o->outKind != gel_outputSheet || (int64_t)width * height <= GEL_MAX_SHEET_PIXELS ) return true;
	gelFindings_Add( findings, gel_findingUsage, NULL,
		"a contact sheet of %d x %d pixels is too large; ask for fewer --moments or a smaller --size", width,
		height );
	return false;
}

void gelRunHeadless( const gelPreviewOptions* o, gelProgram* program )
{
	if ( !CheckSheetSize( o, &program->findings ) ) return;
	json_t* inputs = json_array();
	for ( int i = 0; i < o->packCount; ++i )
	{
		char* clean = gelCleanText( o->packPaths[i] ); // JSON is UTF-8, a file name need not be
		if ( clean != NULL ) json_array_append_new( inputs, json_string( clean ) );
		free( clean );
	}
	gelReport_SetJson( &program->report, "inputs", inputs );
	gelReport_Phase( &program->report, "load" );
	gelPackSet packs;
	if ( !gelLoadPacks( &packs, o->packPaths, o->packCount, &program->findings ) ) return;

	// Before the simulation, which can take long: a picture that cannot be drawn need not be computed.
	gelGlContext context = { 0 };
	bool ready = !gelOutputNeedsGl( o->outKind ) || gelCreateGlContext( &context );
	if ( ready )
	{
		Simulate( o, program, &packs, &context );
	}
	else
	{
		gelFindings_Add( &program->findings, gel_findingNoOpenGL, NULL,
			"no OpenGL 3.3: %s; install libegl1 and libgl1-mesa-dri (no GPU or display is needed), or use "
			"--out PATH.csv or --out PATH.glb, which draw nothing",
			context.error );
	}
	gelDestroyGlContext( &context );
	gelFreePacks( &packs );
}
