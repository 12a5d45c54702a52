import { right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { EventStore } from '#src/ports/event-store.ts'
import { notingNewest } from '#src/processors/runtime/own-log.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'

const setUp = () => {
  const store = fakeEventStore()
  return { store, ...notingNewest(store) }
}

it('an empty log is marked by its id alone', async () => {
  const { store, ownLog } = setUp()
  expect(ownLog.newest()).toBeUndefined()
  const { right: log } = (await store.identity()()) as { right: string }
  expect(await ownLog.ask()).toEqual({ log })
})

it('the newest event is what was found, written or read, whichever is furthest; duties leave no mark', async () => {
  const { store, eventStore, ownLog } = setUp()
  const [found, written, read] = [event(), event(), event()]
  await store.append('a-1', 'none', [event(), found])()
  await store.append('duty-x', 'none', [event()])()
  expect((await ownLog.ask()).at).toMatchObject({ event: found.id, stream: 'a-1', revision: '1' })
  await eventStore.append('a-1', 1n, [event(), written])()
  expect(ownLog.newest()!.at).toMatchObject({ event: written.id, stream: 'a-1', revision: '3' })
  await store.append('b-1', 'none', [read])()
  expect(ownLog.newest()!.at).toMatchObject({ event: written.id })
  await eventStore.read('b-1', 'start', 'forward', 10)()
  expect(ownLog.newest()!.at).toMatchObject({ event: read.id, stream: 'b-1', revision: '0' })
  await eventStore.read('a-1', 'start', 'forward', 10)()
  expect(ownLog.newest()!.at).toMatchObject({ event: read.id })
})

it('a log holds its own mark, and not that of a copy that went its own way or further', async () => {
  const { eventStore, ownLog } = setUp()
  await eventStore.append('a-1', 'none', [event()])()
  const { at } = await ownLog.ask()
  expect(await ownLog.holds(at!)).toBe(true)
  expect(await ownLog.holds({ ...at!, event: 'of-a-copy' })).toBe(false)
  expect(await ownLog.holds({ ...at!, event: 'later', revision: '7', position: '99' })).toBe(false)
})

it('of appends that are made together the furthest that was written is noted', async () => {
  const store = fakeEventStore()
  const [first, last] = [event(), event()]
  const appendEach: EventStore['appendEach'] = (appends) => async () =>
    right(
      await Promise.all(
        appends.map(({ stream, expected, events }) => store.append(stream, expected, events)()),
      ),
    )
  const { eventStore, ownLog } = notingNewest({ ...store, appendEach })
  await ownLog.ask()
  await eventStore.appendEach!([
    { stream: 'a-1', expected: 'none', events: [first] },
    { stream: 'b-1', expected: 'none', events: [last] },
    { stream: 'c-1', expected: 7n, events: [event()] },
  ])()
  expect(ownLog.newest()!.at).toMatchObject({ event: last.id, stream: 'b-1' })
  expect(notingNewest(store).eventStore.appendEach).toBeUndefined()
})

it('of streams that are read together the furthest event is noted', async () => {
  const store = fakeEventStore()
  const last = event()
  await store.append('a-1', 'none', [event()])()
  await store.append('b-1', 'none', [last])()
  const readEach: EventStore['readEach'] = (places, limit) => async () =>
    right(await Promise.all(places.map(({ stream, from }) => store.read(stream, from, 'forward', limit)())))
  const { eventStore, ownLog } = notingNewest({ ...store, readEach })
  await eventStore.readEach!(
    ['b-1', 'a-1', 'none-1'].map((stream) => ({ stream, from: 'start' })),
    10,
  )()
  await ownLog.ask()
  expect(ownLog.newest()!.at).toMatchObject({ event: last.id, stream: 'b-1' })
  expect(notingNewest(store).eventStore.readEach).toBeUndefined()
})
