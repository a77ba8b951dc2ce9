// SPDX-License-Identifier: MIT
#include "common/mesh/mesh_export.h"

#include "common/mesh/export_internal.h"

#include <string.h>
#include <strings.h>

bool gelExportMesh( const gelMesh* mesh, const char* path, gelFindings* findings )
{
	const char* dot = strrchr( path, '.' );
	if ( dot != NULL && strcasecmp( dot, ".obj" ) == 0 ) return gelExportObj( mesh, path, findings );
	if ( dot != NULL && strcasecmp( dot, ".glb" ) == 0 ) return gelExportGlb( mesh, path, findings );
	gelFindings_Add( findings, gel_findingUsage, path,
		"a mesh is written as .obj or .glb; give the file one of these endings" );
	return false;
}
