import { SECOND } from '../../domain/kernel/time.ts'
import { Away } from '../../ports/away.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { generationRow, is } from '../../projections/matching/reading.ts'
import { oldestWaiting } from '../../projections/matching/stuck.ts'
import { startRoles } from '../../system/roles.ts'
import type { System } from '../../system/system.ts'
import { Refused } from '../ask-command.ts'
import type { Session } from '../context.ts'

const patienceMillis = 60 * SECOND

/**
 * Returns when a generation was told every component and has all their documents. Where everything is in one home the
 * work is done here; on servers it is watched. Throws `Refused` when the generation was dropped, `Away` when nothing
 * moves.
 */
export const untilBuilt = async (session: Session, system: System, generation: number): Promise<void> => {
  const { clock, config, viewStore } = system
  const embedded = config.broker === 'embedded'
  const parts = await startRoles(
    system,
    embedded ? ['processors', 'reactions', 'projections'] : ['projections'],
  )
  const progress = session.progress(`Building generation ${generation}`)
  let before = 0
  let movedAt = performance.now()
  try {
    for (;;) {
      const started = performance.now()
      const { done, indexed, total } = standing(viewStore, generation)
      progress.total(Math.max(total, indexed))
      progress.advance(indexed - before)
      if (indexed !== before) movedAt = started
      before = indexed
      if (done) return
      session.signal.throwIfAborted()
      const failed = parts.projections?.status().find(({ state }) => state === 'failed')
      if (failed) throw new Away(failed.lastError ?? `the views of ${failed.projection} stand still`)
      if (started - movedAt > patienceMillis)
        throw new Away(
          `generation ${generation} does not grow; is \`fonds start\` running, and what does its log say?`,
        )
      // Looking takes longer in a large catalogue: it must stay a small part of the work.
      await clock.sleep(Math.max(100, 10 * (performance.now() - started)), session.signal)
    }
  } finally {
    progress.done()
    await parts.stop()
  }
}

interface Standing {
  readonly done: boolean
  /** Documents written, of so many. */
  readonly indexed: number
  readonly total: number
}

const standing = (views: ViewStore, generation: number): Standing => {
  const row = generationRow(views, generation)
  if (row?.status === 'dropped') throw new Refused(`generation ${generation} was dropped meanwhile`)
  const ofIt = is('generation', generation)
  const [sums] = views.tally('matching-graphs', { by: [], sum: ['indexed', 'size'], where: [ofIt] })
  const [works] = views.tally('matching-works', { by: [] })
  const listed = typeof row?.listedAt === 'string'
  return {
    done: listed && oldestWaiting(views, { generation }).graph === undefined,
    indexed: Number(sums?.indexed ?? 0),
    total: Number((listed ? sums?.size : works?.count) ?? 0),
  }
}
