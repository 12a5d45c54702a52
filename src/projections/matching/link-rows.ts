import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Link } from '../../domain/matching/events.ts'
import { addCount } from './count-rows.ts'
import type { MatchingTables } from './tables.ts'

/** Writes the present links of a work: one that stays keeps the event that first stated it. */
export const restateLinks = (
  tables: MatchingTables,
  from: string,
  before: readonly Link[],
  now: readonly Link[],
  event: RecordedEvent,
): void => {
  const known = new Map(before.map((link) => [link.to, link]))
  addCount(tables, 0, 'links', 'stated', now.length - before.length)
  for (const { to, reasons } of now) {
    const stated = known.get(to)
    if (stated) {
      known.delete(to)
      if (!isSame(stated.reasons, reasons)) changeReasons(tables, from, to, reasons)
      continue
    }
    tables['matching-links'].put({
      from,
      to,
      reasons,
      statedAt: event.recordedAt,
      revision: Number(event.revision),
      position: Number(event.position),
    })
    nameOnce(tables, to, event.recordedAt)
  }
  for (const to of known.keys()) {
    tables['matching-links'].delete(from, to)
    nameLess(tables, to)
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((reason, i) => reason === other[i])

const changeReasons = (
  tables: MatchingTables,
  from: string,
  to: string,
  reasons: readonly string[],
): void => {
  const row = tables['matching-links'].get(from, to)
  if (row) tables['matching-links'].put({ ...row, reasons })
}

const nameOnce = (tables: MatchingTables, id: string, since: string): void => {
  if (tables['matching-works'].get(id)) return
  const row = tables['matching-placeholders'].get(id)
  if (!row) addCount(tables, 0, 'placeholders', 'named', 1)
  const namedBy = (row?.namedBy ?? 0) + 1
  tables['matching-placeholders'].put(row ? { ...row, namedBy } : { id, namedBy, since })
}

const nameLess = (tables: MatchingTables, id: string): void => {
  const row = tables['matching-placeholders'].get(id)
  if (!row) return
  const namedBy = (row.namedBy ?? 0) - 1
  if (namedBy > 0) {
    tables['matching-placeholders'].put({ ...row, namedBy })
    return
  }
  tables['matching-placeholders'].delete(id)
  addCount(tables, 0, 'placeholders', 'named', -1)
}
