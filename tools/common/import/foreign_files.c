// SPDX-License-Identifier: MIT
// What a file that is not read here really is, by its first bytes, and what to do about it.
#include "common/import/import_internal.h"

#include <string.h>

static const char s_export[] = "export the mesh as glTF (GLB) from there";
static const char s_convert[] = "open it in a modeller, such as Blender, and export it as glTF (GLB)";
static const char s_picture[] = "give the mesh, which is an OBJ, glTF, GLB, STL or PLY file";

// The first row that fits says what it is.
static const struct
{
	const char* bytes;
	size_t count;
	const char* within; // word that is in the first part of the file as well, or NULL
	const char* name;
	const char* advice;
} s_kinds[] = {
	{ "Kaydara FBX", 11, NULL, "an FBX file",
		"export as glTF (GLB), or open it in Blender and export from there" },
	{ "; FBX ", 6, NULL, "an FBX file in text",
		"export as glTF (GLB), or open it in Blender and export from there" },
	{ "BLENDER", 7, NULL, "a Blender file", "open it in Blender: File, Export, glTF 2.0 (.glb)" },
	{ "\x28\xB5\x2F\xFD", 4, NULL, "data packed by zstd, as Blender files are",
		"open it in Blender: File, Export, glTF 2.0 (.glb)" },
	{ "PXR-USDC", 8, NULL, "a USD file", s_convert },
	{ "#usda", 5, NULL, "a USD file in text", s_convert },
	{ "PK\x03\x04", 4, "3D/3dmodel.model", "a 3MF file", s_convert },
	{ "PK\x03\x04", 4, ".usd", "a USDZ file", s_convert },
	{ "PK\x03\x04", 4, NULL, "a ZIP archive", "unpack it, and give the mesh that is in it" },
	{ "\x1F\x8B", 2, NULL, "a gzip archive", "unpack it first" },
	{ "7z\xBC\xAF", 4, NULL, "a 7z archive", "unpack it first" },
	{ "Rar!", 4, NULL, "a RAR archive", "unpack it first" },
	{ "<?xml", 5, "<COLLADA", "a COLLADA file (.dae)", s_convert },
	{ "<?xml", 5, "<X3D", "an X3D file", s_convert },
	{ "<?xml", 5, "VTKFile", "a VTK file", s_convert },
	{ "<?xml", 5, NULL, "an XML document", s_convert },
	{ "<COLLADA", 8, NULL, "a COLLADA file (.dae)", s_convert },
	{ "<!DOCTYPE", 9, NULL, "a web page", "download the mesh itself" },
	{ "<html", 5, NULL, "a web page", "download the mesh itself" },
	{ "version https://git-lfs", 23, NULL, "a pointer of Git LFS", "run git lfs pull, which gets the file" },
	{ "DRACO", 5, NULL, "a bare Draco file",
		"put the mesh into a glTF file; those may be compressed by Draco" },
	{ "OFF", 3, NULL, "an OFF file", "convert it to OBJ, PLY or STL" },
	{ "COFF", 4, NULL, "an OFF file", "convert it to OBJ, PLY or STL" },
	{ "# vtk DataFile", 14, NULL, "a VTK file", s_convert },
	{ "#VRML", 5, NULL, "a VRML file", s_convert },
	{ "Ogawa", 5, NULL, "an Alembic file", s_convert },
	{ "\x89HDF", 4, NULL, "an HDF5 file", s_convert },
	{ "MM\0*", 4, NULL, "a TIFF image", s_picture }, // before 3DS, which begins like it
	{ "II*\0", 4, NULL, "a TIFF image", s_picture },
	{ "\x89PNG", 4, NULL, "a PNG image", s_picture },
	{ "\xFF\xD8\xFF", 3, NULL, "a JPEG image", s_picture },
	{ "GIF8", 4, NULL, "a GIF image", s_picture },
	{ "BM", 2, NULL, "a BMP image", s_picture },
	{ "RIFF", 4, "WEBP", "a WebP image", s_picture },
	{ "\xABKTX ", 5, NULL, "a KTX texture", s_picture },
	{ "FORM", 4, "LWO", "a LightWave file", s_export },
	{ "FOR4", 4, NULL, "a Maya file", s_export },
	{ "FOR8", 4, NULL, "a Maya file", s_export },
	{ "//Maya", 6, NULL, "a Maya file", s_export },
	{ "\xD0\xCF\x11\xE0", 4, NULL, "a 3ds Max file, or another OLE document", s_export },
	{ "ISO-10303-21", 12, NULL, "a STEP or IFC file", "export the mesh as STL from the CAD program" },
	{ "3D Geometry File", 16, NULL, "a Rhino file", "export the mesh as STL or OBJ from Rhino" },
	{ "%PDF", 4, NULL, "a PDF document", s_picture },
	{ "\x7F"
	  "ELF",
		4, NULL, "a program", s_picture },
	{ "\x89GEL", 4, NULL, "a Gelpack pack", "give the art that it was baked from" },
	{ "$MeshFormat", 11, NULL, "an MSH cage file", "give the art here, and the cage as --cage" },
	{ "\xFE\xFF", 2, NULL, "UTF-16 text", "save it as UTF-8" },
	{ "\xFF\xFE", 2, NULL, "UTF-16 text", "save it as UTF-8" },
};
#define KIND_COUNT ( sizeof s_kinds / sizeof s_kinds[0] )

// How far a word may be behind the start.
#define LOOK_BYTES 4096u

static bool HasWord( const uint8_t* data, size_t bytes, const char* word )
{
	size_t length = strlen( word ), looked = bytes < LOOK_BYTES ? bytes : LOOK_BYTES;
	for ( size_t i = 0; i + length <= looked; ++i )
		if ( memcmp( data + i, word, length ) == 0 ) return true;
	return false;
}

static size_t FindKind( const uint8_t* data, size_t bytes )
{
	for ( size_t i = 0; i < KIND_COUNT; ++i )
		if ( bytes >= s_kinds[i].count && memcmp( data, s_kinds[i].bytes, s_kinds[i].count ) == 0 &&
			( s_kinds[i].within == NULL || HasWord( data, bytes, s_kinds[i].within ) ) )
			return i;
	return KIND_COUNT;
}

// Data without a mark at its start, by its zeros: UTF-16 text of mostly Latin letters has them on one side,
// other binary data on both, or a few. NULL: text.
static const char* FindBinaryKind( const uint8_t* data, size_t bytes )
{
	size_t zeros[2] = { 0, 0 };
	size_t looked = bytes < 256 ? bytes : 256;
	for ( size_t i = 0; i < looked; ++i )
		zeros[i & 1] += data[i] == 0;
	if ( looked >= 8 && ( zeros[0] > looked / 3 || zeros[1] > looked / 3 ) &&
		zeros[0] + zeros[1] < looked * 3 / 4 )
		return "UTF-16 text";
	if ( bytes >= 6 && data[0] == 'M' && data[1] == 'M' && zeros[0] + zeros[1] > 0 ) return "a 3DS file";
	return zeros[0] + zeros[1] > 0 ? "binary data" : NULL;
}

bool gelIsFbx( const uint8_t* data, size_t bytes )
{
	size_t kind = FindKind( data, bytes );
	return kind < KIND_COUNT && strncmp( s_kinds[kind].name, "an FBX", 6 ) == 0;
}

bool gelIsForeignFile( const uint8_t* data, size_t bytes )
{
	return FindKind( data, bytes ) < KIND_COUNT || FindBinaryKind( data, bytes ) != NULL;
}

bool gelRefuseForeignFile( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	size_t kind = FindKind( data, bytes );
	const char* name = kind < KIND_COUNT ? s_kinds[kind].name : FindBinaryKind( data, bytes );
	const char* advice = kind < KIND_COUNT   ? s_kinds[kind].advice
		: strcmp( name, "UTF-16 text" ) == 0 ? "save it as UTF-8"
											 : s_convert;
	gelFindings_Add( importer->findings, gel_findingNotMesh, importer->path, "this is %s; %s", name, advice );
	return false;
}
