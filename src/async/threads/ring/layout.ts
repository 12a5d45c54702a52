/*
 * A ring of bytes in shared memory: one thread writes what a server sends, another reads it with calls that block. The
 * reader asks for bytes from an offset on, or for a check; the writer answers the newest request alone.
 */

/** Words of 32 bits. */
export const word = {
  /** Number of the reader's newest request. */
  asked: 0,
  /** Number of the request that the writer answers. */
  answered: 1,
  /** Counts changes by the writer: the reader waits for it. */
  filled: 2,
  /** Counts how often the reader made room: a writer without room waits for it. */
  freed: 3,
  state: 4,
  request: 5,
  verdict: 6,
  /** Bytes of the failure. */
  failureLength: 7,
  /** Counts requests, and ends: the writer waits for it. */
  calls: 8,
} as const

export const state = { open: 0, failed: 1, stopped: 2 } as const
export const request = { bytes: 0, check: 1 } as const
export const verdict = { same: 1, changed: 2 } as const

/** Offsets of 64 bits in the whole. */
export const offset = {
  /** First byte that the newest request wants. */
  wanted: 0,
  /** Behind the last byte that was written. */
  head: 1,
  /** First byte that may not be overwritten yet. */
  tail: 2,
} as const

const offsetsAt = 64
const failureAt = 128
const dataAt = 8192

export interface Ring {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly offsets: BigInt64Array<SharedArrayBuffer>
  /** JSON in UTF-8. */
  readonly failure: Uint8Array<SharedArrayBuffer>
  readonly data: Buffer<SharedArrayBuffer>
}

/** `capacity`: bytes that may be ahead of the reader. */
export const createRing = (capacity: number): SharedArrayBuffer => new SharedArrayBuffer(dataAt + capacity)

export const ringIn = (memory: SharedArrayBuffer): Ring => ({
  words: new Int32Array(memory, 0, 9),
  offsets: new BigInt64Array(memory, offsetsAt, 3),
  failure: new Uint8Array(memory, failureAt, dataAt - failureAt),
  data: Buffer.from(memory, dataAt),
})

export const offsetAt = ({ offsets }: Ring, index: number): number => Number(Atomics.load(offsets, index))

export const setOffset = ({ offsets }: Ring, index: number, value: number): void => {
  Atomics.store(offsets, index, BigInt(value))
}

/** Counts a change, and wakes whoever waits for it. */
export const signalChange = ({ words }: Ring, counter: number): void => {
  Atomics.add(words, counter, 1)
  Atomics.notify(words, counter)
}

/** Wakes both sides. */
const signalAll = (ring: Ring): void => {
  for (const counter of [word.filled, word.freed, word.calls]) signalChange(ring, counter)
}

/** Ends both sides, from any thread. */
export const stopRing = (memory: SharedArrayBuffer): void => {
  const ring = ringIn(memory)
  Atomics.compareExchange(ring.words, word.state, state.open, state.stopped)
  signalAll(ring)
}

/** Ends both sides, from any thread, with a failure for the reader. */
export const failRing = (memory: SharedArrayBuffer, failure: unknown): void => {
  const ring = ringIn(memory)
  const bytes = Buffer.from(JSON.stringify(failure)).subarray(0, ring.failure.length)
  ring.failure.set(bytes)
  Atomics.store(ring.words, word.failureLength, bytes.length)
  Atomics.compareExchange(ring.words, word.state, state.open, state.failed)
  signalAll(ring)
}
