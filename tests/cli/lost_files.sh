#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No command destroys one of its own files: exit 1, a message that names both, everything as it was. A disk that
# is full leaves nothing behind.
set -u
. "$GEL_ROOT/tests/support/shell.sh"
state() { find . -mindepth 1 ! -name 'std*' -printf '%p %y ' -exec sh -c 'cksum <"$1"' _ {} \; 2>&1 | sort; }

printf 'mtllib bear.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >bear.obj
printf 'newmtl a\nKd 1 0 0\n' >bear.mtl
printf '{ "old": "report" }\n' >old.json
"$GEL_BIN/gel-tetrafy" bear.obj -o bear.node --tets 40 --quiet || fail "gel-tetrafy does not make a cage"
"$GEL_BIN/gel-bake" bear.obj -o bear.gel --tets 40 --quiet || fail "gel-bake does not make a pack"
ln -s bear.obj sym.msh
ln -s bear.gel sym.csv
ln -s new.gel dangling

# refused ONE OTHER WORDS...: exit 1, and the message names both files
refused()
{
	local one=$1 other=$2 before code
	shift 2
	before=$(state)
	"$GEL_BIN/$1" "${@:2}" >stdout 2>stderr </dev/null
	code=$?
	[ "$code" -eq 1 ] || fail "$*: exit code $code: $(head -c 300 stderr)"
	[ "$(grep -c 'error: T0005' stderr)" -eq 1 ] || fail "$*: not one T0005: $(head -c 300 stderr)"
	grep -qF -e "'$one'" stderr && grep -qF -e "'$other'" stderr || fail "$*: does not name both: $(head -c 300 stderr)"
	[ ! -s stdout ] || fail "$*: prints to stdout"
	[ "$(state)" = "$before" ] || fail "$*: changes files: $(state | diff - <(echo "$before"))"
}

refused sym.msh bear.obj gel-tetrafy bear.obj -o sym.msh
refused x.ele x.ele gel-tetrafy bear.obj -o x.node --json x.ele
refused x.lod1.msh x.lod1.msh gel-tetrafy bear.obj -o x.msh --lods 2 --json x.lod1.msh
refused x.png x.png gel-tetrafy bear.obj -o x.msh --picture x.png --json x.png
refused bear.obj bear.obj gel-tetrafy bear.obj -o x.msh --picture bear.obj
refused bear.ele bear.ele gel-tetrafy bear.obj -o x.msh --from bear.node --picture bear.ele
refused q.gel q.gel gel-bake bear.obj -o q.gel --json q.gel
refused ./q.gel q.gel gel-bake bear.obj -o q.gel --json ./q.gel
refused dangling new.gel gel-bake bear.obj -o new.gel --json dangling
refused old.json old.json gel-bake bear.obj -o old.json --json old.json
refused bear.mtl bear.mtl gel-bake bear.obj -o bear.mtl
refused q.gel q.gel gel-bake bear.obj -o q.gel --depfile q.gel
refused bear.obj bear.obj gel-bake bear.obj -o q.gel --depfile bear.obj
refused bear.ele bear.ele gel-bake bear.obj -o bear.ele --cage bear.node
refused x.png x.png gel-preview bear.gel --out x.png --json x.png
refused sym.csv bear.gel gel-preview bear.gel --out sym.csv
refused x-0001.png x-0001.png gel-preview bear.gel --sequence --frames 3 --out x.png --json x-0001.png
refused x.obj x.obj gel-sample bear -o x.obj --json x.obj
refused x.mtl x.mtl gel-sample bear -o x.obj --json x.mtl
cp old.json pack.gel
refused pack.gel pack.gel gel-inspect pack.gel --json pack.gel

# devices are no loss, and a file named "-" is not the standard output
echo text >./-
"$GEL_BIN/gel-inspect" bear.gel --json - >stdout 2>stderr || fail "--json - beside a file named -: $(cat stderr)"
grep -q '"tool": "gel-inspect"' stdout || fail "--json - prints no report"
[ "$(cat ./-)" = text ] || fail "--json - writes to a file"
"$GEL_BIN/gel-bake" bear.obj -o /dev/null --tets 40 --json /dev/null --quiet || fail "/dev/null twice is refused"

# a limit of the file size stands for a full disk: write fails, the older file stays, nothing else appears
before=$(state)
(
	ulimit -f 2
	exec "$GEL_BIN/gel-bake" bear.obj -o bear.gel --tets 40 >stdout 2>stderr
)
code=$?
[ "$code" -eq 2 ] || fail "a full disk: exit code $code"
grep -q 'bear.gel: error: T0002' stderr || fail "a full disk: $(cat stderr)"
[ "$(state)" = "$before" ] || fail "a full disk: $(state | diff - <(echo "$before"))"

[ "$failures" -eq 0 ] && echo "every file survives"
[ "$failures" -eq 0 ]
