// SPDX-License-Identifier: MIT
// The surface for collision, as one pass; cdg.h has its parts.
#pragma once

#include "bake/body/bake_data.h"

/// The collision geometry. Without it (settings, or the art does not allow it and it was not asked for)
/// out->cellCount is 0. @return false: there is an error
bool gelBuildCdg( const gelBakeData* data, gelBakePool* pool, gelFindings* findings, gelBakeCdg* out );

/// Its sections, counts of the header, and figures; nothing when there is none.
void gelAddCdgSections( gelPackWriter* writer, const gelBakeCdg* cdg, uint32_t artTriangleCount );
void gelSetCdgCounts( const gelBakeCdg* cdg, gelPackHeader* header );
void gelReportCdg( const gelBakeCdg* cdg, gelReport* report );
