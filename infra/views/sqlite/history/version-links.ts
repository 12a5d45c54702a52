import type { Value } from '../../../../src/domain/kernel/view.ts'
import { before, count, far } from './tables.ts'

/*
 * The links from a row to the records of its earlier versions. Numbers of records grow with time, and each record has the links
 * that the row had before it: the record of any moment is found in few steps, and nothing that was written is changed.
 */

/** Undefined: the row has no records. Each record changes it. */
export interface Links {
  /** Number of records. */
  count: number
  /** The last one; null if there is none. */
  before: number | null
  /** The last record whose count is a multiple of two, of four, and so on; from older programs of eight, of 64. */
  far: readonly number[]
}

const step = 2

export const linkColumns = [count, before, far]

export const linkValues = (links: Links | undefined): readonly Value[] =>
  links ? [links.count, links.before, links.far.length > 0 ? links.far.join() : null] : [0, null, null]

export const readLinks = ([count, before, far]: readonly (Value | undefined)[]): Links => ({
  count: Number(count),
  before: before === undefined || before === null ? null : Number(before),
  far: typeof far === 'string' ? far.split(',').map(Number) : [],
})

/** Adds a record. */
export const withRecord = (links: Links | undefined, record: number): Links => {
  if (!links) return { count: 1, before: record, far: [] }
  links.count++
  links.before = record
  if (links.count % step === 0) {
    const far = [...links.far]
    for (let level = 0, each = step; links.count % each === 0; level++, each *= step) far[level] = record
    links.far = far
  }
  return links
}

/** Returns the oldest linked record that is not before `bound`. */
export const oldestFrom = ({ before, far }: Links, bound: number): number | undefined => {
  if (before === null || before < bound) return undefined
  let found = before
  for (const record of far) if (record >= bound && record < found) found = record
  return found
}
