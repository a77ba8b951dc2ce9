// SPDX-License-Identifier: MIT
#include "bake/command/bake_batch.h"
#include "common/settings/setting_format.h"

#include <string.h>

// For those who keep documents true (tests/checks/settings.sh): the schema of recipes; the rows of the table.
static bool PrintTable( int argc, char** argv )
{
	bool isSchema = argc == 2 && strcmp( argv[1], "--print-schema" ) == 0;
	bool isTable = argc == 2 && strcmp( argv[1], "--print-settings" ) == 0;
	if ( isSchema ) gelPrintRecipeSchema( stdout );
	if ( isTable ) gelPrintSettings( stdout );
	return isSchema || isTable;
}

int main( int argc, char** argv )
{
	if ( PrintTable( argc, argv ) ) return 0;
	gelBakeCommand command;
	gelProgram program;
	bool ok = gelBakeCommand_Parse( &command, &program, argc, argv );
	if ( ok && command.asked.request.manifestPath != NULL )
		gelBakeBatch( &command, &program );
	else if ( ok )
		gelBakeCommand_Run( &command, &program );
	gelFreeBakeCommand( &command );
	return gelProgram_Finish( &program );
}
