import type { EventFilter } from '../../../src/ports/event-store.ts'

/** The server's part of a filter. */
export interface ServerFilter {
  readonly on: 'type' | 'stream'
  readonly regex: string
}

/**
 * Returns the server's part of a filter. The server accepts one kind: types exclude more than categories, and
 * `createFilter` does the rest here. Regular expressions, because prefixes would also match longer names.
 */
export const serverFilter = ({ categories, types }: EventFilter): ServerFilter => {
  if (types) return { on: 'type', regex: `^(?:${anyOf(types)})$` }
  if (categories) return { on: 'stream', regex: `^(?:${anyOf(categories)})(?:-|$)` }
  return { on: 'type', regex: '^[^$].*' }
}

const anyOf = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&')).join('|')
