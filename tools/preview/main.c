// SPDX-License-Identifier: MIT
#include "preview/app/headless.h"
#include "preview/window/window.h"

int main( int argc, char** argv )
{
	gelProgram program;
	gelPreviewOptions options = { 0 };
	if ( gelPreviewOptions_Parse( &options, &program, argc, argv ) )
	{
		if ( options.outKind == gel_outputWindow )
			gelRunWindow( &options, &program );
		else
			gelRunHeadless( &options, &program );
	}
	gelFreePreviewOptions( &options );
	return gelProgram_Finish( &program );
}
