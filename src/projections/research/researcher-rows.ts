import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ResearcherEvent } from '../../domain/research/researcher/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { ResearcherRow, ResearchTables } from './tables.ts'

/** A researcher that reports has a row, registered or not. */
export const changeResearcher = (
  tables: ResearchTables,
  researcher: string,
  change: (row: ResearcherRow) => Partial<Omit<ResearcherRow, 'researcher'>>,
): void => {
  const before = tables['research-researchers'].get(researcher) ?? stranger(researcher)
  tables['research-researchers'].put({ ...before, ...change(before) })
}

const stranger = (researcher: string): ResearcherRow => ({
  researcher,
  version: null,
  engine: null,
  mediaTypes: null,
  registeredAt: null,
  presentUntil: null,
  draining: 0,
  blocked: 0,
  blockedReason: null,
  taken: 0,
  results: 0,
  found: 0,
  failures: 0,
  lastResultAt: null,
  goneAt: null,
})

type Change = (row: ResearcherRow) => Partial<Omit<ResearcherRow, 'researcher'>>

const change = (tables: ResearchTables, event: RecordedEvent, to: Change): void =>
  changeResearcher(tables, idOf(event.stream), to)

export const researcherHandlers: Handlers<ResearcherEvent, ResearchTables> = {
  ResearcherRegistered: ({ version, engine, mediaTypes, presentUntil, at }, event, tables) =>
    change(tables, event, ({ registeredAt }) => ({
      version: version ?? null,
      engine: engine ?? null,
      mediaTypes: mediaTypes ?? null,
      registeredAt: registeredAt ?? at,
      presentUntil,
      draining: 0,
      goneAt: null,
    })),
  ResearcherBeat: ({ presentUntil }, event, tables) => change(tables, event, () => ({ presentUntil })),
  ResearcherDraining: (_, event, tables) => change(tables, event, () => ({ draining: 1 })),
  ResearcherGone: ({ because, at }, event, tables) =>
    change(tables, event, ({ presentUntil }) => ({
      goneAt: at,
      presentUntil: because === 'left' ? null : presentUntil,
    })),
  ResearcherBlocked: ({ reason }, event, tables) =>
    change(tables, event, () => ({ blocked: 1, blockedReason: reason })),
  ResearcherUnblocked: (_, event, tables) =>
    change(tables, event, () => ({ blocked: 0, blockedReason: null })),
}
