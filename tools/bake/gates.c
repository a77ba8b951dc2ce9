// SPDX-License-Identifier: MIT
#include "gates.h"

#include "output_file.h"
#include "pack_layout.h"
#include "soak.h"
#include "soak_picture.h"
#include "step_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gelGates gelDefaultGates( void )
{
	return ( gelGates ){ .maxPenetration = 0.02, .maxEnergyGrowth = 0.05 };
}

// ---- size and time -------------------------------------------------------------------------------

static void CheckBytes( const gelGates* gates, size_t byteCount, gelProgram* program )
{
	if ( gates->maxBytes <= 0.0 || (double)byteCount <= gates->maxBytes ) return;
	gelFindings_Add( &program->findings, gel_finding541, NULL,
		"the pack has %zu bytes, %.0f are allowed; fewer tets (--tets), fewer step lengths or pin sets, or "
		"--no-collision make it smaller",
		byteCount, gates->maxBytes );
}

static void CheckStepTime( const gelGates* gates, const gelAsset* asset, gelProgram* program )
{
	gelStepCost cost = gelCountStepCost( asset );
	gelReport_SetReal( &program->report, "cost.step_flops", cost.flops );
	gelReport_SetReal( &program->report, "cost.step_bytes", cost.bytes );
	if ( gates->maxStepMicros <= 0.0 ) return;
	gelMachineSpeed speed;
	gelReport_Phase( &program->report, "calibrate" );
	if ( !gelMeasureMachine( &speed ) )
	{
		gelFindings_Add( &program->findings, gel_finding3, NULL, "the machine's speed cannot be measured" );
		return;
	}
	double micros = 1e6 * gelEstimateStepTime( cost, speed );
	gelReport_SetReal( &program->report, "cost.machine_flops_per_second", speed.flopsPerSecond );
	gelReport_SetReal( &program->report, "cost.machine_bytes_per_second", speed.bytesPerSecond );
	gelReport_SetReal( &program->report, "cost.step_us", micros );
	gelProgram_Say( program, "a step takes about %.3g us on one thread of this machine", micros );
	if ( micros <= gates->maxStepMicros ) return;
	gelFindings_Add( &program->findings, gel_finding542, NULL,
		"a step takes about %.3g us on one thread of this machine, %.6g are allowed; fewer tets (--tets) "
		"make "
		"it faster",
		micros, gates->maxStepMicros );
}

// ---- soak ----------------------------------------------------------------------------------------

// The body as it was at the worst moment: the art follows the nodes.
static bool WritePicture( const gelAsset* asset, const gelVec3* nodes, const char* path, gelProgram* program )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	const uint32_t* tets = gelAsset_GetTets( asset );
	float* vertices = calloc( 3 * (size_t)info.vertexCount + 1, sizeof( float ) );
	if ( vertices == NULL ) return false;
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

static void ReportScene( gelReport* report, const char* name, const gelSoakResult* r, bool isGood )
{
	char path[64];
	snprintf( path, sizeof( path ), "soak.%s", name );
	gelReport_SetJson( report, path,
		json_pack( "{s:b, s:f, s:i, s:i, s:f, s:f, s:i}", "passed", isGood, "worst_strain", r->worstStrain,
			"worst_inversions", r->worstInversions, "left_inversions", r->leftInversions, "energy_growth",
			r->energyGrowth, "penetration", r->penetration, "put_backs", r->putBacks ) );
}

static void Soak( const gelGates* gates, const gelAsset* asset, const char* path, gelProgram* program )
{
	gelReport_Phase( &program->report, "soak" );
	for ( int scene = 0; scene < GEL_SOAK_SCENES; ++scene )
	{
		char text[160], picturePath[4096];
		const char* name = gelSoakSceneNames[scene];
		gelSoakResult r = gelRunSoakScene( asset, (gelSoakScene)scene );
		const char* fault = FindFault( gates, &r, text, sizeof( text ) );
		ReportScene( &program->report, name, &r, fault == NULL );
		gelProgram_Say( program, "soak %-8s strain up to %.3g, %d tets inside out at most, %d at the end",
			name, r.worstStrain, r.worstInversions, r.leftInversions );
		if ( fault != NULL )
		{
			snprintf( picturePath, sizeof( picturePath ), "%s.soak-%s.png", path, name );
			bool hasPicture =
				r.worstStrain > 0.0 && WritePicture( asset, r.worstNodes, picturePath, program );
			gelFindings_Add( &program->findings, gel_finding543, NULL, "%s: %s%s%s", name, fault,
				hasPicture ? "; see " : "", hasPicture ? picturePath : "" );
		}
		free( r.worstNodes );
	}
}

bool gelPassGates(
	const gelGates* gates, const uint8_t* bytes, size_t byteCount, const char* path, gelProgram* program )
{
	int before = program->findings.errorCount;
	CheckBytes( gates, byteCount, program );
	gelAsset* asset;
	if ( gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ) != gel_success )
	{
		gelFindings_Add( &program->findings, gel_finding4, NULL, "the runtime does not load the pack" );
		return false;
	}
	CheckStepTime( gates, asset, program );
	if ( gates->soak ) Soak( gates, asset, path, program );
	gelDestroyAsset( asset );
	return program->findings.errorCount == before;
}

void gelVerifyBake( const char* path, const uint8_t* bytes, size_t byteCount, gelProgram* program )
{
	size_t fileBytes;
	gelReport_Phase( &program->report, "verify" );
	uint8_t* file = gelReadFile( path, (size_t)GEL_PACK_MAX_BYTES, &fileBytes, &program->findings );
	if ( file == NULL ) return;
	bool isSame = fileBytes == byteCount && memcmp( file, bytes, byteCount ) == 0;
	gelReport_SetBool( &program->report, "verify.passed", isSame );
	if ( isSame )
		gelProgram_Say( program, "%s: verified: its sources bake to these %zu bytes", path, byteCount );
	else
		gelFindings_Add( &program->findings, gel_finding544, path,
			"it has %zu bytes, its sources bake to %zu bytes%s", fileBytes, byteCount,
			fileBytes == byteCount ? ", others" : "" );
	free( file );
}
