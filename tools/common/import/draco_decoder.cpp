// SPDX-License-Identifier: MIT
// The library trusts the counts of a file before it has seen the data for them. So while it decodes, what it asks for is
// counted, and it gets no more than it was granted: it ends with std::bad_alloc then, and gives back what it had.
#include "common/import/draco_decoder.h"

#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>

#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace
{
// Bytes that may still be asked for on this thread, and whether that is what a request failed for.
thread_local size_t s_left = std::numeric_limits<size_t>::max();
thread_local bool s_isExhausted = false;

const size_t s_unlimited = std::numeric_limits<size_t>::max();

void* Allocate( size_t bytes )
{
	if ( bytes == 0 ) bytes = 1;
	if ( s_left != s_unlimited && bytes > s_left )
	{
		s_isExhausted = true;
		throw std::bad_alloc();
	}
	void* memory = std::malloc( bytes );
	if ( memory == nullptr ) throw std::bad_alloc();
	size_t used = malloc_usable_size( memory );
	if ( s_left != s_unlimited ) s_left -= used < s_left ? used : s_left;
	return memory;
}

void Release( void* memory )
{
	if ( s_left != s_unlimited && memory != nullptr ) s_left += malloc_usable_size( memory );
	std::free( memory );
}
} // namespace

// These replace those of the standard library in the whole program, with the same behavior where nothing is counted.
void* operator new( size_t bytes )
{
	return Allocate( bytes );
}
void* operator new[]( size_t bytes )
{
	return Allocate( bytes );
}
void* operator new( size_t bytes, const std::nothrow_t& ) noexcept
{
	try
	{
		return Allocate( bytes );
	}
	catch ( ... )
	{
		return nullptr;
	}
}
void* operator new[]( size_t bytes, const std::nothrow_t& ) noexcept
{
	return operator new( bytes, std::nothrow );
}
void operator delete( void* memory ) noexcept
{
	Release( memory );
}
void operator delete[]( void* memory ) noexcept
{
	Release( memory );
}
void operator delete( void* memory, size_t ) noexcept
{
	Release( memory );
}
void operator delete[]( void* memory, size_t ) noexcept
{
	Release( memory );
}

struct gelDracoMesh
{
	std::unique_ptr<draco::Mesh> mesh;
};

static gelDracoResult Decode( const void* data, size_t bytes, gelDracoMesh** out )
{
	try
	{
		draco::DecoderBuffer buffer;
		buffer.Init( static_cast<const char*>( data ), bytes );
		draco::Decoder decoder;
		auto decoded = decoder.DecodeMeshFromBuffer( &buffer );
		if ( !decoded.ok() ) return gel_dracoDamaged;
		std::unique_ptr<draco::Mesh> mesh = std::move( decoded ).value();
		if ( mesh == nullptr ) return gel_dracoDamaged;
		*out = new gelDracoMesh{ std::move( mesh ) };
		return gel_dracoDone;
	}
	catch ( const std::bad_alloc& )
	{
		return s_isExhausted ? gel_dracoTooLarge : gel_dracoNoMemory;
	}
	catch ( ... )
	{
		return gel_dracoDamaged; // std::length_error of sizes that no vector can have
	}
}

gelDracoResult gelDecodeDraco( const void* data, size_t bytes, size_t memoryBytes, gelDracoMesh** out )
{
	*out = nullptr;
	s_isExhausted = false;
	s_left = memoryBytes;
	gelDracoResult result = Decode( data, bytes, out );
	s_left = s_unlimited;
	return result;
}

void gelFreeDraco( gelDracoMesh* mesh )
{
	delete mesh;
}

size_t gelDraco_GetVertexCount( const gelDracoMesh* mesh )
{
	return mesh->mesh->num_points();
}

size_t gelDraco_GetTriangleCount( const gelDracoMesh* mesh )
{
	return mesh->mesh->num_faces();
}

bool gelDraco_CopyIndices( const gelDracoMesh* mesh, uint32_t* out )
{
	const uint32_t count = mesh->mesh->num_points();
	for ( uint32_t i = 0; i < mesh->mesh->num_faces(); ++i )
	{
		const draco::Mesh::Face& face = mesh->mesh->face( draco::FaceIndex( i ) );
		for ( int k = 0; k < 3; ++k )
		{
			out[3 * static_cast<size_t>( i ) + k] = face[k].value();
			if ( face[k].value() >= count ) return false;
		}
	}
	return true;
}

bool gelDraco_FindAttribute( const gelDracoMesh* mesh, uint32_t id, gelDracoAttribute* out )
{
	const draco::PointAttribute* attribute = mesh->mesh->GetAttributeByUniqueId( id );
	if ( attribute == nullptr ) return false;
	out->components = attribute->num_components();
	out->componentBytes = draco::DataTypeLength( attribute->data_type() );
	switch ( attribute->data_type() )
	{
		case draco::DT_INT8:
		case draco::DT_INT16:
		case draco::DT_INT32:
			out->kind = gel_dracoSigned;
			break;
		case draco::DT_UINT8:
		case draco::DT_UINT16:
		case draco::DT_UINT32:
			out->kind = gel_dracoUnsigned;
			break;
		case draco::DT_FLOAT32:
			out->kind = gel_dracoFloat;
			break;
		default:
			out->kind = gel_dracoOther;
	}
	return true;
}

bool gelDraco_CopyAttribute( const gelDracoMesh* mesh, uint32_t id, void* out )
{
	const draco::PointAttribute* attribute = mesh->mesh->GetAttributeByUniqueId( id );
	const size_t bytes = static_cast<size_t>( draco::DataTypeLength( attribute->data_type() ) ) * attribute->num_components();
	const size_t stored = attribute->buffer() != nullptr ? attribute->buffer()->data_size() : 0;
	const uint32_t count = mesh->mesh->num_points();
	if ( attribute->byte_offset() < 0 || attribute->byte_stride() < 0 ) return false;
	const size_t offset = attribute->byte_offset(), stride = attribute->byte_stride();
	if ( !attribute->is_mapping_identity() && attribute->indices_map_size() < count ) return false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const size_t at = offset + stride * attribute->mapped_index( draco::PointIndex( i ) ).value();
		if ( at > stored || bytes > stored - at ) return false;
		std::memcpy( static_cast<char*>( out ) + bytes * i, attribute->buffer()->data() + at, bytes );
	}
	return true;
}
