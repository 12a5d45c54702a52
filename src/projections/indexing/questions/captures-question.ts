import { type CaptureQuery, surt } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { TimeDigits } from '../../../domain/indexing/captures/time-digits.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { limit, offset } from '../../runtime/field.ts'
import { commandLine } from '../../runtime/finder.ts'
import { question } from '../../runtime/question.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'
import { indexing } from '../projection.ts'
import { calendarPage } from './calendar-page.ts'
import { CaptureRow, captureColumns, captureRow } from './capture-rows.ts'
import { captureScope, capturesAsked, queryOf } from './capture-scope.ts'
import { Captures } from './captures-answer.ts'
import { countDays } from './count-days.ts'

export const capturesQuestion = question({
  name: 'captures',
  operationId: 'listCaptures',
  summary: 'The captures of a URL that are in the index, and how many each day has.',
  description: 'As HTML it is a calendar: one page that stands alone.',
  projection: indexing,
  needsViews: false,
  history: 'log',
  input: {
    ...captureScope,
    closest: {
      description: 'Those nearest to this time first (UTC); of one URL alone.',
      codec: TimeDigits,
      value: 'time',
      example: '20260131120000',
    },
    offset: { ...offset, description: 'Captures to pass over; none unless said.' },
    limit: { ...limit, description: 'Most captures that are listed; 1000 unless said.' },
  },
  answer: Captures,
  returns: 'The captures, and the days.',
  schemaName: 'Captures',
  rejections: {
    'closest-of-many': { status: 400, description: 'The nearest are known of one URL alone.' },
  },
  ask: async (_, { closest, offset, limit, ...scope }, asking) => {
    const query = queryOf(scope)
    if (closest !== undefined && scope.match !== 'exact')
      return E.left({
        code: 'closest-of-many' as const,
        message: `closest: the nearest captures are known of one URL alone; leave out match=${scope.match}`,
        path: 'closest',
      })
    const source = await capturesAsked(asking)
    const order = closest === undefined ? {} : { order: { closest, tie: 'earlier' } as const }
    const captures = await firstRows(source, { ...query, ...order, offset, limit })
    const { days, total, end } = await countDays(source, query, asking.signal)
    const key = surt(scope.url)
    const replay = asking.of.indexing.replay ?? null
    return E.right({ url: scope.url, key, captures, total, isCut: end.cut !== undefined, days, replay })
  },
  prints: 'rows',
  rows: { row: CaptureRow, of: ({ captures }) => captures },
  show: ({ captures }) => [{ rows: captures, columns: captureColumns }],
  nothing: ({ captures, key, url }) =>
    captures.length === 0
      ? url.endsWith('*')
        ? `nothing is in the index under ${key}: \`${commandLine('indexing captures', url.replace(/\*+$/, ''))} --match prefix\` lists all that begin so`
        : `nothing is in the index under ${key}: \`fonds indexing why ${url.includes('/') ? url : `http://${url}`}\` says more`
      : undefined,
  remarks: ({ captures: { length }, total, days, isCut }) =>
    total === 0
      ? []
      : [
          `${plural(total, 'capture')} on ${plural(days.length, 'day')}${length < total ? `; ${count(length)} are shown (--offset, --limit)` : ''}`,
          ...(isCut ? ['not all were counted: ask for less, with --from and --to'] : []),
        ],
  pictures: [
    {
      format: 'html',
      contentType: 'text/html',
      flag: 'write it as a page with a calendar',
      draw: (answer) => E.right(calendarPage(answer)),
    },
  ],
  examples: [
    ['captures http://example.org/', 'the oldest first'],
    ['captures example.org --match domain --from 2026', 'of all its hosts, since 2026'],
    ['captures http://example.org/ --closest 20260131 --limit 5', 'the five nearest to a day'],
    ['captures http://example.org/ --html calendar.html', 'a page with a calendar'],
  ],
})

const firstRows = async (source: CaptureSource, query: CaptureQuery): Promise<readonly CaptureRow[]> => {
  const found: CaptureRow[] = []
  for await (const { lines } of findCaptures(source, query)) found.push(...lines.map(captureRow))
  return found
}
