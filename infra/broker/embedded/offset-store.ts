/** Stores the handled offset of a partition. */
interface OffsetStore {
  /** Resolves when the offset before this one is stored, and rejects if that failed. */
  put(next: number): Promise<void>
  /** Resolves when the last offset is stored. Rejects if that failed; another call tries again. */
  flushed(): Promise<void>
}

/**
 * Stores offsets while the next batch is handled, in the same transaction as that batch's writes. `lost` is called if
 * another member has the partition now.
 */
export const createOffsetStore = (
  from: number,
  commit: (next: number) => Promise<boolean>,
  lost: () => void,
): OffsetStore => {
  let wanted = from
  let stored = from
  let storing: Promise<void> | undefined

  const begin = (): Promise<void> => {
    const next = wanted
    const begun = commit(next).then((isHeld) => {
      stored = next
      if (!isHeld) lost()
    })
    // The rejection is handled by those that wait for it.
    begun.catch(() => {})
    return begun
  }

  return {
    put: async (next) => {
      const before = storing
      wanted = next
      storing = begin()
      await before
    },
    flushed: async () => {
      if (stored === wanted) return
      storing ??= begin()
      try {
        await storing
      } finally {
        storing = undefined
      }
    },
  }
}
