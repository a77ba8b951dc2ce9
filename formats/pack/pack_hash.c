// SPDX-License-Identifier: MIT
// XXH64 (Yann Collet, "XXH64 algorithm description", version 0.1.1) with seed 0, written from that
// description. Reads byte by byte, so neither the alignment nor the byte order of the host matters; the
// compiler turns the loads into single instructions.
#include "pack/pack_read.h"

#include "gelpack/asserts.h"

#include <string.h>

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

static uint32_t LoadU32LE( const uint8_t* p )
{
	return (uint32_t)p[0] | ( (uint32_t)p[1] << 8 ) | ( (uint32_t)p[2] << 16 ) | ( (uint32_t)p[3] << 24 );
}

static uint64_t LoadU64LE( const uint8_t* p )
{
	return (uint64_t)LoadU32LE( p ) | ( (uint64_t)LoadU32LE( p + 4 ) << 32 );
}

static void StoreU32LE( uint8_t* p, uint32_t value )
{
	for ( int i = 0; i < 4; ++i )
		p[i] = (uint8_t)( value >> ( 8 * i ) );
}

static void StoreU64LE( uint8_t* p, uint64_t value )
{
	StoreU32LE( p, (uint32_t)value );
	StoreU32LE( p + 4, (uint32_t)( value >> 32 ) );
}

static uint64_t RotateLeft( uint64_t x, int bits )
{
	return ( x << bits ) | ( x >> ( 64 - bits ) );
}

static uint64_t Round( uint64_t accumulator, uint64_t lane )
{
	return RotateLeft( accumulator + lane * PRIME_2, 31 ) * PRIME_1;
}

static uint64_t MergeAccumulator( uint64_t hash, uint64_t accumulator )
{
	return ( hash ^ Round( 0, accumulator ) ) * PRIME_1 + PRIME_4;
}

// Stripes of 32 bytes in four independent accumulators (steps 1 to 3 of the description).
static uint64_t HashStripes( const uint8_t* p, size_t stripeCount )
{
	uint64_t a1 = PRIME_1 + PRIME_2, a2 = PRIME_2, a3 = 0, a4 = 0 - PRIME_1;
	for ( size_t i = 0; i < stripeCount; ++i, p += 32 )
	{
		a1 = Round( a1, LoadU64LE( p ) );
		a2 = Round( a2, LoadU64LE( p + 8 ) );
		a3 = Round( a3, LoadU64LE( p + 16 ) );
		a4 = Round( a4, LoadU64LE( p + 24 ) );
	}
	uint64_t hash = RotateLeft( a1, 1 ) + RotateLeft( a2, 7 ) + RotateLeft( a3, 12 ) + RotateLeft( a4, 18 );
	hash = MergeAccumulator( hash, a1 );
	hash = MergeAccumulator( hash, a2 );
	hash = MergeAccumulator( hash, a3 );
	return MergeAccumulator( hash, a4 );
}

uint64_t gelPack_Hash( const void* bytes, size_t byteCount )
{
	GEL_ASSERT( bytes != NULL || byteCount == 0 );
	const uint8_t* p = bytes;
	size_t left = byteCount;
	uint64_t hash = PRIME_5;
	if ( left >= 32 )
	{
		hash = HashStripes( p, left / 32 );
		p += left - left % 32;
		left %= 32;
	}
	hash += (uint64_t)byteCount;
	for ( ; left >= 8; left -= 8, p += 8 )
		hash = RotateLeft( hash ^ Round( 0, LoadU64LE( p ) ), 27 ) * PRIME_1 + PRIME_4;
	for ( ; left >= 4; left -= 4, p += 4 )
		hash = RotateLeft( hash ^ ( (uint64_t)LoadU32LE( p ) * PRIME_1 ), 23 ) * PRIME_2 + PRIME_3;
	for ( ; left > 0; --left, ++p )
		hash = RotateLeft( hash ^ ( (uint64_t)*p * PRIME_5 ), 11 ) * PRIME_1;
	hash = ( hash ^ ( hash >> 33 ) ) * PRIME_2;
	hash = ( hash ^ ( hash >> 29 ) ) * PRIME_3;
	return hash ^ ( hash >> 32 );
}

uint64_t gelPack_FactorKey( uint32_t solverKind, double step, uint64_t pinSetId )
{
	// Games hold their step length as a float; the double of exactly that float is what a pack records.
	double rounded = (double)(float)step;
	uint64_t stepBits;
	memcpy( &stepBits, &rounded, sizeof( stepBits ) );
	uint8_t bytes[sizeof( gelPackFactorKey )];
	StoreU32LE( bytes, solverKind );
	StoreU32LE( bytes + 4, 1 ); // block size
	StoreU64LE( bytes + 8, stepBits );
	StoreU64LE( bytes + 16, pinSetId );
	return gelPack_Hash( bytes, sizeof( bytes ) );
}
