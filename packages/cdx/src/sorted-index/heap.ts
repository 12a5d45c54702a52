/** A heap of items, whose least one can be dropped, or moved to its place after it grew. */
export interface Heap<A> {
  least(): A | undefined
  /** Restores the order after the least item has grown. */
  sift(): void
  drop(): void
}

export const createHeap = <A>(items: A[], compare: (a: A, b: A) => number): Heap<A> => {
  const sink = (from: number) => {
    for (let at = from; ; ) {
      const left = 2 * at + 1
      if (left >= items.length) return
      const right = left + 1
      const child = right < items.length && compare(items[right]!, items[left]!) < 0 ? right : left
      if (compare(items[child]!, items[at]!) >= 0) return
      const moved = items[at]!
      items[at] = items[child]!
      items[child] = moved
      at = child
    }
  }
  for (let i = (items.length >> 1) - 1; i >= 0; i--) sink(i)

  return {
    least: () => items[0],
    sift: () => sink(0),
    drop: () => {
      const last = items.pop()
      if (items.length === 0 || last === undefined) return
      items[0] = last
      sink(0)
    },
  }
}
