#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gel-sample: files, repeatability, exit codes, no output left behind after an error.
set -u
bin="${GEL_BIN:?}"
. "$GEL_ROOT/tests/support/shell.sh"

# expect CODE WHAT COMMAND...: runs a command that is to end with CODE
expect()
{
	local code="$1" what="$2"
	shift 2
	"$@" >out.txt 2>err.txt
	local got=$?
	[ "$got" -eq "$code" ] || fail "$what: exit $got instead of $code: $(cat err.txt)"
}

expect 0 "list" "$bin/gel-sample" --list
for name in bear figure knot star; do
	grep -q "^$name " out.txt || fail "--list does not name $name"
done

expect 0 "OBJ" "$bin/gel-sample" star -o star.obj --triangles 2000
[ "$(grep -c '^f ' star.obj)" -eq 2000 ] || fail "star.obj has $(grep -c '^f ' star.obj) faces"
grep -q '^vn ' star.obj || fail "star.obj has no normals"
grep -q '^vt ' star.obj || fail "star.obj has no UVs"
grep -q '^usemtl ' star.obj || fail "star.obj has no materials"
grep -q '2000 triangles' out.txt || fail "the summary does not name the count: $(cat out.txt)"

expect 0 "GLB" "$bin/gel-sample" jelly -o jelly.glb -n 2000 --seed 3
[ "$(head -c 4 jelly.glb)" = glTF ] || fail "jelly.glb is not a GLB"
expect 0 "GLB again" "$bin/gel-sample" jelly -o again.glb -n 2000 --seed 3
cmp -s jelly.glb again.glb || fail "the same command gave other bytes"

expect 0 "quiet" "$bin/gel-sample" sphere -o sphere.glb -n 1000 --quiet
[ -s out.txt ] && fail "--quiet talks: $(cat out.txt)"
expect 0 "report" "$bin/gel-sample" sphere -o sphere.glb -n 1000 --json -
grep -q '"triangles": 1000' out.txt || fail "the report lacks the count"

expect 1 "no name" "$bin/gel-sample" -o x.obj
expect 1 "unknown name" "$bin/gel-sample" unicorn -o x.obj
grep -q 'T0801' err.txt || fail "unknown name: no T0801 in: $(cat err.txt)"
expect 1 "no output" "$bin/gel-sample" bear
expect 1 "wrong ending" "$bin/gel-sample" bear -o x.png
expect 1 "two names" "$bin/gel-sample" bear star -o x.obj
for count in 0 -5 999 3000000 many 1e99 nan; do
	expect 1 "--triangles $count" "$bin/gel-sample" bear -o x.obj --triangles "$count"
	[ -s err.txt ] || fail "--triangles $count: no message"
done
expect 1 "negative seed" "$bin/gel-sample" bear -o x.obj --seed -1
expect 2 "no such folder" "$bin/gel-sample" sphere -o missing/x.obj -n 1000
expect 2 "folder as output" bash -c 'mkdir -p d.obj && "$0" sphere -o d.obj -n 1000' "$bin/gel-sample"
[ -e x.obj ] && fail "an output was left behind"
ls missing* 2>/dev/null && fail "a folder was made"

[ "$failures" -eq 0 ] || exit 1
echo "gel-sample: all checks passed"
