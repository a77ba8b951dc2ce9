// SPDX-License-Identifier: MIT
// The package in Node. GELPACK_WEB_PACKAGE is its folder, GELPACK_WEB_PACK a pack with everything in it,
// GELPACK_WEB_HASHES what test/scene.c printed, GELPACK_WEB_HEADERS the folder of the public headers.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runScene } from './scene.mjs';

const folder = process.env.GELPACK_WEB_PACKAGE;
const from = (name) => import(pathToFileURL(`${folder}/${name}`).href);
const { loadGelpack, GelError, hasSimd, Body } = await from('gelpack.js');
const pack = readFileSync(process.env.GELPACK_WEB_PACK);
const DT = Math.fround(1 / 60);

function withWorld(gelpack, def, use) {
	const asset = gelpack.loadAsset(pack), world = gelpack.createWorld(def);
	try {
		return use(world, asset);
	} finally {
		world.free();
		asset.free();
	}
}

for (const build of ['plain', 'simd128']) {
	test(`${build}: the bits of 600 steps of contact are those of the native library`, async () => {
		const wanted = readFileSync(process.env.GELPACK_WEB_HASHES, 'utf8').trim().split('\n');
		assert.equal(wanted.length, 6);
		assert.deepEqual(runScene(await loadGelpack({ build }), pack), wanted);
	});
}

test('the fastest build is taken', async () => {
	assert.equal(hasSimd(), true);
	assert.equal((await loadGelpack()).build, 'simd128');
	await assert.rejects(loadGelpack({ build: 'avx' }), /there is no build 'avx'/);
});

test('every public function is a method, or is left out for a reason, and has its types', async () => {
	const { methods, byHand, leftOut } = await from('bindings.js');
	const headers = readdirSync(process.env.GELPACK_WEB_HEADERS).filter((name) => name !== 'experimental.h')
		.map((name) => readFileSync(`${process.env.GELPACK_WEB_HEADERS}/${name}`, 'utf8')).join('\n');
	const declared = [...headers.matchAll(/^GEL_API\s[^;]*?\b(gel\w+)\s*\(/gm)].map((match) => match[1]);
	assert.ok(declared.length > 130);
	const known = new Set([...methods.map(({ c }) => c), ...byHand, ...Object.keys(leftOut)]);
	assert.deepEqual(declared.filter((name) => !known.has(name)), []);
	assert.deepEqual([...known].filter((name) => !declared.includes(name)), []);
	const types = readFileSync(`${folder}/gelpack.d.ts`, 'utf8');
	const classes = await from('gelpack.js');
	for (const { owner, name } of methods) {
		assert.equal(typeof classes[owner].prototype[name], 'function', `${owner}.${name}`);
		const part = types.match(new RegExp(`export class ${owner} [^]*?\n}`))[0];
		assert.match(part, new RegExp(`^\t${name}\\(`, 'm'), `${owner}.${name} has no type`);
	}
});

test('what a struct does not have is refused, and so are numbers that are none', async () => {
	const gelpack = await loadGelpack();
	withWorld(gelpack, {}, (world, asset) => {
		assert.throws(() => world.createBody({ asset, tranform: {} }), /def has no member 'tranform'/);
		assert.throws(() => world.createBody({ asset, solver: { type: 'implicit', fast: {} } }), /belongs to another solver/);
		assert.throws(() => world.createBody({ asset, solver: { type: 'explicit' } }), /none of fastCorotated, implicit/);
		assert.throws(() => world.createBody({ asset, constraintCapacity: 1.5 }), RangeError);
		assert.throws(() => world.createBody({ asset, constraintCapacity: '3' }), TypeError);
		assert.throws(() => world.step('1'), TypeError);
		assert.throws(() => world.setGravity({ x: 0, y: NaN, z: 0 }), (error) => error instanceof GelError && error.code === 'argument');
	});
});

test('errors have their word and the text of the library', async () => {
	const gelpack = await loadGelpack();
	assert.throws(() => gelpack.loadAsset(pack.subarray(0, 5000)), (error) => error.code === 'truncated' && error.load.rule.length > 10);
	const damaged = Uint8Array.from(pack);
	damaged[damaged.length >> 1] ^= 1;
	assert.throws(() => gelpack.loadAsset(damaged), (error) => error instanceof GelError && error.load.section.length === 4);
	const lines = [];
	withWorld(gelpack, { log: (text) => lines.push(text) }, (world, asset) => {
		world.createBody({ asset });
		assert.throws(() => world.step(0.013), (error) => error.code === 'noFactor');
		assert.match(lines.join(), /step length/);
		world.step(DT); // and it goes on
	});
});

test('positions are a view of the module, without a copy, and survive growth', async () => {
	const gelpack = await loadGelpack();
	withWorld(gelpack, {}, (world, asset) => {
		const body = world.createBody({ asset, transform: { position: { x: 0, y: 5, z: 0 } } });
		const { vertexCount } = asset.getInfo();
		const positions = body.getPositions();
		assert.equal(positions.length, 3 * vertexCount);
		assert.equal(positions.buffer.byteLength, gelpack.memoryBytes);
		const before = positions[1];
		world.step(DT);
		assert.equal(body.positions[1], before); // nobody has asked yet
		body.getPositions();
		assert.notEqual(positions[1], before); // the same memory
		const saved = body.positions.slice(), bytes = gelpack.memoryBytes;
		while (gelpack.memoryBytes === bytes) world.createBody({ asset });
		assert.equal(positions.length, 0); // stale, as promised
		assert.deepEqual(body.positions, saved);
		const bounds = body.getBounds();
		for (let i = 0; i < saved.length; i += 3) assert.ok(saved[i + 1] >= bounds.min.y && saved[i + 1] <= bounds.max.y);
		world.updateVertices([body]);
		assert.deepEqual(body.positions, saved);
		const normals = body.normals.slice();
		assert.deepEqual(body.getNormals(), normals);
	});
});

test('objects are the same ones wherever they come from, and can be freed', async () => {
	const gelpack = await loadGelpack();
	withWorld(gelpack, { enableContact: true, hasGround: true }, (world, asset) => {
		const body = world.createBody({ asset, transform: { position: { x: 0, y: 1, z: 0 } } });
		const ray = { origin: { x: 0.02, y: 9, z: 0.01 }, translation: { x: 0, y: -12, z: 0 } };
		const hit = world.castRay(ray);
		assert.equal(hit.isHit, true);
		assert.equal(hit.body, body);
		assert.equal(body.asset, asset);
		assert.equal(world.castRay({ ...ray, filter: (other) => other !== body }).isHit, false);
		const { constraintId } = world.grab(ray);
		assert.deepEqual(body.getConstraints().map(({ id }) => id), [constraintId.id]);
		constraintId.setTarget({ x: 0, y: 3, z: 0 });
		constraintId.free();
		assert.equal(body.getConstraints().length, 0);
		const collider = world.createCollider({ shape: 'sphere', radius: 0.3, transform: { position: { x: 4, y: 0, z: 0 } } });
		assert.deepEqual(collider.getTransform().position, { x: 4, y: 0, z: 0 });
		for (let i = 0; i < 60; ++i) world.step(DT); // it lies, and does not sleep yet
		assert.ok(world.getContacts().some((contact) => contact.bodyA === body && contact.bodyB === null));
		assert.equal(world.getContactEvents()[0].type, 'persist');
		body.free();
		body.free();
		assert.equal(body.isFreed, true);
		assert.throws(() => body.getMass(), /was freed/);
		assert.equal(world.getCounters().bodyCount, 0);
		const again = world.createBody({ asset });
		assert.notEqual(again, body); // though it has its slot
		assert.equal(again.id, body.id);
	});
});

test('memory is given back', async () => {
	const gelpack = await loadGelpack();
	const round = () => withWorld(gelpack, { enableContact: true }, (world, asset) => {
		for (let i = 0; i < 20; ++i) world.createBody({ asset, transform: { position: { x: 3 * i, y: 0, z: 0 } } }).getPositions();
		world.step(DT);
	});
	round();
	const bytes = gelpack.memoryBytes;
	for (let i = 0; i < 10; ++i) round();
	assert.equal(gelpack.memoryBytes, bytes);
});

test('states go and come back', async () => {
	const gelpack = await loadGelpack();
	withWorld(gelpack, { hasGround: true }, (world, asset) => {
		const body = world.createBody({ asset, transform: { position: { x: 0, y: 1, z: 0 } } });
		for (let i = 0; i < 30; ++i) world.step(DT);
		const state = world.saveState(), own = body.saveState();
		for (let i = 0; i < 30; ++i) world.step(DT);
		const hash = world.hashState();
		world.restoreState(state);
		body.restoreState(own);
		for (let i = 0; i < 30; ++i) world.step(DT);
		assert.equal(world.hashState(), hash);
		assert.throws(() => world.restoreState(new Uint8Array(12)), (error) => error instanceof GelError);
	});
});

test('arrays go in and out', async () => {
	const gelpack = await loadGelpack();
	withWorld(gelpack, {}, (world, asset) => {
		const info = asset.getInfo(), body = world.createBody({ asset });
		assert.equal(asset.getTriangles().length, 3 * info.triangleCount);
		assert.ok(asset.getTriangles().every((vertex) => vertex < info.vertexCount));
		const nodes = body.getNodePositions();
		assert.equal(nodes.length, 3 * info.nodeCount);
		const moved = nodes.map((value) => value + 1);
		body.setNodeState(moved, new Float32Array(moved.length));
		body.getNodePositions().forEach((value, i) => assert.ok(Math.abs(value - moved[i]) < 1e-5));
		assert.throws(() => body.setNodeState(moved, new Float32Array(3)), /as long as the others/);
		assert.equal(body.getTetStates().length, info.tetCount);
		const rays = [0, 1].map((x) => ({ origin: { x: 1 + 9 * x, y: 9, z: 1 }, translation: { x: 0, y: -12, z: 0 } }));
		assert.deepEqual(world.castRays(rays).map(({ isHit }) => isHit), [world.castRay(rays[0]).isHit, false]);
		assert.equal(asset.getMeta().version, gelpack.getVersion ? asset.getMeta().version : '');
		let segments = 0;
		world.draw({ segment(a, b) { segments += Number.isFinite(a.x + b.x); } }, ['cage']);
		assert.ok(segments > info.tetCount);
		assert.throws(() => world.draw({}, ['everything']), /cannot be drawn/);
	});
});

test('a worker does the same', async () => {
	const { loadInWorker } = await from('worker_client.js');
	const there = await loadInWorker();
	const here = await loadGelpack();
	const asset = await there.loadAsset(pack), world = await there.createWorld({ hasGround: true });
	const body = await world.createBody({ asset, transform: { position: { x: 0, y: 1, z: 0 } } });
	let frame;
	for (let i = 0; i < 90; ++i) [frame] = await world.stepAndGet(DT, [body]);
	withWorld(here, { hasGround: true }, (ownWorld, ownAsset) => {
		const own = ownWorld.createBody({ asset: ownAsset, transform: { position: { x: 0, y: 1, z: 0 } } });
		assert.ok(own instanceof Body);
		for (let i = 0; i < 90; ++i) ownWorld.step(DT);
		assert.deepEqual(frame.positions, own.getPositions().slice());
		assert.deepEqual(frame.normals, own.getNormals().slice());
	});
	await assert.rejects(world.step(0.013), (error) => error instanceof GelError && error.code === 'noFactor');
	await assert.rejects(there.loadAsset(new Uint8Array(9)), /not a pack|truncated/);
	await body.free();
	await assert.rejects(body.getMass(), /freed/);
	there.closeWorker();
});
