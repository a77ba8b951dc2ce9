# cmake --install BUILD --prefix WHERE: headers, libgelpack as archive and as shared library, the tools, and what
# CMake and pkg-config need to find them. Nothing that is installed names a folder of the machine that built it.
include( GNUInstallDirs )
include( CMakePackageConfigHelpers )

# Before 1.0 every minor version may break the interface.
set( gelpack_soversion ${PROJECT_VERSION_MAJOR} )
if ( PROJECT_VERSION_MAJOR EQUAL 0 )
	set( gelpack_soversion 0.${PROJECT_VERSION_MINOR} )
endif()
set_target_properties( gelpack PROPERTIES EXPORT_NAME runtime_static )
set_target_properties( gelpack_shared PROPERTIES EXPORT_NAME runtime_shared OUTPUT_NAME gelpack
	VERSION ${PROJECT_VERSION} SOVERSION ${gelpack_soversion} )

set( gelpack_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gelpack )
install( TARGETS gelpack gelpack_shared EXPORT gelpackRuntime COMPONENT runtime )
install( DIRECTORY runtime/include/gelpack DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime )
install( EXPORT gelpackRuntime NAMESPACE gelpack:: DESTINATION ${gelpack_cmake_dir} COMPONENT runtime )
if ( NOT GELPACK_RUNTIME_ONLY )
	foreach ( tool tetrafy bake inspect preview )
		set_target_properties( gel-${tool} PROPERTIES EXPORT_NAME ${tool} )
		install( TARGETS gel-${tool} EXPORT gelpackTools COMPONENT tools )
	endforeach()
	install( FILES cmake/gelpackBake.cmake DESTINATION ${gelpack_cmake_dir} COMPONENT tools )
	install( FILES docs/recipe.schema.json docs/manifest.schema.json docs/report.schema.json
		DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools )
	install( EXPORT gelpackTools NAMESPACE gelpack:: DESTINATION ${gelpack_cmake_dir} COMPONENT tools )
endif()

configure_package_config_file( cmake/gelpackConfig.cmake.in ${CMAKE_BINARY_DIR}/gelpackConfig.cmake
	INSTALL_DESTINATION ${gelpack_cmake_dir} )
write_basic_package_version_file( ${CMAKE_BINARY_DIR}/gelpackConfigVersion.cmake COMPATIBILITY SameMinorVersion )
install( FILES ${CMAKE_BINARY_DIR}/gelpackConfig.cmake ${CMAKE_BINARY_DIR}/gelpackConfigVersion.cmake
	DESTINATION ${gelpack_cmake_dir} COMPONENT runtime )

# Found from the place of the file itself, so that an installed tree can be moved.
file( RELATIVE_PATH gelpack_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig / )
configure_file( cmake/gelpack.pc.in ${CMAKE_BINARY_DIR}/gelpack.pc @ONLY )
install( FILES ${CMAKE_BINARY_DIR}/gelpack.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT runtime )
install( FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime )

# The runtime as gelpack.h and gelpack.c.
find_program( GELPACK_PERL perl )
if ( GELPACK_PERL )
	add_custom_target( amalgamation
		COMMAND ${GELPACK_PERL} ${PROJECT_SOURCE_DIR}/scripts/amalgamate ${CMAKE_BINARY_DIR}/amalgamation
		VERBATIM )
endif()
