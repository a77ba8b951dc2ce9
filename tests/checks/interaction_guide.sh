#!/usr/bin/env bash
# Every line of code in docs/interaction.md stands in examples/grab_body.c, which is compiled, in the same order within
# its block; indentation aside.
set -euo pipefail
awk '
	function trim( s ) { gsub( /^[ \t]+|[ \t\r]+$/, "", s ); return s }
	FNR == NR { line[++count] = trim( $0 ); next }
	/^```c$/ { inside = 1; size = 0; start = FNR; next }
	/^```$/ && inside {
		inside = 0
		++blocks
		found = 0
		for ( i = 1; i + size - 1 <= count && !found; ++i )
		{
			same = 1
			for ( k = 1; k <= size && same; ++k )
				same = line[i + k - 1] == block[k]
			found = same
		}
		if ( !found ) { printf "docs/interaction.md:%d: this code is not in examples/grab_body.c\n", start; bad = 1 }
		next
	}
	inside { block[++size] = trim( $0 ) }
	END {
		if ( blocks < 5 ) { print "too few blocks of code: " blocks; bad = 1 }
		if ( !bad ) print blocks " blocks of code are compiled"
		exit bad
	}
' "$GEL_ROOT/examples/grab_body.c" "$GEL_ROOT/docs/interaction.md"
