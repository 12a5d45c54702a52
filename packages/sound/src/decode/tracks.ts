/** A stretch of a recording in which channels differ from their mix. In samples; `to` is exclusive. */
export interface DifferingStretch {
  readonly from: number
  readonly to: number
  readonly channels: number
}

/** Number of tracks that hold so many channels beside the mix: half the difference of two, each of more. */
export const tracksOf = (channels: number): number => (channels === 2 ? 1 : channels)

/** Number of samples of all tracks of the stretches. */
export const trackSamples = (stretches: readonly DifferingStretch[]): number =>
  stretches.reduce((sum, { from, to, channels }) => sum + (to - from) * tracksOf(channels), 0)
