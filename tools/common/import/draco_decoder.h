// SPDX-License-Identifier: MIT
// Draco meshes for C. The library is C++, and draco_decoder.cpp the one file of that language here. Builds
// without the library (no GEL_HAS_DRACO) have none of these functions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

	typedef struct gelDracoMesh gelDracoMesh;

	typedef enum gelDracoResult
	{
		gel_dracoDone,
		gel_dracoDamaged,
		gel_dracoTooLarge, // it asks for more memory than it was granted
		gel_dracoNoMemory, // the machine has no more
	} gelDracoResult;

	/// Type of the components of an attribute, as bytes of each and what they are.
	typedef enum gelDracoKind
	{
		gel_dracoOther, // nothing that glTF has
		gel_dracoSigned,
		gel_dracoUnsigned,
		gel_dracoFloat,
	} gelDracoKind;

	typedef struct gelDracoAttribute
	{
		gelDracoKind kind;
		uint32_t componentBytes, components;
	} gelDracoAttribute;

	/// @param memoryBytes most that the library may hold at a time
	gelDracoResult gelDecodeDraco( const void* data, size_t bytes, size_t memoryBytes, gelDracoMesh** out );
	void gelFreeDraco( gelDracoMesh* mesh );

	size_t gelDraco_GetVertexCount( const gelDracoMesh* mesh );
	size_t gelDraco_GetTriangleCount( const gelDracoMesh* mesh );
	/// Three per triangle. @return whether all of them are vertices
	bool gelDraco_CopyIndices( const gelDracoMesh* mesh, uint32_t* out );
	/// False: there is no attribute of that unique id.
	bool gelDraco_FindAttribute( const gelDracoMesh* mesh, uint32_t id, gelDracoAttribute* out );
	/// All components of all vertices. False: the values do not cover the vertices.
	bool gelDraco_CopyAttribute( const gelDracoMesh* mesh, uint32_t id, void* out );

#ifdef __cplusplus
}
#endif
