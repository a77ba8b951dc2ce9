#!/usr/bin/env bash
# gel-inspect: what it prints, how it refuses, and its exit codes.
set -euo pipefail
inspect=$GEL_BIN/gel-inspect
golden=$GEL_ROOT/tests/golden
. "$GEL_ROOT/tests/support/shell.sh"

# expect EXIT TEXT ARGUMENTS...: the exit code, and a text that stderr has; stdout must then be empty
expect() {
	local code=$1 text=$2 found=0
	shift 2
	"$inspect" "$@" >stdout 2>stderr || found=$?
	[ "$found" = "$code" ] || { cat stderr; die "exit $found instead of $code: $*"; }
	grep -qF -- "$text" stderr || { cat stderr; die "no '$text' from: $*"; }
	[ ! -s stdout ] || die "output in spite of an error: $*"
}

# good packs
for pack in "$golden"/*.gel; do
	cp "$pack" pack.gel
	"$inspect" pack.gel --verify >stdout 2>stderr || { cat stderr; die "$pack"; }
	grep -q 'verified: every rule holds' stdout || die "no verdict"
	[ ! -s stderr ] || die "talk on stderr"
	for word in nodes mass materials factors sections META VEMB FACT; do
		grep -q "$word" stdout || die "no $word in the text"
	done
	# the same facts as in the text beside the golden pack, through JSON
	"$inspect" pack.gel --verify --json >report.json
	hash=$(sed -n 's/^hash //p' "${pack%.gel}.txt")
	grep -q "\"hash\": \"$hash\"" report.json || die "hash of $pack"
	grep -Eq '"passed": *true' report.json || die "verify.passed"
	# all the ways to ask for JSON
	"$inspect" pack.gel --json - >again.json
	"$inspect" --json=file.json pack.gel >stdout
	grep -q nodes stdout || die "no text beside a report in a file"
	grep -q '"factors"' again.json && grep -q '"factors"' file.json || die "--json forms"
	"$inspect" pack.gel --quiet >stdout
	[ ! -s stdout ] || die "--quiet prints"
done

expect 3 "T0619" pack.gel --skin-glb skin.glb --quiet
[ ! -e skin.glb ] || die "a skin without particles"

# usage and files
expect 1 "T0005"
expect 1 "T0005" pack.gel pack.gel
expect 1 "--verify" pack.gel --verfy
expect 2 "T0001" missing.gel
expect 2 "T0001" "$folder"
: >empty.gel
expect 3 "empty.gel: error: T0602" empty.gel
printf '\211PNG\r\n\032\n and more, long enough to have a header of 128 bytes. %200s' x >picture.gel
expect 3 "T0601" picture.gel

# poke OFFSET HEX: changes bytes of pack.gel into bad.gel
poke() {
	cp pack.gel bad.gel
	printf "$(printf '%s' "$2" | sed 's/../\\x&/g')" | dd of=bad.gel bs=1 seek="$1" conv=notrunc status=none
}
cp "$golden/small-0.1.gel" pack.gel
head -c 3000 pack.gel >bad.gel
expect 3 "T0602" bad.gel
{ cat pack.gel; echo; } >bad.gel
expect 3 "T0602" bad.gel
sed 's/$/\r/' pack.gel >bad.gel # a text-mode copy
expect 3 "T0601" bad.gel
poke 8 0900
expect 3 "T0603" bad.gel
poke 100 ff
expect 3 "T0604" bad.gel
poke 1030 5a # inside META
expect 3 "section META" bad.gel
expect 3 "at byte 1024 of 5952" bad.gel
expect 3 "T0604" bad.gel --verify
# an error is in the report too
"$inspect" bad.gel --json >report.json 2>/dev/null && die "exit 0 for a bad pack"
grep -q '"T0604"' report.json || die "no finding in the report"
echo "gel-inspect behaves"
