// SPDX-License-Identifier: MIT
// Names of what may be wrong with a pack.
#include "pack/pack_read.h"

// A switch, not a table of pointers: with position-independent code a table would be writable data.
const char* gelPackCode_String( gelPackCode code )
{
	switch ( code )
	{
		case gel_packOk:
			return "ok";
		case gel_packTruncated:
			return "truncated";
		case gel_packTrailing:
			return "trailing bytes";
		case gel_packMagic:
			return "not a pack";
		case gel_packEndian:
			return "byte order";
		case gel_packVersion:
			return "version";
		case gel_packHeader:
			return "header";
		case gel_packTable:
			return "section table";
		case gel_packChecksum:
			return "checksum";
		case gel_packUnknownSection:
			return "unknown section";
		case gel_packMissingSection:
			return "missing section";
		case gel_packSize:
			return "size";
		case gel_packIndex:
			return "index";
		case gel_packValue:
			return "value";
		case gel_packStructure:
			return "structure";
		case gel_packAlignment:
			return "alignment";
		case gel_packScratch:
			return "scratch memory";
		default:
			return "unknown code";
	}
}
