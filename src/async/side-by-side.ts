/**
 * Does the work on each item, at most `most` at once. Tries all of them, then throws the first failure: nothing is
 * still at work then.
 */
export const sideBySide = async <A, B>(
  items: readonly A[],
  most: number,
  work: (item: A) => Promise<B>,
): Promise<B[]> => {
  const results: B[] = []
  const failures: unknown[] = []
  const waiting = items.values()
  const takeTurns = async () => {
    for (const item of waiting)
      try {
        results.push(await work(item))
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns))
  if (failures.length > 0) throw failures[0]
  return results
}
