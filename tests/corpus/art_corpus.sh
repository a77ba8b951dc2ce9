#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Any folder of art through bake, verify and, if wanted, soak and pictures; ends with a table.
#
#     tests/corpus/art_corpus.sh FOLDER [--soak] [--pictures] [--out FOLDER] [-- OPTIONS OF gel-bake]
#
# OUT/files.tsv has a line for each file: name, outcome, seconds, findings. Outcomes:
#     pack      baked and verified
#     refused   exit code 3 or 2 with an error that is about the input
#     limit     exit code 5: the soak failed
#     wrong     anything else: a crash, a hang (120 s), a pack that does not verify, a refusal without a finding
# Fails where a file went wrong. Without a folder, as a test, the folder is GELPACK_ART.
set -u
root=${GEL_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
bin=${GEL_BIN:-$root/build/bin}
art=${GELPACK_ART:-} out='' soak='' pictures=''
while [ $# -gt 0 ]; do
	case $1 in
	--soak) soak=--soak ;;
	--pictures) pictures=yes ;;
	--out) out=$2 && shift ;;
	--) shift && break ;;
	*) art=$1 ;;
	esac
	shift
done
if [ ! -d "$art" ]; then
	echo "SKIPPED: no folder of art (first argument, or GELPACK_ART): '$art'"
	exit 77
fi
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"
: >"$out/files.tsv"

# run_one FILE OPTIONS...: prints the outcome
run_one()
{
	local file=$1 name code
	shift
	name=$(printf '%s' "${file#"$art"/}" | tr '/ ' '__')
	timeout 120 "$bin/gel-bake" "$file" -o "$out/$name.gel" $soak "$@" >"$out/$name.out" 2>"$out/$name.err" </dev/null
	code=$?
	case $code in
	0)
		"$bin/gel-inspect" "$out/$name.gel" --verify >"$out/$name.verify" 2>&1 || { echo wrong && return; }
		[ -z "$pictures" ] || timeout 120 "$bin/gel-preview" "$out/$name.gel" --art "$file" -o "$out/$name.png" --size 320x320 \
			--moments 4 >"$out/$name.preview" 2>&1 || { echo wrong && return; }
		echo pack
		;;
	2 | 3) if grep -q 'error: T[0-9]' "$out/$name.err"; then echo refused; else echo wrong; fi ;;
	5) echo limit ;;
	*) echo wrong ;;
	esac
}

while IFS= read -r -d '' file; do
	start=$(date +%s.%N)
	outcome=$(run_one "$file" "$@")
	name=$(printf '%s' "${file#"$art"/}" | tr '/ ' '__')
	codes=$(sed -n 's/.*: \(info\|warning\|error\): \(T[0-9]*\):.*/\1 \2/p' "$out/$name.err" | sort -u |
		awk '{ printf "%s%s", substr( $1, 1, 1 ), $2 " " }')
	awk -v s="$start" -v e="$(date +%s.%N)" -v f="${file#"$art"/}" -v o="$outcome" -v c="$codes" \
		'BEGIN { printf "%s\t%s\t%.1f\t%s\n", f, o, e - s, c }' >>"$out/files.tsv"
done < <(find "$art" -type f \( -iname '*.obj' -o -iname '*.gltf' -o -iname '*.glb' -o -iname '*.stl' -o -iname '*.ply' \
	-o -iname '*.fbx' \) -print0 | LC_ALL=C sort -z)

awk -F '\t' '
	{ ++count; ++outcomes[$2]; seconds += $3; hasWarning = 0
	  n = split( $4, codes, " " )
	  for ( i = 1; i <= n; ++i ) { ++findings[codes[i]]; if ( codes[i] ~ /^w/ ) hasWarning = 1 }
	  if ( $2 == "pack" || $2 == "limit" ) { ++made; warned += hasWarning; lost += $4 ~ /T0520/ } }
	END {
		printf "%d files, %.0f s\n", count, seconds
		for ( o in outcomes ) printf "%-8s %5d\n", o, outcomes[o]
		if ( made > 0 ) printf "with a warning %.1f %%, without collision geometry %.1f %%\n", 100 * warned / made, 100 * lost / made
		for ( f in findings ) printf "%5d %s\n", findings[f], f | "sort -rn"
	}' "$out/files.tsv"
[ -s "$out/files.tsv" ] || echo "no art in $art"
grep -P '\twrong\t' "$out/files.tsv"
[ -s "$out/files.tsv" ] && ! grep -qP '\twrong\t' "$out/files.tsv"
