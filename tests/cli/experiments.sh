#!/usr/bin/env bash
# gel-bench experiments writes a table and a plot of every experiment, and the numbers can be true: finite,
# from rest, in the order of time, without negative energy.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
"$GEL_BIN/gel-bench" experiments --quick --quiet --output "$folder/out"
for name in experiment1 experiment2 experiment3 experiment4_60 experiment4_120 scattered dropped half_base; do
	[ "$(head -c 8 "$folder/out/$name.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
	awk -F, -v name="$name" '
		function fail(text) { print name ": line " NR ": " text; bad = 1; exit 1 }
		NR == 1 {
			if ($0 != "panel,series,time_s,kinetic_J,potential_J,elastic_J,degenerate,inverted,largest_stretch")
				fail("other columns")
			next
		}
		{
			# titles may hold commas: count from the end
			time = $(NF - 6); kinetic = $(NF - 5); stretch = $NF
			for (i = NF - 6; i <= NF; ++i)
				if ($i !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) fail("not a number: " $i)
			if (time == 0) {
				++series
				if (kinetic != 0) fail("does not start at rest")
			} else if (time + 0 <= last + 0) fail("time goes back")
			if (kinetic < 0 || $(NF - 3) < -1e-6 || stretch <= 0) fail("impossible")
			last = time
		}
		END { if (!bad && (series < 4 || NR < 10 * series)) { print name ": " series " series, " NR " lines"; exit 1 } }
	' "$folder/out/$name.csv"
done
