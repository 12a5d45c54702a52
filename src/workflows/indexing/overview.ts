import { files } from '../../domain/indexing/views.ts'
import { countRows, is } from '../../domain/kernel/read-views.ts'
import { countLines } from '../../projections/indexing/questions/file-lines.ts'
import { doneInHour } from '../../projections/kernel/questions/activity.ts'
import { expectedEnd, maxUnderWay, type Overview, type UnderWay } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

const waiting: ReadonlySet<string> = new Set(['new', 'indexing', 'changed'])
const stopped: ReadonlySet<string> = new Set(['failed', 'parked', 'unknown'])

/** Repositories of which workers read files; and files that failed, are parked, in conflict, or of an unknown kind. */
export const indexingOverview = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): Overview | undefined => {
  if (!viewStore.shape(files.name)) return undefined
  const now = clock.now()
  const lines = countLines(viewStore)
  const filesOf = (some: typeof lines) => some.reduce((sum, one) => sum + one.files, 0)
  const inHour = doneInHour(viewStore, 'indexing', now)
  return {
    underWay: [...Map.groupBy(lines, ({ repository }) => repository)]
      .filter(([, own]) => own.some(({ state }) => state === 'indexing'))
      .slice(0, maxUnderWay)
      .map(([repository, own]): UnderWay => {
        const left = filesOf(own.filter(({ state }) => waiting.has(state)))
        const done = filesOf(own.filter(({ state }) => state === 'indexed'))
        const until = expectedEnd(left, { inHour, now })
        return {
          title: `Files of ${repository}`,
          page: '/indexing',
          done,
          total: done + left,
          ...(until !== undefined && { until }),
        }
      }),
    needs:
      filesOf(lines.filter(({ state }) => stopped.has(state))) +
      countRows(viewStore, files, is('conflict', 1)),
  }
}
