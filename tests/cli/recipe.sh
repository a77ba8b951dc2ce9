#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Recipes: the pack of the same options, byte for byte; the command line wins; what is wrong is said with line and column;
# the schema knows the same keys and presets.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
bake() { "$GEL_BIN/gel-bake" "$@" --quiet; }
mkdir sub
"$GEL_BIN/gel-sample" box -o box.obj --triangles 1000 --quiet
"$GEL_BIN/gel-tetrafy" box.obj -o sub/cage.msh --tets 60 --quiet
# same RECIPE -- OPTIONS [-- MORE]: a bake with the recipe and MORE is that with OPTIONS
same() {
	local recipe=$1 options=() more=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	[ $# -eq 0 ] || { shift; more=("$@"); }
	printf '%b' "$recipe" >sub/recipe.json
	bake box.obj -o recipe.gel --recipe sub/recipe.json "${more[@]}" || die "$recipe ${more[*]}"
	bake box.obj -o options.gel "${options[@]}" || die "${options[*]}"
	cmp -s recipe.gel options.gel || die "$recipe ${more[*]}: other bytes than ${options[*]}"
}
cage='"cage": { "file": "cage.msh" }'
file=(--cage sub/cage.msh)
same '{}' -- "${file[@]}" -- "${file[@]}"
same "{ $cage }" -- "${file[@]}"
same '{ "cage": { "tets": 200 } }' -- --tets 200
same '{ "cage": { "tets": 200, "levels": [90, 30] } }' -- --tets 200 --lod 90 --lod 30
same "{ $cage, \"name\": \"n\", \"scale\": 0.5, \"steps\": [\"1/60\", 0.01], \"quality\": true, \"warp\": true }" -- \
	"${file[@]}" --name n --scale 0.5 --step 1/60 --step 0.01 --quality --warp
same "{ $cage, \"material\": { \"preset\": \"flesh\", \"young\": 3e4, \"damping\": 2, \"static_friction\": 0.9, \"dynamic_friction\": 0.8 } }" -- \
	"${file[@]}" --material flesh --young 3e4 --poisson 0.45 --density 1050 --damping 2 --static-friction 0.9 --dynamic-friction 0.8
same "{ $cage, \"pins\": [ { \"box\": [-1, 0, -1, 1, 0.1, 1] }, { \"box\": [-1, 0.4, -1, 1, 1, 1] } ] }" -- \
	"${file[@]}" --pin-box=-1,0,-1,1,0.1,1 --pin-box=-1,0.4,-1,1,1,1
same "{ $cage, \"collision\": \"none\" }" -- "${file[@]}" --no-collision
same "{ $cage, \"collision\": \"coarse\" }" -- "${file[@]}" --collision-cells coarse
same "{ $cage, \"static\": true }" -- "${file[@]}" --static
same "{ $cage, \"particles\": { \"kind\": \"solid\", \"count\": 12 } }" -- "${file[@]}" --particles solid:12
echo '{ "materials": { "a": { "young": 6e6, "poisson": 0.47, "density": 9 } }, "regions": [ { "material": "a", "box": [-1, -1, -1, 1, 0.2, 1] } ] }' >regions.json
same "{ $cage, \"material\": { \"poisson\": 0.4 }, \"materials\": { \"a\": { \"preset\": \"tyre\", \"density\": 9 } }, \"regions\": [ { \"material\": \"a\", \"box\": [-1, -1, -1, 1, 0.2, 1] } ] }" -- \
	"${file[@]}" --poisson 0.4 --materials regions.json

# ---- the command line wins, lists as a whole, and over what it excludes ----------------------------------------------
same "{ $cage, \"material\": { \"young\": 3e4, \"poisson\": 0.2 } }" -- "${file[@]}" --young 9e4 --poisson 0.2 -- --young 9e4
same "{ $cage, \"material\": { \"young\": 3e4 } }" -- "${file[@]}" -- --young 1e5 # the default, but said
same "{ $cage, \"steps\": [0.01, 0.02] }" -- "${file[@]}" --step 1/30 -- --step 1/30
same "{ $cage }" -- --tets 200 -- --tets 200
same '{ "cage": { "tets": 200 } }' -- "${file[@]}" -- "${file[@]}"
same "{ $cage, \"collision\": \"none\" }" -- "${file[@]}" --collision-cells fine -- --collision-cells fine
same "{ $cage, \"steps\": [0.01], \"pins\": [ { \"box\": [-1, 0, -1, 1, 0.1, 1] } ], \"quality\": true }" -- "${file[@]}" --static -- --static

# what a recipe has can be taken back
same "{ $cage, \"quality\": true, \"warp\": true, \"particles\": {}, \"pins\": [ { \"box\": [-1, 0, -1, 1, 0.1, 1] } ] }" -- "${file[@]}" -- \
	--quality=no --warp=no --particles none --pin-box none
same '{ "cage": { "tets": 60, "levels": [30] }, "collision": "none", "limits": { "soak": true, "max_strain": 1e-6 } }' -- --tets 60 -- \
	--lod none --no-collision=no --collision-cells auto --soak=no
same "{ $cage, \"static\": true }" -- "${file[@]}" --static -- --lod none --soak=no
same "\xEF\xBB\xBF{ \"\$schema\": \"recipe.schema.json\", $cage }" -- "${file[@]}"

# ---- limits, depfile, cache, batch -----------------------------------------------------------------------------------
printf '{ %s, "limits": { "max_bytes": 1000 } }' "$cage" >sub/limit.json
status=0
bake box.obj -o limit.gel --recipe sub/limit.json 2>err || status=$?
[ $status -eq 5 ] && [ ! -e limit.gel ] || die "limits: exit $status, $(cat err)"
printf '{ %s }' "$cage" >sub/recipe.json
bake box.obj -o dep.gel --recipe sub/recipe.json --depfile dep.d --cache cache
grep -q 'sub/recipe.json' dep.d && grep -q 'sub/cage.msh' dep.d || die "the depfile: $(cat dep.d)"
printf '{ %s, "material": { "young": 7e4 } }' "$cage" >sub/recipe.json
bake box.obj -o dep.gel --recipe sub/recipe.json --cache cache --json report
grep -q '"cached": false' report || die "another recipe, the same entry of the cache"

# ---- what is wrong -----------------------------------------------------------------------------------------------------
wrong() { # PLACE TEXT RECIPE
	local status=0
	printf '%b' "$3" >wrong.json
	bake box.obj -o wrong.gel --recipe wrong.json >out 2>err || status=$?
	[ $status -eq 3 ] && grep -qE "^wrong.json: error: T0553: $1: .*$2" err || die "$3: exit $status, $(cat err)"
	[ "$(wc -l <err)" -eq 1 ] && [ ! -e wrong.gel ] || die "$3: more than one line, or a pack: $(cat err)"
}
wrong 'line 2, column 7' '' '{ "name": 3\n    "x" }'
wrong 'line 1, column 1' 'object' '[]'
wrong 'line 2, column 2' 'no "young" here' '{\n "young": 3e4 }'
wrong 'line 3, column 17' 'no "yuong" here' '{\n\n  "material": { "yuong": 3e4 } }'
wrong 'line 1, column 3' 'text' '{ "name": 3 }'
wrong 'line 1, column 17' 'number from' '{ "material": { "young": "soft" } }'
wrong 'line 1, column 17' 'number from' '{ "material": { "young": -1 } }'
wrong 'line 2, column 1' 'number from 0 to 0.4999' '{ "material": {\n"poisson": 0.5 } }'
wrong 'line 1, column 17' 'one of jelly' '{ "material": { "preset": "gold" } }'
wrong 'line 1, column 17' '23' '{ "material": { "name": "a name that is longer than that" } }'
wrong 'line 1, column 18' 'step length' '{ "steps": [0.1, "fast"] }'
wrong 'line 1, column 13' 'step length' '{ "steps": [0] }'
wrong 'line 1, column 3' 'one step length' '{ "steps": [] }'
wrong 'line 1, column 13' 'whole number' '{ "cage": { "tets": 1.5 } }'
wrong 'line 1, column 13' 'no meaning' '{ "cage": { "tets": 100, "file": "x" } }'
wrong 'line 1, column 28' 'fewer than the level before' '{ "cage": { "levels": [30, 90] } }'
wrong 'line 1, column 15' '6 numbers' '{ "pins": [ { "box": [1, 2] } ] }'
wrong 'line 1, column 3' 'true or false' '{ "warp": 1 }'
wrong 'line 1, column 3' 'one of auto' '{ "collision": "some" }'
wrong 'line 1, column 19' 'no meaning' '{ "static": true, "steps": [0.1] }'
wrong 'line 1, column 15' 'without "soak"' '{ "limits": { "max_strain": 2 } }'
wrong 'line 1, column 18' 'object' '{ "materials": { "a": 3 }, "regions": [] }'
wrong 'line 1, column 35' 'name of' '{ "materials": {}, "regions": [ { "material": "b", "tets": [0, 1] } ] }'
wrong 'line 1, column 29' 'color.r' '{ "paint": { "stiffness": { "channel": "red" } } }'
wrong 'line 1, column 29' 'other end' '{ "paint": { "stiffness": { "low": 1 } } }'
wrong 'line 1, column 23' 'no "low" here' '{ "paint": { "pin": { "low": 1 } } }'
wrong 'line 1, column 27' 'number from' '{ "paint": { "density": { "low": -1, "high": 2 } } }'
wrong 'line 1, column 3' 'object' '{ "paint": true }'
wrong 'line 1, column 22' 'no meaning together with "static"' '{ "static": true,    "warp": true }'
wrong 'line 1, column 19' 'no meaning together with "static"' '{ "static": true, "particles": {} }'
wrong 'line 1, column 29' 'no meaning together with "static"' '{ "static": true, "cage": { "levels": [30] } }'
wrong 'line 1, column 31' 'no meaning together with "static"' '{ "static": true, "limits": { "soak": true } }'
wrong 'line 1, column 37' 'fewer than' '{ "cage": { "tets": 60, "levels": [ 60] } }'
wrong 'line 1, column 27' 'below that of the level before it, 500' '{ "cage": { "levels": [   600] } }'
wrong 'line 1, column 22' 'twice' '{ "steps": ["1/50",  0.02] }'
wrong 'line 2, column 18' 'radius' '{ "materials": { "a": {} },\n "regions": [ {  "sphere": [0, 0, 0, -1], "material": "a" } ] }'
wrong 'line 1, column 18' 'longest is for 1 s' '{ "steps": [1],  "quality": true }'
status=0
printf '{ "materials": { "a": {} },\n "regions": [ { "art_material": "x", "material": "a" } ] }' >wrong.json
bake box.obj -o wrong.gel --recipe wrong.json 2>err || status=$?
[ $status -eq 3 ] && grep -q '^wrong.json: error: T0517: line 2, column 15: ' err || die "a region of nothing: $status, $(cat err)"
status=0
bake box.obj -o wrong.gel --paint stiffness=color.r:1:2 2>err || status=$?
[ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] || die "paint that is not there: $status, $(cat err)"
for more in --warp "--particles auto" --soak "--max-step-us 9"; do
	status=0
	bake box.obj -o wrong.gel --static $more 2>err || status=$?
	[ $status -eq 1 ] || die "--static $more: $status, $(cat err)"
done
status=0
bake box.obj -o wrong.gel --recipe missing.json 2>err || status=$?
[ $status -eq 2 ] || die "a recipe that is not there: $status"
head -c 3000 /dev/urandom >noise.json
status=0
bake box.obj -o wrong.gel --recipe noise.json 2>err || status=$?
[ $status -eq 3 ] || die "noise: $status"

# ---- the schema knows the same keys and presets, and the guide's recipe bakes ------------------------------------------
schema=$GEL_ROOT/docs/recipe.schema.json
echo '{ "x": 1 }' >wrong.json
"$GEL_BIN/gel-bake" box.obj -o wrong.gel --recipe wrong.json 2>err || true
sed -n 's/.*there are: //p' err | tr ' ' '\n' | sort >known
sed -n '/^  "properties": {$/,/^  },$/s/^    "\([a-z_]*\)": {.*/\1/p' "$schema" | sort >listed
diff known listed || die "keys of the program (<) and of the schema (>)"
echo '{ "material": { "preset": "x" } }' >wrong.json
"$GEL_BIN/gel-bake" box.obj -o wrong.gel --recipe wrong.json 2>err || true
presets=$(sed -n 's/.*has to be one of //p' err)
grep -q "\"preset\": { \"enum\": \[\"$(echo "$presets" | sed 's/ /", "/g')\"\] }" "$schema" || die "presets: $presets"
awk -v folder=. -f "$GEL_ROOT/tests/package/guide_blocks.awk" "$GEL_ROOT/docs/recipes.md"
bake box.obj -o guide.gel --recipe bear.json || die "the recipe of the guide"
echo "recipes: all as they should be"
