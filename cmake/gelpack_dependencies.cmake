# Libraries of the tools. All from Debian packages; scripts/setup installs them.

find_package( PkgConfig REQUIRED )
pkg_check_modules( JANSSON REQUIRED IMPORTED_TARGET jansson )
pkg_check_modules( XXHASH REQUIRED IMPORTED_TARGET libxxhash )
pkg_check_modules( NETTLE REQUIRED IMPORTED_TARGET nettle )
pkg_check_modules( EPOXY REQUIRED IMPORTED_TARGET epoxy )
pkg_check_modules( EGL REQUIRED IMPORTED_TARGET egl )
pkg_check_modules( GLFW REQUIRED IMPORTED_TARGET glfw3 )
pkg_check_modules( PNG REQUIRED IMPORTED_TARGET libpng )
pkg_check_modules( JPEG REQUIRED IMPORTED_TARGET libjpeg )
# giflib has no pkg-config file.
find_path( GIF_INCLUDE gif_lib.h REQUIRED )
find_library( GIF_LIBRARY gif REQUIRED )
add_library( gelpack_gif INTERFACE )
target_include_directories( gelpack_gif SYSTEM INTERFACE ${GIF_INCLUDE} )
target_link_libraries( gelpack_gif INTERFACE ${GIF_LIBRARY} )
pkg_check_modules( X11 REQUIRED IMPORTED_TARGET x11 )
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

# Single-header libraries. A copy on the user's include path wins over the one that scripts/setup fetched.
add_library( gelpack_header_libraries INTERFACE )
string( REPLACE ":" ";" user_include_path "$ENV{CPATH}:$ENV{C_INCLUDE_PATH}" )
foreach ( header cgltf.h cgltf_write.h tinyobj_loader_c.h nuklear.h )
	string( MAKE_C_IDENTIFIER ${header} name )
	find_path( GELPACK_INCLUDE_${name} ${header}
		HINTS ${user_include_path}
		PATHS ${PROJECT_SOURCE_DIR}/build/deps/include
		DOC "folder of ${header}" )
	if ( NOT GELPACK_INCLUDE_${name} )
		message( FATAL_ERROR "${header} is missing: run scripts/setup, or place it into build/deps/include" )
	endif()
	target_include_directories( gelpack_header_libraries SYSTEM INTERFACE ${GELPACK_INCLUDE_${name}} )
endforeach()
