// SPDX-License-Identifier: MIT
// USD as text: a TetMesh (UsdGeomTetMesh, of OpenUSD 24.03 and later), in metres with y up. Corners a b c d
// have the order of ours: (b - a) x (c - a) . (d - a) is positive.
#include "cage/cage_formats.h"

void gelWriteUsda( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print( out,
		"#usda 1.0\n(\n    defaultPrim = \"cage\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef "
		"TetMesh \"cage\"\n{\n"
		"    uniform token orientation = \"rightHanded\"\n    point3f[] points = [\n" );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		const double* p = cage->positions + 3 * (size_t)i;
		for ( int k = 0; k < 3; ++k )
		{
			gelCageOut_Print( out, "%s", k == 0 ? "        (" : ", " );
			gelCageOut_Real( out, p[k] );
		}
		gelCageOut_Print( out, i + 1 < cage->nodeCount ? "),\n" : ")\n" );
	}
	gelCageOut_Print( out, "    ]\n    int4[] tetVertexIndices = [\n" );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)i;
		gelCageOut_Print(
			out, "        (%u, %u, %u, %u)%s\n", n[0], n[1], n[2], n[3], i + 1 < cage->tetCount ? "," : "" );
	}
	gelCageOut_Print( out, "    ]\n}\n" );
}
