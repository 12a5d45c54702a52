import { useRef } from 'preact/hooks'
import type { Shown } from '../api/use-answer.ts'

/** Rows of a long list that were asked for together. */
interface Part<Row> {
  readonly offset: number
  readonly rows: readonly Row[]
  readonly total: number
}

/** So many rows are asked for at once, from a whole number of half as many on: what is seen lies within, before and after a step. */
export const windowRows = 200
export const windowAt = (first: number): number => Math.floor(first / (windowRows / 2)) * (windowRows / 2)

/** Rows as a `LongList` takes them: while the next are on their way, the last ones stay. `key`: which list it is. */
export const useWindow = <Row>(
  { answered }: Shown<{ readonly rows: readonly Row[]; readonly total: number }>,
  offset: number,
  key: string,
) => {
  const kept = useRef<Part<Row> & { readonly key: string }>(undefined)
  if (answered) kept.current = { key, offset, ...answered.data }
  const part = kept.current?.key === key ? kept.current : undefined
  return part && { total: part.total, at: (i: number): Row | undefined => part.rows[i - part.offset] }
}
