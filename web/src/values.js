// SPDX-License-Identifier: MIT
// Values between JavaScript and the memory of the module, field by field as the tables of bindings.js say:
// structs are plain objects, enumerations their words, ids the objects that they belong to.
import { enums, structs } from './bindings.js';

const READ = {
	f32: (view, at) => view.getFloat32(at, true),
	f64: (view, at) => view.getFloat64(at, true),
	i32: (view, at) => view.getInt32(at, true),
	u32: (view, at) => view.getUint32(at, true),
	u64: (view, at) => view.getBigUint64(at, true),
	u16: (view, at) => view.getUint16(at, true),
	u8: (view, at) => view.getUint8(at),
	bool: (view, at) => view.getUint8(at) !== 0,
};

function toNumber(value, name) {
	if (typeof value !== 'number') throw new TypeError(`gelpack: ${name} must be a number, not ${typeof value}`);
	return value;
}

const WRITE = {
	f32: (view, at, value, name) => view.setFloat32(at, toNumber(value, name), true),
	f64: (view, at, value, name) => view.setFloat64(at, toNumber(value, name), true),
	i32: (view, at, value, name) => view.setInt32(at, toInteger(value, name), true),
	u32: (view, at, value, name) => view.setUint32(at, toInteger(value, name), true),
	u64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
	u16: (view, at, value, name) => view.setUint16(at, toInteger(value, name), true),
	u8: (view, at, value, name) => view.setUint8(at, toInteger(value, name)),
	bool: (view, at, value) => view.setUint8(at, value ? 1 : 0),
};

// Integers do not wrap around, and fractions are not cut off, without anybody noticing.
function toInteger(value, name) {
	if (!Number.isInteger(toNumber(value, name)) || value < -0x80000000 || value > 0xFFFFFFFF)
		throw new RangeError(`gelpack: ${name} must be an integer of 32 bits, not ${value}`);
	return value;
}

const SIZES = { f32: 4, f64: 8, i32: 4, u32: 4, u64: 8, u16: 2, u8: 1, bool: 1, enum: 4, ptr: 4, char: 1 };

const WORDS = Object.fromEntries(Object.entries(enums).map(([name, values]) =>
	[name, new Map(Object.entries(values).map(([word, value]) => [value, word]))]));

export function wordOf(enumName, value) {
	return WORDS[enumName].get(value) ?? value;
}

export function numberOf(enumName, word) {
	const value = enums[enumName][word];
	if (value === undefined)
		throw new TypeError(`gelpack: '${word}' is none of ${Object.keys(enums[enumName]).join(', ')}`);
	return value;
}

// Which member of gelSolverDef belongs to its type.
const SOLVER_PARTS = { fastCorotated: 'fast', implicit: 'implicit', warpCancelling: 'warp', orientedParticles: 'particles' };

export class Values {
	/** @param host what knows objects by their ids, and callbacks: gelpack.js */
	constructor(memory, host) {
		this.memory = memory;
		this.host = host;
	}

	sizeOf(type) {
		return type.kind === 'struct' ? structs[type.name].size : SIZES[type.kind];
	}

	read(type, at) {
		if (type.kind === 'struct') return this.readStruct(type.name, at);
		if (type.kind === 'enum') return wordOf(type.name, this.memory.view.getInt32(at, true));
		return READ[type.kind](this.memory.view, at);
	}

	readStruct(name, at) {
		if (this.host.isHandle(name)) return this.host.readHandle(name, at);
		const out = {};
		for (const [field, kind, offset, count, typeName] of structs[name].fields) {
			if (kind === 'ptr') this.#readPointer(out, field, typeName, at + offset);
			else if (kind === 'char') out[field] = this.memory.readText(at + offset, count);
			else if (count === 0) out[field] = this.read({ kind, name: typeName }, at + offset);
			else out[field] = this.#readMany({ kind, name: typeName }, at + offset, count);
		}
		return out;
	}

	#readPointer(out, field, typeName, at) {
		const address = this.memory.view.getUint32(at, true);
		if (typeName === 'char') out[field] = this.memory.readText(address);
		else if (typeName === 'gelAsset') out[field] = this.host.assetAt(address);
		// others (contexts, allocators) mean nothing to a page
	}

	#readMany(type, at, count) {
		const size = this.sizeOf(type);
		return Array.from({ length: count }, (_, i) => this.read(type, at + i * size));
	}

	write(type, at, value, name) {
		if (type.kind === 'struct') this.writeStruct(type.name, at, value, name);
		else if (type.kind === 'enum') this.memory.view.setInt32(at, numberOf(type.name, value), true);
		else WRITE[type.kind](this.memory.view, at, value, name);
	}

	/** Writes the members that an object has; what it does not have stays as it is. */
	writeStruct(structName, at, object, name = structName) {
		if (this.host.isHandle(structName)) return this.host.writeHandle(structName, at, object);
		if (object === null || typeof object !== 'object')
			throw new TypeError(`gelpack: ${name} must be an object, not ${object}`);
		const { fields } = structs[structName];
		this.#refuseUnknown(fields, object, name);
		const isSolver = structName === 'gelSolverDef';
		if (isSolver) this.host.fillSolverDef(at, object.type ?? 'fastCorotated');
		for (const [field, kind, offset, count, typeName] of fields) {
			const value = object[field];
			if (value === undefined) continue;
			if (isSolver && field !== 'type' && SOLVER_PARTS[object.type ?? 'fastCorotated'] !== field)
				throw new TypeError(`gelpack: ${name}.${field} belongs to another solver than ${object.type}`);
			this.#writeField([kind, count, typeName], at + offset, value, `${name}.${field}`, field);
		}
	}

	#writeField([kind, count, typeName], at, value, name, field) {
		if (kind === 'ptr') this.#writePointer(typeName, at, value, name, field);
		else if (count === 0) this.write({ kind, name: typeName }, at, value, name);
		else {
			if (value.length !== count) throw new RangeError(`gelpack: ${name} must have ${count} elements`);
			const size = this.sizeOf({ kind, name: typeName });
			for (let i = 0; i < count; ++i) this.write({ kind, name: typeName }, at + i * size, value[i], `${name}[${i}]`);
		}
	}

	#writePointer(typeName, at, value, name, field) {
		const { view } = this.memory;
		if (typeName === 'gelAsset') view.setUint32(at, value === null ? 0 : this.host.addressOf(value), true);
		else if (typeof value === 'function') this.host.writeCallback(field, at, value);
		else throw new TypeError(`gelpack: ${name} cannot be set from a page`);
	}

	// A misspelled setting would be a default that nobody wanted.
	#refuseUnknown(fields, object, name) {
		for (const key of Object.keys(object)) {
			if (!fields.some(([field]) => field === key) && !key.startsWith('_') && !['isVector3', 'isQuaternion'].includes(key))
				throw new TypeError(`gelpack: ${name} has no member '${key}'`);
		}
	}
}
