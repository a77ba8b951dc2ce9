// SPDX-License-Identifier: MIT
// Damaged meshes: truncations, changed bytes, moved and repeated pieces and odd numbers in small valid files.
// The fuzz target checks what comes out; the sanitizers check how.
#include "test_support.h"

#include "capture.h"
#include "import_drive.h"

#include "../fuzz/fuzz_import.c"

static const char s_obj[] = "# seed\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1\nv 1.5 1e0 .5 1 0 0\nv 0 1 "
							"0\nv -2 \\\n 0.25 3\nvt 0 0\nvt 1 1\n"
							"vn 0 0 1\r\nvn 0 2 0\rg arm\nusemtl red\nf 1 2 3\nf 1/1/1 2/2/2 3//1 4/1\nf -1 "
							"-2 -3 -4 -5\nl 1 2\np 3\ns 1\n"
							"f 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3\ncstype bezier\nf 3 2 1";

// Positions, normals, 16-bit indices, a sparse accessor, a custom attribute, two nodes, extras.
static const char s_json[] =
	"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,"
	"\"children\":[1],"
	"\"scale\":[1,-2,1],\"extras\":{\"a\":[1,\"x\"]}},{\"mesh\":1,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,3,0,0,"
	"1]}],"
	"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":2,\"_W\":3},\"indices\":1,"
	"\"material\":0}]},"
	"{\"name\":\"fan\",\"primitives\":[{\"attributes\":{\"POSITION\":4,\"COLOR_0\":5},\"mode\":6},{"
	"\"attributes\":{\"POSITION\":"
	"4},\"mode\":5}]}],\"materials\":[{\"name\":\"m\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1]"
	"}}],"
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
	"{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
	"{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
	"{\"bufferView\":1,\"byteOffset\":4,\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":"
	"\"SCALAR\"},"
	"{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
	"\"indices\":{\"bufferView\":1,"
	"\"componentType\":5123},\"values\":{\"bufferView\":0,\"byteOffset\":12}}},"
	"{\"bufferView\":2,\"byteOffset\":4,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":"
	"\"VEC4\"}],"
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
	"{\"buffer\":0,\"byteLength\":60,\"byteStride\":16}],\"buffers\":[{\"byteLength\":60}]}";

static const struct
{
	float positions[12];
	uint16_t indices[6];
} s_bin = { { 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1 }, { 0, 1, 2, 0, 2, 3 } };

typedef struct Seed
{
	uint8_t* bytes;
	size_t count;
} Seed;

#define SEED_COUNT 3

static void MakeSeeds( Seed seeds[SEED_COUNT] )
{
	seeds[0] = ( Seed ){ (uint8_t*)strdup( s_obj ), sizeof s_obj - 1 };
	seeds[1].bytes = gelMakeGlb( s_json, &s_bin, 60, &seeds[1].count );
	seeds[2] =
		( Seed ){ (uint8_t*)strdup( s_json ), sizeof s_json - 1 }; // its buffer is missing: refused late
}

static void FreeSeeds( Seed seeds[SEED_COUNT] )
{
	for ( int i = 0; i < SEED_COUNT; ++i )
		free( seeds[i].bytes );
}

static void SeedsAreValid( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "seed.obj", s_obj );
	assert_true( run.ok );
	gelFreeImportRun( &run );
	gelImportGlb( &run, s_json, &s_bin, 60 );
	if ( !run.ok ) fail_msg( "%s", run.findings.items[0].text );
	assert_int_equal( run.mesh.triangleCount, 4 );
	gelFreeImportRun( &run );
}

static void EveryTruncation( void** state )
{
	(void)state;
	Seed seeds[SEED_COUNT];
	MakeSeeds( seeds );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	for ( int s = 0; s < SEED_COUNT; ++s )
		for ( size_t count = 0; count <= seeds[s].count; count += s == 0 ? 1 : 3 )
			LLVMFuzzerTestOneInput( seeds[s].bytes, count );
	free( gelCapture_End( &capture ) );
	FreeSeeds( seeds );
}

// Replaces the number at or behind a place by one that is likely to hurt.
static size_t ReplaceNumber( gelRandom* random, uint8_t* text, size_t count, size_t capacity, size_t at )
{
	static const char* const numbers[] = { "0", "-1", "1", "255", "65535", "2147483647", "2147483648",
		"4294967295", "4294967296", "18446744073709551615", "99999999999999999999999", "1e38", "1e39",
		"-1e-45", "nan", "0.1", "3", "4", "5120", "5126", "1e999999999" };
	while ( at < count && ( text[at] < '0' || text[at] > '9' ) )
		++at;
	size_t end = at;
	while ( end < count && text[end] >= '0' && text[end] <= '9' )
		++end;
	const char* number = numbers[gelRandom_Next( random ) % ( sizeof numbers / sizeof numbers[0] )];
	size_t length = strlen( number );
	if ( count - ( end - at ) + length > capacity ) return count;
	memmove( text + at + length, text + end, count - end );
	memcpy( text + at, number, length );
	return count - ( end - at ) + length;
}

static size_t Mutate( gelRandom* random, uint8_t* text, size_t count, size_t capacity )
{
	size_t at = gelRandom_Next( random ) % count, length = 1 + gelRandom_Next( random ) % 40;
	if ( length > count - at ) length = count - at;
	size_t from = gelRandom_Next( random ) % ( count - length + 1 );
	static const char bytes[] = "\0 \n\r\t\\/#-+.e019[]{}:,\"\x7F\x80\xFF";
	switch ( gelRandom_Next( random ) % 6 )
	{
		case 0:
			text[at] ^= (uint8_t)( 1u << gelRandom_Next( random ) % 8 );
			return count;
		case 1:
			text[at] = (uint8_t)bytes[gelRandom_Next( random ) % ( sizeof bytes - 1 )];
			return count;
		case 2: // drop a piece
			memmove( text + at, text + at + length, count - at - length );
			return count - length > 0 ? count - length : count;
		case 3: // copy a piece over another
			memmove( text + at, text + from, length );
			return count;
		case 4: // insert a copy of a piece
			if ( count + length > capacity ) return count;
			memmove( text + at + length, text + at, count - at );
			memmove( text + at, text + from, length );
			return count + length;
		default:
			return ReplaceNumber( random, text, count, capacity, at );
	}
}

static void ManyMutations( void** state )
{
	(void)state;
	Seed seeds[SEED_COUNT];
	MakeSeeds( seeds );
	gelRandom random = { 2024 };
	size_t capacity = 8192;
	uint8_t* text = malloc( capacity );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	for ( int i = 0; i < 6000; ++i )
	{
		const Seed* seed = seeds + ( i % 8 == 7 ? 2 : i % 2 );
		size_t count = seed->count;
		memcpy( text, seed->bytes, count );
		for ( uint64_t k = 1 + gelRandom_Next( &random ) % 4; k > 0; --k )
			count = Mutate( &random, text, count, capacity );
		LLVMFuzzerTestOneInput( text, count );
	}
	free( gelCapture_End( &capture ) );
	free( text );
	FreeSeeds( seeds );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SeedsAreValid ),
		cmocka_unit_test( EveryTruncation ),
		cmocka_unit_test( ManyMutations ),
	};
	return cmocka_run_group_tests_name( "mesh_mutation", tests, NULL, gelRemoveImportFolder );
}
