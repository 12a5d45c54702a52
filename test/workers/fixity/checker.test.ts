import { right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import type { FixityTask } from '#src/domain/fixity/check-task.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '#src/domain/fixity/store/events.ts'
import type { Claimed, TaskQueue } from '#src/ports/task-queue.ts'
import { startChecker } from '#src/workers/fixity/checker.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { fixityWorld } from '../../processors/fixity/world.ts'
import openScriptedStore from './scripted-store.ts'

/** A worker with one hand and one thread, whose one other check never ends; the urgent one comes behind it. */
const untilUrgentIsReported = async (limits: { bytesPerSecond?: number; itemsPerSecond?: number }) => {
  const world = fixityWorld()
  await world.run({
    decider: storeDecider,
    stream: storeStream('main'),
    command: {
      type: 'RegisterStore',
      store: 'main',
      kind: 'folder',
      root: '/archive',
      policy: defaultPolicy,
      at: world.clock.now(),
      actor: 'ada',
    },
  } as never)
  await world.fold()

  const reported = Promise.withResolvers<unknown>()
  const news: (() => void)[] = []
  let isUrgentThere = false
  let released = 0
  const taskOf = (path: string): Claimed<FixityTask> => ({
    task: { item: { store: 'main', path }, fence: 1, checksums: [] },
    deadline: '2999-01-01T00:00:00.000Z',
    extend: async () => '2999-01-01T00:00:00.000Z',
    release: async () => void released++,
    fail: async (reason) => reported.reject(new Error(reason)),
  })
  const checker = startChecker(
    {
      ...world,
      clock: systemClock,
      config: { stallSeconds: 3600, idleMinSeconds: 3600, idleMaxSeconds: 3600 },
      broker: {
        produce: (records: readonly { readonly key: string }[]) => async () => {
          reported.resolve(records.map(({ key }) => key))
          return right([])
        },
      } as never,
      telemetry: recordedTelemetry(),
      openContent: () => openScriptedStore('root'),
      contentStoreModule: new URL('./scripted-store.ts', import.meta.url),
    },
    {
      concurrency: 1,
      threads: 1,
      ...limits,
      onNewWork: (listener) => {
        news.push(listener)
        return () => {}
      },
    },
    ({ stores }) => {
      const queue = (name: string, take: () => string | undefined): TaskQueue<FixityTask> => ({
        name,
        take: async () => {
          await stores()
          const path = take()
          return path === undefined ? [] : [taskOf(path)]
        },
        nextDue: async () => undefined,
      })
      const high = () => {
        if (!isUrgentThere) return undefined
        isUrgentThere = false
        return 'urgent'
      }
      let isTaken = false
      const low = () => {
        if (isTaken) return undefined
        isTaken = true
        isUrgentThere = true
        for (const tell of news) tell()
        return 'hang'
      }
      return [queue('high', high), queue('low', low)]
    },
  )
  try {
    return await reported.promise
  } finally {
    await checker.stop(0)
    expect(released).toBe(1)
  }
}

it.each([{ bytesPerSecond: 1 }, { itemsPerSecond: 1 }])(
  'an urgent check is taken, and read, while all that was taken before waits for a throttle of %j',
  async (limits) => {
    expect(await untilUrgentIsReported(limits)).toEqual(['main/urgent'])
  },
)
