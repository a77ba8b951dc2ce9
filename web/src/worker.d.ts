// Types of 'gelpack/worker'.
import type { Asset, Body, Collider, Constraint, Frame, Gelpack, LoadOptions, World } from './gelpack.js';

type Objects = Gelpack | Asset | World | Body | Collider | Frame | Constraint;

/** What a call takes and gives when its objects live in a worker. */
export type Sent<T> = T extends Objects ? Remote<T> : T extends ArrayBufferView ? T : T extends Function ? never
	: T extends object ? { [K in keyof T]: Sent<T[K]> } : T;

/** An object of the worker: methods give promises, and properties are methods. */
export type Remote<T> = { readonly [K in keyof T as K extends symbol ? never : K]: T[K] extends (...values: infer A) => infer R
	? (...values: { [I in keyof A]: Sent<A[I]> }) => Promise<Sent<R>> : () => Promise<Sent<T[K]>> } & {
	/** Ends the worker, and all that it holds. */
	closeWorker(): void;
} & (T extends World ? {
	/** Steps by dt [s] and gives positions, and normals unless told otherwise, of bodies: one message per frame. */
	stepAndGet(dt: number, bodies: Remote<Body>[], options?: { normals?: boolean }): Promise<{ positions: Float32Array, normals?: Float32Array }[]>;
} : {});

/** Starts a worker with a module of its own. */
export function loadInWorker(options?: Omit<LoadOptions, 'module'> & { module?: string }): Promise<Remote<Gelpack>>;
