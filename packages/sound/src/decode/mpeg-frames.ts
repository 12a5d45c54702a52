import { bytesOf } from '@fonds/bytes'
import { type EncoderTag, encoderTag, type FrameHead, frameAt } from './mpeg-frame.ts'

type Frames =
  | { readonly kind: 'tag'; readonly tag: EncoderTag; readonly head: FrameHead }
  /** Whole frames of one rate, without the bytes between them. */
  | { readonly kind: 'frames'; readonly head: FrameHead; readonly count: number; readonly bytes: Buffer }

const bytesAtOnce = 32 * 1024

/**
 * Finds the frames in a file. Skips ID3 tags by their length, and anything else until two frames of one rate
 * follow one another.
 */
export async function* mpegFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frames> {
  const bytes = bytesOf(source)
  let held: Buffer = Buffer.alloc(0)
  let isEnd = false
  let inStep = false
  let batch: { head: FrameHead; count: number; parts: Buffer[] } | undefined

  while (!isEnd || held.length >= 4) {
    if (!isEnd) {
      const chunk = await bytes.some(bytesAtOnce)
      isEnd = chunk.length === 0
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    }
    let at = 0
    for (;;) {
      const tagSize = id3Size(held, at)
      if (tagSize !== undefined) {
        inStep = false
        if (at + tagSize > held.length) await bytes.skip(at + tagSize - held.length)
        at = Math.min(held.length, at + tagSize)
        continue
      }
      // A frame and the header behind it are needed.
      if (!isEnd && held.length - at < maxFrameBytes + 4) break
      if (held.length - at < 4) break
      const head = frameAt(held, at)
      const isWhole = head !== undefined && at + head.bytes <= held.length
      if (!isWhole || !(inStep || isFollowed(held, at, head))) {
        inStep = false
        at = nextCandidate(held, at + 1)
        continue
      }
      const frame = held.subarray(at, at + head.bytes)
      const tag = inStep ? undefined : encoderTag(frame, head)
      inStep = true
      at += head.bytes
      if (batch && (tag || batch.head.rate !== head.rate || batch.head.samples !== head.samples)) {
        yield { kind: 'frames', head: batch.head, count: batch.count, bytes: Buffer.concat(batch.parts) }
        batch = undefined
      }
      if (tag) yield { kind: 'tag', tag, head }
      else {
        batch ??= { head, count: 0, parts: [] }
        batch.parts.push(frame)
        batch.count++
      }
    }
    if (batch)
      yield { kind: 'frames', head: batch.head, count: batch.count, bytes: Buffer.concat(batch.parts) }
    batch = undefined
    held = isEnd ? Buffer.alloc(0) : held.subarray(at)
  }
}

/** 320 kbit/s at 32 kHz, or 160 at 8 kHz, with padding. */
const maxFrameBytes = 1441

const isFollowed = (bytes: Buffer, at: number, { bytes: length, rate }: FrameHead): boolean =>
  frameAt(bytes, at + length)?.rate === rate

const nextCandidate = (bytes: Buffer, from: number): number => {
  for (let at = from; ; at++) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) break
    if (at + 1 >= bytes.length || (bytes[at + 1]! & 0xe0) === 0xe0) return at
  }
  // The marker of an ID3 tag may begin in the last bytes.
  return Math.max(from, bytes.length - 9)
}

/** Length of the whole ID3v2 tag that begins at `at`; undefined if none does. */
export const id3Size = (bytes: Buffer, at: number): number | undefined => {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33 || at + 10 > bytes.length)
    return undefined
  const size = bytes.subarray(at + 6, at + 10)
  if (bytes[at + 3] === 0xff || size.some((byte) => byte > 127)) return undefined
  const footer = bytes[at + 5]! & 16 ? 10 : 0
  return 10 + footer + size.reduce((sum, byte) => sum * 128 + byte, 0)
}
