// SPDX-License-Identifier: MIT
// import { loadGelpack } from 'gelpack': loads the module, with SIMD where the engine has it.
import { Host } from './host.js';
import { Gelpack } from './objects.js';

export { GelError } from './host.js';
export { Asset, Body, Collider, Constraint, Frame, Gelpack, World } from './objects.js';

// The smallest module with a vector instruction in it: engines without them refuse it.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
	253, 15, 253, 98, 11]);

/** Whether this engine has SIMD128. */
export function hasSimd() {
	return WebAssembly.validate(SIMD_PROBE);
}

// Spelled out, so that bundlers find the files and take them along.
const FILES = {
	simd128: () => new URL('./gelpack.simd128.wasm', import.meta.url),
	plain: () => new URL('./gelpack.plain.wasm', import.meta.url),
};

async function compile(source) {
	if (source instanceof WebAssembly.Module) return source;
	if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
	const url = new URL(source, import.meta.url);
	if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
		const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
		return WebAssembly.compile(await readFile(url));
	}
	const response = await fetch(url);
	if (!response.ok) throw new Error(`gelpack: ${url} answered ${response.status}`);
	// servers that do not know the type of .wasm are no reason to fail
	return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Loads the runtime. Each call makes a module of its own, with memory of its own.
 * @param options.build 'simd128' or 'plain'; default: the fastest that the engine has
 * @param options.module address, bytes or WebAssembly.Module in place of the files of the package
 */
export async function loadGelpack({ build, module } = {}) {
	const chosen = build ?? (hasSimd() ? 'simd128' : 'plain');
	if (!FILES[chosen]) throw new TypeError(`gelpack: there is no build '${chosen}'`);
	const host = new Host(chosen);
	const instance = await WebAssembly.instantiate(await compile(module ?? FILES[chosen]()), host.imports);
	host.start(instance.exports);
	return new Gelpack(host);
}
