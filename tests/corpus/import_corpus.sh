#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every mesh of the corpus imports, or is refused with one error that says why. Where the corpus has a table of counts,
# ours must be the same or stand in the list of known differences below.
set -u
corpus=${GELPACK_CORPUS:-$GEL_ROOT/../shared/meshes}
probe=$GEL_BUILD/tests/import_probe
if [ ! -d "$corpus" ]; then
	echo "SKIPPED: there is no corpus at $corpus (set GELPACK_CORPUS)"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# field NAME < line of the probe
field() {
	sed -n "s/.*\"$1\":\([-0-9.e+]*\).*/\1/p" "$work/out"
}

# file, then: source vertices, triangles, components, open, non-manifold, flipped edges; "-" where unknown
table() {
	[ -f "$corpus/README.md" ] || return
	awk -F ' *[|] *' '
		/^## / { folder = $0; sub( /^## /, "", folder ); sub( /\/.*/, "/", folder ); counts = 0 }
		/^[|] file [|]/ { counts = ( $4 == "V" && $5 == "T" ); next }
		/^[|] [^-]/ && counts { print folder $2, $4, $5, $7, $8, $9, $11 }
	' "$corpus/README.md"
}
table >"$work/table"

# Counts that differ from the table, with the reason: vertices, triangles, parts, open, non-manifold, flipped edges.
# "slivers": triangles with a repeated weld make no edges here. "float": the table welds the decimals as doubles.
known() {
	cat <<-END
		gltf/2CylinderEngine.glb 84657 121496 85 13308 0 0 float and slivers
		gltf/generator/Node_Attribute_00.gltf 98 54 2 8 0 0 two nodes share accessors and transform: vertices count once
		obj/assimp_concave_polygon.obj 64 64 1 64 0 0 the hole stays open; a fan covers it
		obj/assimp_testline.obj 324 576 1 0 288 0 lines only: they become tubes
		obj/tinyobj_line-prim.obj 68 128 2 0 0 0 lines only: they become tubes
		obj/made_far_from_origin.obj 642 1280 1 0 140 0 float: 0.5 apart at 4.5e6, which is warned of
		wild/bathtub.obj 2124 4375 6 136 261 0 slivers
		wild/capsule_200_degenerate.obj 5252 10200 1 0 0 0 slivers
		wild/degenerated_sd.obj 7068 13477 8 663 0 0 slivers
		wild/made_zero_area_and_duplicates.obj 759 1566 1 234 190 0 slivers
		wild/small_ccs_degenerate.obj 141 228 4 24 0 0 float
		wild/spider.obj 762 1368 18 72 0 10 slivers
	END
}
known >"$work/known"

imported=0
refused=0
differing=0
while IFS= read -r -d '' file; do
	name=${file#"$corpus"/}
	timeout 60 "$probe" "$file" >"$work/out" 2>"$work/err"
	code=$?
	expected=$(awk -v name="$name" '$1 == name { print $2, $3, $4, $5, $6, $7; exit }' "$work/table")
	read -r _ triangles _ <<<"$expected"
	case $code in
	0)
		imported=$((imported + 1))
		[ -s "$work/out" ] || fail "$name: exit 0 but no mesh"
		[ -n "$expected" ] && [ "$triangles" != - ] || continue
		ours="$(field source) $(field triangles) $(field components) $(field open) $(field nonManifold) $(field flipped)"
		[ "$ours" != "$expected" ] || continue
		if grep -q -F -- "$name $ours " "$work/known"; then
			differing=$((differing + 1))
		else
			fail "$name: vertices, triangles, parts, open, non-manifold, flipped: $ours; the table says $expected"
		fi
		;;
	2 | 3)
		refused=$((refused + 1))
		[ "$(grep -c ': error: T[0-9]' "$work/err")" = 1 ] || fail "$name: refused, but not with one error"
		case $name in
		*/broken/*) ;;
		*) [ -z "$expected" ] || [ "$triangles" = 0 ] || [ "$triangles" = - ] || fail "$name: $(grep error: "$work/err")" ;;
		esac
		;;
	*) fail "$name: exit code $code" ;;
	esac
done < <(find "$corpus" -type f \( -name '*.obj' -o -name '*.gltf' -o -name '*.glb' \) -print0 | LC_ALL=C sort -z)

echo "$imported meshes imported, $refused refused with an error"
[ "$differing" = 0 ] || echo "$differing differ from the table of the corpus for known reasons"
[ $((imported + refused)) -gt 0 ] || fail "no mesh was found in $corpus"
[ "$failures" = 0 ]
