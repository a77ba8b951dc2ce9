// SPDX-License-Identifier: MIT
// Compiles, and is never run: the types as a game uses them, and what they must refuse.
import { loadGelpack, type Body, type GelError, type RayHit } from 'gelpack';
import { loadInWorker } from 'gelpack/worker';

export async function use(bytes: Uint8Array): Promise<Float32Array> {
	const gelpack = await loadGelpack({ build: 'plain' });
	using asset = gelpack.loadAsset(bytes);
	using world = gelpack.createWorld({ hasGround: true, gravity: { y: -3 } });
	const body: Body = world.createBody({ asset, solver: { type: 'implicit', implicit: { newtonIterations: 2 } } });
	const hit: RayHit = world.castRay({ origin: { y: 5 }, translation: { y: -9 }, filter: (other) => other !== body });
	const { constraintId } = world.grab({ origin: hit.position });
	constraintId?.setTarget({ x: 1, y: 2, z: 3 });
	const id: bigint = body.hashState();
	world.step(1 / 60);
	// @ts-expect-error: no such member
	world.createBody({ asset, tranform: {} });
	// @ts-expect-error: no such word
	world.createBody({ asset, solver: { type: 'explicit' } });
	// @ts-expect-error: a body is no asset
	world.createBody({ asset: body });
	// @ts-expect-error: objects are not made by hand
	new (Object.getPrototypeOf(body).constructor as typeof Body)();
	const remote = await loadInWorker();
	const there = await (await remote.createWorld({ hasGround: true })).createBody({ asset: await remote.loadAsset(bytes) });
	const mass: number = await there.getMass();
	console.log(id, mass, (null as unknown as GelError)?.load?.rule);
	return body.getPositions();
}
