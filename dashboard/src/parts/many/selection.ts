import { useEffect, useState } from 'preact/hooks'
import { between } from './between.ts'

/** Most rows that one act is given for. */
export const maxChosen = 10_000

/** Rows of a list that are chosen, by their key, in the order in which they were. */
export interface Selection<Row> {
  readonly chosen: ReadonlyMap<string, Row>
  readonly toggle: (key: string, isRange: boolean) => void
  readonly choose: (rows: readonly Row[]) => void
  readonly clear: () => void
}

/** Of another list nothing is chosen. With shift, all from the last one to this one are. */
export const useSelection = <Row>(
  list: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Selection<Row> => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const [last, setLast] = useState<string>()
  const clear = () => setChosen(new Map())
  useEffect(clear, [list])
  return {
    chosen,
    clear,
    choose: (more) =>
      setChosen(
        (before) =>
          new Map([...before, ...more.map((row) => [keyOf(row), row] as const)].slice(0, maxChosen)),
      ),
    toggle: (key, isRange) => {
      const byKey = new Map(rows.map((row) => [keyOf(row), row]))
      const keys = isRange ? between([...byKey.keys()], last, key) : [key]
      setLast(key)
      setChosen((before) => {
        const after = new Map(before)
        const isTaken = isRange || !before.has(key)
        for (const one of keys) {
          const row = byKey.get(one)
          if (isTaken && row !== undefined) after.set(one, row)
          else after.delete(one)
        }
        return after
      })
    },
  }
}
