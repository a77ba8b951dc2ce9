// SPDX-License-Identifier: MIT
// Parts of a GLB file while it is put together: bytes of the binary chunk, and lists of the JSON chunk. Used
// by glb_out.c and glb_materials.c.
#pragma once

#include "common/mesh/glb_file.h"
#include "preview/play/recording.h"
#include "preview/render/art_look.h"

typedef struct gelGlbParts
{
	const gelRecording* recording;
	gelScene* scene;
	const gelArtLook* looks; // per pack; NULL: none
	gelGlbBuffer buffer;
	json_t *materials, *images, *textures;
	int* packImages; // per pack: number of the image of its first material + 1; 0: not there yet
} gelGlbParts;

/// The look of a body: that of its pack's art, or NULL.
const gelArtLook* gelGlb_GetLook( const gelGlbParts* parts, int body );

/// Bytes that textures, their coordinates and colors of vertices take, for all bodies.
uint64_t gelGlb_CountLookBytes( const gelGlbParts* parts );

/// Appends the materials of a body, with their pictures. @return number of the first of them
int gelGlb_AddMaterials( gelGlbParts* parts, int body );

/// The triangles of a body as primitives, one for each material that has some: { indices, material } each.
/// @param firstMaterial from gelGlb_AddMaterials. NULL: out of memory
json_t* gelGlb_AddPrimitives( gelGlbParts* parts, int body, int firstMaterial );
