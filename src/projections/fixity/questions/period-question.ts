import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { stores } from '../../../domain/fixity/views.ts'
import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import { sinceOf } from '../../../domain/kernel/since.ts'
import { Flag } from '../../../domain/kernel/text-codecs.ts'
import { question } from '../../runtime/question.ts'
import { type Block, columns, toTheSecond } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { useSentence } from './bucket-use-answer.ts'
import { noSuchStore, unknownStore } from './known.ts'
import { PeriodReport, PeriodStep, periodReport } from './period.ts'

type Answer = t.TypeOf<typeof PeriodReport>

/** Leaves out steps without any amount, and says how many. */
const stepsText = (steps: Answer['steps']): readonly Block[] => {
  const busy = steps.filter(({ step: _, ...amounts }) => Object.values(amounts).some((amount) => amount > 0))
  const idle = steps.length - busy.length
  return [
    ...(busy.length > 0
      ? [
          {
            rows: busy,
            columns: columns('step', 'successes', 'unread', 'failures', 'unverified', 'opened', 'settled'),
          },
        ]
      : []),
    ...(idle > 0 ? [`nothing in ${busy.length > 0 ? `${count(idle)} others` : 'all of it'}`] : []),
  ]
}

const maxShown = 20

/** A sentence for each finding: what was found, and how it was resolved. */
const findingsText = (findings: Answer['findings']): readonly string[] => [
  ...findings.slice(0, maxShown).map(({ openedAt, closedAt, store, path, summary, how, reason }) => {
    const end =
      closedAt === null ? 'Open.' : `Settled ${closedAt.slice(0, 10)} as ${how}${reason ? `: ${reason}` : ''}`
    return `${openedAt.slice(0, 10)} ${store}/${path}: ${summary} ${end}`
  }),
  ...(findings.length > maxShown
    ? [`and ${count(findings.length - maxShown)} more: --format json has them`]
    : []),
]

/** Checks, findings and their resolutions in a month, a quarter, a year. */
export const period = question({
  name: 'period',
  path: 'reports/fixity/period',
  operationId: 'fixityPeriod',
  tag: 'reports',
  summary: 'What was checked, found and settled in a period, and how that changed.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'This store alone.', codec: Text, example: 'main', argument: 'store' },
    prefix: { description: 'Paths that start so.', codec: Text, example: 'letters/', value: 'path' },
    since: {
      description: 'Its beginning: a time with a zone, or so long ago (90d, 12h). 90d unless said.',
      codec: t.string,
      default: '90d',
      example: '2026-01-01T00:00:00Z',
      value: 'when',
    },
    until: {
      description: 'Its end: a time with a zone, or so long ago; now unless said.',
      codec: t.string,
      example: '2026-04-01T00:00:00Z',
      value: 'when',
    },
    counts: {
      description:
        'Counts alone: no reasons of what is unverified, and no findings. Fast, whatever the number of items.',
      codec: Flag,
      value: 'true|false',
    },
  },
  answer: PeriodReport,
  returns: 'The period.',
  schemaName: 'FixityPeriod',
  rejections: {
    ...noSuchStore,
    'invalid-period': {
      status: 400,
      description:
        '`since` or `until` is neither a time with a zone nor a period, or the end is not behind the beginning.',
    },
  },
  ask: (views, { since, until, ...scope }, { now }) => {
    const from = sinceOf(since, now)
    const to = until === undefined ? now : sinceOf(until, now)
    if (from === undefined || to === undefined || from >= to)
      return E.left({
        code: 'invalid-period',
        message: `from ${since} to ${until ?? 'now'} is no period`,
        hint: 'times with a zone, such as 2026-01-01T00:00:00Z, or 90d, 12h; the end lies behind the beginning',
      })
    const { store } = scope
    if (store !== undefined && !row(views, stores, is('store', store))) return E.left(unknownStore(store))
    return E.right(periodReport(views, from, to, scope))
  },
  rows: { row: PeriodStep, of: ({ steps }) => steps },
  show: (answer) => [
    `From ${toTheSecond(answer.since)} to ${toTheSecond(answer.until)}`,
    `${plural(answer.successes + answer.unread + answer.failures + answer.unverified, 'check')}: ${count(answer.successes)} successes, ` +
      (answer.unread > 0 ? `${count(answer.unread)} unread, whose records agree, ` : '') +
      `${plural(answer.failures, 'failure')}, ${count(answer.unverified)} unverified`,
    `${plural(answer.opened, 'finding')} opened, ${count(answer.settled)} settled` +
      `${answer.settlements.map(({ how, count: n }) => ` (${count(n)} ${how})`).join('')}; ` +
      `${count(answer.openBefore)} open before, ${count(answer.openAfter)} after`,
    ...answer.reads.map(
      ({ store, checks, bytes: read }) =>
        `Checks of ${store} read ${bytes(read)} on its days (UTC), in ${plural(checks, 'attempt')}`,
    ),
    ...answer.requests.map((use) => `Asked of the bucket of ${use.store} on these days: ${useSentence(use)}`),
    ...(answer.whyUnverified.length > 0 ? ['Unverified now:'] : []),
    ...answer.whyUnverified.map(({ because, count: n }) => `  ${count(n)}: ${because}`),
    ...stepsText(answer.steps),
    ...findingsText(answer.findings),
  ],
  examples: [
    ['period', 'the last 90 days'],
    ['period archive --since 2026-01-01T00:00:00Z --until 2026-04-01T00:00:00Z', 'a quarter'],
    ['period --since 365d --format csv', 'month by month, for a spreadsheet'],
  ],
})
