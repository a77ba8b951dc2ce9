// SPDX-License-Identifier: MIT
// Every finding of every tool: GEL_FINDING( number, severity, exit code when it is an error, title ).
// Numbers are permanent. Ranges: 00xx files and general, 01xx OBJ and mesh checks, 02xx glTF,
// 03xx cage files, 04xx cage mesher, 05xx bake, 06xx packs, 07xx preview, 08xx samples.
// clang-format off
GEL_FINDING( 1, gel_severityError, gel_exitIo, "a file cannot be read" )
GEL_FINDING( 2, gel_severityError, gel_exitIo, "a file cannot be written" )
GEL_FINDING( 3, gel_severityError, gel_exitInternal, "out of memory" )
GEL_FINDING( 4, gel_severityError, gel_exitInternal, "internal error" )
GEL_FINDING( 5, gel_severityError, gel_exitUsage, "the command line is wrong" )
// 01xx OBJ and mesh checks
// 02xx glTF
// 03xx cage files
// 04xx cage mesher
// 05xx bake
// 06xx packs
// 07xx preview
// 08xx samples
