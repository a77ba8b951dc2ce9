#!/usr/bin/env bash
# The n-th allocation of a tool fails, once, in whatever library: it ends with exit 4, a message that says so and no output,
# or does all that it was asked to do, to the byte. GEL_SWEEP=all tries every n; else about GEL_SWEEP_SAMPLES of each command,
# other ones for another GEL_SWEEP_SEED.
set -euo pipefail
. "$GEL_ROOT/tests/support/shell.sh"
preload=$GEL_BUILD/tests/libgel_fail_malloc.so
[ -e "$preload" ] || { echo "skipped: the sanitizers have an allocator of their own"; exit 77; }
samples=${GEL_SWEEP_SAMPLES:-12}
seed=${GEL_SWEEP_SEED:-1}
workers=$(nproc)

# What a report says besides times, which change from run to run.
stable()
{
	sed 's/"seconds": [0-9.e-]*//' "$1"
}

# try WORKER N OUTPUTS COMMAND...: one run in the folder of a worker
try()
{
	local n=$2 outputs=$3 code=0 output
	shift 3
	for output in $outputs; do rm -f "$output"; done
	GEL_FAIL_AT=$n LD_PRELOAD=$preload "$@" >stdout 2>stderr || code=$?
	case $code in
	0)
		for output in $outputs; do
			cmp -s "$output" "../want/$output" || cmp -s <(stable "$output") <(stable "../want/$output") ||
				echo "allocation $n: exit 0, and another $output" >>failures
		done
		;;
	4)
		grep -qiE 'T0003|out of memory' stderr stdout || echo "allocation $n: exit 4, which does not name memory: $(tail -1 stderr)" >>failures
		for output in $outputs; do
			[ ! -s "$output" ] || [[ $output = *.json ]] || cmp -s "$output" "../want/$output" ||
				echo "allocation $n: exit 4, and $output is not whole" >>failures
		done
		;;
	*) echo "allocation $n: exit $code: $(tail -1 stderr)" >>failures ;;
	esac
	if compgen -G '.gelpack-*' >/dev/null; then
		echo "allocation $n: a temporary file is left" >>failures
		rm -f .gelpack-*
	fi
}

# sweep TITLE OUTPUTS COMMAND...: inputs are in ../, so that workers do not meet
sweep()
{
	local title=$1 outputs=$2 count step w n
	shift 2
	rm -rf want w[0-9]*
	mkdir want
	(cd want && GEL_FAIL_COUNT=$PWD/count LD_PRELOAD=$preload "$@" >stdout 2>stderr) || die "$title: $(cat want/stderr)"
	count=$(cat want/count)
	step=1
	[ "${GEL_SWEEP-}" = all ] || step=$((count / samples + 1))
	for ((w = 0; w < workers; w++)); do
		mkdir "w$w"
		(
			cd "w$w"
			for ((n = 1 + w * step + (step > 1 ? seed * 7919 % step : 0); n <= count; n += workers * step)); do
				try "$w" $n "$outputs" "$@"
			done
		) &
	done
	wait
	echo "$title: $(((count + step - 1) / step)) of $count allocations failed, $(cat w*/failures 2>/dev/null | wc -l) badly"
	if cat w*/failures >wrong 2>/dev/null; then
		sort -t' ' -k2n wrong | head -n "${GEL_SWEEP_SHOW:-20}" >&2
		fail "$title"
	fi
}

bin=$GEL_BIN
"$bin/gel-sample" bear -n 1000 -o bear.obj --quiet
"$bin/gel-sample" torus -n 1000 -o torus.glb --quiet
"$bin/gel-tetrafy" torus.glb -o cage.msh --tets 120 --quiet
echo '{ "materials": { "a": { "poisson": 0.45 } }, "regions": [ { "material": "a", "sphere": [0, 0, 0, 0.3] } ] }' >regions.json
echo '{ "material": { "young": 2e5 }, "attachments": { "tip": { "position": [0.25, 0, 0] } } }' >recipe.json

sweep "gel-sample" "a.obj a.mtl r.json" "$bin/gel-sample" torus -n 1000 -o a.obj --json r.json -j 1
sweep "gel-sample to GLB" "a.glb" "$bin/gel-sample" box -n 1000 -o a.glb -j 1
sweep "gel-tetrafy" "a.msh r.json" "$bin/gel-tetrafy" ../bear.obj -o a.msh --tets 100 --json r.json -j 1
sweep "gel-tetrafy to TetGen" "a.node a.ele" "$bin/gel-tetrafy" ../torus.glb -o a.node --tets 60 -j 1
sweep "gel-bake" "a.gel r.json" "$bin/gel-bake" ../bear.obj -o a.gel --tets 60 --json r.json -j 1
sweep "gel-bake with everything" "a.gel a.d r.json" "$bin/gel-bake" ../torus.glb -o a.gel --cage ../cage.msh --recipe ../recipe.json \
	--materials ../regions.json --quality --warp --particles 20 --pin-box=-9,-9,-9,-0.2,9,9 --depfile a.d --json r.json -j 1
sweep "gel-bake with levels" "a.gel" "$bin/gel-bake" ../torus.glb -o a.gel --tets 60 --lod 20 --soak --max-bytes 9000000 -j 1
cp want/a.gel levels.gel
"$bin/gel-bake" torus.glb -o body.gel --cage cage.msh --warp --particles 20 --quiet
sweep "gel-inspect" "r.json" "$bin/gel-inspect" ../body.gel --verify --json r.json -j 1
sweep "gel-inspect of levels" "r.json" "$bin/gel-inspect" ../levels.gel --verify --json r.json -j 1
sweep "gel-preview" "a.csv" "$bin/gel-preview" ../body.gel --scene drop --frames 3 --out a.csv -j 1
[ "$failures" = 0 ]
