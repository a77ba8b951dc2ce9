// SPDX-License-Identifier: MIT
// VTK's XML format (VTK file formats, "XML File Formats"): an unstructured grid of tets (cell type 10), as
// text.
#include "cage/cage_formats.h"

static void PrintArray( gelCageOut* out, const char* type, const char* name )
{
	gelCageOut_Print( out, "<DataArray type=\"%s\" Name=\"%s\" format=\"ascii\">\n", type, name );
}

void gelWriteVtu( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print( out,
		"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
		"byte_order=\"LittleEndian\">\n"
		"<UnstructuredGrid>\n<Piece NumberOfPoints=\"%u\" NumberOfCells=\"%u\">\n<Points>\n"
		"<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n",
		cage->nodeCount, cage->tetCount );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gelCageOut_Point( out, "", cage->positions + 3 * (size_t)i );
		gelCageOut_Print( out, "\n" );
	}
	gelCageOut_Print( out, "</DataArray>\n</Points>\n<Cells>\n" );
	PrintArray( out, "UInt32", "connectivity" );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)i;
		gelCageOut_Print( out, "%u %u %u %u\n", n[0], n[1], n[2], n[3] );
	}
	gelCageOut_Print( out, "</DataArray>\n" );
	PrintArray( out, "UInt32", "offsets" );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
		gelCageOut_Print( out, "%u\n", 4 * ( i + 1 ) );
	gelCageOut_Print( out, "</DataArray>\n" );
	PrintArray( out, "UInt8", "types" );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
		gelCageOut_Print( out, "10\n" );
	gelCageOut_Print( out, "</DataArray>\n</Cells>\n" );
	if ( cage->regions != NULL )
	{
		gelCageOut_Print( out, "<CellData Scalars=\"region\">\n" );
		PrintArray( out, "UInt32", "region" );
		for ( uint32_t i = 0; i < cage->tetCount; ++i )
			gelCageOut_Print( out, "%u\n", cage->regions[i] );
		gelCageOut_Print( out, "</DataArray>\n</CellData>\n" );
	}
	gelCageOut_Print( out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n" );
}
