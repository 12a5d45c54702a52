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
  /** A line must meet all of them. */
  readonly filters?: readonly Condition[]
  /** Applied one after the other, each to the result of the one before. */
  readonly collapses?: readonly Collapse[]
  /** Number of found lines that are left out. */
  readonly offset?: number
  readonly limit?: number
  /** Continues behind the last line of an earlier answer; not with `ClosestFirst`, nor with `page`. */
  readonly resume?: ResumePoint
  /** Looks for a line beyond `limit`, for a resume point if there are more. */
  readonly detectsMore?: boolean
  /** Skips and takes lines, counted among those that may be shown, before times and filters. */
  readonly page?: { readonly skip: number; readonly take: number }
}

/** One key, or ranges of keys in the order of the index. */
export type CaptureKeys = { readonly key: string } | { readonly ranges: readonly KeyRange[] }

export interface ClosestFirst {
  /** 1 to 14 digits; missing ones mean the earliest time. */
  readonly closest: string
  /** Which of two equally near lines comes first. */
  readonly tie: 'earlier' | 'later'
}

export type Condition = (line: CaptureLine) => boolean

/** Shows one of consecutive lines that have the same value. */
export interface Collapse {
  readonly value: (line: CaptureLine) => string
  readonly keeps: 'first' | 'last'
}

/** The last line that an answer scanned: key, time, and place among the lines with both, from 1. */
export interface ResumePoint {
  readonly key: string
  readonly time: string
  readonly place: number
}

/** Why an answer ends early: by the limit of lines found, of lines scanned, or of time. */
export type Cut = 'limit' | 'scan' | 'time'

export interface SearchEnd {
  /** Number of lines that were scanned. */
  readonly scanned: number
  readonly cut?: Cut
  /** Where to continue. */
  readonly resume?: ResumePoint
  /** The query is for a page behind the last one. */
  readonly isBehindLastPage?: true
}

/** Some of the lines that were found; the last page has the end. */
export interface CapturePage {
  readonly lines: readonly CaptureLine[]
  readonly end?: SearchEnd
}
