// SPDX-License-Identifier: MIT
// Runs in a worker: holds a module of its own and does what worker_client.js asks, one call after the other.
// Objects stay here; the other side has their numbers.
import { loadGelpack } from './gelpack.js';
import { Asset, Body, Collider, Constraint, Frame, Gelpack, World } from './objects.js';

const CLASSES = [Gelpack, Asset, World, Body, Collider, Frame, Constraint];
const objects = new Map(); // by number
const numbers = new Map();
let next = 1;

function numberOf(object) {
	if (!numbers.has(object)) {
		numbers.set(object, next);
		objects.set(next++, object);
	}
	return numbers.get(object);
}

function forget(object) {
	objects.delete(numbers.get(object));
	numbers.delete(object);
}

// What goes to the other side: objects as { $: number, of: class }, views of the module's memory as copies.
function pack(value, moved) {
	const Class = CLASSES.find((Type) => value instanceof Type);
	if (Class) return { $: numberOf(value), of: Class.name };
	if (ArrayBuffer.isView(value)) {
		const copy = value.slice();
		moved.push(copy.buffer);
		return copy;
	}
	if (Array.isArray(value)) return value.map((item) => pack(item, moved));
	if (value !== null && typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item, moved)]));
	return value;
}

function unpack(value) {
	if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
	if (value.$ !== undefined) {
		const object = objects.get(value.$);
		if (!object) throw new ReferenceError('gelpack: this object was freed');
		return object;
	}
	if (Array.isArray(value)) return value.map(unpack);
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

async function answer({ call, target, name, values }, moved) {
	if (name === 'load') return pack(await loadGelpack(values[0]), moved);
	const object = unpack({ $: target });
	const given = values.map(unpack);
	if (name === 'stepAndGet') { // one message per frame in place of one per body
		const [dt, bodies, options] = given;
		object.step(dt);
		object.updateVertices(bodies, options);
		const normals = options?.normals ?? true;
		return bodies.map((body) => pack(normals ? { positions: body.positions, normals: body.normals }
			: { positions: body.positions }, moved));
	}
	const member = object[name];
	const result = typeof member === 'function' ? member.apply(object, given) : member;
	if (name === 'free') forget(object);
	return pack(result, moved);
}

/** @param send to the other side: ( message, transferred ) */
export function serve(send) {
	let last = Promise.resolve();
	return (message) => {
		last = last.then(async () => {
			const moved = [];
			try {
				const result = await answer(message, moved);
				send({ call: message.call, result }, moved);
			} catch (error) {
				send({ call: message.call, error: { name: error.name, message: error.message, code: error.code, load: error.load } }, []);
			}
		});
	};
}

if (typeof WorkerGlobalScope !== 'undefined' && globalThis instanceof WorkerGlobalScope) {
	const receive = serve((message, moved) => globalThis.postMessage(message, moved));
	globalThis.addEventListener('message', ({ data }) => receive(data));
} else if (globalThis.process?.versions?.node) {
	const { parentPort } = await import(/* @vite-ignore */ 'node:worker_threads');
	if (parentPort) parentPort.on('message', serve((message, moved) => parentPort.postMessage(message, moved)));
}
