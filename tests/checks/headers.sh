#!/usr/bin/env bash
# Every public header compiles by itself, as C17 and as C++17, with warnings as errors.
set -euo pipefail
cd "$GEL_ROOT/runtime/include"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for header in gelpack/*.h; do
	printf '#include <%s>\n#include <%s>\nint main( void ) { return 0; }\n' "$header" "$header" >"$work/alone.c"
	cc -std=c17 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I. -c "$work/alone.c" -o "$work/alone.o"
	cp "$work/alone.c" "$work/alone.cpp"
	c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -c "$work/alone.cpp" -o "$work/alone.o"
	count=$((count + 1))
done
[ "$count" -ge 3 ]
echo "$count public headers compile alone"
