// SPDX-License-Identifier: MIT
// Lumped masses: m_i = sum over the tets of node i of rho V / 4 [kg].
#include "bake/body/bake_passes.h"

#include <float.h>

bool gelBuildMasses( const gelBakeCage* cage, const gelBakeGather* gather, const gelBakeRest* rest,
	const gelPackMaterial* materials, gelBakePool* pool, gelFindings* findings, gelPackMass** outMasses )
{
	gelPackMass* masses = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( gelPackMass ) );
	*outMasses = masses;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		double mass = 0.0;
		for ( uint32_t k = gather->nodeFirst[i]; k < gather->nodeFirst[i + 1]; ++k )
		{
			const gelPackTetRest* tet = rest->tets + gather->corners[k] / 4;
			mass += 0.25 * (double)materials[tet->material].density * (double)tet->volume;
		}
		// both m and 1/m have to be normal floats: the runtime multiplies with either
		if ( !( mass > 2.0 / (double)FLT_MAX && mass < 0.5 / (double)FLT_MIN && mass < (double)FLT_MAX ) )
		{
			gelFindings_Add( findings, gel_findingFormatLimit, cage->file,
				"node %u at %g %g %g has a mass of %g kg, which a 32-bit float cannot invert; check the "
				"units of "
				"the cage and of --density",
				gelGetSourceNode( cage, i ), (double)cage->nodes[i].x, (double)cage->nodes[i].y,
				(double)cage->nodes[i].z, mass );
			return false;
		}
		masses[i].mass = (float)mass;
		masses[i].invMass = (float)( 1.0 / mass );
	}
	return true;
}
