import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { largeBatch, liveBatch } from '../../../src/projections/runtime/fold.ts'
import type { Projection } from '../../../src/projections/runtime/projection.ts'
import type { FoldedBatch } from '../../../src/projections/runtime/run-projection.ts'
import { runProjections } from '../../../src/projections/runtime/runner.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { manualClock } from '../../fakes/manual-clock.ts'
import { openTestViews } from '../../fakes/views.ts'
import { accounts, fill, noise, totalOf } from './accounts.ts'

let viewStore: ViewStore
beforeEach(() => {
  viewStore = openTestViews()
})
afterEach(() => viewStore.close())

/** Two of its events are as much as one transaction takes. */
const heavy = (batch = largeBatch): Projection => ({ ...accounts(), weigh: () => batch / 2 })

/** The positions that the checkpoint came to. */
const checkpoints = () => {
  const reached: bigint[] = []
  const fold: ViewStore['fold'] = (generation, from, to, apply) => {
    const folded = viewStore.fold(generation, from, to, apply)
    reached.push(to.position)
    return folded
  }
  return { reached, store: { ...viewStore, fold } }
}

describe('events that weigh much', () => {
  it('are folded a few in a transaction, each once; the last one ends where the batch ends', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 5)
    await noise(eventStore)
    const { reached, store } = checkpoints()
    const progress: number[] = []
    const onProgress = ({ events }: { readonly events: number }) => progress.push(events)
    await catchUp({ eventStore, viewStore: store, projections: [heavy()], onProgress })
    expect(reached).toEqual([1n, 3n, 5n])
    expect(progress).toEqual([2, 4, 5])
    expect(totalOf(viewStore)).toMatchObject({ events: 5 })
  })

  it('weigh no more in a transaction than a batch may have events', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 5)
    const { reached, store } = checkpoints()
    await catchUp({
      eventStore,
      viewStore: store,
      projections: [{ ...accounts(), weigh: () => 10 }],
      batchSize: 30,
    })
    expect(reached).toEqual([2n, 4n])
  })

  it('one that is too heavy by itself has a transaction of its own', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 3)
    const { reached, store } = checkpoints()
    const projection = { ...accounts(), weigh: () => 1_000_000 }
    await catchUp({ eventStore, viewStore: store, projections: [projection] })
    expect(reached).toEqual([0n, 1n, 2n])
  })

  it('each once, too, when another process folds on in the middle of a batch', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 9)
    const { reached, store } = checkpoints()
    let isFirst = true
    const fold: ViewStore['fold'] = (generation, from, to, apply) => {
      const folded = store.fold(generation, from, to, apply)
      if (isFirst)
        viewStore.fold(generation, to.position, { position: to.position + 1n, time: null }, () => {})
      isFirst = false
      return folded
    }
    await catchUp({ eventStore, viewStore: { ...store, fold }, projections: [heavy()] })
    // The other one skipped an event: it is not folded here either, and all others are.
    expect(totalOf(viewStore)).toMatchObject({ events: 8 })
    expect(reached.at(-1)).toBe(8n)
  })

  it('are shown as they come while a batch is folded; caught up is only the last', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 5)
    const seen: FoldedBatch[] = []
    const running = runProjections({
      eventStore,
      viewStore,
      clock: manualClock(),
      projections: [heavy(liveBatch)],
      observe: (batch) => seen.push(batch),
    })
    await running.whenCaughtUp(4n)
    await running.stop()
    expect(seen.map(({ events, position, caughtUp }) => [events, position, caughtUp])).toEqual([
      [2, 1n, false],
      [2, 3n, false],
      [1, 4n, true],
    ])
  })
})
