# Toolchain of scripts/build-web: WebAssembly by Debian's clang, lld and wasi-libc.
set( CMAKE_SYSTEM_NAME Generic )
set( CMAKE_SYSTEM_PROCESSOR wasm32 )
set( CMAKE_C_COMPILER clang )
set( CMAKE_C_COMPILER_TARGET wasm32-wasi )
set( CMAKE_AR llvm-ar )
set( CMAKE_RANLIB llvm-ranlib )
set( CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY )
set( CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER )
