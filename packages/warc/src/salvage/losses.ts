/** The bytes of a damaged file that belong to no whole record. */
export interface Loss {
  /** Number of bytes. */
  readonly bytes: number
  /** Number of stretches. */
  readonly places: number
  /** The first thousand stretches: offsets in the file, `to` exclusive, and why the stretch cannot be read. */
  readonly lost: readonly { readonly from: number; readonly to: number; readonly reason: string }[]
}

const maxLost = 1000

/** Sums up stretches that are lost, in the order of the file. */
export const createLosses = () => {
  const lost: Loss['lost'][number][] = []
  let bytes = 0
  let places = 0
  const add = (from: number, to: number, reason: string): void => {
    bytes += to - from
    if (places++ < maxLost) lost.push({ from, to, reason })
  }
  return {
    add,
    /** Adds those of a part of the file that begins at `at`. */
    addAll: (loss: Loss, at: number): void => {
      for (const { from, to, reason } of loss.lost) add(at + from, at + to, reason)
      // Those that it has no places of.
      bytes += loss.bytes - loss.lost.reduce((sum, { from, to }) => sum + to - from, 0)
      places += loss.places - loss.lost.length
    },
    all: (): Loss | undefined => (places > 0 ? { bytes, places, lost } : undefined),
  }
}
