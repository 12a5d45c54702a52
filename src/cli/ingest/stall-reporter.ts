import type { System } from '../../app/system.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { reasonLine } from '../../projections/ingest/questions/batch-reason.ts'
import { batchReasoner } from '../../projections/ingest/questions/batch-reasons.ts'
import { countStuck } from '../../projections/ingest/questions/open-work.ts'
import type { BatchRow } from '../../projections/ingest/tables.ts'
import { workAreaOf } from '../../workers/ingest/work-area.ts'

/** Time without progress after which a batch is inspected. */
const stillMillis = 3 * SECOND

/**
 * Reports why a batch makes no progress, each reason once. Returns the number of its jobs that can never go on by
 * themselves.
 */
export const stallReporter = (
  { viewStore, clock, config }: Pick<System, 'viewStore' | 'clock' | 'config'>,
  say: (line: string) => void,
): ((batch: BatchRow) => Promise<number>) => {
  const of = { ingest: workAreaOf(config) }
  const reported = new Set<string>()
  let mark = ''
  let checkedAt = 0
  let stuck = 0

  return async (batch) => {
    const now = clock.monotonic()
    const moved = batch.lastModified !== mark
    mark = batch.lastModified
    if (moved) {
      checkedAt = now
      stuck = 0
    }
    if (now - checkedAt < stillMillis) return stuck
    checkedAt = now
    const reasonsOf = batchReasoner(viewStore, { now: clock.now(), of })
    for (const reason of await reasonsOf(batch)) {
      const key = `${reason.kind} ${reason.because ?? ''}`
      if (!reported.has(key)) say(`batch ${batch.number ?? batch.batch}: ${reasonLine(reason)}`)
      reported.add(key)
    }
    stuck = await countStuck(viewStore, batch.batch!, { of })
    return stuck
  }
}
