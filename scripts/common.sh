# Shared by the scripts in this folder; sourced, never run.
# Every script works from any directory and may be run again at any time.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '%s\n' "$*" >&2; }
die() { printf 'gelpack: error: %s\n' "$*" >&2; exit 1; }

# Number of parallel compile jobs.
jobs() { nproc 2>/dev/null || echo 2; }

# configure_and_build PRESET: quiet when nothing is to do, the whole log when something fails.
configure_and_build() {
	local preset=$1 dir
	case $preset in release) dir=build ;; *) dir=build-$preset ;; esac
	mkdir -p "$dir"
	local log=$dir/configure.log
	if ! cmake --preset "$preset" >"$log" 2>&1; then
		cat "$log" >&2
		die "configuring preset '$preset' failed"
	fi
	if ! grep -q 'no work to do' <(ninja -C "$dir" -n 2>/dev/null); then
		say "building ($preset) ..."
	fi
	if ! ninja -C "$dir" -j "$(jobs)" >"$dir/build.log" 2>&1; then
		cat "$dir/build.log" >&2
		die "building preset '$preset' failed"
	fi
}
