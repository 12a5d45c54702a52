/**
 * Yields the results of the work in the order of the items, with up to `most` of them under way at once: later ones are
 * begun while an earlier one is not done. Throws the first failure in that order; those under way then go on.
 */
export async function* workAhead<A, B>(
  items: Iterable<A>,
  most: number,
  work: (item: A) => Promise<B>,
): AsyncGenerator<B> {
  const running: Promise<B>[] = []
  for (const item of items) {
    const result = work(item)
    // It is awaited later: until then its failure is nobody's.
    if (most > 1) result.catch(() => {})
    running.push(result)
    if (running.length >= most) yield running.shift() as Promise<B>
  }
  for (const result of running) yield result
}
