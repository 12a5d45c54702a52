import type { CaptureKeys, CaptureQuery } from '../query/capture-query.ts'
import type { CdxOutput } from './outputs.ts'
import type { Decoded } from './parameters.ts'
import type { Relations } from './related-lines.ts'

/** A request to the CDX server, of any dialect. */
export interface CdxRequest {
  readonly query: CaptureQuery
  /** Keys that the query is for where no line has those before them. */
  readonly otherwise?: readonly CaptureKeys[]
  readonly output: CdxOutput
  /** The query runs backwards, and its last lines are shown forwards. */
  readonly isTurned?: true
  /** Counts pages, and shows no captures. */
  readonly counting?: PageCounting
  /** Relates lines to those before them; absent: each is shown by itself. */
  readonly relations?: Relations
  /** The answer ends with a resume key if there is more. */
  readonly showsResumeKey?: boolean
}

export interface PageCounting {
  readonly contentType: string
  readonly linesOfPage: number
  /** Formats a number of lines as the dialect does. */
  readonly say: (lines: number) => string
}

/** Decodes the parameters of a request. Ignores those that the dialect does not have. */
export type Dialect = (parameters: URLSearchParams) => Decoded<CdxRequest>
