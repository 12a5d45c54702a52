import { files } from '../../../domain/indexing/views.ts'
import { type ConditionOn, is, rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import type { FailedLine, FileLine } from './answers.ts'
import { commandFor } from './what-helps.ts'

interface FileScope {
  readonly state?: FileLine['state']
  readonly kind?: FileLine['kind']
  readonly repository?: string
  readonly conflict?: boolean
  readonly salvaged?: boolean
  readonly limit: number
}

/** The most recent first. */
export const fileLines = (
  views: Views,
  { limit, conflict, salvaged, ...scope }: FileScope,
): readonly FileLine[] =>
  rows(views, files, {
    where: [
      ...conditions(scope),
      ...(conflict === undefined ? [] : [is('conflict', conflict ? 1 : 0)]),
      ...(salvaged === undefined ? [] : [is('salvaged', salvaged ? 1 : 0)]),
    ],
    orderBy: [{ column: 'date', descending: true }, { column: 'name' }],
    limit,
  }).map(lineOf)

/** W19: those that failed, or were parked: the most failures first. */
export const failedLines = (views: Views, { limit, ...scope }: FileScope): readonly FailedLine[] =>
  rows(views, files, {
    where: [...conditions(scope), { column: 'state', is: 'in', value: ['failed', 'parked'] }],
    orderBy: [
      { column: 'failures', descending: true },
      { column: 'date', descending: true },
    ],
    limit,
  }).map((row) => ({ ...lineOf(row), command: commandFor(row) }))

/** W1: those that have not been in the index for so long: the oldest first. */
export const lateLines = (
  views: Views,
  now: string,
  { hours, limit, ...scope }: FileScope & { readonly hours: number },
): readonly FileLine[] =>
  rows(views, files, {
    where: [
      ...conditions(scope),
      { column: 'unpublishedSince', is: '>=', value: '' },
      { column: 'unpublishedSince', is: '<=', value: addMillis(now, -hours * HOUR) },
    ],
    orderBy: [{ column: 'unpublishedSince' }],
    limit,
  }).map(lineOf)

const conditions = (
  scope: Omit<FileScope, 'limit' | 'conflict' | 'salvaged'>,
): readonly ConditionOn<typeof files>[] =>
  (['state', 'kind', 'repository'] as const).flatMap((column) => {
    const value = scope[column]
    return value === undefined ? [] : [is(column, value)]
  })

const lineOf = (row: RowOf<typeof files>): FileLine => ({
  repository: row.repository,
  name: row.name,
  state: row.state,
  kind: row.kind,
  failures: row.failures,
  code: row.code,
  because: row.because,
  offset: row.offset,
  conflict: row.conflict === 1,
  salvaged: row.salvaged === 1,
  lostBytes: row.lostBytes,
  lines: row.lines,
  size: row.size,
  location: row.location,
  modifiedAt: row.modifiedAt,
  discoveredAt: row.discoveredAt,
  indexedAt: row.indexedAt,
  unpublishedSince: row.unpublishedSince,
  due: row.due,
})
