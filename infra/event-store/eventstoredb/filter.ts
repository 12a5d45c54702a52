import type { EventFilter } from '../../../src/ports/event-store.ts'

/** What the server compares. */
export interface ServerFilter {
  readonly on: 'type' | 'stream'
  readonly regex: string
}

/**
 * The server's part of a filter. It takes one kind: types leave out more than categories, and `createFilter` does the rest
 * here. Regular expressions, because prefixes would also let longer names through.
 */
export const serverFilter = ({ categories, types }: EventFilter): ServerFilter => {
  if (types) return { on: 'type', regex: `^(?:${anyOf(types)})$` }
  if (categories) return { on: 'stream', regex: `^(?:${anyOf(categories)})(?:-|$)` }
  return { on: 'type', regex: '^[^$].*' }
}

const anyOf = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&')).join('|')
