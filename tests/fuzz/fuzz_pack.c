// SPDX-License-Identifier: MIT
// clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-strict-aliasing -D_POSIX_C_SOURCE=200809L -Iformats
//     -Itests/support -Iruntime/include -Iruntime/src tests/fuzz/fuzz_pack.c tests/support/pack_repair.c
//     tests/support/pack_drive.c formats/pack/pack_hash.c formats/pack/pack_read*.c
//     formats/pack/pack_validate*.c $(find runtime/src -name '*.c') -lm -o fuzz_pack && ./fuzz_pack
//     -max_len=32768 -max_total_time=60 corpus tests/golden
// Every input is tried as it is and with its hashes repaired, for else fuzzing would end at the checksums.
// What is accepted is read completely and stepped.
#include "pack_drive.h"
#include "small_pack.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static void Try( const uint8_t* bytes, size_t byteCount )
{
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	if ( scratchBytes > 16 + byteCount ) abort();
	void* scratch = malloc( scratchBytes );
	gelPackView view;
	gelPackFault fault;
	gelPackCode code = gelPack_Open( bytes, byteCount, scratch, scratchBytes, 0, &view, &fault );
	free( scratch );
	if ( code != gel_packOk ) return;
	gelTouchPack( &view );
	if ( !gelDrivePack( bytes, byteCount ) ) abort(); // one reader for all
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	uint8_t* bytes;
	if ( posix_memalign( (void**)&bytes, GEL_PACK_ALIGNMENT, size ? size : 1 ) != 0 ) return 0;
	if ( size > 0 ) memcpy( bytes, data, size );
	Try( bytes, size );
	if ( size >= sizeof( gelPackHeader ) )
	{
		// A wrong magic, version or length is found at once; deeper rules are reached only behind them.
		gelPackHeader* header = (gelPackHeader*)bytes;
		memcpy( header->magic, GEL_PACK_MAGIC, sizeof( header->magic ) );
		header->versionMajor = GEL_PACK_VERSION_MAJOR;
		header->endianTag = GEL_PACK_ENDIAN_TAG;
		header->fileBytes = size;
		gelRepairPackHashes( bytes, size );
		Try( bytes, size );
	}
	free( bytes );
	return 0;
}
