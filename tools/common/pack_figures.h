// SPDX-License-Identifier: MIT
// Parts of a pack as they stand in reports: one place for the names that gel-bake and gel-inspect use.
#pragma once

#include "pack_layout.h"

#include <jansson.h>

/// How far an attachment point is from where its weights say, at rest [m]: rounding for one inside of the
/// cage.
double gelGetAttachmentDistance(
	const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets );

/// New references. Text that is not UTF-8 is cleaned.
json_t* gelMakeAttachmentJson( const gelPackAttachment* a, const gelPackNode* nodes, const gelPackTet* tets );
