import { isLeft } from 'fp-ts/lib/Either.js'
import { startRoles } from '../app/roles.ts'
import type { System } from '../app/system.ts'
import { waitUntilIdle } from '../app/wait-until-idle.ts'
import { orAborted } from '../async/aborted.ts'
import { NotCaughtUp } from '../async/wait-until.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { Session } from './context.ts'
import { fallingCount } from './output/falling-count.ts'
import { rolesHere } from './work-here.ts'

/**
 * Runs processors, reactions and projections until nothing is left to do. On servers the running processes do the work:
 * joining their consumer groups for a moment would only cause a rebalance. Shows a progress bar after a second.
 * `inLog`: what is done by now, whatever becomes of the rest; said with the failure where that is waited for in vain.
 */
export const bringToRest = async (session: Session, system: System, inLog?: string): Promise<void> => {
  const embedded = system.config.broker === 'embedded'
  const parts = await startRoles(
    system,
    embedded ? await rolesHere(session, system, ['processors', 'reactions', 'projections']) : ['projections'],
  )
  const over = new AbortController()
  const watching = showWaiting(session, system, over.signal)
  try {
    await orAborted(waitUntilIdle(system), session.signal)
  } catch (error) {
    if (inLog === undefined || !(error instanceof NotCaughtUp)) throw error
    throw new NotCaughtUp(`${inLog}, and need not be given again; ${error.message}`)
  } finally {
    over.abort()
    await watching
    await parts.stop()
  }
}

const showWaiting = async (session: Session, system: System, over: AbortSignal): Promise<void> => {
  await system.clock.sleep(SECOND, over)
  if (over.aborted) return
  const progress = session.progress('Handling messages')
  const waiting = fallingCount(progress)
  while (!over.aborted) {
    waiting(await messagesWaiting(system))
    await system.clock.sleep(SECOND / 4, over)
  }
  progress.done()
}

const messagesWaiting = async ({ broker }: System): Promise<number> => {
  const groups = await broker.groups()()
  if (isLeft(groups)) return 0
  const partitions = groups.right.flatMap((group) => group.partitions)
  return Number(partitions.reduce((sum, { lag }) => sum + lag, 0n))
}
