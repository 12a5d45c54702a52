import { UnusableContent } from '../files/write-file.ts'

/** Limits of a container's content. */
export interface UnpackLimits {
  readonly files: number
  /** Total of all unpacked bytes. */
  readonly bytes: number
  /** Unpacked bytes per byte of the container. */
  readonly ratio: number
}

/** Deflate compresses a run of zeros to a thousandth; higher ratios are nested zip bombs. */
export const usualLimits: UnpackLimits = { files: 1_000_000, bytes: 10 * 1024 ** 4, ratio: 1100 }

/** Passes on a decoder's output, while the total stays within the limits. */
export type Bound = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * Creates the bound for a container of `size` bytes. It reads at most one piece beyond the limit from a decoder, and
 * then ends it. `breathe` is awaited between pieces, and may throw. Throws `UnusableContent`.
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
