import { v4 as uuid } from 'uuid'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startRoles } from '../../../src/app/roles.ts'
import { livePosition } from '../../../src/async/caught-up.ts'
import { causeOf } from '../../../src/domain/kernel/message.ts'
import { startServer } from '../server.ts'

/* Questions by type and by message, to a log that is longer than anybody should read for an answer. */

const source = '/cataloguer'
const event = (type: string, id: string) => ({
  id: uuid(),
  type,
  data: {},
  metadata: { actor: 'a', causationId: causeOf({ source, id }), correlationId: 'c', schema: 1 },
})

/** `first`, then 30,000 others, `last`, then others. */
const withLongLog = async (roles: readonly 'projections'[]) => {
  const server = await startServer({ roles })
  const { eventStore, viewStore } = server.system
  const append = async (events: readonly ReturnType<typeof event>[]) => {
    const appended = await eventStore.append('thing-1', 'any', events)()
    expect(appended._tag).toBe('Right')
  }
  const many = async (count: number) => {
    for (let i = 0; i < count; i += 1000)
      await append(Array.from({ length: 1000 }, (_, n) => event('Noted', `m${i + n}`)))
  }
  await append([event('Rare', 'first')])
  await many(30_000)
  await append([event('Rare', 'last')])
  await many(2000)
  const looked = { events: 0 }
  for (const name of ['readAll', 'readBack'] as const) {
    const read = eventStore[name] as (...args: readonly unknown[]) => () => Promise<unknown>
    vi.spyOn(eventStore, name).mockImplementation(((...args: readonly unknown[]) =>
      async () => {
        const found = (await read(...args)()) as { right: { events?: unknown[]; length?: number } }
        looked.events += found.right.events?.length ?? found.right.length ?? 0
        return found
      }) as never)
  }
  const indexed = () => vi.waitUntil(async () => livePosition(viewStore, 'log-index') >= 32_002n)
  const outcome = async (id: string) => {
    looked.events = 0
    const { body } = await server.get(`/api/v1/messages/${id}/outcome`)
    return { ...body, looked: looked.events }
  }
  return { ...server, outcome, indexed, looked }
}

it('old and new are found by the message that led to them, and the unknown is not looked for in the log', async () => {
  const { outcome, indexed, get } = await withLongLog(['projections'])
  await indexed()
  for (const id of ['first', 'last', 'm12345'])
    expect(await outcome(id)).toMatchObject({ known: true, outcomes: [{ kind: 'effect' }] })
  expect(await get(`/api/v1/messages/first/outcome?source=${encodeURIComponent(source)}`)).toMatchObject({
    body: { known: true },
  })
  expect((await get('/api/v1/messages/first/outcome?source=elsewhere')).body.known).toBe(false)
  for (let i = 0; i < 20; i++) {
    const { known, looked } = await outcome(`unknown-${i}`)
    expect(known).toBe(false)
    // A page of the newest, and now and then a block in vain.
    expect(looked).toBeLessThanOrEqual(128 + 512)
  }

  const rare = await get('/api/v1/events?type=Rare')
  expect(rare.body.events.map(({ type }: { type: string }) => type)).toEqual(['Rare', 'Rare'])
  expect(rare.body.more).toBe(false)
  const second = await get('/api/v1/events?type=Rare&from=2')
  expect(second.body.events).toHaveLength(1)
  const one = await get('/api/v1/events?type=Rare&limit=1')
  expect(one.body.events).toEqual([rare.body.events[0]])
  expect((await get(`/api/v1/events?type=Rare&from=${one.body.next}`)).body.events).toEqual([
    rare.body.events[1],
  ])
  expect((await get('/api/v1/events?type=Nope')).body).toMatchObject({ events: [], more: false })
  expect((await get('/api/v1/events?type=Nope&type=Rare&category=thing')).body.events).toHaveLength(2)

  const all: string[] = []
  for (let from = '0', more = true; more; ) {
    const { body } = await get(`/api/v1/events?type=Noted&limit=1000&from=${from}`)
    all.push(...body.events.map(({ position }: { position: string }) => position))
    ;({ next: from, more } = body)
  }
  expect(all).toHaveLength(32_000)
  expect(new Set(all).size).toBe(32_000)
})

it('how much happened when is told without a look at the log, and the event of a position with a look at few', async () => {
  const { indexed, get, looked } = await withLongLog(['projections'])
  await indexed()
  looked.events = 0
  const { stretches } = (await get('/api/v1/events/times?stretches=7')).body
  expect(stretches.length).toBeLessThanOrEqual(7)
  expect(stretches.reduce((sum: number, { events }: { events: number }) => sum + events, 0)).toBe(32_002)
  expect(looked.events).toBe(0)
  const { event, before, after } = (await get('/api/v1/events/moment?at=16000')).body
  expect([before.position, event.position, after.position]).toEqual(['15999', '16000', '16001'])
  expect(looked.events).toBeLessThan(100)
})

it('a home without an index: the newest are looked through, the answer says that there may be more, and the index is made', async () => {
  const { outcome, indexed, system } = await withLongLog([])
  expect(await outcome('last')).toMatchObject({ known: true })
  const { known, detail, looked } = await outcome('first')
  expect(known).toBe(false)
  expect(detail).toContain('ask again in a while')
  expect(looked).toBe(20_000)
  const running = await startRoles(system, ['projections'])
  onTestFinished(() => running.stop())
  await indexed()
  expect(await outcome('first')).toMatchObject({ known: true, outcomes: [{ type: 'Rare' }] })
})

it('many names are refused, with how many one question takes', async () => {
  const { get } = await startServer()
  expect(await get(`/api/v1/events?${'type=A&'.repeat(101)}`)).toMatchObject({
    status: 400,
    body: { code: 'wrong-parameter', path: 'type', detail: expect.stringContaining('takes 100') },
  })
})
