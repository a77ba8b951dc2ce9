#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many assets from a manifest: the packs of single bakes, whatever the number of jobs and shards; one that fails does not
# stop the others; a batch that is killed leaves nothing that a later one could trip over.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
mkdir "$folder/project" "$folder/project/art" "$folder/single"
cd "$folder/project"
bake() { "$GEL_BIN/gel-bake" "$@"; }
names='box sphere torus jelly star'
for name in $names; do "$GEL_BIN/gel-sample" $name -o art/$name.obj --triangles 1000 --quiet; done
# one cage that holds them all, so that no time goes into making others
"$GEL_BIN/gel-tetrafy" art/box.obj -o cage.msh --tets 200 --scale 4 --quiet
for name in $names; do bake art/$name.obj -o ../single/$name.gel --cage cage.msh --quiet; done
bake art/box.obj -o ../single/hard.gel --cage cage.msh --young 9e5 --quiet
cat >bodies.json <<'END'
{
  "output_folder": "packs/deep",
  "options": ["--cage", "cage.msh"],
  "assets": [
    "art/box.obj", "art/sphere.obj", "art/torus.obj", "art/jelly.obj", "art/star.obj",
    { "input": "art/box.obj", "output": "packs/hard.gel", "options": ["--young", "9e5"] }
  ]
}
END
# same FOLDER: the packs there are those of single bakes
same() {
	local pack
	for pack in $names; do cmp -s "packs/deep/$pack.gel" "../single/$pack.gel" || die "$1: $pack.gel has other bytes"; done
	cmp -s packs/hard.gel ../single/hard.gel || die "$1: hard.gel has other bytes"
}
# From another folder: paths are relative to the manifest, the cache is relative to where the command runs.
(cd .. && bake --manifest project/bodies.json --jobs 2 --cache cache --json two.json >two.txt)
same 'two jobs'
grep -q '^6 assets: 6 baked, 0 from the cache, 0 failed; .* with 2 jobs$' ../two.txt || die "the summary: $(cat ../two.txt)"
[ "$(grep -cE '^packs/.*\.gel +baked +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+$' ../two.txt)" -eq 6 ] || die "the table: $(cat ../two.txt)"
[ "$(grep -c '"exit_code": 0' ../two.json)" -eq 7 ] || die "the report: $(cat ../two.json)"
rm -rf packs
bake --manifest bodies.json --jobs 1 >one.txt
same 'one job'
rm -rf packs
bake --manifest bodies.json --jobs 2 --cache ../cache >again.txt
same 'from the cache'
grep -q '^6 assets: 0 baked, 6 from the cache, 0 failed' again.txt || die "not all are hits: $(cat again.txt)"
rm -rf packs
for shard in 1/3 2/3 3/3; do bake --manifest bodies.json --shard $shard --cache ../cache --quiet >quiet.txt; [ ! -s quiet.txt ] || die "--quiet: $(cat quiet.txt)"; done
same 'three shards'
bake --manifest bodies.json --shard 7/9 >said
grep -q '^0 assets' said || die "an empty shard"

# ---- one fails, the others do not care; the worst exit code wins ---------------------------------------------------
echo 'v 0 0 0' >art/bad.obj
sed 's|"art/sphere.obj"|"art/bad.obj", "art/missing.obj", "art/sphere.obj"|' bodies.json >mixed.json
rm -rf packs
status=0
bake --manifest mixed.json --cache ../cache --json mixed.report >mixed.txt 2>mixed.err || status=$?
same 'with failures'
[ $status -eq 2 ] || die "the worst of 3 (rejected) and 2 (not there) is 2 (I/O), not $status"
grep -q '^packs/deep/bad.gel .*FAILED (3)' mixed.txt && grep -q '^packs/deep/missing.gel .*FAILED (2)' mixed.txt || die "the table: $(cat mixed.txt)"
grep -q '^art/bad.obj: error: T0102' mixed.err && grep -q '^art/missing.obj: error: T0001' mixed.err || die "the messages: $(cat mixed.err)"
grep -q '"number": "T0102"' mixed.report || die "no findings in the report"
[ ! -e packs/deep/bad.gel ] || die "a pack of a bad asset"

# ---- manifests that are wrong: line and column, exit 3, nothing is baked -------------------------------------------
wrong() { # PLACE TEXT MANIFEST
	local status=0
	printf '%b' "$3" >wrong.json
	bake --manifest wrong.json >out 2>err || status=$?
	[ $status -eq 3 ] && grep -q "^wrong.json: error: T0551: $1: .*$2" err || die "$3: exit $status, $(cat err)"
}
wrong 'line 1, column 1' '' '['
wrong 'line 2, column 2' 'no "asset" here' '{\n "asset": []\n}'
wrong 'line 1, column 1' 'missing' '{}'
wrong 'line 2, column 2' 'array' '{\n "assets": 3 }'
wrong 'line 1, column 14' 'name of a file' '{ "assets": [3] }'
wrong 'line 3, column 3' 'no "size" here' '{ "assets": [ { "input": "a.obj",\n\n  "size": 3 } ] }'
wrong 'line 1, column 14' 'missing' '{ "assets": [{ "output": "a.gel" }] }'
wrong 'line 1, column 16' 'text' '{ "assets": [{ "input": 3 }] }'
wrong 'line 2, column 3' 'art/a.glb\|a.gel, too' '{ "assets": [ "a.obj",\n  "b/a.glb" ] }'
wrong 'line 1, column 16' 'does not belong' '{ "options": [ "-oX" ], "assets": [] }'
wrong 'line 1, column 16' 'does not belong' '{ "options": [ "--json=x" ], "assets": [] }'
wrong 'line 1, column 16' 'does not belong' '{ "options": [ "-qoX" ], "assets": [] }'
# nothing is written twice, nor over what the batch reads
ln -s star.obj art/link.obj
wrong 'line 2, column 1' 'new/../a.gel, too' '{ "assets": [ "a.obj",\n{ "input": "b.obj", "output": "new/../a.gel" } ] }'
wrong 'line 2, column 1' 'art/link.obj is read' '{ "assets": [ "art/star.obj",\n{ "input": "art/box.obj", "output": "art/link.obj" } ] }'
wrong 'line 1, column 15' 'wrong.json is read' '{ "assets": [ { "input": "art/box.obj", "output": "art/../wrong.json" } ] }'
wrong 'line 1, column 49' 'cage.msh is read' '{ "options": [ "--cage=cage.msh" ], "assets": [ { "input": "a.obj", "output": "./cage.msh" } ] }'
wrong 'line 1, column 55' 'd.d, too' '{ "options": [ "--depfile", "d.d" ], "assets": [ "a", "b" ] }'
for words in '--young 3' '-o x.gel' 'art/box.obj' '--shard 3/2' '--shard x' '--force' '--depfile d'; do
	status=0
	# shellcheck disable=SC2086 # words on purpose
	bake --manifest bodies.json $words >out 2>err || status=$?
	[ $status -eq 1 ] && grep -q 'error: T0005: ' err || die "$words: exit $status, $(cat err)"
done

# ---- killed in the middle, again and again; then one that is let alone ---------------------------------------------
rm -rf packs ../cache
mkdir ../cache
"$GEL_BIN/gel-sample" star -o art/large.obj --triangles 20000 --quiet
sed -i 's|"art/sphere.obj",|"art/sphere.obj", "art/large.obj",|' bodies.json
bake art/large.obj -o ../single/large.gel --cage cage.msh --quiet
names="$names large"
for wait in 0.01 0.03 0.05 0.08; do
	setsid "$GEL_BIN/gel-bake" --manifest bodies.json --jobs 2 --cache ../cache --quiet >/dev/null 2>&1 &
	batch=$!
	sleep $wait
	kill -9 -- -$batch 2>/dev/null || true
	wait $batch 2>/dev/null || true
	for pack in $(find packs -name '*.gel' 2>/dev/null); do cmp -s "$pack" "../single/$(basename "$pack")" || die "killed after $wait s: $pack is not whole"; done
	find ../cache -name '*.gel' | xargs -r -n 1 "$GEL_BIN/gel-inspect" --quiet >/dev/null || die "killed after $wait s: an entry is not whole"
done
bake --manifest bodies.json --jobs 2 --cache ../cache >last.txt
same 'after kills'
# Killed alone, it takes its bakes along, which tidy up.
rm -rf packs ../cache
"$GEL_BIN/gel-bake" --manifest bodies.json --jobs 2 --cache ../cache --quiet >/dev/null 2>&1 &
batch=$!
sleep 0.04
kill -9 $batch 2>/dev/null || true
wait $batch 2>/dev/null || true
for _ in $(seq 100); do [ -n "$(find . ../cache -name '.gelpack-*' 2>/dev/null)" ] || break; sleep 0.05; done
[ -z "$(find . ../cache -name '.gelpack-*' 2>/dev/null)" ] || die "temporary files are left: $(find . ../cache -name '.gelpack-*')"
echo "gel-bake --manifest: all as it should be; $(tail -n 1 last.txt)"
