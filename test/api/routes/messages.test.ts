import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { contentTopic } from '../../../src/domain/fixity/messages.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { noteRejection } from '../../../src/processors/runtime/outcomes.ts'
import { emptyWorkflow, type Workflow } from '../../../src/workflows/workflow.ts'
import { type Answered, startServer } from '../server.ts'

const topic = 'fonds.fixity.content'
const url = `/api/v1/topics/${topic}/messages`
const digest = { algorithm: 'sha-256', value: 'ab'.repeat(32) }
const data = (path: string) => ({ store: 'main', path, checksums: [digest], size: 3 })
const event = (id: string, path = 'a.tif') => ({
  specversion: '1.0',
  id,
  source: '/cataloguer',
  type: 'content.recorded',
  data: data(path),
})
const as = (type: string) => ({ 'content-type': type })
const structured = as('application/cloudevents+json')
const batch = as('application/cloudevents-batch+json')
const lines = as('application/x-ndjson')
const ndjson = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

const started = async () => {
  const server = await startServer()
  const send = (payload: string | Buffer, headers: Record<string, string>, query = ''): Promise<Answered> =>
    server.request({ method: 'POST', url: url + query, payload, headers })
  /** All records on the topic. */
  const records = async () => {
    const found = []
    for (let partition = 0; partition < server.system.config.partitions; partition++) {
      const read = await server.system.broker.peek(topic, partition, 0n, 1000)()
      if (read._tag === 'Right') found.push(...read.right)
    }
    return found
  }
  return { ...server, send, records }
}

/** A workflow of topics alone. */
const topicsOnly: Workflow = {
  ...emptyWorkflow,
  name: 'archive',
  description: 'An archive.',
}

describe('messages are taken', () => {
  it('in structured mode', async () => {
    const { send, records } = await started()
    const answer = await send(JSON.stringify(event('1')), structured)
    expect(answer).toMatchObject({
      status: 202,
      body: {
        accepted: [{ line: 1, id: '1', source: '/cataloguer', type: 'content.recorded', topic, offset: '0' }],
        refused: [],
      },
    })
    const [record] = await records()
    expect(record).toMatchObject({ key: 'main/a.tif', headers: { ce_id: '1', ce_source: '/cataloguer' } })
    expect(JSON.parse(String(record?.value))).toEqual(data('a.tif'))
  })

  it('in binary mode, with percent-encoded headers', async () => {
    const { send, records } = await started()
    const answer = await send(JSON.stringify(data('a.tif')), {
      ...as('application/json'),
      'ce-specversion': '1.0',
      'ce-id': '1',
      'ce-source': '/b%C3%BCro',
      'ce-type': 'content.recorded',
    })
    expect(answer.body.accepted).toMatchObject([{ id: '1', source: '/büro' }])
    expect(await records()).toMatchObject([{ headers: { ce_source: '/büro' } }])
  })

  it.each([
    ['"Euro%20%E2%82%AC"', 'Euro €'],
    ['"a \\"b\\" \\\\ c"', 'a "b" \\ c'],
    ['"%5C%22%2520"', '\\"%20'],
    ['%22x%22', '"x"'],
    // None of these is one text in quotes.
    ['"a" "b"', '"a" "b"'],
    ['"a\\"', '"a\\"'],
    ['"', '"'],
    ['"50%"', '50%'],
  ])('in binary mode, with the header %s, quoted and percent-encoded', async (header, subject) => {
    const { send, records } = await started()
    const body = JSON.stringify(data('a.tif'))
    for (const quote of ['', '"']) {
      const own = {
        'ce-specversion': '1.0',
        'ce-id': '1',
        'ce-source': '/own',
        'ce-type': 'content.recorded',
      }
      const quoted = Object.entries(own).map(([name, text]) => [name, `${quote}${text}${quote}`])
      await send(body, { ...as('application/json'), ...Object.fromEntries(quoted), 'ce-subject': header })
    }
    const headers = { ce_id: '1', ce_source: '/own', ce_type: 'content.recorded', ce_subject: subject }
    expect(await records()).toMatchObject([{ headers }, { headers }])
  })

  const attributes = {
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': '/cataloguer',
    'ce-type': 'content.recorded',
  }
  it.each([undefined, 'application/json; charset=utf-8', 'application/vnd.own.content+json', 'text/json'])(
    'in binary mode with the content type %s, as on a topic',
    async (type) => {
      const { send, records } = await started()
      // A buffer: for text the client would name a type.
      const answer = await send(Buffer.from(JSON.stringify(data('a.tif'))), {
        ...attributes,
        ...(type && as(type)),
      })
      expect(answer.body.accepted).toMatchObject([{ id: '1', source: '/cataloguer' }])
      expect(await records()).toMatchObject([{ headers: { ce_source: '/cataloguer' } }])
    },
  )

  it('in no other type, even where they say specversion; nor without a type where they do not', async () => {
    const { send, records } = await started()
    const body = Buffer.from(JSON.stringify(data('a.tif')))
    const line = Buffer.from(JSON.stringify(event('1')))
    const { 'ce-specversion': _, ...others } = attributes
    for (const headers of [{ ...attributes, ...as('text/plain') }, { ...attributes, ...as('') }, others, {}])
      for (const payload of [body, line])
        expect(await send(payload, headers)).toMatchObject({
          status: 415,
          body: { code: 'wrong-content-type', path: 'content-type' },
        })
    const latin = { ...attributes, ...as('application/json; charset=ISO-8859-1') }
    expect(await send(body, latin)).toMatchObject({
      status: 400,
      body: { code: 'not-utf8', path: 'content-type' },
    })
    expect(await records()).toEqual([])
  })

  it('in batches', async () => {
    const { send } = await started()
    const answer = await send(JSON.stringify([event('1', 'a'), event('2', 'b')]), batch)
    expect(answer.body.accepted).toMatchObject([
      { line: 1, id: '1' },
      { line: 2, id: '2' },
    ])
  })

  it('as lines, which need not say who and which they are', async () => {
    const { send, records } = await started()
    const text = `${ndjson(event('1'))}\r\n\n  \n${ndjson({ type: 'content.recorded', data: data('b') })}`
    const answer = await send(text, lines)
    expect(answer.body.accepted).toMatchObject([
      { line: 1, id: '1' },
      { line: 4, source: 'fonds://http', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ])
    expect(await records()).toHaveLength(2)
  })

  it('as lines whose ids are the same each time, with an idempotency key', async () => {
    const { send } = await started()
    const text = ndjson({ type: 'content.recorded', data: data('b') })
    const ids = async () =>
      (await send(text, { ...lines, 'idempotency-key': 'k' })).body.accepted.map(
        (one: { id: string }) => one.id,
      )
    expect(await ids()).toEqual(['k/1'])
    expect(await ids()).toEqual(['k/1'])
  })
})

describe('messages are refused', () => {
  it('all together, when one cannot be used', async () => {
    const { send, records } = await started()
    const text = ndjson(event('1'), { ...event('2'), type: 'content.burnt' }, { ...event('3'), data: {} })
    const answer = await send(`${text}\nnot json`, lines)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'refused',
        detail: expect.stringContaining(
          '3 of 4 messages cannot be used, so nothing was taken; the first is on line 2',
        ),
        refused: [
          { line: 2, reason: 'unknown-type', path: 'type' },
          { line: 3, reason: 'wrong-shape', path: 'data.store' },
          { line: 4, reason: 'not-json' },
        ],
      },
    })
    expect(await records()).toEqual([])
  })

  it('by the hundred thousand: the first are listed, the others counted, and no more are looked at than may be sent', async () => {
    const { send, records } = await started()
    const refused = await send('1\n'.repeat(10_000), lines)
    expect(refused).toMatchObject({ status: 400, body: { code: 'refused', refusedCount: 10_000 } })
    expect(refused.body.refused.map(({ line }: { line: number }) => line)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    )
    const text = `${'1\n'.repeat(5_000)}${ndjson(event('1'))}`
    const partly = await send(text, lines, '?partial=true')
    expect(partly).toMatchObject({ status: 202, body: { accepted: [{ line: 5001 }], refusedCount: 5_000 } })
    expect(partly.body.refused).toHaveLength(100)
    for (const [payload, type] of [
      ['1\n'.repeat(500_000), lines],
      ['\n'.repeat(5_000_000), lines],
      [`[${'1,'.repeat(10_000)}1]`, batch],
    ] as const) {
      const answer = await send(payload, type)
      expect(answer).toMatchObject({
        status: 413,
        body: { code: 'too-many-messages', detail: expect.stringContaining('10000') },
      })
      expect(answer.text.length).toBeLessThan(1000)
    }
    expect(await records()).toHaveLength(1)
  })

  it('one by one, when that is asked for', async () => {
    const { send, records } = await started()
    const answer = await send(JSON.stringify([event('1'), data('x'), event('3')]), batch, '?partial=true')
    expect(answer).toMatchObject({
      status: 202,
      body: {
        accepted: [{ line: 1 }, { line: 3 }],
        refused: [{ line: 2, reason: 'not-a-cloud-event', path: 'specversion' }],
      },
    })
    expect(await records()).toHaveLength(2)
    expect(await send(ndjson({}), lines, '?partial=true')).toMatchObject({
      status: 400,
      body: { code: 'refused' },
    })
  })

  it.each<[string, string, Record<string, string>, number, object]>([
    ['no JSON', 'x', structured, 400, { code: 'not-json' }],
    ['a batch that is no list', '{}', batch, 400, { code: 'not-json' }],
    ['a batch that is no JSON', '[', batch, 400, { code: 'not-json' }],
    ['an empty batch', '[]', batch, 400, { code: 'no-messages' }],
    ['no lines', '\n \n', lines, 400, { code: 'no-messages' }],
    ['no CloudEvent', '{"data": 1}', structured, 400, { code: 'not-a-cloud-event' }],
    [
      'another type',
      ndjson({ ...event('1'), type: 'x' }),
      structured,
      400,
      { code: 'unknown-type', path: 'type' },
    ],
    [
      'a field of another shape',
      ndjson({ ...event('1'), data: { ...data('a'), checksums: ['sum'] } }),
      structured,
      400,
      { code: 'wrong-shape', path: expect.stringContaining('data.checksums') },
    ],
    [
      'a header that is missing',
      '{}',
      { ...as('application/json'), 'ce-id': '1', 'ce-type': 'content.recorded' },
      400,
      { code: 'not-a-cloud-event', path: 'ce-source', detail: expect.stringContaining('ce-specversion') },
    ],
    ['XML', '<x/>', as('application/xml'), 415, { code: 'wrong-content-type', path: 'content-type' }],
    [
      'a large one',
      ndjson({ ...event('1'), data: { ...data('a'), recordedFrom: 'x'.repeat(2 ** 20) } }),
      structured,
      413,
      { code: 'too-large' },
    ],
  ])('that hold %s', async (_, body, headers, status, problem) => {
    const { send, records } = await started()
    expect(await send(body, headers)).toMatchObject({ status, body: problem })
    expect(await records()).toEqual([])
  })

  it('that are not UTF-8', async () => {
    const { send } = await started()
    expect(await send(Buffer.from([0x7b, 0xff, 0x7d]), structured)).toMatchObject({
      body: { code: 'not-utf8' },
    })
    expect(await send(Buffer.from([0x5b, 0xff, 0x5d]), batch)).toMatchObject({ body: { code: 'not-json' } })
  })

  it('over ten megabytes, before they are read', async () => {
    const { send } = await started()
    expect(await send(Buffer.alloc(10 * 1024 * 1024 + 1, 32), lines)).toMatchObject({
      status: 413,
      body: { code: 'too-large', detail: expect.stringContaining('10485760 bytes; send less at a time') },
    })
  })

  it('for a topic that is not there', async () => {
    const { post } = await started()
    expect(await post('/api/v1/topics/fonds.nothing/messages', {})).toMatchObject({
      status: 404,
      body: { code: 'no-such-topic', path: 'topic', detail: expect.stringContaining(topic) },
    })
  })

  it.each<[number, string, object]>([
    [503, 'away', { kind: 'Unavailable', reason: 'the disk is full' }],
    [413, 'too-large', { kind: 'TooLarge', bytes: 9, limit: 8 }],
    [503, 'away', { kind: 'UnknownTopic', topic }],
  ])('with %i when the broker says no', async (status, code, failure) => {
    const { request } = await startServer({
      replace: ({ broker }) => ({ broker: { ...broker, produce: () => async () => left(failure as never) } }),
    })
    const payload = JSON.stringify(event('1'))
    expect(await request({ method: 'POST', url, payload, headers: structured })).toMatchObject({
      status,
      body: { code },
    })
  })
})

describe('what became of a message', () => {
  const working = async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const register = { input: { store: 'main', kind: 'external' }, actor: 'r.vermeer', reason: 'a test' }
    await server.post('/api/v1/commands/fixity.register-store', register)
    return server
  }

  it('is the events that it led to', async () => {
    const { request, get, system } = await working()
    await request({ method: 'POST', url, payload: JSON.stringify(event('m/1')), headers: structured })
    await waitUntilIdle(system)
    const { body } = await get('/api/v1/messages/m%2F1/outcome')
    expect(body).toMatchObject({
      id: 'm/1',
      known: true,
      outcomes: [{ kind: 'effect', type: 'ContentRecorded', stream: 'fixity-main/a.tif', revision: '0' }],
    })
    expect((await get('/api/v1/messages/m%2F1/outcome?source=/cataloguer')).body).toEqual(body)
    expect((await get('/api/v1/messages/m%2F1/outcome?source=/another')).body.known).toBe(false)
  })

  it('is a dead letter', async () => {
    const { system, get } = await working()
    const broken = {
      topic,
      key: 'main/a.tif',
      headers: {},
      value: JSON.stringify({ ...event('2'), data: {} }),
    }
    const lost = {
      topic,
      key: 'another key',
      headers: { ce_specversion: '1.0', ce_id: '3', ce_source: '/cataloguer', ce_type: 'content.recorded' },
      value: JSON.stringify(data('a.tif')),
    }
    await system.broker.produce([broken, lost])()
    await waitUntilIdle(system)
    const { body } = await get('/api/v1/messages/2/outcome')
    expect(body.outcomes).toMatchObject([{ kind: 'dead', reason: 'wrong-shape' }])
    expect((await get(`/api/v1/dead-letters/${body.outcomes[0].deadLetter}`)).status).toBe(200)
    expect((await get('/api/v1/messages/3/outcome?source=/cataloguer')).body.outcomes).toMatchObject([
      { kind: 'dead', reason: 'wrong-key' },
    ])
    expect((await get('/api/v1/messages/3/outcome?source=/another')).body.outcomes).toEqual([])
  })

  it('is found by names that stand in quotes, as Spring writes them', async () => {
    const { system, get } = await working()
    const headers = {
      ...{ ce_specversion: '1.0', ce_id: '"5"', ce_source: '"/cataloguer"', ce_type: 'content.recorded' },
      spring_json_header_types: '{}',
    }
    const value = JSON.stringify(data('a.tif'))
    await system.broker.produce([
      { topic, key: 'main/a.tif', headers, value },
      { topic, key: 'another key', headers: { ...headers, ce_id: '"6"' }, value },
    ])()
    await waitUntilIdle(system)
    const kinds = async (id: string) =>
      (await get(`/api/v1/messages/${id}/outcome?source=/cataloguer`)).body.outcomes.map(
        ({ kind }: { readonly kind: string }) => kind,
      )
    expect(await kinds('5')).toEqual(['effect'])
    expect(await kinds('6')).toEqual(['dead'])
  })

  it('is a rejection', async () => {
    const { request, get, system } = await working()
    const found = {
      ...event('4'),
      type: 'content.observed',
      data: {
        ...{ store: 'main', path: 'never-seen', observedAt: '2026-01-01T00:00:00Z', fence: 1 },
        ...{ content: { status: 'missing' }, storage: { status: 'missing' } },
      },
    }
    const observations = '/api/v1/topics/fonds.fixity.observations/messages'
    await request({ method: 'POST', url: observations, payload: JSON.stringify(found), headers: structured })
    await waitUntilIdle(system)
    expect((await get('/api/v1/messages/4/outcome')).body).toMatchObject({
      known: true,
      outcomes: [{ kind: 'rejected', stream: 'fixity-main/never-seen', code: expect.stringMatching(/\w/) }],
    })
  })

  it('is not known (yet)', async () => {
    const { get } = await started()
    expect((await get('/api/v1/messages/9/outcome')).body).toMatchObject({
      known: false,
      outcomes: [],
      detail: expect.stringContaining('(yet)'),
    })
  })

  it('cannot be said while the log is away', async () => {
    const { get } = await startServer({
      replace: ({ eventStore }) => ({
        eventStore: {
          ...eventStore,
          readBack: () => async () => left({ kind: 'Unavailable', reason: 'no disk' } as const),
        },
      }),
    })
    expect(await get('/api/v1/messages/9/outcome')).toMatchObject({ status: 503, body: { code: 'away' } })
  })
})

it('a topic that Fonds alone writes takes nothing from others', async () => {
  const made = {
    ...topicsOnly,
    topics: [{ ...contentTopic, name: 'fonds.archive.made', madeBy: 'fonds' as const }],
  }
  const { post } = await startServer({ replace: ({ workflows }) => ({ workflows: [...workflows, made] }) })
  const answer = await post('/api/v1/topics/fonds.archive.made/messages', event('1'), structured)
  expect(answer).toMatchObject({
    status: 403,
    body: {
      code: 'made-by-fonds',
      path: 'topic',
      detail: expect.stringMatching(
        /^fonds\.archive\.made is written by Fonds alone.*messages go to fonds\.fixity\.content/,
      ),
    },
  })
  expect(answer.body.detail.match(/fonds\.archive\.made/g)).toHaveLength(1)
})

it('a message refused on several streams, and what was compared on each', async () => {
  const { system, get } = await startServer({ roles: ['processors', 'reactions', 'projections'] })
  const refused = async (stream: string, details?: Record<string, number>) =>
    noteRejection(
      { ...system },
      'p',
      {
        record: { topic: 't' } as BrokerRecord,
        message: { id: 'm', source: '/s', type: 'x', time: system.clock.now(), data: {} },
        stream,
      },
      { code: 'late', message: `${stream} is late`, ...(details && { details }) },
    )
  const streams = Array.from({ length: 7 }, (_, i) => `merged-${i}`)
  for (const stream of streams) await refused(stream, stream === 'merged-0' ? { held: 2 } : undefined)
  await refused('merged-0', { held: 2 })
  await waitUntilIdle(system)
  const { body } = await get('/api/v1/messages/m/outcome?source=/s')
  expect(body.outcomes.map(({ stream }: { stream: string }) => stream)).toEqual(streams)
  expect(body.outcomes[0].details).toEqual({ held: 2 })
  expect(body.outcomes[1]).not.toHaveProperty('details')
  expect(body.detail).toMatch(/^rejected: merged-0 is late; .*merged-4 is late; and 2 more/)
})
