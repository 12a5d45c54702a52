import { type Bytes, bytesOf } from '@fonds/bytes'
import {
  areAlike,
  type EncoderTag,
  encoderTag,
  type FrameHead,
  frameAt,
  maxFrameBytes,
} from './mpeg-frame.ts'
import { descriptionBytes, descriptionSize } from './mpeg-tags.ts'

export type Found =
  /** The first frame of a file, also of one that was appended to another. */
  | { readonly kind: 'tag'; readonly tag: EncoderTag; readonly head: FrameHead; readonly bytes: Buffer }
  /** Whole frames of one rate, without the bytes between them. */
  | { readonly kind: 'frames'; readonly head: FrameHead; readonly count: number; readonly bytes: Buffer }
  /** About so many frames like `head` cannot be read. `isEnd`: no frame follows. */
  | { readonly kind: 'lost'; readonly head: FrameHead; readonly count: number; readonly isEnd: boolean }

const bytesAtOnce = 32 * 1024

/** A frame that is not of the stream so far is one if two like it follow. */
const neededBytes = 3 * maxFrameBytes + descriptionBytes

/**
 * Finds the frames in a file. Passes over descriptions (ID3, APE …), and over anything else until frames of one
 * kind follow one another; between frames, that is sound which was lost.
 */
export async function* mpegFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const bytes = bytesOf(source)
  const walk = createWalk()
  let held: Buffer = Buffer.alloc(0)
  /** Bytes of a description that is longer than the file: its length is wrong, and they may be sound. */
  let doubtful = 0
  for (let isEnd = false; !isEnd; ) {
    const chunk = await bytes.some(bytesAtOnce)
    isEnd = chunk.length === 0
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const { found, read } = walk(held, isEnd, doubtful)
    yield* found
    const beyond = Math.max(0, read - held.length)
    const passed = await stepOver(bytes, beyond)
    if (passed < beyond) doubtful = passed
    held = held.subarray(Math.min(read, held.length))
  }
}

/** Steps over so many bytes. Returns how many there were. */
const stepOver = async (bytes: Bytes, count: number): Promise<number> => {
  let passed = 0
  while (passed < count) {
    const { length } = await bytes.some(Math.min(bytesAtOnce, count - passed))
    if (length === 0) break
    passed += length
  }
  return passed
}

interface Walked {
  readonly found: readonly Found[]
  /** Bytes that are done with; more than were given if some are to be passed over. */
  readonly read: number
}

const createWalk = () => {
  let batch = createBatch()
  let last: FrameHead | undefined
  /** Bytes of a frame, as the last ones were on average. */
  let mean = 0
  let inStep = false
  /** Bytes since the last frame that are neither frames nor descriptions. */
  let unknown = 0
  /** A description stands behind the last frame: bytes that follow it are no lost sound. */
  let isDescribed = false
  /** Follows the last frame, but nothing confirms it: it, or what is behind it, is damaged. */
  let doubtful: { readonly head: FrameHead; readonly frame: Buffer } | undefined

  const accept = (head: FrameHead, frame: Buffer) => {
    mean = last && areAlike(last, head) ? mean + (head.bytes - mean) / 64 : head.bytes
    last = head
    const tag = encoderTag(frame, head)
    if (tag) batch.put({ kind: 'tag', tag, head, bytes: frame })
    else batch.add(head, frame)
  }

  /** Decides what the bytes are that lie between the last frame and the next one, or the end of the file. */
  const passOver = (isEnd: boolean, isNoSound: boolean) => {
    if (doubtful && (isEnd || unknown >= doubtful.head.bytes)) {
      accept(doubtful.head, doubtful.frame)
      unknown -= Math.min(unknown, doubtful.head.bytes)
    }
    const count = last && !isNoSound ? Math.round(unknown / mean) : 0
    if (last && count > 0) batch.put({ kind: 'lost', head: last, count, isEnd })
    doubtful = undefined
    unknown = 0
  }

  const step = (held: Buffer, at: number, isEnd: boolean): number => {
    const head = frameAt(held, at)
    const isNext = head !== undefined && last !== undefined && areAlike(head, last)
    if (head && isFollowed(held, at, head, isNext ? 1 : 2, isEnd)) {
      const frame = held.subarray(at, at + head.bytes)
      if (!inStep) passOver(false, isDescribed || encoderTag(frame, head) !== undefined)
      inStep = true
      isDescribed = false
      accept(head, frame)
      return at + head.bytes
    }
    const isWhole = head !== undefined && at + head.bytes <= held.length
    if (inStep && isNext && isWhole)
      doubtful = { head, frame: Buffer.from(held.subarray(at, at + head.bytes)) }
    inStep = false
    const next = nextCandidate(held, at + 1)
    unknown += next - at
    return next
  }

  return (held: Buffer, isEnd: boolean, doubtfulBytes: number): Walked => {
    batch = createBatch()
    if (doubtfulBytes > 0) isDescribed = false
    unknown += doubtfulBytes
    let at = 0
    while (at < held.length && (isEnd || held.length - at >= neededBytes)) {
      const size = descriptionSize(held, at)
      if (size === undefined) at = step(held, at, isEnd)
      else {
        passOver(true, true)
        inStep = false
        isDescribed = true
        at += size
      }
    }
    if (isEnd) passOver(true, isDescribed)
    return { found: batch.all(), read: at }
  }
}

/** Joins frames of one kind that follow one another. */
const createBatch = () => {
  const found: Found[] = []
  let open: { readonly head: FrameHead; readonly frames: Buffer[] } | undefined
  const close = () => {
    if (open)
      found.push({
        kind: 'frames',
        head: open.head,
        count: open.frames.length,
        bytes: Buffer.concat(open.frames),
      })
    open = undefined
  }
  return {
    add: (head: FrameHead, frame: Buffer) => {
      if (open && !areAlike(open.head, head)) close()
      open ??= { head, frames: [] }
      open.frames.push(frame)
    },
    put: (other: Found) => {
      close()
      found.push(other)
    },
    all: () => {
      close()
      return found
    },
  }
}

/** True if so many frames like this one, a description or the end of the file follow it. */
export const isFollowed = (
  bytes: Buffer,
  at: number,
  head: FrameHead,
  count: number,
  isEnd: boolean,
): boolean => {
  const next = at + head.bytes
  if (isEnd && next >= bytes.length) return next === bytes.length
  const other = frameAt(bytes, next)
  if (other && areAlike(other, head)) return count === 1 || isFollowed(bytes, next, other, count - 1, isEnd)
  return descriptionSize(bytes, next) !== undefined
}

const nextCandidate = (bytes: Buffer, from: number): number => {
  for (let at = from; ; at++) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) break
    if (at + 1 >= bytes.length || (bytes[at + 1]! & 0xe0) === 0xe0) return at
  }
  // The marker of a description may begin in the last bytes.
  return Math.max(from, bytes.length - descriptionBytes)
}
