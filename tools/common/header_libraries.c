// SPDX-License-Identifier: MIT
// The one place where the single-header libraries are compiled. Built without our warnings: not our code.
#define TINYOBJ_LOADER_C_IMPLEMENTATION
#include <tinyobj_loader_c.h>

#define CGLTF_IMPLEMENTATION
#include <cgltf.h>
#undef CGLTF_IMPLEMENTATION // cgltf_write.h includes it again

#define CGLTF_WRITE_IMPLEMENTATION
#include <cgltf_write.h>
