import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createRecentEvents, recentWithin } from '#infra/event-store/recent-events.ts'
import { createRowCache } from '#infra/views/sqlite/row-cache.ts'
import { nothingHandled } from '#src/processors/runtime/handled.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { cacheShares, minCacheBytes } from '#src/workflows/system/cache-shares.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'

setFlagsFromString('--expose_gc')
const collectGarbage: () => void = runInNewContext('gc')
const bytesInUse = async (): Promise<number> => {
  await setImmediate()
  for (let times = 0; times < 3; times++) collectGarbage()
  return process.memoryUsage().heapUsed
}

const data = (n: number) => ({
  store: 'main',
  path: `folder-${Math.floor(n / 200)}/file-${n}.tif`,
  size: n,
  checksums: [{ algorithm: 'sha-256', value: n.toString(16).padStart(64, '0') }],
  seen: ['2026-01-01T00:00:00.000Z', `node-${n}`],
})

const { events, rows, states } = cacheShares(minCacheBytes)
const many = 40_000

const fillEvents = () => {
  const recent = createRecentEvents(0n, recentWithin(events))
  for (let n = 1; n <= many; n++)
    recent.add({
      ...event('FileSeen', data(n)),
      stream: `file-${n}`,
      revision: 0n,
      position: BigInt(n),
      recordedAt: '2026-01-01T00:00:00.000Z',
    })
  return recent
}

const fillRows = () => {
  const cache = createRowCache()
  for (let n = 0; n < many; n++) {
    const key = ['main', `folder/file-${n}.tif`]
    if (!cache.find(key)) cache.add({ ...data(n), id: n })
    while (cache.bytes() > rows && cache.trim());
  }
  return cache
}

const fillStates = () => {
  const filled = streamStates(fakeEventStore(), states)
  for (let n = 0; n < many; n++)
    for (let times = 0; times < 2; times++)
      filled.keep(`file-${n}`, {
        state: data(n) as never,
        revision: 0n,
        position: BigInt(n),
        handled: nothingHandled(),
      })
  return filled
}

it.each([
  ['events', events, fillEvents],
  ['rows', rows, fillRows],
  ['states', states, fillStates],
])('filled with %s, a cache takes no more memory than its share', async (_, share, fill) => {
  // Compiled code and shapes of objects are there from then on. The runtime may keep this cache a while longer: of several one is little.
  fill()
  const before = await bytesInUse()
  const caches = [fill(), fill(), fill(), fill()]
  const taken = ((await bytesInUse()) - before) / caches.length
  expect(taken).toBeLessThan(share)
  expect(taken).toBeGreaterThan(share / 3)
  expect(caches).toHaveLength(4)
})
