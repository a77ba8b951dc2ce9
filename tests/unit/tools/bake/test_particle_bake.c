// SPDX-License-Identifier: MIT
// Particles as the bake places them: masses, radii, graphs that do not jump across gaps, skins, same bytes;
// what has no volume or is in pieces is refused. And each rule of OPGR, OPSK and OPFA has an edit that breaks
// it.
#include "test_support.h"

#include "asset/asset.h"
#include "solvers/particles/particle_model.h"
#include "particle_stage.h"
#include "small_pack.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Two fingers of 1 x 0.2 x 0.2 m, 0.02 m apart, on a base of 0.2 m: cells of a box cage that are left.
static gelCage MakeFork( void )
{
	gelCage box = gelMakeBoxCage( 6, 3, 1, 1.2, 0.42, 0.2, gel_boxSplitSix );
	for ( uint32_t i = 0; i < box.nodeCount; ++i )
	{
		double* y = box.positions + 3 * (size_t)i + 1;
		int row = (int)lround( *y / 0.14 );
		*y = row == 0 ? 0.0 : row == 1 ? 0.2 : row == 2 ? 0.22 : 0.42;
	}
	uint32_t kept = 0;
	for ( uint32_t t = 0; t < box.tetCount; ++t )
	{
		double x = 0.0, y = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			x += 0.25 * box.positions[3 * (size_t)box.tets[4 * t + (uint32_t)k]];
			y += 0.25 * box.positions[3 * (size_t)box.tets[4 * t + (uint32_t)k] + 1];
		}
		if ( x > 0.2 && y > 0.2 && y < 0.22 ) continue;
		memmove( box.tets + 4 * kept++, box.tets + 4 * t, 4 * sizeof( uint32_t ) );
	}
	box.tetCount = kept;
	return box;
}

static uint8_t* Bake( const gelCage* cage, gelParticleKind kind, int count, int threads, size_t* outBytes )
{
	gelMesh mesh = gelMeshFromCageBoundary( cage, 0.0 );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.particles.kind = kind;
	settings.particles.count = count;
	settings.threads = threads;
	uint8_t* pack = gelBake( &mesh, cage, &settings, &program, outBytes );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	return pack;
}

static void TestForkIsNotBridged( void** state )
{
	(void)state;
	gelCage cage = MakeFork();
	const int counts[3] = { 12, 30, 80 };
	for ( int c = 0; c < 3; ++c )
	{
		size_t bytes;
		uint8_t* pack = Bake( &cage, gel_particlesAuto, counts[c], 1, &bytes );
		assert_non_null( pack );
		gelPackView view;
		gelAssertPackOpens( pack, bytes, &view );
		const gelParticleView* p = &view.particles;
		assert_int_equal( p->header->particleCount, counts[c] );
		assert_int_equal( p->header->kind, GEL_PARTICLES_SOLID );
		double mass = 0.0;
		for ( uint32_t i = 0; i < p->header->particleCount; ++i )
		{
			const gelPackParticle* a = p->particles + i;
			mass += (double)a->mass;
			for ( uint32_t n = p->neighborFirst[i]; n < p->neighborFirst[i + 1]; ++n )
			{
				const gelPackParticle* b = p->particles + p->neighbors[n];
				bool isLow = a->position[1]<0.19f, otherIsHigh = b->position[1]> 0.23f;
				if ( isLow && otherIsHigh ) assert_true( a->position[0] < 0.45f && b->position[0] < 0.45f );
			}
		}
		assert_true( fabs( mass / ( 1000.0 * 0.2 * ( 2.0 * 0.2 * 1.2 + 0.02 * 0.2 ) ) - 1.0 ) < 0.05 );
		// vertices at the end of one finger hang on that finger alone
		const gelPackNode* nodes = view.nodes;
		for ( uint32_t v = 0; v < view.header->artVertexCount; ++v )
		{
			float w[4], x = 0.0f, y = 0.0f;
			gelGetWeights( view.embedWeights, v, w );
			for ( int k = 0; k < 4; ++k )
			{
				x += w[k] * nodes[view.tets[view.embedTets[v]].node[k]].x;
				y += w[k] * nodes[view.tets[view.embedTets[v]].node[k]].y;
			}
			for ( int k = 0; k < 4 && x > 1.1f && counts[c] >= 30; ++k )
			{
				const gelPackSkin* skin = p->vertexSkins + v;
				if ( skin->weight[k] == 0 ) continue;
				bool isLow = p->particles[skin->particle[k]].position[1] < 0.21f;
				assert_true( isLow == ( y < 0.21f ) );
			}
		}
		free( pack );
	}
	gelFreeCage( &cage );
}

static void TestSameBytes( void** state )
{
	(void)state;
	gelCage cage = MakeFork();
	size_t bytes[2];
	uint8_t* one = Bake( &cage, gel_particlesAuto, 40, 1, bytes );
	uint8_t* two = Bake( &cage, gel_particlesAuto, 40, 3, bytes + 1 );
	assert_true( one != NULL && two != NULL );
	assert_int_equal( bytes[0], bytes[1] );
	assert_memory_equal( one, two, bytes[0] );
	free( one );
	free( two );
	gelFreeCage( &cage );
}

// Rods are chains, sheets lie in the surface, and no radius is below a quarter of the mean distance.
static void TestKinds( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 10, 1, 1, 2.0, 0.1, 0.1, gel_boxSplitSix );
	const gelParticleKind kinds[2] = { gel_particlesRod, gel_particlesSheet };
	for ( int c = 0; c < 2; ++c )
	{
		size_t bytes;
		uint8_t* pack = Bake( &cage, kinds[c], 20, 1, &bytes );
		assert_non_null( pack );
		gelPackView view;
		gelAssertPackOpens( pack, bytes, &view );
		const gelParticleView* p = &view.particles;
		double sum = 0.0;
		for ( uint32_t i = 0; i < 20; ++i )
		{
			uint32_t degree = p->neighborFirst[i + 1] - p->neighborFirst[i];
			if ( c == 0 ) assert_true( degree == 2 || ( ( i == 0 || i == 19 ) && degree == 1 ) );
			for ( uint32_t n = p->neighborFirst[i]; n < p->neighborFirst[i + 1]; ++n )
			{
				const float *a = p->particles[i].position, *b = p->particles[p->neighbors[n]].position;
				sum += sqrt( ( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) +
					( a[2] - b[2] ) * ( a[2] - b[2] ) );
			}
		}
		double spacing = sum / ( 2.0 * p->header->edgeCount );
		for ( uint32_t i = 0; i < 20; ++i )
		{
			for ( int k = 0; k < 3; ++k )
				assert_true( (double)p->particles[i].radius[k] >= 0.249 * spacing );
		}
		// k of a chain: E area / (2 V d)
		double V = p->particles[5].volume;
		double area = 20.0 * V / 2.0; // volume over length
		if ( c == 0 )
			assert_true(
				fabs( (double)p->header->stiffness / ( 1e5 * area / ( 2.0 * V * spacing ) ) - 1.0 ) < 0.15 );
		free( pack );
	}
	gelFreeCage( &cage );
}

// Lines beside the faces say where a rod goes; a fork of lines is a fork of particles.
static void TestLines( void** state )
{
	(void)state;
	gelCage cage = MakeFork();
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 0.0 );
	const float ends[3][6] = { { 0.1f, 0.21f, 0.1f, 0.1f, 0.1f, 0.1f },
		{ 0.1f, 0.1f, 0.1f, 1.1f, 0.1f, 0.1f }, { 0.1f, 0.21f, 0.1f, 1.1f, 0.32f, 0.1f } };
	mesh.lineCount = 3;
	mesh.linePoints = malloc( sizeof( ends ) );
	assert_non_null( mesh.linePoints );
	memcpy( mesh.linePoints, ends, sizeof( ends ) );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.particles = ( gelParticleSettings ){ .kind = gel_particlesAuto, .count = 20 };
	size_t bytes;
	uint8_t* pack = gelBake( &mesh, &cage, &settings, &program, &bytes );
	assert_non_null( pack );
	gelPackView view;
	gelAssertPackOpens( pack, bytes, &view );
	assert_int_equal( view.particles.header->kind, GEL_PARTICLES_ROD );
	assert_int_equal( view.particles.header->particleCount, 20 );
	assert_int_equal( view.particles.header->edgeCount, 19 ); // a tree
	for ( int i = 0; i < 20; ++i )
	{
		const float* p = view.particles.particles[i].position; // near one of the lines
		float low = fabsf( p[1] - 0.1f ), high = fabsf( p[1] - ( 0.21f + 0.11f * ( p[0] - 0.1f ) ) );
		assert_true( fabsf( p[2] - 0.1f ) < 1e-4f && ( low < 0.02f || high < 0.02f || p[0] < 0.2f ) );
	}
	free( pack );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

static void TestRefused( void** state )
{
	(void)state;
	gelCage one = gelMakeBoxCage( 1, 1, 1, 1.0, 1.0, 1.0, gel_boxSplitSix );
	const double offset[3] = { 3.0, 0.0, 0.0 };
	gelCage both = gelJoinCages( &one, &one, offset );
	size_t bytes;
	assert_null( Bake( &both, gel_particlesSolid, 20, 1, &bytes ) );
	assert_null( Bake( &both, gel_particlesSheet, 20, 1, &bytes ) );
	// a surface of two layers that face each other has no inside
	gelMesh mesh = gelMeshFromCageBoundary( &one, 0.0 );
	for ( uint32_t i = 0; i < mesh.vertexCount; ++i )
		mesh.positions[3 * i + 1] = 0.5f;
	assert_true( gelMesh_Weld( &mesh ) );
	gelMesh_ComputeBounds( &mesh );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionNone;
	settings.particles.kind = gel_particlesSolid;
	assert_null( gelBake( &mesh, &one, &settings, &program, &bytes ) );
	assert_int_equal( gelFindings_Total( &program.findings, gel_findingParticlesNoVolume ), 1 );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &both );
	gelFreeCage( &one );
}

// ---- rules -----------------------------------------------------------------------------------------------

static void* GetArray( uint8_t* bytes, uint32_t fourcc, size_t at )
{
	uint8_t* section = gelFindPackData( bytes, fourcc, 0 );
	gelPackArray array;
	memcpy( &array, section + at, sizeof( array ) );
	return section + 64u * array.offset64;
}

#define OPGR( field ) GetArray( bytes, GEL_SECTION_OPGR, offsetof( gelPackParticles, field ) )
#define OPSK( field ) GetArray( bytes, GEL_SECTION_OPSK, offsetof( gelPackSkins, field ) )

static void Break( uint8_t* bytes, int rule )
{
	gelPackParticles* h = gelFindPackData( bytes, GEL_SECTION_OPGR, 0 );
	gelPackParticle* p = OPGR( particles );
	uint32_t *first = OPGR( neighborFirst ), *neighbors = OPGR( neighbors ), *batches = OPGR( batches );
	gelPackSkin *vertices = OPSK( vertices ), *nodes = OPSK( nodes );
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_OPFA, 0 );
	switch ( rule )
	{
		case 0:
			h->kind = 3;
			break;
		case 1:
			h->stiffness = NAN;
			break;
		case 2:
			h->zero[3] = 1;
			break;
		case 3:
			h->particleCount += 1;
			break;
		case 4:
			h->edgeCount = 0xFFFFFFFFu;
			break;
		case 5:
			p[3].position[1] = INFINITY;
			break;
		case 6:
			p[3].rotation[0] = 2.0f;
			break;
		case 7:
			p[3].radius[2] = 0.0f;
			break;
		case 8:
			p[3].radius[2] = 1e-5f * p[3].radius[0];
			break;
		case 9:
			p[3].mass = -1.0f;
			break;
		case 10:
			p[3].volume = 0.0f;
			break;
		case 11:
			p[3].zero[2] = 7;
			break;
		case 12:
			first[2] = first[1] - 1;
			break;
		case 13:
			first[2] = 0x7FFFFFFFu;
			break;
		case 14:
			neighbors[0] = 0xFFFFFFFFu;
			break;
		case 15:
			neighbors[0] = 0;
			break; // itself
		case 16:
			neighbors[1] = neighbors[0];
			break;
		case 17:
			batches[0] = 0xFFFFFFF0u;
			break;
		case 18:
			batches[1] = batches[0];
			break;
		case 19:
			batches[0] = GEL_PACK_NO_PARTICLE;
			break;
		case 20:
			vertices[2].particle[0] = 60000;
			break;
		case 21:
			vertices[2].weight[0] ^= 1;
			break;
		case 22:
			nodes[0].particle[0] = 60000;
			break;
		case 23:
			nodes[0].weight[0] ^= 1;
			break;
		case 24:
			f->solverKind = GEL_FACTOR_FAST;
			break;
		case 25:
			f->n -= 1;
			break;
		case 26:
			f->pinSetId = 5;
			break;
		case 27: // neighbors meet in a batch
			for ( int i = 8; i < 400; ++i )
			{
				if ( batches[i] != neighbors[first[batches[0]]] ) continue;
				uint32_t other = batches[1];
				batches[1] = batches[i];
				batches[i] = other;
				return;
			}
			break;
		default:
			( (uint32_t*)( (uint8_t*)f + 64u * f->perm.offset64 ) )[0] = 5000;
			break;
	}
}

static void TestRules( void** state )
{
	(void)state;
	gelCage cage = MakeFork();
	size_t bytes;
	uint8_t* pack = Bake( &cage, gel_particlesAuto, 40, 1, &bytes );
	assert_non_null( pack );
	for ( int rule = 0; rule < 29; ++rule )
	{
		uint8_t* copy = gelCopyPack( pack, bytes );
		Break( copy, rule );
		assert_memory_not_equal( copy, pack, bytes );
		gelRepairPackHashes( copy, bytes );
		gelPackFault fault;
		if ( gelTryPack( copy, bytes, NULL, &fault ) == gel_packOk )
			fail_msg( "rule %d is not checked", rule );
		free( copy );
	}
	// one of the three sections alone
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( pack, &sections ), kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc == GEL_SECTION_OPSK )
			free( sections[i].data );
		else
			sections[kept++] = sections[i];
	}
	size_t partBytes;
	uint8_t* part = gelJoinSections( (const gelPackHeader*)(const void*)pack, sections, kept, &partBytes );
	gelAssertPackRefused( part, partBytes, gel_packMissingSection, "come together", GEL_SECTION_OPGR );
	free( part );
	gelFreeSections( sections, kept );
	free( pack );
	gelFreeCage( &cage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestForkIsNotBridged ),
		cmocka_unit_test( TestSameBytes ),
		cmocka_unit_test( TestKinds ),
		cmocka_unit_test( TestLines ),
		cmocka_unit_test( TestRefused ),
		cmocka_unit_test( TestRules ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
