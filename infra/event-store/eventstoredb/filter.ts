import { eventTypeFilter, excludeSystemEvents, type Filter, streamNameFilter } from '@eventstore/db-client'
import type { EventFilter } from '../../../src/ports/event-store.ts'

type Checkpoints = Pick<Filter, 'checkpointReached' | 'checkpointInterval' | 'maxSearchWindow'>

/**
 * The server's part of a filter. It takes one kind: types leave out more than categories, and `createFilter` does the rest
 * here. Regular expressions, because prefixes would also let longer names through.
 */
export const serverFilter = ({ categories, types }: EventFilter, checkpoints: Checkpoints): Filter => {
  if (types) return eventTypeFilter({ ...checkpoints, regex: `^(?:${anyOf(types)})$` })
  if (categories) return streamNameFilter({ ...checkpoints, regex: `^(?:${anyOf(categories)})(?:-|$)` })
  return excludeSystemEvents(checkpoints)
}

const anyOf = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&')).join('|')
