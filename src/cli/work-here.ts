import { presenceOf, presentNodes, whyNotHere } from '../app/presence.ts'
import { type Running, startRoles } from '../app/roles.ts'
import type { System } from '../app/system.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { Session } from './context.ts'

type Work = 'processors' | 'reactions' | 'projections' | 'workers'

/** The roles that a command may have for a moment: views alone where it is set otherwise than those at work, which it says. */
export const rolesHere = async (
  { say }: Pick<Session, 'say'>,
  system: System,
  roles: readonly Work[],
): Promise<readonly Work[]> => {
  const why = whyNotHere(system, await presentNodes(system))
  if (why === undefined) return roles
  say(why)
  return ['projections']
}

type Waiting = Pick<Running, 'projections' | 'whyIdle' | 'stop'>

const pollMillis = SECOND

/**
 * For a command that waits: does the work in this process where no other has workers of that kind, else folds views alone. Where
 * those end meanwhile, it goes on with their work.
 */
export const workWhereNobodyDoes = async (
  session: Pick<Session, 'say'>,
  system: System,
  kind: string,
): Promise<Waiting> => {
  const others = await whoWorks(system, kind)
  const presence = presenceOf(system, ['processors', 'reactions', 'workers'])
  const over = new AbortController()
  const started: Pick<Running, 'whyIdle' | 'stop'>[] = []
  const begin = async (roles: readonly Work[]) => {
    await presence.show()
    const running = await startRoles(system, roles)
    started.push(running)
    return running
  }
  const views =
    others === undefined
      ? await begin(['processors', 'reactions', 'projections', 'workers'])
      : await startRoles(system, ['projections'])
  if (others !== undefined) session.say(others)
  const goOn = async () => {
    while (started.length === 0 && (await untilNobodyWorks(system, kind, over.signal)))
      try {
        await begin(['processors', 'reactions', 'workers'])
        session.say('the other process has stopped; this process continues the work')
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
      }
    await presence.keep(over.signal)
  }
  const going = goOn()
  going.catch(() => undefined)
  return {
    projections: views.projections,
    whyIdle: () => started.flatMap((running) => running.whyIdle()),
    stop: async (graceMillis) => {
      over.abort()
      await going
      await Promise.all([...new Set([...started, views])].map((one) => one.stop(graceMillis)))
      await presence.leave()
    },
  }
}

/** Why the work is left to others, a sentence; undefined where nobody does it. */
const whoWorks = async (system: System, kind: string): Promise<string | undefined> => {
  const nodes = await presentNodes(system)
  const differs = whyNotHere(system, nodes)
  if (differs !== undefined) return differs
  const [other] = nodes.filter(({ roles }) => roles.includes('workers') || roles.includes(`worker ${kind}`))
  return other && `${other.name} works on it; this command waits`
}

/** False where the signal aborts before. */
const untilNobodyWorks = async (system: System, kind: string, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    await system.clock.sleep(pollMillis, signal)
    if (signal.aborted) return false
    try {
      if ((await whoWorks(system, kind)) === undefined) return true
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
  }
  return false
}
