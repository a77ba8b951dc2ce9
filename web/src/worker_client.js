// SPDX-License-Identifier: MIT
// import { loadInWorker } from 'gelpack/worker': the same objects, living in a worker. Every method gives a
// promise, and properties are methods without parameters. Calls are done in their order.
import { GelError } from './gelpack.js';

class Connection {
	#waiting = new Map();
	#next = 1;

	constructor(post, close) {
		this.post = post;
		this.close = close;
	}

	receive({ call, result, error }) {
		const { resolve, reject } = this.#waiting.get(call);
		this.#waiting.delete(call);
		if (error === undefined) resolve(this.#unpack(result));
		else if (error.name === 'GelError') reject(new GelError(error.message, error.code, error.load));
		else reject(Object.assign(new Error(error.message), { name: error.name }));
	}

	/** All that wait hear that the worker is gone. */
	fail(error) {
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
	}

	call(target, name, values) {
		const call = this.#next++;
		return new Promise((resolve, reject) => {
			this.#waiting.set(call, { resolve, reject });
			this.post({ call, target, name, values: values.map((value) => this.#pack(value)) });
		});
	}

	#pack(value) {
		if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
		if (value.$ !== undefined) return { $: value.$ };
		if (Array.isArray(value)) return value.map((item) => this.#pack(item));
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#pack(item)]));
	}

	#unpack(value) {
		if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
		if (value.$ !== undefined) return remote(this, value);
		if (Array.isArray(value)) return value.map((item) => this.#unpack(item));
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#unpack(item)]));
	}
}

// An object of the worker: whatever is asked of it is a call.
function remote(connection, { $: number, of }) {
	return new Proxy({ $: number, of }, {
		get(target, name) {
			if (name in target) return target[name];
			if (typeof name === 'symbol' || name === 'then') return undefined; // a proxy is no promise
			if (name === 'closeWorker') return connection.close;
			return (...values) => connection.call(number, name, values);
		},
	});
}

/** Starts a worker with a module of its own. @param options as those of loadGelpack, but for WebAssembly.Module */
export async function loadInWorker(options = {}) {
	const url = new URL('./worker.js', import.meta.url);
	let connection;
	if (typeof Worker !== 'undefined') {
		const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
		connection = new Connection((message) => worker.postMessage(message), () => worker.terminate());
		worker.addEventListener('message', ({ data }) => connection.receive(data));
		worker.addEventListener('error', (event) => connection.fail(new Error(event.message ?? 'gelpack: the worker failed')));
	} else {
		const { Worker: NodeWorker } = await import(/* @vite-ignore */ 'node:worker_threads');
		const worker = new NodeWorker(url);
		connection = new Connection((message) => worker.postMessage(message), () => worker.terminate());
		worker.on('message', (data) => connection.receive(data));
		worker.on('error', (error) => connection.fail(error));
	}
	return connection.call(0, 'load', [options]);
}
