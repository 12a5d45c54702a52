import { finishAll } from '../async/finish-all.ts'
import type { Consumption } from '../ports/broker.ts'
import type { RunningLeader } from '../processors/runtime/leader.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import { runProcessor } from '../processors/runtime/run-processor.ts'
import { type RunningProjections, runProjections } from '../projections/runtime/runner.ts'
import type { RunningWorker, WorkerOptions } from '../workers/runtime/worker.ts'
import { projectionsOf } from '../workflows/workflow.ts'
import { bindViews } from './bind-views.ts'
import { checkLog } from './check-log.ts'
import type { Role } from './config/settings.ts'
import { startReactions, startRelay } from './leaders.ts'
import { observeBatches, traced } from './observe.ts'
import { pollForChanges } from './poll-for-changes.ts'
import type { System } from './system.ts'
import { tidyLocks } from './tidy-locks.ts'
import { ensureTopics } from './topics.ts'

/** The parts of Fonds that are at work in this process. */
export interface Running {
  readonly projections: RunningProjections | undefined
  readonly workers: readonly RunningWorker[]
  /** What is damaged in the log, as far as it was looked through. */
  logDamage(): string | undefined
  /** Calls back when views have moved on, whichever process folded them; returns the way to stop it. */
  onViewChange(listener: () => void): () => void
  /** Why consumer groups take nothing until a person has done something. */
  refusals(): readonly string[]
  /** Stops intake first, then lets what is under way finish. */
  stop(graceMillis?: number): Promise<void>
  /** For a process that ends abruptly: gives leases and claims back, and finishes nothing. */
  abandon(): Promise<void>
}

type WorkerSettings = Pick<WorkerOptions, 'concurrency' | 'threads' | 'bytesPerSecond' | 'itemsPerSecond'>

export const workerSettings = ({ config }: System): WorkerSettings => ({
  concurrency: config.hands,
  threads: config.threads,
  ...(config.bytesPerSecond && { bytesPerSecond: config.bytesPerSecond }),
  ...(config.itemsPerSecond && { itemsPerSecond: config.itemsPerSecond }),
})

/** Starts the given roles, views first, so that whatever waits for them finds them moving. */
export const startRoles = async (
  system: System,
  roles: readonly Exclude<Role, 'api' | 'gateway'>[],
  settings: WorkerSettings = workerSettings(system),
): Promise<Running> => {
  const { broker, clock, eventStore, execute, log, partitions, telemetry, viewStore, workflows } = system
  await bindViews(system)
  const has = (role: Role) => (roles as readonly Role[]).includes(role)
  await ensureTopics(system, has('relay'))
  const logDamage = checkLog(system)
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const onViewChange = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  const projections = has('projections')
    ? runProjections({
        eventStore,
        viewStore,
        clock,
        projections: projectionsOf(workflows).map(traced),
        onFailure: (projection, error, retryInMillis) =>
          log.error({ err: error, projection, retryInMillis }, 'a projection stands still'),
        observe: observeBatches(telemetry),
        onMove: notify,
      })
    : undefined
  const watched = projections ? undefined : pollForChanges(system, notify)

  const consumptions: Consumption[] = []
  const leaders: RunningLeader[] = []
  const workers: RunningWorker[] = []

  const stop = async (graceMillis?: number) => {
    await Promise.all(workers.map((worker) => worker.stop(graceMillis)))
    await Promise.all(consumptions.map((consumption) => consumption.stop()))
    await Promise.all(leaders.map((leader) => leader.stop()))
    await Promise.all([projections?.stop(), watched?.stop()])
  }

  const abandon = async () => {
    for (const consumption of consumptions) void consumption.stop()
    await finishAll([
      ...leaders.map((leader) => leader.abandon()),
      ...workers.map((worker) => worker.stop(0)),
    ])
  }

  try {
    if (has('processors')) {
      const consume = async (processor: Processor) =>
        consumptions.push(
          await runProcessor(processor, { broker, execute, partitions, clock, telemetry, log }),
        )
      // The first group says which log has them all: of two logs that start at once, neither gets a part. The others are
      // joined side by side, as it takes seconds on a server.
      const [first, ...others] = workflows.flatMap((workflow) => workflow.processors(system))
      if (first) await consume(first)
      await finishAll(others.map(consume))
    }
    if (has('reactions') || has('relay')) await tidyLocks(system)
    if (has('reactions')) leaders.push(startReactions(system))
    if (has('relay')) leaders.push(await startRelay(system))
    if (has('workers'))
      for (const kind of workflows.flatMap((workflow) => workflow.workers))
        workers.push(kind.start(system, { ...settings, onNewWork: onViewChange }))
  } catch (error) {
    await stop()
    throw error
  }
  const refusals = () => consumptions.flatMap((consumption) => consumption.refused?.() ?? [])
  return { projections, workers, logDamage, onViewChange, refusals, stop, abandon }
}
