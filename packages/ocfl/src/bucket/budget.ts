/** Bounds the bytes that are held at once. One piece that is larger than the bound is held alone. */
export interface Budget {
  /** Resolves once there is room, with the function that gives it back. */
  take(bytes: number): Promise<() => void>
}

export const createBudget = (most: number): Budget => {
  let used = 0
  const waiting: (() => void)[] = []
  const fits = (bytes: number) => used === 0 || used + bytes <= most
  return {
    take: async (bytes) => {
      while (!fits(bytes)) await new Promise<void>((resolve) => waiting.push(resolve))
      used += bytes
      return () => {
        used -= bytes
        for (const wake of waiting.splice(0)) wake()
      }
    },
  }
}
