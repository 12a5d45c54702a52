import * as t from 'io-ts'
import { sentReports } from '../../../domain/fixity/views.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { referenceText } from '../../../domain/kernel/person.ts'
import { countRows, is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
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
  to: t.readonlyArray(t.string),
  /** Recipients that the mail server refused. */
  refused: t.readonlyArray(t.string),
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
  ask: (views, { store, limit, offset }) =>
    rowsIfFolded(views, sentReports, {
      where: of(store),
      orderBy: [{ column: 'sentAt', descending: true }],
      ...{ limit, offset },
    }).map(({ sentAt, since, until, store, subject, isWell, to, refused, schedule }) => ({
      ...{ sentAt, since, until: until ?? '', store, subject, isWell: isWell === 1 },
      ...{ to, refused, schedule: schedule ?? '' },
    })),
  columns: [
    { key: 'sentAt', show: toTheSecond },
    ...columns('subject'),
    {
      key: 'to',
      show: (to) => (to as readonly string[]).map(referenceText).join(', ') || 'nobody: all was well',
    },
    { key: 'refused', show: (refused) => (refused as readonly string[]).map(referenceText).join(', ') },
  ],
  none: 'no report was mailed yet: the setting reports names those that are wanted',
  examples: [
    ['reports', 'all, the latest first'],
    ['reports archive', 'those of one store'],
  ],
})
