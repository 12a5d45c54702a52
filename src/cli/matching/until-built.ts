import { startRoles } from '../../app/roles.ts'
import type { System } from '../../app/system.ts'
import { NotCaughtUp } from '../../async/wait-until.ts'
import { countRows, is, tally } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { graphs, works } from '../../domain/matching/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { generationRow } from '../../projections/matching/questions/reading.ts'
import { oldestWaiting } from '../../projections/matching/questions/stuck.ts'
import { RejectedError } from '../ask-command.ts'
import type { Session } from '../context.ts'
import { untilDone } from '../until-done.ts'
import { rolesHere } from '../work-here.ts'

const patienceMillis = 60 * SECOND

/**
 * Returns when a generation got every component and all their documents. Where everything is in one home the
 * work is done here; on servers it is watched. Throws `RejectedError` when the generation was dropped, `UnavailableError`
 * when nothing moves.
 */
export const untilBuilt = async (session: Session, system: System, generation: number): Promise<void> => {
  const { clock, config, viewStore } = system
  const embedded = config.broker === 'embedded'
  const parts = await startRoles(
    system,
    embedded ? await rolesHere(session, system, ['processors', 'reactions', 'projections']) : ['projections'],
  )
  const progress = session.progress(`Building generation ${generation}`)
  let before = 0
  const poll = () => {
    const { done, indexed, total } = progressOf(viewStore, generation)
    progress.total(Math.max(total, indexed))
    progress.advance(indexed - before)
    before = indexed
    return { isDone: done, mark: indexed }
  }
  try {
    const { isDone } = await untilDone(parts, poll, { clock, patienceMillis, signal: session.signal })
    if (!isDone)
      throw new NotCaughtUp(
        `generation ${generation} does not grow; is \`fonds start\` running, and what does its log say?`,
      )
  } finally {
    progress.done()
    await parts.stop()
  }
}

interface BuildProgress {
  readonly done: boolean
  /** Documents written, of so many. */
  readonly indexed: number
  readonly total: number
}

const progressOf = (views: ViewStore, generation: number): BuildProgress => {
  const row = generationRow(views, generation)
  if (row?.status === 'dropped') throw new RejectedError(`generation ${generation} was dropped meanwhile`)
  const ofIt = is('generation', generation)
  const [sums] = tally(views, graphs, { by: [], sum: ['indexed', 'size'], where: [ofIt] })
  const listed = typeof row?.listedAt === 'string'
  return {
    done: listed && oldestWaiting(views, { generation }).graph === undefined,
    indexed: sums?.indexed ?? 0,
    total: listed ? (sums?.size ?? 0) : countRows(views, works),
  }
}
