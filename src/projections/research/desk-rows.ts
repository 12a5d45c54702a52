import type { CapacityEvent } from '../../domain/research/capacity.ts'
import { defaultPolicy, type Policy } from '../../domain/research/desk/policy.ts'
import type { DeskRow, ResearchTables } from './tables.ts'
import { keptDecisions } from './views.ts'

/** The settings Fonds comes with are version 0. */
const emptyDesk: DeskRow = {
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
  (tables['research-desk'].get('research') ?? emptyDesk).policy as Policy

export const changeDesk = (
  tables: ResearchTables,
  change: (desk: DeskRow) => Partial<Omit<DeskRow, 'name'>>,
): DeskRow => {
  const before = tables['research-desk'].get('research') ?? emptyDesk
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
  changeDesk(tables, (desk) => {
    const others = (desk[list] as readonly string[]).filter((one) => one !== curator)
    return { [list]: isOnIt ? [...others, curator].sort() : others }
  })
}

/** The latest decisions only: the newest takes the place of the oldest. */
export const noteDecision = (tables: ResearchTables, data: CapacityEvent['data']): void => {
  const { decisions } = changeDesk(tables, (desk) => ({ decisions: (desk.decisions ?? 0) + 1 }))
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
