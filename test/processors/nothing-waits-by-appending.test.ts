import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import { batches } from '#src/domain/ingest/views.ts'
import { HOUR } from '#src/domain/kernel/time.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import type { TaskQueue } from '#src/ports/task-queue.ts'
import { indexingQueue } from '#src/processors/indexing/claims.ts'
import { batchQueue } from '#src/processors/ingest/batch-claims.ts'
import { jobQueues } from '#src/processors/ingest/job-claims.ts'
import { createMachineWaits, type MachineWaits } from '#src/workers/runtime/machine-waits.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { indexingWorld } from './indexing/world.ts'
import { opened, toOpen, withViews } from './ingest/opened-batch.ts'
import { batchIdOf, submission } from './ingest/world.ts'
import { itemsWorld } from './research/items-world.ts'

/* Nothing waits by appending: a queue asks for no claim of work that its process knows to wait for the machine. */

interface Waiting {
  readonly clock: FakeClock
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly queue: (waits: MachineWaits) => TaskQueue<unknown>
  /** Of its only task. */
  readonly work: string
  /** Views show the task as one that may be claimed. */
  readonly show: () => Promise<unknown>
  /** What was given back is handed out again. */
  readonly again?: () => Promise<unknown>
}

const queues: Readonly<Record<string, () => Promise<Waiting>>> = {
  'jobs of ingest': async () => {
    const world = await opened(1)
    const queue = (waits: MachineWaits) => jobQueues({ ...world.deps, waits }).pending
    return { ...world, queue, work: 'job/1', show: () => world.show([1]) }
  },
  'batches of ingest': async () => {
    const world = withViews()
    const batch = batchIdOf(0)
    await world.send('batch.submitted', { batch, ...submission }, 'api')
    await world.settle()
    return {
      ...world,
      queue: (waits) => batchQueue('open', { ...world.deps, waits } as never),
      work: `batch/${batch}`,
      show: async () => world.write(batches.name, toOpen(batch, 1)),
    }
  },
  'archive files': async () => {
    const world = indexingWorld()
    await world.sight('a.warc')
    const holder = { worker: 'w', timeoutMillis: 60_000, order: 'newest-first' as const }
    return {
      ...world,
      queue: (waits) => indexingQueue({ ...world, ...holder, reportFailure: async () => {}, waits }),
      work: 'main/a.warc',
      show: world.fold,
    }
  },
  'items of research': async () => {
    const world = itemsWorld()
    await world.curate('episode', 'e1')
    await world.curate('clip', 'c1')
    let leases = 1
    await world.grant('l1', 'e1', 'c1')
    const release = async ({ lease, episode }: { readonly lease: string; readonly episode: string }) =>
      world.on('episode', episode, {
        type: 'Release',
        lease,
        researcher: 'r',
        reason: 'no room',
        releasedAt: world.clock.now(),
      })
    return {
      ...world,
      queue: (waits) => world.queue('r', { waits, release }),
      work: 'e1',
      show: world.fold,
      again: () => world.grant(`l${++leases}`, 'e1', 'c1'),
    }
  },
}

const eventsIn = async ({ eventStore }: Pick<Waiting, 'eventStore'>): Promise<number> => {
  const page = await eventStore.readAll(-1n, {}, 100_000)()
  if (isLeft(page)) throw new Error(JSON.stringify(page.left))
  return page.right.events.length
}

it.each(Object.keys(queues))('%s', async (name) => {
  const world = await queues[name]!()
  const { clock, queue, work, show, again = async () => {} } = world
  const disk = { isWritable: true, freeBytes: 0, freeFiles: 1000 }
  const look = async () => ({ opensFiles: true, folders: [{ ...disk }] })
  const waits = createMachineWaits({ clock, folders: ['/work'], probe: look })
  const one = queue(waits)
  await show()
  const [first] = await one.take(10)
  // As one that has failed for days: the longest wait, a day.
  for (let failures = 0; failures < 7; failures++)
    await waits.begin(work, new NoRoom('there is no room', 100))
  await (first!.defer ?? first!.release)('there is no room')
  await again()
  const before = await eventsIn(world)
  for (let hour = 0; hour < 23; hour++) {
    await show()
    expect(await one.take(10)).toEqual([])
    await clock.advance(HOUR)
  }
  expect(await eventsIn(world)).toBe(before)

  disk.freeBytes = 100
  await again()
  await show()
  expect(await one.take(10)).toHaveLength(1)
})
