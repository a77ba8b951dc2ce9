// SPDX-License-Identifier: MIT
// tinyobjloader-c reads face statements well and fast, but it cannot be shown a file from outside:
//   - a line of 4095 bytes or a face of 16 corners overruns its stack buffers (only asserts guard them),
//   - indices are neither checked for overflow nor against the counts, and 0 passes for 1,
//   - its decimal conversion adds powers of 0.1 and is off in the last bits; a large exponent keeps it busy
//   for
//     seconds; vertex colors are dropped,
//   - it opens the file that mtllib names, wherever that is, and reads material names with an unbounded %s,
//   - it takes some 400 bytes of memory for each line.
// So it gets blocks of canonical face lines, "f 1/2/3 4/5/6 7//8\n", whose indices import_obj_scan.c has
// resolved and which are small enough for its buffers; everything else is read by our own scanner, exactly.
#include "common/import/import_obj_faces.h"

#include "common/import/import_internal.h"
#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <tinyobj_loader_c.h>

#include <stdlib.h>
#include <string.h>

// Lines in a block: the library's line records stay in the second-level cache.
#define BLOCK_FACES 2048u
// The library holds 16 corners and wants to see fewer.
#define MAX_LIBRARY_CORNERS 15u
// "4294967295/" three times, and a blank
#define MAX_CORNER_BYTES 34u
#define BLOCK_BYTES      ( BLOCK_FACES * 128u + MAX_LIBRARY_CORNERS * MAX_CORNER_BYTES + 4u )

// Takes the corners that the library read. An index that was left out comes back as TINYOBJ_INVALID_INDEX.
static void TakeCorners( gelObjBlock* block, const tinyobj_attrib_t* attrib )
{
	for ( uint32_t i = 0; i < block->cornerCount; ++i )
	{
		const tinyobj_vertex_index_t* from = attrib->faces + i;
		gelObjCorner* to = block->corners + i;
		to->position = (uint32_t)from->v_idx;
		to->uv = (uint32_t)from->vt_idx == TINYOBJ_INVALID_INDEX ? GEL_NO_INDEX : (uint32_t)from->vt_idx;
		to->normal = (uint32_t)from->vn_idx == TINYOBJ_INVALID_INDEX ? GEL_NO_INDEX : (uint32_t)from->vn_idx;
	}
}

static void ReadBlock( gelObjBlock* block )
{
	tinyobj_attrib_t attrib;
	tinyobj_shape_t* shapes = NULL;
	tinyobj_material_t* materials = NULL;
	unsigned int shapeCount = 0, materialCount = 0;
	tinyobj_attrib_init( &attrib );
	int result = tinyobj_parse_obj( &attrib, &shapes, &shapeCount, &materials, &materialCount, block->text,
		(unsigned int)block->textBytes, 0 );
	block->corners = malloc( block->cornerCount * sizeof( gelObjCorner ) );
	bool ok = block->corners != NULL && result == TINYOBJ_SUCCESS && attrib.num_faces == block->faceCount &&
		attrib.num_face_num_verts == block->cornerCount;
	if ( ok ) TakeCorners( block, &attrib );
	block->failed = !ok;
	tinyobj_attrib_free( &attrib );
	tinyobj_shapes_free( shapes, shapeCount );
	tinyobj_materials_free( materials, materialCount );
	free( block->text );
	block->text = NULL;
}

// Closes the last block. The scan goes on while another thread, if there is one, has it read.
static void FlushBlock( gelObjFaces* faces )
{
	gelObjBlock* block = faces->blockCount > 0 ? faces->blocks[faces->blockCount - 1] : NULL;
	if ( block == NULL || block->isClosed ) return;
	block->isClosed = true;
#pragma omp task firstprivate( block )
	ReadBlock( block );
}

static gelObjBlock* AddBlock( gelObjFaces* faces )
{
	FlushBlock( faces );
	if ( !GEL_GROW( faces->blocks, faces->blockCapacity, faces->blockCount + 1 ) ) return NULL;
	gelObjBlock* block = calloc( 1, sizeof( gelObjBlock ) );
	if ( block != NULL ) faces->blocks[faces->blockCount++] = block;
	return block;
}

static void PrintFace( gelObjBlock* block, const gelObjCorner* corners, uint32_t count )
{
	GEL_ASSERT( count >= 3 );
	char* p = block->text + block->textBytes;
	*p++ = 'f';
	for ( uint32_t i = 0; i < count; ++i )
	{
		*p++ = ' ';
		p = gelPrintIndex( p, corners[i].position + 1 );
		if ( corners[i].uv == GEL_NO_INDEX && corners[i].normal == GEL_NO_INDEX ) continue;
		*p++ = '/';
		if ( corners[i].uv != GEL_NO_INDEX ) p = gelPrintIndex( p, corners[i].uv + 1 );
		if ( corners[i].normal == GEL_NO_INDEX ) continue;
		*p++ = '/';
		p = gelPrintIndex( p, corners[i].normal + 1 );
	}
	*p++ = '\n';
	block->textBytes = (size_t)( p - block->text );
	++block->faceCount;
	block->cornerCount += count;
}

// A polygon too large for the library is a block of its own.
static bool AddLargeFace( gelObjFaces* faces, const gelObjCorner* corners, uint32_t count )
{
	GEL_ASSERT( count >= 3 );
	gelObjBlock* block = AddBlock( faces );
	if ( block == NULL ) return false;
	block->corners = malloc( count * sizeof( gelObjCorner ) );
	if ( block->corners == NULL ) return false;
	memcpy( block->corners, corners, count * sizeof( gelObjCorner ) );
	block->isClosed = true;
	block->faceCount = 1;
	block->cornerCount = count;
	return true;
}

static bool AddSmallFace( gelObjFaces* faces, const gelObjCorner* corners, uint32_t count )
{
	GEL_ASSERT( count >= 3 );
	gelObjBlock* block = faces->blockCount > 0 ? faces->blocks[faces->blockCount - 1] : NULL;
	if ( block == NULL || block->isClosed )
	{
		block = AddBlock( faces );
		if ( block == NULL ) return false;
		block->text = malloc( BLOCK_BYTES );
		// Closed at once: gelFreeObjFaces must not hand a block without text to the library.
		block->isClosed = block->text == NULL;
		if ( block->isClosed ) return false;
	}
	PrintFace( block, corners, count );
	if ( block->faceCount == BLOCK_FACES ||
		block->textBytes + MAX_LIBRARY_CORNERS * MAX_CORNER_BYTES + 4 > BLOCK_BYTES )
		FlushBlock( faces );
	return true;
}

bool gelObjFaces_Add(
	gelObjFaces* faces, const gelObjCorner* corners, uint32_t count, uint32_t material, uint32_t line )
{
	GEL_ASSERT( count >= 3 );
	if ( !GEL_GROW( faces->faces, faces->faceCapacity, faces->faceCount + 2 ) ) return false;
	uint32_t firstCorner = (uint32_t)faces->cornerCount;
	faces->faces[faces->faceCount++] = ( gelObjFace ){ firstCorner, material, line };
	// An entry behind the last, so that face i has corners [faces[i], faces[i + 1]).
	faces->faces[faces->faceCount] = ( gelObjFace ){ firstCorner + count, GEL_NO_INDEX, line };
	faces->cornerCount += count;
	return count > MAX_LIBRARY_CORNERS ? AddLargeFace( faces, corners, count )
									   : AddSmallFace( faces, corners, count );
}

bool gelObjFaces_Finish( gelObjFaces* faces )
{
	FlushBlock( faces );
#pragma omp taskwait
	faces->corners = malloc( ( faces->cornerCount + 1 ) * sizeof( gelObjCorner ) );
	bool ok = faces->corners != NULL;
	size_t count = 0;
	for ( size_t i = 0; i < faces->blockCount && ok; ++i )
	{
		gelObjBlock* block = faces->blocks[i];
		ok = !block->failed && block->corners != NULL;
		if ( ok )
			memcpy( faces->corners + count, block->corners, block->cornerCount * sizeof( gelObjCorner ) );
		count += block->cornerCount;
		free( block->corners );
		block->corners = NULL;
	}
	return ok;
}

void gelFreeObjFaces( gelObjFaces* faces )
{
#pragma omp taskwait // after an error blocks may still be read
	for ( size_t i = 0; i < faces->blockCount; ++i )
	{
		free( faces->blocks[i]->text );
		free( faces->blocks[i]->corners );
		free( faces->blocks[i] );
	}
	free( faces->blocks );
	free( faces->corners );
	free( faces->faces );
	*faces = ( gelObjFaces ){ 0 };
}
