#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/hello.md: its program, its build and its steps, as they stand there, print what it says.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*" >&2; exit 1; }
cmake --install "$GEL_BUILD" --prefix "$work/usr" >"$work/log" || die "$(cat "$work/log")"
mkdir "$work/guide"
cd "$work/guide"
awk -v folder=. -f "$GEL_ROOT/tests/package/guide_blocks.awk" "$GEL_ROOT/docs/hello.md"
"$GEL_BIN/gel-sample" bear -o bear.obj --triangles 5000 --quiet
CMAKE_PREFIX_PATH=$work/usr bash -e steps.sh >out 2>err || die "$(cat out err)"
grep ' s: ' out >said || true
diff expected.txt said >differs || die "said (>) is not what the guide says: $(cat differs)"
[ "$(wc -l <hello.c)" -lt 40 ] || die "the program has forty lines or more"
cc -std=c17 -Wall -Wextra -Werror -fsyntax-only -I"$work/usr/include" hello.c
echo "docs/hello.md runs, $(wc -l <hello.c) lines"
