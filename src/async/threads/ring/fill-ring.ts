import {
  failRing,
  offset,
  offsetAt,
  type Ring,
  request,
  ringIn,
  setOffset,
  signalChange,
  state,
  verdict,
  word,
} from './layout.ts'

/** Offsets of bytes: `from` on, up to `to`, which is not among them. */
export interface RingRange {
  readonly from: number
  readonly to: number
}

type Give = (chunk: Uint8Array) => Promise<void>

/** Bytes that a ring is filled with. `Failure`: structured as JSON. */
export interface RingSource<Failure> {
  /** Bytes of the whole. */
  readonly size: number
  /** Gives the bytes of a range, each chunk once the one before was taken. Returns a failure, if it ends with one. */
  read(range: RingRange, give: Give, signal: AbortSignal): Promise<Failure | undefined>
  /** Whether the whole is still as it was. */
  isUnchanged(): Promise<boolean | { readonly failure: Failure }>
  /** The failure of a source that gave fewer bytes than it has. */
  tooShort(bytes: number): Failure
}

/** Thrown by `give` when the reader wants something else. */
class Elsewhere extends Error {}

/** Fills a ring until its reader closes it. Rejects only with errors of the source that are bugs. */
export const fillRing = async <Failure>(
  memory: SharedArrayBuffer,
  source: RingSource<Failure>,
): Promise<void> => {
  const ring = ringIn(memory)
  const { words } = ring
  while (Atomics.load(words, word.state) === state.open) {
    const seen = Atomics.load(words, word.calls)
    const asked = Atomics.load(words, word.asked)
    if (asked === Atomics.load(words, word.answered)) await untilChanged(ring, word.calls, seen)
    else await answer(memory, ring, source, asked)
  }
}

const answer = async <Failure>(
  memory: SharedArrayBuffer,
  ring: Ring,
  source: RingSource<Failure>,
  asked: number,
): Promise<void> => {
  const { words } = ring
  if (Atomics.load(words, word.request) === request.check) {
    const result = await source.isUnchanged()
    if (typeof result === 'object') return failRing(memory, result.failure)
    Atomics.store(words, word.verdict, result ? verdict.same : verdict.changed)
    Atomics.store(words, word.answered, asked)
    return signalChange(ring, word.filled)
  }
  const from = offsetAt(ring, offset.wanted)
  setOffset(ring, offset.head, from)
  setOffset(ring, offset.tail, from)
  Atomics.store(words, word.answered, asked)
  signalChange(ring, word.filled)
  const stopping = new AbortController()
  void stopWhenAskedElse(ring, asked, stopping)
  try {
    const failure = await readOn(ring, asked, source, from, stopping.signal)
    if (failure !== undefined && !stopping.signal.aborted) failRing(memory, failure)
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error
  } finally {
    stopping.abort()
  }
}

/**
 * Bytes of the first request for a place that the reader jumped to. It may jump again: a source that is read to its end
 * can use its connection for the next place. Each further request is for `growth` times as many.
 */
const firstStretch = 64 * 1024
const growth = 4

/** Asks for all bytes at once where the reader began at the first one: most read on. */
const readOn = async <Failure>(
  ring: Ring,
  asked: number,
  source: RingSource<Failure>,
  from: number,
  signal: AbortSignal,
): Promise<Failure | undefined> => {
  const { size } = source
  for (let at = from, stretch = from === 0 ? size : firstStretch; at < size; stretch *= growth) {
    const to = stretch < ring.data.length ? Math.min(at + stretch, size) : size
    const failure = await source.read({ from: at, to }, (chunk) => put(ring, asked, chunk), signal)
    if (failure !== undefined || signal.aborted) return failure
    at = offsetAt(ring, offset.head)
    if (at < to) return source.tooShort(at)
    if (to < size) await untilTaken(ring, asked)
  }
  return undefined
}

/** Waits until the reader wants bytes behind those that are there. Throws `Elsewhere`. */
const untilTaken = async (ring: Ring, asked: number): Promise<void> => {
  for (;;) {
    const seen = Atomics.load(ring.words, word.freed)
    if (!isWanted(ring, asked)) throw new Elsewhere()
    if (offsetAt(ring, offset.tail) === offsetAt(ring, offset.head)) return
    await untilChanged(ring, word.freed, seen)
  }
}

/** Stops a source that waits for its server, too. */
const stopWhenAskedElse = async (ring: Ring, asked: number, stopping: AbortController): Promise<void> => {
  while (!stopping.signal.aborted) {
    const seen = Atomics.load(ring.words, word.calls)
    if (!isWanted(ring, asked)) return stopping.abort()
    await untilChanged(ring, word.calls, seen)
  }
}

const isWanted = ({ words }: Ring, asked: number): boolean =>
  Atomics.load(words, word.asked) === asked && Atomics.load(words, word.state) === state.open

/** Copies a chunk as room becomes free. Throws `Elsewhere`. */
const put = async (ring: Ring, asked: number, chunk: Uint8Array): Promise<void> => {
  const { words, data } = ring
  for (let at = 0; at < chunk.length; ) {
    const seen = Atomics.load(words, word.freed)
    if (!isWanted(ring, asked)) throw new Elsewhere()
    const head = offsetAt(ring, offset.head)
    const place = head % data.length
    const room = data.length - (head - offsetAt(ring, offset.tail))
    const bytes = Math.min(room, chunk.length - at, data.length - place)
    if (bytes === 0) {
      await untilChanged(ring, word.freed, seen)
      continue
    }
    data.set(chunk.subarray(at, at + bytes), place)
    setOffset(ring, offset.head, head + bytes)
    signalChange(ring, word.filled)
    at += bytes
  }
}

/** Waits without blocking the thread. */
const untilChanged = async ({ words }: Ring, counter: number, seen: number): Promise<void> => {
  const waiting = Atomics.waitAsync(words, counter, seen)
  if (waiting.async) await waiting.value
}
