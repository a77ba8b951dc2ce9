// SPDX-License-Identifier: MIT
// A picture of a cage around its art, from the front and from behind: the art shaded, the cage as a
// wireframe, what is wrong in red.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

typedef struct gelPictureMarks
{
	const uint8_t* badTris; // per triangle of the surface: filled red; NULL: none
	const uint8_t* badTets; // per tet of the cage: edges drawn red; NULL: none
} gelPictureMarks;

/// @param cage may be empty (no tets) when there is none
/// @return false: an error was added
bool gelWriteCagePicture( const char* path, const gelSurface* surface, const gelTetMesh* cage,
	const gelPictureMarks* marks, gelFindings* findings );
