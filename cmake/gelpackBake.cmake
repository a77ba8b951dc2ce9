# Baking as part of a build. Comes with find_package( gelpack ).
#
#     gelpack_bake( <target> SOURCES <art>... [OPTIONS <option of gel-bake>...] [CAGE <file>] [RECIPE <file>]
#                   [OUTPUT_DIRECTORY <folder>] [CACHE <folder>] [THREADS <n>] [PACKS <variable>] [EXCLUDE_FROM_ALL] )
#
# Makes a target that bakes every source (.obj, .gltf, .glb) to <folder>/<name>.gel; folder is the current binary
# directory unless told otherwise. A pack is baked again when a file changes that went into it (the art, its material
# and buffer files, cage, recipe: gel-bake says which), when an option does, or when gel-bake itself is another one.
# PACKS gets the paths of the packs. THREADS is 1 unless told otherwise: the build runs several bakes at once.
cmake_policy( PUSH )
cmake_policy( VERSION 3.20...3.25 ) # depfiles

function( gelpack_bake target )
	cmake_parse_arguments( PARSE_ARGV 1 arg "EXCLUDE_FROM_ALL" "CAGE;RECIPE;OUTPUT_DIRECTORY;CACHE;THREADS;PACKS"
		"SOURCES;OPTIONS" )
	if ( arg_UNPARSED_ARGUMENTS )
		message( FATAL_ERROR "gelpack_bake: what is '${arg_UNPARSED_ARGUMENTS}'?" )
	endif()
	if ( NOT arg_SOURCES )
		message( FATAL_ERROR "gelpack_bake( ${target} ): there are no SOURCES" )
	endif()
	if ( NOT TARGET gelpack::bake )
		message( FATAL_ERROR "gelpack_bake( ${target} ): gel-bake is not installed with this package" )
	endif()
	if ( NOT arg_OUTPUT_DIRECTORY )
		set( arg_OUTPUT_DIRECTORY . )
	endif()
	if ( NOT arg_THREADS )
		set( arg_THREADS 1 )
	endif()
	get_filename_component( folder "${arg_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}" )

	set( options --quiet --threads ${arg_THREADS} )
	set( inputs )
	if ( arg_CAGE )
		get_filename_component( cage "${arg_CAGE}" ABSOLUTE )
		list( APPEND options --cage "${cage}" )
		list( APPEND inputs "${cage}" )
	endif()

	if ( arg_RECIPE )
		get_filename_component( recipe "${arg_RECIPE}" ABSOLUTE )
		list( APPEND options --recipe "${recipe}" )
		list( APPEND inputs "${recipe}" )
	endif()
	if ( arg_CACHE )
		get_filename_component( cache "${arg_CACHE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}" )
		list( APPEND options --cache "${cache}" )
	endif()
	# Makefiles do not notice by themselves that a command has changed.
	set( options_file "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.gelpack-options" )
	file( GENERATE OUTPUT "${options_file}" CONTENT "${options};${arg_OPTIONS}\n" )
	list( APPEND inputs "${options_file}" )

	set( packs )
	foreach ( source IN LISTS arg_SOURCES )
		get_filename_component( art "${source}" ABSOLUTE )
		get_filename_component( name "${source}" NAME_WLE )
		set( pack "${folder}/${name}.gel" )
		if ( pack IN_LIST packs )
			message( FATAL_ERROR "gelpack_bake( ${target} ): two sources are named ${name}; bake them into different "
				"folders" )
		endif()
		list( APPEND packs "${pack}" )
		add_custom_command( OUTPUT "${pack}"
			COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
			COMMAND gelpack::bake "${art}" -o "${pack}" --depfile "${pack}.d" ${options} ${arg_OPTIONS}
			DEPENDS "${art}" ${inputs} gelpack::bake
			DEPFILE "${pack}.d"
			COMMENT "Baking ${name}.gel"
			VERBATIM )
	endforeach()
	set( all ALL )
	if ( arg_EXCLUDE_FROM_ALL )
		set( all )
	endif()
	add_custom_target( ${target} ${all} DEPENDS ${packs} )
	if ( arg_PACKS )
		set( ${arg_PACKS} ${packs} PARENT_SCOPE )
	endif()
endfunction()

cmake_policy( POP )
