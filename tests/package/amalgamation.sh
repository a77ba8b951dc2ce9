#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The runtime as gelpack.h and gelpack.c: made the same every time, compiles without a warning as one file with nothing
# but libm, and gives the same bits as the library at every level of SIMD.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
pack=$GEL_ROOT/tests/golden/torus-0.4.gel

"$GEL_ROOT/scripts/amalgamate" "$folder/one"
(cd / && "$GEL_ROOT/scripts/amalgamate" "$folder/two")
diff -r one two >differs || die "two runs differ: $(cat differs)"
! grep -nE '#[[:space:]]*include[[:space:]]+"' one/gelpack.h || die "gelpack.h includes more files"
[ "$(grep -cE '#[[:space:]]*include[[:space:]]+"' one/gelpack.c)" = 1 ] || die "gelpack.c includes more than gelpack.h"
if grep -nF "$GEL_ROOT" one/gelpack.*; then die "it names a folder of this machine"; fi

# Without optimization: bits do not depend on it, and the compiler is done in seconds.
cc -std=c17 -O0 -Wall -Wextra -Werror -Ione -c one/gelpack.c -o gelpack.o
cc -std=c17 -O0 -Wall -Wextra -Wpedantic -Werror -Ione "$GEL_ROOT/tests/package/state_hash.c" gelpack.o -lm -o one.out
cc -std=c17 -I"$GEL_ROOT/runtime/include/gelpack" "$GEL_ROOT/tests/package/state_hash.c" "$(find "$GEL_BUILD" -name libgelpack.a)" -lm -o library.out
printf '#include "gelpack.h"\nint main() { return GEL_VERSION_NUMBER < 0; }\n' >plus.cpp
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Ione plus.cpp

./library.out "$pack" >library
./one.out "$pack" >one.txt
diff library one.txt >differs || die "library (<) and amalgamation (>) do not give the same bits: $(cat differs)"
[ "$(wc -l <library)" -ge 2 ] || die "too few levels: $(cat library)"
echo "one file of $(wc -l <one/gelpack.c) lines, the same bits at $(wc -l <library) levels"
