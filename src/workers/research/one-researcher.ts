import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import { machineFailure, NoRoom } from '../../async/machine-failure.ts'
import { addMillis, MINUTE, SECOND } from '../../domain/kernel/time.ts'
import type { ItemTask } from '../../domain/research/item-task.ts'
import type { Media } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Correlated, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { MachineWaits } from '../runtime/machine-waits.ts'
import { retryWhileAway } from '../runtime/retry-while-away.ts'
import type { ClaimContext } from '../runtime/run-task.ts'
import type { WorkerOptions } from '../runtime/worker.ts'
import { startWorkerPool, type WorkerPool } from '../runtime/worker-pool.ts'
import { hasEnded } from './known-work.ts'
import type { Recordings } from './recording.ts'
import { type Report, reports } from './report.ts'
import { research } from './research-item.ts'
import type { Searcher } from './searcher.ts'

/** Parameters of the queue of items, from the researcher that takes from it. */
interface ResearcherHooks {
  readonly researcher: string
  /** True if this media need not be fetched: such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
  /** Time until which it takes nothing; undefined: it does not rest. */
  readonly restsUntil: () => string | undefined
  /** Episodes that wait for this machine, by id. */
  readonly waits: MachineWaiting
  /** Releases the item on the results topic, after all reports on it. */
  readonly release: (task: ItemTask, reason: string, of: Correlated) => Promise<void>
  /** Reports a failed attempt on the results topic. */
  readonly fail: (task: ItemTask, reason: string, of: Correlated) => Promise<void>
}

export type ItemQueueOf = (hooks: ResearcherHooks) => TaskQueue<ItemTask>

/** Parts that the researchers of one process share. */
export interface SharedParts {
  readonly context: {
    readonly config: {
      readonly stallSeconds: number
      readonly idleMinSeconds: number
      readonly idleMaxSeconds: number
    }
    readonly viewStore: ViewStore
    readonly clock: Clock
    readonly telemetry: Telemetry
    readonly log: Logger
  }
  readonly options: Pick<WorkerOptions, 'onNewWork'>
  readonly recordings: Recordings
  readonly searcher: Searcher
  /** Work that this machine cannot do: episodes for which it has no room, and `machine` if it can do none. */
  readonly waits: MachineWaits
  readonly queueOf: ItemQueueOf
  /** Aborts when all of them stop: work under way is finished, nothing more is begun. */
  readonly winding: AbortSignal
  /** Resolves when the report is on the topic; the same `id` is the same message. */
  readonly send: (report: Report & Correlated, id: string) => Promise<void>
  /** Number of researchers that work at present. */
  readonly busy: () => number
}

/** Time for which a researcher rests when its machine fails: the disk is full, files cannot be opened. */
const restMillis = MINUTE

/** A researcher has one item at a time. */
export const startOneResearcher = (id: string, shared: SharedParts): WorkerPool =>
  new OneResearcher(id, shared).start()

class OneResearcher {
  readonly #id: string
  readonly #shared: SharedParts
  #restsUntil: string | undefined

  constructor(id: string, shared: SharedParts) {
    this.#id = id
    this.#shared = shared
  }

  start(): WorkerPool {
    const { context, options, queueOf, waits, busy } = this.#shared
    const { config, clock, telemetry, log } = context
    return startWorkerPool<ItemTask>({
      name: 'researcher',
      queues: [this.#whileAble(queueOf(this.#hooks()))],
      perform: (task, running) => this.#perform(task, running),
      concurrency: 1,
      stallMillis: (config.stallSeconds + 30) * SECOND,
      backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
      onNewWork: options.onNewWork,
      waits,
      clock,
      // The gauge is that of the whole process.
      telemetry: { ...telemetry, gauge: (gauge, labels) => telemetry.gauge(gauge, labels, busy()) },
      log,
    })
  }

  #whileAble(queue: TaskQueue<ItemTask>): TaskQueue<ItemTask> {
    const { waits } = this.#shared
    return { ...queue, take: async (limit) => ((await waits.lasts('machine')) ? [] : queue.take(limit)) }
  }

  #hooks(): ResearcherHooks {
    const { recordings, waits, send } = this.#shared
    return {
      researcher: this.#id,
      isAtHand: (media) => recordings.has(media),
      restsUntil: () => this.#restsUntil,
      waits,
      release: (task, reason, { correlationId }) =>
        send({ ...this.#reportsOf(task).released(reason), correlationId }, uuid()),
      // The attempt counts for the episode, which would otherwise be handed out again at once.
      fail: (task, error, { correlationId }) => {
        const failure = { subject: 'episode', stage: 'search', error } as const
        return send({ ...this.#reportsOf(task).failed(failure, true), correlationId }, uuid())
      },
    }
  }

  #reportsOf(task: ItemTask): ReturnType<typeof reports> {
    const { context, searcher } = this.#shared
    return reports(task, { researcher: this.#id, engine: searcher.engine, clock: context.clock })
  }

  async #perform(task: ItemTask, { signal, progress, correlationId }: ClaimContext): Promise<void> {
    const { context, options, recordings, searcher, waits, winding } = this.#shared
    const { viewStore, clock, log } = context
    const ended = new AbortController()
    const stopWatching = options.onNewWork(() => {
      if (hasEnded(viewStore, task.lease)) ended.abort(new Error('its lease has ended'))
    })
    const itemContext = { signal: AbortSignal.any([signal, ended.signal]), progress, winding }
    const send = (report: Report): Promise<void> => {
      const id = uuid()
      return retryWhileAway(() => this.#shared.send({ ...report, correlationId }, id), itemContext, {
        clock,
        log,
      })
    }
    try {
      const tools = { recordings, searcher, clock, researcher: this.#id, engine: searcher.engine, send }
      await research(task, tools, itemContext)
      for (const work of [task.episode, 'machine']) waits.over(work)
    } catch (error) {
      if (ended.signal.aborted) log.info({ lease: task.lease }, 'the lease has ended; its work stops')
      else await this.#wait(task, error)
    } finally {
      stopWatching()
    }
  }

  /** Rethrows errors that are no failure of the machine. */
  async #wait({ episode }: ItemTask, error: unknown): Promise<void> {
    const failure = machineFailure(error)
    if (!failure) throw error
    await this.#shared.waits.begin(failure instanceof NoRoom ? episode : 'machine', failure)
    if (!(failure instanceof NoRoom)) this.#rest(failure)
  }

  #rest(error: Error): void {
    const { clock, log } = this.#shared.context
    this.#restsUntil = addMillis(clock.now(), restMillis)
    log.error(
      { err: error, restsUntil: this.#restsUntil },
      'this researcher cannot work; pausing until restsUntil',
    )
  }
}
