// SPDX-License-Identifier: MIT
// What the public headers declare, from the syntax tree that clang prints: structs with offsets of fields as
// WebAssembly lays them out, enumerations, functions, and the comments above them.
import { execFileSync } from 'node:child_process';

// Bytes of C's types on wasm32.
const SIZES = { f32: 4, f64: 8, i32: 4, u32: 4, u64: 8, bool: 1, u8: 1, u16: 2, char: 1, ptr: 4, enum: 4 };
const SCALARS = { float: 'f32', double: 'f64', int: 'i32', 'unsigned int': 'u32', uint32_t: 'u32', size_t: 'u32',
	uint64_t: 'u64', _Bool: 'bool', uint8_t: 'u8', uint16_t: 'u16', char: 'char' };

/** The syntax tree of <gelpack/gelpack.h>. */
export function parseHeaders(clang, includeFolder) {
	const flags = ['--target=wasm32-wasi', '-std=c17', '-fparse-all-comments', '-fsyntax-only', '-x', 'c', '-',
		`-I${includeFolder}`, '-Xclang', '-ast-dump=json'];
	const text = execFileSync(clang, flags, { input: '#include <gelpack/gelpack.h>\n', maxBuffer: 1 << 28 });
	return JSON.parse(text);
}

function commentOf(node) {
	const comment = (node.inner ?? []).find((child) => child.kind === 'FullComment');
	const lines = [];
	const visit = (part) => {
		if (part.kind === 'TextComment') lines.push(part.text.trim());
		if (part.kind === 'ParamCommandComment') lines.push(`@param ${part.param ?? ''}`);
		if (part.kind === 'BlockCommandComment') lines.push(`@${part.name === 'return' ? 'returns' : part.name}`);
		for (const child of part.inner ?? []) visit(child);
	};
	if (comment) visit(comment);
	return lines.filter((line) => line !== '').join('\n').replace(/(@\w+(?: \w+)?)\n/g, '$1 ').replace(/\*\//g, '* /');
}

export class Model {
	constructor(tree) {
		this.structs = new Map();
		this.enums = new Map();
		this.functions = [];
		this.callbacks = new Set(); // names of function types
		for (const node of tree.inner) {
			if (node.isImplicit) continue;
			if (node.kind === 'EnumDecl' && node.name) this.#addEnum(node);
			else if (node.kind === 'RecordDecl' && node.name && node.completeDefinition) this.#addStruct(node);
			else if (node.kind === 'TypedefDecl' && /\(/.test(node.type.qualType)) this.callbacks.add(node.name);
			else if (node.kind === 'FunctionDecl' && node.name.startsWith('gel') && node.storageClass === 'extern')
				this.#addFunction(node);
		}
	}

	#addEnum(node) {
		let next = 0;
		const values = node.inner.filter((child) => child.kind === 'EnumConstantDecl').map((child) => {
			const given = child.inner?.find((part) => part.value !== undefined)?.value;
			const value = given === undefined ? next : Number(given);
			next = value + 1;
			return { name: child.name, value, comment: commentOf(child) };
		});
		this.enums.set(node.name, { values, comment: commentOf(node) });
	}

	/** @returns {{kind: string, name?: string, count?: number}} of a C type: a scalar, enum, struct, pointer or array */
	type(text) {
		const plain = text.replace(/\bstruct /g, '').trim();
		const array = plain.match(/^(.*?)((?:\[\d+\])+)$/);
		if (array) {
			const count = [...array[2].matchAll(/\d+/g)].reduce((product, part) => product * Number(part[0]), 1);
			return { ...this.type(array[1]), count };
		}
		if (/\(\*\)|\*$/.test(plain) || this.callbacks.has(plain))
			return { kind: 'ptr', name: plain.replace(/^const |\s*\*$/g, ''), isConst: /^const /.test(plain) };
		const name = plain.replace(/^const /, '');
		if (SCALARS[name]) return { kind: SCALARS[name] };
		if (this.enums.has(name)) return { kind: 'enum', name };
		if (this.structs.has(name)) return { kind: 'struct', name };
		throw new Error(`a type that the generator does not know: '${text}'`);
	}

	sizeOf(type) {
		return (type.kind === 'struct' ? this.structs.get(type.name).size : SIZES[type.kind]) * (type.count ?? 1);
	}

	alignOf(type) {
		return type.kind === 'struct' ? this.structs.get(type.name).align : SIZES[type.kind];
	}

	// Fields one behind the other, each at a multiple of its own alignment; those of a union all at its start.
	#layOut(node, start, isUnion, fields) {
		let offset = start, end = start, align = 1;
		const unions = new Map();
		for (const child of node.inner ?? []) {
			if (child.kind === 'RecordDecl' && !child.name) unions.set(child.loc.offset ?? unions.size, child);
			if (child.kind !== 'FieldDecl') continue;
			let size, fieldAlign;
			if (!child.name) { // what stands in an anonymous union
				const inner = [...unions.values()].at(-1);
				const probe = this.#layOut(inner, 0, inner.tagUsed === 'union', []);
				fieldAlign = probe.align;
				offset = Math.ceil(offset / fieldAlign) * fieldAlign;
				size = this.#layOut(inner, offset, inner.tagUsed === 'union', fields).size;
			} else {
				const type = this.type(child.type.desugaredQualType?.startsWith('enum') ? child.type.qualType
					: child.type.qualType);
				fieldAlign = this.alignOf(type);
				size = this.sizeOf(type);
				offset = Math.ceil(offset / fieldAlign) * fieldAlign;
				fields.push({ name: child.name, type, offset, comment: commentOf(child) });
			}
			align = Math.max(align, fieldAlign);
			end = Math.max(end, offset + size);
			offset = isUnion ? start : offset + size;
		}
		return { size: end - start, align };
	}

	#addStruct(node) {
		if (!node.name.startsWith('gel')) return;
		const fields = [];
		const { size, align } = this.#layOut(node, 0, node.tagUsed === 'union', fields);
		this.structs.set(node.name, { fields, align, size: Math.ceil(size / align) * align, comment: commentOf(node) });
	}

	#addFunction(node) {
		const params = (node.inner ?? []).filter((child) => child.kind === 'ParmVarDecl')
			.map((child) => ({ name: child.name, c: child.type.qualType }));
		const returns = node.type.qualType.replace(/\s*\(.*$/, '');
		this.functions.push({ name: node.name, params, returns, comment: commentOf(node) });
	}
}
