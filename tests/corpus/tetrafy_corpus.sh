#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every mesh of the corpus gets a cage that strictly bounds it, judged by integers, or is refused with a finding.
# The default is a selection; GELPACK_CORPUS_FULL=1 takes all meshes, and the closed ones at 200, 500 and 2000 tets.
set -u
corpus=${GELPACK_CORPUS:-$GEL_ROOT/../shared/meshes}
if [ ! -d "$corpus" ]; then
	echo "SKIPPED: no meshes at $corpus (set GELPACK_CORPUS)"
	exit 77
fi
. "$GEL_ROOT/tests/support/shell.sh"
count=0

# try ART TETS MUST: makes a cage; MUST is "cage" when a refusal is a failure
try()
{
	local art=$1 tets=$2 must=$3 code
	rm -f "$folder"/cage.msh
	timeout 60 "$GEL_BIN/gel-tetrafy" "$art" -o "$folder/cage.msh" --tets "$tets" >"$folder/out" 2>"$folder/err" </dev/null
	code=$?
	count=$((count + 1))
	if [ "$code" -eq 0 ]; then
		"$GEL_BUILD/tests/test_exact_bounds" "$art" "$folder/cage.msh" >"$folder/judged" ||
			fail "$art at $tets: $(cat "$folder/judged")"
		[ -n "${GELPACK_CORPUS_FULL:-}" ] && cat "$folder/out"
		check_closed "$art" "$tets" "$must"
	elif [ "$must" = cage ] || [ "$code" -ne "$(refusal "$art")" ]; then
		fail "$art at $tets: exit code $code: $(head -c 300 "$folder/err")"
	elif ! grep -q 'error: T[0-9]' "$folder/err" || [ -e "$folder/cage.msh" ]; then
		fail "$art at $tets: refused without a finding, or with an output"
	fi
}

# The exit code of a refusal: 3 for what is in the file, 2 where a file that it names is not there.
refusal()
{
	case "$1" in
	*/broken/MissingBin/BoxTextured.gltf) echo 2 ;;
	*) echo 3 ;;
	esac
}

# Closed meshes: about as many tets as asked for, and few thin ones. The five scans are fitted closely.
check_closed()
{
	[ "$3" = cage ] || return 0
	tr -d ',' <"$folder/out" | awk -v art="$1" -v wanted="$2" '{
		for ( i = 2; i <= NF; ++i ) {
			if ( $i == "tets" ) tets = $( i - 1 ) + 0
			if ( $i == "dihedral" ) { split( $( i + 1 ), angles, /\.\./ ); angle = angles[1] + 0 }
			if ( $i == "volume" ) ratio = substr( $( i + 1 ), 2 ) + 0
		}
		if ( tets < 0.85 * wanted || tets > 1.15 * wanted ) { print art ": " tets " tets instead of " wanted; bad = 1 }
		if ( angle < 10 ) { print art " at " wanted ": a dihedral of " angle; bad = 1 }
		scan = art ~ /scans\/(armadillo|dragon|horse|bunny|buddha)/ && wanted >= 450
		if ( ratio <= 1 || ( scan && ratio > 1.8 ) ) { print art " at " wanted ": volume x" ratio; bad = 1 }
	} END { exit bad || tets == 0 }' >&2 || failures=$((failures + 1))
	grep -q T0413 "$folder/err" && fail "$1 at $2: $(grep T0413 "$folder/err")"
}

if [ -n "${GELPACK_CORPUS_FULL:-}" ]; then
	for tets in 200 500 2000; do
		for art in "$corpus"/scans/*.obj "$corpus"/closed/*.obj; do try "$art" "$tets" cage; done
	done
	# sizes that are in use
	for art in "$corpus"/scans/armadillo_*.obj; do try "$art" 465 cage; done
	for art in "$corpus"/scans/dragon_*.obj; do try "$art" 410 cage; done
	for art in "$corpus"/scans/horse_*.obj; do try "$art" 287 cage; done
	while IFS= read -r art; do try "$art" 500 any; done < <(
		find "$corpus/wild" "$corpus/obj" "$corpus/gltf" \( -name '*.obj' -o -name '*.gltf' -o -name '*.glb' \) | sort)
else
	for name in scans/armadillo_1k scans/dragon_1k scans/horse_1k scans/bunny_5k scans/buddha_1k closed/anchor closed/pipe; do
		try "$corpus/$name.obj" 500 cage
	done
	for name in made_book_nonmanifold made_cloth_open made_coincident_boxes made_hair_ribbon made_inside_out made_mobius \
		made_random_flips made_swiss_sphere made_thin_plate made_touching_spheres made_triangle_soup nested_cubes \
		made_zero_area_and_duplicates small_ccs_degenerate spider suzanne_quads three_knives_nonmanifold; do
		try "$corpus/wild/$name.obj" 500 any
	done
	for name in obj/made_far_from_origin.obj obj/made_huge_coordinates.obj obj/made_tiny_coordinates.obj obj/broken/empty.obj \
		obj/assimp_number_formats.obj gltf/Fox.glb gltf/Box_embedded.gltf gltf/broken/MissingBin/BoxTextured.gltf; do
		try "$corpus/$name" 500 any
	done
fi
echo "$count cages, $failures failures"
exit $((failures > 0))
