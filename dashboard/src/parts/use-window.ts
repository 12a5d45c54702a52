import { useRef } from 'preact/hooks'
import type { Shown } from '../api/use-answer.ts'

/** Some rows of a list, and how many it has. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** So many rows are asked for at once, from a whole number of half as many on: what is seen lies within, before and after a step. */
export const windowRows = 200
export const windowAt = (first: number): number => Math.floor(first / (windowRows / 2)) * (windowRows / 2)

/** Rows as a `LongList` takes them: while the next are on their way, the last ones stay. */
export const useWindow = <Row>({ answered }: Shown<Rows<Row>>, offset: number) => {
  const kept = useRef<Rows<Row> & { readonly offset: number }>(undefined)
  if (answered) kept.current = { offset, ...answered.data }
  const part = kept.current
  return (
    part && {
      total: part.total,
      at: (i: number): Row | undefined => part.rows[i - part.offset],
      rows: part.rows,
      first: part.offset,
    }
  )
}
