import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, Refused } from '../../api/client.ts'
import { type Chosen, maxChosen } from './chosen.ts'
import { type AskRows, rowsBetween } from './find-rows.ts'

/** Rows of a list that are chosen, by their key, in the order in which they were. */
export interface Selection<Row> {
  readonly chosen: ReadonlyMap<string, Chosen<Row>>
  readonly keyOf: (row: Row) => string
  readonly ask: AskRows<Row>
  /** Chooses a row, or no longer; with `isRange`, all from the last one to it. */
  readonly toggle: (key: string, isRange: boolean) => void
  /** All of the list, up to the most that can be chosen. */
  readonly chooseAll: () => void
  /** Rows that are to be chosen are asked for. */
  readonly isAsking: boolean
  /** Why they could not be had. */
  readonly problem: Problem | undefined
  /** Takes a row as it is now; undefined: it is not chosen any more. */
  readonly put: (key: string, now: Chosen<Row> | undefined) => void
  readonly clear: () => void
}

interface ListSeen<Row> {
  /** Which list it is: of another one nothing is chosen. */
  readonly list: string
  /** Those of its rows that are there, and the place of the first. */
  readonly rows: readonly Row[]
  readonly first: number
  readonly keyOf: (row: Row) => string
  readonly ask: AskRows<Row>
}

export const useSelection = <Row>({ list, rows, first, keyOf, ask }: ListSeen<Row>): Selection<Row> => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen<Row>>>(new Map())
  const [asking, setAsking] = useState<{ readonly isUnderWay?: boolean; readonly problem?: Problem }>({})
  const last = useRef<{ readonly key: string; readonly place: number }>(undefined)
  const clear = () => setChosen(new Map())
  useEffect(() => {
    last.current = undefined
    clear()
  }, [list])
  const add = (more: readonly Chosen<Row>[]) =>
    setChosen(
      (before) =>
        new Map([...before, ...more.map((one) => [keyOf(one.row), one] as const)].slice(0, maxChosen)),
    )
  const addBetween = async (from: number, to: number) => {
    setAsking({ isUnderWay: true })
    try {
      add(await rowsBetween(ask, from, to))
      setAsking({})
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setAsking({ problem: error.problem })
    }
  }
  const placeOf = (key: string): number | undefined => {
    const i = rows.findIndex((row) => keyOf(row) === key)
    return i === -1 ? undefined : first + i
  }
  const put = (key: string, now: Chosen<Row> | undefined) =>
    setChosen((before) => {
      const after = new Map(before)
      if (now === undefined) after.delete(key)
      else after.set(key, now)
      return after
    })
  return {
    chosen,
    keyOf,
    ask,
    clear,
    put,
    isAsking: asking.isUnderWay === true,
    problem: asking.problem,
    chooseAll: () => void addBetween(0, maxChosen),
    toggle: (key, isRange) => {
      const place = placeOf(key)
      if (place === undefined) return
      const begin = last.current
      last.current = { key, place }
      if (isRange && begin !== undefined) {
        const from = placeOf(begin.key) ?? begin.place
        const [low, high] = [Math.min(from, place), Math.max(from, place)]
        const isSeen = low >= first && high < first + rows.length
        if (isSeen) add(rows.slice(low - first, high + 1 - first).map((row, i) => ({ row, place: low + i })))
        else void addBetween(low, high + 1)
      } else if (isRange || !chosen.has(key)) add([{ row: rows[place - first]!, place }])
      else put(key, undefined)
    },
  }
}
