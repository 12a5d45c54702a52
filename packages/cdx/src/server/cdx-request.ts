import type { CaptureQuery } from '../query/capture-query.ts'
import type { CdxOutput } from './outputs.ts'
import type { Decoded } from './parameters.ts'

/** A request to the CDX server, of any dialect. */
export interface CdxRequest {
  readonly query: CaptureQuery
  readonly output: CdxOutput
  /** The query runs backwards, and what it finds is shown forwards: the last so many. */
  readonly isTurned?: true
  /** Pages are counted, and no captures shown. */
  readonly counting?: PageCounting
  /** Where there is more, the answer ends with where to go on. */
  readonly showsResumeKey?: boolean
}

export interface PageCounting {
  readonly contentType: string
  readonly linesOfPage: number
  /** How the dialect says so many lines. */
  readonly say: (lines: number) => string
}

/** Reads what stands behind the question mark. Parameters that a dialect does not have mean nothing to it. */
export type Dialect = (parameters: URLSearchParams) => Decoded<CdxRequest>
