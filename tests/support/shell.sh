# SPDX-License-Identifier: MIT
# Sourced by scripts of tests: a folder of their own to work in, which goes away with them, and how they complain.
# shellcheck shell=bash disable=SC2034 # failures is read by those who go on
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
# fail TEXT: counts, and the test goes on; die TEXT: ends it
fail()
{
	echo "FAILED: $*" >&2
	failures=$((failures + 1))
}
die()
{
	echo "FAILED: $*" >&2
	exit 1
}
