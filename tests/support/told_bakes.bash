# SPDX-License-Identifier: MIT
# Which packs a build bakes. gel-bake of an installed package tells what it is called with; what the files look like
# afterwards (inodes, times) depends on the file system.

# tell_bakes FOLDER: gel-bake in FOLDER tells from now on.
tell_bakes() {
	mkdir -p "$1/../untold"
	mv "$1/gel-bake" "$1/../untold/gel-bake"
	told=$(cd "$1/.." && pwd)/told
	cat >"$1/gel-bake" <<-END
		#!/bin/sh
		before=
		for word; do
			[ "\$before" != -o ] || echo "\${word##*/}" >>'$told'
			before=\$word
		done
		exec '${told%/*}/untold/gel-bake' "\$@"
	END
	chmod +x "$1/gel-bake"
	forget_bakes
}
forget_bakes() { : >"$told"; }
# The names of the packs since then, sorted, each as often as it was baked.
told_bakes() { sort "$told" | paste -sd' '; }
