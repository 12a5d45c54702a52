import { flushCompileCache } from 'node:module'
import { defaultRoles, type Role, withoutEdges } from '../../app/config/settings.ts'
import { followSettings } from '../../app/follow-settings.ts'
import { type Presence, presenceOf } from '../../app/presence.ts'
import { startRoles } from '../../app/roles.ts'
import { type RunningLater, runningLater } from '../../app/running-later.ts'
import type { System } from '../../app/system.ts'
import { aborted } from '../../async/aborted.ts'
import { releaseMemoryWhenIdle } from '../../async/release-memory.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Session } from '../context.ts'
import { createEdges } from '../edges.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { endOnUncaught } from '../uncaught.ts'
import { unknownVariables } from '../unknown-variables.ts'
import { whenThere } from '../when-there.ts'

interface StartOptions {
  readonly roles?: readonly Role[]
  readonly wait: boolean
  readonly grace: number
}

export const run = async (session: Session, options: StartOptions): Promise<CliFailure | undefined> => {
  for (const sentence of unknownVariables(session.env)) session.say(`warning: ${sentence}`)
  const system = await session.system({ isMeasured: true })
  for (const sentence of system.settings.remarks()) session.say(`warning: ${sentence}`)
  const wanted = options.roles ?? defaultRoles
  const parts = runningLater()
  const presence = presenceOf(system, wanted)
  using _ = endOnUncaught(system.log, parts.abandon)
  const edges = createEdges(session, system, wanted, parts)
  const ending = new AbortController()
  const signal = AbortSignal.any([session.signal, ending.signal])
  const beginning = beginParts({ ...session, signal }, system, wanted, { parts, presence }, options.wait)
  try {
    // If all dependencies are available, the parts begin within that time; else a supervisor is informed of the missing
    // one.
    await withTimeout(beginning, soonMillis, () => undefined)
    const failure = await edges.open()
    if (failure) return failure
    if (!(await beginning)) {
      session.say('stopped before it was running')
      return undefined
    }
    // A killed process leaves its compiled code to the next: otherwise Node stores it only if a process ends by itself.
    flushCompileCache()
    session.say(`home ${system.config.home}; roles ${wanted.join(', ')}; Ctrl-C stops`)
    await Promise.all([
      aborted(session.signal),
      followSettings(system, { say: session.say, show: presence.show }, signal),
      presence.keep(signal),
      releaseMemoryWhenIdle(signal),
    ])
    session.say('stopping; finishing work under way')
  } finally {
    ending.abort()
    await beginning.catch(() => undefined)
    const grace = options.grace * SECOND
    // Concurrently, so that each part has the whole grace period.
    await Promise.all([edges.close(grace), parts.stop(grace)])
    await presence.leave()
  }
  return undefined
}

const soonMillis = 2 * SECOND

/** Returns false if it was stopped before: a start may wait for an unavailable Kafka, and ends with its broker. */
const beginParts = async (
  { signal, say }: Pick<Session, 'signal' | 'say'>,
  system: System,
  wanted: readonly Role[],
  { parts, presence }: { readonly parts: RunningLater; readonly presence: Presence },
  mayWait: boolean,
): Promise<boolean> => {
  const close = () => void system.broker.close()
  signal.addEventListener('abort', close)
  const begin = async () => {
    // Not yet read if the log did not answer when it was opened.
    await system.settings.refresh({ beforeWork: true })
    // A process whose settings differ from those at work waits until they agree.
    await presence.show()
    return startRoles(system, withoutEdges(wanted))
  }
  try {
    const begun = mayWait ? await whenThere(begin, { signal, say, onAway: parts.setWaitsFor }) : await begin()
    if (begun) parts.begin(begun)
    return begun !== undefined
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  } finally {
    signal.removeEventListener('abort', close)
  }
}
