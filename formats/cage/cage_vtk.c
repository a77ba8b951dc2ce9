// SPDX-License-Identifier: MIT
// Legacy VTK (VTK file formats, "Simple Legacy Formats"): an unstructured grid of tets (cell type 10), for
// ParaView and for other programs that take meshes.
#include "cage/cage_formats.h"

void gelWriteVtk( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print(
		out, "# vtk DataFile Version 3.0\ntetrahedral cage\nASCII\nDATASET UNSTRUCTURED_GRID\n" );
	gelCageOut_Print( out, "POINTS %u double\n", cage->nodeCount );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gelCageOut_Point( out, "", cage->positions + 3 * (size_t)i );
		gelCageOut_Print( out, "\n" );
	}
	gelCageOut_Print( out, "CELLS %u %u\n", cage->tetCount, 5 * cage->tetCount );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)i;
		gelCageOut_Print( out, "4 %u %u %u %u\n", n[0], n[1], n[2], n[3] );
	}
	gelCageOut_Print( out, "CELL_TYPES %u\n", cage->tetCount );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
		gelCageOut_Print( out, "10\n" );
	if ( cage->regions == NULL ) return;
	gelCageOut_Print(
		out, "CELL_DATA %u\nSCALARS region unsigned_int 1\nLOOKUP_TABLE default\n", cage->tetCount );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
		gelCageOut_Print( out, "%u\n", cage->regions[i] );
}
