// SPDX-License-Identifier: MIT
// Which BLAS CHOLMOD got from the dynamic linker: ratios mean little without it. The reference BLAS is up to
// ten times as slow as a tuned one, which can be put in its place by LD_LIBRARY_PATH.
#define _GNU_SOURCE
#include "warp_bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The library with a symbol, by its last folder and its name: "openblas-serial/libblas.so.3".
static const char* FindLibrary( const char* symbol )
{
	Dl_info info;
	void* address = dlsym( RTLD_DEFAULT, symbol );
	if ( address == NULL || dladdr( address, &info ) == 0 || info.dli_fname == NULL ) return "unknown";
	const char *name = strrchr( info.dli_fname, '/' ), *folder = name;
	while ( folder != NULL && folder > info.dli_fname && folder[-1] != '/' )
		--folder;
	return folder != NULL ? folder : info.dli_fname;
}

void gelGetBlasName( char* out, size_t capacity )
{
	typedef char* GetTextFcn( void );
	void* config = dlsym( RTLD_DEFAULT, "openblas_get_config" );
	void* core = dlsym( RTLD_DEFAULT, "openblas_get_corename" );
	GetTextFcn *getConfig = NULL, *getCore = NULL;
	memcpy( &getConfig, &config, sizeof( config ) );
	memcpy( &getCore, &core, sizeof( core ) );
	snprintf( out, capacity, "%s%s%s%s%s", FindLibrary( "dgemm_" ), getConfig != NULL ? ", " : "",
		getConfig != NULL ? getConfig() : "", getCore != NULL ? ", " : "", getCore != NULL ? getCore() : "" );
}
