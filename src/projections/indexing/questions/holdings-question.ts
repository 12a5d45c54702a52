import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { limit } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { indexing } from '../projection.ts'
import { captureScope, capturesAsked, queryOf } from './capture-scope.ts'
import { Aspects, allAspects, HoldingsLine, holdings } from './holdings.ts'

const { url, match, from, to } = captureScope

export const holdingsQuestion = question({
  name: 'holdings',
  operationId: 'indexHoldings',
  summary: 'How many captures the index has, by host, type, year and status: the most first.',
  description:
    'All lines are read, so that over HTTP a large index is counted in part, which `isCut` says. Rows that there is no room for are ' +
    'one row, `others`.',
  projection: indexing,
  needsViews: false,
  history: 'log',
  input: {
    by: {
      description: 'Counted by these: host, type, year, status, with commas between; by all unless said.',
      codec: Aspects,
      default: allAspects,
      value: 'names',
      example: 'host,year',
    },
    within: {
      description: 'Of this URL or host alone, by match.',
      codec: url.codec,
      value: 'url',
      example: 'example.org',
    },
    match: { ...match, description: 'As in captures; domain unless said.', default: 'domain' },
    ...{ from, to, limit },
  },
  answer: t.type({ holdings: t.readonlyArray(HoldingsLine), captures: t.number, isCut: t.boolean }),
  returns: 'The rows, and how many captures were counted.',
  ask: async (_, { by, within, limit: most, ...scope }, asking) => {
    const { keys, ...times } = queryOf({ ...scope, url: within ?? '' })
    const query = { ...times, keys: within === undefined ? { ranges: [{ from: '' }] } : keys }
    const { lines, captures, isCut } = await holdings(await capturesAsked(asking), query, by, asking.signal)
    return E.right({ holdings: lines.slice(0, most), captures, isCut })
  },
  prints: 'rows',
  rows: { row: HoldingsLine, of: (answer) => answer.holdings },
  show: (answer, { input: { by } }) => [
    {
      rows: answer.holdings,
      columns: [
        ...by.map((key, i) => ({
          key,
          show: (value: unknown, { others }: { readonly others?: unknown }) =>
            others === true && i === 0 ? 'others' : String(value ?? ''),
        })),
        { key: 'captures', show: (n: unknown) => count(Number(n)) },
      ],
    },
  ],
  nothing: ({ captures }) => (captures === 0 ? 'nothing is in the index' : undefined),
  remarks: ({ holdings: { length }, captures, isCut }) =>
    captures === 0
      ? []
      : [
          `${plural(captures, 'capture')} in the index, ${plural(length, 'row')} shown`,
          ...(isCut ? ['not all were counted: ask for less'] : []),
        ],
  examples: [
    ['holdings', 'by host, type, year and status'],
    ['holdings --by year', 'how many captures each year has'],
    ['holdings --by type,status --within example.org', 'of a host and those beneath it'],
  ],
})
