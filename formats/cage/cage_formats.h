// SPDX-License-Identifier: MIT
// The readers and writers behind cage_io.c, one file per format.
#pragma once

#include "cage/cage_build.h"

bool gelReadMsh( gelCageText* text, gelCageBuilder* builder );
void gelWriteMsh2( const gelCage* cage, gelCageOut* out );
void gelWriteMsh4( const gelCage* cage, gelCageOut* out );

/// Contents of a .node and of an .ele file. Vega files have the same blocks inside.
bool gelReadTetgenNodes( gelCageText* text, gelCageBuilder* builder );
bool gelReadTetgenTets( gelCageText* text, gelCageBuilder* builder );
void gelWriteTetgenNodes( const gelCage* cage, gelCageOut* out );
void gelWriteTetgenTets( const gelCage* cage, gelCageOut* out );

void gelWriteVtk( const gelCage* cage, gelCageOut* out );
void gelWriteVtu( const gelCage* cage, gelCageOut* out );
void gelWriteUsda( const gelCage* cage, gelCageOut* out );

/// @param mayInclude whether files in the same folder that *INCLUDE names are opened
bool gelReadVega( gelCageText* text, gelCageBuilder* builder, bool mayInclude );

/// Reads a file of limited size. @return NULL after an error
char* gelLoadCageText( const char* path, size_t* outBytes, gelCageError* error );
