import { decode } from '../../src/decode/decode.ts'
import type { Gap } from '../../src/decode/gaps.ts'
import { joined } from '../search/sounds.ts'

export interface Decoded {
  /** At 8000 Hz. */
  readonly samples: Int16Array
  readonly gaps: readonly Gap[]
}

export const decodedWithGaps = async (bytes: Buffer, maxSeconds = 3600): Promise<Decoded> => {
  const read = async (length: number, position: number) => bytes.subarray(position, position + length)
  const { samples, gaps } = await decode(read, { rate: 8000, maxSeconds })
  const pieces: Int16Array[] = []
  for await (const piece of samples) pieces.push(piece)
  return { samples: joined(...pieces), gaps }
}

/** All samples, at 8000 Hz. */
export const decoded = async (bytes: Buffer, maxSeconds = 3600): Promise<Int16Array> =>
  (await decodedWithGaps(bytes, maxSeconds)).samples

/** Seconds at which each stretch that is loud begins. */
export const begins = (samples: Int16Array): number[] => {
  const found: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [i, value] of samples.entries()) {
    if (Math.abs(value) < 3000) continue
    if (i - last > 800) found.push(i / 8000)
    last = i
  }
  return found
}
