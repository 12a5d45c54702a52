import type { ArchiveEvent } from '../../domain/chain/archive/events.ts'
import type { adoptions } from '../../domain/chain/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { ChainTables } from './tables.ts'

type AdoptionRow = RowOf<typeof adoptions>

/** Since when rules hold, and how far the adoption of what was there before has come. */
export const adoptionHandlers: Handlers<ArchiveEvent, ChainTables> = {
  RuleBegun: ({ rule, at }, _, tables) =>
    tables['chain-adoption'].put({
      rule,
      begunAt: at,
      requestedAt: null,
      reason: null,
      until: null,
      reached: null,
      versions: 0,
      endedAt: null,
    }),
  AdoptionRequested: ({ rule, reason, at }, { position }, tables) =>
    change(tables, rule, {
      requestedAt: at,
      reason,
      until: Number(position),
      reached: null,
      versions: 0,
      endedAt: null,
    }),
  AdoptionReached: ({ rule, position, versions }, _, tables) =>
    change(tables, rule, { reached: Number(position), versions }),
  AdoptionEnded: ({ rule, versions, at }, _, tables) => change(tables, rule, { versions, endedAt: at }),
}

const change = (tables: ChainTables, rule: string, changed: Partial<AdoptionRow>): void => {
  const row = tables['chain-adoption'].get(rule)
  if (row) tables['chain-adoption'].put({ ...row, ...changed })
}
