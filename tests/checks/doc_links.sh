#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Relative links of the documents lead to files that are there, docs/README.md lists every page, and tests that are
# named as proofs exist.
set -euo pipefail
cd "$GEL_ROOT"
status=0
complain() { echo "$1"; status=1; }

pages=$(find README.md CONTRIBUTING.md CHANGELOG.md docs formats examples tests tools runtime bench -name '*.md' | sort)
for page in $pages; do
	for link in $(sed -e '/^```/,/^```$/d' "$page" | grep -oE '\]\([^)# ]+' | sed 's/^](//' | grep -vE '^[a-z]+:' || true); do
		[ -e "$(dirname "$page")/$link" ] || complain "$page: there is no $link"
	done
	for name in $(grep -oE '`(test|cli|checks|package|corpus)_[a-z0-9_]+[a-z0-9]`' "$page" | tr -d '`' | sort -u || true); do
		case $name in
			test_*) file=$(find tests/unit -name "${name%_openmp}.c") ;;
			*) file=tests/${name%%_*}/${name#*_}.sh ;;
		esac
		[ -e "$file" ] || complain "$page: there is no test $name"
	done
done
for page in docs/*.md docs/*.schema.json; do
	name=$(basename "$page")
	[ "$name" = README.md ] || grep -qF "($name)" docs/README.md || complain "docs/README.md does not list $name"
done
[ $status != 0 ] || echo "links lead somewhere"
exit $status
