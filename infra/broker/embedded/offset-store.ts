/** How far a partition is handled, on its way to the disk. */
interface OffsetStore {
  /** Resolves when the offset before this one is stored, and rejects where that failed. */
  put(next: number): Promise<void>
  /** Resolves when the last offset is stored. Rejects where that failed; another call tries again. */
  settled(): Promise<void>
}

/**
 * Stores offsets while the next batch is handled: what that writes is in the same transaction. `lost` is called where another
 * member has the partition now.
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
    // Whoever waits for it is told.
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
    settled: async () => {
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
