import type { ArchiveFile } from '../../domain/indexing/file.ts'
import { files } from '../../domain/indexing/views.ts'
import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/** Order, by date, of files with equally many failures. */
export type Order = 'newest-first' | 'oldest-first'

/** W11: the files to take next, by failures, and then by date. */
export const waitingFiles = (
  views: Pick<ViewStore, 'query'>,
  now: string,
  order: Order,
  limit: number,
): readonly ArchiveFile[] => {
  const byDate = { column: 'date', descending: order === 'newest-first' } as const
  const waiting = (failures: ConditionOn<typeof files>, left: number): readonly ArchiveFile[] =>
    rowsIfFolded(views, files, {
      where: [is('queued', 1), failures, { column: 'due', is: '<=', value: now }],
      orderBy: failures.is === '=' ? [byDate] : [{ column: 'failures' }, byDate],
      limit: left,
    }).map(({ repository, name }) => ({ repository, name }))
  // Files that never failed are many: an index has them in this order. The others are few.
  const first = waiting(is('failures', 0), limit)
  return first.length === limit
    ? first
    : [...first, ...waiting({ column: 'failures', is: '>', value: 0 }, limit - first.length)]
}
