// SPDX-License-Identifier: MIT
// What paint on the art means: channels, ranges, and the values that they stand for.
#include "bake/body/paint.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Materials between the least and the largest paint. Stiffness and density together then have no more than
// 241 * 241 of them, which a pack holds (GEL_PACK_MAX_MATERIALS). A range of 100:1 in stiffness has steps of
// 2 %.
#define GEL_PAINT_STEPS 240.0

#define GEL_LEAST_PAINT 1e-20 // least modulus [Pa] or density [kg/m^3]

const gelPaintKindInfo gelPaintKinds[gel_paintKindCount] = {
	{ "stiffness", "_STIFFNESS", "Young's modulus in Pa", 1e15 },
	{ "density", "_DENSITY", "density in kg/m^3", 1e9 },
	{ "pin", "_PIN", "value from 0 to 1", 1.0 },
};

bool gelIsPaintChannel( const char* name )
{
	return ( name[0] == '_' && strlen( name ) < sizeof( ( (gelPaintRule*)NULL )->channel ) &&
			   strchr( name, ':' ) == NULL ) ||
		strcmp( name, "color.r" ) == 0 || strcmp( name, "color.g" ) == 0 || strcmp( name, "color.b" ) == 0 ||
		strcmp( name, "color.a" ) == 0;
}

// ---- channels --------------------------------------------------------------------------------------------

typedef struct Channel
{
	const char* name;
	const float* values; // NULL: not painted
	uint32_t stride;
} Channel;

static bool FailChannel(
	const gelPaintInput* input, const char* channel, const char* reason, gelFindings* findings )
{
	gelFindings_Add( findings, gel_findingPaintWrong, input->file, "%.63s %s", channel, reason );
	return false;
}

// Attributes are taken without being asked for, since nobody has _STIFFNESS by accident; colors only by a
// rule, since most art has some.
static bool FindChannel( const gelPaintInput* input, gelPaintKind kind, gelFindings* findings, Channel* out )
{
	GEL_ASSERT( kind < gel_paintKindCount );
	const gelMesh* mesh = input->mesh;
	const gelPaintRule* rule = input->rules->rules + kind;
	const char* name = rule->isGiven ? rule->channel : gelPaintKinds[kind].attribute;
	*out = ( Channel ){ .name = name };
	if ( name[0] != '_' )
	{
		if ( mesh->colors == NULL )
			return FailChannel(
				input, name, "is not there: the art has no vertex colors (COLOR_0)", findings );
		size_t component = strcspn( "rgba", name + strlen( "color." ) );
		*out = ( Channel ){ name, mesh->colors + component, 4 };
		return true;
	}
	for ( uint32_t i = 0; i < mesh->attributeCount; ++i )
	{
		const gelMeshAttribute* attribute = mesh->attributes + i;
		if ( strcmp( attribute->name, name ) != 0 ) continue;
		if ( attribute->components != 1 )
			return FailChannel(
				input, name, "has several components; a painted attribute is a SCALAR", findings );
		*out = ( Channel ){ name, attribute->values, 1 };
		return true;
	}
	return !rule->isGiven ||
		FailChannel( input, name, "is not there: no vertex has this attribute", findings );
}

bool gelIsPainted( const gelPaintRules* rules, const gelMesh* mesh, gelPaintKind kind )
{
	gelPaintInput input = { .rules = rules, .mesh = mesh };
	gelFindings quiet = { .silent = true };
	Channel channel;
	bool isThere = !rules->isOff && FindChannel( &input, kind, &quiet, &channel ) && channel.values != NULL;
	gelFreeFindings( &quiet );
	return isThere;
}

static bool FailValue( const gelPaintInput* input, const Channel* channel, uint32_t vertex,
	const char* wanted, gelFindings* findings )
{
	const float* p = input->mesh->positions + 3 * (size_t)vertex;
	gelFindings_Add( findings, gel_findingPaintWrong, input->file,
		"%.63s of vertex %u at %g %g %g is %g, which is no %s", channel->name,
		input->mesh->vertToSource[vertex], (double)p[0], (double)p[1], (double)p[2],
		(double)channel->values[(size_t)vertex * channel->stride], wanted );
	return false;
}

static bool CheckValues(
	const gelPaintInput* input, gelPaintKind kind, const Channel* channel, gelFindings* findings )
{
	bool isUnit = input->rules->rules[kind].hasRange || kind == gel_paintPin;
	double max = isUnit ? 1.0 : gelPaintKinds[kind].max, largest = 0.0;
	for ( uint32_t v = 0; v < input->mesh->vertexCount; ++v )
	{
		double value = (double)channel->values[(size_t)v * channel->stride];
		// Zero means "not painted". What is above zero but no modulus any more would divide by nothing later.
		bool isTiny = !isUnit && value > 0.0 && value < GEL_LEAST_PAINT;
		if ( !( value >= 0.0 && value <= max ) || isTiny )
			return FailValue(
				input, channel, v, isUnit ? "value from 0 to 1" : gelPaintKinds[kind].quantity, findings );
		largest = fmax( largest, value );
	}
	if ( isUnit || largest > 1.0 || largest == 0.0 ) return true;
	// Bytes that stand for 0 to 1, or a brush that does not know pascals.
	gelFindings_Add( findings, gel_findingPaintWrong, input->file,
		"%.63s goes from 0 to 1, which is no %s; say what that means, as in --paint %s=%.63s:LOW:HIGH",
		channel->name, gelPaintKinds[kind].quantity, gelPaintKinds[kind].name, channel->name );
	return false;
}

// ---- values ----------------------------------------------------------------------------------------------

// Young's modulus is mixed in equal ratios, as between regions.
static bool IsLog( const gelPaintRule* rule, gelPaintKind kind )
{
	return rule->hasRange ? rule->isLog : kind == gel_paintStiffness;
}

// What is spread over the cage: equal steps of it look equal. Where nothing is painted, the body is itself.
static double* MakeValues(
	const gelPaintInput* input, gelPaintKind kind, const Channel* channel, gelBakePool* pool )
{
	const gelPaintRule* rule = input->rules->rules + kind;
	const gelBakeMaterial* base = input->base;
	double unpainted = kind == gel_paintStiffness ? base->youngsModulus : base->density;
	double* out = gelBakePool_Alloc( pool, input->mesh->vertexCount, sizeof( double ) );
	for ( uint32_t v = 0; v < input->mesh->vertexCount; ++v )
	{
		double value = (double)channel->values[(size_t)v * channel->stride];
		if ( rule->hasRange )
			out[v] = rule->isLog ? ( 1.0 - value ) * log( rule->low ) + value * log( rule->high )
								 : ( 1.0 - value ) * rule->low + value * rule->high;
		else if ( kind == gel_paintPin )
			out[v] = value;
		else
			out[v] = value > 0.0 ? value : unpainted;
		if ( !rule->hasRange && IsLog( rule, kind ) ) out[v] = log( out[v] );
	}
	return out;
}

// In steps between the least and the largest, and as a float: so a value that was painted everywhere is that
// value again, and not one beside it.
static double* MakeTetValues( const gelCage* cage, const double* nodes, bool isLog, gelBakePool* pool )
{
	GEL_ASSERT( nodes != NULL );
	double* out = gelBakePool_Alloc( pool, cage->tetCount, sizeof( double ) );
	double low = nodes[0], high = nodes[0];
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		low = fmin( low, nodes[i] );
		high = fmax( high, nodes[i] );
	}
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)t;
		double value = low;
		if ( low < high )
		{
			double mean = 0.25 * ( nodes[n[0]] + nodes[n[1]] + nodes[n[2]] + nodes[n[3]] );
			value = low +
				( high - low ) * round( GEL_PAINT_STEPS * ( mean - low ) / ( high - low ) ) / GEL_PAINT_STEPS;
		}
		out[t] = (double)(float)( isLog ? exp( value ) : value );
	}
	return out;
}

bool gelReadPaint( const gelPaintInput* input, gelBakePool* pool, gelFindings* findings, gelPaintResult* out )
{
	GEL_ASSERT( input->threads >= 1 );
	*out = ( gelPaintResult ){ 0 };
	if ( input->rules->isOff || input->mesh->triangleCount == 0 ) return true;
	for ( int kind = 0; kind < gel_paintKindCount; ++kind )
	{
		Channel channel;
		if ( !FindChannel( input, (gelPaintKind)kind, findings, &channel ) ) return false;
		if ( channel.values == NULL ) continue;
		if ( !CheckValues( input, (gelPaintKind)kind, &channel, findings ) ) return false;
		const double* values = MakeValues( input, (gelPaintKind)kind, &channel, pool );
		double* nodes = gelBakePool_Alloc( pool, input->cage->nodeCount, sizeof( double ) );
		gelSpreadPaint( input->mesh, values, input->cage, input->threads, nodes );
		bool isLog = IsLog( input->rules->rules + kind, (gelPaintKind)kind );
		if ( kind == gel_paintStiffness ) out->young = MakeTetValues( input->cage, nodes, isLog, pool );
		if ( kind == gel_paintDensity ) out->density = MakeTetValues( input->cage, nodes, isLog, pool );
		if ( kind == gel_paintPin ) out->pin = nodes;
	}
	return true;
}

// ---- into the settings of a bake -------------------------------------------------------------------------

static void ApplyMaterials(
	const gelPaintResult* paint, uint32_t tetCount, gelBakePool* pool, gelBakeSettings* settings )
{
	if ( paint->young == NULL && paint->density == NULL ) return;
	bool hasRegions = settings->tetMaterials != NULL, isOne = !hasRegions;
	gelBakeMaterial* out = gelBakePool_Alloc( pool, tetCount, sizeof( gelBakeMaterial ) );
	for ( uint32_t t = 0; t < tetCount; ++t )
	{
		out[t] = hasRegions ? settings->tetMaterials[t] : settings->material;
		if ( paint->young != NULL ) out[t].youngsModulus = paint->young[t];
		if ( paint->density != NULL ) out[t].density = paint->density[t];
		isOne = isOne && out[t].youngsModulus == out[0].youngsModulus && out[t].density == out[0].density;
	}
	if ( isOne )
		settings->material = out[0];
	else
		settings->tetMaterials = out;
}

void gelApplyPaint( const gelPaintResult* paint, const gelCage* cage, gelBakePool* pool,
	gelBakeSettings* settings, gelBakePinSet* pins )
{
	GEL_ASSERT( pins->nodeCount == 0 || pins->nodes != NULL );
	ApplyMaterials( paint, cage->tetCount, pool, settings );
	if ( paint->pin == NULL ) return;
	// Pins of boxes and painted pins, merged in ascending order, as factors want them.
	uint32_t* nodes = gelTakeZeroed( cage->nodeCount, sizeof( uint32_t ) );
	uint32_t count = 0, next = 0;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		bool isThere = next < pins->nodeCount && pins->nodes[next] == i;
		next += isThere;
		if ( isThere || paint->pin[i] >= 0.5 ) nodes[count++] = i;
	}
	free( pins->nodes );
	*pins = ( gelBakePinSet ){ nodes, count };
}
