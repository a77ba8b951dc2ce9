// SPDX-License-Identifier: MIT
// The one place where the single-header libraries are compiled. Built without our warnings: not our code.
#include <stdio.h>
#include <stdlib.h>

// tinyobjloader-c does not look whether it got its memory. It asks for little (import_obj_faces.c), so ending
// the program, with the exit code for this, is the one thing left to do.
static void* OrExit( void* memory )
{
	if ( memory != NULL ) return memory;
	fputs( "error: T0003: out of memory\n", stderr );
	exit( 4 );
}

#define TINYOBJ_MALLOC( bytes )          OrExit( malloc( ( bytes ) > 0 ? ( bytes ) : 1 ) )
#define TINYOBJ_CALLOC( count, bytes )   OrExit( calloc( count, bytes ) )
#define TINYOBJ_REALLOC( memory, bytes ) OrExit( realloc( memory, bytes ) )
#define TINYOBJ_FREE                     free
#define TINYOBJ_LOADER_C_IMPLEMENTATION
#include <tinyobj_loader_c.h>

#define CGLTF_IMPLEMENTATION
#include <cgltf.h>
#undef CGLTF_IMPLEMENTATION // cgltf_write.h includes it again

#define CGLTF_WRITE_IMPLEMENTATION
#include <cgltf_write.h>
