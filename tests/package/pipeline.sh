#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/pipeline.md: its commands (blocks of ```sh), as they stand there and in one folder, succeed and print what the
# block of ```text behind them says. There "..." is any number of lines and # any number; other numbers have to
# be right to a tenth, and seconds at the end of a line are not compared.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
mkdir "$folder/blocks" "$folder/art"
awk -v folder="$folder/blocks" '
	/^```sh$/ { file = sprintf( "%s/%02d.sh", folder, ++count ); next }
	/^```text$/ { file = sprintf( "%s/%02d.text", folder, count ); next }
	/^```/ { file = ""; next }
	file != "" { print > file }
' "$GEL_ROOT/docs/pipeline.md"

compare() { # WANTED GOT
	awk '
		function isNumber( word ) { return word ~ /^[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?$/ }
		function value( word ) { gsub( /,/, "", word ); return word + 0 }
		function distance( x, y ) { return x > y ? x - y : y - x }
		function isAlike( want, got,    a, b, n, i, x, y, size ) {
			sub( /, [0-9.]+ s$/, "", want )
			sub( /, [0-9.]+ s$/, "", got )
			gsub( /,/, " , ", want ); gsub( /,/, " , ", got )
			gsub( /\.\./, " .. ", want ); gsub( /\.\./, " .. ", got )
			n = split( want, a, " " )
			if ( split( got, b, " " ) != n ) return 0
			for ( i = 1; i <= n; ++i )
			{
				if ( a[i] == b[i] ) continue
				if ( a[i] == "#" && isNumber( b[i] ) ) continue
				if ( !isNumber( a[i] ) || !isNumber( b[i] ) ) return 0
				x = value( a[i] ); y = value( b[i] )
				size = x < 0 ? -x : x
				if ( distance( x, y ) > 0.1 * size && distance( x, y ) > 1e-6 ) return 0
			}
			return 1
		}
		FNR == NR { want[++wantCount] = $0; next }
		{ got[++gotCount] = $0 }
		END {
			at = 1
			for ( i = 1; i <= wantCount; ++i )
			{
				if ( want[i] == "..." ) { free = 1; continue }
				while ( free && at <= gotCount && !isAlike( want[i], got[at] ) ) ++at
				if ( at > gotCount || !isAlike( want[i], got[at] ) )
				{
					print "the guide says: " want[i]
					print "it printed:     " ( at <= gotCount ? got[at] : "(nothing more)" )
					exit 1
				}
				++at
				free = 0
			}
			if ( !free && at <= gotCount ) { print "it printed more: " got[at]; exit 1 }
		}
	' "$1" "$2"
}

cd "$folder/art"
for block in "$folder"/blocks/*.sh; do
	if ! PATH=$GEL_BIN:$PATH bash -e "$block" >../out 2>../err </dev/null; then
		if grep -q 'T0701' ../err; then
			cat ../err
			exit 77
		fi
		die "$(cat "$block" ../out ../err)"
	fi
	# Findings stand where they are printed first: before the result of a bake, behind the lines of a comparison.
	if grep -q 'error: ' ../err; then cat ../out ../err >../said; else cat ../err ../out >../said; fi
	text=${block%.sh}.text
	[ ! -e "$text" ] || compare "$text" ../said || die "$(cat "$block")"
done
count=$(find "$folder/blocks" -name '*.sh' | wc -l)
[ "$count" -ge 8 ] || die "too few blocks of commands: $count"
for picture in cage.png bear.png review.png; do [ -s $picture ] || die "$picture was not drawn"; done
echo "docs/pipeline.md: $count blocks of commands run"
