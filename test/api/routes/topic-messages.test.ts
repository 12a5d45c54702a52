import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const topic = 'fonds.fixity.content'
const url = `/api/v1/topics/${topic}/messages`
const record = (key: string, value: string | Uint8Array, headers: Record<string, string> = {}) => ({
  topic,
  key,
  headers,
  value,
})

describe('the messages of a topic', () => {
  it('come with key, headers and value: JSON as JSON, text as text, other bytes in base64', async () => {
    const { system, get } = await startServer({ settings: { partitions: 1 } })
    await system.broker.produce([
      record('a', '{"n":1}', { ce_type: 'content.recorded' }),
      record('b', 'no json'),
      record('c', Uint8Array.of(0xff, 0x00)),
    ])()
    const { status, body } = await get(url)
    expect(status).toBe(200)
    expect(body).toMatchObject({ topic, next: '0:3', more: false })
    expect(body.messages).toMatchObject([
      { partition: 0, offset: '0', key: 'a', headers: { ce_type: 'content.recorded' }, value: { n: 1 } },
      { offset: '1', key: 'b', value: 'no json' },
      { offset: '2', key: 'c', valueBase64: '/wA=' },
    ])
  })

  it('are read on from where the last answer ended', async () => {
    const { system, get } = await startServer({ settings: { partitions: 3 } })
    await system.broker.produce(Array.from({ length: 25 }, (_, n) => record(`k${n}`, `${n}`)))()
    const seen: unknown[] = []
    let from = 'start'
    for (let more = true; more; ) {
      const { body } = await get(`${url}?limit=4&from=${from}`)
      seen.push(...body.messages.map(({ value }: { value: unknown }) => value))
      ;({ next: from, more } = body)
    }
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 25 }, (_, n) => n))
    await system.broker.produce([record('k', '99')])()
    const { body } = await get(`${url}?from=${from}`)
    expect(body.messages).toMatchObject([{ value: 99 }])
  })

  it('with wait: the answer is held until something comes', async () => {
    const { system, get } = await startServer()
    const { next } = (await get(`${url}?from=end`)).body
    const waiting = get(`${url}?from=${next}&wait=30`)
    await system.broker.produce([record('k', '1')])()
    expect((await waiting).body.messages).toMatchObject([{ value: 1 }])
    expect((await get(`${url}?from=${next}`)).body.messages).toHaveLength(1)
  })

  it('of events that the relay copied, too', async () => {
    const { system, get } = await startServer()
    await system.broker.ensureTopics([{ name: 'fonds.fixity.events', partitions: 1 }])()
    await system.broker.produce([{ ...record('s', '{}'), topic: 'fonds.fixity.events' }])()
    expect((await get('/api/v1/topics/fonds.fixity.events/messages')).body.messages).toHaveLength(1)
    expect((await get('/api/v1/topics/fonds.research.events/messages')).body).toMatchObject({
      messages: [],
      more: false,
    })
  })

  it('of no topic, or from no place, are refused', async () => {
    const { get } = await startServer()
    expect(await get('/api/v1/topics/fonds.none/messages')).toMatchObject({
      status: 404,
      body: { code: 'no-such-topic', detail: expect.stringContaining('fonds.research.work-items') },
    })
    for (const from of ['1', '0:x', '0:1;1:2', ''])
      expect(await get(`${url}?from=${from}`)).toMatchObject({ status: 400 })
  })

  it('cannot be had while the broker is away', async () => {
    const unavailable = () => async () => left({ kind: 'Unavailable', reason: 'no connection' } as const)
    const { get } = await startServer({
      replace: ({ broker }) => ({ broker: { ...broker, topics: unavailable } }),
    })
    expect(await get(url)).toMatchObject({ status: 503, body: { code: 'away' } })
  })
})
