// SPDX-License-Identifier: MIT
#include "core/core.h"
#include "gelpack/base.h"

gelVersion gelGetVersion( void )
{
	return ( gelVersion ){ GEL_VERSION_MAJOR, GEL_VERSION_MINOR, GEL_VERSION_PATCH };
}

const char* gelResult_String( gelResult result )
{
	switch ( result )
	{
		case gel_success:
			return "success";
		case gel_errorArgument:
			return "wrong argument";
		case gel_errorMemory:
			return "out of memory";
		case gel_errorIo:
			return "the file could not be read";
		case gel_errorAlignment:
			return "the buffer is not 64-byte aligned";
		case gel_errorTruncated:
			return "the pack is shorter or longer than it says";
		case gel_errorNotAPack:
			return "not a pack";
		case gel_errorVersion:
			return "the pack was baked for another version";
		case gel_errorChecksum:
			return "the pack is damaged";
		case gel_errorCorrupt:
			return "the pack breaks a rule of the format";
		case gel_errorNoFactor:
			return "no factor is baked for this step length and pin set";
		case gel_errorNoPinSet:
			return "the pack has no such pin set";
		case gel_errorFull:
			return "a capacity of the world is used up";
		case gel_errorStaleId:
			return "the id belongs to nothing that lives";
		case gel_errorLocked:
			return "not allowed during a step";
		case gel_errorUnsupported:
			return "the pack lacks data that this solver needs, or this build lacks the solver";
	}
	return "unknown result";
}
