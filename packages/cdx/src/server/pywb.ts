import { sequenceS } from 'fp-ts/lib/Apply.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CaptureQuery, Collapse } from '../query/capture-query.ts'
import { earliest, lastSecond, latest } from '../query/time-bounds.ts'
import type { CdxRequest, Dialect, PageCounting } from './cdx-request.ts'
import { pywbFilters } from './filters.ts'
import { alternatives, keysAsked, meant } from './keys-asked.ts'
import { type CdxOutput, cdxjLines, fieldLines, jsonLines, linkLines, storedLines } from './outputs.ts'
import { blockLines, pageOf, pagesIn } from './paging.ts'
import {
  type Field,
  fieldsOf,
  flagOf,
  namedFields,
  numberOf,
  refuseNamed,
  resumeOf,
  timeOf,
  wordOf,
} from './parameters.ts'

/** pywb's own CDX server. */
export const pywb: Dialect = (parameters) =>
  pipe(
    sequenceS(E.Applicative)({
      asked: keysAsked(parameters, ['exact', 'prefix', 'host', 'domain']),
      sort: wordOf(parameters, 'sort', ['default', 'reverse', 'closest']),
      closest: timeOf(parameters, 'closest'),
      from: timeOf(parameters, parameters.has('from') ? 'from' : 'from_ts'),
      to: timeOf(parameters, 'to'),
      filters: pywbFilters(parameters),
      collapseTime: numberOf(parameters, 'collapseTime', 1, 14),
      fields: fieldsOf(parameters, ['fields', 'fl']),
      output: wordOf(parameters, 'output', ['cdxj', 'json', 'text', 'link']),
      limit: numberOf(parameters, 'limit', 1),
      page: numberOf(parameters, 'page'),
      pageSize: numberOf(parameters, 'pageSize', 1, maxPageSize),
      resume: resumeOf(parameters),
      others: refuseNamed(parameters, ['resolveRevisits', 'showPagedIndex']),
    }),
    E.map((decoded): CdxRequest => {
      const { asked, sort, closest, from, to, filters, collapseTime, fields, output, limit, resume } = decoded
      const pageSize = decoded.pageSize ?? defaultPageSize
      const isReverse = sort === 'reverse' || flagOf(parameters, 'reverse')
      const query: CaptureQuery = {
        keys: asked.keys,
        ...orderOf(closest, isReverse),
        ...(from !== undefined && { from: earliest(from) }),
        ...(to !== undefined && { to: latest(to) }),
        filters: [...filters, ...meant(asked)],
        collapses:
          collapseTime === undefined
            ? []
            : [byTimeAndStatus(collapseTime, isReverse && !closest ? 'last' : 'first')],
        limit: limit ?? defaultLimit,
        ...(decoded.page !== undefined && { page: pageOf(decoded.page, pageSize) }),
        ...(resume && { resume }),
      }
      return {
        query,
        ...alternatives(asked),
        output: outputOf(output ?? 'cdxj', fields),
        ...(flagOf(parameters, 'showNumPages') && { counting: countingOf(pageSize) }),
      }
    }),
  )

const defaultLimit = 100_000
/** In blocks. */
const defaultPageSize = 10
const maxPageSize = 1000

/** `closest` needs no `sort`; a truncated time means its last second. */
const orderOf = (closest: string | undefined, isReverse: boolean): Pick<CaptureQuery, 'order'> => {
  if (closest !== undefined) return { order: { closest: lastSecond(closest), tie: 'earlier' } }
  return isReverse ? { order: 'backwards' } : {}
}

/** The original collapses first, then reverses: the first of a group is the last one met backwards. */
const byTimeAndStatus = (digits: number, keeps: Collapse['keeps']): Collapse => ({
  value: (line) => `${line.time.slice(0, digits)} ${line.field('status')}`,
  keeps,
})

const names = namedFields(
  'urlkey timestamp url mime status digest redirect robotflags length offset filename orig.length orig.offset orig.filename',
)

const outputOf = (
  output: 'cdxj' | 'json' | 'text' | 'link',
  fields: readonly Field[] | undefined,
): CdxOutput => {
  switch (output) {
    case 'cdxj':
      return cdxjLines(fields)
    case 'json':
      return jsonLines(fields ?? names)
    case 'text':
      return fields ? fieldLines(fields) : storedLines
    case 'link':
      return linkLines
  }
}

const countingOf = (pageSize: number): PageCounting => ({
  contentType: 'application/json',
  linesOfPage: pageSize * blockLines,
  say: (lines) =>
    `${JSON.stringify({ pages: pagesIn(lines, pageSize), pageSize, blocks: Math.ceil(lines / blockLines) })}\n`,
})
