/** Rows of the first page: how large they are is not known yet. */
const firstRows = 32
/** More rows are no faster, and their texts live longer. */
const mostRows = 500

interface Bounds {
  /** Most rows. */
  readonly limit: number
  /** The row with which the rows reach this size is the last. */
  readonly maxSize: number
}

/**
 * Takes rows in their order until the bounds are reached, page by page: SQLite gives a page in less time than its rows one by one. `read`
 * gives at most so many rows behind a row, `take` answers the size of a row. A page is about as large as what is left of `maxSize`,
 * if rows are as large as those before. Answers the size of all.
 */
export const takePages = <Row>(
  read: (behind: Row | undefined, rows: number) => readonly Row[],
  take: (row: Row) => number,
  { limit, maxSize }: Bounds,
): number => {
  let last: Row | undefined
  let size = 0
  for (let rows = 0; rows < limit && size < maxSize; ) {
    const fitting = rows === 0 ? firstRows : Math.ceil(((maxSize - size) * rows) / Math.max(1, size))
    const wanted = Math.min(limit - rows, mostRows, fitting)
    const page = read(last, wanted)
    for (const row of page) {
      size += take(row)
      if (size >= maxSize) return size
    }
    if (page.length < wanted) return size
    rows += page.length
    last = page.at(-1)
  }
  return size
}
