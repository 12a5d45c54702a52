import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RejectedMessage } from '../../domain/kernel/rejected-message.ts'
import { addCount } from './count-rows.ts'
import type { MatchingTables } from './tables.ts'

/** Stage at which a message that came too late was rejected, by the processor that rejected it. */
const stages = new Map([
  ['matching-works', 'source'],
  ['matching-merger', 'index'],
  ['matching-large-merger', 'index'],
])
const codes: ReadonlySet<string> = new Set(['older-version', 'other-source', 'older-graph'])

/** M12: records the rejected offer beside the data held. */
export const recordRejection = (
  tables: MatchingTables,
  event: RecordedEvent,
  rejected: RejectedMessage,
): void => {
  const stage = stages.get(rejected.processor)
  if (!stage || !codes.has(rejected.code)) return
  const { work, generation, offered, held } = rejected.details ?? {}
  addCount(tables, 0, 'refusals', rejected.code, 1)
  tables['matching-refusals'].put({
    position: Number(event.position),
    stage,
    work: typeof work === 'string' ? work : idOf(rejected.stream),
    generation: numberOf(generation),
    code: rejected.code,
    offered: numberOf(offered),
    held: numberOf(held),
    message: rejected.message,
    source: rejected.source,
    because: rejected.because,
    at: rejected.at,
  })
}

const numberOf = (value: string | number | undefined): number | null =>
  typeof value === 'number' ? value : null
