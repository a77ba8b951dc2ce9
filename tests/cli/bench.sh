#!/usr/bin/env bash
# gel-bench runs every suite and reports ratios that can be true.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
"$GEL_BIN/gel-bench" --quick --quiet --json "$folder/bench.json"
python=$(command -v python3 || true)
if [ -n "$python" ]; then
	"$python" - "$folder/bench.json" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["machine"]["read_gb_per_s"] > 0
for suite in ("bake", "cage", "load", "skin", "step"):
    rows = report[suite][suite]
    assert rows, suite
    for row in rows:
        for key, value in row.items():
            # noise: an exponent between two quick runs, and what phases leave of a step, may be anything
            assert key in ("name", "growth", "other_us") or value > 0, (suite, key, value)
scenes = report["scenes"]
for row in scenes["times"]:
    assert row["step_us"] > 0 and row["flight_us"] > 0, row
    assert row["blocks_in_steps"] == 0, row
for row in scenes["rest"]:
    assert 0.5 < row["volume"] < 1.2 and row["lost"] == 0 and row["resets"] == 0, row
for row in scenes["asleep"]:
    assert row["awake"] == 0, row
for solver in ("plain", "quality", "implicit", "warp", "particles"):
    assert any(row["name"] == solver + ", pit" for row in scenes["times"]), solver
for row in report["implicit"]["implicit"]:
    assert row["iterations"] == 10 and row["ns_per_tet_and_iteration"] > 0, row
PY
else
	grep -q '"times_factor_stream"' "$folder/bench.json"
fi
status=0
"$GEL_BIN/gel-bench" no-such-suite 2>"$folder/err" || status=$?
[ "$status" = 1 ] && grep -q "no suite 'no-such-suite'" "$folder/err"
