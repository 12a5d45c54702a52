import { type Found, mpegFrames } from './mpeg-frames.ts'

type Lost = Extract<Found, { kind: 'lost' }>

/**
 * Corrects the estimated numbers of frames that were lost. Where frames are of different lengths, only the number in
 * the encoder's tag shows how many there were: all frames are counted, once, when the first gap comes.
 */
export const createScale = (bytes: () => AsyncIterable<Uint8Array>) => {
  /** One for each joined file. */
  let scales: readonly number[] | undefined
  let part = 0
  /** The remainder of rounding. */
  let rest = 0
  return {
    nextPart: () => {
      part++
      rest = 0
    },
    framesOf: async ({ count }: Lost): Promise<number> => {
      scales ??= await survey(bytes())
      const exact = count * (scales[part] ?? 1) + rest
      rest = exact - Math.round(exact)
      return Math.round(exact)
    },
  }
}

const survey = async (bytes: AsyncIterable<Uint8Array>): Promise<readonly number[]> => {
  const parts: { stated: number; read: number; lost: number }[] = []
  for await (const found of mpegFrames(bytes)) {
    if (found.kind === 'tag' || parts.length === 0) parts.push({ stated: 0, read: 0, lost: 0 })
    const part = parts.at(-1)!
    if (found.kind === 'tag') part.stated = found.tag.frames ?? 0
    else if (found.kind === 'frames') part.read += found.count
    else if (!found.isEnd) part.lost += found.count
  }
  return parts.map(({ stated, read, lost }) => {
    const scale = (stated - read) / lost
    // Far from the estimate, the file is cut off as well, or the number is another file's.
    return scale > 0.4 && scale < 2.5 ? scale : 1
  })
}
