// SPDX-License-Identifier: MIT
// Which method of which class a C function becomes, and what each of its parameters is to the caller:
//
//     self      the object whose method it is           value     a number, boolean, enumeration, or struct by value
//     in        const struct*                            inArray   const T*, its count follows from its length
//     inBytes   const void* and its size                 text      a string
//     out       T* that the function fills               outArray  T* and capacity: an array of what there is
//     outMatch  T* with as many elements as the inArray  skip      follows from another one
//
// Names follow from the C names; what does not fit is in `byHand` and is written in src/, or in `leftOut` with
// the reason. A function of the headers is in exactly one of the three: the test of the package counts.

/** Functions that a web page has no use for, and why. */
export const leftOut = {
	gelSetAssertFcn: 'release builds never ask',
	gelLoadAssetFile: 'pages have no files: loadAsset takes bytes',
	gelOpenAsset: 'the memory of the page is not that of the module: loadAsset copies',
	gelGetOpenMpTasks: 'there is no OpenMP',
	gelAsset_MakeWarpFactor: 'for tools that check packs',
	gelCollider_SetUserData: 'objects of JavaScript carry what they like', gelCollider_GetUserData: 'likewise',
	gelWorld_SetUserData: 'likewise', gelWorld_GetUserData: 'likewise',
	gelBody_SetUserData: 'likewise', gelBody_GetUserData: 'likewise',
};

/** Functions whose method is written by hand, in src/. */
export const byHand = new Set(['gelLoadAsset', 'gelDestroyAsset', 'gelCreateWorld', 'gelDestroyWorld', 'gelDestroyBody',
	'gelDestroyCollider', 'gelDestroyFrame', 'gelDestroyConstraint', 'gelBody_SaveState', 'gelWorld_SaveState',
	'gelBody_GetPositions', 'gelBody_GetNormals', 'gelWorld_GetVertices', 'gelAsset_GetMeta', 'gelAsset_GetTriangles',
	'gelAsset_GetVertexSources', 'gelAsset_GetTets', 'gelAsset_GetSourceNodes', 'gelAsset_GetSourceTets',
	'gelAsset_GetSkin', 'gelBody_HoldAttachment', 'gelWorld_Draw', 'gelDefaultDebugDraw', 'gelBody_GetAsset',
	'gelAsset_GetLevel', 'gelResult_String', 'gelDefaultAssetDef', 'gelWorld_IsValid']);

export const handles = { gelWorldId: 'World', gelBodyId: 'Body', gelColliderId: 'Collider', gelFrameId: 'Frame',
	gelConstraintId: 'Constraint' };

const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);
const withoutOut = (name) => lowerFirst(name.replace(/^out(?=[A-Z])/, ''));

// Class and name of the method of a function.
function placeOf(fn, model) {
	const method = fn.name.match(/^gel(World|Body|Asset|Collider|Frame|Constraint)_(\w+)$/);
	if (method) return { owner: method[1], name: lowerFirst(method[2]) };
	const created = fn.name.match(/^gelCreate(\w+)$/);
	if (created) return { owner: handles[fn.params[0].c], name: `create${created[1]}` };
	return { owner: 'Gelpack', name: lowerFirst(fn.name.replace(/^gel/, '')) };
}

const isHandle = (type) => type.kind === 'struct' && handles[type.name] !== undefined;

function describeParams(fn, model, owner) {
	const out = [];
	for (let i = 0; i < fn.params.length; ++i) {
		const param = fn.params[i], next = fn.params[i + 1];
		const isPointer = /\*$/.test(param.c), isConst = /^const /.test(param.c);
		const target = isPointer ? param.c.replace(/^const |\s*\*$/g, '') : param.c;
		const nextIs = (pattern) => next !== undefined && pattern.test(next.name);
		const add = (how, type, name = param.name) => out.push({ how, type, name });
		if (param.c === 'const gelAsset *') add(owner === 'Asset' && i === 0 ? 'self' : 'value', { kind: 'asset' });
		else if (!isPointer) {
			const type = model.type(param.c);
			const isSelf = i === 0 && handles[type.name] === owner;
			if (isSelf) add('self', type);
			else if (isHandle(type)) add('value', type, lowerFirst(handles[type.name]) + param.name.replace(/^.*Id/, ''));
			else add('value', type);
		}
		else if (target === 'char') add('text', { kind: 'text' });
		else if (target === 'void') { add('inBytes', { kind: 'bytes' }); add('skip', {}); ++i; }
		else if (nextIs(/^outCapacity$/)) { add('outArray', model.type(target), 'out'); add('skip', {}); ++i; }
		else if (isConst && nextIs(/^count$/)) {
			add('inArray', model.type(target));
			add('count', {}, out.at(-1).name);
			++i;
		}
		else if (isConst && fn.params.slice(i).some((p) => p.name === 'count')) add('inArray', model.type(target));
		else if (isConst) add('in', model.type(target));
		else if (out.some((p) => p.how === 'inArray')) add('outMatch', model.type(target), withoutOut(param.name));
		else add('out', model.type(target), withoutOut(param.name));
	}
	return out;
}

/** @returns {{c, owner, name, params, returns, comment}[]} */
export function bind(model) {
	const bindings = [];
	for (const fn of model.functions) {
		if (leftOut[fn.name] || byHand.has(fn.name)) continue;
		const { owner, name } = placeOf(fn, model);
		const returns = fn.returns === 'void' ? { kind: 'void' } : fn.returns === 'gelResult' ? { kind: 'result' }
			: model.type(fn.returns);
		if (returns.kind === 'ptr') throw new Error(`${fn.name}: say in bind.mjs what its pointer is`);
		bindings.push({ c: fn.name, owner, name, params: describeParams(fn, model, owner), returns, comment: fn.comment });
	}
	return bindings;
}

/** Words of an enumeration without what all of them begin with: fastCorotated of gel_solverFastCorotated. */
export function shortNames(values) {
	const words = values.map(({ name }) => name.replace(/^gel_/, '').match(/^[a-z0-9]+|[A-Z][a-z0-9]*/g));
	const isShared = words.length > 1 && words.every((list) => list.length > 1 && list[0] === words[0][0]);
	return words.map((list) => lowerFirst(list.slice(isShared ? 1 : 0).join('')));
}
