// SPDX-License-Identifier: MIT
// Methods out of the table of bindings.js: each is a C function with its parameters laid out in memory, called,
// and its outputs read (web/generate/bind.mjs says what each kind of parameter is).
import { methods, structs } from './bindings.js';
import { numberOf, wordOf } from './values.js';

// clang passes structs of one scalar as that scalar, and all others by address.
const scalarOf = (type) => {
	if (type.kind !== 'struct') return type;
	const { fields } = structs[type.name];
	return fields.length === 1 && fields[0][3] === 0 && fields[0][1] !== 'struct' ? { kind: fields[0][1] } : null;
};

const ARRAYS = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, u64: BigUint64Array };

// Structs that are floats throughout come and go as one Float32Array: positions, matrices.
function flatOf(type) {
	if (type.kind !== 'struct') return ARRAYS[type.kind] ? { kind: type.kind, count: 1 } : null;
	const { size, fields } = structs[type.name];
	const isFlat = fields.every(([, kind]) => kind === 'f32');
	return isFlat ? { kind: 'f32', count: size / 4 } : null;
}

class Call {
	constructor(host, binding, self) {
		this.host = host;
		this.binding = binding;
		this.self = self;
		this.args = [];
		this.outs = [];
		this.counts = new Map(); // of input arrays, by name
		this.array = null;       // output array that is asked twice: for its count, then for its elements
	}

	value(type, value, name) {
		const { memory, values } = this.host;
		if (type.kind === 'asset') return this.args.push(this.host.addressOf(value));
		if (type.kind === 'enum') return this.args.push(numberOf(type.name, value));
		if (type.kind === 'u64') return this.args.push(BigInt(value));
		if (type.kind === 'bool') return this.args.push(value ? 1 : 0);
		if (type.kind !== 'struct') {
			if (typeof value !== 'number') throw new TypeError(`gelpack: ${name} must be a number, not ${typeof value}`);
			return this.args.push(value);
		}
		const at = memory.take(structs[type.name].size);
		if (type.name === 'gelTransform') memory.view.setFloat32(at + 24, 1, true); // of the identity
		values.writeStruct(type.name, at, value, name);
		return this.args.push(scalarOf(type) ? memory.view.getUint32(at, true) : at);
	}

	in(type, value, name) {
		const at = this.host.memory.take(structs[type.name].size);
		this.host.fillDefault(type.name, at);
		if (value !== undefined) this.host.values.writeStruct(type.name, at, value, name);
		else if (!this.host.hasDefault(type.name)) throw new TypeError(`gelpack: ${name} is missing`);
		this.args.push(at);
	}

	inArray(type, value, name) {
		const { memory, values } = this.host, size = values.sizeOf(type), flat = flatOf(type);
		const isFlat = flat !== null && (ArrayBuffer.isView(value) || typeof value[0] === 'number');
		const count = isFlat ? value.length / flat.count : value.length;
		if (!Number.isInteger(count)) throw new RangeError(`gelpack: ${name} must have a multiple of ${flat.count} numbers`);
		const at = memory.take(Math.max(1, count) * size);
		if (isFlat) new ARRAYS[flat.kind](memory.view.buffer, at, value.length).set(value);
		else {
			for (let i = 0; i < count; ++i) {
				this.host.fillDefault(type.name, at + i * size);
				values.write(type, at + i * size, value[i], `${name}[${i}]`);
			}
		}
		this.counts.set(name, count);
		for (const other of this.counts.values()) {
			if (other !== count) throw new RangeError(`gelpack: ${name} must be as long as the others`);
		}
		this.args.push(at);
	}

	inBytes(value) {
		const at = this.host.memory.take(value.byteLength);
		this.host.memory.bytes.set(new Uint8Array(value.buffer ?? value, value.byteOffset ?? 0, value.byteLength), at);
		this.args.push(at, value.byteLength);
	}

	out(type, name) {
		const at = this.host.memory.take(this.host.values.sizeOf(type));
		this.args.push(at);
		this.outs.push({ name, read: () => this.host.values.read(type, at) });
	}

	outMatch(type, name) {
		const count = [...this.counts.values()][0], { memory, values } = this.host, size = values.sizeOf(type);
		const at = memory.take(Math.max(1, count) * size);
		this.args.push(at);
		this.outs.push({ name, read: () => Array.from({ length: count }, (_, i) => values.read(type, at + i * size)) });
	}

	#outArray(type) {
		this.array = { type, argument: this.args.length };
		this.args.push(0, 0);
	}

	prepare(given) {
		let next = 0;
		for (const { how, name, type } of this.binding.params) {
			if (how === 'skip') continue;
			else if (how === 'count') this.args.push(this.counts.get(name));
			else if (how === 'self') this.value(type, this.self, 'this');
			else if (how === 'value') this.value(type, given[next++], name);
			else if (how === 'in') this.in(type, given[next++], name);
			else if (how === 'inArray') this.inArray(type, given[next++], name);
			else if (how === 'inBytes') this.inBytes(given[next++]);
			else if (how === 'text') this.args.push(this.host.memory.takeText(String(given[next++])));
			else if (how === 'out') this.out(type, name);
			else if (how === 'outMatch') this.outMatch(type, name);
			else this.#outArray(type);
		}
	}

	#readArray(fcn) {
		const { memory, values } = this.host, { type, argument } = this.array;
		const count = fcn(...this.args), size = values.sizeOf(type), flat = flatOf(type);
		if (count <= 0) return flat ? new ARRAYS[flat.kind](0) : [];
		const at = memory.take(count * size);
		this.args[argument] = at;
		this.args[argument + 1] = count;
		fcn(...this.args);
		if (flat) return new ARRAYS[flat.kind](memory.view.buffer, at, count * flat.count).slice();
		return Array.from({ length: count }, (_, i) => values.read(type, at + i * size));
	}

	run() {
		const { c, returns } = this.binding, fcn = this.host.exports[c];
		if (fcn === undefined) throw new Error(`gelpack: this build of the module leaves out ${c}`);
		if (this.array !== null) return this.#readArray(fcn);
		if (returns.kind === 'struct') {
			const at = this.host.memory.take(structs[returns.name].size);
			fcn(at, ...this.args);
			return this.host.values.readStruct(returns.name, at);
		}
		const result = fcn(...this.args);
		if (returns.kind === 'result') this.host.check(result, c);
		if (returns.kind === 'enum') return wordOf(returns.name, result);
		if (returns.kind === 'bool') return result !== 0;
		if (returns.kind === 'u64') return BigInt.asUintN(64, result);
		if (returns.kind === 'u32') return result >>> 0;
		if (returns.kind !== 'result' && returns.kind !== 'void') return result;
		if (this.outs.length === 1) return this.outs[0].read();
		return this.outs.length === 0 ? undefined : Object.fromEntries(this.outs.map(({ name, read }) => [name, read()]));
	}
}

/** Gives the classes the methods of the table. @param classes by name; an object of one has `host` */
export function addMethods(classes) {
	for (const binding of methods) {
		const method = function method(...given) {
			const { host } = this;
			this.assertAlive?.();
			return host.during(() => {
				const call = new Call(host, binding, this);
				call.prepare(given);
				return call.run();
			});
		};
		Object.defineProperty(method, 'name', { value: binding.name });
		classes[binding.owner].prototype[binding.name] = method;
	}
}
