// SPDX-License-Identifier: MIT
// Parts of a GLB file while it is put together: bytes of the binary chunk, and lists of the JSON chunk that
// refer to them. Used by glb_out.c and glb_materials.c.
#pragma once

#include "preview/play/recording.h"
#include "preview/render/art_look.h"

#include <jansson.h>

typedef struct gelGlbParts
{
	const gelRecording* recording;
	gelScene* scene;
	const gelArtLook* looks; // per pack; NULL: none
	uint8_t* bin;
	size_t used, capacity; // what there will be in all is known before
	json_t *accessors, *views, *materials, *images, *textures;
	int* packImages; // per pack: number of the image of its first material + 1; 0: not there yet
} gelGlbParts;

/// Appends bytes as a buffer view, padded to four bytes. @return its number
int gelGlb_AddView( gelGlbParts* parts, const void* bytes, size_t byteCount, int target );

/// Appends bytes as a buffer view with one accessor. @param target of OpenGL; 0: none @return its number
int gelGlb_AddAccessor( gelGlbParts* parts, const void* bytes, size_t byteCount, int componentType,
	const char* type, size_t count, int target, const gelAabb* bounds );

enum
{
	gel_glbFloat = 5126,
	gel_glbUnsignedInt = 5125,
	gel_glbArray = 34962,
	gel_glbElements = 34963,
};

/// The look of a body: that of its pack's art, or NULL.
const gelArtLook* gelGlb_GetLook( const gelGlbParts* parts, int body );

/// Bytes that textures, their coordinates and colors of vertices take, for all bodies.
uint64_t gelGlb_CountLookBytes( const gelGlbParts* parts );

/// Appends the materials of a body, with their pictures. @return number of the first of them
int gelGlb_AddMaterials( gelGlbParts* parts, int body );

/// The triangles of a body as primitives, one for each material that has some: { indices, material } each.
/// @param firstMaterial from gelGlb_AddMaterials. NULL: out of memory
json_t* gelGlb_AddPrimitives( gelGlbParts* parts, int body, int firstMaterial );
