import type { Logger } from 'pino'
import { aborted } from '../../async/aborted.ts'
import { createAutoResetEvent } from '../../async/auto-reset-event.ts'
import { type MachineFailure, NoRoom } from '../../async/machine-failure.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { IdleBackoff } from './idle-backoff.ts'
import { createMachineRest } from './machine-rest.ts'
import type { MachineWaits } from './machine-waits.ts'
import { createQueuePoller } from './queue-poller.ts'
import { type ClaimContext, runTask } from './run-task.ts'

interface WorkerPoolOptions<Task> {
  /** Strictly in order: a lower queue is polled only when all above are empty. */
  readonly queues: readonly TaskQueue<Task>[]
  /** Does the work and reports it. Its errors are reported as failed attempts. */
  readonly perform: (task: Task, context: ClaimContext) => Promise<void>
  /** Most tasks under way at once; as many again may wait for the work of others. */
  readonly concurrency: number
  /** Most tasks claimed at a time. */
  readonly maxBatch?: number
  readonly backoff?: IdleBackoff
  /** A task without progress for this long is stopped. */
  readonly stallMillis?: number
  /** Folders of our own that tasks write to: their errors are no task's fault. */
  readonly folders?: readonly string[]
  /** Tasks that the machine could not do, by `workOf`. The queues leave them out while they wait. */
  readonly waits?: MachineWaits
  readonly workOf?: (task: Task) => string
  /** Waits after tasks were claimed: a rate limit. */
  readonly pace?: (tasks: number, signal: AbortSignal) => Promise<void>
  /** Nothing is claimed before it resolves. */
  readonly opening?: Promise<void>
  /** Calls back when there may be new work; returns the unsubscribe. */
  readonly onNewWork: (listener: () => void) => () => void
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  readonly name: string
}

export interface WorkerPool {
  /** Claims nothing new, lets tasks finish for `graceMillis`, then stops them and releases them. */
  stop(graceMillis?: number): Promise<void>
  busy(): number
}

/** Interval of readings of the machine while something waits for it. */
const pollMillis = 10 * SECOND

/** How long free concurrency waits for more to become free. */
const gatherMillis = 10

/** Claims tasks from queues and performs them, up to a concurrency. */
export const startWorkerPool = <Task>(options: WorkerPoolOptions<Task>): WorkerPool => {
  const { name, concurrency, maxBatch = 100, stallMillis = 120_000, perform, clock, log, telemetry } = options
  const labels = { worker: name }
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const { folders = [] } = options
  const machine = createMachineRest({ clock, log, name, folders })
  const poller = createQueuePoller(options.queues, { backoff: options.backoff, clock, log })
  const wakeUp = createAutoResetEvent(clock)
  const active = createActiveTasks((count) => telemetry.gauge('hands_busy', labels, count), wakeUp.set)
  telemetry.gauge('hands_busy', labels, 0)
  for (const { name: queue } of options.queues) telemetry.count('tasks', { ...labels, queue }, 0)
  let hasNews = false
  const stopListening = options.onNewWork(() => {
    hasNews = true
    wakeUp.set()
  })

  let waiting = 0
  const aside = async <A>(wait: Promise<A>): Promise<A> => {
    waiting++
    wakeUp.set()
    try {
      return await wait
    } finally {
      waiting--
    }
  }
  const free = () => concurrency - active.count() + Math.min(waiting, concurrency)

  /** Tasks that end close together are replaced together: claiming many costs little more than claiming one. */
  const gather = async () => {
    const until = clock.monotonic() + gatherMillis
    while (free() > 0 && free() < concurrency / 2 && !stopping.signal.aborted) {
      const left = until - clock.monotonic()
      if (left <= 0) return
      await wakeUp.wait(left)
    }
  }

  const onEnd = async (task: Task, failure: MachineFailure | undefined) => {
    if (!failure) return machine.succeeded()
    if (options.workOf) await options.waits?.begin(options.workOf(task), failure)
    // Other work may have room.
    if (!(failure instanceof NoRoom)) machine.failed(failure)
  }

  /** Returns true if something was claimed. Never claims more than may start at once. */
  const claim = async (): Promise<boolean> => {
    const usable = await machine.usable(free(), active.count())
    const found = usable > 0 ? await poller.poll(Math.min(maxBatch, usable)) : undefined
    if (!found) return false
    const taken = found.claimed.reduce((sum, { tasks = 1 }) => sum + tasks, 0)
    telemetry.count('tasks', { ...labels, queue: found.queue }, taken)
    const signal = hardStop.signal
    const tools = { name, perform, aside, stallMillis, folders, onEnd, signal, clock, log, telemetry }
    for (const claimed of found.claimed) active.add(runTask(claimed, tools), claimed.concurrency)
    await options.pace?.(taken, stopping.signal)
    return true
  }

  /** Waits until there is news of work, a task ends, one becomes due or a back-off ends. */
  const rest = async () => {
    if (free() <= 0) return wakeUp.wait()
    const due = await poller.nextDue()
    if (machine.millisLeft() < Number.POSITIVE_INFINITY) return wakeUp.wait(machine.millisLeft())
    const untilPoll = options.waits && options.waits.count() > 0 ? pollMillis : Number.POSITIVE_INFINITY
    const untilDue = due ? millisBetween(clock.now(), due) : Number.POSITIVE_INFINITY
    await wakeUp.wait(Math.max(1, Math.min(poller.untilNextPoll(), untilDue, untilPoll)))
    if (untilPoll <= pollMillis || (due && due <= clock.now())) hasNews = true
  }

  const loop = async () => {
    if (options.opening) await Promise.race([options.opening, aborted(stopping.signal)])
    while (!stopping.signal.aborted) {
      // Not in the listener: a poll under way would not see the new work, and would restart the back-off.
      if (hasNews) poller.reset()
      hasNews = false
      await gather()
      if (!(await claim())) await rest()
    }
  }
  const running = loop()

  return {
    busy: active.count,
    stop: async (graceMillis = 30_000) => {
      stopping.abort()
      stopListening()
      wakeUp.set()
      const finished = running.then(active.finished)
      await withTimeout(finished, graceMillis, () => undefined, clock)
      hardStop.abort()
      await finished
    },
  }
}

/** The tasks under way, counted by the concurrency that they take. `onEnd` is called after `onChange`. */
const createActiveTasks = (onChange: (concurrency: number) => void, onEnd: () => void) => {
  const active = new Set<Promise<void>>()
  let busy = 0
  const take = (concurrency: number) => {
    busy += concurrency
    onChange(busy)
  }
  return {
    count: () => busy,
    add: (task: Promise<void>, concurrency = 1) => {
      const work = task.finally(() => {
        active.delete(work)
        take(-concurrency)
        onEnd()
      })
      active.add(work)
      take(concurrency)
    },
    finished: () => Promise.all(active),
  }
}
