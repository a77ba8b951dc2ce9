// SPDX-License-Identifier: MIT
// Attachment points as people write them (docs/recipes.md): on the command line, in a recipe, as nodes of the
// art. A name that is there twice is decided by who says it: the command line wins over the recipe, and both
// win over the art.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"
#include "common/program/json_place.h"

/// Extra of an attachment point: its radius [m].
#define GEL_RADIUS_EXTRA "gelpack_radius"

/// A text NAME=X,Y,Z[:QX,QY,QZ,QW][:RADIUS]. @return what is wrong with it, or NULL
const char* gelParseAttachment( const char* text, gelBakeAttachment* out );

/// Those that count: the first one of each name. False: there are too many, and a finding was added.
/// @param points gelBakeAttachment, those who win first
/// @param outPoints memory of the pool
bool gelMergeAttachments( const gelValueList* points, gelBakePool* pool, gelFindings* findings,
	gelBakeAttachment** outPoints, int* outCount );

/// One member of "attachments" of a recipe; the reader is at it. False: a finding was added.
bool gelReadAttachment(
	gelJsonReader* json, const char* name, const json_t* value, gelBakeAttachment* outPoint );

/// Whether a node of this name is an attachment point unless its extras say something else.
bool gelIsAttachmentName( const char* name );

/// Adds the nodes of the art that are attachment points. False: a finding was added.
/// @param mesh scaled to metres
bool gelReadArtAttachments(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelValueList* inout );
