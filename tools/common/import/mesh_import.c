// SPDX-License-Identifier: MIT
// Everything between a path and a gelMesh that is the same for all formats: what kind of file it is (by its
// bytes, never by its name), which files it reads and their hash, and the clean-up afterwards: tubes for
// lines, unused vertices, welds, normals, bounds, precision.
#include "common/import/mesh_import.h"

#include "common/import/import_internal.h"
#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// Turns (x,y,z) into a unit vector unless it is one already up to rounding: that keeps the bits of normals
// which an exporter has normalized. False: too short or not finite, nothing was changed.
static bool Normalize( float n[3] )
{
	double square = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
	if ( !isfinite( square ) || !( square > 1e-24 ) ) return false;
	if ( fabs( square - 1.0 ) < 1e-6 ) return true;
	double scale = 1.0 / sqrt( square );
	for ( int d = 0; d < 3; ++d )
		n[d] = (float)( n[d] * scale );
	return true;
}

bool gelImporter_OutOfMemory( gelImporter* importer )
{
	gelFindings_Add(
		importer->findings, gel_findingNoMemory, importer->path, "out of memory while reading the mesh" );
	return false;
}

bool gelFileExists( const char* path )
{
	struct stat status;
	return stat( path, &status ) == 0 && S_ISREG( status.st_mode );
}

char* gelImporter_BesidePath( const gelImporter* importer, const char* name )
{
	const char* slash = strrchr( importer->path, '/' );
	size_t folder = slash == NULL ? 0 : (size_t)( slash - importer->path ) + 1;
	size_t length = strlen( name );
	char* path = malloc( folder + length + 1 );
	if ( path == NULL ) return NULL;
	memcpy( path, importer->path, folder );
	memcpy( path + folder, name, length + 1 );
	return path;
}

// The art file, whose bytes stay until the import is done, is hashed while it is read; others wait for that.
static void Hash( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	if ( importer->files.count == 0 )
	{
#pragma omp task
		sha256_update( &importer->hash, bytes, data );
		return;
	}
#pragma omp taskwait
	sha256_update( &importer->hash, bytes, data );
}

uint8_t* gelImporter_ReadFile( gelImporter* importer, const char* path, size_t* outBytes )
{
	uint8_t* data = gelReadFile( path, GEL_IMPORT_MAX_BYTES, outBytes, importer->findings );
	if ( data == NULL ) return NULL;
	Hash( importer, data, *outBytes );
	importer->bytesRead += *outBytes;
	gelImportFiles* files = &importer->files;
	char** paths = realloc( files->paths, ( (size_t)files->count + 1 ) * sizeof( char* ) );
	char* copy = strdup( path );
	if ( paths != NULL ) files->paths = paths;
	if ( paths == NULL || copy == NULL )
	{
#pragma omp taskwait
		free( copy );
		free( data );
		gelImporter_OutOfMemory( importer );
		return NULL;
	}
	files->paths[files->count++] = copy;
	return data;
}

static bool LooksLikeJson( const uint8_t* data, size_t bytes )
{
	size_t i = bytes >= 3 && memcmp( data, "\xEF\xBB\xBF", 3 ) == 0 ? 3 : 0;
	while ( i < bytes && isspace( data[i] ) )
		++i;
	return i < bytes && data[i] == '{';
}

// Where the bytes leave a doubt.
static bool HasEnding( const char* path, const char* ending )
{
	size_t length = strlen( path ), count = strlen( ending );
	return length >= count && strcasecmp( path + length - count, ending ) == 0;
}

bool gelIsArtName( const char* path )
{
	static const char* const endings[] = { ".gltf", ".glb", ".obj", ".fbx", ".stl", ".ply" };
	for ( size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i )
		if ( HasEnding( path, endings[i] ) ) return true;
	return false;
}

static bool ImportByKind( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	if ( bytes == 0 )
	{
		gelFindings_Add( importer->findings, gel_findingFileEmpty, importer->path,
			"the file is empty; export the mesh again" );
		return false;
	}
	if ( bytes >= 4 && memcmp( data, "glTF", 4 ) == 0 ) return gelImportGltf( importer, data, bytes );
	if ( LooksLikeJson( data, bytes ) ) return gelImportGltf( importer, data, bytes );
	if ( gelIsFbx( data, bytes ) ) return gelImportFbx( importer, data, bytes );
	if ( importer->options.animation != NULL && !gelIsForeignFile( data, bytes ) )
	{
		gelFindings_Add( importer->findings, gel_findingAnimationMissing, importer->path,
			"there is no animation \"%.60s\": only glTF and FBX files have animations",
			importer->options.animation );
		return false;
	}
	if ( gelIsPly( data, bytes ) ) return gelImportPly( importer, data, bytes );
	if ( gelIsStl( data, bytes ) || ( HasEnding( importer->path, ".stl" ) && bytes > 0 ) )
		return gelImportStl( importer, data, bytes );
	if ( gelIsForeignFile( data, bytes ) ) return gelRefuseForeignFile( importer, data, bytes );
	return gelImportObj( importer, data, bytes );
}

// Moves the kept elements of an array to its front.
static void Compact( float* values, uint32_t components, const uint32_t* kept, uint32_t keptCount )
{
	GEL_ASSERT( components > 0 );
	if ( values == NULL ) return;
	for ( uint32_t i = 0; i < keptCount; ++i )
		memmove( values + (size_t)i * components, values + (size_t)kept[i] * components,
			components * sizeof( float ) );
}

// Drops vertices that no triangle uses: they would widen the bounds and ask for a place in the cage. The
// others keep their order; vertToSource still tells where they come from.
static bool DropUnused( gelMesh* mesh )
{
	uint32_t* newIndex = calloc( (size_t)mesh->vertexCount + 1, sizeof( uint32_t ) );
	uint32_t* kept = malloc( ( (size_t)mesh->vertexCount + 1 ) * sizeof( uint32_t ) );
	if ( newIndex == NULL || kept == NULL )
	{
		free( newIndex );
		free( kept );
		return false;
	}
	for ( size_t i = 0; i < 3 * (size_t)mesh->triangleCount; ++i )
		newIndex[mesh->indices[i]] = 1;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
	{
		if ( newIndex[i] == 0 ) continue;
		newIndex[i] = count;
		kept[count++] = i;
	}
	for ( size_t i = 0; i < 3 * (size_t)mesh->triangleCount; ++i )
		mesh->indices[i] = newIndex[mesh->indices[i]];
	Compact( mesh->positions, 3, kept, count );
	Compact( mesh->normals, 3, kept, count );
	Compact( mesh->uvs, 2, kept, count );
	Compact( mesh->colors, 4, kept, count );
	for ( uint32_t i = 0; i < mesh->attributeCount; ++i )
		Compact( mesh->attributes[i].values, mesh->attributes[i].components, kept, count );
	for ( uint32_t i = 0; i < count; ++i )
		mesh->vertToSource[i] = mesh->vertToSource[kept[i]];
	mesh->vertexCount = count;
	free( newIndex );
	free( kept );
	return true;
}

// How many of the file's vertices are left; vertToSource never falls.
static void ReportUnused( gelImporter* importer )
{
	const gelMesh* mesh = importer->mesh;
	uint32_t used = 0;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
		used += i == 0 || mesh->vertToSource[i] != mesh->vertToSource[i - 1];
	if ( used < mesh->sourceVertexCount )
		gelFindings_Add( importer->findings, gel_findingVerticesUnused, importer->path,
			"%u of %u vertices belong to no triangle and were left out", mesh->sourceVertexCount - used,
			mesh->sourceVertexCount );
}

// Floats are spaced 2^-23 of their size apart. Warns when that is coarse for the model: a small one far from
// the origin (map coordinates, say) loses its shape.
static void CheckPrecision( gelImporter* importer )
{
	const gelMesh* mesh = importer->mesh;
	double farthest = 0.0, largest = 0.0;
	for ( int d = 0; d < 3; ++d )
	{
		farthest = fmax( farthest, fmax( fabs( mesh->boundsMin[d] ), fabs( mesh->boundsMax[d] ) ) );
		largest = fmax( largest, (double)mesh->boundsMax[d] - mesh->boundsMin[d] );
	}
	// 2^23: the spacing of floats just below the farthest coordinate. Below 1e-4 of the size nobody sees it.
	double spacing = farthest / 8388608.0;
	if ( spacing > 1e-4 * largest )
		gelFindings_Add( importer->findings, gel_findingMeshFarAway, importer->path,
			"the model is %.3g long but lies up to %.3g from the origin, where coordinates are %.2g apart; "
			"move it to the origin before exporting",
			largest, farthest, (double)nextafterf( (float)farthest, INFINITY ) - farthest );
}

// Welds, normals that the file lacks, bounds.
static bool Finish( gelImporter* importer )
{
	gelMesh* mesh = importer->mesh;
	if ( mesh->triangleCount == 0 && mesh->lineCount > 0 && !gelMakeTubes( importer ) ) return false;
	if ( mesh->triangleCount == 0 )
	{
		gelFindings_Add( importer->findings, gel_findingNoTriangles, importer->path,
			"the file has no triangles; export it with faces (points and curves cannot be used)" );
		return false;
	}
	if ( !gelSelectParts( importer ) ) return false;
	// Dropping first: a stray vertex would be welded to nothing and widen the bounds.
	if ( !DropUnused( mesh ) || !gelMesh_Weld( mesh ) ) return gelImporter_OutOfMemory( importer );
	if ( !importer->hasSelected ) ReportUnused( importer );
	gelMesh_ComputeBounds( mesh );
	CheckPrecision( importer );
	if ( mesh->normals == NULL ) return gelMesh_ComputeNormals( mesh ) || gelImporter_OutOfMemory( importer );
	// Normals of the file are kept where they are usable, and only the others computed.
	bool* missing = calloc( (size_t)mesh->vertexCount + 1, sizeof( bool ) );
	if ( missing == NULL ) return gelImporter_OutOfMemory( importer );
	uint32_t missingCount = 0;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
	{
		missing[i] = !Normalize( mesh->normals + 3 * (size_t)i );
		missingCount += missing[i];
	}
	bool ok = missingCount == 0 || gelMesh_FillNormals( mesh, missing );
	mesh->normalsFromFile = missingCount < mesh->vertexCount;
	free( missing );
	if ( mesh->normalsFromFile && missingCount > 0 )
		gelFindings_Add( importer->findings, gel_findingNormalsComputed, importer->path,
			"%u of %u vertices have no usable normal; smooth ones were computed for them", missingCount,
			mesh->vertexCount );
	return ok || gelImporter_OutOfMemory( importer );
}

// Imports data, or nothing where the file could not be read, and hands over the list of files.
static bool Import( gelImporter* importer, const uint8_t* data, size_t bytes, gelImportFiles* outFiles )
{
	bool ok = data != NULL && ImportByKind( importer, data, bytes ) && Finish( importer );
	if ( !ok ) gelFreeMesh( importer->mesh );
#pragma omp taskwait
	sha256_digest( &importer->hash, SHA256_DIGEST_SIZE, importer->files.sha256 );
	if ( outFiles != NULL )
		*outFiles = importer->files;
	else
		gelFreeImportFiles( &importer->files );
	return ok;
}

bool gelImportMesh( const char* path, gelFindings* findings, gelMesh* outMesh, gelImportFiles* outFiles )
{
	return gelImportMeshWith( path, &( gelImportOptions ){ 0 }, findings, outMesh, outFiles );
}

bool gelImportMeshWith( const char* path, const gelImportOptions* options, gelFindings* findings,
	gelMesh* outMesh, gelImportFiles* outFiles )
{
	GEL_ASSERT( options->threads >= 0 );
	int threads = options->threads > 0 ? options->threads : 1;
	*outMesh = ( gelMesh ){ 0 };
	gelImporter importer = { .path = path, .findings = findings, .mesh = outMesh, .options = *options };
	sha256_init( &importer.hash );
	bool ok = false;
	(void)threads;
	// one thread imports, the others do what it leaves to tasks
#pragma omp parallel num_threads( threads )
#pragma omp master
	{
		size_t bytes = 0;
		uint8_t* data = gelImporter_ReadFile( &importer, path, &bytes );
		ok = Import( &importer, data, bytes, outFiles );
		free( data );
	}
	return ok;
}

bool gelImportMeshFromMemory( const char* path, const uint8_t* data, size_t bytes, gelFindings* findings,
	gelMesh* outMesh, gelImportFiles* outFiles )
{
	*outMesh = ( gelMesh ){ 0 };
	gelImporter importer = { .path = path, .findings = findings, .mesh = outMesh, .bytesRead = bytes };
	sha256_init( &importer.hash );
	sha256_update( &importer.hash, bytes, data );
	return Import( &importer, data, bytes, outFiles );
}

void gelFreeImportFiles( gelImportFiles* files )
{
	for ( int i = 0; i < files->count; ++i )
		free( files->paths[i] );
	free( files->paths );
	*files = ( gelImportFiles ){ 0 };
}

bool gelScaleImported( gelMesh* mesh, double metresPerUnit, const char* path, gelFindings* findings )
{
	GEL_ASSERT( path != NULL );
	if ( metresPerUnit == 1.0 ) return true;
	if ( !gelMesh_Scale( mesh, metresPerUnit ) )
	{
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory" );
		return false;
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		double size = (double)mesh->boundsMax[axis] - (double)mesh->boundsMin[axis];
		if ( isfinite( size ) && size < 1e30 ) continue;
		gelFindings_Add( findings, gel_findingUsage, NULL, "--scale %g makes the art too large for floats",
			metresPerUnit );
		return false;
	}
	return true;
}
