// SPDX-License-Identifier: MIT
// Oriented particles (formats/pack.md section 11). After these checks the runtime follows edges, batches and
// skin weights without looking at an index again; that no two particles of a batch are neighbors lets it
// turn eight of them at the same time.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <math.h>

#define FAIL( code, index, element, text )                                                                   \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

// Masses and lengths within these, their products stay within float.
static bool IsMeasure( float x )
{
	return x >= 1e-15f && x <= 1e15f;
}

static bool CheckParticle(
	gelPackChecker* checker, const gelPackSection* section, const gelPackParticle* p, uint32_t index )
{
	double length2 = 0.0;
	for ( int k = 0; k < 4; ++k )
		length2 += (double)p->rotation[k] * (double)p->rotation[k];
	if ( !( fabs( length2 - 1.0 ) <= 1e-3 ) )
		return FAIL( gel_packValue, index, p->rotation, "the rotation of a particle has unit length" );
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( fabsf( p->position[k] ) <= 1e9f ) )
			return FAIL( gel_packValue, index, p->position, "particles are within 1e9 m of the origin" );
		if ( !( p->radius[k] >= 1e-9f && p->radius[k] <= 1e9f ) )
			return FAIL( gel_packValue, index, p->radius, "radii are between 1e-9 and 1e9 m" );
	}
	float longest = fmaxf( p->radius[0], fmaxf( p->radius[1], p->radius[2] ) );
	float shortest = fminf( p->radius[0], fminf( p->radius[1], p->radius[2] ) );
	if ( shortest < 1e-3f * longest )
		return FAIL( gel_packValue, index, p->radius, "no radius is below a thousandth of another" );
	if ( !IsMeasure( p->volume ) || !IsMeasure( p->mass ) )
		return FAIL( gel_packValue, index, &p->volume, "volume and mass of a particle are 1e-15 to 1e15" );
	if ( !gelPack_IsZero( (const uint8_t*)p->zero, sizeof( p->zero ) ) )
		return FAIL( gel_packValue, index, p->zero, "reserved bytes of a particle are 0" );
	return true;
}

static bool HasNeighbor( const gelParticleView* view, uint32_t i, uint32_t wanted )
{
	uint32_t first = view->neighborFirst[i], last = view->neighborFirst[i + 1];
	while ( first < last )
	{
		uint32_t middle = first + ( last - first ) / 2;
		if ( view->neighbors[middle] < wanted )
			first = middle + 1;
		else
			last = middle;
	}
	return first < view->neighborFirst[i + 1] && view->neighbors[first] == wanted;
}

static bool CheckOffsets(
	gelPackChecker* checker, const gelPackSection* section, const gelParticleView* view )
{
	uint32_t n = view->header->particleCount, end = 2 * view->header->edgeCount;
	for ( uint32_t i = 0; i < n; ++i )
	{
		bool isFirst = i > 0 || view->neighborFirst[0] == 0;
		if ( !isFirst || view->neighborFirst[i + 1] < view->neighborFirst[i] ||
			view->neighborFirst[i + 1] > end )
		{
			return FAIL( gel_packIndex, i, view->neighborFirst + i,
				"neighbor offsets run from 0 to twice the edges and do not fall" );
		}
	}
	if ( view->neighborFirst[n] != end )
		return FAIL( gel_packIndex, n, view->neighborFirst + n, "neighbor offsets end at twice the edges" );
	return true;
}

static bool CheckGraph( gelPackChecker* checker, const gelPackSection* section, const gelParticleView* view )
{
	uint32_t n = view->header->particleCount;
	for ( uint32_t i = 0; i < n; ++i )
	{
		for ( uint32_t k = view->neighborFirst[i]; k < view->neighborFirst[i + 1]; ++k )
		{
			const uint32_t* j = view->neighbors + k;
			if ( *j >= n || *j == i || ( k > view->neighborFirst[i] && *j <= j[-1] ) )
				return FAIL( gel_packIndex, k, j, "neighbors are other particles and ascend" );
		}
	}
	for ( uint32_t i = 0; i < n; ++i )
	{
		for ( uint32_t k = view->neighborFirst[i]; k < view->neighborFirst[i + 1]; ++k )
		{
			if ( !HasNeighbor( view, view->neighbors[k], i ) )
				return FAIL( gel_packStructure, k, view->neighbors + k, "edges run in both directions" );
		}
	}
	return true;
}

static bool CheckBatch( gelPackChecker* checker, const gelPackSection* section, const gelParticleView* view,
	uint32_t first, uint8_t* taken )
{
	GEL_ASSERT( first % 8 == 0 );
	const uint32_t* batch = view->batches + first;
	for ( uint32_t a = 0; a < GEL_PACK_LANES; ++a )
	{
		if ( batch[a] == GEL_PACK_NO_PARTICLE ) continue;
		if ( batch[a] >= view->header->particleCount )
			return FAIL( gel_packIndex, first + a, batch + a, "batches hold particles" );
		if ( gelTestAndSetBit( taken, batch[a] ) )
			return FAIL( gel_packStructure, first + a, batch + a, "every particle is in one batch, once" );
		for ( uint32_t b = 0; b < a; ++b )
		{
			if ( batch[b] != GEL_PACK_NO_PARTICLE && HasNeighbor( view, batch[a], batch[b] ) )
				return FAIL(
					gel_packStructure, first + a, batch + a, "no two particles of a batch are neighbors" );
		}
	}
	return true;
}

static bool CheckBatches(
	gelPackChecker* checker, const gelPackSection* section, const gelParticleView* view )
{
	uint32_t n = view->header->particleCount;
	uint8_t taken[GEL_PACK_MAX_PARTICLES / 8 + 1] = { 0 };
	for ( uint32_t first = 0; first < view->slotCount; first += GEL_PACK_LANES )
	{
		if ( !CheckBatch( checker, section, view, first, taken ) ) return false;
	}
	for ( uint32_t i = 0; i < n; ++i )
	{
		if ( ( taken[i / 8] >> ( i % 8 ) & 1 ) == 0 )
			return FAIL( gel_packStructure, i, view->batches, "every particle is in one batch, once" );
	}
	return true;
}

static bool CheckGraphHeader(
	gelPackChecker* checker, const gelPackSection* section, const gelPackParticles* h )
{
	if ( section->bytes < sizeof( *h ) )
		return FAIL( gel_packSize, 0, h, "a section with several arrays has its inner header" );
	uint64_t n = h->particleCount;
	if ( n == 0 || n > GEL_PACK_MAX_PARTICLES || h->edgeCount > n * ( n - 1 ) / 2 )
		return FAIL( gel_packSize, 0, h, "there are 1 to 4096 particles, and no edge twice" );
	if ( h->kind > GEL_PARTICLES_ROD || !IsMeasure( h->stiffness ) )
		return FAIL( gel_packValue, 0, h, "the kind is 0 to 2 and the stiffness 1e-15 to 1e15 J/m^5" );
	if ( !gelPack_IsZero( h->zero, sizeof( h->zero ) ) )
		return FAIL( gel_packValue, 0, h->zero, "reserved bytes of an inner header are 0" );
	return true;
}

static bool CheckOpgr( gelPackChecker* checker, const gelPackSection* section, gelParticleView* view )
{
	const gelPackParticles* h = gelPackView_Bytes( checker->view, section );
	if ( !CheckGraphHeader( checker, section, h ) ) return false;
	const gelPackArrayRule rules[4] = {
		{ sizeof( gelPackParticle ), h->particleCount },
		{ sizeof( uint32_t ), (uint64_t)h->particleCount + 1 },
		{ sizeof( uint32_t ), 2 * (uint64_t)h->edgeCount },
		{ sizeof( uint32_t ), GEL_ANY_COUNT },
	};
	if ( !gelPackChecker_CheckArrays( checker, section, sizeof( *h ), &h->particles, rules, 4 ) )
		return false;
	if ( h->batches.count % GEL_PACK_LANES != 0 ||
		h->batches.count > GEL_PACK_LANES * GEL_PACK_MAX_PARTICLES )
		return FAIL( gel_packSize, 0, &h->batches, "batches have 8 slots, and there are not too many" );
	*view = ( gelParticleView ){
		.header = h,
		.particles = gelPackView_Array( checker->view, section, h->particles ),
		.neighborFirst = gelPackView_Array( checker->view, section, h->neighborFirst ),
		.neighbors = gelPackView_Array( checker->view, section, h->neighbors ),
		.batches = gelPackView_Array( checker->view, section, h->batches ),
		.slotCount = h->batches.count,
	};
	for ( uint32_t i = 0; i < h->particleCount; ++i )
	{
		if ( !CheckParticle( checker, section, view->particles + i, i ) ) return false;
	}
	return CheckOffsets( checker, section, view ) && CheckGraph( checker, section, view ) &&
		CheckBatches( checker, section, view );
}

static bool CheckSkins( gelPackChecker* checker, const gelPackSection* section, const gelPackSkin* skins,
	uint32_t count, uint32_t particleCount )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t sum = 0;
		for ( int k = 0; k < 4; ++k )
		{
			if ( skins[i].particle[k] >= particleCount ||
				( skins[i].weight[k] == 0 && skins[i].particle[k] != 0 ) )
			{
				return FAIL(
					gel_packIndex, i, skins + i, "skins name particles; 0 where there is no weight" );
			}
			sum += skins[i].weight[k];
		}
		if ( sum != 65535 ) return FAIL( gel_packValue, i, skins + i, "weights of a skin sum to 65535" );
	}
	return true;
}

static bool CheckOpsk( gelPackChecker* checker, const gelPackSection* section, gelParticleView* view )
{
	const gelPackHeader* header = checker->view->header;
	const gelPackSkins* h = gelPackView_Bytes( checker->view, section );
	if ( section->bytes < sizeof( *h ) )
		return FAIL( gel_packSize, 0, h, "a section with several arrays has its inner header" );
	const gelPackArrayRule rules[2] = {
		{ sizeof( gelPackSkin ), header->artVertexCount },
		{ sizeof( gelPackSkin ), header->nodeCount },
	};
	if ( !gelPackChecker_CheckArrays( checker, section, sizeof( *h ), &h->vertices, rules, 2 ) ) return false;
	if ( !gelPack_IsZero( h->zero, sizeof( h->zero ) ) )
		return FAIL( gel_packValue, 0, h->zero, "reserved bytes of an inner header are 0" );
	view->vertexSkins = gelPackView_Array( checker->view, section, h->vertices );
	view->nodeSkins = gelPackView_Array( checker->view, section, h->nodes );
	uint32_t n = view->header->particleCount;
	return CheckSkins( checker, section, view->vertexSkins, header->artVertexCount, n ) &&
		CheckSkins( checker, section, view->nodeSkins, header->nodeCount, n );
}

bool gelPackChecker_CheckParticles( gelPackChecker* checker )
{
	gelPackView* pack = checker->view;
	const gelPackSection* graph = gelPack_FindSection( pack, GEL_SECTION_OPGR, 0 );
	const gelPackSection* skin = gelPack_FindSection( pack, GEL_SECTION_OPSK, 0 );
	bool hasFactor = gelPack_CountSections( pack, GEL_SECTION_OPFA ) > 0;
	if ( graph == NULL && skin == NULL && !hasFactor ) return true;
	if ( graph == NULL || skin == NULL || !hasFactor )
	{
		const gelPackSection* section = graph != NULL ? graph
			: skin != NULL                            ? skin
													  : gelPack_GetSection( pack, GEL_SECTION_OPFA, 0 );
		return FAIL( gel_packMissingSection, 0, gelPackView_Bytes( pack, section ),
			"OPGR, OPSK and OPFA come together" );
	}
	gelParticleView view = { 0 };
	if ( !CheckOpgr( checker, graph, &view ) || !CheckOpsk( checker, skin, &view ) ) return false;
	pack->particles = view;
	return true;
}
