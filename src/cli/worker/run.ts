import type { Logger } from 'pino'
import { keepPrivate } from '../../app/config/file-modes.ts'
import { followSettings } from '../../app/follow-settings.ts'
import { presenceOf } from '../../app/presence.ts'
import { newsOf, startRoles, workerSettings } from '../../app/roles.ts'
import { aborted } from '../../async/aborted.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { RunningWorker } from '../../workers/runtime/worker.ts'
import { workflows } from '../../workflows/all.ts'
import { didYouMean } from '../closest.ts'
import type { CliContext, Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { endOnUncaught } from '../uncaught.ts'
import { unknownVariables } from '../unknown-variables.ts'
import { whenThere } from '../when-there.ts'

interface WorkerOptions {
  readonly wait: boolean
  readonly grace: number
}

export const workerIn =
  (context: CliContext) =>
  async (
    session: Session,
    kind: string | undefined,
    { grace, wait }: WorkerOptions,
  ): Promise<CliFailure | undefined> => {
    for (const sentence of unknownVariables(session.env)) session.say(`warning: ${sentence}`)
    const all = (context.workflows ?? workflows).flatMap((workflow) =>
      workflow.workers.map((kind) => ({ workflow, kind })),
    )
    const kinds = all.map(({ kind }) => kind)
    if (kind === undefined) {
      await writeRows(session.output, [kinds.map(({ kind, description }) => ({ kind, description }))])
      return undefined
    }
    const found = all.find((one) => one.kind.kind === kind)
    if (!found) {
      const names = kinds.map((one) => one.kind)
      return refused(`there is no worker ${kind}`, didYouMean(kind, names))
    }
    const { startAlone } = found.kind
    // Otherwise the log may have the setting of its folder.
    if (startAlone && context.openAlone && session.given.indexingFolder !== undefined) {
      const { config } = session
      keepPrivate(config.homeMode)
      const alone = await context.openAlone(config)
      await untilStopped(session, await startAlone({ ...alone, config }), alone.log, grace)
      await alone.close()
      return undefined
    }
    const system = await session.system()
    for (const sentence of system.settings.remarks()) session.say(`warning: ${sentence}`)
    const presence = presenceOf(system, [`worker ${kind}`])
    const begin = async () => {
      await system.settings.refresh({ beforeWork: true })
      // A process whose settings differ from those at work waits until they agree.
      await presence.show()
      return startRoles(system, ['projections'])
    }
    const views = wait ? await whenThere(begin, session) : await begin()
    if (!views) return undefined
    const onNewWork = newsOf(found.workflow, views.onViewChange)
    const started = await found.kind.start(system, { ...workerSettings(system), onNewWork })
    const over = new AbortController()
    const signal = AbortSignal.any([session.signal, over.signal])
    const following = Promise.all([
      followSettings(system, { say: session.say, show: presence.show }, signal),
      presence.keep(signal),
    ])
    try {
      await untilStopped(session, started, system.log, grace)
    } finally {
      over.abort()
      await following
      await presence.leave()
    }
    await views.stop()
    return undefined
  }

const untilStopped = async (
  session: Session,
  started: RunningWorker,
  log: Logger,
  grace: number,
): Promise<void> => {
  using _ = endOnUncaught(log, () => started.stop(0))
  session.say(`${started.name} is at work; Ctrl-C stops it`)
  try {
    await aborted(session.signal)
    if (started.busy() > 0) session.say(`finishing what is under way: ${started.busy()}`)
  } finally {
    await started.stop(grace * SECOND)
  }
  session.say(`${started.name} has stopped`)
}
