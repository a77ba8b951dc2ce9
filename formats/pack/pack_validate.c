// SPDX-License-Identifier: MIT
// Contents of the sections that describe the body (formats/pack.md section 4): cage, materials, colors,
// gather lists, art surface. Each function checks one section completely, then puts it into the view.
// All arithmetic on floats of the file is done in double, where products of three floats cannot overflow.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <math.h>
#include <string.h>

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

static bool CheckMeta( gelPackChecker* checker, const gelPackSection* s )
{
	if ( s->count == 0 || s->count > GEL_PACK_MAX_META )
	{
		return FAIL( gel_packSize, s, 0, gelPackView_Bytes( checker->view, s ),
			"META has at least 1 byte and at most 1 MiB" );
	}
	checker->view->meta = gelPackView_Bytes( checker->view, s );
	checker->view->metaBytes = s->count;
	return true;
}

static bool CheckNodes( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackNode* nodes = gelPackView_Bytes( checker->view, s );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const gelPackNode* node = nodes + i;
		if ( !gelPack_IsFinite( node->x ) || !gelPack_IsFinite( node->y ) || !gelPack_IsFinite( node->z ) )
			return FAIL( gel_packValue, s, i, node, "node positions are finite" );
		if ( !gelPack_IsZero( (const uint8_t*)&node->zero, sizeof( node->zero ) ) )
			return FAIL( gel_packValue, s, i, node, "the fourth number of a node is 0" );
	}
	checker->view->nodes = nodes;
	return true;
}

static bool CheckTets( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackTet* tets = gelPackView_Bytes( checker->view, s );
	uint32_t nodeCount = checker->view->header->nodeCount;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const uint32_t* n = tets[i].node;
		if ( n[0] >= nodeCount || n[1] >= nodeCount || n[2] >= nodeCount || n[3] >= nodeCount )
			return FAIL( gel_packIndex, s, i, tets + i, "corners of a tet are nodes" );
		if ( n[0] == n[1] || n[0] == n[2] || n[0] == n[3] || n[1] == n[2] || n[1] == n[3] || n[2] == n[3] )
			return FAIL( gel_packStructure, s, i, tets + i, "the four corners of a tet are different nodes" );
	}
	checker->view->tets = tets;
	return true;
}

static bool CheckMaterial( gelPackChecker* checker, const gelPackSection* s, uint32_t i )
{
	GEL_ASSERT( i < s->count );
	const gelPackMaterial* m = (const gelPackMaterial*)gelPackView_Bytes( checker->view, s ) + i;
	size_t length = 0;
	while ( length < sizeof( m->name ) && m->name[length] != 0 )
		++length;
	// length == 24 has no zero at all; IsZero of nothing would be true
	if ( length == sizeof( m->name ) ||
		!gelPack_IsZero( (const uint8_t*)m->name + length, sizeof( m->name ) - length ) )
	{
		return FAIL( gel_packValue, s, i, m, "a material name ends in a zero byte and is zero behind it" );
	}
	if ( !gelPack_IsPositive( m->density ) || !gelPack_IsPositive( m->youngsModulus ) ||
		!gelPack_IsPositive( m->mu ) )
	{
		return FAIL( gel_packValue, s, i, m, "density, Young's modulus and mu are > 0" );
	}
	if ( !( m->poissonsRatio >= 0.0f && m->poissonsRatio <= 0.4999f ) )
		return FAIL( gel_packValue, s, i, m, "Poisson's ratio is between 0 and 0.4999" );
	if ( !gelPack_IsFinite( m->lambda ) || m->lambda < 0.0f || !gelPack_IsFinite( m->damping ) ||
		m->damping < 0.0f || !gelPack_IsFinite( m->staticFriction ) || m->staticFriction < 0.0f ||
		!gelPack_IsFinite( m->dynamicFriction ) || m->dynamicFriction < 0.0f )
	{
		return FAIL( gel_packValue, s, i, m, "lambda, damping and friction are finite and >= 0" );
	}
	double E = m->youngsModulus, nu = m->poissonsRatio;
	double mu = E / ( 2.0 * ( 1.0 + nu ) ), lambda = E * nu / ( ( 1.0 + nu ) * ( 1.0 - 2.0 * nu ) );
	// Rounding nu to float moves lambda by up to 3e-4 of itself where nu is near 0.4999.
	if ( fabs( m->mu - mu ) > 1e-5 * mu || fabs( m->lambda - lambda ) > 1e-3 * lambda )
	{
		return FAIL(
			gel_packValue, s, i, m, "mu and lambda follow from Young's modulus and Poisson's ratio" );
	}
	if ( m->zero != 0 ) return FAIL( gel_packValue, s, i, m, "reserved bytes of a material are 0" );
	return true;
}

static bool CheckMaterials( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackMaterial* materials = gelPackView_Bytes( checker->view, s );
	if ( s->count == 0 || s->count > GEL_PACK_MAX_MATERIALS )
		return FAIL( gel_packSize, s, 0, materials, "there is at least 1 material and at most 65536" );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( !CheckMaterial( checker, s, i ) ) return false;
	}
	checker->view->materials = materials;
	checker->view->materialCount = s->count;
	return true;
}

// Does the rest shape fit the nodes? @return NULL, or the rule that is broken
static const char* FindRestFault(
	const gelPackNode* nodes, const gelPackTet* tet, const gelPackTetRest* rest )
{
	double Dm[3][3]; // edge vectors as columns [m]
	const gelPackNode* x0 = nodes + tet->node[0];
	for ( int k = 0; k < 3; ++k )
	{
		const gelPackNode* x = nodes + tet->node[k + 1];
		Dm[0][k] = (double)x->x - x0->x;
		Dm[1][k] = (double)x->y - x0->y;
		Dm[2][k] = (double)x->z - x0->z;
	}
	double volume = ( Dm[0][0] * ( Dm[1][1] * Dm[2][2] - Dm[1][2] * Dm[2][1] ) -
						Dm[0][1] * ( Dm[1][0] * Dm[2][2] - Dm[1][2] * Dm[2][0] ) +
						Dm[0][2] * ( Dm[1][0] * Dm[2][1] - Dm[1][1] * Dm[2][0] ) ) /
		6.0;
	if ( fabs( volume - rest->volume ) > 1e-3 * rest->volume )
		return "the volume of a tet is that of its nodes, positively oriented";
	// Rounding the entries of the inverse moves the product by 2^-24 of the sum of magnitudes.
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			double sum = 0.0, magnitude = 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				double term = rest->invDm[3 * i + k] * Dm[k][j];
				sum += term;
				magnitude += fabs( term );
			}
			double error = fabs( sum - ( i == j ? 1.0 : 0.0 ) );
			if ( error > 1e-4 * ( magnitude > 1.0 ? magnitude : 1.0 ) )
				return "invDm is the inverse of the edge matrix of its nodes";
		}
	}
	return NULL;
}

static bool CheckTetRests( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackView* view = checker->view;
	const gelPackTetRest* rests = gelPackView_Bytes( view, s );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const gelPackTetRest* rest = rests + i;
		for ( int k = 0; k < 9; ++k )
		{
			if ( !gelPack_IsFinite( rest->invDm[k] ) )
				return FAIL( gel_packValue, s, i, rest->invDm + k, "the entries of invDm are finite" );
		}
		if ( !gelPack_IsPositive( rest->volume ) )
			return FAIL( gel_packValue, s, i, &rest->volume, "the volume of a tet is > 0" );
		if ( rest->material >= view->materialCount )
			return FAIL( gel_packIndex, s, i, &rest->material, "the material of a tet is one of MATL" );
		if ( rest->flags != 0 || rest->zero != 0 )
			return FAIL( gel_packValue, s, i, &rest->flags, "flags and reserved bytes of a tet are 0" );
		const char* rule = FindRestFault( view->nodes, view->tets + i, rest );
		if ( rule != NULL ) return FAIL( gel_packStructure, s, i, rest, rule );
	}
	checker->view->tetRests = rests;
	return true;
}

static bool CheckMasses( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackMass* masses = gelPackView_Bytes( checker->view, s );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const gelPackMass* m = masses + i;
		if ( !gelPack_IsPositive( m->mass ) || !gelPack_IsPositive( m->invMass ) )
			return FAIL( gel_packValue, s, i, m, "the mass of a node and its inverse are > 0" );
		if ( fabs( (double)m->mass * m->invMass - 1.0 ) > 0x1p-22 )
			return FAIL( gel_packValue, s, i, m, "the inverse mass of a node is 1 / mass" );
	}
	checker->view->masses = masses;
	return true;
}

// CSR offsets: from 0 to total, strictly increasing.
static bool CheckOffsets( gelPackChecker* checker, const gelPackSection* s, const uint32_t* first,
	uint32_t groupCount, uint32_t total, const char* text )
{
	GEL_ASSERT( first != NULL );
	if ( first[0] != 0 ) return FAIL( gel_packIndex, s, 0, first, text );
	for ( uint32_t i = 0; i < groupCount; ++i )
	{
		if ( first[i + 1] <= first[i] || first[i + 1] > total )
			return FAIL( gel_packIndex, s, i + 1, first + i + 1, text );
	}
	if ( first[groupCount] != total ) return FAIL( gel_packIndex, s, groupCount, first + groupCount, text );
	return true;
}

static bool CheckInnerHeader(
	gelPackChecker* checker, const gelPackSection* s, const uint8_t* zero, uint64_t zeroBytes )
{
	if ( gelPack_IsZero( zero, zeroBytes ) ) return true;
	return FAIL( gel_packValue, s, 0, zero, "reserved bytes of an inner header are 0" );
}

static bool CheckHeaderFits( gelPackChecker* checker, const gelPackSection* s, uint64_t headerBytes )
{
	if ( s->bytes >= headerBytes ) return true;
	return FAIL( gel_packSize, s, 0, gelPackView_Bytes( checker->view, s ),
		"a section with several arrays has its inner header" );
}

// The tets of one color may move their nodes at the same time: no two of them share one.
static bool CheckColorClasses( gelPackChecker* checker, const gelPackSection* s, const uint32_t* colorFirst,
	const uint32_t* order, uint32_t colorCount )
{
	GEL_ASSERT( colorFirst != NULL && order != NULL );
	const gelPackView* view = checker->view;
	uint32_t nodeCount = view->header->nodeCount, tetCount = view->header->tetCount;
	uint16_t* lastColor = (uint16_t*)checker->scratch; // per node, color + 1
	uint8_t* seen = checker->scratch + 2 * (size_t)nodeCount;
	memset( checker->scratch, 0, 2 * (size_t)nodeCount + tetCount / 8 + 1 );
	for ( uint32_t color = 0; color < colorCount; ++color )
	{
		for ( uint32_t i = colorFirst[color]; i < colorFirst[color + 1]; ++i )
		{
			uint32_t tet = order[i];
			if ( tet >= tetCount ) return FAIL( gel_packIndex, s, i, order + i, "colored tets are tets" );
			if ( gelTestAndSetBit( seen, tet ) )
				return FAIL( gel_packStructure, s, i, order + i, "every tet has one color" );
			for ( int k = 0; k < 4; ++k )
			{
				uint32_t node = view->tets[tet].node[k];
				if ( lastColor[node] == color + 1 )
					return FAIL( gel_packStructure, s, i, order + i, "tets of one color share no node" );
				lastColor[node] = (uint16_t)( color + 1 );
			}
		}
	}
	return true;
}

static bool CheckColors( gelPackChecker* checker, const gelPackSection* s )
{
	gelPackView* view = checker->view;
	uint32_t tetCount = view->header->tetCount;
	const gelPackColoring* header = gelPackView_Bytes( view, s );
	if ( !CheckHeaderFits( checker, s, sizeof( *header ) ) ) return false;
	gelPackArrayRule rules[2] = {
		{ sizeof( uint32_t ), GEL_ANY_COUNT },
		{ sizeof( uint32_t ), tetCount },
	};
	if ( !CheckInnerHeader( checker, s, header->zero, sizeof( header->zero ) ) ||
		!gelPackChecker_CheckArrays( checker, s, sizeof( *header ), &header->colorFirst, rules, 2 ) )
	{
		return false;
	}
	if ( header->colorFirst.count < 2 || header->colorFirst.count > GEL_PACK_MAX_COLORS + 1 )
		return FAIL( gel_packSize, s, 0, &header->colorFirst, "there is at least 1 color and at most 4096" );
	uint32_t colorCount = header->colorFirst.count - 1;
	const uint32_t* colorFirst = gelPackView_Array( view, s, header->colorFirst );
	const uint32_t* order = gelPackView_Array( view, s, header->tets );
	if ( !CheckOffsets( checker, s, colorFirst, colorCount, tetCount,
			 "color offsets run from 0 to the tet count and increase" ) ||
		!CheckColorClasses( checker, s, colorFirst, order, colorCount ) )
	{
		return false;
	}
	view->colorCount = colorCount;
	view->colorFirst = colorFirst;
	view->colorTets = order;
	return true;
}

// A corner can only stand with its own node, and stands there once because the list ascends; as there are
// as many entries as corners, every corner is listed exactly once.
static bool CheckGather( gelPackChecker* checker, const gelPackSection* s )
{
	gelPackView* view = checker->view;
	uint32_t nodeCount = view->header->nodeCount, cornerCount = 4 * view->header->tetCount;
	const gelPackGather* header = gelPackView_Bytes( view, s );
	if ( !CheckHeaderFits( checker, s, sizeof( *header ) ) ) return false;
	gelPackArrayRule rules[2] = {
		{ sizeof( uint32_t ), (uint64_t)nodeCount + 1 },
		{ sizeof( uint32_t ), cornerCount },
	};
	if ( !CheckInnerHeader( checker, s, header->zero, sizeof( header->zero ) ) ||
		!gelPackChecker_CheckArrays( checker, s, sizeof( *header ), &header->nodeFirst, rules, 2 ) )
	{
		return false;
	}
	const uint32_t* first = gelPackView_Array( view, s, header->nodeFirst );
	const uint32_t* corners = gelPackView_Array( view, s, header->corners );
	if ( !CheckOffsets( checker, s, first, nodeCount, cornerCount,
			 "gather offsets run from 0 to 4 times the tet count and increase: no node is without a tet" ) )
	{
		return false;
	}
	for ( uint32_t node = 0; node < nodeCount; ++node )
	{
		for ( uint32_t i = first[node]; i < first[node + 1]; ++i )
		{
			uint32_t corner = corners[i];
			if ( corner >= cornerCount )
				return FAIL( gel_packIndex, s, i, corners + i, "gathered corners are 4 * tet + corner" );
			if ( view->tets[corner / 4].node[corner % 4] != node ||
				( i > first[node] && corner <= corners[i - 1] ) )
			{
				return FAIL( gel_packStructure, s, i, corners + i,
					"the gather list of a node has exactly its corners, ascending" );
			}
		}
	}
	view->gatherFirst = first;
	view->gatherCorners = corners;
	return true;
}

// Weight k of art vertex i in blocks of 8 vertices.
static size_t WeightIndex( uint32_t i, uint32_t k )
{
	return (size_t)( i / GEL_PACK_LANES ) * 4 * GEL_PACK_LANES + k * GEL_PACK_LANES + i % GEL_PACK_LANES;
}

static bool CheckWeights( gelPackChecker* checker, const gelPackSection* s, const float* weights, uint32_t i )
{
	double sum = 0.0;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		const float* w = weights + WeightIndex( i, k );
		if ( !( *w >= 0.0f && *w <= 1.0f ) )
			return FAIL( gel_packValue, s, i, w, "weights of an art vertex are between 0 and 1" );
		sum += *w;
	}
	if ( fabs( sum - 1.0 ) > 0x1p-22 )
	{
		return FAIL( gel_packValue, s, i, weights + WeightIndex( i, 0 ),
			"the weights of an art vertex sum to 1 within 2^-22" );
	}
	return true;
}

static bool CheckEmbeddingPadding( gelPackChecker* checker, const gelPackSection* s, const uint32_t* tets,
	const float* weights, uint32_t vertexCount, uint32_t paddedCount )
{
	GEL_ASSERT( vertexCount <= paddedCount );
	uint32_t last = vertexCount - 1;
	for ( uint32_t i = vertexCount; i < paddedCount; ++i )
	{
		bool same = tets[i] == tets[last];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			const float *a = weights + WeightIndex( i, k ), *b = weights + WeightIndex( last, k );
			same = same && memcmp( a, b, sizeof( float ) ) == 0;
		}
		if ( !same ) return FAIL( gel_packStructure, s, i, tets + i, "padding repeats the last art vertex" );
	}
	return true;
}

static bool CheckEmbedding( gelPackChecker* checker, const gelPackSection* s )
{
	gelPackView* view = checker->view;
	uint32_t vertexCount = view->header->artVertexCount;
	uint32_t paddedCount = ( vertexCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
	const gelPackEmbedding* header = gelPackView_Bytes( view, s );
	if ( !CheckHeaderFits( checker, s, sizeof( *header ) ) ) return false;
	gelPackArrayRule rules[3] = {
		{ sizeof( uint32_t ), paddedCount },
		{ sizeof( float ), 4 * (uint64_t)paddedCount },
		{ sizeof( uint32_t ), vertexCount },
	};
	if ( !CheckInnerHeader( checker, s, header->zero, sizeof( header->zero ) ) ||
		!gelPackChecker_CheckArrays( checker, s, sizeof( *header ), &header->tets, rules, 3 ) )
	{
		return false;
	}
	const uint32_t* tets = gelPackView_Array( view, s, header->tets );
	const float* weights = gelPackView_Array( view, s, header->weights );
	const uint32_t* sources = gelPackView_Array( view, s, header->sources );
	for ( uint32_t i = 0; i < vertexCount; ++i )
	{
		if ( tets[i] >= view->header->tetCount )
			return FAIL( gel_packIndex, s, i, tets + i, "an art vertex lies in a tet" );
		if ( !CheckWeights( checker, s, weights, i ) ) return false;
		if ( sources[i] > INT32_MAX )
			return FAIL( gel_packIndex, s, i, sources + i, "the source of an art vertex is < 2^31" );
	}
	if ( !CheckEmbeddingPadding( checker, s, tets, weights, vertexCount, paddedCount ) ) return false;
	view->embedTets = tets;
	view->embedWeights = weights;
	view->embedSources = sources;
	return true;
}

static bool CheckTriangles( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackTriangle* triangles = gelPackView_Bytes( checker->view, s );
	uint32_t vertexCount = checker->view->header->artVertexCount;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const uint32_t* v = triangles[i].vertex;
		if ( v[0] >= vertexCount || v[1] >= vertexCount || v[2] >= vertexCount )
			return FAIL( gel_packIndex, s, i, v, "corners of an art triangle are art vertices" );
	}
	checker->view->triangles = triangles;
	return true;
}

static bool CheckNormals( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackNormal* normals = gelPackView_Bytes( checker->view, s );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( normals[i].u == INT16_MIN || normals[i].v == INT16_MIN )
			return FAIL( gel_packValue, s, i, normals + i, "-32768 is not used in normals" );
	}
	checker->view->normals = normals;
	return true;
}

static const gelPackSection* Find( const gelPackChecker* checker, uint32_t fourcc )
{
	return gelPack_FindSection( checker->view, fourcc, 0 );
}

bool gelPackChecker_CheckBody( gelPackChecker* checker )
{
	// In the order of dependence: a later check may read what an earlier one found sound.
	return CheckMeta( checker, Find( checker, GEL_SECTION_META ) ) &&
		CheckNodes( checker, Find( checker, GEL_SECTION_NODE ) ) &&
		CheckTets( checker, Find( checker, GEL_SECTION_TETS ) ) &&
		CheckMaterials( checker, Find( checker, GEL_SECTION_MATL ) ) &&
		CheckTetRests( checker, Find( checker, GEL_SECTION_TREF ) ) &&
		CheckMasses( checker, Find( checker, GEL_SECTION_MASS ) ) &&
		CheckColors( checker, Find( checker, GEL_SECTION_COLR ) ) &&
		CheckGather( checker, Find( checker, GEL_SECTION_GATH ) ) &&
		CheckEmbedding( checker, Find( checker, GEL_SECTION_VEMB ) ) &&
		CheckTriangles( checker, Find( checker, GEL_SECTION_VIDX ) ) &&
		CheckNormals( checker, Find( checker, GEL_SECTION_VNRM ) );
}
