// SPDX-License-Identifier: MIT
#include "common/mesh/pack_figures.h"

#include "common/program/clean_text.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

double gelGetAttachmentDistance(
	const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets )
{
	GEL_ASSERT( nodes != NULL && tets != NULL );
	double d[3] = { (double)a->position[0], (double)a->position[1], (double)a->position[2] };
	for ( int k = 0; k < 4; ++k )
	{
		const gelPackNode* node = nodes + tets[a->tet].node[k];
		d[0] -= (double)a->weight[k] * (double)node->x;
		d[1] -= (double)a->weight[k] * (double)node->y;
		d[2] -= (double)a->weight[k] * (double)node->z;
	}
	return sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
}

json_t* gelMakeAttachmentJson( const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets )
{
	const float *p = a->position, *q = a->rotation, *w = a->weight;
	char name[4 * sizeof( a->name )];
	gelCleanTextTo( name, sizeof( name ), a->name );
	return json_pack( "{s:s, s:[f, f, f], s:[f, f, f, f], s:f, s:I, s:[f, f, f, f], s:f}", "name", name,
		"position", (double)p[0], (double)p[1], (double)p[2], "rotation", (double)q[0], (double)q[1],
		(double)q[2], (double)q[3], "radius", (double)a->radius, "tet", (json_int_t)a->tet, "weights",
		(double)w[0], (double)w[1], (double)w[2], (double)w[3], "distance",
		gelGetAttachmentDistance( a, nodes, tets ) );
}

json_t* gelMakeIdJson( uint64_t id )
{
	return json_sprintf( "%016" PRIx64, id );
}

json_t* gelMakeFactorJson( const gelPackSection* section, const gelPackFactor* factor )
{
	double step;
	memcpy( &step, &factor->stepBits, sizeof( step ) );
	return json_pack( "{s:f, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:o}", "step", step, "pin_set",
		gelMakeIdJson( factor->pinSetId ), "free_nodes", (json_int_t)factor->n, "panels",
		(json_int_t)factor->superCount, "nonzeros", (json_int_t)factor->nonzeroCount, "values",
		(json_int_t)factor->values.count, "bytes", (json_int_t)section->bytes, "min_diagonal",
		(double)factor->minDiagonal, "max_diagonal", (double)factor->maxDiagonal, "residual",
		(double)factor->residual, "pattern_hash", gelMakeIdJson( factor->patternHash ) );
}

json_t* gelMakeLevelJson( const gelPackHeader* level )
{
	return json_pack( "{s:I, s:I, s:I}", "nodes", (json_int_t)level->nodeCount, "tets",
		(json_int_t)level->tetCount, "bytes", (json_int_t)level->fileBytes );
}
