import { pino } from 'pino'
import { MINUTE } from '../../../src/domain/kernel/time.ts'
import type { TaskQueue } from '../../../src/ports/task-queue.ts'
import type { ClaimContext } from '../../../src/workers/runtime/run-task.ts'
import { startWorkerPool, type WorkerPool } from '../../../src/workers/runtime/worker-pool.ts'
import { fakeClock, turns } from '../../fakes/clock.ts'
import { type FakeQueue, type FakeTask, fakeTasks } from '../../fakes/task-queue.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

/** Tasks, and pools that work on them by a clock of their own. */
export const poolWorld = () => {
  const clock = fakeClock()
  const tasks = fakeTasks(clock)
  const telemetry = recordedTelemetry()
  const listeners = new Set<() => void>()
  const pools: WorkerPool[] = []

  const tellOfNewWork = async () => {
    for (const listener of listeners) listener()
    await turns()
  }
  const start = (
    queues: readonly TaskQueue<FakeTask>[],
    perform: (task: FakeTask, context: ClaimContext) => Promise<void> = async (task) =>
      void tasks.complete(task),
    more: Partial<Parameters<typeof startWorkerPool<FakeTask>>[0]> = {},
  ): WorkerPool => {
    const pool = startWorkerPool<FakeTask>({
      queues,
      perform,
      concurrency: 2,
      onNewWork: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      clock,
      telemetry,
      log: pino({ level: 'silent' }),
      name: 'tester',
      ...more,
    })
    pools.push(pool)
    return pool
  }

  /** Work that ends, or fails, when a test says so. */
  const held = () => {
    const started: string[] = []
    const gates = new Map<string, PromiseWithResolvers<void>>()
    const gateOf = (id: string) => {
      const gate = gates.get(id) ?? Promise.withResolvers<void>()
      gates.set(id, gate)
      return gate
    }
    return {
      started,
      perform: async (task: FakeTask) => {
        started.push(task.id)
        await gateOf(task.id).promise
        tasks.complete(task)
      },
      end: async (id: string) => {
        gateOf(id).resolve()
        await turns()
      },
      fail: async (id: string, error: unknown) => {
        gateOf(id).reject(error)
        await turns()
      },
    }
  }

  /** Stops all pools at once. */
  const end = () => Promise.all(pools.map((pool) => pool.stop(0)))
  return { clock, tasks, telemetry, listeners, tellOfNewWork, start, held, end }
}

/** When a queue was asked, in minutes after the start. */
export const minutes = ({ looks }: FakeQueue) =>
  looks.map(({ at }) => (Date.parse(at) - Date.parse('2026-01-01T00:00:00.000Z')) / MINUTE)
