// SPDX-License-Identifier: MIT
#include "bake/command/bake_batch.h"

int main( int argc, char** argv )
{
	gelBakeCommand command;
	gelProgram program;
	bool ok = gelBakeCommand_Parse( &command, &program, argc, argv );
	if ( ok && command.manifestPath != NULL )
		gelBakeBatch( &command, &program );
	else if ( ok )
		gelBakeCommand_Run( &command, &program );
	gelFreeBakeCommand( &command );
	return gelProgram_Finish( &program );
}
