# Libraries of the tools. All from Debian packages; scripts/setup installs them.

find_package( PkgConfig REQUIRED )
pkg_check_modules( JANSSON REQUIRED IMPORTED_TARGET jansson )
pkg_check_modules( XXHASH REQUIRED IMPORTED_TARGET libxxhash )
pkg_check_modules( NETTLE REQUIRED IMPORTED_TARGET nettle )
pkg_check_modules( GTS REQUIRED IMPORTED_TARGET gts )
pkg_check_modules( EPOXY REQUIRED IMPORTED_TARGET epoxy )
pkg_check_modules( EGL REQUIRED IMPORTED_TARGET egl )
pkg_check_modules( PNG REQUIRED IMPORTED_TARGET libpng )
pkg_check_modules( CMOCKA REQUIRED IMPORTED_TARGET cmocka )
if ( GELPACK_OPENMP )
	find_package( OpenMP REQUIRED COMPONENTS C )
endif()

# CHOLMOD's simplicial part and METIS (bake only).
find_path( CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED )
find_library( CHOLMOD_LIBRARY cholmod REQUIRED )
find_path( METIS_INCLUDE metis.h REQUIRED )
find_library( METIS_LIBRARY metis REQUIRED )
add_library( gelpack_cholmod INTERFACE )
target_include_directories( gelpack_cholmod SYSTEM INTERFACE ${CHOLMOD_INCLUDE} ${METIS_INCLUDE} )
target_link_libraries( gelpack_cholmod INTERFACE ${CHOLMOD_LIBRARY} ${METIS_LIBRARY} m )

# Single-header libraries; a copy on the include path wins over the one that scripts/setup fetched.
find_path( GELPACK_HEADER_INCLUDE cgltf.h
	HINTS ${PROJECT_SOURCE_DIR}/build/deps/include
	DOC "folder with cgltf.h, cgltf_write.h, tinyobj_loader_c.h, nuklear.h" )
if ( NOT GELPACK_HEADER_INCLUDE )
	message( FATAL_ERROR "cgltf.h is missing: run scripts/setup, or place the headers into build/deps/include" )
endif()
add_library( gelpack_header_libraries INTERFACE )
target_include_directories( gelpack_header_libraries SYSTEM INTERFACE ${GELPACK_HEADER_INCLUDE} )
