// SPDX-License-Identifier: MIT
// Attachment points. With its place p0 in the rest cage (weights w of a tet), the same place p in the cage as
// it is now, and the rotation R of the body there, a point that was at x0 is at
//     x = p + R ( x0 - p0 ).
// The second term is rounding for a point inside of the cage, and a rigid arm for one outside: extrapolation
// by weights would let every wobble of a tet grow with the distance. R is the polar factor of the mean of F
// over the tets around the four nodes, by volume and by w: that of one tet alone would be its noise, too.
#include "gelpack/attach.h"

#include "constraints/constraint_set.h"
#include "solvers/interact_points.h"
#include "asset/rest_point.h"
#include "math/polar.h"
#include "state/world.h"

#include <string.h>

int gelAsset_GetAttachmentCount( const gelAsset* asset )
{
	return asset ? (int)asset->pack.attachmentCount : 0;
}

static bool IsAttachment( const gelAsset* asset, int attachment )
{
	return attachment >= 0 && attachment < gelAsset_GetAttachmentCount( asset );
}

gelAttachmentInfo gelAsset_GetAttachment( const gelAsset* asset, int attachment )
{
	gelAttachmentInfo info = { .name = "", .point.tet = -1 };
	if ( !IsAttachment( asset, attachment ) ) return info;
	const gelPackAttachment* a = asset->pack.attachments + attachment;
	const float *p = a->position, *q = a->rotation;
	info.name = a->name;
	info.rest.position = gelMakeVec3( p[0], p[1], p[2] );
	info.rest.rotation = ( gelQuat ){ { q[0], q[1], q[2] }, q[3] };
	info.radius = a->radius;
	info.point.tet = (int)a->tet;
	memcpy( info.point.weight, a->weight, sizeof( info.point.weight ) );
	return info;
}

int gelAsset_FindAttachment( const gelAsset* asset, const char* name )
{
	int low = 0, high = gelAsset_GetAttachmentCount( asset );
	while ( name != NULL && low < high )
	{
		int middle = ( low + high ) / 2, order = strcmp( asset->pack.attachments[middle].name, name );
		if ( order == 0 ) return middle;
		if ( order < 0 )
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

// ---- where a point is ----------------------------------------------------------------------------------

static gelMat3 GetMeanGradient( const gelBody* body, const gelEmbeddedPoint* point )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < body->asset->tetCount );
	const gelPackView* pack = &body->asset->pack;
	gelMat3 mean = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = pack->tets[point->tet].node[k];
		float volume = 0.0f;
		if ( point->weight[k] == 0.0f ) continue;
		for ( uint32_t i = pack->gatherFirst[node]; i < pack->gatherFirst[node + 1]; ++i )
			volume += pack->tetRests[pack->gatherCorners[i] / 4].volume;
		for ( uint32_t i = pack->gatherFirst[node]; i < pack->gatherFirst[node + 1]; ++i )
		{
			uint32_t tet = pack->gatherCorners[i] / 4;
			float share = point->weight[k] * ( pack->tetRests[tet].volume / volume );
			mean = gelMulAddMat3( mean, share, gelDeformationGradient( pack, tet, body->x ) );
		}
	}
	return mean;
}

static gelVec3 GetRestPlace( const gelAsset* asset, const gelEmbeddedPoint* point )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < asset->tetCount );
	const gelPackView* pack = &asset->pack;
	const uint32_t* node = pack->tets[point->tet].node;
	gelVec3 sum = gelScale( point->weight[0], gelGetRestNode( pack->nodes, node[0] ) );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->weight[k], gelGetRestNode( pack->nodes, node[k] ) );
	return sum;
}

static gelTransform GetPose( const gelBody* body, const gelAttachmentInfo* info )
{
	gelQuat turn =
		gelPolarSolve_Ref( GetMeanGradient( body, &info->point ), gelIdentityQuat(), GEL_COLD_ITERATIONS );
	gelVec3 arm = gelSub( info->rest.position, GetRestPlace( body->asset, &info->point ) );
	gelVec3 place =
		gelInterpolate( body->asset->pack.tets[info->point.tet].node, info->point.weight, body->x );
	place = gelAdd( place, gelMulMV( gelMakeMat3FromQuat( turn ), arm ) );
	return ( gelTransform ){ gelToWorld( body, place ),
		gelNormalizeQuat( gelMulQuat( turn, info->rest.rotation ) ) };
}

// The body of an id, and one of its attachment points, outside of a step.
static gelResult GetAttachment(
	gelBodyId bodyId, int attachment, gelBody** outBody, gelAttachmentInfo* outInfo )
{
	gelResult result = gelUseBody( bodyId, outBody );
	if ( result != gel_success ) return result;
	if ( !IsAttachment( ( *outBody )->asset, attachment ) ) return gel_errorArgument;
	*outInfo = gelAsset_GetAttachment( ( *outBody )->asset, attachment );
	return gel_success;
}

gelResult gelBody_GetAttachmentTransform( gelBodyId bodyId, int attachment, gelTransform* outPose )
{
	if ( outPose == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outPose = ( gelTransform ){ .rotation = gelIdentityQuat() };
	gelBody* body;
	gelAttachmentInfo info;
	gelResult result = GetAttachment( bodyId, attachment, &body, &info );
	if ( result == gel_success ) *outPose = GetPose( body, &info );
	return result;
}

// ---- holding it ------------------------------------------------------------------------------------------

static gelQuat Conjugate( gelQuat q )
{
	return ( gelQuat ){ gelNeg( q.v ), q.s };
}

// Corners of a regular tet on the sphere of the radius, along the axes of the attachment point.
static gelEmbeddedPoint FindHold( const gelAsset* asset, const gelAttachmentInfo* info, int corner )
{
	GEL_ASSERT( corner >= 0 && corner < GEL_ATTACHMENT_HOLDS );
	static const gelVec3 corners[4] = { { 1.0f, 1.0f, 1.0f }, { 1.0f, -1.0f, -1.0f }, { -1.0f, 1.0f, -1.0f },
		{ -1.0f, -1.0f, 1.0f } };
	gelVec3 arm =
		gelRotateByMatrix( info->rest.rotation, gelScale( 0.57735027f * info->radius, corners[corner] ) );
	return gelFindRestPoint( asset, gelToDouble( gelAdd( info->rest.position, arm ) ) );
}

// What the target of a point has to be, in the frame.
static gelVec3 GetTarget( const gelBody* body, const gelAttachmentInfo* info, const gelEmbeddedPoint* point,
	const gelTransform* frame, const gelTransform* transform )
{
	if ( transform != NULL )
	{
		gelVec3 arm = gelSub( GetRestPlace( body->asset, point ), info->rest.position );
		arm = gelRotateByMatrix( Conjugate( gelNormalizeQuat( info->rest.rotation ) ), arm );
		return gelAdd( transform->position, gelRotateByMatrix( transform->rotation, arm ) );
	}
	gelVec3 now =
		gelToWorld( body, gelInterpolate( body->asset->pack.tets[point->tet].node, point->weight, body->x ) );
	return gelRotateByMatrix( Conjugate( frame->rotation ), gelSub( now, frame->position ) );
}

gelResult gelBody_HoldAttachment( gelBodyId bodyId, int attachment, gelFrameId frameId,
	const gelTransform* transform, gelConstraintId* outIds )
{
	gelConstraintId ids[GEL_ATTACHMENT_HOLDS] = { 0 };
	if ( outIds != NULL ) memcpy( outIds, ids, sizeof( ids ) );
	gelBody* body;
	gelAttachmentInfo info;
	gelResult result = GetAttachment( bodyId, attachment, &body, &info );
	if ( result != gel_success ) return result;
	if ( transform != NULL && !gelIsTransform( *transform ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelTransform frame = { .rotation = gelIdentityQuat() };
	if ( frameId.index1 != 0 ) result = gelFrame_GetTransform( frameId, &frame );
	for ( int i = 0; i < ( info.radius > 0.0f ? GEL_ATTACHMENT_HOLDS : 1 ) && result == gel_success; ++i )
	{
		gelConstraintDef def = gelDefaultConstraintDef();
		def.point = info.radius > 0.0f ? FindHold( body->asset, &info, i ) : info.point;
		def.frame = frameId;
		def.target = GetTarget( body, &info, &def.point, &frame, transform );
		result = gelCreateConstraint( bodyId, &def, ids + i );
	}
	for ( int i = 0; i < GEL_ATTACHMENT_HOLDS && result != gel_success; ++i )
		gelDestroyConstraint( ids[i] );
	if ( result == gel_success && outIds != NULL ) memcpy( outIds, ids, sizeof( ids ) );
	return result;
}
