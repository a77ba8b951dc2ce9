#!/usr/bin/env bash
# Our sources are formatted as .clang-format says. Reference version 14: others lay some lines out differently.
set -euo pipefail
cd "$GEL_ROOT"
if ! command -v clang-format >/dev/null || ! grep -q 'version 14\.' <(clang-format --version); then
	echo "SKIPPED: clang-format 14 is not installed"
	exit 77
fi
find formats runtime tools examples tests bench -name '*.c' -o -name '*.h' | sort | xargs clang-format --dry-run --Werror
