// SPDX-License-Identifier: MIT
// Attachment points (formats/pack.md section 4, ATCH).
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <math.h>
#include <string.h>

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

#define MAX_REACH 1.0e9f // [m], of positions and radii

static bool CheckName( gelPackChecker* checker, const gelPackSection* s, uint32_t i )
{
	GEL_ASSERT( i < s->count );
	const gelPackAttachment* a = (const gelPackAttachment*)gelPackView_Bytes( checker->view, s ) + i;
	size_t length = 0;
	while ( length < sizeof( a->name ) && a->name[length] != 0 )
		++length;
	bool isText = length > 0 && length < sizeof( a->name ) &&
		gelPack_IsZero( (const uint8_t*)a->name + length, sizeof( a->name ) - length );
	if ( !isText )
		return FAIL( gel_packValue, s, i, a,
			"the name of an attachment point is not empty, ends in a zero byte and is zero behind it" );
	// the one before has passed the test above, so both end
	if ( i > 0 && strcmp( a[-1].name, a->name ) >= 0 )
		return FAIL( gel_packIndex, s, i, a, "names of attachment points ascend, and none is there twice" );
	return true;
}

static bool CheckFrame( gelPackChecker* checker, const gelPackSection* s, const gelPackAttachment* a )
{
	uint64_t i = (uint64_t)( a - (const gelPackAttachment*)gelPackView_Bytes( checker->view, s ) );
	double length = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( fabsf( a->position[k] ) <= MAX_REACH ) )
			return FAIL(
				gel_packValue, s, i, a->position + k, "attachment points are within 1e9 m of the origin" );
	}
	if ( !( a->radius >= 0.0f && a->radius <= MAX_REACH ) )
		return FAIL(
			gel_packValue, s, i, &a->radius, "the radius of an attachment point is between 0 and 1e9 m" );
	for ( int k = 0; k < 4; ++k )
		length += (double)a->rotation[k] * (double)a->rotation[k];
	if ( !( fabs( length - 1.0 ) <= 1.0e-3 ) )
		return FAIL(
			gel_packValue, s, i, a->rotation, "the rotation of an attachment point is a unit quaternion" );
	if ( !gelPack_IsZero( (const uint8_t*)a->zero, sizeof( a->zero ) ) )
		return FAIL( gel_packValue, s, i, a->zero, "reserved bytes of an attachment point are 0" );
	return true;
}

static bool CheckPlace( gelPackChecker* checker, const gelPackSection* s, const gelPackAttachment* a )
{
	uint64_t i = (uint64_t)( a - (const gelPackAttachment*)gelPackView_Bytes( checker->view, s ) );
	if ( a->tet >= checker->view->header->tetCount )
		return FAIL( gel_packIndex, s, i, &a->tet, "an attachment point lies in a tet" );
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		if ( !( a->weight[k] >= 0.0f && a->weight[k] <= 1.0f ) )
			return FAIL(
				gel_packValue, s, i, a->weight + k, "weights of an attachment point are between 0 and 1" );
		sum += (double)a->weight[k];
	}
	if ( fabs( sum - 1.0 ) > 0x1p-22 )
		return FAIL( gel_packValue, s, i, a->weight, "the weights of an attachment point sum to 1" );
	return true;
}

bool gelPackChecker_CheckAttachments( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_ATCH, 0 );
	if ( s == NULL ) return true;
	const gelPackAttachment* items = gelPackView_Bytes( view, s );
	if ( s->count == 0 || s->count > GEL_PACK_MAX_ATTACHMENTS )
		return FAIL( gel_packSize, s, 0, items, "there are 1 to 1024 attachment points in their section" );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( !CheckName( checker, s, i ) || !CheckFrame( checker, s, items + i ) ||
			!CheckPlace( checker, s, items + i ) )
			return false;
	}
	view->attachments = items;
	view->attachmentCount = s->count;
	return true;
}
