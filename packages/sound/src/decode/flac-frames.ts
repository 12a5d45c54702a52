import { bytesOf } from '@fonds/bytes'
import { crc16, keyAt } from './crc.ts'
import {
  type FlacHeader,
  flacHeader,
  headerBytes,
  type StreamInformation,
  streamBytes,
  streamInformation,
} from './flac-frame.ts'

export type FlacFound =
  /** The beginning of the file, or of one that was appended. */
  | { readonly kind: 'stream'; readonly information: StreamInformation }
  /** A whole frame, whose checksums are right. */
  | { readonly kind: 'frame'; readonly header: FlacHeader; readonly bytes: Buffer }
  | StreamEnd

/** The end of a stream, which another one may follow. */
export interface StreamEnd {
  readonly kind: 'end'
  readonly isLast: boolean
  /** Bytes behind the last frame. */
  readonly passedOver: number
  /** They may begin with one more frame, whose end is not known: candidates, the likeliest first. */
  readonly rest: readonly Candidate[]
}

export interface Candidate {
  readonly header: FlacHeader
  readonly bytes: Buffer
}

interface Start {
  /** Offset in the file. */
  readonly at: number
  readonly key: number
  readonly header: FlacHeader
}

const bytesAtOnce = 64 * 1024
/** Headers that may be that of the last frame. */
const maxCandidates = 16
const lookAhead = Math.max(headerBytes, streamBytes)

/**
 * Finds the frames of FLAC by their checksums: a frame is what lies between two headers and ends with its checksum.
 * Whatever is damaged is passed over, as are descriptions and pictures.
 */
export async function* flacFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<FlacFound> {
  const bytes = bytesOf(source)
  const walk = createWalk()
  let held: Buffer = Buffer.alloc(0)
  for (let isEnd = false; !isEnd; ) {
    const chunk = await bytes.some(bytesAtOnce)
    isEnd = chunk.length === 0
    held = Buffer.concat([held, chunk])
    yield* walk.push(held, isEnd)
    held = held.subarray(walk.done())
  }
}

const createWalk = () => {
  /** Offset of the first byte held. */
  let base = 0
  /** Bytes held that were searched and summed up. */
  let searched = 0
  let sum = 0
  /** Headers from which a frame may begin, by key and by offset. */
  let starts: Start[] = []
  let byKey = new Map<number, Start>()
  /** End of the last frame. */
  let lastEnd = 0

  const forget = () => {
    starts = []
    byKey = new Map()
  }
  const sumUp = (held: Buffer, to: number) => {
    sum = crc16(sum, held, searched, to)
    searched = to
  }

  /** The frame that ends at `at`. */
  const frameTo = (held: Buffer, at: number, key: number): FlacFound[] => {
    const start = byKey.get(key)
    if (!start || base + at - start.at > start.header.maxBytes) return []
    forget()
    lastEnd = base + at
    return [{ kind: 'frame', header: start.header, bytes: held.subarray(start.at - base, at) }]
  }

  const begin = (start: Start) => {
    // In one go: there may be many, as headers that occur by chance are made on purpose.
    const kept = starts.findIndex(({ at, header }) => start.at - at <= header.maxBytes)
    for (const old of starts.splice(0, kept < 0 ? starts.length : kept))
      if (byKey.get(old.key) === old) byKey.delete(old.key)
    starts.push(start)
    if (!byKey.has(start.key)) byKey.set(start.key, start)
  }

  const endAt = (held: Buffer, at: number, isLast: boolean): StreamEnd => {
    const rest = starts
      .slice(-maxCandidates)
      .reverse()
      .map((start) => ({
        header: start.header,
        bytes: held.subarray(start.at - base, Math.min(at, start.at - base + start.header.maxBytes)),
      }))
    const passedOver = base + at - lastEnd
    forget()
    lastEnd = base + at
    return { kind: 'end', isLast, passedOver, rest }
  }

  function* push(held: Buffer, isEnd: boolean): Generator<FlacFound> {
    const until = isEnd ? held.length : held.length - lookAhead
    for (let at = nextMark(held, searched); at < until; at = nextMark(held, at + 1)) {
      const information = streamInformation(held, at)
      const header = information ? undefined : flacHeader(held, at)
      if (!information && !header) continue
      sumUp(held, at)
      const key = keyAt(sum, base + at)
      yield* frameTo(held, at, key)
      if (header) begin({ at: base + at, key, header })
      else if (information) {
        if (base + at > 0) yield endAt(held, at, false)
        yield { kind: 'stream', information }
      }
    }
    if (until > searched) sumUp(held, until)
    if (!isEnd) return
    yield* frameTo(held, held.length, keyAt(sum, base + held.length))
    yield endAt(held, held.length, true)
  }

  return {
    push,
    /** Bytes that are no longer needed. */
    done: (): number => {
      const done = starts[0] ? starts[0].at - base : searched
      base += done
      searched -= done
      return done
    },
  }
}

/** Offset of the next byte with which a frame or a stream may begin. */
const nextMark = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0xff ? (bytes[at + 1]! & 0xfe) === 0xf8 : byte === 0x66 && bytes[at + 1] === 0x4c) return at
  }
  return bytes.length
}
