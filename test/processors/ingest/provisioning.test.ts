import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { orThrow, UnavailableError } from '#src/async/unavailable.ts'
import { unclaimed } from '#src/domain/ingest/claim.ts'
import { volumeStream } from '#src/domain/ingest/ids.ts'
import { orderOf } from '#src/domain/ingest/views.ts'
import { volumeDecider } from '#src/domain/ingest/volume/decide.ts'
import type { ViewQuery } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { createProvisioning } from '#src/processors/ingest/provisioning.ts'
import { deciding } from '../deciding.ts'

interface Waiting {
  readonly job: number
  readonly priority: number
  readonly spaceNeeded: number
}

/** A volume of which 100 bytes may be given out, and the jobs that wait for room. */
const provisioning = (...waiting: readonly Waiting[]) => {
  const { clock, states, execute: executeNow } = deciding()
  /** Resolves when commands of this type may be executed. */
  const gates = new Map<string, Promise<void>>()
  const execute: typeof executeNow = async (decider, envelope) => {
    await gates.get((envelope.command as { type: string }).type)
    return executeNow(decider, envelope)
  }
  let looks = 0
  let views: 'behind' | 'away' | 'up to date' = 'behind'
  const rows = waiting
    .map((row) => ({ ...row, order: orderOf(row.priority, row.job), available: '', sizeKnown: 1 }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  const viewStore = {
    query: (_: string, { where = [] }: ViewQuery<string>) => {
      if (views === 'away') throw new UnavailableError('the views are away')
      if (where.some(({ column }) => column === 'state')) return rows
      return views === 'behind' ? [] : [{ state: 'downloading' }]
    },
    tally: () => [],
  } as unknown as ViewStore
  const room = async () => {
    looks++
    return { total: 1000, used: 700 }
  }
  const { queue, mayGoOn, stop } = createProvisioning({
    ...{ clock, states, execute, viewStore, room, worker: 'worker-1', timeoutMillis: 60_000 },
    ...{ thresholdPercent: 80, unknownBytes: 1000, reportFailure: async () => {} },
    ...{ sites: async () => [], workSite: async () => 'work' },
  })
  onTestFinished(stop)
  return {
    looks: () => looks,
    clock,
    take: () => queue.take(10),
    nextDue: queue.nextDue,
    /** Holds back commands of this type until the result is called. */
    holdBack: (type: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(type, promise)
      return resolve
    },
    /** What another process does with the volume. */
    other: (command: object) =>
      orThrow(() =>
        executeNow(volumeDecider, {
          stream: volumeStream('work'),
          command,
          causationId: randomUUID(),
        } as never),
      ),
    viewsAre: (now: typeof views) => {
      views = now
    },
    volume: async () => (await orThrow(() => states.load(volumeDecider, volumeStream('work')))).state,
    mayGoOn: (job: number, spaceNeeded: number, priority = 5) =>
      mayGoOn({ job, fence: 1, priority }, spaceNeeded),
  }
}

it('I26: a running job is given room while it lasts', async () => {
  const { mayGoOn } = provisioning()
  expect(await mayGoOn(1, 60)).toBe(true)
  expect(await mayGoOn(2, 60)).toBe(false)
  expect(await mayGoOn(3, 40)).toBe(true)
  expect(await mayGoOn(4, 1)).toBe(false)
})

it('I25: it passes those that do not fit, or come behind it, and none that comes before it and fits', async () => {
  const large = { job: 1, priority: 5, spaceNeeded: 500 }
  const before = { job: 2, priority: 5, spaceNeeded: 70 }
  const behind = { job: 9, priority: 5, spaceNeeded: 70 }
  expect(await provisioning(large, before).mayGoOn(5, 40)).toBe(false)
  expect(await provisioning(large, before).mayGoOn(5, 30)).toBe(true)
  expect(await provisioning(large, behind).mayGoOn(5, 100)).toBe(true)
  expect(await provisioning({ ...behind, priority: 4 }).mayGoOn(5, 40)).toBe(false)
  expect(await provisioning(before).mayGoOn(5, 40, 4)).toBe(true)
})

it('X10: where no room is left for any that waits, they wait without an event', async () => {
  const { take, volume } = provisioning({ job: 1, priority: 5, spaceNeeded: 101 })
  for (let round = 0; round < 3; round++) expect(await take()).toEqual([])
  expect(await volume()).toEqual(unclaimed)
})

it('of many small jobs each is given room without a look at the volume of its own', async () => {
  const { mayGoOn, looks } = provisioning()
  for (let job = 1; job <= 50; job++) expect(await mayGoOn(job, 1)).toBe(true)
  expect(looks()).toBe(1)
})

it('views that are away end no process; the right to give out room is given up once they show what was given', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { mayGoOn, viewsAre, volume } = provisioning()
  expect(await mayGoOn(1, 60)).toBe(true)
  viewsAre('away')
  await vi.advanceTimersByTimeAsync(5000)
  // Who holds it and dies stops no other machine for a whole claim.
  expect((await volume()).lease).toMatchObject({ millis: 30_000 })
  viewsAre('up to date')
  await vi.advanceTimersByTimeAsync(1000)
  expect((await volume()).lease).toBeUndefined()
})

it('the right is had again while it is being given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { mayGoOn, viewsAre, volume, holdBack } = provisioning()
  expect(await mayGoOn(1, 60)).toBe(true)
  viewsAre('up to date')
  const release = holdBack('ReleaseClaim')
  await vi.advanceTimersByTimeAsync(1000)
  const next = mayGoOn(2, 30)
  await vi.advanceTimersByTimeAsync(100)
  release()
  expect(await next).toBe(true)
  expect((await volume()).lease).toMatchObject({ fence: 2 })
})

it('the right is not given up as idle because it took long to get', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { mayGoOn, viewsAre, volume, holdBack } = provisioning()
  viewsAre('up to date')
  const grant = holdBack('ClaimVolume')
  const first = mayGoOn(1, 60)
  await vi.advanceTimersByTimeAsync(3500)
  grant()
  expect(await first).toBe(true)
  await vi.advanceTimersByTimeAsync(900)
  expect((await volume()).lease).toMatchObject({ fence: 1 })
  await vi.advanceTimersByTimeAsync(100)
  expect((await volume()).lease).toBeUndefined()
})

it('a job that fits is tried again soon where another process has the right: its end is in no view', async () => {
  const { take, nextDue, other, clock } = provisioning({ job: 1, priority: 5, spaceNeeded: 10 })
  const [at, deadline] = [clock.now(), '2030-01-01T00:00:00.000Z']
  await other({ type: 'ClaimVolume', actor: 'worker-2', at, holder: 'worker-2', deadline, millis: 30_000 })
  expect(await take()).toEqual([])
  const next = await nextDue()
  expect(next && Date.parse(next) - Date.parse(clock.now())).toBe(1000)

  await other({
    type: 'ReleaseClaim',
    actor: 'worker-2',
    at: clock.now(),
    fence: 1,
    reason: 'no job needs room now',
  })
  await take()
  expect(await nextDue()).toBeUndefined()
})
