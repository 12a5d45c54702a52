import { Text } from '../../../domain/kernel/codecs.ts'
import { countRows, is, rows } from '../../../domain/kernel/read-views.ts'
import { refusals } from '../../../domain/matching/views.ts'
import { list } from '../../runtime/question.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { matching } from '../projection.ts'
import { RefusalLine } from './answers.ts'
import { titleReader } from './titles.ts'

const of = (work: string | undefined) => (work === undefined ? [] : [is('work', work)])

export const refusedQuestion = list({
  name: 'refused',
  summary: 'Updates and documents that were refused, as they were no longer the newest.',
  description:
    'What is held stays: `offered` is the version that came too late, and `held` the one that is kept. Both are null where another source speaks for the record.',
  projection: matching,
  history: 'views',
  input: {
    work: { description: 'Of this record alone.', codec: Text, example: 'herbal', argument: 'work' },
  },
  row: RefusalLine,
  returns: 'The latest first.',
  ask: (store, { work: wanted, limit, offset }) => {
    const titleOf = titleReader(store)
    return rows(store, refusals, {
      where: of(wanted),
      orderBy: [{ column: 'position', descending: true }],
      limit,
      offset,
    }).map(({ position, work, stage, code, offered, held, because, source, at }) => ({
      ...{ position, id: work ?? '', title: work === null ? null : titleOf(work) },
      ...{ stage, code, offered, held, says: because, source, at },
    }))
  },
  total: (store, { work }) => countRows(store, refusals, ...of(work)),
  columns: [
    { key: 'at', title: 'when', show: toTheSecond },
    { key: 'id', title: 'work', leaveOut: 'middle' },
    { key: 'title' },
    { key: 'offered' },
    { key: 'held' },
    { key: 'says', title: 'why' },
  ],
  none: 'nothing was refused',
  examples: [
    ['refused', 'what came too late, the latest first'],
    ['refused herbal', 'updates of one record that were refused'],
  ],
})
