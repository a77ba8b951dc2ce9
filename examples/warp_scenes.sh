#!/usr/bin/env bash
# The scenes of docs/warp.md as pictures: samples are made, baked and drawn, one contact sheet each. Their
# outcomes are asserted by tests/unit/runtime/solvers/warp/test_warp_scenes.c.
#     examples/warp_scenes.sh BIN OUT [SCENE...]      BIN: folder of the programs, OUT: folder for the pictures
set -euo pipefail
bin=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
shift 2
scenes=("$@")
[ $# -gt 0 ] || scenes=(dragon bear sheet trampoline spider rings)

# flat NAME CELLS SIZE THICKNESS: a sheet as cage (five tets per cell, mirrored in every other one) and as art just inside of it
flat() {
	awk -v n="$2" -v size="$3" -v d="$4" -v name="$1" '
	function at(i, j, k) { return (i * (n + 1) + k) * 2 + j + 1 }
	function face(a, b, c) { print "f", a, b, c >obj }
	BEGIN {
		obj = name ".obj"; node = name ".node"; ele = name ".ele"
		total = 2 * (n + 1) * (n + 1)
		print total, 3, 0, 0 >node
		print 5 * n * n, 4, 0 >ele
		split("000110101011 100000110101 010000110011 001000101011 111110101011", list, " ")
		for (w = 0; w < 5; ++w) corners[w] = list[w + 1]
		for (i = 0; i <= n; ++i) for (k = 0; k <= n; ++k) for (j = 0; j < 2; ++j) {
			x = size * (i / n - 0.5); y = d * (j - 0.5); z = size * (k / n - 0.5)
			printf "%d %.9g %.9g %.9g\n", at(i, j, k), x, y, z >node
			printf "v %.9g %.9g %.9g\n", 0.999 * x, 0.98 * y, 0.999 * z >obj
		}
		for (i = 0; i < n; ++i) for (k = 0; k < n; ++k) {
			for (w = 0; w < 5; ++w) {
				line = ++tets
				for (c = 1; c <= 4; ++c) {
					b = substr(corners[w], 3 * c - 2, 3) # x y z of a corner; mirrored in every other cell
					x = substr(b, 1, 1); if ((i + k) % 2) x = 1 - x
					line = line " " at(i + x, substr(b, 2, 1), k + substr(b, 3, 1))
				}
				print line >ele
			}
			face(at(i, 1, k), at(i, 1, k + 1), at(i + 1, 1, k + 1)); face(at(i, 1, k), at(i + 1, 1, k + 1), at(i + 1, 1, k))
			face(at(i, 0, k), at(i + 1, 0, k + 1), at(i, 0, k + 1)); face(at(i, 0, k), at(i + 1, 0, k), at(i + 1, 0, k + 1))
		}
		for (i = 0; i < n; ++i) {
			face(at(i, 0, 0), at(i + 1, 1, 0), at(i + 1, 0, 0)); face(at(i, 0, 0), at(i, 1, 0), at(i + 1, 1, 0))
			face(at(i, 0, n), at(i + 1, 0, n), at(i + 1, 1, n)); face(at(i, 0, n), at(i + 1, 1, n), at(i, 1, n))
			face(at(0, 0, i), at(0, 0, i + 1), at(0, 1, i + 1)); face(at(0, 0, i), at(0, 1, i + 1), at(0, 1, i))
			face(at(n, 0, i), at(n, 1, i + 1), at(n, 0, i + 1)); face(at(n, 0, i), at(n, 1, i), at(n, 1, i + 1))
		}
	}'
}

# sample NAME TETS OPTIONS...
sample() {
	local name=$1 tets=$2
	shift 2
	"$bin/gel-sample" "$name" -o "$name.glb" --triangles 8000 --quiet
	"$bin/gel-bake" "$name.glb" -o "$name.gel" --tets "$tets" --warp --quiet "$@"
}

# draw SCENE: with the scene file on standard input
draw() {
	cat >"$1.json"
	"$bin/gel-preview" --scene "$1.json" --solver warp --out "$1.png" --size 400x400 --quiet
	echo "$1.png"
}

floor='{ "kind": "plane" }'
for scene in "${scenes[@]}"; do
	case $scene in
	dragon)
		sample dragon 1500 --young 3e5
		draw dragon <<-END
			{ "packs": ["dragon.gel"], "ground": false, "frames": 120, "bodies": [ { "at": [0, 0.6, 0], "turn": [0, 0, 40] } ],
			  "colliders": [ $floor ] }
		END
		;;
	bear)
		sample bear 1000 --young 1e5
		draw bear <<-END
			{ "packs": ["bear.gel"], "ground": false, "frames": 150, "bodies": [ { "at": [0, 0, 0] } ],
			  "colliders": [ $floor, { "kind": "box", "at": [0, 0.65, 0], "halfSize": [0.5, 0.1, 0.5],
			    "motion": { "keys": [ { "time": 0.1 }, { "time": 1, "move": [0, -0.3, 0] }, { "time": 1.3, "move": [0, -0.3, 0] }, { "time": 1.8 } ] } } ] }
		END
		;;
	sheet)
		flat sheet 50 1 0.0001
		"$bin/gel-bake" sheet.obj --cage sheet.node -o sheet.gel --young 3e5 --poisson 0.3 --warp --quiet --static-friction 1 --dynamic-friction 1
		draw sheet <<-END
			{ "packs": ["sheet.gel"], "ground": false, "frames": 120, "bodies": [ { "at": [0, 0.305, 0], "sheet": true } ],
			  "colliders": [ { "kind": "sphere", "radius": 0.3, "staticFriction": 1, "dynamicFriction": 1 } ],
			  "camera": { "yaw": 25, "pitch": 25, "target": [0, 0.05, 0], "distance": 2.2 } }
		END
		;;
	trampoline)
		flat mat 16 1.2 0.01
		"$bin/gel-bake" mat.obj --cage mat.node -o mat.gel --young 1e5 --poisson 0.3 --warp --quiet --step 1/240 \
			--pin-box=-1,-1,-1,-0.599,1,1 --pin-box=0.599,-1,-1,1,1,1 --pin-box=-1,-1,-1,1,1,-0.599 --pin-box=-1,-1,0.599,1,1,1
		sample sphere 300 --young 1e6 --scale 0.5 --step 1/240
		draw trampoline <<-END
			{ "packs": ["mat.gel", "sphere.gel"], "ground": false, "step": 0.004166666667, "frames": 80,
			  "bodies": [ { "pack": 0, "sheet": true, "pinned": true }, { "pack": 1, "at": [0, 0.5, 0] } ] }
		END
		;;
	spider)
		cat >legs.json <<-END
			{ "materials": { "legs": { "young": 3e7 }, "body": { "young": 1e5 } },
			  "regions": [ { "material": "body", "sphere": [0, 0.25, 0, 0.2] } ] }
		END
		sample spider 1500 --young 3e7 --materials legs.json
		draw spider <<-END
			{ "packs": ["spider.gel"], "ground": false, "frames": 120, "bodies": [ { "at": [0, 0.15, 0] } ], "colliders": [ $floor ] }
		END
		;;
	rings)
		sample three-torus 1500 --young 3e5 --static-friction 1 --dynamic-friction 1
		draw rings <<-END
			{ "packs": ["three-torus.gel"], "ground": false, "frames": 150, "bodies": [ { "at": [0, 0.4, 0], "turn": [90, 0, 0] } ],
			  "colliders": [ { "kind": "capsule", "radius": 0.1, "halfLength": 0.6, "turn": [90, 0, 0], "staticFriction": 1, "dynamicFriction": 1 } ] }
		END
		;;
	*)
		echo "there is no scene $scene" >&2
		exit 1
		;;
	esac
done
