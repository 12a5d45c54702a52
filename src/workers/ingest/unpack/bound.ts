import { UnusableContent } from '../files/write-file.ts'

/** What a container may hold at most. */
export interface UnpackLimits {
  readonly files: number
  /** Of all that is unpacked. */
  readonly bytes: number
  /** Bytes that are unpacked, by bytes of the container. */
  readonly ratio: number
}

/** Deflate packs a run of zeros to a thousandth; what goes beyond is packed in layers, to do harm. */
export const usualLimits: UnpackLimits = { files: 1_000_000, bytes: 10 * 1024 ** 4, ratio: 1100 }

/** Passes on what a decoder makes, so long as all that was passed on stays within bounds. */
export type Bound = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * For a container of that size. It takes one piece more than the limit at most from a decoder, and ends it then. `breathe` is awaited
 * between pieces, and may throw. Throws `UnusableContent`.
 */
export const createBound = (
  size: number,
  limits: Pick<UnpackLimits, 'bytes' | 'ratio'>,
  breathe: () => Promise<void>,
): Bound => {
  const most = Math.min(limits.bytes, Math.max(size, 1024) * limits.ratio)
  let made = 0
  return async function* (bytes) {
    for await (const piece of bytes) {
      made += piece.length
      if (made > most)
        throw new UnusableContent(
          `its ${size} bytes unpack to more than ${most}, which is not done: send it unpacked`,
        )
      yield piece
      await breathe()
    }
  }
}
