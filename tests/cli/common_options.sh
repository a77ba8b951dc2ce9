#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What all tools promise: the common options, usage errors, reports of failed runs.
set -u
tools="gel-tetrafy gel-bake gel-inspect gel-preview gel-sample"
. "$GEL_ROOT/tests/support/shell.sh"

# run EXIT_CODE WORDS...: runs, keeps stdout and stderr, compares the exit code
run()
{
	local expected=$1 code
	shift
	"$GEL_BIN/$1" "${@:2}" >"$folder/out" 2>"$folder/err" </dev/null
	code=$?
	[ "$code" -eq "$expected" ] || fail "$*: exit code $code instead of $expected: $(head -c 300 "$folder/err")"
}
out_has() { grep -qF -e "$1" "$folder/out" || fail "$2: stdout lacks '$1'"; }
err_has() { grep -qF -e "$1" "$folder/err" || fail "$2: stderr lacks '$1': $(head -c 300 "$folder/err")"; }
out_empty() { [ ! -s "$folder/out" ] || fail "$1: prints to stdout"; }
err_empty() { [ ! -s "$folder/err" ] || fail "$1: prints to stderr"; }

for tool in $tools; do
	run 0 "$tool" --help
	err_empty "$tool --help"
	for part in "usage: $tool " --help --version --quiet --json --threads --warnings-as-errors "exit codes:" "example:"; do
		out_has "$part" "$tool --help"
	done
	widest=$(awk '{ if ( length( $0 ) > w ) w = length( $0 ) } END { print w }' "$folder/out")
	[ "$widest" -le 100 ] || fail "$tool --help: a line has $widest columns"
	cp "$folder/out" "$folder/help"
	run 0 "$tool" -h
	cmp -s "$folder/out" "$folder/help" || fail "$tool: -h and --help differ"

	run 0 "$tool" --version
	grep -qE "^$tool [0-9]+\.[0-9]+\.[0-9]+ \(pack format [0-9]+\.[0-9]+\)$" "$folder/out" || fail "$tool --version"

	run 1 "$tool" --thread 2
	err_has "did you mean --threads?" "$tool --thread"
	err_has "usage: $tool " "$tool --thread"
	err_has "$tool --help" "$tool --thread"
	out_empty "$tool --thread"
	run 1 "$tool" --warning-as-error
	err_has "did you mean --warnings-as-errors?" "$tool --warning-as-error"
	run 1 "$tool" --threads
	err_has "needs a value" "$tool --threads"
	run 1 "$tool" --threads 0
	err_has "between 1 and" "$tool --threads 0"
	run 1 "$tool" --threads two
	run 1 "$tool" --quiet=1
	err_has "takes no value" "$tool --quiet=1"
	run 1 "$tool" --json= x
	run 1 "$tool" $'--\033[31mred'
	! grep -q $'\033' "$folder/err" || fail "$tool: a control character reaches the terminal"
done

# Tools with an input: a missing file is exit 2 with one message and a report that says so; no output appears.
for tool in gel-tetrafy gel-bake gel-inspect gel-preview; do
	case $tool in
		gel-tetrafy) words="-o $folder/x.msh" input=$folder/none.obj ;;
		gel-bake) words="-o $folder/x.gel" input=$folder/none.obj ;;
		gel-inspect) words="" input=$folder/none.gel ;;
		gel-preview) words="--frames 1 --out $folder/x.png" input=$folder/none.gel ;;
	esac
	run 1 "$tool"
	err_has "usage: $tool " "$tool without words"
	# shellcheck disable=SC2086 # words are several
	run 2 "$tool" "$input" $words --json "$folder/report.json"
	err_has "$input: error: T0001: " "$tool with a missing input"
	[ "$(grep -c 'error:' "$folder/err")" -eq 1 ] || fail "$tool: more than one message for a missing input"
	grep -qF '"exit_code": 2' "$folder/report.json" || fail "$tool: no exit code in the report"
	grep -qF "\"tool\": \"$tool\"" "$folder/report.json" || fail "$tool: no name in the report"
	grep -qF '"T0001"' "$folder/report.json" || fail "$tool: no finding in the report"
	# shellcheck disable=SC2086
	run 2 "$tool" "$input" $words --json -
	[ "$(head -c 1 "$folder/out")" = "{" ] && [ "$(tail -n 1 "$folder/out")" = "}" ] || fail "$tool --json -: stdout is not only the report"
	if command -v python3 >/dev/null; then
		python3 -c 'import json, sys; json.load( open( sys.argv[1] ) )' "$folder/out" || fail "$tool --json -: no JSON"
	fi
	if python3 -c 'import jsonschema' 2>/dev/null; then
		python3 -c 'import json, jsonschema, sys; jsonschema.validate( *[json.load( open( p ) ) for p in sys.argv[1:]] )' \
			"$folder/out" "$GEL_ROOT/docs/report.schema.json" || fail "$tool --json -: breaks docs/report.schema.json"
	fi
	# shellcheck disable=SC2086
	run 2 "$tool" "$folder" $words
	err_has "is a folder" "$tool with a folder"
	[ -z "$(find "$folder" -name 'x.*')" ] || fail "$tool: an output was left behind"
	rm -f "$folder/report.json"
done

# A report never replaces what is not one.
printf '\211GEL' >"$folder/precious.gel"
run 1 gel-tetrafy "$folder/none.obj" -o "$folder/x.msh" --json "$folder/precious.gel"
[ "$(wc -c <"$folder/precious.gel")" -eq 4 ] || fail "--json overwrote a pack"

[ "$failures" -eq 0 ] || { echo "$failures failures" >&2; exit 1; }
