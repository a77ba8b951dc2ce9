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
#include "import_obj_faces.h"

#include "import_internal.h"
#include "print_number.h"

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

// Appends the corners that the library read. An index that was left out comes back as TINYOBJ_INVALID_INDEX.
static void TakeCorners( gelObjFaces* faces, const tinyobj_attrib_t* attrib )
{
	for ( uint32_t i = 0; i < attrib->num_face_num_verts; ++i )
	{
		const tinyobj_vertex_index_t* from = attrib->faces + i;
		gelObjCorner* to = faces->corners + faces->cornerCount + i;
		to->position = (uint32_t)from->v_idx;
		to->uv = (uint32_t)from->vt_idx == TINYOBJ_INVALID_INDEX ? GEL_NO_INDEX : (uint32_t)from->vt_idx;
		to->normal = (uint32_t)from->vn_idx == TINYOBJ_INVALID_INDEX ? GEL_NO_INDEX : (uint32_t)from->vn_idx;
	}
	faces->cornerCount += attrib->num_face_num_verts;
}

static bool FlushBlock( gelObjFaces* faces )
{
	if ( faces->blockFaces == 0 ) return true;
	if ( !gelGrow( (void**)&faces->corners, &faces->cornerCapacity, faces->cornerCount + faces->blockCorners,
			 sizeof( gelObjCorner ) ) )
		return false;
	tinyobj_attrib_t attrib;
	tinyobj_shape_t* shapes = NULL;
	tinyobj_material_t* materials = NULL;
	unsigned int shapeCount = 0, materialCount = 0;
	tinyobj_attrib_init( &attrib );
	int result = tinyobj_parse_obj( &attrib, &shapes, &shapeCount, &materials, &materialCount, faces->block,
		(unsigned int)faces->blockBytes, 0 );
	bool ok = result == TINYOBJ_SUCCESS && attrib.num_faces == faces->blockFaces &&
		attrib.num_face_num_verts == faces->blockCorners;
	if ( ok ) TakeCorners( faces, &attrib );
	tinyobj_attrib_free( &attrib );
	tinyobj_shapes_free( shapes, shapeCount );
	tinyobj_materials_free( materials, materialCount );
	faces->blockBytes = 0;
	faces->blockFaces = 0;
	faces->blockCorners = 0;
	return ok;
}

static void PrintFace( gelObjFaces* faces, const gelObjCorner* corners, uint32_t count )
{
	char* p = faces->block + faces->blockBytes;
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
	faces->blockBytes = (size_t)( p - faces->block );
	++faces->blockFaces;
	faces->blockCorners += count;
}

// A polygon too large for the library; the block goes first, to keep the order.
static bool AddLargeFace( gelObjFaces* faces, const gelObjCorner* corners, uint32_t count )
{
	if ( !FlushBlock( faces ) ) return false;
	if ( !gelGrow( (void**)&faces->corners, &faces->cornerCapacity, faces->cornerCount + count,
			 sizeof( gelObjCorner ) ) )
		return false;
	memcpy( faces->corners + faces->cornerCount, corners, count * sizeof( gelObjCorner ) );
	faces->cornerCount += count;
	return true;
}

bool gelObjFaces_Add(
	gelObjFaces* faces, const gelObjCorner* corners, uint32_t count, uint32_t material, uint32_t line )
{
	if ( faces->block == NULL )
	{
		faces->block = malloc( BLOCK_BYTES );
		if ( faces->block == NULL ) return false;
	}
	if ( !gelGrow( (void**)&faces->faces, &faces->faceCapacity, faces->faceCount + 2, sizeof( gelObjFace ) ) )
		return false;
	uint32_t firstCorner = (uint32_t)( faces->cornerCount + faces->blockCorners );
	faces->faces[faces->faceCount++] = ( gelObjFace ){ firstCorner, material, line };
	faces->faces[faces->faceCount] = ( gelObjFace ){ firstCorner + count, GEL_NO_INDEX, line };
	if ( count > MAX_LIBRARY_CORNERS ) return AddLargeFace( faces, corners, count );
	PrintFace( faces, corners, count );
	if ( faces->blockFaces < BLOCK_FACES &&
		faces->blockBytes + MAX_LIBRARY_CORNERS * MAX_CORNER_BYTES + 4 <= BLOCK_BYTES )
		return true;
	return FlushBlock( faces );
}

bool gelObjFaces_Finish( gelObjFaces* faces )
{
	return FlushBlock( faces );
}

void gelFreeObjFaces( gelObjFaces* faces )
{
	free( faces->corners );
	free( faces->faces );
	free( faces->block );
	*faces = ( gelObjFaces ){ 0 };
}
