// SPDX-License-Identifier: MIT
// Assets, worlds, bodies, colliders, frames and constraints as objects. Each knows its id; memory of the module
// is given back by free(), by `using`, or with the world or body that it belongs to, never by the collector.
import { addMethods } from './calls.js';

class Owned {
	/** Small integer: the slot of the object in what it belongs to. */
	get id() { return this.index; }
	get isFreed() { return !this.isLive; }
	assertAlive() {
		if (!this.isLive) throw new ReferenceError(`gelpack: this ${this.constructor.name} was freed`);
	}
	[Symbol.dispose ?? Symbol('dispose')]() { this.free(); }
}

export class Asset extends Owned {
	constructor(host, address, parent = null) {
		super();
		Object.assign(this, { host, address, parent, index: address, isLive: true });
	}

	/** A level of detail, which goes with the asset. */
	getLevel(level) {
		this.assertAlive();
		return this.host.assetAt(this.host.exports.gelAsset_GetLevel(this.address, level), this);
	}

	#copy(call, Type, count) {
		this.assertAlive();
		const at = this.host.exports[call](this.address);
		return at === 0 ? null : new Type(this.host.exports.memory.buffer, at, count).slice();
	}
	/** Vertex indices, three per art triangle. */
	getTriangles() { return this.#copy('gelAsset_GetTriangles', Uint32Array, 3 * this.getInfo().triangleCount); }
	/** For each art vertex the vertex of the art file. */
	getVertexSources() { return this.#copy('gelAsset_GetVertexSources', Uint32Array, this.getInfo().vertexCount); }
	/** Node indices, four per tet. */
	getTets() { return this.#copy('gelAsset_GetTets', Uint32Array, 4 * this.getInfo().tetCount); }
	/** Numbers of nodes in the cage that was baked; null: they are the same. */
	getSourceNodes() { return this.#copy('gelAsset_GetSourceNodes', Uint32Array, this.getInfo().nodeCount); }
	/** Numbers of tets in the cage that was baked; null: they are the same. */
	getSourceTets() { return this.#copy('gelAsset_GetSourceTets', Uint32Array, this.getInfo().tetCount); }
	/** Four joints, then four weights of 16 bits for each art vertex of particles; null: none. */
	getSkin() { return this.#copy('gelAsset_GetSkin', Uint16Array, 8 * this.getInfo().vertexCount); }

	/** What the pack says about itself. */
	getMeta() {
		this.assertAlive();
		const { memory, exports } = this.host;
		return memory.during(() => {
			const bytesAt = memory.take(4), at = exports.gelAsset_GetMeta(this.address, bytesAt);
			const count = memory.view.getUint32(bytesAt, true);
			return JSON.parse(new TextDecoder().decode(memory.bytes.slice(at, at + count)) || '{}');
		});
	}

	/** Frees the asset. No body may use it any more. */
	free() {
		if (!this.isLive || this.parent) return;
		this.host.forgetAsset(this);
		this.isLive = false;
		this.host.exports.gelDestroyAsset(this.address);
	}
}

export class World extends Owned {
	constructor(host, address) {
		super();
		Object.assign(this, { host, address, index: address, isLive: true, world: this });
		this.things = { Body: new Map(), Collider: new Map() };
		this.callbacks = [];
	}

	/** Saved states go back into the same bodies and colliders. */
	saveState() { return this.host.saveState(this, 'gelWorld'); }

	/** Positions and normals of bodies at once, cheaper than one after the other: see Body.positions. */
	updateVertices(bodies, { normals = true } = {}) {
		this.assertAlive();
		const { memory, exports } = this.host;
		memory.during(() => {
			const at = memory.take(Math.max(1, bodies.length) * 28);
			bodies.forEach((body, i) => body.describeTarget(at + 28 * i, normals));
			this.host.check(exports.gelWorld_GetVertices(this.address, at, bodies.length), 'gelWorld_GetVertices');
		});
	}

	/** Calls drawer.segment, .point, .triangle, .transform, .ellipsoid for what `enabled` names. */
	draw(drawer, enabled) {
		this.assertAlive();
		this.host.draw(this, drawer, enabled);
	}

	free() {
		if (!this.isLive) return;
		for (const map of Object.values(this.things)) {
			for (const thing of map.values()) thing.forget();
		}
		this.host.forgetWorld(this);
		this.isLive = false;
		this.host.exports.gelDestroyWorld(this.address);
	}
}

// What lives in a world and has an id of a slot and a generation.
class InWorld extends Owned {
	constructor(host, world, index, generation) {
		super();
		Object.assign(this, { host, world, index, generation, isLive: true });
	}

	assertAlive() {
		super.assertAlive();
		this.world.assertAlive();
	}

	/** Marks it as gone: its memory went with something else. */
	forget() { this.isLive = false; }

	free() {
		if (!this.isLive) return;
		this.host.destroy(this);
		this.forget();
	}
}

export class Body extends InWorld {
	#blocks = null; // addresses of positions and normals

	get asset() {
		this.assertAlive();
		return this.host.assetOf(this);
	}

	/** Ways back to a saved moment: bytes for restoreState. */
	saveState() { return this.host.saveState(this, 'gelBody'); }

	// Memory for the art mesh, as long as the body lives.
	#room() {
		if (this.#blocks !== null) return this.#blocks;
		const { vertexCount } = this.asset.getInfo();
		const { memory } = this.host;
		this.#blocks = { vertexCount, positions: memory.allocate(12 * vertexCount), normals: memory.allocate(12 * vertexCount) };
		return this.#blocks;
	}

	#view(name) {
		const blocks = this.#room();
		return new Float32Array(this.host.exports.memory.buffer, blocks[name], 3 * blocks.vertexCount);
	}

	/** As they were found last: x, y, z of each art vertex [m], in the memory of the module, without a copy. The
	 * view becomes stale when that memory grows, so ask for it again in every frame. */
	get positions() { return this.#view('positions'); }
	get normals() { return this.#view('normals'); }

	#update(name, call) {
		this.assertAlive();
		const { vertexCount, [name]: at } = this.#room();
		this.host.memory.during(() => {
			const idAt = this.host.memory.take(12);
			this.host.writeHandle('gelBodyId', idAt, this);
			this.host.exports[call](idAt, at, vertexCount);
		});
		return this.#view(name);
	}
	/** Finds the deformed art vertices of now, and gives the view of them. */
	getPositions() { return this.#update('positions', 'gelBody_GetPositions'); }
	/** Their normals, of unit length; zeros when the pack has none. */
	getNormals() { return this.#update('normals', 'gelBody_GetNormals'); }

	/** Writes a gelVertexTarget. */
	describeTarget(at, normals) {
		this.assertAlive();
		const { vertexCount, positions, normals: normalsAt } = this.#room();
		this.host.writeTarget(at, this, vertexCount, positions, normals ? normalsAt : 0);
	}

	/** Holds an attachment point; transform: where its axes are in the frame, default where they are now. */
	holdAttachment(attachment, { frame = null, transform } = {}) {
		this.assertAlive();
		return this.host.holdAttachment(this, attachment, frame, transform);
	}

	forget() {
		super.forget();
		if (this.#blocks) {
			this.host.memory.free(this.#blocks.positions);
			this.host.memory.free(this.#blocks.normals);
		}
		this.#blocks = null;
	}
}

export class Collider extends InWorld {}

// Frames and constraints have the words of their body's id and one more.
class InBody extends InWorld {
	constructor(host, world, words) {
		super(host, world, words[0], words[1]);
		this.words = words;
	}
}
export class Frame extends InBody {}
export class Constraint extends InBody {}

/** The methods of the package that belong to no object. */
export class Gelpack {
	constructor(host) { this.host = host; }

	/** Validates a pack and copies it. Throws GelError with the rule that is broken. */
	loadAsset(bytes) { return this.host.loadAsset(bytes); }
	/** Makes a world. @param def members of gelWorldDef; the rest has its defaults */
	createWorld(def = {}) { return this.host.createWorld(def); }
	/** 'simd128' or 'plain'. */
	get build() { return this.host.build; }
	/** Bytes of the module's memory. */
	get memoryBytes() { return this.host.exports.memory.buffer.byteLength; }
}

addMethods({ Gelpack, Asset, World, Body, Collider, Frame, Constraint });
