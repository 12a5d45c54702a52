import { expect, it } from 'vitest'
import { type Line, startServer, stop, until, useFolder } from './run-fonds.ts'

/* Fonds over HTTP, as a running process. */

const content = '/api/v1/topics/fonds.fixity.content/messages'
const checksums = [{ algorithm: 'md5', value: 'a'.repeat(32) }]
const recorded = (path: string) => ({ type: 'content.recorded', data: { store: 'main', path, checksums } })

/** Any answer: its body as JSON, or as text where it is none. */
const client =
  (address: string) =>
  async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, init)
    const type = response.headers.get('content-type') ?? ''
    const body: Line = type.includes('json') ? await response.json() : await response.text()
    return { status: response.status, type, body }
  }

const posted = (type: string, body: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
})
const lines = 'application/x-ndjson'

it('a message goes in, its event comes out of the stream of changes, its row out of the view; numbers tell of it', async () => {
  const { home } = useFolder()
  const server = await startServer({ home })
  const call = client(server.address)
  expect(await call('/healthz')).toMatchObject({ status: 200, body: { alive: true } })
  await until('it is ready', async () => (await call('/readyz')).status === 200)

  const leaving = new AbortController()
  const changes = await fetch(`${server.address}/api/v1/changes?after=-1&type=ContentRecorded`, {
    signal: leaving.signal,
  })
  expect(changes.headers.get('content-type')).toContain('text/event-stream')
  const first = firstEvent(changes.body as ReadableStream<Uint8Array>)

  const taken = await call(content, posted(lines, JSON.stringify(recorded('over http'))))
  expect(taken).toMatchObject({ status: 202, body: { accepted: [{ line: 1 }], refused: [] } })
  const event = await first
  expect(event).toMatchObject({ type: 'ContentRecorded', stream: 'fixity-main/over http' })
  leaving.abort()

  const row = await call(`/api/v1/views/fixity-items?after=${event.position}`)
  expect(row.body.rows).toMatchObject([{ path: 'over http', state: 'unchecked' }])
  const outcome = await call(`/api/v1/messages/${taken.body.accepted[0].id}/outcome`)
  expect(outcome.body).toMatchObject({ known: true, outcomes: [{ kind: 'effect', type: 'ContentRecorded' }] })

  const asked = await call(
    '/api/v1/commands/fixity.check',
    posted(
      'application/json',
      JSON.stringify({ input: { store: 'main', path: 'over http' }, actor: 'r.vermeer', reason: 'a test' }),
    ),
  )
  expect(asked).toMatchObject({ status: 200, body: { stream: 'fixity-main/over http' } })

  await until('nothing lags', async () => {
    const metrics = (await call('/metrics')).body as string
    const lags = metrics.split('\n').filter((line) => line.startsWith('fonds_lag{'))
    return lags.length >= 3 && lags.every((line) => line.endsWith(' 0'))
  })
  const metrics = (await call('/metrics')).body
  expect(metrics).toMatch(/^fonds_messages_total\{.*processor="fonds.fixity".*outcome="done".*\} 1$/m)
  expect(metrics).toMatch(/^fonds_events_projected_total\{/m)
  expect(await stop(server)).toBe(0)
  expect(server.stderr()).not.toContain('"level":50')
})

/** The first event of a stream that carries data. */
const firstEvent = async (body: ReadableStream<Uint8Array>): Promise<Line> => {
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    const [, data] = /^data: ?(.+)$/m.exec(text) ?? []
    if (data !== undefined && text.includes('\n\n')) return JSON.parse(data)
  }
  throw new Error(`the stream ended: ${text}`)
}

it('what cannot be taken is a problem that names the fault, and takes nothing with it', async () => {
  const { home } = useFolder()
  const server = await startServer({ home })
  const call = client(server.address)
  const refused = async (path: string, init?: RequestInit) => {
    const { status, type, body } = await call(path, init)
    expect(type).toContain('application/problem+json')
    expect(body.detail.length).toBeGreaterThan(10)
    return [status, body.code]
  }
  const json = 'application/cloudevents+json'
  const event = { specversion: '1.0', id: '1', source: 'urn:test', ...recorded('x') }
  expect(await refused(content, posted(json, '{"not": "finished"'))).toEqual([400, 'not-json'])
  expect(await refused(content, posted(json, new Uint8Array([0x7b, 0xff])))).toEqual([400, 'not-utf8'])
  expect(await refused(content, posted(json, JSON.stringify({ ...event, type: 'content.eaten' })))).toEqual([
    400,
    'unknown-type',
  ])
  for (const path of ['../outside', '/etc/passwd', 'a/./b', ''])
    expect(await refused(content, posted(json, JSON.stringify({ ...event, ...recorded(path) })))).toEqual([
      400,
      'wrong-shape',
    ])
  expect(
    await refused(content, posted(json, JSON.stringify({ ...event, subject: 'x'.repeat(2_000_000) }))),
  ).toEqual([413, 'too-large'])
  // Often: it is answered while it is still being written.
  for (let i = 0; i < 20; i++)
    expect(await refused(content, posted(json, 'x'.repeat(11_000_000)))).toEqual([413, 'too-large'])
  expect(await refused(content, posted('text/plain', 'hello'))).toEqual([415, 'wrong-content-type'])
  expect(await refused('/api/v1/topics/nowhere/messages', posted(json, '{}'))).toEqual([404, 'no-such-topic'])
  expect(await refused('/api/v1/views/nowhere')).toEqual([404, 'no-such-view'])
  expect(await refused('/nowhere')).toEqual([404, 'no-such-route'])
  const command = { input: { store: 'main', path: 'unknown.txt' }, actor: 'r.vermeer', reason: 'a test' }
  const check = '/api/v1/commands/fixity.check'
  expect(await refused(check, posted('application/json', JSON.stringify(command)))).toEqual([
    409,
    'unknown-item',
  ])
  expect(
    (await refused(check, posted('application/json', JSON.stringify({ ...command, actor: '' }))))[0],
  ).toBe(400)

  const mixed = [recorded('good 1'), { type: 'content.eaten' }, recorded('good 2')].map((line) =>
    JSON.stringify(line),
  )
  expect(await refused(content, posted(lines, mixed.join('\n')))).toEqual([400, 'refused'])
  const partly = await call(`${content}?partial=true`, posted(lines, mixed.join('\n')))
  expect(partly).toMatchObject({ status: 202, body: { refused: [{ line: 2, reason: 'unknown-type' }] } })
  await until('the good ones are there', async () => {
    const { body } = await call('/api/v1/views/fixity-items')
    return body.rows?.length === 2 && body.rows
  })
  expect((await call('/api/v1/dead-letters')).body).toEqual({ deadLetters: [], more: false })
  expect(await stop(server)).toBe(0)
})
