#!/usr/bin/env bash
# The scenes of docs/particles.md as pictures, those of Choi and Lee (2017): rods, sheets and solids are made, baked and
# drawn, one contact sheet each, some of them also as particles. Their outcomes are asserted by
# tests/unit/runtime/solvers/particles/test_particle_scenes.c and test_particle_handles.c.
#     examples/particle_scenes.sh BIN OUT [SCENE...]      BIN: folder of the programs, OUT: folder for the pictures
set -euo pipefail
bin=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
shift 2
scenes=("$@")
[ $# -gt 0 ] || scenes=(rope bar stiffness point floor rod sheet heap52 heap180)

# bar NAME: an OBJ file with a bar along x, 2 m long, 0.2 m wide
bar() {
	awk 'BEGIN {
		n = 40
		for (i = 0; i <= n; ++i) for (k = 0; k < 4; ++k) printf "v %g %g %g\n", 2 * i / n - 1, 0.2 * (k % 3 > 0) - 0.1, 0.2 * (k > 1) - 0.1
		for (i = 0; i < n; ++i) for (k = 0; k < 4; ++k) print "f", 4 * i + k + 1, 4 * i + (k + 1) % 4 + 1, 4 * i + (k + 1) % 4 + 5, 4 * i + k + 5
		print "f 4 3 2 1"
		print "f", 4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4
	}' >"$1.obj"
}

# flat NAME: an OBJ file with an open square of 1 m across y
flat() {
	awk 'BEGIN {
		n = 24
		for (i = 0; i <= n; ++i) for (k = 0; k <= n; ++k) printf "v %g 0 %g\n", i / n - 0.5, k / n - 0.5
		for (i = 0; i < n; ++i) for (k = 0; k < n; ++k) {
			a = (n + 1) * i + k + 1
			print "f", a, a + 1, a + n + 2, a + n + 1
		}
	}' >"$1.obj"
}

# bake ART PACK PARTICLES OPTIONS...
bake() {
	local art=$1 pack=$2 particles=$3
	shift 3
	"$bin/gel-bake" "$art" -o "$pack.gel" --particles "$particles" --quiet "$@" 2>"$pack.log" || { cat "$pack.log" >&2 && return 1; }
}

# sample NAME PACK PARTICLES OPTIONS...
sample() {
	local name=$1 pack=$2 particles=$3
	shift 3
	"$bin/gel-sample" "$name" -o "$name.glb" --triangles 8000 --quiet
	bake "$name.glb" "$pack" "solid:$particles" "$@"
}

# draw SCENE OPTIONS...: with the scene file on standard input; also as particles if the name is given with a +
draw() {
	local scene=${1%+} both=${1#"${1%+}"}
	shift
	cat >"$scene.json"
	"$bin/gel-preview" --scene "$scene.json" --solver particles --out "$scene.png" --size 400x400 --plain --quiet "$@"
	echo "$scene.png"
	[ -n "$both" ] || return 0
	"$bin/gel-preview" --scene "$scene.json" --solver particles --overlay particles --out "$scene-particles.png" --size 400x400 --plain --quiet "$@"
	echo "$scene-particles.png"
}

# heap COUNT ROW: bodies of two packs by turns, in layers of ROW x ROW
heap() {
	awk -v count="$1" -v n="$2" 'BEGIN {
		for (i = 0; i < count; ++i) {
			layer = int(i / (n * n)); x = i % n - (n - 1) / 2; z = int(i / n) % n - (n - 1) / 2
			printf "%s{ \"pack\": %d, \"at\": [%g, %g, %g], \"turn\": [%d, %d, 0], \"velocity\": [0, -1, 0] }",
				(i > 0 ? ",\n" : ""), i % 2, 0.52 * x + 0.1 * (layer % 2), 0.1 + 0.6 * layer, 0.52 * z, 67 * i % 90, 41 * i % 360
		}
	}'
}

end='"region": { "max": [0.06, 1, 1] }'
for scene in "${scenes[@]}"; do
	case $scene in
	rope) # lines of an OBJ file; held at one end it swings down over a ball
		awk 'BEGIN { for (i = 0; i <= 40; ++i) printf "v %g 0 %g\n", i / 20, 0.1 * sin(i / 4); printf "l"; for (i = 1; i <= 41; ++i) printf " %d", i; print "" }' >rope.obj
		bake rope.obj rope rod:40 --young 1e6 --damping 0.5
		draw rope+ <<-END
			{ "packs": ["rope.gel"], "ground": false, "frames": 120, "bodies": [ { "at": [1, 1.2, 0] } ], "handles": [ { "body": 0, $end } ],
			  "colliders": [ { "kind": "sphere", "radius": 0.3, "at": [0.5, 0.5, 0] } ] }
		END
		;;
	bar) # one end is turned once around and let go
		bar bar
		bake bar.obj bar rod:20 --young 1e6 --damping 1
		draw bar+ <<-END
			{ "packs": ["bar.gel"], "ground": false, "gravity": [0, 0, 0], "frames": 300, "bodies": [ { "at": [0, 0, 0] } ],
			  "handles": [ { $end }, { "region": { "min": [0.94, 0, 0] }, "release": 2.2,
			    "motion": { "keys": [ { "time": 0.1 }, { "time": 2, "turn": [360, 0, 0] } ] } } ] }
		END
		;;
	stiffness) # the same bar with three moduli
		bar bar
		for young in 3e5 1e6 3e6; do bake bar.obj "bar-$young" rod:20 --young "$young" --damping 1; done
		draw stiffness <<-END
			{ "packs": ["bar-3e5.gel", "bar-1e6.gel", "bar-3e6.gel"], "ground": false, "frames": 180,
			  "bodies": [ { "at": [0, 0, -0.6] }, { "pack": 1, "at": [0, 0, 0] }, { "pack": 2, "at": [0, 0, 0.6] } ],
			  "handles": [ { "body": 0, $end }, { "body": 1, $end }, { "body": 2, $end } ] }
		END
		;;
	point) # a hundred particles in one point: 16 frames of 1/30 s later it is a dragon again
		sample dragon dragon 100 --young 3e5 --damping 0.5 --step 1/30
		draw point+ --frame-rate 30 --moments 8 <<-END
			{ "packs": ["dragon.gel"], "ground": false, "gravity": [0, 0, 0], "frames": 16, "bodies": [ { "at": [0, 0, 0], "collapsed": true } ],
			  "camera": { "yaw": 35, "pitch": 20, "target": [0, 0.4, 0], "distance": 3 } }
		END
		;;
	floor)
		sample dragon dragon 100 --young 2e5 --damping 1
		draw floor+ <<-END
			{ "packs": ["dragon.gel"], "frames": 120, "bodies": [ { "at": [0, 0.6, 0], "turn": [0, 0, 40] } ] }
		END
		;;
	rod) # it turns under the sheet and carries it to one side
		flat cloth
		bake cloth.obj cloth sheet:256 --young 3e4 --density 300 --damping 1
		draw rod+ <<-END
			{ "packs": ["cloth.gel"], "ground": false, "frames": 120, "bodies": [ { "at": [0, 0.25, 0] } ],
			  "camera": { "yaw": 30, "pitch": 20, "target": [0, -0.1, 0], "distance": 3 },
			  "colliders": [ { "kind": "capsule", "radius": 0.2, "halfLength": 0.8, "turn": [90, 0, 0],
			    "motion": { "keys": [ { "time": 0.4 }, { "time": 2.4, "turn": [0, 0, -110] } ] } } ] }
		END
		;;
	sheet) # held by its corners it catches a star
		flat net
		bake net.obj net sheet:256 --young 3e4 --density 300 --damping 1
		sample star star 40 --young 1e5
		draw sheet+ <<-END
			{ "packs": ["net.gel", "star.gel"], "ground": false, "frames": 150, "bodies": [ { "at": [0, 0, 0] }, { "pack": 1, "at": [0, 0.15, 0], "turn": [0, 0, 20] } ],
			  "handles": [ { "region": { "max": [0.06, 1, 0.06] } }, { "region": { "min": [0.94, 0, 0], "max": [1, 1, 0.06] } },
			    { "region": { "min": [0, 0, 0.94], "max": [0.06, 1, 1] } }, { "region": { "min": [0.94, 0, 0.94] } } ] }
		END
		;;
	heap52 | heap180)
		sample star star 24 --young 1e5 --scale 0.7
		sample bear bear 24 --young 1e5 --scale 0.8
		row=4 distance=6
		[ "$scene" = heap52 ] || row=6 distance=9
		draw "$scene" <<-END
			{ "packs": ["star.gel", "bear.gel"], "frames": 150, "bodies": [ $(heap "${scene#heap}" $row) ],
			  "camera": { "yaw": 30, "pitch": 25, "target": [0, 0.6, 0], "distance": $distance } }
		END
		;;
	*)
		echo "there is no scene $scene" >&2
		exit 1
		;;
	esac
done
