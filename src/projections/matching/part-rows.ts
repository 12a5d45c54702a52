import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { GraphChanged } from '../../domain/matching/graph/events.ts'
import {
  eventsBefore,
  isContinued,
  joinParts,
  lacksPieces,
} from '../../domain/matching/graph/whole-change.ts'
import type { MatchingTables } from './tables.ts'

/** A change, with each component in one piece. */
export interface WholeChange extends Pick<GraphChanged, 'version' | 'causes' | 'groups' | 'dropped'> {
  /** False for changes of older matchers: their causes do not say which work moved by which. */
  readonly keepsCauses: boolean
}

/**
 * The change that is complete with this event; undefined while more of its events are to come: the present ones wait in
 * rows of their own. A change without its last event ends with the next one, and is dropped.
 */
export const wholeChange = (
  tables: MatchingTables,
  event: RecordedEvent,
  change: GraphChanged,
): WholeChange | undefined => {
  const place: Place = { generation: Number(idOf(event.stream)), revision: Number(event.revision) }
  const parts = tables['matching-parts']
  const before = parts.get(place.generation, place.revision - 1)
  if (before && before.version !== change.version) takePartsBefore(tables, place)
  if (isContinued(change) || (change.part === undefined && lacksPieces(change))) {
    parts.put({ ...place, version: change.version, change })
    return undefined
  }
  const waiting = before?.version === change.version ? takePartsBefore(tables, place) : []
  if (waiting.length < eventsBefore(change))
    throw new Error(`of the change ${change.version} only the last ${waiting.length + 1} events are there`)
  const keepsCauses = change.part !== undefined
  return { version: change.version, keepsCauses, ...joinParts([...waiting, change]) }
}

interface Place {
  readonly generation: number
  readonly revision: number
}

/** Takes the parts that wait directly before a place, in order, and deletes them. */
const takePartsBefore = (tables: MatchingTables, { generation, revision }: Place): GraphChanged[] => {
  const parts = tables['matching-parts']
  const taken: GraphChanged[] = []
  for (let at = revision - 1; ; at--) {
    const row = parts.get(generation, at)
    if (!row) return taken.reverse()
    taken.push(row.change)
    parts.delete(generation, at)
  }
}
