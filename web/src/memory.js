// SPDX-License-Identifier: MIT
// The memory of the module: views that survive its growth, and a stack for what a call hands over.

const STACK_BYTES = 1 << 16;

export class Memory {
	#exports;
	#buffer = null;
	#stack;
	#top;
	#large = []; // blocks of this call that the stack has no room for
	#depth = 0;

	constructor(exports) {
		this.#exports = exports;
		this.#stack = this.allocate(STACK_BYTES);
		this.#top = this.#stack;
	}

	/** A view of the module's memory as it is now. Growth makes it stale, so nobody keeps one. */
	get view() {
		this.#refresh();
		return this.dataView;
	}

	get bytes() {
		this.#refresh();
		return this.byteView;
	}

	#refresh() {
		const { buffer } = this.#exports.memory;
		if (buffer === this.#buffer) return;
		this.#buffer = buffer;
		this.dataView = new DataView(buffer);
		this.byteView = new Uint8Array(buffer);
	}

	/** @returns {number} address of a block of its own, 64-byte aligned; to be given to free() */
	allocate(bytes) {
		const address = this.#exports.aligned_alloc(64, Math.max(64, Math.ceil(bytes / 64) * 64));
		if (address === 0) throw new RangeError(`gelpack: no memory for ${bytes} bytes`);
		return address;
	}

	free(address) {
		this.#exports.free(address);
	}

	/** Runs a call; what it takes by take() is given back when it ends. Calls may nest (callbacks). */
	during(call) {
		const top = this.#top, largeCount = this.#large.length;
		++this.#depth;
		try {
			return call();
		} finally {
			--this.#depth;
			this.#top = top;
			while (this.#large.length > largeCount) this.free(this.#large.pop());
		}
	}

	/** Zeroed bytes for as long as the call lasts. */
	take(bytes) {
		let address = this.#top;
		const size = Math.ceil(bytes / 8) * 8;
		if (address + size > this.#stack + STACK_BYTES) {
			address = this.allocate(size);
			this.#large.push(address);
		} else this.#top += size;
		this.bytes.fill(0, address, address + size);
		return address;
	}

	/** Text that ends with a zero. */
	readText(address, most = Infinity) {
		if (address === 0) return '';
		const { bytes } = this;
		let end = address;
		while (end - address < most && bytes[end] !== 0) ++end;
		return new TextDecoder().decode(bytes.slice(address, end));
	}

	takeText(text) {
		const encoded = new TextEncoder().encode(text);
		const address = this.take(encoded.length + 1);
		this.bytes.set(encoded, address);
		return address;
	}
}
