#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reports of all tools keep to docs/report.schema.json, and every name in them stands in docs/report.md, in the section of
# the tool or in that of all; what stands there is a name that the sources know; and page and schema have the same names.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
page=$GEL_ROOT/docs/report.md
schema=$GEL_ROOT/docs/report.schema.json
status=0

# tool name, for every name in a table
awk -F'|' '/^## / { tool = $0; sub( /^## /, "", tool ); next }
	/^\| `/ { count = split( $2, part, "`" ); for ( i = 2; i <= count; i += 2 ) print tool, part[i] }' "$page" >told
[ "$(wc -l <told)" -gt 150 ] || die "so few names: $(wc -l <told)"

# Page and schema have the same names. The schema has some of one tool at its root, and the figures of a cage for both
# tools that make one.
"$GEL_BUILD/tests/report_probe" "$schema" >schema_names
[ "$(wc -l <schema_names)" -gt 150 ] || die "so few names in the schema: $(wc -l <schema_names)"
awk '
	{ tool = $1; name = $NF }
	FNR == NR { inSchema[tool, name] = 1; anywhere[name] = 1; next }
	{
		inPage[tool, name] = 1; inAnyPage[name] = 1
		if ( !( ( tool, name ) in inSchema ) && !( ( "Every", name ) in inSchema ) )
		{
			print "docs/report.schema.json does not have " tool " " name; bad = 1
		}
	}
	END {
		for ( key in inSchema )
		{
			split( key, part, SUBSEP )
			cages = part[1] == "gel-bake" && part[2] ~ /^(surface|grid|split|manifold|fit|cage)\./
			told = key in inPage || ( part[1] == "Every" && part[2] in inAnyPage ) || ( cages && ( "gel-tetrafy", part[2] ) in inPage )
			if ( !told ) { print "docs/report.md does not have " part[1] " " part[2] ", the schema has"; bad = 1 }
		}
		exit bad
	}' schema_names told || status=1

# check TOOL EXIT WORDS...: runs it with a report
check() {
	local tool=$1 want=$2 code=0
	shift 2
	"$GEL_BIN/$tool" "$@" --json report.json --quiet >out 2>err || code=$?
	[ "$code" = "$want" ] || die "$tool $*: exit code $code: $(cat err)"
	"$GEL_BUILD/tests/report_probe" "$schema" report.json >names 2>err || die "$tool $*: breaks the schema: $(cat err)"
	awk -v tool="$tool" '
		FNR == NR {
			cages = tool == "gel-bake" && $1 == "gel-tetrafy" && $2 ~ /^(surface|grid|split|fit|cage)\./
			if ( $1 != tool && $1 != "Every" && !cages ) next
			name = $NF
			gsub( /[][.]/, "\\\\&", name ); gsub( /\\\.\*$/, "\\..*", name ); gsub( /\\\.\*\\\./, "\\.[a-zA-Z0-9]+\\.", name )
			pattern[++count] = "^" name "(\\[\\].*)?$"
			next
		}
		{
			if ( $0 ~ /^diff\.meta\[\]\.[ab][.[]/ ) $0 = substr( $0, 1, 13 ) # a value of META, whatever is in it
			for ( i = 1; i <= count && $0 !~ pattern[i]; ++i );
			if ( i > count && !seen[$0]++ ) { print tool ": docs/report.md does not have " $0; bad = 1 }
		}
		END { exit bad }' told names || status=1
}

check gel-sample 0 sphere -n 1000 -o s.obj
check gel-sample 1 nothing -o n.obj
check gel-tetrafy 0 s.obj -o s.msh --tets 150 --lods 2 --manifold
check gel-tetrafy 0 s.obj -o t.msh --from s.msh
check gel-bake 0 s.obj -o s.gel --tets 150 --lod 50 --warp --particles 20 --pin-box=-1,0.1,-1,1,1,1 --attach top=0,0.4,0 --soak --max-step-us 1e9
check gel-bake 5 s.obj -o s.gel --tets 150 --lod 40 --verify
check gel-bake 3 s.obj -o n.gel --cage s.msh --scale 3
printf '{ "assets": [ "s.obj" ], "options": [ "--tets", "150" ], "output_folder": "packs" }' >many.json
check gel-bake 0 --manifest many.json --cache cache
check gel-bake 0 s.obj -o u.gel --tets 150 --cache cache
check gel-inspect 0 s.gel --verify
check gel-inspect 5 --diff s.gel u.gel
check gel-inspect 2 none.gel
check gel-preview 0 s.gel --frames 3 --out s.csv
check gel-preview 3 s.obj --frames 3 --out s.csv

# Both tools say the same about the same pack.
"$GEL_BIN/gel-bake" s.obj -o v.gel --tets 60 --lod 20 --step 1/60 --step 1/90 --pin-box=-1,0.1,-1,1,1,1 --attach a=0,0,0 --no-collision --json bake.json --quiet
"$GEL_BIN/gel-inspect" v.gel --json inspect.json --quiet
for part in factors levels attachments; do
	for report in bake inspect; do
		"$GEL_BUILD/tests/report_probe" --print $report.json $part >$report.$part || die "$part is not in the report of gel-$report"
		[ "$(wc -l <$report.$part)" -gt 3 ] || die "$part is empty in the report of gel-$report"
	done
	cmp bake.$part inspect.$part || { echo "gel-bake and gel-inspect differ about $part"; status=1; }
done

# Names of the page that no source has.
find "$GEL_ROOT"/tools "$GEL_ROOT"/examples -name "*.c" -exec cat {} + >sources
while read -r tool rest; do
	name=${rest##* }
	last=${name%'[]'}
	last=${last##*.}
	[ "$last" = '*' ] && { last=${name%.*}; last=${last##*.}; }
	grep -qE "\"([a-z_.]*\.)?$last\"" sources || { echo "docs/report.md has $name, and no source has"; status=1; }
done <told
[ $status != 0 ] || echo "$(wc -l <told) names of reports are told"
exit $status
