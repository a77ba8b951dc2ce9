// SPDX-License-Identifier: MIT
// Parts of a pack as they stand in reports: one place for the names that gel-bake and gel-inspect use.
#pragma once

#include "pack/pack_layout.h"

#include <jansson.h>

/// How far an attachment point is from where its weights say, at rest [m]: rounding for one inside of the
/// cage.
double gelGetAttachmentDistance(
	const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets );

/// New references. Text that is not UTF-8 is cleaned.
json_t* gelMakeAttachmentJson( const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets );

/// A FACT section.
json_t* gelMakeFactorJson( const gelPackSection* section, const gelPackFactor* factor );

/// A coarser level of detail, by the header of its pack.
json_t* gelMakeLevelJson( const gelPackHeader* level );

/// 64-bit ids do not fit into the doubles of most JSON readers, so they are text.
json_t* gelMakeIdJson( uint64_t id );
