import { sequenceS } from 'fp-ts/lib/Apply.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CaptureQuery, Collapse } from '../query/capture-query.ts'
import { earliest, latest } from '../query/time-bounds.ts'
import type { CdxRequest, Dialect, PageCounting } from './cdx-request.ts'
import { iaFilters } from './filters.ts'
import { alternatives, keysAsked, meant } from './keys-asked.ts'
import { asText, type CdxOutput, fieldLines, jsonArrays } from './outputs.ts'
import { blockLines, pageOf, pagesIn } from './paging.ts'
import type { Decoded } from './parameters.ts'
import {
  collapseOf,
  type Field,
  fieldsOf,
  flagOf,
  namedFields,
  numberOf,
  refuseNamed,
  resumeOf,
  timeOf,
  wordOf,
  wrong,
} from './parameters.ts'

/** The Internet Archive's wayback-cdx-server. */
export const ia: Dialect = (parameters) =>
  pipe(
    sequenceS(E.Applicative)({
      asked: keysAsked(parameters, ['exact', 'prefix', 'host', 'domain']),
      sort: wordOf(parameters, 'sort', ['default', 'regular', 'reverse', 'closest']),
      closest: timeOf(parameters, 'closest'),
      from: timeOf(parameters, 'from'),
      to: timeOf(parameters, 'to'),
      filters: iaFilters(parameters),
      collapses: collapsesAsked(parameters),
      fields: fieldsOf(parameters, ['fl'], flagOf(parameters, 'showDupeCount')),
      output: wordOf(parameters, 'output', ['text', 'json']),
      limit: numberOf(parameters, 'limit', -1_000_000_000),
      offset: numberOf(parameters, 'offset'),
      page: numberOf(parameters, 'page', -1_000_000_000),
      pageSize: numberOf(parameters, 'pageSize', 1, defaultPageSize),
      resume: resumeOf(parameters),
      others: refuseNamed(parameters, ['showSkipCount', 'lastSkipTimestamp', 'showPagedIndex']),
    }),
    E.chain((decoded): Decoded<CdxRequest> => {
      const { asked, sort, closest, from, to, filters, collapses, fields, output, limit, offset, resume } =
        decoded
      const { page = -1, pageSize = defaultPageSize } = decoded
      const last =
        limit !== undefined && limit < 0 ? -limit : flagOf(parameters, 'fastLatest') ? (limit ?? 1) : 0
      const isOrdered = sort === 'reverse' || (sort === 'closest' && closest !== undefined)
      if (last > 0 && (isOrdered || resume || page >= 0))
        return wrong(
          'limit',
          'asks for the last captures; leave out sort, page and resumeKey, or send a limit from 1',
        )
      const countsDuplicates = flagOf(parameters, 'showDupeCount')
      if (countsDuplicates && (last > 0 || sort === 'closest'))
        return wrong(
          'showDupeCount',
          'counts from the first capture on; leave out sort=closest and fastLatest, or send a limit from 1',
        )
      const resolvesRevisits = flagOf(parameters, 'resolveRevisits')
      // The last captures end with the last one: nothing is behind it.
      const showsResumeKey = flagOf(parameters, 'showResumeKey') && last === 0
      const query: CaptureQuery = {
        keys: asked.keys,
        ...(last > 0 ? { order: 'backwards' } : orderOf(sort, closest)),
        ...(from !== undefined && { from: earliest(from) }),
        ...(to !== undefined && { to: latest(to) }),
        filters: [...filters, ...meant(asked)],
        collapses: last > 0 ? collapses.map((collapse) => ({ ...collapse, keeps: 'last' })) : collapses,
        limit: last > 0 ? Math.min(last, maxLast) : Math.min(limit || maxLimit, maxLimit),
        ...(offset !== undefined && { offset }),
        ...(page >= 0 && { page: pageOf(page, pageSize) }),
        ...(resume && { resume }),
        ...(showsResumeKey && { detectsMore: true }),
      }
      return E.right({
        query,
        ...alternatives(asked),
        output: outputOf(output ?? 'text', fields ?? (countsDuplicates ? [...names, duplicates] : names)),
        showsResumeKey,
        ...((resolvesRevisits || countsDuplicates) && { relations: { resolvesRevisits, countsDuplicates } }),
        ...(last > 0 && { isTurned: true }),
        ...(flagOf(parameters, 'showNumPages') && { counting: countingOf(pageSize) }),
      })
    }),
  )

const maxLimit = 150_000
/** These lines are held in memory to be reversed. */
const maxLast = 10_000
/** In blocks. */
const defaultPageSize = 50

const orderOf = (sort: string | undefined, closest: string | undefined): Pick<CaptureQuery, 'order'> => {
  if (sort === 'reverse') return { order: 'backwards' }
  return sort === 'closest' && closest !== undefined ? { order: { closest, tie: 'earlier' } } : {}
}

const collapsesAsked = (parameters: URLSearchParams): Decoded<readonly Collapse[]> =>
  E.traverseArray((text: string) => collapseOf('collapse', text, 'first'))(
    parameters.getAll('collapse').filter((text) => text !== ''),
  )

/** The fields that it shows the public. */
const names = namedFields('urlkey timestamp original mimetype statuscode digest length')

const duplicates: Field = { name: 'dupecount', column: 'dupecount' }

const outputOf = (output: 'text' | 'json', fields: readonly Field[]): CdxOutput =>
  output === 'json' ? jsonArrays(fields, asText) : fieldLines(fields)

const countingOf = (pageSize: number): PageCounting => ({
  contentType: 'text/plain',
  linesOfPage: pageSize * blockLines,
  // It counts the block in which captures would be: there is always a page.
  say: (lines) => `${Math.max(1, pagesIn(lines, pageSize))}\n`,
})
