/**
 * Shares the disk space for decoded media among the decoders of this process. Each reserves the largest recording, or what
 * is left, so that all together stay below the bound.
 */
interface Budget {
  /** Throws if no room is left, which is no failure of the recording. */
  within<A>(work: (maxBytes: number) => Promise<A>): Promise<A>
}

interface BudgetOptions {
  /** Bytes that may still be written. */
  readonly room: () => Promise<number>
  /** Limit of bytes for one recording. */
  readonly each: number
}

export const createBudget = ({ room, each }: BudgetOptions): Budget => {
  let reserved = 0
  return {
    within: async (work) => {
      const left = await room()
      const maxBytes = Math.min(each, left - reserved)
      if (maxBytes <= 0) throw full()
      reserved += maxBytes
      try {
        return await work(maxBytes)
      } finally {
        reserved -= maxBytes
      }
    },
  }
}

/** Its code marks it as a failure of this machine. */
const full = (): Error =>
  Object.assign(
    new Error(
      'media in use take all the room that FONDS_MEDIA_DECODED_BYTES gives; raise it where the disk has more',
    ),
    { code: 'EDQUOT' },
  )
