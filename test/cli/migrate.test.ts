import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEventStoreDb } from '../../infra/event-store/eventstoredb/event-store.ts'
import { event } from '../contracts/new-event.ts'
import { type Served, serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
let served: Served

beforeEach(async () => {
  served = await serve()
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1), recorded('b', 2)) })
})
afterEach(() => served.dispose())

const eventsOf = async (...flags: string[]) =>
  (await fonds.run(['events', ...flags])).rows.map(({ position: _, ...rest }) => rest)

describe('migrate', () => {
  test('copies the log; the same events are read there, and the views are folded from it', async () => {
    const { code, rows, err } = await fonds.run(['migrate', '--to', served.address])
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([{ copied: 2, before: 0, events: 2, deleted: 0, more: false }])
    expect(await eventsOf('--event-store', served.address)).toEqual(await eventsOf())
    const items = await fonds.run(['query', 'fixity-items', '--event-store', served.address])
    expect(items.rows.map(({ path }) => path)).toEqual(['a', 'b'])
  })

  test('again: copies what came meanwhile', async () => {
    await fonds.run(['migrate', '--to', served.address])
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('c', 3)) })
    const { rows } = await fonds.run(['migrate', '--to', served.address])
    expect(rows).toMatchObject([{ copied: 1, before: 2, events: 3 }])
    expect(await eventsOf('--event-store', served.address)).toEqual(await eventsOf())
  })

  test('on a terminal: progress on standard error, and what to do next', async () => {
    const { out, err } = await fonds.run(['migrate', '--to', served.address], { terminal: 100 })
    expect(out).toMatch(/^2 events copied; both logs are the same up to position \d+ of \d{4}-/)
    expect(out).toContain(`FONDS_EVENT_STORE=${served.address}`)
    expect(out).toContain('Views are rebuilt')
    expect(err).toContain('Copying')
    expect(err).toContain('Comparing')
  })

  test('streams that were cut are named, and never said to be the same: exit code 1', async () => {
    await fonds.withSystem(async ({ eventStore }) => {
      await eventStore.setMetadata('shop-1', { $maxCount: 2 })()
      await eventStore.append('shop-1', 'none', [event(), event(), event()])()
    })
    const { code, rows, err } = await fonds.run(['migrate', '--to', served.address])
    expect(code).toBe(1)
    expect(err).toContain('1 stream of which the first events are gone ($maxCount) cannot be copied: shop-1')
    expect(rows).toMatchObject([{ copied: 2, cut: ['shop-1'] }])
    const { out } = await fonds.run(['migrate', '--to', served.address], { terminal: 100 })
    expect(out).toContain('of all streams but those that were cut, both logs are the same')
  })

  test('a password in the address is not repeated', async () => {
    const address = served.address.replace('://', '://me:secret@')
    const { code, out } = await fonds.run(['migrate', '--to', address], { terminal: 100 })
    expect(code).toBe(0)
    expect(out).not.toContain('secret')
  })

  test('a target with other events is refused, and the first difference named', async () => {
    const store = openEventStoreDb(served.address)
    const foreign = event('Foreign')
    const result = await store.append('fixity-x', 'none', [foreign])()
    if (isLeft(result)) throw new Error(result.left.kind)
    await store.close()
    const { code, err } = await fonds.run(['migrate', '--to', served.address])
    expect(code).toBe(1)
    expect(err).toContain(foreign.id)
    expect(err).toContain('without events in these categories')
  })

  test('a server that is away: exit code 3', async () => {
    await served.stop()
    const { code, err } = await fonds.run(['migrate', '--to', served.address])
    expect(code).toBe(3)
    expect(err).toContain('cannot be reached')
  })

  test.each([
    [['migrate'], 2, '--to'],
    [['migrate', '--to', 'localhost:2113'], 2, 'no address of a log'],
    [['migrate', '--to', 'esd://u:secret@h:2113'], 2, 'no address of a log'],
    [['migrate', '--to', 'esdb://u:secret@h:2', '--event-store', 'esdb://u:secret@h:2'], 1, 'esdb://…@h:2'],
  ])('%j', async (argv, wanted, says) => {
    const { code, err } = await fonds.run(argv)
    expect(code).toBe(wanted)
    expect(err).toContain(says)
    expect(err).not.toContain('secret')
  })
})
