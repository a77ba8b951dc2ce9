# Sourced by tests: forty small pieces of art in art/, all different, a cage that holds them, and a manifest of them.
make_forty_assets() {
	local name i
	mkdir -p art
	for name in box torus jelly star; do "$GEL_BIN/gel-sample" $name -o $name.obj --triangles 1000 --quiet; done
	"$GEL_BIN/gel-tetrafy" box.obj -o cage.msh --tets 200 --scale 4 --quiet
	for i in 0 1 2 3 4 5 6 7 8 9; do
		for name in box torus jelly star; do
			awk -v s="0.8$i" '$1 == "v" { printf "v %.6f %.6f %.6f\n", s * $2, s * $3, s * $4; next } { print }' $name.obj >art/$name$i.obj
		done
	done
	{
		printf '{ "output_folder": "packs", "options": ["--cage", "cage.msh"], "assets": ['
		find art -name '*.obj' | sort | sed 's/.*/"&"/' | paste -sd,
		printf '] }\n'
	} >bodies.json
}
