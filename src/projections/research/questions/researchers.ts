import { rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { researchers as shape } from '../../../domain/research/views.ts'
import type { ResearcherRow } from '../tables.ts'
import type { Researcher as Answer } from './answers.ts'
import { activeLeases } from './reading.ts'

/** X5: everybody who ever registered, took an item or reported something, by id. */
export const researchers = (store: Views, now: string): readonly Answer[] => {
  const held = Map.groupBy(
    activeLeases(store, now).filter(({ state }) => state === 'taken'),
    ({ researcher }) => researcher,
  )
  return rows(store, shape).map((row) => {
    const leases = held.get(row.researcher)?.length ?? 0
    return {
      researcher: row.researcher,
      state: stateOf(row, leases, now),
      leases,
      results: row.results ?? 0,
      found: row.found ?? 0,
      failures: row.failures ?? 0,
      ...(row.lastResultAt !== null && { lastResultAt: row.lastResultAt }),
      ...(row.version !== null && { version: row.version }),
    }
  })
}

const stateOf = (
  { presentUntil, blocked, draining }: ResearcherRow,
  leases: number,
  now: string,
): Answer['state'] => {
  if (presentUntil === null) return 'gone'
  if (presentUntil <= now) return 'silent'
  if (blocked === 1) return 'blocked'
  if (draining === 1) return 'draining'
  return leases > 0 ? 'busy' : 'idle'
}
