// SPDX-License-Identifier: MIT
#include "bake_command.h"

int main( int argc, char** argv )
{
	gelBakeCommand command;
	gelProgram program;
	if ( gelBakeCommand_Parse( &command, &program, argc, argv ) ) gelBakeCommand_Run( &command, &program );
	return gelProgram_Finish( &program );
}
