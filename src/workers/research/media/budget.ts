/**
 * Shares out the room for decoded media among those who decode in this process: each has as much as the largest recording
 * takes, or as is left. So all together stay below the bound, however few bytes what they decode is stored in.
 */
export interface Budget {
  /** Throws where no room is left: that is no fault of the recording. */
  within<A>(work: (mostBytes: number) => Promise<A>): Promise<A>
}

export interface BudgetOptions {
  /** Bytes that may still be written. */
  readonly room: () => Promise<number>
  /** Most bytes for one recording. */
  readonly each: number
}

export const createBudget = ({ room, each }: BudgetOptions): Budget => {
  let reserved = 0
  return {
    within: async (work) => {
      const left = await room()
      const mostBytes = Math.min(each, left - reserved)
      if (mostBytes <= 0) throw full()
      reserved += mostBytes
      try {
        return await work(mostBytes)
      } finally {
        reserved -= mostBytes
      }
    },
  }
}

/** Its code says that this machine is at fault. */
const full = (): Error =>
  Object.assign(
    new Error(
      'media in use take all the room that FONDS_MEDIA_DECODED_BYTES gives; raise it where the disk has more',
    ),
    { code: 'EDQUOT' },
  )
