// SPDX-License-Identifier: MIT
// Attachment points as people write them (docs/recipes.md): on the command line, in a recipe, as nodes of the
// art. All become texts of --attach first. A name that is there twice is decided by who says it: the command
// line wins over the recipe, and both win over the art.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"
#include "common/program/json_place.h"
#include "common/program/options.h"

/// Of the extras of an attachment point [m].
#define GEL_RADIUS_EXTRA "gelpack_radius"

/// Texts NAME=X,Y,Z[:QX,QY,QZ,QW][:RADIUS], of which the first of a name counts. False: a finding was added.
/// @param ownCount how many of them are of the command line, where no name is there twice
/// @param outPoints memory of the pool
bool gelParseAttachments( const gelStringList* texts, int ownCount, gelBakePool* pool, gelFindings* findings,
	gelBakeAttachment** outPoints, int* outCount );

/// Such a text. Memory belongs to the pool.
const char* gelFormatAttachment( const gelBakeAttachment* point, gelBakePool* pool );

/// One member of "attachments" of a recipe; the reader is at it. False: a finding was added.
bool gelReadAttachment(
	gelJsonReader* json, const char* name, const json_t* value, gelBakeAttachment* outPoint );

/// Whether a node of this name is an attachment point unless its extras say something else.
bool gelIsAttachmentName( const char* name );

/// Adds the texts of the nodes of the art that are attachment points. False: a finding was added.
/// @param mesh scaled to metres
bool gelReadArtAttachments(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelStringList* texts );
