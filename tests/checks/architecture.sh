#!/usr/bin/env bash
# The arrows between the folders: tools -> formats, runtime; runtime -> read side of formats; nothing -> tools.
set -euo pipefail
cd "$GEL_ROOT"
status=0
complain() { echo "$1"; status=1; }

includes() { grep -rhoE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"[^"]+"' "$@" --include='*.[ch]' | sed -E 's/.*"(.*)"/\1/' | sort -u; }
owner() { find "$1" -name "$(basename "$2")" -print -quit; }

for header in $(includes runtime); do
	case $header in pack_layout.h | pack_read*.h | pack_validate*.h | pack_hash*.h) continue ;; esac
	[ -n "$(owner runtime "$header")" ] || complain "runtime/ includes \"$header\", which is not its own"
done
for header in $(includes formats); do
	[ -n "$(owner formats "$header")" ] || complain "formats/ includes \"$header\", which is not its own"
done
for header in $(includes tools); do
	[ -n "$(owner tools "$header")" ] || [ -n "$(owner formats "$header")" ] || complain "tools/ includes \"$header\" from elsewhere"
done
# The preview sees the runtime as a game does.
for header in $(includes tools/preview); do
	case $header in pack_*) complain "tools/preview includes \"$header\": public headers only" ;; esac
done
# Readers of the format know nothing of its writer.
if grep -ln 'pack_write' formats/pack_read*.c formats/pack_validate*.c formats/pack_hash*.c; then complain "the read side uses the write side"; fi
# File names are unique in the whole tree, so that a name is enough to find a file.
twice=$(find formats runtime tools examples tests bench -name '*.[ch]' ! -name main.c -printf '%f\n' | sort | uniq -d)
[ -z "$twice" ] || complain "file names used twice: $twice"
exit $status
