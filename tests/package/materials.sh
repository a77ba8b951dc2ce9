#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/materials.md: its presets are those of the tools, and a box of each hangs as far as the table says, with three
# solvers (to a twentieth). Materials of one Poisson's ratio sag as density over Young's modulus says.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"

# name young poisson density fast quality implicit
sed -nE 's/^\| ([a-z]+) \| ([0-9.e]+) \| ([0-9.]+) \| ([0-9.]+) \| [0-9.]+ \| ([0-9.]+) \/ ([0-9.]+) \/ ([0-9.]+) \|.*/\1 \2 \3 \4 \5 \6 \7/p' \
	"$GEL_ROOT/docs/materials.md" >told
sed -nE 's/^\t\{ "([a-z]+)", ([0-9.e]+), ([0-9.]+), ([0-9.]+) \},/\1 \2 \3 \4/p' "$GEL_ROOT/tools/common/mesh/material_presets.c" >presets
[ "$(wc -l <presets)" = 6 ] || die "not six presets: $(cat presets)"
awk 'FNR == NR { want[$1] = $2 " " $3 " " $4; next }
	{ split( want[$1], w, " " ); if ( w[1] + 0 != $2 + 0 || w[2] + 0 != $3 + 0 || w[3] + 0 != $4 + 0 || !( $1 in want ) ) { print; bad = 1 } ++count }
	END { exit bad || count != 6 }' presets told || die "docs/materials.md has other presets than tools/common"

"$GEL_BIN/gel-sample" box -o box.obj -n 2000 --quiet
"$GEL_BIN/gel-tetrafy" box.obj -o box.msh --tets 500 --quiet
: >measured
while read -r name young poisson density sags; do
	"$GEL_BIN/gel-bake" box.obj --cage box.msh -o box.gel --young "$young" --poisson "$poisson" --density "$density" --damping 2 \
		--quality --no-collision --pin-box=-1,0.499,-1,1,2,1 --quiet
	line="$name $density $young $poisson"
	for solver in fast quality implicit; do
		"$GEL_BIN/gel-preview" box.gel --scene hang --height 2 --solver $solver --frames 400 --out box.csv --quiet
		line="$line $(awk -F, '$1 == "frame" { for ( i = 1; i <= NF; ++i ) if ( $i == "min_y_m" ) column = i; next }
			first == "" { first = $column } { last = $column } END { printf "%.4g", 1000 * ( first - last ) }' box.csv)"
	done
	echo "$line $sags" >>measured
done <told

awk '
	function relative( a, b ) { return a > b ? ( a - b ) / b : ( b - a ) / b }
	{
		for ( i = 0; i < 3; ++i )
			if ( relative( $( 5 + i ), $( 8 + i ) ) > 0.05 ) { print $1 ": " $( 5 + i ) " mm, the guide says " $( 8 + i ) " mm"; bad = 1 }
		# quality solver, sag over what it should be proportional to
		ratio[$1] = $6 / ( $2 / $3 )
	}
	END {
		if ( relative( ratio["tyre"], ratio["rubber"] ) > 0.01 ) { print "tyre and rubber: " ratio["tyre"] " " ratio["rubber"]; bad = 1 }
		if ( relative( ratio["foam"], ratio["sponge"] ) > 0.03 ) { print "foam and sponge: " ratio["foam"] " " ratio["sponge"]; bad = 1 }
		exit bad
	}
' measured || die "$(cat measured)"
echo "six materials hang as far as they should"
