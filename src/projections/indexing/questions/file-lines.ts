import { fileId } from '../../../domain/indexing/file.ts'
import { counts, files } from '../../../domain/indexing/views.ts'
import {
  type ConditionOn,
  countRows,
  is,
  narrowRows,
  pageOfRows,
  rows,
} from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import type { FailedLine, FileLine, ReportLine } from './answers.ts'
import { commandFor } from './what-helps.ts'

interface FileScope {
  readonly state?: FileLine['state']
  readonly kind?: FileLine['kind']
  readonly repository?: string
  readonly conflict?: boolean
  readonly salvaged?: boolean
  readonly limit: number
}

interface FilePage extends FileScope {
  readonly offset?: number
  readonly order?: FileOrder
}

/** The most recent first, or by their names. */
export type FileOrder = 'recent' | 'name'

export const fileLines = (
  views: Views,
  { limit, offset = 0, order = 'recent', ...scope }: FilePage,
): readonly FileLine[] => {
  // Rows are wide: those skipped by `offset` are read in an index alone.
  const keys = narrowRows(views, files, ['repository', 'name'], {
    where: fileConditions(scope),
    orderBy:
      order === 'name'
        ? [{ column: 'name' }]
        : // As the index `(state, date)` has them, backwards.
          (['date', 'repository', 'name'] as const).map((column) => ({ column, descending: true })),
    ...{ limit, offset },
  })
  const found = new Map(
    [...Map.groupBy(keys, ({ repository }) => repository)].flatMap(([repository, named]) =>
      rows(views, files, {
        where: [
          is('repository', repository),
          { column: 'name', is: 'in', value: named.map(({ name }) => name) },
        ],
      }).map((row) => [fileId(row), lineOf(row)]),
    ),
  )
  return keys.flatMap((key) => found.get(fileId(key)) ?? [])
}

/** Counts files: from the counts, or from the files themselves if the counts do not distinguish them. */
export const countFiles = (views: Views, scope: Omit<FileScope, 'limit'>): number =>
  scope.conflict === undefined && scope.salvaged === undefined
    ? countLines(views, scope.repository)
        .filter(({ state }) => scope.state === undefined || state === scope.state)
        .filter(({ kind }) => scope.kind === undefined || kind === scope.kind)
        .reduce((sum, line) => sum + line.files, 0)
    : countRows(views, files, ...fileConditions(scope))

/** How many files there are of each kind and state. */
export const countLines = (views: Views, repository?: string): readonly ReportLine[] =>
  rows(views, counts, {
    where: [
      { column: 'files', is: '>', value: 0 },
      ...(repository === undefined ? [] : [is('repository', repository)]),
    ],
  })

const fileConditions = ({
  conflict,
  salvaged,
  ...scope
}: Omit<FileScope, 'limit'>): readonly ConditionOn<typeof files>[] => [
  ...conditions(scope),
  ...(conflict === undefined ? [] : [is('conflict', conflict ? 1 : 0)]),
  ...(salvaged === undefined ? [] : [is('salvaged', salvaged ? 1 : 0)]),
]

const failedStates: readonly FileLine['state'][] = ['failed', 'parked']

/** W19: files that failed, or were parked: the most failures first. */
export const failedLines = (views: Views, { limit, offset = 0, ...scope }: FilePage): readonly FailedLine[] =>
  pageOfRows(views, files, {
    where: [...conditions(scope), { column: 'state', is: 'in', value: failedStates }],
    orderBy: [
      { column: 'failures', descending: true },
      { column: 'date', descending: true },
    ],
    ...{ limit, offset },
  }).map((row) => ({ ...lineOf(row), command: commandFor(row) }))

export const countFailed = (views: Views, { repository }: Pick<FileScope, 'repository'>): number =>
  countLines(views, repository)
    .filter(({ state }) => failedStates.includes(state))
    .reduce((sum, line) => sum + line.files, 0)

/** W1: files that have not been in the index for so long: the oldest first. */
/** Hours after which a file that is not in the index is late, unless a question asks for others: W1 wants it within three days. */
export const lateHours = 60

/** The files that have not been in the index for so many hours. */
export const lateSince = (now: string, hours: number) =>
  [
    { column: 'unpublishedSince', is: '>=', value: '' },
    { column: 'unpublishedSince', is: '<=', value: addMillis(now, -hours * HOUR) },
  ] as const

export const lateLines = (
  views: Views,
  now: string,
  { hours, limit, ...scope }: FileScope & { readonly hours: number },
): readonly FileLine[] =>
  rows(views, files, {
    where: [...conditions(scope), ...lateSince(now, hours)],
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
  embargoUntil: row.embargoUntil,
})
