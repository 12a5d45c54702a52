import type { CapacityEvent } from '../../domain/research/capacity.ts'
import { defaultPolicy, type Policy } from '../../domain/research/policy/policy.ts'
import { keptDecisions } from '../../domain/research/views.ts'
import type { PolicyRow, ResearchTables } from './tables.ts'

/** Version 0: the defaults. */
const initialPolicy: PolicyRow = {
  name: 'research',
  policyVersion: 0,
  policy: defaultPolicy,
  pausedAt: null,
  pausedReason: null,
  pinnedCurators: [],
  excludedCurators: [],
  clips: 0,
  decisions: 0,
}

/** The settings in force at this event. */
export const policyOf = (tables: ResearchTables): Policy =>
  (tables['research-desk'].get('research') ?? initialPolicy).policy

export const changePolicy = (
  tables: ResearchTables,
  change: (row: PolicyRow) => Partial<Omit<PolicyRow, 'name'>>,
): PolicyRow => {
  const before = tables['research-desk'].get('research') ?? initialPolicy
  const after = { ...before, ...change(before) }
  tables['research-desk'].put(after)
  return after
}

export const placeCurator = (
  tables: ResearchTables,
  list: 'pinnedCurators' | 'excludedCurators',
  curator: string,
  isOnIt: boolean,
): void => {
  changePolicy(tables, (row) => {
    const others = row[list].filter((one) => one !== curator)
    return { [list]: isOnIt ? [...others, curator].sort() : others }
  })
}

/** A ring of the latest decisions: the newest replaces the oldest. */
export const noteDecision = (tables: ResearchTables, data: CapacityEvent['data']): void => {
  const { decisions } = changePolicy(tables, (row) => ({ decisions: (row.decisions ?? 0) + 1 }))
  const number = decisions ?? 0
  const { at, researchers, queued, added, stopped } = data
  tables['research-capacity'].put({
    slot: number % keptDecisions,
    number,
    at,
    researchers,
    queued,
    added,
    stopped,
  })
}
