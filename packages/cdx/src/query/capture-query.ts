import type { CaptureLine } from './capture-line.ts'
import type { KeyRange } from './key-ranges.ts'

/** A decoded query, independent of the dialect. */
export interface CaptureQuery {
  readonly keys: CaptureKeys
  /** Absent: as the index is sorted. */
  readonly order?: 'backwards' | ClosestFirst
  /** 14 digits; captures of that second are in. */
  readonly from?: string
  /** 14 digits; captures of that second are in. */
  readonly to?: string
  /** All have to hold. */
  readonly filters?: readonly Condition[]
  /** One after the other, on what the one before has left. */
  readonly collapses?: readonly Collapse[]
  /** So many of what is found are left out. */
  readonly offset?: number
  readonly limit?: number
  /** Behind the last line of an earlier answer; not with `ClosestFirst`, nor with `page`. */
  readonly resume?: ResumePoint
  /** A resume point is wanted where there is more than `limit`: the next one is looked for. */
  readonly looksForMore?: boolean
  /** Counts lines that may be shown, before times and filters: `skip` are passed over, `take` are read. */
  readonly page?: { readonly skip: number; readonly take: number }
}

/** One key, or ranges of keys in the order of the index. */
export type CaptureKeys = { readonly key: string } | { readonly ranges: readonly KeyRange[] }

export interface ClosestFirst {
  /** 1 to 14 digits; what is missing is the earliest. */
  readonly closest: string
  /** Which of two comes first that are as near. */
  readonly tie: 'earlier' | 'later'
}

export type Condition = (line: CaptureLine) => boolean

/** Shows one of consecutive lines that have the same value. */
export interface Collapse {
  readonly value: (line: CaptureLine) => string
  readonly keeps: 'first' | 'last'
}

/** The last line that an answer looked at, by its key, its time, and its place among the lines that have both, from 1. */
export interface ResumePoint {
  readonly key: string
  readonly time: string
  readonly place: number
}

/** Why an answer ends before all was looked at: `limit` lines were found, `scan` lines were looked at, or so long was looked. */
export type Cut = 'limit' | 'scan' | 'time'

export interface SearchEnd {
  /** Lines that were looked at. */
  readonly scanned: number
  readonly cut?: Cut
  /** Where to go on. */
  readonly resume?: ResumePoint
}

/** Some of what was found; the last page has the end. */
export interface CapturePage {
  readonly lines: readonly CaptureLine[]
  readonly end?: SearchEnd
}
