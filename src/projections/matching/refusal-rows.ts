import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Refusal } from '../../domain/kernel/refusal.ts'
import type { MatchingTables } from './tables.ts'

/** Where a word that came too late was refused, by the processor that refused it. */
const stages = new Map([
  ['matching-works', 'source'],
  ['matching-merger', 'index'],
  ['matching-large-merger', 'index'],
])
const codes: ReadonlySet<string> = new Set(['older-version', 'other-source', 'older-graph'])

/** M12: what was offered, and what is held. */
export const noteRefusal = (tables: MatchingTables, event: RecordedEvent, refusal: Refusal): void => {
  const stage = stages.get(refusal.processor)
  if (!stage || !codes.has(refusal.code)) return
  const { work, generation, offered, held } = refusal.details ?? {}
  tables['matching-refusals'].put({
    position: Number(event.position),
    stage,
    work: typeof work === 'string' ? work : idOf(refusal.stream),
    generation: numberOf(generation),
    code: refusal.code,
    offered: numberOf(offered),
    held: numberOf(held),
    message: refusal.message,
    source: refusal.source,
    because: refusal.because,
    at: refusal.at,
  })
}

const numberOf = (value: string | number | undefined): number | null =>
  typeof value === 'number' ? value : null
