// SPDX-License-Identifier: Apache-2.0
// One instance of the WebAssembly module: its memory, and calls of the C interface with JavaScript's arrays.

/** A status of the C interface (include/aioli/aioli.h); `code` is its number, for instance -3 for a wrong length. */
export class AioliError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'AioliError';
    this.code = code;
  }
}
export const ERR_SIGNATURE = -1, ERR_ARGUMENT = -2, ERR_LENGTH = -3, ERR_STATE = -10;

type CFunction = (...values: number[]) => number;
type Exports = Record<string, CFunction> & { memory: WebAssembly.Memory };

const PIECE = 1 << 18; // bytes of a message that are copied at a time

/** Fails unless `value` is bytes. */
export function bytesOf(value: unknown, what: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`${what} must be an ArrayBuffer, a typed array or a DataView`);
}

// What is in the module's memory for the time of one call; wiped and given back after it.
class Arena {
  private readonly blocks: [number, number][] = [];
  constructor(private readonly engine: Engine) {}

  room(size: number): number {
    const at = this.engine.allocate(size);
    this.blocks.push([at, size]);
    return at;
  }
  put(bytes: Uint8Array): number {
    const at = this.room(bytes.length);
    this.engine.memory().set(bytes, at);
    return at;
  }
  get(at: number, size: number): Uint8Array {
    return this.engine.memory().slice(at, at + size);
  }
  close(): void {
    for (const [at, size] of this.blocks) this.engine.release(at, size);
  }
}

export class Engine {
  private readonly c: Exports;
  private tape: Uint8Array | undefined; // what is drawn instead of randomness

  constructor(module: WebAssembly.Module) {
    const fill = (at: number, size: number) => {
      at >>>= 0; // past two gigabytes a pointer comes as a negative number
      size >>>= 0;
      if (this.tape !== undefined) {
        if (this.tape.length !== size) return 1; // the library draws all of it at once, or fails
        this.memory().set(this.tape, at);
        return 0;
      }
      // At most 65,536 bytes a time, says the interface; the library draws 40.
      try {
        for (let done = 0; done < size; done += 65536)
          crypto.getRandomValues(this.memory().subarray(at + done, at + Math.min(size, done + 65536)));
      } catch {
        return 29; // an error for C to return by, which wipes; an exception would pass its code by
      }
      return 0;
    };
    const none = (count: number, bytes: number) => {
      new DataView(this.c.memory.buffer).setUint32(count, 0, true);
      new DataView(this.c.memory.buffer).setUint32(bytes, 0, true);
      return 0;
    };
    // What wasi-libc asks of its host: randomness, and an environment, which is empty.
    const host = {
      random_get: fill,
      environ_get: () => 0,
      environ_sizes_get: none,
      proc_exit: (code: number) => {
        throw new Error(`the module stopped with status ${code}`);
      },
    };
    this.c = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host }).exports as unknown as Exports;
  }

  /** The module's memory now: a call may make it grow, and then older views are empty. */
  memory(): Uint8Array {
    return new Uint8Array(this.c.memory.buffer);
  }
  allocate(size: number): number {
    const at = this.c.malloc(Math.max(size, 1)) >>> 0;
    if (at === 0) throw new AioliError(-7, 'the module has no memory left');
    return at;
  }
  /** Wipes a block and gives it back. */
  release(at: number, size: number): void {
    this.memory().fill(0, at, at + size);
    this.c.free(at);
  }

  /** Calls a C function for a number or a pointer. */
  value(name: string, ...values: number[]): number {
    return this.c[name](...values) >>> 0;
  }
  /** Calls a C function that returns a status; one that is not in `allowed` is thrown. */
  status(name: string, values: number[], allowed: number[] = []): number {
    const status = this.c[name](...values);
    if (status !== 0 && !allowed.includes(status)) throw new AioliError(status, this.text(this.c.aioli_status_text(status)));
    return status;
  }
  /** Runs `use` so that what it draws, in one piece, is `drawn`. */
  drawing<T>(drawn: Uint8Array | undefined, use: () => T): T {
    this.tape = drawn;
    try {
      return use();
    } finally {
      this.tape = undefined;
    }
  }
  text(at: number): string {
    const memory = this.memory();
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
  }
  /** Runs `use` with memory that is wiped afterwards, whatever happens. */
  with<T>(use: (arena: Arena) => T): T {
    const arena = new Arena(this);
    try {
      return use(arena);
    } finally {
      arena.close();
    }
  }
  /** Absorbs a message of any length into the hash object at `hash`. */
  absorb(hash: number, data: Uint8Array): void {
    this.with((arena) => {
      const room = arena.room(Math.min(data.length, PIECE));
      for (let done = 0; done < data.length; done += PIECE) {
        const piece = data.subarray(done, done + PIECE);
        this.memory().set(piece, room);
        this.status('aioli_hash_update', [hash, room, piece.length]);
      }
    });
  }
}
