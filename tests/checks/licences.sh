#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/licences.md: the programs need the libraries that it lists and no others, and gel-bake calls the functions of
# CHOLMOD that it names: a call of a GPL module must not slip in.
set -euo pipefail
page=$GEL_ROOT/docs/licences.md
status=0
complain() { echo "$*"; status=1; }

for program in gel-tetrafy gel-bake gel-inspect gel-preview gel-sample gel-game-loop; do
	told=$(sed -nE "s/^\| \`$program\` \|(.*)\|$/\1/p" "$page" | tr ',' '\n' | tr -d ' ' | grep . | sort || true)
	needed=$(readelf -d "$GEL_BIN/$program" | sed -nE 's/.*NEEDED.*\[lib(.*)\.so.*\]/\1/p' | grep -vxE 'c|m|ld-linux.*' | sort || true)
	[ "$told" = "$needed" ] || complain "$program needs ($(echo $needed)), docs/licences.md says ($(echo $told))"
done

told=$(grep '^`gel-bake` calls' "$page" | grep -oE 'cholmod_[a-z_]+' | sort)
called=$(nm -D --undefined-only "$GEL_BIN/gel-bake" | grep -oE '\bcholmod_[a-z_]+' | sort)
[ -n "$called" ] && [ "$told" = "$called" ] || complain "gel-bake calls ($(echo $called)), docs/licences.md says ($(echo $told))"
grep -q 'supernodal = CHOLMOD_SIMPLICIAL' "$GEL_ROOT/tools/bake/factor/factor.c" || complain "gel-bake does not ask for the simplicial factorization"
[ $status != 0 ] || echo "libraries are as docs/licences.md says"
exit $status
