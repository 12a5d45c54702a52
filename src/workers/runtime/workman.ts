import type { Logger } from 'pino'
import { clip } from '../../domain/kernel/clip.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { bell } from './bell.ts'
import { holdClaim } from './hold-claim.ts'
import { type Backoff, idleBackoff } from './idle-backoff.ts'

export interface Hand {
  readonly signal: AbortSignal
  /** Call it whenever there is progress: a hand without any is taken for hung. */
  readonly progress: () => void
}

export interface WorkmanOptions<Task> {
  /** Strictly in order: a lower queue is looked at only when all above are empty. */
  readonly queues: readonly TaskQueue<Task>[]
  /** Does the work and reports it. What it throws is reported as a failed attempt. */
  readonly perform: (task: Task, hand: Hand) => Promise<void>
  /** Tasks under way at once. */
  readonly hands: number
  /** Most tasks claimed at a time. */
  readonly batch?: number
  readonly backoff?: Backoff
  /** A hand that shows no progress for this long is stopped. */
  readonly stallMillis?: number
  /** Pause between tasks taken, for people who throttle by items. */
  readonly pace?: (tasks: number, signal: AbortSignal) => Promise<void>
  /** Calls back when there may be new work; returns the way to stop it. */
  readonly onNewWork: (listener: () => void) => () => void
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  readonly name: string
}

export interface Workman {
  /** Takes nothing new, lets hands finish for `graceMillis`, then stops them and gives their tasks back. */
  stop(graceMillis?: number): Promise<void>
  busy(): number
}

export const startWorkman = <Task>(options: WorkmanOptions<Task>): Workman => {
  const { queues, hands, batch = 10, stallMillis = 120_000, clock, log, telemetry } = options
  const labels = { worker: options.name }
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const backoff = idleBackoff(queues.length, clock, options.backoff)
  const active = new Set<Promise<void>>()
  const { ring, wait } = bell(clock)
  let news = false
  const stopListening = options.onNewWork(() => {
    news = true
    ring()
  })

  const loop = async () => {
    while (!stopping.signal.aborted) {
      // Not as soon as it is heard: a look under way would not see the new work, and start the back-off it ended.
      if (news) backoff.reset()
      news = false
      if (!(await look())) await rest()
    }
  }

  /** One pass from the top; true when something was claimed. Never claims more than there are free hands. */
  const look = async (): Promise<boolean> => {
    const free = hands - active.size
    if (free <= 0) return false
    for (const [i, queue] of queues.entries()) {
      if (!backoff.mayLook(i)) continue
      const lookedAt = clock.now()
      try {
        const claimed = await queue.take(Math.min(batch, free))
        if (claimed.length === 0) {
          backoff.empty(i, lookedAt)
          continue
        }
        backoff.found(i)
        telemetry.count('tasks', { ...labels, queue: queue.name }, claimed.length)
        for (const one of claimed) start(one)
        await options.pace?.(claimed.length, stopping.signal)
        return true
      } catch (error) {
        log.warn({ err: error, queue: queue.name }, 'a queue could not be read and will be read again')
        backoff.failed(i, lookedAt)
      }
    }
    return false
  }

  /** Until new work is heard of, a hand comes free, a task becomes due or a back-off ends. */
  const rest = async () => {
    if (active.size >= hands) return wait(Number.POSITIVE_INFINITY)
    const due = await nearestDue()
    const untilDue = due ? millisBetween(clock.now(), due) : Number.POSITIVE_INFINITY
    await wait(Math.max(1, Math.min(backoff.untilNextLook(), untilDue)))
    if (due && due <= clock.now()) news = true
  }

  const nearestDue = async (): Promise<string | undefined> => {
    const dues = await Promise.all(queues.map((queue) => queue.nextDue().catch(() => undefined)))
    return dues.filter((due, i) => due !== undefined && backoff.isNews(i, due)).sort()[0]
  }

  const start = (claimed: Claimed<Task>) => {
    const work = run(claimed).finally(() => {
      active.delete(work)
      telemetry.gauge('hands_busy', labels, active.size)
      ring()
    })
    active.add(work)
    telemetry.gauge('hands_busy', labels, active.size)
  }

  const run = async (claimed: Claimed<Task>) => {
    const started = performance.now()
    const claim = holdClaim(claimed, { clock, log, stallMillis, signal: hardStop.signal })
    try {
      claim.signal.throwIfAborted()
      await claim.guard(options.perform(claimed.task, { signal: claim.signal, progress: claim.progress }))
    } catch (error) {
      await giveBack(claimed, claim.lost(), reasonOf(error))
    } finally {
      claim.end()
      telemetry.time('task_seconds', labels, (performance.now() - started) / 1000)
    }
  }

  const giveBack = async (claimed: Claimed<Task>, lost: boolean, reason: string) => {
    try {
      if (lost) log.warn({ worker: options.name }, `a claim was lost: ${reason}`)
      else if (hardStop.signal.aborted) await claimed.release('the worker was stopped')
      else await claimed.fail(reason)
    } catch (failure) {
      // The claim's deadline gives it back in any case.
      log.warn({ err: failure, worker: options.name }, 'a failed task could not be reported')
    }
  }

  const running = loop()

  return {
    busy: () => active.size,
    stop: async (graceMillis = 30_000) => {
      stopping.abort()
      stopListening()
      ring()
      const finished = running.then(() => Promise.all(active))
      const graceOver = new AbortController()
      await Promise.race([finished, clock.sleep(graceMillis, graceOver.signal)])
      graceOver.abort()
      hardStop.abort()
      await finished
    },
  }
}

/** As a report of it takes it: text that can be kept, and is never empty. */
const reasonOf = (error: unknown): string =>
  clip(error instanceof Error ? error.message : String(error), longestReason) || 'it failed without a word'

const longestReason = 2000
