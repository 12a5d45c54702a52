import { isUnpublished } from '../../../domain/indexing/file-states.ts'
import { files } from '../../../domain/indexing/views.ts'
import { type ConditionOn, countRows, is, tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { AgeLine } from './answers.ts'
import { countLines } from './file-lines.ts'

interface AgeScope {
  readonly repository?: string
  readonly limit: number
}

type State = AgeLine['state']

/** Bounds of ages in hours: W1 requires that files older than three days are seen. */
const bounds = [0, 1, 24, 72, 7 * 24, 30 * 24]

/**
 * How many of each state are not in the index, by how long: index `indexing-files (unpublishedSince)`. It counts the files of
 * an age, but their states are in their rows: where most have one age, as after a crawl was added, theirs are what the
 * counts of states have beyond those of the other ages.
 */
export const ageLines = (views: Views, now: string, { repository, limit }: AgeScope): readonly AgeLine[] => {
  const scope = repository === undefined ? [] : [is('repository', repository)]
  const ages = bounds.map((fromHours, i) => {
    const toHours = bounds[i + 1] ?? null
    const where = [...scope, ...within(now, fromHours, toHours)]
    return { fromHours, toHours, where, files: countRows(views, files, ...where) }
  })
  const most = ages.reduce((one, other) => (other.files > one.files ? other : one))
  const left = unpublishedByState(views, repository)
  const counted = new Map<number, ReadonlyMap<State, number>>([[most.fromHours, left]])
  for (const { fromHours, where } of ages.filter((age) => age !== most && age.files > 0)) {
    const byState = tally(views, files, { by: ['state'], where })
    counted.set(fromHours, new Map(byState.map(({ state, count }) => [state, count])))
    for (const { state, count } of byState) left.set(state, (left.get(state) ?? 0) - count)
  }
  return ages
    .flatMap(({ fromHours, toHours }) =>
      [...(counted.get(fromHours) ?? [])]
        .filter(([, count]) => count > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([state, count]) => ({ state, fromHours, toHours, files: count })),
    )
    .slice(0, limit)
}

/** A clock may be behind the log's: a file with a negative age counts as young. */
const within = (
  now: string,
  fromHours: number,
  toHours: number | null,
): readonly ConditionOn<typeof files>[] => [
  ...(fromHours === 0
    ? []
    : [{ column: 'unpublishedSince', is: '<=', value: addMillis(now, -fromHours * HOUR) } as const]),
  {
    column: 'unpublishedSince',
    is: toHours === null ? '>=' : '>',
    value: toHours === null ? '' : addMillis(now, -toHours * HOUR),
  },
]

const unpublishedByState = (views: Views, repository: string | undefined): Map<State, number> => {
  const byState = new Map<State, number>()
  for (const { state, files } of countLines(views, repository))
    if (isUnpublished(state)) byState.set(state, (byState.get(state) ?? 0) + files)
  return byState
}
