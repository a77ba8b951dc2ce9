#!/usr/bin/env bash
# The scripts parse, and nothing in the project names a machine's paths or a package host.
set -euo pipefail
cd "$GEL_ROOT"
for script in scripts/* .ci/run tests/*/*.sh; do
	case $(head -n 1 "$script") in *perl) perl -wc "$script" 2>/dev/null || { perl -wc "$script"; exit 1; } ;; *) bash -n "$script" ;; esac
done
files=$(git ls-files 2>/dev/null || find . -type f -not -path './build*' -not -path './out/*' -not -path './.git/*')
status=0
pattern='/(root|home)/[a-z]|/wo''rk/|deb\.deb''ian\.org|local''host:[0-9]'
if printf '%s\n' "$files" | grep -vE '\.(png|gel)$' | xargs -d '\n' grep -nIE "$pattern" --; then
	echo "the lines above name a machine path or a host"
	status=1
fi
exit $status
