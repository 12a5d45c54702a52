import type { Value } from '../../../../src/domain/kernel/view.ts'
import { before, count, far } from './tables.ts'

/*
 * The way from a row to the records of its past. Numbers of records grow with time, and each record has its own way back: so a record of
 * any moment is found in few steps, and nothing of what was written is ever changed.
 */

/** It grows with each record; one that is undefined leads nowhere. */
export interface Back {
  /** So many records the row has. */
  count: number
  /** The last one; null where there is none. */
  before: number | null
  /** The last one of each second, of each fourth, and so on; from older programs of each eighth, of each 64th. */
  far: readonly number[]
}

const step = 2

export const backColumns = [count, before, far]

export const backValues = (back: Back | undefined): readonly Value[] =>
  back ? [back.count, back.before, back.far.length > 0 ? back.far.join() : null] : [0, null, null]

export const readBack = ([count, before, far]: readonly (Value | undefined)[]): Back => ({
  count: Number(count),
  before: before === undefined || before === null ? null : Number(before),
  far: typeof far === 'string' ? far.split(',').map(Number) : [],
})

/** With one record more. */
export const withRecord = (back: Back | undefined, record: number): Back => {
  if (!back) return { count: 1, before: record, far: [] }
  back.count++
  back.before = record
  if (back.count % step === 0) {
    const far = [...back.far]
    for (let level = 0, each = step; back.count % each === 0; level++, each *= step) far[level] = record
    back.far = far
  }
  return back
}

/** The oldest record on the way that is not before `bound`. */
export const oldestFrom = ({ before, far }: Back, bound: number): number | undefined => {
  if (before === null || before < bound) return undefined
  let found = before
  for (const record of far) if (record >= bound && record < found) found = record
  return found
}
