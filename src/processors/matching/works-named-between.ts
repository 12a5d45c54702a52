import type { GraphChanged } from '../../domain/matching/graph/events.ts'
import type { Mark } from '../../domain/matching/merged/decide.ts'
import type { ChangeReader } from './change-reader.ts'
import type { MergeTask } from './merge-task.ts'

/** Events read at once. */
const pageSize = 32
/** Members that may be read for each work of the component: it is written whole if reading would cost more. */
const maxReadForEach = 20

/**
 * Those of the works that, according to the log, were in a change since a mark: in another component, or in one that
 * was written whole. Undefined if too many changes came since, or if a person requested all documents again. Throws
 * `UnavailableError`.
 */
export const worksNamedBetween = async (
  { generation, component, version, revision }: MergeTask,
  mark: Mark,
  works: ReadonlyMap<string, unknown>,
  maxWrittenWhole: number,
  changes: ChangeReader,
): Promise<ReadonlySet<string> | undefined> => {
  const named = new Set<string>()
  let room = maxReadForEach * works.size

  /** False if all of the component is to be written. */
  const take = ({ groups, causes }: GraphChanged): boolean => {
    if (causes.some(({ work, type }) => type === 'ResendRequested' && works.has(work))) return false
    for (const group of groups) {
      room -= group.members.length
      if (group.component === component && group.size > maxWrittenWhole) continue
      for (const [work] of group.members) if (works.has(work)) named.add(work)
    }
    return --room >= 0
  }

  for (let from = mark.revision + 1; ; from += pageSize) {
    const places = Array.from({ length: pageSize }, (_, i) => ({ generation, revision: from + i }))
    for (const [i, change] of (await changes.at(places)).entries()) {
      if (!change || change.version > version) {
        if (from + i > revision) return named
      } else if (change.version > mark.version && !take(change)) return undefined
    }
  }
}
