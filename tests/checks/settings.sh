#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every row of the table of bake settings (tools/common/settings/setting_table.c) is in all of its places: the help, the
# schema of recipes, docs/recipes.md with its key and its properties of the art, and what the preview bakes again with.
set -euo pipefail
cd "$GEL_ROOT"
status=0
complain() { echo "$1"; status=1; }
bake=$GEL_BIN/gel-bake
preview=(tools/preview/app/rebake_options.c tools/preview/window/window_bake.c)

"$bake" --print-schema | diff docs/recipe.schema.json - ||
	complain "docs/recipe.schema.json (<) is not that of the table (>): gel-bake --print-schema >docs/recipe.schema.json"
help=$("$bake" --help)
rows=0
while IFS=$'\t' read -r option recipe extras meta source; do
	rows=$((rows + 1))
	if [ "$option" != - ]; then
		grep -qE -- "^ +(-., )?--$option( |\$)" <<<"$help" || complain "--$option is not in the help"
	fi
	if [ "$recipe" != - ]; then
		for key in ${recipe//./ }; do
			grep -q "\"$key\": {" docs/recipe.schema.json || complain "\"$recipe\" is not in docs/recipe.schema.json"
			grep -q "\`$key\`" docs/recipes.md || complain "\"$recipe\" is not in docs/recipes.md"
		done
	fi
	for extra in ${extras/#-/}; do
		grep -q "\`$extra\`" docs/recipes.md || complain "$extra is not in docs/recipes.md"
	done
	case $source in
		meta) [ "$meta" != - ] || complain "--$option: META has no key for it, so the preview cannot bake with it again" ;;
		asset | chosen) grep -q "o, \"$option\"" "${preview[@]}" || complain "--$option: ${preview[*]} do not give it" ;;
	esac
done < <("$bake" --print-settings)
[ "$rows" -gt 30 ] || complain "gel-bake --print-settings prints $rows rows"
exit $status
