// SPDX-License-Identifier: MIT
// node main.mjs CLANG INCLUDE OUT: writes what the package takes from the public headers into the folder OUT:
//     bindings.js      tables of structs, enumerations and methods for src/calls.js
//     gelpack.d.ts     the same for TypeScript, with the documents of the headers
//     layout_check.c   asserts of the compiler that the offsets in the tables are its own
//     exports.txt      functions that the module has to export, a line each
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHeaders, Model } from './read_headers.mjs';
import { bind, byHand, leftOut, shortNames } from './bind.mjs';
import { writeTypes } from './write_types.mjs';

const [clang, include, out] = process.argv.slice(2);
if (!out) {
	console.error('usage: node main.mjs CLANG INCLUDE OUT');
	process.exit(1);
}
const model = new Model(parseHeaders(clang, include));
const bindings = bind(model);

// Structs as [name, kind, offset, count, name of struct or enumeration] per field.
function structTable() {
	const table = {};
	for (const [name, { size, align, fields }] of model.structs) {
		table[name] = { size, align, fields: fields.map(({ name: field, type, offset }) =>
			[field, type.kind, offset, type.count ?? 0, type.name ?? '']) };
	}
	return table;
}

const enumTable = Object.fromEntries([...model.enums].map(([name, { values }]) => {
	const words = shortNames(values);
	return [name, Object.fromEntries(values.map(({ value }, i) => [words[i], value]))];
}));

const methods = bindings.map(({ c, owner, name, params, returns }) => ({ c, owner, name, returns,
	params: params.map(({ how, name: param, type }) => ({ how, name: param, type })) }));

writeFileSync(join(out, 'bindings.js'), '// Made from the public headers by web/generate.\n'
	+ `export const structs = ${JSON.stringify(structTable())};\n`
	+ `export const enums = ${JSON.stringify(enumTable)};\n`
	+ `export const methods = ${JSON.stringify(methods)};\n`
	+ `export const leftOut = ${JSON.stringify(leftOut)};\nexport const byHand = ${JSON.stringify([...byHand])};\n`);
writeFileSync(join(out, 'gelpack.d.ts'), writeTypes(model, bindings));
const checks = [...model.structs].flatMap(([name, { size, fields }]) => [
	`_Static_assert( sizeof( ${name} ) == ${size}, "${name}" );`,
	...fields.map((field) => `_Static_assert( offsetof( ${name}, ${field.name} ) == ${field.offset}, "${name}.${field.name}" );`)]);
writeFileSync(join(out, 'layout_check.c'), `#include <gelpack/gelpack.h>\n${checks.join('\n')}\n`);
writeFileSync(join(out, 'exports.txt'), model.functions.filter(({ name }) => !leftOut[name])
	.map(({ name }) => `${name}\n`).join(''));
