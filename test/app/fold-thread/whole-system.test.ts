import type { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createRebuilds } from '#src/app/rebuilds.ts'
import { SECOND } from '#src/domain/kernel/time.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { patience } from '../../patience.ts'
import { produce, shown, started, testSystem } from '../archive.ts'

const watchThreads = (): readonly Worker[] => {
  const threads: Worker[] = []
  const note = (worker: Worker) => void threads.push(worker)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  return threads
}

/** Those that are alive, of this process's. */
const alive = (threads: readonly Worker[]): number => threads.filter(({ threadId }) => threadId !== -1).length

const some = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => ({ path: `${prefix}/${i}` }))

it('a whole node whose views a thread folds: rows equal those that are folded here, also across a rebuild', async () => {
  const threads = watchThreads()
  const system = await testSystem({}, { folding: { cores: 2, busyMillis: 0 } })
  const running = await started(system, ['processors', 'projections'])
  const itemsIn = () => system.viewStore.tally('fixity-items', { by: [] })[0]?.count ?? 0
  let heard = 0
  onTestFinished(running.onViewChange(() => void heard++, [fixity.name]))
  await produce(system, ...some(20, 'a'))
  await shown(system, running)
  await vi.waitUntil(() => alive(threads) > 0)
  await produce(system, ...some(300, 'b'))
  await shown(system, running)
  expect(itemsIn()).toBe(320)
  expect(heard).toBeGreaterThan(0)

  const rebuilds = createRebuilds(system)
  onTestFinished(() => rebuilds.close())
  await rebuilds.start(fixity, { actor: 'ada', reason: 'a test', verify: true, promote: false })
  await produce(system, ...some(300, 'c'))
  await vi.waitUntil(() => rebuilds.of(fixity.name)?.endedAt, patience)
  expect(rebuilds.of(fixity.name)).toMatchObject({ state: 'replaced', differences: [] })
  await shown(system, running)
  expect(itemsIn()).toBe(620)
  // The generation that took its place is folded on.
  await produce(system, ...some(50, 'd'))
  await shown(system, running)
  expect(itemsIn()).toBe(670)
  const states = running.projections?.status().map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['live']))

  await running.stop()
  await vi.waitUntil(() => alive(threads) === 0)
})

it('a small node has no thread that folds', async () => {
  const system = await testSystem({}, { folding: { cores: 2, busyMillis: 10 * SECOND } })
  const running = await started(system, ['processors', 'projections'])
  await shown(system, running)
  const threads = watchThreads()
  await produce(system, ...some(10, 'a'))
  await shown(system, running)
  expect(system.viewStore.tally('fixity-items', { by: [] })[0]?.count).toBe(10)
  expect(threads).toEqual([])
})
