// SPDX-License-Identifier: MIT
// Where the nodes of a glTF file are: at rest, or at a moment of one of its animations.
//
//     world of a node = world of its parent * T * R * S, whatever the scene lists
//
// An animation is applied to the nodes themselves, before anything asks where they are.
#include "common/import/gltf_scene.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROTATION_TOLERANCE 1e-3 // far more than what an exporter's rounding does

static const gelGltfTransform s_identity = {
	{ { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
	{ 0.0, 0.0, 0.0 },
	true,
};

// ---- transforms -----------------------------------------------------------------------------------------

gelVec3 gelMoveGltfPoint( const gelGltfTransform* transform, const float p[3] )
{
	if ( transform->identity ) return ( gelVec3 ){ p[0], p[1], p[2] }; // keeps the bits
	gelVec3d v = { (double)p[0], (double)p[1], (double)p[2] };
	return gelToFloat( gelAddD( gelMulMVD( transform->linear, v ), transform->translation ) );
}

// Columns, then the translation.
static void GetNumbers( const gelGltfTransform* transform, double out[12] )
{
	memcpy( out, &transform->linear, sizeof transform->linear );
	memcpy( out + 9, &transform->translation, sizeof transform->translation );
}

gelGltfTransform gelCombineGltf( const gelGltfTransform* parent, const gelGltfTransform* local )
{
	gelGltfTransform world = { .linear = gelMulMMD( parent->linear, local->linear ),
		.translation = gelAddD( gelMulMVD( parent->linear, local->translation ), parent->translation ),
		.identity = true };
	double numbers[12];
	GetNumbers( &world, numbers );
	for ( int i = 0; i < 12; ++i )
		world.identity &= numbers[i] == ( i % 4 == 0 && i < 9 ? 1.0 : 0.0 );
	return world;
}

bool gelIsFiniteGltf( const gelGltfTransform* transform )
{
	double numbers[12], sum = 0.0;
	GetNumbers( transform, numbers );
	for ( int i = 0; i < 12; ++i )
		// One test for twelve numbers.
		sum += 0.0 * numbers[i]; // NaN for what is not finite
	return sum == 0.0;
}

gelGltfTransform gelMakeGltfTransform( const float matrix[16] )
{
	gelVec3d columns[4];
	for ( int c = 0; c < 4; ++c )
	{
		const float* m = matrix + 4 * c;
		columns[c] = ( gelVec3d ){ (double)m[0], (double)m[1], (double)m[2] };
	}
	return (
		gelGltfTransform ){ .linear = { columns[0], columns[1], columns[2] }, .translation = columns[3] };
}

// Unit quaternion (x, y, z, w) to a matrix; glTF 2.0, section 3.5.3: T * R * S. Another length would scale
// and shear the body.
static void LocalFromParts( const cgltf_node* node, double length, gelGltfTransform* out )
{
	GEL_ASSERT( length != 0.0 );
	double x = node->rotation[0] / length, y = node->rotation[1] / length;
	double z = node->rotation[2] / length, w = node->rotation[3] / length;
	const float *s = node->scale, *t = node->translation;
	gelMat3d r = {
		{ 1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + z * w ), 2.0 * ( x * z - y * w ) },
		{ 2.0 * ( x * y - z * w ), 1.0 - 2.0 * ( x * x + z * z ), 2.0 * ( y * z + x * w ) },
		{ 2.0 * ( x * z + y * w ), 2.0 * ( y * z - x * w ), 1.0 - 2.0 * ( x * x + y * y ) },
	};
	out->linear = ( gelMat3d ){ gelScaleD( (double)s[0], r.cx ), gelScaleD( (double)s[1], r.cy ),
		gelScaleD( (double)s[2], r.cz ) };
	out->translation = ( gelVec3d ){ (double)t[0], (double)t[1], (double)t[2] };
}

static double RotationLength( const cgltf_node* node )
{
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)node->rotation[k] * (double)node->rotation[k];
	return sqrt( sum );
}

static bool LocalTransform(
	gelImporter* importer, const cgltf_data* data, const cgltf_node* node, gelGltfTransform* out )
{
	*out = ( gelGltfTransform ){ 0 };
	if ( node->has_matrix )
	{
		*out = gelMakeGltfTransform( node->matrix );
		return true;
	}
	// absent parts have their defaults in cgltf's node; what is not finite is refused with the mesh
	gelGltfPlace place = { data, node - data->nodes, -1, -1 };
	double length = RotationLength( node );
	if ( length == 0.0 )
		return gelRefuseGltf( importer, &place, gel_findingRotationZero,
			"its rotation is zero, which is no direction; reset it in the modeller" );
	if ( fabs( length - 1.0 ) > ROTATION_TOLERANCE )
		gelRefuseGltf( importer, &place, gel_findingGltfRuleBroken,
			"its rotation is no unit quaternion; only its direction was used" );
	LocalFromParts( node, length, out );
	return true;
}

// Up to a node whose world is known, and down again. Depth is bounded by gelCheckGltfNodes.
const gelGltfTransform* gelFindGltfWorld(
	gelImporter* importer, const cgltf_data* data, gelGltfPose* pose, const cgltf_node* node )
{
	const cgltf_node* chain[GEL_GLTF_MAX_DEPTH + 1];
	int count = 0;
	for ( ; node != NULL && !pose->isKnown[node - data->nodes]; node = node->parent )
	{
		GEL_ASSERT( count <= GEL_GLTF_MAX_DEPTH );
		chain[count++] = node;
	}
	const gelGltfTransform* world = node != NULL ? pose->worlds + ( node - data->nodes ) : &s_identity;
	while ( count > 0 )
	{
		gelGltfTransform local;
		const cgltf_node* next = chain[--count];
		if ( !LocalTransform( importer, data, next, &local ) ) return NULL;
		size_t index = (size_t)( next - data->nodes );
		pose->worlds[index] = gelCombineGltf( world, &local );
		pose->isKnown[index] = true;
		world = pose->worlds + index;
	}
	return world;
}

// ---- animations -----------------------------------------------------------------------------------------

// What a channel says at the time of the pose.
typedef struct Sample
{
	const cgltf_animation_sampler* sampler;
	size_t key;      // last one that is not later
	double share;    // how far the time is between that one and the next; 0: at it
	double interval; // between the two [s]
} Sample;

static float TimeAt( const cgltf_accessor* times, size_t key )
{
	float time = 0.0f;
	gelReadAccessorAt( times, key, 1, &time );
	return time;
}

// Before the first key and behind the last one the value stays (glTF 2.0, section 3.11).
static Sample FindKey( const cgltf_animation_sampler* sampler, double time )
{
	const cgltf_accessor* times = sampler->input;
	Sample sample = { sampler, 0, 0.0, 0.0 };
	size_t end = times->count;
	while ( sample.key + 1 < end )
	{
		size_t middle = sample.key + ( end - sample.key ) / 2;
		if ( (double)TimeAt( times, middle ) <= time )
			sample.key = middle;
		else
			end = middle;
	}
	if ( sample.key + 1 >= times->count ) return sample;
	double first = (double)TimeAt( times, sample.key );
	sample.interval = (double)TimeAt( times, sample.key + 1 ) - first;
	bool isBetween =
		sample.interval > 0.0 && time > first && sampler->interpolation != cgltf_interpolation_type_step;
	sample.share = isBetween ? ( time - first ) / sample.interval : 0.0;
	return sample;
}

// Cubic splines have three values for each key: tangent in, value, tangent out.
static size_t ElementOf( const Sample* sample, size_t key, int part, size_t width, size_t index )
{
	bool isCubic = sample->sampler->interpolation == cgltf_interpolation_type_cubic_spline;
	return isCubic ? ( 3 * key + (size_t)part ) * width + index : key * width + index;
}

static void ReadValue( const Sample* sample, size_t key, int part, size_t width, size_t index, float out[4] )
{
	const cgltf_accessor* output = sample->sampler->output;
	memset( out, 0, 4 * sizeof( float ) );
	gelReadAccessorAt( output, ElementOf( sample, key, part, width, index ),
		(uint32_t)cgltf_num_components( output->type ), out );
}

// Along the shorter arc; nearly equal ones along the chord, which LocalFromParts makes a direction again.
static void Slerp( const float a[4], const float b[4], double share, float out[4] )
{
	double dot = 0.0;
	for ( int k = 0; k < 4; ++k )
		dot += (double)a[k] * (double)b[k];
	double sign = dot < 0.0 ? -1.0 : 1.0, angle = acos( fmin( fabs( dot ), 1.0 ) ), sine = sin( angle );
	double wa = sine > 1e-4 ? sin( ( 1.0 - share ) * angle ) / sine : 1.0 - share;
	double wb = sine > 1e-4 ? sin( share * angle ) / sine : share;
	for ( int k = 0; k < 4; ++k )
		out[k] = (float)( wa * (double)a[k] + sign * wb * (double)b[k] );
}

// The element at an index of a key that holds `width` of them; glTF 2.0, appendix C.
static void Interpolate( const Sample* sample, size_t width, size_t index, bool isRotation, float out[4] )
{
	float a[4], b[4], ta[4], tb[4];
	ReadValue( sample, sample->key, 1, width, index, a );
	memcpy( out, a, 4 * sizeof( float ) );
	if ( sample->share == 0.0 ) return;
	ReadValue( sample, sample->key + 1, 1, width, index, b );
	double t = sample->share, t2 = t * t, t3 = t2 * t;
	if ( sample->sampler->interpolation == cgltf_interpolation_type_cubic_spline )
	{
		ReadValue( sample, sample->key, 2, width, index, ta );
		ReadValue( sample, sample->key + 1, 0, width, index, tb );
		for ( int k = 0; k < 4; ++k )
			out[k] = (float)( ( 2.0 * t3 - 3.0 * t2 + 1.0 ) * (double)a[k] +
				sample->interval * ( t3 - 2.0 * t2 + t ) * (double)ta[k] +
				( -2.0 * t3 + 3.0 * t2 ) * (double)b[k] + sample->interval * ( t3 - t2 ) * (double)tb[k] );
	}
	else if ( isRotation )
		Slerp( a, b, t, out );
	else
		for ( int k = 0; k < 4; ++k )
			out[k] = (float)( ( 1.0 - t ) * (double)a[k] + t * (double)b[k] );
}

static bool PoseWeights( gelImporter* importer, const cgltf_data* data, const cgltf_node* node,
	const Sample* sample, gelGltfPose* pose )
{
	bool isCubic = sample->sampler->interpolation == cgltf_interpolation_type_cubic_spline;
	size_t keys = sample->sampler->input->count * ( isCubic ? 3 : 1 );
	size_t count = sample->sampler->output->count / keys;
	float** weights = pose->weights + ( node - data->nodes );
	free( *weights );
	*weights = calloc( count + 1, sizeof( float ) );
	if ( *weights == NULL ) return gelImporter_OutOfMemory( importer );
	pose->weightCounts[node - data->nodes] = count;
	for ( size_t i = 0; i < count; ++i )
	{
		float value[4];
		Interpolate( sample, count, i, false, value );
		( *weights )[i] = value[0];
	}
	return true;
}

// What is wrong with a channel, or NULL.
static const char* FindChannelFault( const cgltf_animation_channel* channel )
{
	const cgltf_accessor *in = channel->sampler->input, *out = channel->sampler->output;
	const char* fault = gelFindAccessorFault( in );
	if ( fault == NULL ) fault = gelFindAccessorFault( out );
	if ( fault != NULL ) return fault;
	if ( in->is_sparse || out->is_sparse ) return "is sparse, which is not read in animations";
	bool isCubic = channel->sampler->interpolation == cgltf_interpolation_type_cubic_spline;
	size_t values = in->count * ( isCubic ? 3 : 1 );
	cgltf_type wanted = channel->target_path == cgltf_animation_path_type_rotation ? cgltf_type_vec4
		: channel->target_path == cgltf_animation_path_type_weights                ? cgltf_type_scalar
																				   : cgltf_type_vec3;
	if ( in->type != cgltf_type_scalar || out->type != wanted ) return "has a wrong type";
	bool fits = wanted == cgltf_type_scalar ? out->count % values == 0 : out->count >= values;
	return fits ? NULL : "does not have a value for each key";
}

static bool PoseChannel( gelImporter* importer, cgltf_data* data, const cgltf_animation_channel* channel,
	double time, gelGltfPose* pose )
{
	cgltf_node* node = channel->target_node;
	cgltf_animation_path_type path = channel->target_path;
	if ( node == NULL || path == cgltf_animation_path_type_invalid )
		return true; // an extension knows what it means
	gelGltfPlace place = { data, node - data->nodes, -1, -1 };
	if ( !gelLoadAccessorBuffers( importer, data, channel->sampler->input ) ||
		!gelLoadAccessorBuffers( importer, data, channel->sampler->output ) )
		return false;
	const char* fault = FindChannelFault( channel );
	if ( fault != NULL )
	{
		char text[200];
		snprintf( text, sizeof text, "an accessor of its animation %s; export the file again", fault );
		return gelRefuseGltf( importer, &place, gel_findingAccessorUnreadable, text );
	}
	Sample sample = FindKey( channel->sampler, time );
	if ( path == cgltf_animation_path_type_weights )
		return PoseWeights( importer, data, node, &sample, pose );
	float value[4];
	Interpolate( &sample, 1, 0, path == cgltf_animation_path_type_rotation, value );
	if ( node->has_matrix )
		return gelRefuseGltf( importer, &place, gel_findingGltfUnreadable,
			"it has a matrix and an animation, and glTF allows one of them; export the file again" );
	if ( path == cgltf_animation_path_type_translation ) memcpy( node->translation, value, 12 );
	if ( path == cgltf_animation_path_type_scale ) memcpy( node->scale, value, 12 );
	if ( path == cgltf_animation_path_type_rotation ) memcpy( node->rotation, value, 16 );
	return true;
}

// By name, or by number where no animation has that name.
static const cgltf_animation* FindAnimation( const cgltf_data* data, const char* name )
{
	for ( size_t i = 0; i < data->animations_count; ++i )
		if ( data->animations[i].name != NULL && strcmp( data->animations[i].name, name ) == 0 )
			return data->animations + i;
	char* end;
	unsigned long number = strtoul( name, &end, 10 );
	bool isNumber = name[0] >= '0' && name[0] <= '9' && *end == 0;
	return isNumber && number < data->animations_count ? data->animations + number : NULL;
}

static bool RefuseAnimation( gelImporter* importer, const cgltf_data* data, const char* name )
{
	char names[256] = "";
	size_t at = 0;
	for ( size_t i = 0; i < data->animations_count && at + 64 < sizeof names; ++i )
		at += (size_t)snprintf( names + at, sizeof names - at, "%s\"%.40s\"", i > 0 ? ", " : "",
			data->animations[i].name != NULL ? data->animations[i].name : "" );
	gelFindings_Add( importer->findings, gel_findingAnimationMissing, importer->path,
		data->animations_count > 0 ? "there is no animation \"%.60s\"; the file has %s"
								   : "there is no animation \"%.60s\": the file has none%s",
		name, names );
	return false;
}

bool gelPoseGltf( gelImporter* importer, cgltf_data* data, gelGltfPose* pose )
{
	size_t count = data->nodes_count + 1;
	pose->nodeCount = data->nodes_count;
	pose->worlds = calloc( count, sizeof( gelGltfTransform ) );
	pose->isKnown = calloc( count, sizeof( bool ) );
	pose->weights = calloc( count, sizeof( float* ) );
	pose->weightCounts = calloc( count, sizeof( size_t ) );
	if ( pose->worlds == NULL || pose->isKnown == NULL || pose->weights == NULL ||
		pose->weightCounts == NULL )
		return gelImporter_OutOfMemory( importer );
	const char* name = importer->options.animation;
	if ( name == NULL ) return true;
	const cgltf_animation* animation = FindAnimation( data, name );
	if ( animation == NULL ) return RefuseAnimation( importer, data, name );
	for ( size_t i = 0; i < animation->channels_count; ++i )
		if ( !PoseChannel( importer, data, animation->channels + i, importer->options.time, pose ) )
			return false;
	return true;
}

void gelFreeGltfPose( gelGltfPose* pose )
{
	for ( size_t i = 0; pose->weights != NULL && i < pose->nodeCount; ++i )
		free( pose->weights[i] );
	free( pose->weights );
	free( pose->weightCounts );
	free( pose->isKnown );
	free( pose->worlds );
	*pose = ( gelGltfPose ){ 0 };
}
