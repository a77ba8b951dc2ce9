// SPDX-License-Identifier: MIT
// Attachment points: places of a body that have a name, a direction and perhaps a radius, put there by the
// artist (docs/recipes.md). A game asks where "head" is and draws a hat there, or hangs "hip" on a bone.
// Included by gelpack.h.
//
// They are counted from 0 to gelAsset_GetAttachmentCount - 1 in the order of their names; a number is the
// same in all levels of an asset.
#pragma once

#include "interact.h"

/// What an artist said about a point, and where it is in the cage.
typedef struct gelAttachmentInfo
{
	const char* name;  ///< owned by the asset, never NULL
	gelTransform rest; ///< where the point is in the rest shape [m, asset space]
	float radius;      ///< [m]; 0: the point alone
	/// Of this level, for everything that takes points (interact.h, query.h). That of a point outside of the
	/// cage is the nearest one of it.
	gelEmbeddedPoint point;
} gelAttachmentInfo;

/// How many attachment points an asset has; 0 for NULL.
GEL_API int gelAsset_GetAttachmentCount( const gelAsset* asset );

/// An attachment point by its number. Zeros, an empty name and tet -1 for a number that is none.
GEL_API gelAttachmentInfo gelAsset_GetAttachment( const gelAsset* asset, int attachment );

/// The number of a name; -1: the asset has no such point.
GEL_API int gelAsset_FindAttachment( const gelAsset* asset, const char* name );

/// Where a point is now [m, world space], and how its axes are turned: by the rotation in the deformation of
/// the tets around it, on average. Of the two quaternions of a rotation it may be either. About a
/// microsecond. gel_errorArgument: there is no such point.
GEL_API gelResult gelBody_GetAttachmentTransform(
	gelBodyId bodyId, int attachment, gelTransform* outTransform );

/// Constraints that gelBody_HoldAttachment makes at most.
#define GEL_ATTACHMENT_HOLDS 4

/// Holds a point, as gelCreateConstraint does: with a radius by four points around it, that far away or as
/// far as the body reaches, so that it turns along; without one by itself alone, as a ball joint does.
/// @param frameId that it hangs on, of the same body; zero: the world
/// @param transform where its axes are in the frame [m]; NULL: where they are now. What is elsewhere is
/// pulled there
/// @param outIds GEL_ATTACHMENT_HOLDS of them; those that are not needed are zero. NULL: nobody lets go
/// @return as gelCreateConstraint; after a failure nothing is held
GEL_API gelResult gelBody_HoldAttachment( gelBodyId bodyId, int attachment, gelFrameId frameId,
	const gelTransform* transform, gelConstraintId* outIds );
