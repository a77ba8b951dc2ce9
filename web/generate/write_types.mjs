// SPDX-License-Identifier: MIT
// gelpack.d.ts out of the model of the headers: interfaces for structs, unions of words for enumerations, and
// the methods of the table with the documents of their functions. What is written by hand in src/ has its types
// in hand_types.txt, by class.
import { readFileSync } from 'node:fs';
import { handles, shortNames } from './bind.mjs';

const NUMBERS = { f32: 'number', f64: 'number', i32: 'number', u32: 'number', u16: 'number', u8: 'number', u64: 'bigint',
	bool: 'boolean', text: 'string', bytes: 'ArrayBuffer | ArrayBufferView', char: 'string' };
const ARRAYS = { f32: 'Float32Array', i32: 'Int32Array', u32: 'Uint32Array', u64: 'BigUint64Array' };
const CALLBACKS = { log: '(text: string) => void', filter: '(body: Body) => boolean', clock: '() => number' };

const short = (name) => name.replace(/^gel/, '');
const indent = (text, by) => text.split('\n').map((line) => by + line).join('\n');
const doc = (comment, by = '') => (comment ? indent(`/**\n * ${comment.replace(/\n/g, '\n * ')}\n */`, by) + '\n' : '');

export function writeTypes(model, bindings) {
	const isFlat = (type) => type.kind === 'struct' && model.structs.get(type.name).fields
		.every((field) => field.type.kind === 'f32');
	const nameOf = (type) => {
		if (type.kind === 'asset') return 'Asset';
		if (type.kind === 'struct') return handles[type.name] ?? short(type.name);
		if (type.kind === 'enum') return short(type.name);
		return NUMBERS[type.kind];
	};

	const fieldType = ({ name, type }) => {
		if (type.kind === 'ptr') {
			if (type.name === 'char') return 'string';
			if (type.name === 'gelAsset') return 'Asset';
			return CALLBACKS[name];
		}
		if (type.kind === 'char') return 'string';
		if (type.kind === 'struct' && handles[type.name]) return `${handles[type.name]} | null`;
		return type.count ? `${nameOf(type)}[]` : nameOf(type);
	};
	const isHidden = ({ name, type }) => name === 'cookie' || /[cC]ontext$/.test(name) || name === 'userData'
		|| (type.kind === 'struct' && ['gelAllocator', 'gelTaskSystem'].includes(type.name))
		|| fieldType({ name, type }) === undefined;

	const interfaces = [...model.structs].filter(([name]) => !handles[name]
		&& !['gelAllocator', 'gelTaskSystem', 'gelVertexTarget', 'gelDebugDraw', 'gelAssetDef', 'gelMat3'].includes(name))
		.map(([name, { fields, comment }]) => {
			const lines = fields.filter((field) => !isHidden(field)).map((field) => {
				const isOptional = name === 'gelSolverDef' && field.name !== 'type';
				return `${doc(field.comment, '\t')}\t${field.name}${isOptional ? '?' : ''}: ${fieldType(field)};`;
			});
			return `${doc(comment)}export interface ${short(name)} {\n${lines.join('\n')}\n}`;
		});
	const enumTypes = [...model.enums].map(([name, { values, comment }]) => {
		const words = shortNames(values);
		const list = values.map((value, i) => `${words[i]}: ${value.comment.replace(/\n/g, ' ')}`);
		return `${doc([comment, ...list].filter(Boolean).join('\n'))}export type ${short(name)} = ${words.map((word) => `'${word}'`).join(' | ')};`;
	});

	const inputOf = ({ how, type }) => {
		if (how === 'in') return `Given<${nameOf(type)}>`;
		if (how === 'inArray') {
			if (isFlat(type)) return 'Float32Array | number[]';
			return ARRAYS[type.kind] ? `${ARRAYS[type.kind]} | number[]` : `Given<${nameOf(type)}>[]`;
		}
		if (type.kind === 'u64') return 'bigint | number';
		if (type.kind === 'struct' && !handles[type.name]) return `Given<${nameOf(type)}>`;
		return nameOf(type);
	};
	const arrayOf = (type) => (isFlat(type) ? 'Float32Array' : ARRAYS[type.kind] ?? `${nameOf(type)}[]`);
	const outputOf = ({ how, type }) => {
		if (how === 'outMatch') return `${nameOf(type)}[]`;
		return handles[type.name] && type.name !== 'gelBodyId' ? `${nameOf(type)}` : nameOf(type);
	};
	const hasDefault = (name) => model.functions.some((fn) => fn.name === `gelDefault${short(name)}`);

	const methodOf = ({ name, params, returns, comment }) => {
		const inputs = params.filter(({ how }) => ['value', 'in', 'inArray', 'inBytes', 'text'].includes(how));
		const list = inputs.map((param, i) => {
			const isLast = inputs.slice(i).every((other) => other.how === 'in' && hasDefault(other.type.name));
			return `${param.name}${isLast ? '?' : ''}: ${inputOf(param)}`;
		});
		const outs = params.filter(({ how }) => how === 'out' || how === 'outMatch');
		const array = params.find(({ how }) => how === 'outArray');
		let result = 'void';
		if (array) result = arrayOf(array.type);
		else if (returns.kind !== 'result' && returns.kind !== 'void') result = nameOf(returns);
		else if (outs.length === 1) result = outputOf(outs[0]);
		else if (outs.length > 1) result = `{ ${outs.map((out) => `${out.name}: ${outputOf(out)}`).join(', ')} }`;
		if (name === 'grab') result = '{ constraintId: Constraint | null, hit: RayHit }';
		return `${doc(comment, '\t')}\t${name}(${list.join(', ')}): ${result};`;
	};

	const hand = readFileSync(new URL('./hand_types.txt', import.meta.url), 'utf8');
	const handOf = (owner) => hand.match(new RegExp(`^== ${owner}\\n([^]*?)(?=^== |(?![^]))`, 'm'))?.[1].trimEnd() ?? '';
	const classes = ['Gelpack', 'Asset', 'World', 'Body', 'Collider', 'Frame', 'Constraint'].map((owner) => {
		const lines = bindings.filter((binding) => binding.owner === owner).map(methodOf);
		return `${doc(handOf(`doc ${owner}`).trim())}export class ${owner}${owner === 'Gelpack' ? '' : ' extends Owned'} {\n`
			+ `\tprivate constructor();\n${handOf(owner)}\n${lines.join('\n')}\n}`;
	});
	return ['// Types of the package gelpack. Made from the public headers by web/generate: change those.', handOf('top'),
		...enumTypes, ...interfaces, ...classes].join('\n\n') + '\n';
}
