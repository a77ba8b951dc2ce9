// SPDX-License-Identifier: MIT
#include "headless.h"

int main( int argc, char** argv )
{
	gelProgram program;
	gelPreviewOptions options;
	if ( gelPreviewOptions_Parse( &options, &program, argc, argv ) ) gelRunHeadless( &options, &program );
	return gelProgram_Finish( &program );
}
