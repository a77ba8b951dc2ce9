// SPDX-License-Identifier: MIT
// What stands between the objects of a page and the functions of the module: ids, callbacks, errors.
import { enums, structs } from './bindings.js';
import { Asset, Body, Collider, Constraint, Frame, World } from './objects.js';
import { Memory } from './memory.js';
import { Values, wordOf } from './values.js';

const HANDLES = { gelWorldId: World, gelBodyId: Body, gelColliderId: Collider, gelFrameId: Frame, gelConstraintId: Constraint };
// Flags of gelDebugDraw by the words of World.draw.
const DRAW_FLAGS = structs.gelDebugDraw.fields.filter(([name]) => name.startsWith('enable'));

/** A call that failed: `code` is the word of the gelResult, `load` where and why a pack was refused. */
export class GelError extends Error {
	constructor(message, code, load) {
		super(message);
		this.name = 'GelError';
		this.code = code;
		if (load) this.load = load;
	}
}

export class Host {
	#callbacks = new Map(); // by the number that C knows them by
	#nextCallback = 1;
	#assets = new Map(); // by address
	#worlds = new Map();

	constructor(build) {
		this.build = build;
	}

	/** What the module imports. */
	get imports() {
		const call = (key, ...values) => this.#callbacks.get(key)?.(...values);
		const vec3 = (at) => this.values.readStruct('gelVec3', at);
		return { gelpack: {
			log: (key, text) => call(key, this.memory.readText(text)),
			now: () => performance.now() / 1000,
			filter: (key, at) => call(key, this.readHandle('gelBodyId', at)) ? 1 : 0,
			segment: (key, at, color) => call(key, 'segment', vec3(at), vec3(at + 12), color >>> 0),
			point: (key, at, color) => call(key, 'point', vec3(at), color >>> 0),
			triangle: (key, at, color) => call(key, 'triangle', [0, 12, 24].map((offset) => vec3(at + offset)), color >>> 0),
			transform: (key, at) => call(key, 'transform', this.values.readStruct('gelTransform', at)),
			ellipsoid: (key, at, radius, color) =>
				call(key, 'ellipsoid', this.values.readStruct('gelTransform', at), vec3(radius), color >>> 0),
		} };
	}

	start(exports) {
		this.exports = exports;
		exports._initialize?.();
		this.memory = new Memory(exports);
		this.values = new Values(this.memory, this);
	}

	/** Throws what a gelResult says, if it is not success. */
	check(result, name, load) {
		if (result === 0) return;
		const code = wordOf('gelResult', result).replace(/^error/, '');
		const text = this.memory.readText(this.exports.gelResult_String(result));
		const where = load?.section ? ` (section ${load.section}, byte ${load.byteOffset})` : '';
		const why = load?.rule ? `: ${load.rule}${where}` : '';
		throw new GelError(`${name}: ${text}${why}`, code[0].toLowerCase() + code.slice(1), load);
	}

	// ---- defaults ----------------------------------------------------------------------------------

	#defaultOf(structName) {
		if (structName === 'gelSolverDef') return null;
		return this.exports[structName.replace(/^gel/, 'gelDefault')] ?? null;
	}

	hasDefault(structName) {
		return this.#defaultOf(structName) !== null || structName === 'gelTransform';
	}

	fillDefault(structName, at) {
		if (structName === 'gelTransform') this.memory.view.setFloat32(at + 24, 1, true);
		else this.#defaultOf(structName)?.(at);
	}

	fillSolverDef(at, word) {
		const type = enums.gelSolverType[word];
		if (type === undefined) throw new TypeError(`gelpack: '${word}' is none of ${Object.keys(enums.gelSolverType).join(', ')}`);
		this.exports.gelDefaultSolverDef(at, type);
	}

	// ---- callbacks ---------------------------------------------------------------------------------

	#register(callback) {
		this.#callbacks.set(this.#nextCallback, callback);
		return this.#nextCallback++;
	}

	/** Writes a callback and the context behind it. Those of a world live as long as it, others for one call. */
	writeCallback(field, at, callback) {
		const name = `gelWebGet${field[0].toUpperCase()}${field.slice(1)}`;
		if (!this.exports[name]) throw new TypeError(`gelpack: ${field} cannot be set from a page`);
		const key = this.#register(callback);
		this.callCallbacks?.push(key);
		this.memory.view.setUint32(at, this.exports[name](), true);
		this.memory.view.setUint32(at + 4, key, true);
	}

	/** Callbacks that are registered during a call end with it. */
	#withCallbacks(call) {
		const outer = this.callCallbacks;
		this.callCallbacks = [];
		try {
			return call(this.callCallbacks);
		} finally {
			for (const key of this.callCallbacks) this.#callbacks.delete(key);
			this.callCallbacks = outer;
		}
	}

	// ---- ids ---------------------------------------------------------------------------------------

	isHandle(structName) {
		return HANDLES[structName] !== undefined;
	}

	readHandle(structName, at) {
		const { view } = this.memory, Type = HANDLES[structName];
		const world = this.#worlds.get(view.getUint32(at, true));
		const words = [4, 8, 12, 16].map((offset) => view.getUint32(at + offset, true));
		if (Type === World) return world ?? null;
		if (!world || words[0] === 0) return null;
		if (Type === Frame || Type === Constraint) return words[2] === 0 ? null : new Type(this, world, words);
		const things = world.things[Type.name], [index, generation] = words, known = things.get(index);
		if (known && known.generation === generation) return known;
		known?.forget(); // somebody else has its slot
		const made = new Type(this, world, index, generation);
		things.set(index, made);
		return made;
	}

	writeHandle(structName, at, object) {
		const { view } = this.memory, Type = HANDLES[structName];
		if (object === null) return;
		if (!(object instanceof Type)) throw new TypeError(`gelpack: this must be a ${Type.name}`);
		object.assertAlive();
		view.setUint32(at, object.world.address, true);
		if (Type === World) return;
		const words = object.words ?? [object.index, object.generation];
		words.forEach((word, i) => view.setUint32(at + 4 + 4 * i, word, true));
	}

	destroy(object) {
		const structName = `gel${object.constructor.name}Id`;
		this.memory.during(() => {
			const at = this.memory.take(structs[structName].size);
			this.writeHandle(structName, at, object);
			this.exports[`gelDestroy${object.constructor.name}`](at);
		});
		object.world.things[object.constructor.name]?.delete(object.index);
	}

	// ---- assets and worlds -------------------------------------------------------------------------

	addressOf(asset) {
		if (!(asset instanceof Asset)) throw new TypeError('gelpack: this must be an Asset');
		asset.assertAlive();
		return asset.address;
	}

	assetAt(address, parent = null) {
		if (address === 0) return null;
		if (!this.#assets.has(address)) this.#assets.set(address, new Asset(this, address, parent));
		return this.#assets.get(address);
	}

	forgetAsset(asset) {
		this.#assets.delete(asset.address);
		for (const level of this.#assets.values()) {
			if (level.parent !== asset) continue;
			level.isLive = false;
			this.#assets.delete(level.address);
		}
	}

	assetOf(body) {
		return this.memory.during(() => {
			const at = this.memory.take(12);
			this.writeHandle('gelBodyId', at, body);
			return this.assetAt(this.exports.gelBody_GetAsset(at));
		});
	}

	loadAsset(bytes) {
		const source = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes.buffer ?? bytes);
		return this.memory.during(() => {
			const at = this.memory.take(Math.max(1, source.byteLength)), outAt = this.memory.take(4);
			const errorAt = this.memory.take(structs.gelLoadError.size);
			this.memory.bytes.set(source, at);
			const result = this.exports.gelLoadAsset(at, source.byteLength, 0, outAt, errorAt);
			this.check(result, 'loadAsset', result === 0 ? null : this.values.readStruct('gelLoadError', errorAt));
			return this.assetAt(this.memory.view.getUint32(outAt, true));
		});
	}

	createWorld(def) {
		return this.memory.during(() => {
			const at = this.memory.take(structs.gelWorldDef.size), outAt = this.memory.take(4);
			this.exports.gelDefaultWorldDef(at);
			const kept = [];
			const settings = { log: (text) => console.warn(`gelpack: ${text}`), clock: () => 0, ...def };
			this.#keepCallbacks(kept, () => this.values.writeStruct('gelWorldDef', at, settings));
			const result = this.exports.gelCreateWorld(at, outAt);
			if (result !== 0) for (const key of kept) this.#callbacks.delete(key);
			this.check(result, 'createWorld');
			const world = new World(this, this.memory.view.getUint32(outAt, true));
			world.callbacks = kept;
			this.#worlds.set(world.address, world);
			return world;
		});
	}

	#keepCallbacks(kept, write) {
		const outer = this.callCallbacks;
		this.callCallbacks = kept;
		try {
			write();
		} catch (error) {
			for (const key of kept) this.#callbacks.delete(key);
			throw error;
		} finally {
			this.callCallbacks = outer;
		}
	}

	forgetWorld(world) {
		this.#worlds.delete(world.address);
		for (const key of world.callbacks) this.#callbacks.delete(key);
	}

	// ---- by hand -----------------------------------------------------------------------------------

	/** Runs a call of the table; callbacks in its parameters end with it. */
	during(call) {
		return this.#withCallbacks(() => this.memory.during(call));
	}

	saveState(object, prefix) {
		object.assertAlive();
		return this.memory.during(() => {
			const bytes = object.getStateBytes(), at = this.memory.take(bytes), idAt = this.memory.take(12);
			this.writeHandle(`${prefix}Id`, idAt, object);
			const id = object === object.world ? object.address : idAt;
			this.check(this.exports[`${prefix}_SaveState`](id, at, bytes), `${prefix}_SaveState`);
			return this.memory.bytes.slice(at, at + bytes);
		});
	}

	writeTarget(at, body, vertexCount, positions, normals) {
		this.writeHandle('gelBodyId', at, body);
		const offset = Object.fromEntries(structs.gelVertexTarget.fields.map(([name, , place]) => [name, at + place]));
		this.memory.view.setUint32(offset.positions, positions, true);
		this.memory.view.setUint32(offset.normals, normals, true);
		this.memory.view.setInt32(offset.capacity, vertexCount, true);
	}

	holdAttachment(body, attachment, frame, transform) {
		return this.memory.during(() => {
			const size = structs.gelConstraintId.size, bodyAt = this.memory.take(12);
			const frameAt = this.memory.take(structs.gelFrameId.size), idsAt = this.memory.take(4 * size);
			const transformAt = transform ? this.memory.take(structs.gelTransform.size) : 0;
			this.writeHandle('gelBodyId', bodyAt, body);
			this.writeHandle('gelFrameId', frameAt, frame);
			if (transform) {
				this.fillDefault('gelTransform', transformAt);
				this.values.writeStruct('gelTransform', transformAt, transform, 'transform');
			}
			const result = this.exports.gelBody_HoldAttachment(bodyAt, attachment, frameAt, transformAt, idsAt);
			this.check(result, 'gelBody_HoldAttachment');
			return [0, 1, 2, 3].map((i) => this.readHandle('gelConstraintId', idsAt + i * size)).filter((id) => id !== null);
		});
	}

	draw(world, drawer, enabled) {
		this.#withCallbacks((keys) => this.memory.during(() => {
			const at = this.memory.take(structs.gelDebugDraw.size);
			this.exports.gelWebPrepareDraw(at);
			const key = this.#register((kind, ...values) => drawer[kind]?.(...values));
			keys.push(key);
			const contextAt = structs.gelDebugDraw.fields.find(([name]) => name === 'context')[2];
			this.memory.view.setUint32(at + contextAt, key, true);
			for (const word of enabled) {
				const flag = DRAW_FLAGS.find(([name]) => name.toLowerCase() === `enable${word}`.toLowerCase());
				if (!flag) throw new TypeError(`gelpack: '${word}' cannot be drawn`);
				this.memory.view.setUint8(at + flag[2], 1);
			}
			this.check(this.exports.gelWorld_Draw(world.address, at), 'gelWorld_Draw');
		}));
	}
}
