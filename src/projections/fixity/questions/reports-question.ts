import * as t from 'io-ts'
import { sentReports } from '../../../domain/fixity/views.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { countRows, is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { namesOf } from '../../runtime/people-shown.ts'
import { list } from '../../runtime/question.ts'
import { columns, toTheSecond } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'

const SentReport = t.type({
  sentAt: t.string,
  /** Period of the report. */
  since: t.string,
  until: t.string,
  store: t.union([t.string, t.null]),
  subject: t.string,
  isWell: t.boolean,
  /** References of those whom the mail server took it for. */
  to: t.readonlyArray(t.string),
  /** Names or mail addresses of the same, as this home keeps them; the reference of one of whom it keeps none. */
  toNames: t.readonlyArray(t.string),
  /** References of those whom the mail server refused. */
  refused: t.readonlyArray(t.string),
  refusedNames: t.readonlyArray(t.string),
  schedule: t.string,
})

const of = (store: string | undefined) => (store === undefined ? [] : [is('store', store)])

/** Reports that were mailed on a schedule, the latest first. */
export const reportsQuestion = list({
  name: 'reports',
  summary:
    'Reports that were mailed when their period ended, the latest first: to whom, and whether all was well.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'Of this store alone.', codec: Text, example: 'main', argument: 'store' },
  },
  row: SentReport,
  returns: 'The sent reports.',
  total: (views: ViewStore, { store }) =>
    views.shape(sentReports.name) ? countRows(views, sentReports, ...of(store)) : 0,
  ask: async (views, { store, limit, offset }, { people }) => {
    const found = rowsIfFolded(views, sentReports, {
      where: of(store),
      orderBy: [{ column: 'sentAt', descending: true }],
      ...{ limit, offset },
    })
    const names = await namesOf(
      { people },
      found.flatMap(({ to, refused }) => [...to, ...refused]),
    )
    const namesIn = (references: readonly string[]) => references.map((one) => names.get(one) ?? one)
    return found.map(({ sentAt, since, until, store, subject, isWell, to, refused, schedule }) => ({
      ...{ sentAt, since, until: until ?? '', store, subject, isWell: isWell === 1 },
      ...{ to, toNames: namesIn(to), refused, refusedNames: namesIn(refused), schedule: schedule ?? '' },
    }))
  },
  columns: [
    { key: 'sentAt', show: toTheSecond },
    ...columns('subject'),
    {
      ...{ key: 'toNames', title: 'to' },
      show: (to) => (to as readonly string[]).join(', ') || 'nobody: all was well',
    },
    { key: 'refusedNames', title: 'refused', show: (refused) => (refused as readonly string[]).join(', ') },
  ],
  none: 'no report was mailed yet: the setting reports names those that are wanted',
  examples: [
    ['reports', 'all, the latest first'],
    ['reports archive', 'those of one store'],
  ],
})
