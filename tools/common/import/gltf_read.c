// SPDX-License-Identifier: MIT
// Elements of checked accessors. cgltf's own readers are not used: they load misaligned words through
// pointers, and step through sparse values with the stride of the base data, which is wrong for interleaved
// buffers.
#include "common/import/gltf_internal.h"

#include <gelpack/asserts.h>

#include <string.h>

static const uint8_t* ViewBytes( const cgltf_buffer_view* view )
{
	return (const uint8_t*)view->buffer->data + view->offset;
}

// Normalized integers: glTF 2.0, section 3.11 (animation) gives the equations f = max(c / 127.0, -1.0) and so
// on.
static float ReadComponent( const uint8_t* p, cgltf_component_type type, bool normalized )
{
	int16_t s16;
	uint16_t u16;
	uint32_t u32;
	float f32;
	switch ( type )
	{
		case cgltf_component_type_r_8:
			f32 = (float)(int8_t)*p;
			return !normalized ? f32 : f32 < -127.0f ? -1.0f : f32 / 127.0f;
		case cgltf_component_type_r_8u:
			return normalized ? (float)*p / 255.0f : (float)*p;
		case cgltf_component_type_r_16:
			memcpy( &s16, p, sizeof s16 );
			f32 = (float)s16;
			return !normalized ? f32 : f32 < -32767.0f ? -1.0f : f32 / 32767.0f;
		case cgltf_component_type_r_16u:
			memcpy( &u16, p, sizeof u16 );
			return normalized ? (float)u16 / 65535.0f : (float)u16;
		case cgltf_component_type_r_32u:
			memcpy( &u32, p, sizeof u32 );
			return normalized ? (float)( u32 / 4294967295.0 ) : (float)u32;
		default:
			memcpy( &f32, p, sizeof f32 );
			return f32;
	}
}

// memcpy, because nothing aligns what a hostile file points to.
static uint32_t ReadIndex( const uint8_t* p, cgltf_component_type type )
{
	uint16_t u16;
	uint32_t u32;
	switch ( type )
	{
		case cgltf_component_type_r_8u:
			return *p;
		case cgltf_component_type_r_16u:
			memcpy( &u16, p, sizeof u16 );
			return u16;
		default:
			memcpy( &u32, p, sizeof u32 );
			return u32;
	}
}

static void ReadElement( const cgltf_accessor* accessor, const uint8_t* p, uint32_t components, float* out )
{
	size_t size = cgltf_component_size( accessor->component_type );
	for ( uint32_t k = 0; k < components; ++k )
		out[k] = ReadComponent( p + k * size, accessor->component_type, accessor->normalized );
}

// Overwrites the elements that the sparse part names.
static void ReadSparseFloats(
	const cgltf_accessor* accessor, uint32_t components, uint32_t stride, float* out )
{
	const cgltf_accessor_sparse* sparse = &accessor->sparse;
	const uint8_t* indices = ViewBytes( sparse->indices_buffer_view ) + sparse->indices_byte_offset;
	const uint8_t* values = ViewBytes( sparse->values_buffer_view ) + sparse->values_byte_offset;
	size_t indexBytes = cgltf_component_size( sparse->indices_component_type );
	size_t valueBytes = cgltf_calc_size( accessor->type, accessor->component_type );
	for ( size_t i = 0; i < sparse->count; ++i )
	{
		uint32_t at = ReadIndex( indices + i * indexBytes, sparse->indices_component_type );
		ReadElement( accessor, values + i * valueBytes, components, out + (size_t)at * stride );
	}
}

void gelReadAccessorFloats( const cgltf_accessor* accessor, uint32_t components, float* out )
{
	GEL_ASSERT( components >= 1 && components <= 4 );
	uint32_t own = (uint32_t)cgltf_num_components( accessor->type );
	uint32_t used = own < components ? own : components;
	const uint8_t* base =
		accessor->buffer_view != NULL ? ViewBytes( accessor->buffer_view ) + accessor->offset : NULL;
	for ( size_t i = 0; i < accessor->count; ++i )
	{
		// An accessor without a view is all zeros (glTF 2.0, section 3.6.2.3), as a base for sparse values.
		if ( base != NULL )
			ReadElement( accessor, base + i * accessor->stride, used, out + i * components );
		else
			memset( out + i * components, 0, used * sizeof( float ) );
	}
	if ( accessor->is_sparse ) ReadSparseFloats( accessor, used, components, out );
}

// Columns of matrices start at multiples of four bytes (glTF 2.0, section 3.6.2.4), which those of floats do.
void gelReadAccessorAt( const cgltf_accessor* accessor, size_t index, uint32_t components, float* out )
{
	GEL_ASSERT( index < accessor->count && !accessor->is_sparse );
	GEL_ASSERT( components <= (uint32_t)cgltf_num_components( accessor->type ) );
	memset( out, 0, components * sizeof( float ) );
	if ( accessor->buffer_view == NULL ) return;
	const uint8_t* base = ViewBytes( accessor->buffer_view ) + accessor->offset;
	ReadElement( accessor, base + index * accessor->stride, components, out );
}

void gelReadAccessorIndices( const cgltf_accessor* accessor, uint32_t* out )
{
	cgltf_component_type type = accessor->component_type;
	const uint8_t* base =
		accessor->buffer_view != NULL ? ViewBytes( accessor->buffer_view ) + accessor->offset : NULL;
	for ( size_t i = 0; i < accessor->count; ++i )
		out[i] = base != NULL ? ReadIndex( base + i * accessor->stride, type ) : 0;
	if ( !accessor->is_sparse ) return;
	const cgltf_accessor_sparse* sparse = &accessor->sparse;
	const uint8_t* indices = ViewBytes( sparse->indices_buffer_view ) + sparse->indices_byte_offset;
	const uint8_t* values = ViewBytes( sparse->values_buffer_view ) + sparse->values_byte_offset;
	size_t indexBytes = cgltf_component_size( sparse->indices_component_type );
	size_t valueBytes = cgltf_component_size( type );
	for ( size_t i = 0; i < sparse->count; ++i )
		out[ReadIndex( indices + i * indexBytes, sparse->indices_component_type )] =
			ReadIndex( values + i * valueBytes, type );
}
