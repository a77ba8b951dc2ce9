// SPDX-License-Identifier: MIT
// The package in Chromium, from a server on loopback, as files and without a bundler: same bits, no complaint
// in the console. Settings as in package.test.mjs; GELPACK_WEB_TOOLS has playwright-core.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join, normalize } from 'node:path';

const require = createRequire(`${process.env.GELPACK_WEB_TOOLS}/package.json`);
const { chromium } = require('playwright-core');
const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const ROOTS = { package: process.env.GELPACK_WEB_PACKAGE, test: new URL('.', import.meta.url).pathname };
let server, browser, address;

before(async () => {
	server = createServer(async (request, response) => {
		const [, root, ...rest] = normalize(request.url.split('?')[0]).split('/');
		const file = root === 'pack' ? process.env.GELPACK_WEB_PACK : ROOTS[root] && join(ROOTS[root], ...rest);
		if (request.url === '/') return response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><title>test</title>');
		try {
			const bytes = await readFile(file);
			response.setHeader('Content-Type', TYPES[file.slice(file.lastIndexOf('.'))] ?? 'application/octet-stream').end(bytes);
		} catch {
			response.writeHead(404).end();
		}
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	address = `http://127.0.0.1:${server.address().port}/`;
	browser = await chromium.launch({ executablePath: process.env.GELPACK_CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
			'--disable-component-update', '--disable-sync'] });
});
after(async () => {
	await browser?.close();
	server.close();
});

async function openPage() {
	const page = await browser.newPage(), complaints = [];
	page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(String(error)));
	await page.goto(address);
	return { page, complaints };
}

for (const build of ['plain', 'simd128']) {
	test(`${build}: same bits in the browser`, async () => {
		const { page, complaints } = await openPage();
		const lines = await page.evaluate(async (name) => {
			const [{ loadGelpack }, { runScene }] = await Promise.all([import('/package/gelpack.js'), import('/test/scene.mjs')]);
			return runScene(await loadGelpack({ build: name }), await (await fetch('/pack')).arrayBuffer());
		}, build);
		assert.deepEqual(lines, readFileSync(process.env.GELPACK_WEB_HASHES, 'utf8').trim().split('\n'));
		assert.deepEqual(complaints, []);
		await page.close();
	});
}

test('a worker of the browser', async () => {
	const { page, complaints } = await openPage();
	const height = await page.evaluate(async () => {
		const { loadInWorker } = await import('/package/worker_client.js');
		const gelpack = await loadInWorker();
		const asset = await gelpack.loadAsset(await (await fetch('/pack')).arrayBuffer());
		const world = await gelpack.createWorld({ hasGround: true });
		const body = await world.createBody({ asset, transform: { position: { x: 0, y: 1, z: 0 } } });
		let frame;
		for (let i = 0; i < 60; ++i) [frame] = await world.stepAndGet(Math.fround(1 / 60), [body]);
		gelpack.closeWorker();
		return frame.positions[1];
	});
	assert.ok(Number.isFinite(height));
	assert.deepEqual(complaints, []);
	await page.close();
});
