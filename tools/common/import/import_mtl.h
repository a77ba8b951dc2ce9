// SPDX-License-Identifier: MIT
// Colors of OBJ materials.
#pragma once

#include "common/import/import_obj_scan.h"

/// Makes the mesh's materials, one for each usemtl name in order of first use, with the colors that the
/// material files give. What is missing there is only a warning: colors do not change the shape. False: out
/// of memory.
bool gelReadObjMaterials( gelImporter* importer, const gelObjScan* scan );
