#!/usr/bin/env bash
# The arrows between the folders: tools -> formats, runtime; runtime -> read side of formats; nothing -> tools.
set -euo pipefail
cd "$GEL_ROOT"
status=0
complain() { echo "$1"; status=1; }

# Includes against the arrows that docs/architecture.md draws.
perl tests/checks/arrows.pl "$GEL_ROOT" || status=1
# What a game sees: documented, with units, used.
perl tests/checks/public_api.pl "$GEL_ROOT" || status=1
# The preview sees the runtime as a game does.
if grep -rn '#include "pack/' tools/preview; then complain "tools/preview reads packs itself: public headers only"; fi
if grep -rn 'pack_write' runtime; then complain "the runtime knows the writer of packs"; fi
# Readers of the format know nothing of its writer.
if grep -ln 'pack_write' formats/pack/pack_read*.c formats/pack/pack_validate*.c formats/pack/pack_hash*.c; then complain "the read side uses the write side"; fi
# File names are unique in the whole tree, so that a name is enough to find a file.
twice=$(find formats runtime tools examples tests bench -name '*.[ch]' ! -name main.c -printf '%f\n' | sort | uniq -d)
[ -z "$twice" ] || complain "file names used twice: $twice"
exit $status
