// SPDX-License-Identifier: MIT
// The scene of scene.c by the package: Node and the browser run this file.
export function runScene(gelpack, pack, stepCount = 600) {
	const lines = [];
	const asset = gelpack.loadAsset(pack);
	const world = gelpack.createWorld({ hasGround: true, enableContact: true });
	const solvers = [{}, { type: 'implicit' }, { type: 'warpCancelling' },
		{ type: 'fastCorotated', fast: { mode: 'quality' } }, { type: 'orientedParticles' }];
	solvers.forEach((solver, i) => {
		world.createBody({ asset, solver, transform: { position: { x: 0.25 * (i % 2), y: 0.75 + 1.25 * i, z: 0 } } });
	});
	for (let step = 1; step <= stepCount; ++step) {
		world.step(Math.fround(1 / 60));
		if (step % 100 === 0) lines.push(`${step} ${world.hashState().toString(16).padStart(16, '0')}`);
	}
	world.free();
	asset.free();
	return lines;
}
