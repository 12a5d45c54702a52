import type { FlacHeader, StreamInformation } from './flac-frame.ts'

/** The places of frames in a stream, by the numbers that they bear. */
export interface FlacStream {
  /** Undefined before a frame or the stream information states it. */
  rate(): number | undefined
  /** Samples that are lost between the frame before and this one, which is then the last. */
  gapBefore(header: FlacHeader): number
  /** Samples that the stream states to have behind the last frame. */
  missing(): number
}

export const createStream = (information: StreamInformation): FlacStream => {
  let rate = information.rate || undefined
  /** Behind the last frame, by the frames' own numbers. */
  let position = 0
  /** Samples of a block where all but the last are equally long. */
  let block = 0
  let isBegun = false
  /** First number of a stream that was recorded from somewhere within another. */
  let origin = 0

  return {
    rate: () => rate,
    gapBefore: (header) => {
      rate = header.rate ?? rate
      block = Math.max(block, header.samples)
      const number = header.isVariable ? header.number : header.number * block
      if (!isBegun && information.samples === 0) origin = number
      isBegun = true
      const at = number - origin
      const gap = at - position
      const isPossible = gap > 0 && (information.samples === 0 || at < information.samples)
      // Numbers that begin anew follow what was before them.
      if (gap !== 0 && !isPossible) origin += gap
      position += header.samples + (isPossible ? gap : 0)
      return isPossible ? gap : 0
    },
    missing: () => Math.max(0, information.samples - position),
  }
}
