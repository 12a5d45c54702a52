import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { startServer } from '../server.ts'

const topic = 'fonds.fixity.content'
const by = { actor: 'r.vermeer', reason: 'the producer was mended' }
const url = '/api/v1/dead-letters'

const withLetter = async (keepsHistory = true) => {
  const server = await startServer({ keepsHistory, roles: ['processors', 'reactions', 'projections'] })
  const value = Buffer.from([0xff, 0x00, 0x01])
  await server.system.broker.produce([{ topic, key: 'k', headers: { 'x-trace': '1' }, value }])()
  await waitUntilIdle(server.system)
  const { deadLetters } = (await server.get(url)).body
  return { ...server, id: deadLetters[0].id as string, value }
}

describe('a dead letter', () => {
  it('is listed, and shown whole', async () => {
    const { get, id, value } = await withLetter()
    expect((await get(`${url}?status=waiting`)).body).toMatchObject({
      more: false,
      deadLetters: [{ id, status: 'waiting', topic, reason: 'not-utf8' }],
    })
    expect((await get(`${url}?status=retried`)).body.deadLetters).toEqual([])
    expect((await get(`${url}?offset=1`)).body.deadLetters).toEqual([])
    expect((await get(`${url}/${id}`)).body).toMatchObject({
      id,
      status: 'waiting',
      topic,
      key: 'k',
      headers: { 'x-trace': '1' },
      value: value.toString('base64'),
      encoding: 'base64',
    })
  })

  it('is put on its topic again, once a key', async () => {
    const { get, post, id } = await withLetter()
    const retry = () => post(`${url}/${id}/retry`, by, { 'idempotency-key': 'k' })
    expect((await retry()).body).toMatchObject({ outcome: 'done', placed: { topic, offset: '1' } })
    const again = await retry()
    expect(again.body).toMatchObject({ outcome: 'repeated' })
    expect(again.body.placed).toBe(undefined)
    expect((await get(`${url}/${id}`)).body.status).toBe('retried')
    expect(await post(`${url}/${id}/discard`, by)).toMatchObject({ status: 409, body: { code: 'settled' } })
  })

  it('is as it was, alone and in its group, as of the moment before it was settled', async () => {
    const { get, post, id, system } = await withLetter()
    const before = (await get('/api/v1/events/moment')).body.event.position
    await post(`${url}/${id}/discard`, by)
    await waitUntilIdle(system)
    const listed = async (asOf = '') =>
      (await get(`${url}?status=waiting${asOf}`)).body.deadLetters as readonly unknown[]
    const groups = async (asOf = '') => (await get(`${url}/groups${asOf}`)).body.groups as readonly unknown[]
    expect(await listed()).toEqual([])
    expect(await groups()).toEqual([])
    expect(await listed(`&asOf=${before}`)).toMatchObject([{ id, status: 'waiting' }])
    expect(await groups(`?asOf=${before}`)).toMatchObject([{ reason: 'not-utf8', count: 1 }])
    expect(await groups('?asOf=1999-01-01T00:00:00Z')).toEqual([])
  })

  it.each([true, false])(
    'says whether the log was folded for an answer about the past: history %s',
    async (keepsHistory) => {
      const { get } = await withLetter(keepsHistory)
      const before = (await get('/api/v1/events/moment')).body.event.position
      for (const path of [`?asOf=${before}`, `/groups?asOf=${before}`])
        expect((await get(`${url}${path}`)).headers['fonds-folded']).toBe(keepsHistory ? undefined : 'true')
    },
  )

  it('is put on its topic with the value that a person mended, which the log keeps', async () => {
    const { get, post, id, system } = await withLetter()
    const edited = '{"mended": true}'
    const { body } = await post(`${url}/${id}/retry`, { ...by, edited })
    expect(body).toMatchObject({ outcome: 'done', placed: { topic, offset: '1' } })
    const { events } = (await get(`/api/v1/streams/${body.stream}`)).body
    expect(events[1]).toMatchObject({ type: 'DeadLetterRetried', data: { reason: by.reason, edited } })
    const { placed } = body
    const { messages } = (await get(`/api/v1/topics/${topic}/messages?from=${placed.partition}:1`)).body
    const again = messages.find((one: { offset: string }) => one.offset === '1')
    expect(again).toMatchObject({ key: 'k', headers: { 'x-trace': '1' }, value: { mended: true } })
    await waitUntilIdle(system)
    expect((await get(`${url}?status=waiting`)).body.deadLetters).toMatchObject([
      { reason: 'not-a-cloud-event' },
    ])
  })

  it('stands in a group with others of its reason and topic: how many, from when to when, and the newest', async () => {
    const { get, system, id, post } = await withLetter()
    expect((await get(`${url}/groups`)).body.groups).toMatchObject([{ reason: 'not-utf8', topic, count: 1 }])
    const record = (value: string | Uint8Array) => ({ topic, key: 'k', headers: {}, value })
    await system.broker.produce([record(Buffer.from([0xff])), record('{')])()
    await waitUntilIdle(system)
    const { groups } = (await get(`${url}/groups`)).body
    expect(groups).toMatchObject([
      { reason: 'not-utf8', count: 2, example: { status: 'waiting' } },
      { count: 1 },
    ])
    expect(groups[0].first <= groups[0].last).toBe(true)
    expect(groups[0].example.at).toBe(groups[0].last)
    await post(`${url}/${id}/discard`, by)
    await waitUntilIdle(system)
    expect((await get(`${url}/groups`)).body.groups[0].count).toBe(1)
  })

  it('is discarded, and says who did', async () => {
    const { get, post, id } = await withLetter()
    const { body } = await post(`${url}/${id}/discard`, by)
    expect(body).toMatchObject({ outcome: 'done', stream: `deadletter-${id}` })
    const rows = await get(`/api/v1/views/dead-letters?after=${body.position}`)
    expect(rows.body.rows).toMatchObject([
      { id, status: 'discarded', settledBy: by.actor, settledBecause: by.reason },
    ])
    expect(await post(`${url}/${id}/retry`, by)).toMatchObject({ status: 409, body: { code: 'settled' } })
  })

  it('that is not there is not found', async () => {
    const { get, post } = await startServer()
    const missing = { status: 404, body: { code: 'no-such-dead-letter', path: 'id' } }
    expect(await get(`${url}/x`)).toMatchObject(missing)
    expect(await post(`${url}/x/retry`, by)).toMatchObject(missing)
    expect(await post(`${url}/x/discard`, by)).toMatchObject(missing)
  })

  it('is settled by somebody, for a reason', async () => {
    const { post, get } = await startServer()
    const body = { code: 'wrong-body', path: 'reason' }
    expect(await post(`${url}/x/retry`, { actor: 'x' })).toMatchObject({ status: 400, body })
    expect(await post(`${url}/x/discard`, { actor: 'x', reason: '' })).toMatchObject({ status: 400, body })
    expect(await get(`${url}?status=open`)).toMatchObject({ status: 400, body: { path: 'status' } })
  })

  it('cannot be listed before views were folded', async () => {
    const { get } = await startServer()
    expect(await get(url)).toMatchObject({ status: 503, body: { code: 'away' } })
  })

  it('cannot be settled while the log is away', async () => {
    const read = () => async () => left({ kind: 'Unavailable', reason: 'no disk' } as const)
    const { get } = await startServer({
      replace: ({ states }) => ({ states: { ...states, load: () => read()() } }),
    })
    expect(await get(`${url}/x`)).toMatchObject({ status: 503, body: { code: 'away' } })
  })
})
