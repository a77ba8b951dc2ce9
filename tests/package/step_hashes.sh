#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of hashes, scenes x solvers (step_hashes.txt), for every build of the runtime: levels of SIMD and orders of tasks
# in the library of this build; with GEL_EVERY_BUILD=1 (scripts/test --all) also compilers, levels of optimization, 32 bits
# and the shared library, and then contact scenes have to be those of the table, too. --update writes the table anew: say in
# the commit message why steps have other bits.
set -euo pipefail
root=$GEL_ROOT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=$root/tests/package/step_hashes.txt
source=$root/tests/package/step_hashes.c
pack=$root/tests/package/step_hashes.gel
failures=0

# hashes FILE: SCENE SOLVER HASH, which has to be one for all levels and orders
hashes()
{
	cut -d' ' -f1,2,5 "$1" | sort -u
}

# check NAME FILE
check()
{
	local name=$1 out=$2 keep=.
	[ -n "${GEL_EVERY_BUILD-}" ] || keep='^flight '
	if [ "$(hashes "$out" | cut -d' ' -f1,2 | uniq -d)" ]; then
		echo "FAILED: $name: levels of SIMD or orders of tasks differ:" >&2
		cat "$out" >&2
		failures=$((failures + 1))
	fi
	if ! diff <(grep "$keep" "$table") <(hashes "$out" | grep "$keep") >"$work/diff"; then
		echo "FAILED: $name: other steps than in step_hashes.txt" >&2
		cat "$work/diff" >&2
		failures=$((failures + 1))
	fi
	echo "$name: $(wc -l <"$out") hashes"
}

# The library of this build; experiments and all.
include=(-std=c17 -I"$root/runtime/include/gelpack" -I"$root/runtime/include")
cc "${include[@]}" -O1 "$source" "$GEL_BUILD/runtime/libgelpack.a" -lm -o "$work/own"
"$work/own" "$pack" all >"$work/own.txt"
if [ "${1-}" = --update ]; then
	hashes "$work/own.txt" >"$table"
	exit 0
fi
check "this build" "$work/own.txt"

# one NAME COMPILER OPTIONS...: from one file, run by $runner if that is set
one()
{
	local name=$1
	shift
	if ! "$@" -std=c17 -I"$work/one" "$work/one/gelpack.c" "$source" -lm -o "$work/program" 2>"$work/log"; then
		echo "FAILED: $name does not compile: $(head -5 "$work/log")" >&2
		failures=$((failures + 1))
		return
	fi
	${runner-} "$work/program" "$pack" all >"$work/out.txt" || true
	check "$name" "$work/out.txt"
}
if [ -n "${GEL_EVERY_BUILD-}" ]; then
	"$root/scripts/amalgamate" "$work/one"
	one "gcc -O1" gcc -O1
	one "gcc -O2" gcc -O2
	one "gcc -O3" gcc -O3
	one "gcc -O0, no SIMD but the compiler's" gcc -O0 -DGELPACK_NO_PLAIN -DGELPACK_NO_AVX512
	if command -v clang >/dev/null; then
		one "clang -O1" clang -O1
		one "clang -O3" clang -O3
	fi
	if echo 'int main(void){return 0;}' | gcc -m32 -x c - -o "$work/m32" 2>/dev/null; then
		one "gcc -m32" gcc -m32 -msse2 -mfpmath=sse -O1
	else
		echo "left out: gcc -m32 (package gcc-multilib)"
	fi
	if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null; then
		runner=qemu-aarch64-static one "AArch64, by qemu" aarch64-linux-gnu-gcc -static -O1
	else
		echo "left out: AArch64 (packages gcc-aarch64-linux-gnu, qemu-user-static)"
	fi
	cc "${include[@]}" -O1 "$source" -L"$GEL_BUILD/runtime" -Wl,-rpath,"$GEL_BUILD/runtime" -l:libgelpack.so -lm -o "$work/shared"
	"$work/shared" "$pack" all >"$work/shared.txt"
	check "shared library" "$work/shared.txt"
fi
[ "$failures" = 0 ]
