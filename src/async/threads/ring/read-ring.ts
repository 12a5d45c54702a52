import {
  offset,
  offsetAt,
  type Ring,
  request,
  ringIn,
  setOffset,
  signalChange,
  state,
  stopRing,
  verdict,
  word,
} from './layout.ts'

/** The writer failed: `failure` is what its source gave. */
export class RingFailure extends Error {
  override readonly name = 'RingFailure'
  readonly failure: unknown

  constructor(failure: unknown) {
    super('the bytes could not be had')
    this.failure = failure
  }
}

/** The ring was stopped from outside. */
export class RingStopped extends Error {
  override readonly name = 'RingStopped'
}

export interface RingReader {
  /** Fills the buffer from an offset on. Returns the number of bytes, at least one before the end. Blocks the thread. */
  read(offset: number, buffer: Uint8Array): number
  /** Whether the whole is still as it was. Blocks the thread. */
  isUnchanged(): boolean
  /** Ends the writer. */
  close(): void
}

interface RingReaderOptions {
  /** Bytes of the whole. */
  readonly size: number
  /** Called now and then while the thread waits. An error that it throws ends the reading. */
  readonly onWait?: () => void
}

/** A gap that is read through rather than asked for again. */
const maxGapBytes = 1024 * 1024
const waitMillis = 250

/**
 * Reads the bytes that another thread puts into a ring. Reading on is served from what is there; a place before, or far
 * ahead, is asked for. All calls throw `RingFailure` and `RingStopped`.
 */
export const readRing = (
  memory: SharedArrayBuffer,
  { size, onWait = () => {} }: RingReaderOptions,
): RingReader => {
  const ring = ringIn(memory)
  const { words } = ring

  const ask = (kind: number): void => {
    Atomics.store(words, word.request, kind)
    Atomics.add(words, word.asked, 1)
    signalChange(ring, word.freed)
    signalChange(ring, word.calls)
  }
  const askFrom = (from: number): void => {
    announced = from
    setOffset(ring, offset.wanted, from)
    ask(request.bytes)
  }
  const isAnswered = () => Atomics.load(words, word.answered) === Atomics.load(words, word.asked)
  /** Up to where the writer heard of free room: it is woken for a large piece, not for each read. */
  let announced = 0
  const announce = (upTo: number): void => {
    announced = upTo
    signalChange(ring, word.freed)
  }
  const free = (upTo: number): void => {
    if (upTo <= offsetAt(ring, offset.tail)) return
    setOffset(ring, offset.tail, upTo)
    if (upTo - announced >= ring.data.length / 4) announce(upTo)
  }
  /** `seen`: the writer's changes before what the caller found missing. */
  const wait = (seen: number): void => {
    if (Atomics.wait(words, word.filled, seen, waitMillis) === 'timed-out') onWait()
  }
  let isStreaming = false

  return {
    read: (from, buffer) => {
      if (from >= size || buffer.length === 0) return 0
      for (;;) {
        const seen = Atomics.load(words, word.filled)
        throwIfOver(ring)
        if (isStreaming && !isAnswered()) {
          wait(seen)
          continue
        }
        const [tail, head] = [offsetAt(ring, offset.tail), offsetAt(ring, offset.head)]
        if (!isStreaming || from < tail || from > head + maxGapBytes) {
          askFrom(from)
          isStreaming = true
        } else if (from < head) {
          // The bytes read last may be read again: those before them are free.
          free(from)
          return copy(ring, from, Math.min(head, from + buffer.length), buffer)
        } else {
          free(head)
          if (announced < head) announce(head)
          wait(seen)
        }
      }
    },
    isUnchanged: () => {
      ask(request.check)
      isStreaming = false
      for (;;) {
        const seen = Atomics.load(words, word.filled)
        throwIfOver(ring)
        if (isAnswered()) return Atomics.load(words, word.verdict) === verdict.same
        wait(seen)
      }
    },
    close: () => stopRing(memory),
  }
}

const throwIfOver = ({ words, failure }: Ring): void => {
  const now = Atomics.load(words, word.state)
  if (now === state.stopped) throw new RingStopped('the reading was stopped')
  if (now !== state.failed) return
  const bytes = Buffer.from(failure.slice(0, Atomics.load(words, word.failureLength)))
  throw new RingFailure(JSON.parse(bytes.toString()))
}

const copy = ({ data }: Ring, from: number, to: number, into: Uint8Array): number => {
  const place = from % data.length
  const bytes = Math.min(to - from, data.length - place)
  // `set` from shared memory takes three times as long.
  return data.copy(into, 0, place, place + bytes)
}
