import { finishAll } from '../async/finish-all.ts'
import { HOUR } from '../domain/kernel/time.ts'
import type { Consumption } from '../ports/broker.ts'
import type { RunningLeader } from '../processors/runtime/leader.ts'
import type { Processor } from '../processors/runtime/processor.ts'
import { runProcessor } from '../processors/runtime/run-processor.ts'
import type { ViewMove } from '../projections/runtime/run-projection.ts'
import { type RunningProjections, runProjections } from '../projections/runtime/runner.ts'
import type { RunningWorker, WorkerOptions } from '../workers/runtime/worker.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import { bindViews } from './bind-views.ts'
import { checkLog } from './check-log.ts'
import type { Edge, Role } from './config/settings.ts'
import { startDroppingHistory } from './drop-history.ts'
import { everyHour } from './every-hour.ts'
import { followForgotten } from './follow-forgotten.ts'
import { startReactions, startRelay } from './leaders.ts'
import { logFailures, observeBatches, traced } from './observe.ts'
import { pollForChanges } from './poll-for-changes.ts'
import { type RunningSealer, startSealer } from './proof/start-sealer.ts'
import type { System } from './system.ts'
import { tidyLocks } from './tidy-locks.ts'
import { ensureTopics } from './topics.ts'

/** The parts of Fonds that run in this process. */
export interface Running {
  readonly projections: RunningProjections | undefined
  readonly workers: readonly RunningWorker[]
  /** Returns the known damage of the log, as far as it was checked. */
  logDamage(): string | undefined
  /**
   * Calls back when views have changed, whichever process folded them. If projections are named, only when rows of
   * theirs may have changed. Returns a function that stops this.
   */
  readonly onViewChange: OnViewChange
  /** Returns why consumer groups handle no messages until a person has acted, a sentence each. */
  whyBlocked(): readonly string[]
  /** Returns why workers claim nothing until a person has acted, a sentence each. */
  whyIdle(): readonly string[]
  /** Returns why the log is not sealed until a person has acted, a sentence each. */
  whyUnsealed(): readonly string[]
  /** Stops intake first, then lets work under way finish. */
  stop(graceMillis?: number): Promise<void>
  /** For a process that ends abruptly: releases leases and claims, and finishes nothing. */
  abandon(): Promise<void>
}

interface Opening extends Pick<WorkerOptions, 'opening'> {
  readonly kind?: string
}

interface StartedRoles extends Running {
  /** Starts workers beside roles that were started without them; of one kind, if it is given. */
  startWorkers(options?: Opening): Promise<void>
}

type OnViewChange = (listener: () => void, projections?: readonly string[]) => () => void

type WorkerSettings = Pick<WorkerOptions, 'concurrency' | 'threads' | 'bytesPerSecond' | 'itemsPerSecond'>

export const workerSettings = ({ config }: System): WorkerSettings => ({
  concurrency: config.hands,
  threads: config.threads,
  ...(config.bytesPerSecond && { bytesPerSecond: config.bytesPerSecond }),
  ...(config.itemsPerSecond && { itemsPerSecond: config.itemsPerSecond }),
})

/** Filled as the roles start, so that a failure can stop those that have started. */
interface Parts {
  readonly consumptions: Consumption[]
  readonly leaders: (RunningLeader | RunningSealer)[]
  readonly workers: RunningWorker[]
}

/** Starts the given roles, views first, so that roles that wait for these find them advancing. */
export const startRoles = async (
  system: System,
  roles: readonly Exclude<Role, Edge>[],
  settings: WorkerSettings = workerSettings(system),
): Promise<StartedRoles> => {
  const has = (role: Role) => (roles as readonly Role[]).includes(role)
  await bindViews(system)
  await ensureTopics(system, has('relay'))
  const logDamage = checkLog(system)
  const { notify, onViewChange } = viewListeners()
  const projections = has('projections') ? startProjections(system, notify) : undefined
  const forgetting = projections && startDroppingHistory(system)
  // Delayed: files of killed processes prove to others that these have ended.
  const tidying = (has('reactions') || has('relay')) && everyHour(system, () => tidyLocks(system), HOUR)
  const following = followForgotten(system)
  const polling = projections ? undefined : pollForChanges(system, notify)
  const parts: Parts = { consumptions: [], leaders: [], workers: [] }

  let sealer: RunningSealer | undefined

  const stop = async (graceMillis?: number) => {
    await stopParts(parts, graceMillis)
    await Promise.all([projections?.stop(), forgetting?.stop(), following.stop(), polling?.stop()])
    if (tidying) await tidying.stop()
  }

  const startWorkers = async ({ kind, ...opening }: Opening = {}) => {
    for (const workflow of system.workflows)
      for (const worker of workflow.workers) {
        if (kind !== undefined && worker.kind !== kind) continue
        const options = { ...settings, ...opening, onNewWork: newsOf(workflow, onViewChange) }
        parts.workers.push(await worker.start(system, options))
      }
  }

  try {
    if (has('processors')) await startProcessors(system, parts)
    if (has('reactions')) parts.leaders.push(startReactions(system))
    if (has('relay')) parts.leaders.push(startRelay(system))
    if (has('sealer')) {
      sealer = startSealer(system)
      parts.leaders.push(sealer)
    }
    if (has('workers')) await startWorkers()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    projections,
    workers: parts.workers,
    logDamage,
    onViewChange,
    startWorkers,
    whyBlocked: () => parts.consumptions.flatMap((consumption) => consumption.refused?.() ?? []),
    whyIdle: () => parts.workers.flatMap((worker) => worker.refused?.() ?? []),
    whyUnsealed: () => {
      const state = sealer?.state()
      if (state?.kind === 'sealing') return state.doubts
      return state?.kind === 'stopped' ? [state.reason] : []
    },
    stop,
    abandon: () => abandonParts(parts),
  }
}

/** The workers of a workflow take their work from its own views: changes of others wake none of them. */
export const newsOf =
  ({ projections }: Workflow, onViewChange: OnViewChange): WorkerOptions['onNewWork'] =>
  (listener) =>
    onViewChange(
      listener,
      projections.map(({ name }) => name),
    )

const viewListeners = () => {
  const listeners = new Set<(move: ViewMove) => void>()
  const onViewChange: OnViewChange = (listener, projections) => {
    const heard = ({ projection, hasNews }: ViewMove) => {
      if (!projections || (hasNews && projections.includes(projection))) listener()
    }
    listeners.add(heard)
    return () => {
      listeners.delete(heard)
    }
  }
  return {
    notify: (move: ViewMove) => {
      for (const listener of listeners) listener(move)
    },
    onViewChange,
  }
}

const startProjections = (system: System, onMove: (move: ViewMove) => void): RunningProjections => {
  for (const { name: projection } of projectionsOf(system.workflows))
    system.telemetry.count('events_projected', { projection }, 0)
  return runProjections({
    ...system,
    projections: projectionsOf(system.workflows).map(traced),
    onFailure: logFailures(system.log),
    observe: observeBatches(system.telemetry),
    onMove,
  })
}

/**
 * The first group that joins binds them all to a log: of two logs that start at once, one gets all. The others then
 * join in parallel, as each takes seconds on a server.
 */
const startProcessors = async (system: System, { consumptions }: Parts): Promise<void> => {
  const consume = async (processor: Processor) => {
    consumptions.push(await runProcessor(processor, system))
  }
  const [first, ...others] = system.workflows.flatMap((workflow) => workflow.processors(system))
  if (first) await consume(first)
  await finishAll(others.map(consume))
}

const stopParts = async ({ consumptions, leaders, workers }: Parts, graceMillis?: number): Promise<void> => {
  await Promise.all(workers.map((worker) => worker.stop(graceMillis)))
  await Promise.all(consumptions.map((consumption) => consumption.stop()))
  await Promise.all(leaders.map((leader) => leader.stop()))
}

const abandonParts = async ({ consumptions, leaders, workers }: Parts): Promise<void> => {
  for (const consumption of consumptions) void consumption.stop()
  await finishAll([...leaders.map((leader) => leader.abandon()), ...workers.map((worker) => worker.stop(0))])
}
